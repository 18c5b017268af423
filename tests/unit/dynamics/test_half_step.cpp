// Half steps: total Lagrangian, co-rotated, reduced and rigid bodies under one scheme.
// Over 500 lines: one scene of every kind of body, and what must hold of all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "../allocation_counter.h"
#include "lithe/base/error.h"
#include "lithe/dynamics/simulation.h"
#include "lithe/io/load_model.h"
#include "lithe/io/make_base.h"
#include "lithe/io/yaml.h"
#include "lithe/reduction/base_file.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/springs.h"

namespace lithe {
namespace {

using fixtures::AllocationCounter;

Model read(const std::string& text) {
  Reading reading;
  return read_model(parse_yaml(text, "test"), reading);
}

const DynamicAnalysis& analysis_of(const System& system) { return std::get<DynamicAnalysis>(system.model.analysis[0]); }

State run(const System& system, double step, double duration, int threads = 1) {
  DynamicAnalysis d = analysis_of(system);
  d.step = step;
  d.duration = duration;
  Workspace work(system, threads);
  State state = system.initial_state();
  const DynamicReport report = simulate(system, d, state, work, {});
  EXPECT_TRUE(report.ok()) << report.message;
  for (const std::string& warning : report.warnings) ADD_FAILURE() << warning;
  return state;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::string block(const std::string& element, const std::string& kinematics, const std::string& more = "") {
  return fmt::format(
      "{{element: {}, material: m, kinematics: {}, {} mesh: {{type: block, corner: [0, -0.05, -0.1], "
      "length: [0.6, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.2], elements: [3, 1, 1]}}}}",
      element, kinematics, more);
}

// A block that hangs on two points, or is free and turns.
Model swing(const std::string& body, bool held, double E = 1e6) {
  return read(fmt::format(R"(
materials: {{m: {{type: isotropic, E: {}, nu: 0.3, density: 1000}}}}
sections: {{p: {{type: plate, thickness: 0.05}}, s: {{type: rectangle, width: 0.1, thickness: 0.1}}}}
bodies: {{b: {}}}
{}
initial_velocities: {{spin: {{on: b, velocity: [0.1, 0, 0], angular_velocity: [0, 2, {}], center: [0, 0, 0]}}}}
loads: {{g: {{type: gravity, acceleration: [0, 0, {}]}}}}
analysis: {{type: dynamic, duration: 0.2, step: 0.002, integrator: half_step}}
)",
                          E, body,
                          held ? "joints: {p: {type: spherical, a: ground, b: {body: b, node: 0}}, "
                                 "q: {type: point_on_line, a: ground, b: {body: b, node: 4}, axis: [0, 1, 0]}}"
                               : "",
                          held ? 0 : 1, held ? -9.81 : 0));
}

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / fmt::format("lithe_half_step_{}_{}", getpid(), name)).string();
}

// A base that is gone with the object.
class BaseFile {
 public:
  BaseFile(const std::string& name, const Base& base) : path_(temporary(name)) { write_base(path_, base); }
  ~BaseFile() { std::filesystem::remove(path_); }
  BaseFile(const BaseFile&) = delete;
  std::string key() const { return "base: " + path_ + ","; }

 private:
  std::string path_;
};

// The lowest modes of body 'b', as BC-MODAL or, orthonormal, BC-RO takes them.
Base lowest_modes(const Model& model, int count, bool modal) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1);
  Base base = modal_base(model, "b", numbers, "a test");
  if (!modal) orthonormalise(base.vectors, static_cast<int>(base.mesh.size()));
  return base;
}

// Every kind of element and of kinematics in one chain, and what needs no mesh.
struct Mixed {
  const BaseFile orthonormal{"mixed_pod.h5", lowest_modes(link(), 20, false)};
  const BaseFile modal{"mixed_modal.h5", lowest_modes(link(), 20, true)};
  const Model model = chain();

  static std::string solid(const std::string& element, const std::string& kinematics, double x,
                           const std::string& more = "") {
    return fmt::format(
        "{{element: {}, material: m, kinematics: {}, {} mesh: {{type: block, corner: [{}, -0.05, -0.05], "
        "length: [0.3, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.1], elements: [2, 1, 1]}}}}",
        element, kinematics, more, x);
  }
  static Model link() {
    return read("materials: {m: {type: isotropic, E: 1e7, nu: 0.3, density: 1000}}\nbodies: {b: " +
                solid("hex8", "TL", 0) + "}\nanalysis: {type: modes}\n");
  }
  Model chain() const;
};

