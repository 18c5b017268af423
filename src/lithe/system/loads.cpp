#include "lithe/system/loads.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/elements/quadrature.h"
#include "lithe/model/section_shape.h"
#include "lithe/model/spot.h"
#include "lithe/system/moments.h"
#include "lithe/system/pattern.h"
#include "lithe/system/pressure_view.h"
#include "lithe/system/springs.h"
#include "lithe/system/temperature.h"

namespace lithe {

namespace {

// Collects weights of many element contributions into one per vector, in vector order.
struct Weights {
  std::vector<double> sum;
  std::vector<char> touched;
  explicit Weights(int vectors) : sum(vectors, 0.0), touched(vectors, 0) {}
  void add(int vector, double weight) {
    sum[vector] += weight;
    touched[vector] = 1;
  }
  Form form() const {
    Form x;
    for (std::size_t v = 0; v < sum.size(); ++v)
      if (touched[v]) {
        x.vectors.push_back(static_cast<int>(v));
        x.weights.push_back(sum[v]);
      }
    return x;
  }
};

void add_force(System& system, const Form& at, const Signals& components, bool gravity = false) {
  system.forces.at.add(at);
  system.forces.components.push_back(components);
  system.forces.gravity.push_back(gravity);
}

void compile_load(System& system, const PointForce& load, const std::string&, const Where&) {
  if (load.follower) return compile_follower(system, load);
  const PointWeights point = system.resolve_point(load.at);
  add_force(system, {point.vectors, point.weights, {}}, load.force);
}

void compile_load(System& system, const PointMoment& load, const std::string&, const Where&) {
  compile_moment(system, load);
}

// Integral of density S_i = row sums of the mass matrix over the position vectors, whose functions sum to one.
Weights mass_weights(const System& system, double& mass) {
  Weights weights(system.vectors());
  for (const Batch& batch : system.batches) {
    const ElementKind kind = batch.continuum.kind;
    const int stride = element_info(kind).node_vectors, N = vector_count(kind),
              W = batch.kernel ? batch.kernel->width() : 1;
    for (int e = 0; e < batch.elements; ++e) {
      std::vector<int> vectors(N);
      for (int i = 0; i < N; ++i)
        vectors[i] = batch.connectivity[(static_cast<std::size_t>(e / W) * N + i) * W + e % W];
      const double* M = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
      for (int i = 0; i < N; ++i) {
        double sum = 0;
        for (int j = 0; j < N; j += stride) sum += M[symmetric_block(N, std::min(i, j), std::max(i, j))];
        weights.add(vectors[i], sum);
        if (i % stride == 0) mass += sum;
      }
    }
  }
  return weights;
}

void compile_load(System& system, const Gravity& load, const std::string&, const Where&) {
  double mass = 0;
  const Weights weights = mass_weights(system, mass);
  if (mass == 0) system.warnings.emplace_back("gravity acts, but no material has a density: the load is zero");
  add_force(system, weights.form(), load.acceleration, true);
}

// The body alone, of density 1: its mass is its volume.
void compile_load(System& system, const BodyForce& load, const std::string&, const Where&) {
  const auto b = system.model.bodies.position(load.body);
  Model alone;
  alone.preset = system.model.preset;
  alone.materials = system.model.materials;
  for (auto& [name, material] : alone.materials.items) std::visit([](auto& m) { m.density = 1; }, material);
  alone.sections = system.model.sections;
  for (auto& [name, section] : alone.sections.items)
    if (Bar* bar = std::get_if<Bar>(&section)) bar->mass = 0;
  AnyBody body = system.model.bodies.items[b].second;
  if (RigidBody* rigid = std::get_if<RigidBody>(&body)) {
    rigid->density = 1;
    rigid->velocity = rigid->angular_velocity = {};
  }
  alone.bodies.add(load.body, body);
  double volume = 0;
  Form at = mass_weights(compile(alone), volume).form();
  for (int& vector : at.vectors) vector += system.bodies[b].first_vector;
  add_force(system, at, load.force);
}

void compile_load(System& system, const Temperature& load, const std::string&, const Where&) {
  compile_temperature(system, load);
}

const std::vector<Side>& find_sides(const BodyInfo& body, const At& at, const char* what) {
  const std::vector<Side>* sides = body.mesh.sides.find(at.name);
  if (at.name.empty()) {
    std::string list;
    for (const std::string& name : body.mesh.sides.names()) list += (list.empty() ? "" : ", ") + at.body + "." + name;
    throw InputError(at.where, "'" + at.text() + "' is " + (at.has_place() ? "a place of the body" : "the whole body") +
                                   ", but this acts on " + article(what) + " of it; name one: " + list);
  }
  if (!sides)
    throw InputError(at.where, "body '" + at.body + "' has no " + what + " '" + at.name + "'" +
                                   suggestion(at.name, body.mesh.sides.names()));
  if (sides->empty())
    throw InputError(at.where, "no side of an element meets the conditions of '" + at.text() +
                                   "', so nothing would be loaded; widen 'box' or 'within', or check 'nodes'");
  return *sides;
}

// Along an edge: on a line element its axis, on a side of a shell or hexa the line zeta = 0 in that side.
void compile_load(System& system, const LineLoad& load, const std::string&, const Where&) {
  const BodyInfo& body = system.bodies[static_cast<std::size_t>(body_index(system.model, load.on))];
  if (!is_flexible(body.kind))
    throw InputError(load.on.where, std::string("a line load acts on flexible bodies, not on a ") +
                                        element_info(body.kind).name + "; use forces");
  if (body.kind->cell == Cell::tetrahedron)
    throw InputError(load.on.where, std::string("a line load needs edges along the sides of bricks, and a ") +
                                        body.kind->name + " has none; use a traction");
  const int N = vector_count(body.kind);
  std::vector<Side> edges;
  if (element_info(body.kind).dimension == 1) {
    if (!load.on.name.empty())
      throw InputError(load.on.where,
                       "a line load on a cable or beam acts along its axis: write 'on: " + load.on.body + "'");
    for (int e = 0; e < body.elements(); ++e) edges.push_back({e, 1, 0});
  } else {
    edges = find_sides(body, load.on, "edge");
    if (!edges.empty() && edges.front().axis == 2)
      throw InputError(load.on.where, "'" + load.on.text() + "' is a surface, but a line load acts on an edge");
  }
  Weights weights(system.vectors());
  const GaussRule rule = gauss_rule(6);
  std::vector<double> S(N), dS(3 * N);
  for (const Side& edge : edges) {
    const int along = edge.axis == 0 ? 1 : 0;
    const Vec3<double> half = body.half_size(edge.element);
    const auto vector = [&](int i) { return body.element_vector(edge.element, i); };
    for (std::size_t p = 0; p < rule.x.size(); ++p) {
      double xi[3] = {0, 0, 0};
      xi[edge.axis] = edge.at;
      xi[along] = rule.x[p];
      shape_functions(body.kind, xi, S.data());
      shape_derivatives(body.kind, xi, dS.data());
      Vec3<double> tangent{};
      for (int i = 0; i < N; ++i)
        for (int m = 0; m < 3; ++m)
          tangent[m] += vector_scale(body.kind, half.a, i) * dS[3 * i + along] * system.q0[3ul * vector(i) + m];
      const double length = rule.w[p] * std::sqrt(dot(tangent, tangent));
      for (int i = 0; i < N; ++i) {
        const double weight = length * vector_scale(body.kind, half.a, i) * S[i];
        if (weight != 0) weights.add(vector(i), weight);
      }
    }
  }
  add_force(system, weights.form(), load.force);
}

// Gauss points of one side of an element: function(weight of the rule, FaceWeights there).
template <class Function>
void over_side(const System& system, int body, const Side& side, Function&& function) {
  const GaussRule rule = gauss_rule(side_points);
  for (int p = 0; p < side_points; ++p)
    for (int q = 0; q < side_points; ++q)
      function(rule.w[p] * rule.w[q], face_weights(system, face_of(body, side), {rule.x[p], rule.x[q]}));
}

int loaded_body(const System& system, const At& on, const char* what) {
  const int b = body_index(system.model, on);
  const ElementKind kind = system.bodies[static_cast<std::size_t>(b)].kind;
  if (!is_flexible(kind))
    throw InputError(on.where, std::string("a ") + what + " acts on flexible bodies, not on a " +
                                   element_info(kind).name + "; use forces");
  if (kind->dimension == 1 && kind->volume) {
    const auto& body = std::get<Body>(system.model.bodies.items[static_cast<std::size_t>(b)].second);
    if (!fills_its_box(*system.model.sections.find(body.section)))
      throw InputError(on.where, std::string("a ") + what +
                                     " on the sides of a beam needs a rectangle or a box about "
                                     "its centroid, and section '" +
                                     body.section + "' is another one; use a line_load along the beam, and moments");
  }
  return b;
}

void compile_load(System& system, const Traction& load, const std::string&, const Where&) {
  const int b = loaded_body(system, load.on, "traction");
  Weights weights(system.vectors());
  for (const Side& side : find_sides(system.bodies[static_cast<std::size_t>(b)], load.on, "surface"))
    over_side(system, b, side, [&](double weight, const FaceWeights& at) {
      Vec3<double> slope[2]{};
      for (int i = 0; i < at.count; ++i)
        for (int d = 0; d < 2; ++d)
          for (int m = 0; m < 3; ++m) slope[d][m] += at.slopes[d][i] * system.q0[3ul * at.vectors[i] + m];
      const double area = weight * norm(cross(slope[0], slope[1]));
      for (int i = 0; i < at.count; ++i)
        if (at.weights[i] != 0) weights.add(at.vectors[i], area * at.weights[i]);
    });
  add_force(system, weights.form(), load.force);
}

void compile_load(System& system, const Pressure& load, const std::string&, const Where&) {
  const int b = loaded_body(system, load.on, "pressure");
  PressureSides& sides = system.pressure_sides;
  for (const Side& side : find_sides(system.bodies[static_cast<std::size_t>(b)], load.on, "surface")) {
    const std::size_t first = sides.vector.size();
    over_side(system, b, side, [&](double weight, const FaceWeights& at) {
      if (sides.vector.size() == first) sides.vector.insert(sides.vector.end(), at.vectors, at.vectors + at.count);
      sides.S.insert(sides.S.end(), at.weights, at.weights + at.count);
      sides.slope_a.insert(sides.slope_a.end(), at.slopes[0], at.slopes[0] + at.count);
      sides.slope_b.insert(sides.slope_b.end(), at.slopes[1], at.slopes[1] + at.count);
      sides.weight.push_back(at.sign * weight);
    });
    sides.vector_start.push_back(static_cast<std::int32_t>(sides.vector.size()));
    sides.load.push_back(static_cast<std::int32_t>(sides.pressure.size()));
  }
  sides.pressure.push_back(load.pressure);
}

}  // namespace

void compile_loads(System& system) {
  for (std::size_t i = 0; i < system.model.loads.size(); ++i) {
    const std::string& name = system.model.loads.items[i].first;
    std::visit([&](const auto& load) { compile_load(system, load, name, system.model.loads.where[i]); },
               system.model.loads.items[i].second);
  }
}

Table::Row load_row_inside(const System& system, double t, double h) {
  Table::Row next;
  const auto ask = [&](const Signal& signal) {
    if (!signal.table()) return;
    const Table::Row row = signal.table()->row_inside(t, h);
    if (row.time < next.time || (row.time == next.time && row.jump)) next = row;
  };
  for (const Signals& force : system.forces.components)
    for (const Signal& signal : force) ask(signal);
  for (const Signals& moment : system.moments.moment)
    for (const Signal& signal : moment) ask(signal);
  for (const Signal& pressure : system.pressure_sides.pressure) ask(pressure);
  for (const CompiledTemperature& temperature : system.temperatures)
    for (const Signal& signal : temperature.signal) ask(signal);
  for (const Signal& actuator : system.springs.actuator) ask(actuator);
  return next;
}

double gravity_potential(const System& system, const State& state) {
  double potential = 0;
  const Forms& at = system.forces.at;
  for (int f = 0; f < system.forces.count(); ++f) {
    if (!system.forces.gravity[f]) continue;
    const Vec3<double> g = value_at(system.forces.components[f], state);
    for (int k = at.start[f]; k < at.start[f + 1]; ++k)
      for (int m = 0; m < 3; ++m) potential -= at.weight[k] * g[m] * state.q[3ul * at.vector[k] + m];
  }
  return potential;
}

double value_at(const Signal& signal, const State& state) {
  return signal.is_constant() ? state.load_factor * signal.constant() : signal(state.t);
}
Vec3<double> value_at(const Signals& signals, const State& state) {
  return {{value_at(signals[0], state), value_at(signals[1], state), value_at(signals[2], state)}};
}

void add_point_forces(const PointForces& forces, const State& state, Team& team, std::vector<double>& external) {
  constexpr int at_once = 8192;
  const Forms& at = forces.at;
  for (int f = 0; f < forces.count(); ++f) {
    const Vec3<double> value = value_at(forces.components[f], state);
    const int first = at.start[f], last = at.start[f + 1];
    team.run((last - first + at_once - 1) / at_once, [&](int part, int) {  // its vectors differ
      for (int k = first + part * at_once; k < std::min(last, first + (part + 1) * at_once); ++k)
        for (int m = 0; m < 3; ++m) external[3ul * at.vector[k] + m] += at.weight[k] * value[m];
    });
  }
}

}  // namespace lithe
