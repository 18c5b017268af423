#include "lithe/dynamics/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/dynamics/statics.h"
#include "lithe/linalg/eigenpairs.h"
#include "lithe/system/mass.h"

namespace lithe {

namespace {

constexpr double diagonal_rounding = 1e-14;  // of the largest K_ii / M_ii

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Velocities of a rigid motion of everything, over all coordinates.
std::vector<double> rigid_motion(const System& system, const State& state, int which) {
  std::vector<double> v(state.q.size(), 0.0);
  std::vector<char> is_position(static_cast<std::size_t>(system.vectors()), 0);
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n) is_position[body.vector(n, 0)] = 1;
  const int axis = which % 3;
  for (int k = 0; k < system.vectors(); ++k) {
    if (which < 3) {
      if (is_position[k]) v[3ul * k + axis] = 1;
      continue;
    }
    const double* x = &state.q[3ul * k];
    v[3ul * k + (axis + 1) % 3] = -x[(axis + 2) % 3];
    v[3ul * k + (axis + 2) % 3] = x[(axis + 1) % 3];
  }
  return v;
}

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

double signed_frequency(double eigenvalue) {
  return std::copysign(std::sqrt(std::abs(eigenvalue)) / (2 * std::numbers::pi), eigenvalue);
}

// The pairs nearest in omega^2 are all there are up to the distance D of the farthest. Of frequencies that is less: up
// to omega + r with (omega + r)^2 = omega^2 + D. More pairs, until enough are within r.
ProvedPairs nearest_in_frequency(BorderedPencil& pencil, double hertz, int count, int most) {
  const double value = std::pow(2 * std::numbers::pi * hertz, 2);
  for (int wanted = count;; wanted = std::min(2 * wanted, most)) {
    const ProvedPairs pairs = eigenpairs_near(pencil, value, wanted);
    double farthest = 0;
    std::vector<std::size_t> order(pairs.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      order[k] = k;
      farthest = std::max(farthest, std::abs(pairs.values[k] - value));
    }
    const auto off = [&](std::size_t k) { return std::abs(signed_frequency(pairs.values[k]) - hertz); };
    std::ranges::stable_sort(order, {}, off);
    const auto enough = static_cast<std::size_t>(count);
    const bool all = wanted == most || pairs.size() < static_cast<std::size_t>(wanted);
    if (!all && off(order[enough - 1]) > signed_frequency(value + farthest) - hertz) continue;
    order.resize(std::min(enough, order.size()));
    std::ranges::sort(order);
    ProvedPairs nearest = pairs;
    nearest.values.clear();
    nearest.vectors.clear();
    nearest.residuals.clear();
    for (const std::size_t k : order) {
      nearest.values.push_back(pairs.values[k]);
      nearest.vectors.push_back(pairs.vectors[k]);
      nearest.residuals.push_back(pairs.residuals[k]);
    }
    return nearest;
  }
}

}  // namespace

Stages modes_stages(const Model& model, const ModesRequest& request, bool at_equilibrium) {
  std::vector<Analysis> list;
  for (const Analysis& stage : model.analysis) {
    if (!at_equilibrium || !std::holds_alternative<StaticAnalysis>(stage)) break;
    list.push_back(stage);
  }
  if (at_equilibrium && list.empty()) list.push_back(StaticAnalysis{});
  ModesAnalysis modes;
  modes.count = request.count;
  modes.near = request.near;
  list.push_back(modes);
  return Stages(std::move(list));
}

State state_at_rest(const System& system) {
  State state = system.initial_state();
  state.load_factor = 0;
  bring_to_rest(system, state);
  std::ranges::fill(state.lambda, 0.0);
  return state;
}

void bring_to_rest(const System& system, State& state) {
  std::ranges::fill(state.v, 0.0);
  for (const MappedBody& body : system.map.bodies)
    if (const auto* map = dynamic_cast<const TurningMap*>(body.map.get()); map && map->keeps_rates())
      std::fill_n(map->rates(state.slots), map->size(), 0.0);
}

State state_at_equilibrium(const System& system, Workspace& work) {
  State state = system.initial_state();
  bool first = true;
  for (const Analysis& stage : system.model.analysis) {
    const auto* statics = std::get_if<StaticAnalysis>(&stage);
    if (!statics) break;
    const StaticReport report = solve_static(
        system, *statics, state, work, [](const State&, const StaticStep&) { return true; }, !first);
    if (!report.ok()) throw RunError("there is no equilibrium: " + report.message);
    first = false;
  }
  bring_to_rest(system, state);
  return state;
}