Model Mixed::chain() const {
  std::string bodies, joints;
  double x = 3;
  std::string last = "weight";
  const auto hang = [&](const std::string& name, const std::string& body) {
    bodies += "  " + name + ": " + body + "\n";
    joints += fmt::format("  to_{0}: {{type: spherical, a: {1}, b: {{body: {0}, point: [{2}, 0.05, 0.05]}}}}\n", name,
                          last, x);
    last = fmt::format("{{body: {}, point: [{}, 0.05, 0.05]}}", name, x + 0.3);
    x += 0.3;
  };
  hang("tets", solid("tet4", "BC", 3));
  hang("brick", solid("hexa3843", "TL", 3.3));
  hang("modes", solid("hex8", "BC-MODAL", 3.6, modal.key()));
  hang("vectors", solid("hex8", "BC-RO", 3.9, orthonormal.key() + " eta: 1e-4,"));
  hang("plate",
       "{element: shell3443, material: m, section: p, mesh: {type: plate, corner: [4.2, 0.05, 0.05], length: [0.3, 0, "
       "0], "
       "width: [0, 0.1, 0], elements: [2, 1]}}");
  return read(R"(
materials: {m: {type: isotropic, E: 1e7, nu: 0.3, density: 1000, damping: 1e-4}}
sections: {s: {type: rectangle, width: 0.05, thickness: 0.05}, c: {type: circle, radius: 0.01},
  p: {type: plate, thickness: 0.02}}
bodies:
  solid: {element: hex8, material: m, kinematics: BC, eta: 1e-4, mesh: {type: block, corner: [0, -0.05, -0.05],
    length: [0.5, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.1], elements: [3, 1, 1]}}
  stiff: {element: tet10, material: m, kinematics: rigid, mesh: {type: block, corner: [0.5, -0.05, -0.05],
    length: [0.3, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.1], elements: [1, 1, 1]}}
  link: {type: rigid, mass: 0.5, inertia: [0.01, 0.02, 0.02], position: [1, 0, 0]}
  beam: {element: beam3243, material: m, section: s, mesh: {type: line, from: [1.2, 0, 0], to: [1.7, 0, 0], elements: 2}}
  soft: {element: hex8, material: m, eta: 1e-3, mesh: {type: block, corner: [1.7, -0.05, -0.05],
    length: [0.3, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.1], elements: [2, 1, 1]}}
  cable: {element: cable, material: m, section: c, mesh: {type: line, from: [2, 0, 0], to: [3, 0.05, 0.05], elements: 4}}
  weight: {type: point_mass, mass: 0.1, position: [3, 0.05, 0.05]}
)" + bodies + R"(joints:
  a: {type: spherical, a: ground, b: {body: solid, point: [0, 0.05, 0]}}
  b: {type: spherical, a: ground, b: {body: solid, point: [0, -0.05, 0]}}
  c: {type: spherical, a: {body: solid, point: [0.5, 0, 0.05]}, b: {body: stiff, point: [0.5, 0, 0.05]}}
  d: {type: spherical, a: {body: solid, point: [0.5, 0, -0.05]}, b: {body: stiff, point: [0.5, 0, -0.05]}}
  e: {type: spherical, a: {body: stiff, point: [0.8, 0, 0]}, b: {body: link, point: [0.8, 0, 0]}}
  f: {type: revolute, a: {body: link, point: [1.2, 0, 0]}, b: beam.start, axis: [0, 1, 0]}
  g: {type: spherical, a: beam.end, b: {body: soft, point: [1.7, 0, 0]}}
  h: {type: spherical, a: {body: soft, point: [2, 0, 0]}, b: cable.start}
  i: {type: spherical, a: cable.end, b: weight}
)" + joints + R"(springs:
  between: {type: bushing, a: {body: link, point: [1.2, 0, 0]}, b: beam.start, torsion_stiffness: [5, 5, 5],
    torsion_damping: [0.1, 0.1, 0.1]}
  brace: {type: spring, a: {body: solid, point: [0.2, 0, 0.05]}, b: {body: link, point: [0.9, 0, 0.1]}, stiffness: 50,
    damping: 1}
loads: {g: {type: gravity, acceleration: [0, 1, -9.81]}}
analysis: {type: dynamic, duration: 0.2, step: 0.001, checkpoint_step: 0.05}
)");
}

// ---- order ----

