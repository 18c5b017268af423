// Static runs for tests: a cantilever, and a solution with what the observer saw.
#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/statics.h"
#include "support/checked_place.h"
#include "support/models.h"

namespace lithe::test {

// A straight beam of square section t along x, clamped at its start.
inline Model cantilever(int elements, double t, double length = 1, double E = 2e11) {
  Model model;
  model.materials.add("steel", Isotropic{E, 0, 7800, 0});
  model.sections.add("square", Rectangle{t, t, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "steel";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, elements, {}};
  model.bodies.add("beam", body);
  model.constraints.add("root", Clamp{at("beam", "start")});
  return model;
}
inline double bending_stiffness(double t, double E = 2e11) { return E * t * t * t * t / 12; }

struct Solved {
  System system;
  State state;
  Workspace work;
  StaticReport report;
  std::vector<StaticStep> steps;
  std::vector<State> states;

  explicit Solved(const Model& model, const StaticAnalysis& options = {}, int threads = 1)
      : system(compile(model)), state(system.initial_state()), work(system, threads) {
    choose_place(work);
    report = solve_static(system, options, state, work, [&](const State& s, const StaticStep& step) {
      steps.push_back(step);
      states.push_back(s);
      return true;
    });
  }
  Vec3<double> position(const At& place) const {
    const PointWeights point = system.resolve_point(place);
    Vec3<double> r{};
    for (std::size_t k = 0; k < point.vectors.size(); ++k)
      for (int m = 0; m < 3; ++m) r[m] += point.weights[k] * state.q[3ul * point.vectors[k] + m];
    return r;
  }
  Triple displacement(const At& place, const State& at_state) const {
    const PointWeights point = system.resolve_point(place);
    Triple u{0, 0, 0};
    for (std::size_t k = 0; k < point.vectors.size(); ++k)
      for (int c = 0; c < 3; ++c) {
        const int i = 3 * point.vectors[k] + c;
        u[c] += point.weights[k] * (at_state.q[i] - system.q0[i]);
      }
    return u;
  }
  Triple displacement(const At& place) const { return displacement(place, state); }
  // Force that a constraint exerts on positions.
  Triple reaction(int constraint) const {
    Triple sum{0, 0, 0};
    for (int v : system.constraint_vectors[constraint])
      for (const auto& body : system.bodies)
        if ((v - body.first_vector) % body.node_vectors == 0)
          for (int c = 0; c < 3; ++c) sum[c] += work.internal[3 * v + c] - work.external[3 * v + c];
    return sum;
  }
};

}  // namespace lithe::test