Modes find_modes(const System& system, const State& state, Workspace& work, const ModesRequest& request) {
  const double start = now();
  if (system.map.size == 0)
    throw InputError("modes: nothing can move, every coordinate is held or prescribed; leave a constraint away");
  if (request.count < 1) throw InputError("modes: count is " + std::to_string(request.count) + "; ask for at least 1");
  ModalMatrices matrices = modal_matrices(system, state, work);
  Modes found;
  found.seconds_matrices = now() - start;
  found.unknowns = system.map.size;
  found.rows = system.row_count();
  if (matrices.skew > 1e-9)
    found.note = fmt::format(
        "the stiffness is not symmetric (by {:.2g} of its largest entry: loads that follow the motion); the modes are "
        "those of its symmetric part",
        matrices.skew);
  if (!std::ranges::any_of(matrices.M, [](double x) { return x != 0; }))
    throw InputError("modes: nothing that moves has a mass; give its materials a density");
  for (int j = 0; j < matrices.pattern.size; ++j) {
    const int p = position(matrices.pattern, j, j);
    if (p >= 0 && matrices.M[p] > 0)
      found.rounding = std::max(found.rounding, diagonal_rounding * std::abs(matrices.K[p]) / matrices.M[p]);
  }
  const int held = matrices.rows.rows;
  BorderedPencil pencil(std::move(matrices.pattern), std::move(matrices.K), std::move(matrices.M),
                        std::move(matrices.rows), std::move(matrices.G));
  const int most = most_eigenpairs(pencil);
  const auto too_many = [&](int there) {
    throw InputError(fmt::format(
        "modes: count is {}, but the model has {} mode{}: {} unknown{}, less {} row{} of constraints and what has no "
        "mass; ask for at most {}",
        request.count, there, there == 1 ? "" : "s", found.unknowns, found.unknowns == 1 ? "" : "s", held,
        held == 1 ? "" : "s", there));
  };
  if (most == 0) throw InputError("modes: nothing that has a mass can move; leave a constraint away");
  if (request.count > most) too_many(most);
  ProvedPairs pairs;
  if (request.near) pairs = nearest_in_frequency(pencil, *request.near, request.count, most);
  else pairs = lowest_eigenpairs(pencil, request.count);
  if (pairs.size() == 0) throw InputError("modes: nothing that has a mass can move; leave a constraint away");
  if (static_cast<int>(pairs.size()) < request.count) too_many(static_cast<int>(pairs.size()));

  found.low = pairs.low;
  found.high = pairs.high;
  found.counted = pairs.counted;
  found.dense = pairs.dense;
  found.missed = pairs.more;
  found.factorisations = pencil.factorisations();
  found.solves = pencil.solves();
  found.solver = pairs.dense ? "LAPACK, all modes of a small model" : pencil.solver();
  const MassMatrix mass(system);
  std::array<std::vector<double>, 6> weighted;
  for (int r = 0; r < 6; ++r) {
    const std::vector<double> motion = rigid_motion(system, state, r);
    weighted[r].resize(motion.size());
    mass.multiply(motion, weighted[r]);
    found.total_mass[r] = dot(motion, weighted[r]);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    Mode mode;
    mode.eigenvalue = pairs.values[k];
    mode.frequency = signed_frequency(mode.eigenvalue);
    mode.residual = pairs.residuals[k];
    mode.shape.assign(state.q.size(), 0.0);
    system.map.prolong(state.slots, pairs.vectors[k], 1, mode.shape);
    // The largest entry positive: the same sign on every machine.
    const auto largest =
        std::ranges::max_element(mode.shape, [](double a, double b) { return std::abs(a) < (1 - 1e-6) * std::abs(b); });
    if (*largest < 0)
      for (double& x : mode.shape) x = -x;
    for (int r = 0; r < 6; ++r) {
      mode.participation[r] = dot(mode.shape, weighted[r]);
      mode.effective_mass[r] = mode.participation[r] * mode.participation[r];
    }
    found.modes.push_back(std::move(mode));
  }
  found.seconds_total = now() - start;
  return found;
}

ProvedPairs lowest_modes(SparsePattern pattern, std::vector<double> K, std::vector<double> M, int count) {
  BorderedPencil pencil(std::move(pattern), std::move(K), std::move(M));
  const int most = most_eigenpairs(pencil);
  if (count < 1 || count > most) throw InputError(fmt::format("modes: count is {}, but there are {}", count, most));
  return lowest_eigenpairs(pencil, count);
}

}  // namespace lithe