TEST(HalfStep, HasSecondOrderInPositionsAndRatesFreeAndJointed) {
  const Model whole = swing(block("hex8", "TL"), false, 1e5);
  const BaseFile modal("order_modal.h5", lowest_modes(whole, 24, true)),
      orthonormal("order_pod.h5", lowest_modes(whole, 24, false));
  struct OrderCase {
    std::string name;
    Model model;
  };
  std::vector<OrderCase> cases;
  for (const bool held : {false, true})
    for (const auto& [kinematics, more] : {std::pair<std::string, std::string>{"TL", ""},
                                           {"BC", ""},
                                           {"rigid", ""},
                                           {"BC-RO", orthonormal.key()},
                                           {"BC-MODAL", modal.key()}})
      cases.push_back({fmt::format("{} {}", kinematics, held ? "held" : "free"),
                       swing(block("hex8", kinematics, more), held, 1e5)});
  for (const auto& [kinematics, more] : {std::pair<std::string, std::string>{"TL", ""},
                                         {"BC", ""},
                                         {"BC-RO", orthonormal.key()},
                                         {"BC-MODAL", modal.key()}})
    cases.push_back({kinematics + " with eta", swing(block("hex8", kinematics, "eta: 0.01," + more), true, 1e5)});
  const Mixed mixed;
  cases.push_back({"every kind", mixed.model});
  for (const OrderCase& c : cases) {
    const System system = compile(c.model);
    const double T = 0.064, h = 2e-3;
    const State exact = run(system, h / 64, T);
    double q[3], v[3];
    for (int k = 0; k < 3; ++k) {
      const State state = run(system, h / (1 << (k + 1)), T);
      q[k] = difference(state.q, exact.q);
      v[k] = difference(state.v, exact.v);
    }
    EXPECT_NEAR(std::log2(q[1] / q[2]), 2, 0.15) << c.name << ": " << q[0] << " " << q[1] << " " << q[2];
    EXPECT_NEAR(std::log2(v[1] / v[2]), 2, 0.15) << c.name << ": " << v[0] << " " << v[1] << " " << v[2];
  }
}

// At the ends of steps, where the scheme itself has those of their middles.
TEST(HalfStep, AccelerationsAndJointForcesAreOfSecondOrder) {
  const Model whole = swing(block("hex8", "TL"), false, 1e5);
  const BaseFile modal("forces_modal.h5", lowest_modes(whole, 24, true));
  for (const auto& [kinematics, more] :
       {std::pair<std::string, std::string>{"TL", ""}, {"BC", ""}, {"rigid", ""}, {"BC-MODAL", modal.key()}}) {
    const System system = compile(swing(block("hex8", kinematics, more), true, 1e5));
    const double T = 0.064, h = 1e-3;
    const State exact = run(system, h / 32, T);
    double a[2], force[2];
    for (int k = 0; k < 2; ++k) {
      const State state = run(system, h / (k + 1), T);
      a[k] = difference(state.a, exact.a);
      force[k] = difference(state.lambda, exact.lambda);
    }
    EXPECT_NEAR(std::log2(a[0] / a[1]), 2, 0.2) << kinematics << ": " << a[0] << " " << a[1];
    if (kinematics == "TL") continue;  // its joints are eliminated
    EXPECT_NEAR(std::log2(force[0] / force[1]), 2, 0.2) << kinematics << ": " << force[0] << " " << force[1];
  }
}

// No line is drawn through a jump, and none before there are two steps.
TEST(HalfStep, AJumpOfLoadsDoesNotRing) {
  const System system = compile(read(R"(
bodies: {p: {type: point_mass, mass: 2}}
loads: {f: {type: force, at: p, force: [{table: [[0, 4], [0.05, -6]], interpolation: steps}, 0, 0]}}
analysis: {type: dynamic, duration: 0.1, step: 0.01, integrator: half_step}
)"));
  Workspace work(system, 1);
  State state = system.initial_state();
  const DynamicReport report =
      simulate(system, analysis_of(system), state, work, [](const State& s, const DynamicStep&) {
        EXPECT_NEAR(s.a[0], s.t < 0.051 ? 2 : -3, 1e-9) << s.t;
        return true;
      });
  EXPECT_TRUE(report.ok()) << report.message;
}

// ---- momentum and energy ----

struct Momentum {
  Vec3<double> linear{}, angular{};
  double energy = 0;
};

Momentum momentum(const System& system, const State& state) {
  Momentum sum;
  for (const Batch& batch : system.batches) {
    const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
    const int per_node = element_info(batch.continuum.kind).node_vectors;
    for (int e = 0; e < batch.elements; ++e)
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
          const int a = std::min(i, j), b = std::max(i, j);
          const double m = batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2 + a * N - a * (a - 1) / 2 + b - a];
          const auto at = [&](const std::vector<double>& x, int k) {
            const int vector = batch.connectivity[static_cast<std::size_t>(e / W) * N * W + k * W + e % W];
            return Vec3<double>{{x[3ul * vector], x[3ul * vector + 1], x[3ul * vector + 2]}};
          };
          if (i % per_node == 0) sum.linear = sum.linear + m * at(state.v, j);
          sum.angular = sum.angular + m * cross(at(state.q, i), at(state.v, j));
        }
  }
  sum.energy = kinetic_energy(system, state) + strain_energy(system, state);
  return sum;
}

