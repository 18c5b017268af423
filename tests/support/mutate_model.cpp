#include "support/mutate_model.h"

#include <algorithm>

#include "lithe/io/yaml.h"

namespace lithe {

namespace {

// splitmix64: the standard library's distributions differ between its makers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

// Whole numbers stay small or are far too large: what lies between is a mesh that somebody may want.
const std::vector<std::string> odd_scalars{"nan",
                                           ".nan",
                                           ".inf",
                                           "-.inf",
                                           "inf",
                                           "1e308",
                                           "-1e308",
                                           "1e-308",
                                           "5e-324",
                                           "1e999",
                                           "0",
                                           "-0",
                                           "-0.0",
                                           "1",
                                           "-1",
                                           "2",
                                           "3",
                                           "7",
                                           "0.5",
                                           "1e-12",
                                           "1e12",
                                           "2147483647",
                                           "2147483648",
                                           "-5e9",
                                           "1e18",
                                           "1e200",
                                           "99999999999999999999",
                                           "true",
                                           "false",
                                           "null",
                                           "~",
                                           "",
                                           "x",
                                           "t",
                                           "1/t",
                                           "1/0",
                                           "sin(",
                                           "2*t",
                                           "x*y",
                                           "t^1e9",
                                           "a.b",
                                           "ground",
                                           "beam",
                                           ".",
                                           "..",
                                           "..end",
                                           "end.",
                                           "<<",
                                           "*a",
                                           "&a",
                                           "!!int",
                                           "0x10",
                                           "1_000",
                                           "1,5",
                                           "[",
                                           "}",
                                           "é",
                                           "\xf0\x9f\x98\x80",
                                           "sqrt(-1)",
                                           "10^400",
                                           "rand()",
                                           "t?1:0"};

void collect(Value& value, std::vector<Value*>& nodes) {
  nodes.push_back(&value);
  for (Value& item : value.items) collect(item, nodes);
  for (auto& field : value.fields) collect(field.second, nodes);
}

void collect_words(const Value& value, std::vector<std::string>& keys, std::vector<std::string>& words) {
  if (value.kind == Value::Kind::scalar) words.push_back(value.text);
  for (const Value& item : value.items) collect_words(item, keys, words);
  for (const auto& [key, item] : value.fields) {
    keys.push_back(key);
    collect_words(item, keys, words);
  }
}

std::string scaled(const std::string& text, Random& random) {
  double x = 0;
  try {
    x = to_double(Value::scalar(text));
  } catch (const InputError&) {
    return text + text;
  }
  static const double factors[] = {-1, 0, 0.5, 2, 10, 0.1, 1e3, 1e-3, 1e6, 1e-6, 1e30, 1e-30};
  const double factor = random.of(factors);
  if (random.one_in(4)) return number_text(x + 1);
  return number_text(x * factor);
}

// One change of the tree.
void damage(Value& root, Random& random, const std::vector<Value>& models, const std::vector<std::string>& keys,
            const std::vector<std::string>& words) {
  std::vector<Value*> nodes;
  collect(root, nodes);
  Value& target = *nodes[random.below(nodes.size())];
  const auto scalar = [&](std::string text) {
    Value v = Value::scalar(std::move(text));
    v.quoted = random.one_in(6);
    return v;
  };
  switch (random.below(14)) {
    case 0:
    case 1:
      target = scalar(random.of(odd_scalars));
      break;
    case 2:
    case 3:
      for (int k = 0; k < 20; ++k) {  // any number nearby
        Value& number = *nodes[random.below(nodes.size())];
        if (number.kind != Value::Kind::scalar) continue;
        number.text = scaled(number.text, random);
        break;
      }
      break;
    case 4:
      target = scalar(random.of(words));
      break;
    case 5:  // delete
      if (!target.fields.empty()) target.fields.erase(target.fields.begin() + random.below(target.fields.size()));
      else if (!target.items.empty()) target.items.erase(target.items.begin() + random.below(target.items.size()));
      else target = Value{};
      break;
    case 6:  // duplicate
      if (!target.fields.empty()) {
        auto field = random.of(target.fields);
        if (!random.one_in(4)) field.first += "2";
        target.fields.push_back(std::move(field));
      } else if (!target.items.empty()) {
        Value item = random.of(target.items);
        target.items.push_back(std::move(item));
      }
      break;
    case 7: {  // the value of another place
      const Value other = *nodes[random.below(nodes.size())];
      target = other;
      break;
    }
    case 8: {  // the value of another model
      Value other = random.of(models);
      std::vector<Value*> theirs;
      collect(other, theirs);
      const Value taken = *theirs[random.below(theirs.size())];
      if (target.kind == Value::Kind::map && random.one_in(2)) target.fields.emplace_back(random.of(keys), taken);
      else target = taken;
      break;
    }
    case 9:  // another key
      if (!target.fields.empty()) {
        std::string& key = target.fields[random.below(target.fields.size())].first;
        if (random.one_in(3)) key = random.of(odd_scalars);
        else key = random.of(keys);
      }
      break;
    case 10: {  // wrap
      const Value inside = target;
      const std::size_t depth = random.one_in(10) ? 120 : 1 + random.below(3);
      for (std::size_t k = 0; k < depth; ++k) {
        Value outside = random.one_in(2) ? Value::list() : Value::map();
        if (outside.kind == Value::Kind::list) outside.items.push_back(target);
        else outside.set(random.of(keys), target);
        target = std::move(outside);
        if (depth > 10 && k > 100) break;
      }
      break;
    }
    case 11:  // unwrap
      if (!target.items.empty()) {
        const Value inside = random.of(target.items);
        target = inside;
      } else if (!target.fields.empty()) {
        const Value inside = random.of(target.fields).second;
        target = inside;
      }
      break;
    case 12:  // shorter or longer lists
      if (target.kind == Value::Kind::list) {
        if (random.one_in(2) && !target.items.empty()) target.items.resize(random.below(target.items.size()));
        else target.items.resize(target.items.size() + 1 + random.below(3), scalar("0"));
      }
      break;
    default:  // another order
      std::ranges::reverse(target.items);
      std::ranges::reverse(target.fields);
      break;
  }
}

void damage_bytes(std::string& text, Random& random) {
  static const std::string odd =
      "[]{}:,#&*!|>'\"%@`\t\n\r -?<.0" + std::string(1, '\0') + "\xff\xc0\xe2\xef\xbb\xbf\x7f";
  for (std::size_t k = 1 + random.below(4); k > 0 && !text.empty(); --k) {
    const std::size_t at = random.below(text.size());
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
      case 1:
        text[at] = random.of(odd);
        break;
      case 2:
        text.insert(at, 1 + random.below(3), random.of(odd));
        break;
      case 3:
        text.erase(at, 1 + random.below(20));
        break;
      case 4: {
        const std::string piece = text.substr(random.below(text.size()), 1 + random.below(40));
        text.insert(at, piece);
        break;
      }
      default:
        if (random.one_in(3)) text.resize(at);
        else text.insert(at, "\n");
        break;
    }
  }
}

}  // namespace

