// A velocity field v(x) given in the reference configuration moves the node at x with v(x) and its gradient g = r_x,
// r_y or r_z with dg/dt = (dv/dx) g: the rate of a material line element. So a field that is linear over an element is
// met in all of its points, and a rigid rotation is one whether it is given as `angular_velocity` or as expressions.
#include "lithe/system/start_velocities.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/elimination.h"

namespace lithe {

namespace {

// `what`: of which text, and what it is at the node's place r.
[[noreturn]] void refuse(const InitialVelocity& given, const std::string& name, const Vec3<double>& r,
                         const std::string& what, const std::string& remedy) {
  throw InputError(given.on.where, fmt::format("initial velocity '{}': {} at ({}, {}, {}){}", name, what,
                                               number_text(r[0]), number_text(r[1]), number_text(r[2]), remedy));
}

}  // namespace

// Velocities add up: a body's own and those of every entry that names its nodes.
void compile_initial_velocities(System& system) {
  const Model& model = system.model;
  const auto add = [&](int vector, const Vec3<double>& v) {
    for (int m = 0; m < 3; ++m) system.v0[3ul * vector + m] += v[m];
  };
  const auto at_start = [&](int vector) {
    return Vec3<double>{
        {system.q_start[3ul * vector], system.q_start[3ul * vector + 1], system.q_start[3ul * vector + 2]}};
  };
  const auto at = [&](int vector) {
    return Vec3<double>{{system.q0[3ul * vector], system.q0[3ul * vector + 1], system.q0[3ul * vector + 2]}};
  };
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyInfo& info = system.bodies[b];
    if (const auto* rigid = std::get_if<RigidBody>(&model.bodies.items[b].second)) {
      add(info.vector(0, 0), vec(rigid->velocity));
      for (int k = 1; k < 4; ++k)
        add(info.vector(0, k), cross(vec(rigid->angular_velocity), at_start(info.vector(0, k))));
    } else if (const auto* point = std::get_if<PointMass>(&model.bodies.items[b].second)) {
      add(info.vector(0, 0), vec(point->velocity));
    }
  }
  for (const auto& item : model.initial_velocities.items) {
    const std::string& name = item.first;
    const InitialVelocity& given = item.second;
    int b = 0;
    std::vector<int> nodes = system.resolve_nodes(given.on, b);
    const BodyInfo& info = system.bodies[b];
    // Nodes joined by constraints move together: a set names one of them.
    std::vector<char> named(info.mesh.node_count(), 0);
    for (int node : nodes) named[node] = 1;
    for (const MeshTie& tie : info.mesh.ties)
      if (named[tie.a] && !named[tie.b]) {
        named[tie.b] = 1;
        nodes.push_back(tie.b);
      }
    const Vec3<double> omega = vec(given.angular_velocity), center = vec(given.center);
    for (int node : nodes) {
      const Vec3<double> r = at(info.vector(node, 0));
      const auto finite = [&](double x, const std::string& what, const std::string& remedy) {
        if (!std::isfinite(x)) refuse(given, name, r, what + " is " + number_text(x), remedy);
        return x;
      };
      const std::string no_rates = "; write it so that it can be differentiated there, or give gradient_rates: zero";
      Vec3<double> v = cross(omega, at_start(info.vector(node, 0)) - center);
      Mat3<double> slope{};  // of the field: dv/dt of a gradient g is slope * g
      for (int m = 0; m < 3; ++m) {
        const SpaceFunction& field = given.velocity[m];
        v[m] += finite(field(r[0], r[1], r[2]), "'" + field.text() + "'", "");
        if (info.node_vectors == 1 || given.gradient_rates == GradientRates::zero) continue;
        const std::array<double, 3> gradient = field.gradient(r[0], r[1], r[2]);
        for (int k = 0; k < 3; ++k)
          slope[m][k] = finite(gradient[k], "the derivative of '" + field.text() + "' along " + "xyz"[k], no_rates);
      }
      add(info.vector(node, 0), v);
      for (int k = 1; k < info.node_vectors; ++k) {
        const int vector = info.vector(node, k);
        add(vector, cross(omega, at_start(vector)) + slope * at(vector));
      }
    }
  }
}

void compare_drives_with_velocities(System& system, const ConstraintEquations& equations) {
  const Stages& stages = system.model.analysis;
  const std::size_t moving = first_dynamic(stages);
  if (moving == stages.size()) return;
  const double begin = begin_of(stages, moving);
  constexpr double small = 1e-6;
  const State start = system.initial_state();
  Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
  for (const auto* rows : {&equations.rows, &equations.eliminated})
    for (const ConstraintRow& row : *rows) {
      if (row.target.is_constant()) continue;
      double given = 0;
      for (int i = 0; i < row.part.count(); ++i) x[i] = row.part.arguments[i].value(system.q_start);
      part_gradient(row.part, x, start.slots.values.data(), gradient);
      for (int i = 0; i < row.part.count(); ++i) given += dot(gradient[i], row.part.arguments[i].rate(system.v0));
      const double wanted = row.target.rate(begin), jump = wanted - given;
      if (!(std::abs(jump) > small * std::max(std::abs(wanted), std::abs(given)))) continue;
      const std::string unit = row.part.kind == Part::Kind::angle || row.part.kind == Part::Kind::dot ? "rad/s" : "m/s";
      system.warnings.push_back(
          InputError(
              where_of(system, row.owner),
              fmt::format("{} starts with a rate of {:.6g} {}, but the initial velocities give {:.6g} {} there: "
                          "the run starts with a jump of {:.6g} {}; give initial velocities that fit, or a motion "
                          "that starts with their rate{}",
                          system.owners[row.owner].text, wanted, unit, given, unit, jump, unit,
                          begin > 0 ? fmt::format(" at t = {:.6g} s, when the first dynamic stage begins (duration: 0 "
                                                  "of a static stage lets the time stand still until then)",
                                                  begin)
                                    : ""))
              .what());
    }
}

}  // namespace lithe