TEST(HalfStep, AFreeTopKeepsItsAngularMomentum) {
  const System system = compile(read(R"(
bodies: {top: {type: rigid, mass: 1, inertia: [1, 2, 2.7], position: [0.3, 0.1, 0]}}
initial_velocities: {s: {on: top, velocity: [0.1, 0, 0.2], angular_velocity: [0.1, 6.283185307, 0.2], center: [0.3, 0.1, 0]}}
analysis: {type: dynamic, duration: 100, step: 0.005, integrator: half_step}
)"));
  EXPECT_EQ(system.map.size, 6);
  EXPECT_EQ(system.row_count(), 0);
  const Momentum before = momentum(system, system.initial_state());
  const Momentum after = momentum(system, run(system, 0.005, 100));
  EXPECT_LT(norm(after.angular - before.angular), 1e-10 * norm(before.angular));
  EXPECT_LT(norm(after.linear - before.linear), 1e-12);
  EXPECT_NEAR(after.energy, before.energy, 1e-3 * before.energy);
}

TEST(HalfStep, FreeBodiesKeepTheirMomentum) {
  for (const char* kinematics : {"TL", "BC", "rigid"}) {
    const System system = compile(swing(block("hex8", kinematics), false));
    const Momentum before = momentum(system, system.initial_state());
    const Momentum after = momentum(system, run(system, 2e-3, 0.4));
    EXPECT_LT(norm(after.linear - before.linear), 1e-11 * norm(before.angular)) << kinematics;
    // K dv has a moment where there are forces (of second order in h); K0 turned is free of moments about the
    // undeformed body, not about the deformed one.
    const double limit = std::string(kinematics) == "BC" ? 1e-3 : std::string(kinematics) == "TL" ? 1e-6 : 1e-10;
    EXPECT_LT(norm(after.angular - before.angular), limit * norm(before.angular)) << kinematics;
    EXPECT_NEAR(after.energy, before.energy, 1e-3 * before.energy) << kinematics;
  }
}

// In the span of its modes, turned to its middle, a reduced body keeps all momentum; where it deforms, its own arms are
// those of rest. The block turns about no axis of its inertia.
TEST(HalfStep, ReducedBodiesTumble) {
  const auto tumbling = [](const std::string& kinematics, const std::string& more = "") {
    Model model = swing(block("hex8", kinematics, more), false, 1e7);
    std::get<DynamicAnalysis>(model.analysis[0]).duration = 0.5;
    return model;
  };
  const Model whole = tumbling("BC");
  const State exact = run(compile(whole), 1e-3, 0.5);
  for (const bool modal : {false, true}) {
    const std::string kinematics = modal ? "BC-MODAL" : "BC-RO";
    const BaseFile base("tumble.h5", lowest_modes(whole, 20, modal));
    const System system = compile(tumbling(kinematics, base.key()));
    const Momentum before = momentum(system, system.initial_state());
    const State end = run(system, 1e-3, 0.5);
    const Momentum after = momentum(system, end);
    EXPECT_LT(norm(after.linear - before.linear), 1e-10 * norm(before.angular)) << kinematics;
    EXPECT_LT(norm(after.angular - before.angular), 1e-3 * norm(before.angular)) << kinematics;
    EXPECT_NEAR(after.energy, before.energy, 1e-3 * before.energy) << kinematics;
    EXPECT_LT(difference(end.q, exact.q), 1e-3) << kinematics;
  }
}

TEST(HalfStep, SixRigidModesAreTheRigidBody) {
  const State exact = run(compile(swing(block("hex8", "rigid"), false)), 1e-4, 0.48);
  for (const bool modal : {false, true}) {
    const std::string kinematics = modal ? "BC-MODAL" : "BC-RO";
    const BaseFile base("six.h5", lowest_modes(swing(block("hex8", "TL"), false), 6, modal));
    const System system = compile(swing(block("hex8", kinematics, base.key()), false));
    double off[3];
    for (int k = 0; k < 3; ++k) off[k] = difference(run(system, 8e-3 / (1 << k), 0.48).q, exact.q);
    EXPECT_LT(off[2], 1e-4) << kinematics;
    EXPECT_NEAR(std::log2(off[1] / off[2]), 2, 0.1) << kinematics << ": " << off[0] << " " << off[1] << " " << off[2];
  }
}

// ---- one against another ----

TEST(HalfStep, CorotatedIsTotalLagrangianWhereStrainsAreSmall) {
  const auto body = [](const std::string& element, const std::string& kinematics) {
    const std::string thin = fmt::format("{{element: {}, material: m, kinematics: {}, ", element, kinematics);
    if (element == "shell3443")
      return thin +
             "section: p, mesh: {type: plate, corner: [0, -0.05, 0], "
             "length: [0.6, 0, 0], width: [0, 0.1, 0], elements: [3, 1]}}";
    if (element == "beam3243")
      return thin +
             "section: s, mesh: {type: line, from: [0, 0, 0], "
             "to: [0.6, 0, 0], elements: 3}}";
    return block(element, kinematics);
  };
  for (const char* element : {"hex8", "tet4", "tet10", "hexa3843", "shell3443", "beam3243"}) {
    double off[2];
    for (int k = 0; k < 2; ++k) {
      const double E = k == 0 ? 1e6 : 1e7;
      const System total = compile(swing(body(element, "TL"), false, E)),
                   turned = compile(swing(body(element, "BC"), false, E));
      const State a = run(total, 5e-4, 0.05), b = run(turned, 5e-4, 0.05);
      off[k] = difference(a.q, b.q);
    }
    EXPECT_LT(off[0], 2e-4) << element;
    EXPECT_LT(off[1], 0.3 * off[0]) << element;  // strains go with 1/E
  }
}

TEST(HalfStep, TotalLagrangianAgreesWithGeneralizedAlpha) {
  const System system = compile(swing(block("hex8", "TL"), true));
  Model other = swing(block("hex8", "TL"), true);
  std::get<DynamicAnalysis>(other.analysis[0]).integrator = Integrator::generalized_alpha;
  const System reference = compile(other);
  EXPECT_LT(difference(run(system, 1e-4, 0.05).q, run(reference, 1e-4, 0.05).q), 2e-6);
}

TEST(HalfStep, ABaseOfAllVectorsIsTheCorotatedBody) {
  const std::string path = temporary("full.h5");
  const Model turned = swing(block("hex8", "BC"), true);
  const std::shared_ptr<Shape> shape = free_shape(turned, "b", false);
  const Mesh mesh = make_mesh(turned, "b");
  Base base;
  base.kind = "hex8";
  base.method = "pod";
  base.source = "a test";
  base.mesh = mesh.nodes;
  base.elements.assign(mesh.elements.begin(), mesh.elements.end());
  const int n = shape->size();
  base.vectors.assign(static_cast<std::size_t>(n) * n, 0.0);
  for (int k = 0; k < n; ++k) base.vectors[static_cast<std::size_t>(n) * k + k] = 1;
  base.values.assign(n, 1.0);
  write_base(path, base);
  // The base holds for the body wherever it lies.
  const System reduced = compile(swing(block("hex8", "BC-RO", "base: " + path + ","), true));
  const System full = compile(turned);
  EXPECT_LT(difference(run(reduced, 1e-3, 0.1).q, run(full, 1e-3, 0.1).q), 1e-9);
  std::filesystem::remove(path);
}

TEST(HalfStep, StiffCorotatedBlocksSwingAsRigidOnes) {
  const System rigid = compile(swing(block("hex8", "rigid"), true));
  const State exact = run(rigid, 5e-4, 0.1);
  double last = 1;
  for (const double E : {1e7, 1e8, 1e9}) {
    const double off =
        difference(run(compile(swing(block("hex8", "BC", "eta: 1e-4,"), true, E)), 5e-4, 0.1).q, exact.q);
    EXPECT_LT(off, 0.3 * last) << E;
    last = off;
  }
  EXPECT_LT(last, 1e-4);
}

// ---- bits and memory ----

TEST(HalfStep, ThreadsAndRestartsChangeNoBit) {
  const Mixed mixed;
  const System system = compile(mixed.model);
  const DynamicAnalysis& d = analysis_of(system);
  std::vector<State> checkpoints;
  State whole = system.initial_state();
  {
    Workspace work(system, 1);
    const DynamicReport report = simulate(system, d, whole, work, [&](const State& s, const DynamicStep& step) {
      if (step.checkpoint) checkpoints.push_back(s);
      return true;
    });
    ASSERT_TRUE(report.ok()) << report.message;
  }
  const State threads = run(system, d.step, d.duration, 3);
  EXPECT_EQ(threads.q, whole.q);
  EXPECT_EQ(threads.v, whole.v);
  ASSERT_GE(checkpoints.size(), 4u);
  for (std::size_t k = 1; k < 4; ++k) {
    Workspace work(system, 2);
    State state = checkpoints[k];
    const auto save = [](const State&, const DynamicStep&) { return true; };
    const DynamicReport report = simulate(system, d, state, work, save, true);
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(state.q, whole.q) << k;
    EXPECT_EQ(state.v, whole.v) << k;
    EXPECT_EQ(state.lambda, whole.lambda) << k;
    EXPECT_EQ(state.slots.values, whole.slots.values) << k;
    EXPECT_EQ(state.energy.internal, whole.energy.internal) << k;
    EXPECT_EQ(state.energy.worst, whole.energy.worst) << k;
  }
}

// Small products take another way through Eigen: the place of their memory must not show.
TEST(HalfStep, SmallBasesRepeatEveryBit) {
  const std::string path = temporary("small.h5");
  const Model whole = swing(block("hex8", "BC"), true);
  write_base(path, modal_base(whole, "b", {1, 2, 3, 4, 5, 6, 7, 8}, "a test"));
  const System system = compile(swing(block("hex8", "BC-MODAL", "base: " + path + ","), false));
  const State first = run(system, 2e-3, 0.1);
  for (int k = 1; k < 8; ++k) {
    const std::vector<double> elsewhere(k);  // the heap looks different
    const std::vector<std::vector<double>> more(k, std::vector<double>(2 * k + 1));
    const State again = run(system, 2e-3, 0.1, 1 + k % 2);
    EXPECT_EQ(again.q, first.q) << k;
    EXPECT_EQ(again.v, first.v) << k;
  }
  std::filesystem::remove(path);
}

TEST(HalfStep, TakesNoMemoryAfterTheFirstSteps) {
  if (!AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  const Mixed mixed;
  Model model = mixed.model;
  std::get<DynamicAnalysis>(model.analysis[0]).solver = "klu";
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  const auto stepper = make_stepper(system, analysis_of(system), work);
  stepper->start(state);
  for (int k = 0; k < 20; ++k) {
    const AllocationCounter counter;
    ASSERT_TRUE(stepper->step(1e-3, state).ok());
    const long taken = counter.taken();
    const bool looked = state.memory.steps++ % 16 == 0;  // at the energies, for the warnings
    if (k < 3 || looked) continue;
    EXPECT_EQ(taken, 0) << k;
  }
}

// ---- the balance of energies ----

DynamicReport report_of(const Model& model, State* end = nullptr) {
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  const DynamicReport report = simulate(system, analysis_of(system), state, work, {});
  EXPECT_TRUE(report.ok()) << report.message;
  if (end) *end = state;
  return report;
}
double share_off(const DynamicReport& report) { return report.energy.worst / report.energy.size; }

// A wheel on a torsion spring; beside it a point, driven or not.
Model wheel(double damping, double step, const std::string& point = "") {
  return read(fmt::format(R"(
bodies:
  wheel: {{type: rigid, mass: 1, inertia: [0.2, 0.3, 0.35]}}
  {}
joints:
  axle: {{type: revolute, a: ground, b: wheel, point: [0, 0, 0], axis: [0, 0, 1]}}
  {}
springs: {{spring: {{type: torsion_spring, joint: axle, stiffness: 1000, damping: {}}}}}
initial_velocities: {{spin: {{on: wheel, angular_velocity: [0, 0, 20]}}}}
analysis: {{type: dynamic, duration: 1, step: {}}}
)",
                          point.empty() ? "" : "point: {type: point_mass, mass: 1, position: [3, 0, 0]}",
                          point.empty() ? "" : "drive: {type: motion, at: point, displacement: [" + point + ", 0, 0]}",
                          damping, step));
}

// What a step too large takes away is said, whatever damps or is driven beside it.
TEST(HalfStepBalance, ALossIsALossBesideDampingAndDrives) {
  for (const Model& model : {wheel(0, 0.06), wheel(1e-9, 0.06), wheel(0, 0.06, "0.01*sin(3*t)-0.03*t"),
                             wheel(1e-9, 0.06, "0.01*sin(3*t)-0.03*t")}) {
    State end;
    const DynamicReport report = report_of(model, &end);
    const System system = compile(model);
    const double lost = 70 - kinetic_energy(system, end) - spring_energy(system, end);
    EXPECT_GT(lost, 2);
    EXPECT_GT(report.energy.worst, 0.9 * lost);
    ASSERT_FALSE(report.warnings.empty());
    EXPECT_NE(report.warnings[0].find("balance of energies is off"), std::string::npos) << report.warnings[0];
  }
}

TEST(HalfStepBalance, HoldsForDampingOfEveryKind) {
  const std::string path = temporary("damped.h5");
  const auto free = [](const std::string& kinematics, const std::string& more) {
    Model model = swing(block("hex8", kinematics, more), false, 1e5);
    std::get<DynamicAnalysis>(model.analysis[0]).step = 5e-4;
    return model;
  };
  write_base(path, modal_base(free("BC", ""), "b", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, "a test"));
  for (const auto& [kinematics, more] :
       {std::pair<std::string, std::string>{"TL", ""}, {"BC", ""}, {"BC-MODAL", "base: " + path + ","}})
    for (const std::string damping :
         {"", "eta: 1e-2,", "damping: {stiffness: 1e-3},", "damping: {mass: 5, stiffness: 1e-3},"}) {
      if (kinematics != "TL" && damping.find("mass") != std::string::npos) continue;
      Model model = free(kinematics, more + damping);
      model.loads.items.clear();
      const DynamicReport report = report_of(model);
      EXPECT_LT(share_off(report), 1e-3) << kinematics << " " << damping;
      EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
    }
  std::filesystem::remove(path);
  for (const double damping : {0.0, 1.0}) {
    const DynamicReport report = report_of(wheel(damping, 1e-3));
    EXPECT_LT(share_off(report), 1e-3) << damping;
    EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
  }
}

// A point of 1 kg that a drive moves against a damper and a spring to a rigid body, gravity on all.
TEST(HalfStepBalance, CountsTheWorkOfEliminatedDrives) {
  const Model model = read(R"y(
bodies:
  driven: {type: point_mass, mass: 1, position: [0, 0, 0]}
  follows: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}
joints: {drive: {type: motion, at: driven, displacement: ["0.1*(1-cos(6*t))", 0, "0.2*t^2"]
}
}
springs : {
strut : {
type:
  spring, a : driven, b : {body : follows, point : [ 1, 0, 0 ]}, stiffness : 100, damping : 5
}
}
loads : {
g : {
type:
  gravity, acceleration : [ 0, 0, -9.81 ]
}
}
analysis: {type: dynamic, duration: 1, step: 0.001}
)y");
  const DynamicReport report = report_of(model);
  EXPECT_LT(share_off(report), 1e-4);
  EXPECT_GT(std::abs(report.energy.drives), 0.2 * report.energy.size);
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
}