ModelMutator::ModelMutator(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) models_.push_back(parse_yaml(text, "seed.yaml"));
  for (const Value& model : models_) collect_words(model, keys_, words_);
  for (auto* list : {&keys_, &words_}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
}

std::string ModelMutator::make(std::uint64_t seed) const {
  Random random(seed);
  Value model = random.of(models_);
  const std::size_t changes = random.one_in(8) ? 0 : 1 + random.below(3);
  for (std::size_t k = 0; k < changes; ++k) damage(model, random, models_, keys_, words_);
  std::string text = emit_yaml(model);
  if (changes == 0 || random.one_in(6)) damage_bytes(text, random);
  return text;
}

std::vector<std::string> mechanism_seeds() {
  return {R"yaml(name: mechanism
materials:
  rope: {E: 2e7, density: 7200, damping: 1e-3}
  steel: {E: 210e9, nu: 0.3, density: 7850}
  ply: {type: orthotropic, E1: 2e10, E2: 5e9, E3: 5e9, nu12: 0.3, nu13: 0.3, nu23: 0.3, G12: 1e9, G13: 1e9, G23: 1e9, density: 1600}
sections:
  round: {type: circle, radius: 0.02}
  strip: {type: rectangle, width: 0.02, thickness: 0.01}
  sheet: {type: layered, layers: [{thickness: 0.001, angle: 45, material: ply}, {thickness: 0.001, angle: -45}]}
bodies:
  rod: {type: rigid, position: [0.5, 0, 0], mass: 2, inertia: [0.01, 0.2, 0.2], points: {tip: [0.5, 0, 0]}}
  disc: {type: rigid, position: [0, 1, 0], density: 7800, shape: {type: tube, inner_radius: 0.05, outer_radius: 0.1, length: 0.02}}
  crank: {type: rigid, position: [0, 2, 0], density: 7800, shape: {type: cylinder, radius: 0.05, length: 0.2}, points: {end: [0, 0, 0.1]}}
  nut: {type: rigid, position: [4, 0, 0], mass: 1, orientation: [1, 0, 0, 1], shape: {type: cylinder, radius: 0.1, length: 0}}
  plank: {type: rigid, position: [5, 0, 0], mass: 1, shape: {type: box, size: [1, 0.1, 0]}}
  wheel: {type: rigid, position: [6, 0, 0], mass: 1, inertia: [1.1, 1.1, 0.2], inertia_point: [0, 0, 1]}
  bench: {type: rigid, position: [7, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}
  block: {type: rigid, position: [3, 0, 0], density: 7800, shape: {type: box, size: [0.1, 0.2, 0.3]}}
  ball: {type: point_mass, mass: 1, position: [2, 0, 0]}
  links: {type: linkage, points: [[0, 2, 0], [1, 2, 0], [1, 3, 0]], bars: [[0, 1], [1, 2]], bar_mass: 1, ground: [0], plane: [0, 0, 1], sets: {elbow: [1]}}
  net: {element: cable, material: rope, section: round, mesh: {type: net, corner: [0, 5, 0], cells: [2, 2], along: [1, 0, 0], across: [0, 1, 0], elements: 1}}
  plate: {element: shell3443, material: ply, section: sheet, mesh: {type: plate, corner: [0, 0, 4], length: [1, 0, 0], width: [0, 1, 0], elements: [2, 1]}}
  beam: {element: beam3243, material: steel, section: strip, damping: {mass: 0.1, stiffness: 1e-4}, mesh: {type: line, from: [0, 0, 6], to: [1, 0, 6], elements: 2}}
constraints:
  root: {type: clamp, at: plate.x_min}
  corner: {type: fix, at: net.corners, coordinates: [position], along: [[0, 0, 1]]}
joints:
  shaft: {type: revolute, a: ground, b: rod, point: [0, 0, 0], axis: [0, 0, 1]}
  motor: {type: turn, joint: shaft, angle: "0.1*sin(3*t)"}
  rope: {type: distance, a: rod.tip, b: ball}
  guide: {type: prismatic, a: ground, b: disc, axis: [1, 0, 0]}
  travel: {type: slide, joint: guide, travel: {table: [[0, 0], [0.5, 0.1], [1, 0.2]]}}
  hook: {type: universal, a: ground, b: crank, point: [0, 2, 0], axis_a: [1, 0, 0], axis_b: [0, 1, 0]}
  pin: {type: spherical, a: ground, b: beam.start}
  nut: {type: screw, a: ground, b: nut, point: [4, 0, 0], axis: [0, 0, 1], pitch: 0.01}
  sheet: {type: point_in_plane, a: ground, b: plank, point: [5, 0, 0], normal: [0, 0, 1]}
  wheel: {type: revolute, a: ground, b: wheel, point: [6, 0, 0], axis: [0, 0, 1]}
  bench: {type: prismatic, a: ground, b: bench, axis: [1, 0, 0]}
  teeth: {type: rack_and_pinion, pinion: wheel, rack: bench, radius: 0.1}
  fan: {type: turn, joint: hook, coordinate: angle_b, rate: "0.1*t"}
  floor: {type: planar, a: ground, b: block, point: [3, 0, 0], normal: [0, 0, 1]}
  shake: {type: motion, at: beam.end, displacement: [null, null, "0.01*sin(t)"]}
springs:
  coil: {type: spring, a: rod.tip, b: ball, stiffness: 100, damping: 1, force: "3*sin(t)"}
  torsion: {type: torsion_spring, joint: shaft, stiffness: 5}
  bent: {type: spring, a: rod.tip, b: ball, law: "10*x + 3*x^3 + v"}
  soft: {type: torsion_spring, joint: hook, coordinate: angle_a, law: {table: [[-1, -2], [0, 0], [1, 3]], interpolation: spline}}
  rail: {type: travel_spring, joint: guide, stiffness: 3, damping: 1, free_travel: 0.1, force: "sin(t)"}
  rub: {type: friction, joint: shaft, force: 2, slow: 0.1}
  ends: {type: stop, joint: nut, coordinate: travel, lower: -0.1, upper: 0.1, stiffness: 1000, damping: 1, width: 0.01}
  servo: {type: pd, joint: wheel, target: "0.1*t", kp: 10, kd: 1, limit: 5}
  mount: {type: bushing, a: ground, b: crank, point: [0, 2, 0], stiffness: [10, 10, 10], torsion_stiffness: [1, 1, 1]}
initial_velocities:
  spin: {on: block, velocity: [1, 0, 0]}
loads:
  weight: {type: gravity}
  push: {type: force, at: beam.end, force: [0, "2*t", -1]}
  twist: {type: moment, at: beam.end, moment: [0.1, 0, 0]}
  wind: {type: pressure, on: plate.top, pressure: 10}
  snow: {type: line_load, on: beam, force: [0, 0, -1]}
outputs:
  tip: {type: displacement, at: beam.end}
  where: {type: position, at: {body: beam, element: 1, xi: [0.5, 0, 0]}}
  slope: {type: gradient, at: {body: plate, point: [0.5, 0.5, 4]}}
  stress: {type: stress, at: {body: beam, node: 1}}
  worst: {type: max_von_mises, body: beam}
  hold: {type: reaction, constraint: root}
  energy: {type: energy}
  speed: {type: velocity, at: rod.tip}
  jolt: {type: acceleration, at: ball}
  turn: {type: rotation, body: rod}
  shaft: {type: joint, joint: shaft}
  coil: {type: spring, spring: coil}
  momentum: {type: momentum}
  gap: {type: constraints}
analysis: {type: dynamic, duration: 1, step: 1e-3, output_step: 0.01, integrator: hht, alpha: -0.1}
)yaml",
          R"yaml(name: arch
materials:
  steel: {E: 210e9, nu: 0.3, density: 7850}
sections:
  strip: {type: rectangle, width: 0.02, thickness: 0.01}
  round: {type: bar, area: 1e-4, inertia: 1e-9}
  sheet: {type: plate, thickness: 0.01}
bodies:
  arch: {element: beam3243, material: steel, section: strip, mesh: {type: arc, center: [0, 0, 0], radius: 1, angle: 90, elements: 3}}
  ring: {element: shell3443, material: steel, section: sheet, mesh: {type: annular_plate, inner_radius: 0.5, outer_radius: 1, angle: 90, elements: [2, 1]}}
  brick: {element: hexa3843, material: steel, mesh: {type: block, corner: [0, 0, 2], length: [1, 0, 0], width: [0, 1, 0], height: [0, 0, 1], elements: [1, 1, 1]}}
  wire: {element: cable, material: steel, section: round, mesh: {type: line, from: [0, 0, 3], to: [1, 0, 3], elements: 2}}
  own: {element: beam3243, material: steel, section: strip, mesh: {type: nodes, nodes: [[0, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 0, 5, 1, 0, 0, 0, 1, 0, 0, 0, 1]], elements: [[0, 1]], size: [[1, 0.02, 0.01]], sets: {start: [0], end: [1]}}}
constraints:
  a: {type: clamp, at: arch.start}
  b: {type: clamp, at: ring.inner}
  c: {type: clamp, at: brick.x_min}
  d: {type: fix, at: wire.start, coordinates: [position]}
  e: {type: clamp, at: own.start}
loads:
  push: {type: force, at: arch.end, force: [0, 0, -100]}
outputs:
  tip: {type: displacement, at: arch.end}
treatment: lagrange
strategy: batched
analysis: {type: static, method: newton, first_step: 0.5, tolerance: 1e-8, iterations: 20}
)yaml"};
}

}  // namespace lithe
