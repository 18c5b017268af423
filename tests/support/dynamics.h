// Motions for tests: small mechanisms and soft structures, runs that keep what they pass through, exact equations of
// motion in least coordinates with a Runge-Kutta integration, and observed orders.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "lithe/dynamics/simulation.h"
#include "support/checked_place.h"
#include "support/models.h"

namespace lithe::test {

// ---- runs ----

inline DynamicAnalysis steps(double step, double duration) {
  DynamicAnalysis d;
  d.step = step;
  d.duration = duration;
  d.threads = 1;
  return d;
}

// One run with what the observer saw.
struct Trajectory {
  System system;
  Workspace work;
  State state;
  DynamicReport report;
  std::vector<State> states;       // at outputs, the start first
  std::vector<DynamicStep> steps;  // accepted ones

  Trajectory(const Model& model, const DynamicAnalysis& options, int threads = 1)
      : system(compile(model)), work(system, threads), state(system.initial_state()) {
    choose_place(work);
    report = simulate(system, options, state, work, [&](const State& s, const DynamicStep& step) {
      if (!step.between) steps.push_back(step);
      if (step.output) states.push_back(s);
      return true;
    });
  }
};

// Tight tolerances: what remains is the error of the scheme.
inline DynamicAnalysis tight(Integrator integrator, double step, double duration) {
  DynamicAnalysis d;
  d.integrator = integrator;
  d.step = step;
  d.duration = duration;
  d.tolerance = 1e-11;
  d.residual_tolerance = 1e-8;
  d.iterations = 30;
  d.threads = 1;
  return d;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// ---- observed orders ----

struct MotionError {
  double q = 0, v = 0;
};

// Slope of log(error) over log(h) by least squares; errors[k] at step h / 2^k.
inline MotionError observed_order(const std::vector<MotionError>& errors) {
  const auto slope = [&](double MotionError::*what) {
    const double n = static_cast<double>(errors.size());
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const double x = -static_cast<double>(k), y = std::log2(errors[k].*what);
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  };
  return {slope(&MotionError::q), slope(&MotionError::v)};
}

// ---- mechanisms ----

inline Gravity gravity_y(double g = 9.81) { return {constant(0, -g, 0)}; }

// A chain of n thin bars of 1 m and 1 kg from the origin along x, in the xy plane, falling.
inline Model chain(int n, Treatment treatment) {
  Model model;
  Linkage linkage;
  for (int i = 0; i <= n; ++i) linkage.points.push_back({static_cast<double>(i), 0, 0});
  for (int i = 0; i < n; ++i) linkage.bars.push_back({i, i + 1});
  linkage.bar_mass = 1;
  linkage.plane = Triple{0, 0, 1};
  linkage.ground = {0};
  model.bodies.add("chain", linkage);
  model.loads.add("gravity", gravity_y());
  model.treatment = treatment;
  return model;
}

// P4's four-bar linkages: n + 1 upright cranks on the ground joined by n couplers, all 1 m and 1 kg, with the points
// at the top starting at 1 m/s along x. It passes through a singular position whenever all bars lie on one line.
inline Model four_bars(int n, Treatment treatment) {
  Model model;
  Linkage linkage;
  for (const double y : {0.0, 1.0})
    for (int i = 0; i <= n; ++i) linkage.points.push_back({static_cast<double>(i), y, 0});
  for (int i = 0; i <= n; ++i) {
    linkage.ground.push_back(i);
    linkage.bars.push_back({i, n + 1 + i});
  }
  for (int i = 0; i < n; ++i) linkage.bars.push_back({n + 1 + i, n + 2 + i});
  linkage.bar_mass = 1;
  linkage.plane = Triple{0, 0, 1};
  model.bodies.add("bars", linkage);
  for (int i = 0; i <= n; ++i) {
    InitialVelocity v;
    v.on = at_node("bars", n + 1 + i);
    v.velocity = {SpaceFunction(1), SpaceFunction(0), SpaceFunction(0)};
    model.initial_velocities.add("v" + std::to_string(i), v);
  }
  model.loads.add("gravity", gravity_y());
  model.treatment = treatment;
  return model;
}

// A soft strip of any flexible kind along x, pinned at its first node, falling along -z; damped.
inline Model pendulum(ElementKind kind, int elements, double damping = 0.01) {
  Model model;
  model.materials.add("rubber", Isotropic{1e6, 0.3, 1000, damping});
  Body body;
  body.element = kind;
  body.material = "rubber";
  body.section = "section";
  if (kind == ElementKind::cable) {
    model.sections.add("section", Circle{0.01});
    body.mesh = LineMesh{{0, 0, 0}, {0.5, 0, 0}, elements, {}};
  } else if (kind == ElementKind::beam3243) {
    model.sections.add("section", Rectangle{0.02, 0.02, {}});
    body.mesh = LineMesh{{0, 0, 0}, {0.5, 0, 0}, elements, {}};
  } else if (kind == ElementKind::shell3443) {
    model.sections.add("section", Plate{0.02});
    body.mesh = PlateMesh{{0, 0, 0}, {0.5, 0, 0}, {0, 0.1, 0}, {elements, 1}};
  } else {
    body.element = ElementKind::hexa3843;
    body.section.clear();
    body.mesh = BlockMesh{{0, 0, 0}, {0.5, 0, 0}, {0, 0.1, 0}, {0, 0, 0.05}, {elements, 1, 1}};
  }
  model.bodies.add("strip", body);
  model.constraints.add("pin", Fix{at_node("strip", 0), {Coordinate::position}, {}});
  model.loads.add("gravity", Gravity{});
  return model;
}

// Potential of the bars of body 0 in gravity g along -y.
inline double height_energy(const System& system, const State& state, double g = 9.81) {
  const auto& linkage = std::get<Linkage>(system.model.bodies.items[0].second);
  double sum = 0;
  for (const auto& [i, j] : linkage.bars)
    sum += linkage.bar_mass * g * 0.5 * (state.q[3ul * i + 1] + state.q[3ul * j + 1]);
  return sum;
}

// ---- exact motions in least coordinates ----

// y' = f(t, y) with the classical Runge-Kutta method.
using Rates = std::function<std::vector<double>(double, const std::vector<double>&)>;

inline std::vector<double> runge_kutta(const Rates& f, double t, std::vector<double> y, double duration, int steps) {
  const double h = duration / steps;
  const auto along = [&](const std::vector<double>& k, double share) {
    std::vector<double> x = y;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * h * k[i];
    return x;
  };
  for (int n = 0; n < steps; ++n, t += h) {
    const auto k1 = f(t, y), k2 = f(t + h / 2, along(k1, 0.5)), k3 = f(t + h / 2, along(k2, 0.5)),
               k4 = f(t + h, along(k3, 1));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

// Angles of the bars of chain(1) and chain(2) from the x axis. With c, s = cos, sin of theta_1 - theta_2:
//   L / (m l^2) = (4/3 w_1^2 + c w_1 w_2 + 1/3 w_2^2) / 2 - (g/l) (3/2 sin theta_1 + 1/2 sin theta_2)
inline std::vector<double> chain_rates(const std::vector<double>& y, double g = 9.81) {
  if (y.size() == 2) return {y[1], -1.5 * g * std::cos(y[0])};
  const double c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
  const double b1 = -0.5 * s * y[3] * y[3] - 1.5 * g * std::cos(y[0]),
               b2 = 0.5 * s * y[2] * y[2] - 0.5 * g * std::cos(y[1]);
  const double m11 = 4.0 / 3, m12 = 0.5 * c, m22 = 1.0 / 3, det = m11 * m22 - m12 * m12;
  return {y[2], y[3], (m22 * b1 - m12 * b2) / det, (m11 * b2 - m12 * b1) / det};
}

// Coordinates and rates of the points of chain(n) from angles and their rates.
inline State chain_state(const std::vector<double>& y) {
  const std::size_t n = y.size() / 2;
  State state;
  state.q.assign(3 * (n + 1), 0.0);
  state.v = state.q;
  for (std::size_t i = 0; i < n; ++i) {
    const double c = std::cos(y[i]), s = std::sin(y[i]), w = y[n + i];
    state.q[3 * (i + 1)] = state.q[3 * i] + c;
    state.q[3 * (i + 1) + 1] = state.q[3 * i + 1] + s;
    state.v[3 * (i + 1)] = state.v[3 * i] - w * s;
    state.v[3 * (i + 1) + 1] = state.v[3 * i + 1] + w * c;
  }
  return state;
}

// The motion of chain(n), n = 1 or 2, at multiples 0, 1, ... of `interval`.
inline std::vector<State> exact_chain(int n, double interval, int count) {
  std::vector<double> y(2ul * n, 0.0);
  std::vector<State> states{chain_state(y)};
  for (int k = 1; k <= count; ++k) {
    y = runge_kutta([](double, const std::vector<double>& x) { return chain_rates(x); }, 0, y, interval,
                    std::max(50, static_cast<int>(interval / 2e-4)));
    states.push_back(chain_state(y));
  }
  return states;
}

}  // namespace lithe::test