// ---- rows that depend on each other ----

// A motor turns a shaft, to which a block is fitted by all nodes of its end: 27 rows where six would do.
Model fitted(const std::string& kinematics, const std::string& more = "") {
  return read(fmt::format(R"(
materials: {{m: {{E: 7e10, nu: 0.3, density: 2700}}}}
bodies:
  arm: {{element: hex8, material: m, kinematics: {}, {} mesh: {{type: block, corner: [0, -0.01, -0.01], length: [0.2, 0, 0],
    width: [0, 0.02, 0], height: [0, 0, 0.02], elements: [8, 2, 2]}}}}
  shaft: {{type: rigid, shape: {{type: cylinder, radius: 0.015, length: 0.1}}, density: 7850}}
joints:
  fit: {{type: rigid_connection, a: shaft, nodes: arm.x_min}}
  bearing: {{type: revolute, a: ground, b: shaft, point: [0, 0, 0], axis: [0, 0, 1]}}
  motor: {{type: turn, joint: bearing, angle: "20*pi*t^2"}}
analysis: {{type: dynamic, duration: 0.3, step: 5e-4}}
)",
                          kinematics, more));
}

TEST(HalfStep, RowsThatDependOnEachOtherHoldThroughWholeTurns) {
  const std::string path = temporary("fitted.h5");
  Model total = fitted("TL");
  std::get<DynamicAnalysis>(total.analysis[0]).integrator = Integrator::half_step;
  const System reference = compile(total);
  const State exact = run(reference, 5e-4, 0.3);
  write_base(path, craig_bampton_base(total, "arm", {"x_min"}, 6, "a test"));
  struct Case {
    std::string kinematics, more;
    double limit;
  };
  for (const Case& c : {Case{"BC", "", 2e-5}, {"rigid", "", 1e-4}, {"BC-RO", "base: " + path + ",", 1e-4}}) {
    const System system = compile(fitted(c.kinematics, c.more));
    EXPECT_LT(difference(run(system, 5e-4, 0.3).q, exact.q), c.limit) << c.kinematics;
  }
  std::filesystem::remove(path);
}

TEST(HalfStep, TellsOfModesThatAreHeld) {
  const std::string path = temporary("few.h5");
  write_base(path, modal_base(fitted("BC"), "arm", {1, 2, 3, 4, 5, 6, 7, 8}, "a test"));
  const System system = compile(fitted("BC-MODAL", "base: " + path + ","));
  ASSERT_EQ(system.warnings.size(), 1u);
  EXPECT_NE(system.warnings[0].find("27 equations hold body 'arm', which has 2 modes"), std::string::npos)
      << system.warnings[0];
  std::filesystem::remove(path);
}

// ---- bases ----

TEST(Base, OfAnotherMeshIsRefusedWithTheNodeThatIsOff) {
  const std::string path = temporary("other.h5");
  write_base(path, modal_base(fitted("BC"), "arm", {1, 2, 3, 4, 5, 6, 7, 8}, "a test"));
  const auto message = [&](const std::string& from, const std::string& to) {
    std::string text = model_yaml(fitted("BC-MODAL", "base: " + path + ","));
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    try {
      compile(read(text));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string longer = message("0.2", "0.21");
  EXPECT_NE(longer.find("belongs to another mesh"), std::string::npos) << longer;
  EXPECT_NE(longer.find("is off by"), std::string::npos) << longer;
  const std::string denser = message("2700", "2800");
  EXPECT_NE(denser.find("is not of modes of this body's mass"), std::string::npos) << denser;
  const std::string wrong = message("BC-MODAL", "BC-RO");
  EXPECT_NE(wrong.find("not orthonormal"), std::string::npos) << wrong;
  std::filesystem::remove(path);
}

TEST(Base, NumbersOfModesAreRead) {
  EXPECT_EQ(read_mode_numbers("1-6,14,19"), (std::vector<int>{1, 2, 3, 4, 5, 6, 14, 19}));
  for (const char* bad : {"", "1-", "0-3", "3,2", "a", "1,,2", "6-1", "1 2"})
    EXPECT_THROW(read_mode_numbers(bad), InputError) << bad;
}

// ---- what bodies share ----

TEST(HalfStep, BodiesOfOneMeshShareTheirShapeWhereverTheyLie) {
  std::string bodies;
  for (int k = 0; k < 3; ++k)
    bodies += fmt::format(
        "  b{}: {{element: hex8, material: m, kinematics: BC, mesh: {{type: block, corner: [{}, 0, 0], "
        "length: [{}, {}, 0], width: [{}, {}, 0], height: [0, 0, 0.2], elements: [2, 1, 1]}}}}\n",
        k, k, k == 2 ? 0 : 0.6, k == 2 ? 0.6 : 0, k == 2 ? -0.1 : 0, k == 2 ? 0 : 0.1);
  const System system = compile(read("materials: {m: {type: isotropic, E: 1e6, nu: 0.3, density: 1000}}\nbodies:\n" +
                                     bodies + "analysis: {type: dynamic, duration: 1, step: 0.1}\n"));
  ASSERT_EQ(system.map.bodies.size(), 3u);
  const auto shape = [&](int k) { return &dynamic_cast<const TurningMap&>(*system.map.bodies[k].map).shape(); };
  EXPECT_EQ(shape(0), shape(1));
  EXPECT_EQ(shape(0), shape(2));  // turned by a quarter
  const State state = system.initial_state();
  EXPECT_NEAR(strain_energy(system, state), 0, 1e-15);
}

}  // namespace
}  // namespace lithe
