#include "lithe/dynamics/buckling.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/eigenpairs.h"

namespace lithe {

namespace {

// Largest change of a coordinate on either side of the state, over the size of the model: K is at most a little more
// than quadratic in the coordinates, so that the central difference has no error but rounding.
constexpr double difference = 1e-5;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Internal minus applied forces over the unknowns.
std::vector<double> imbalance(const System& system, const State& state, Workspace& work) {
  evaluate_internal(system, state, work);
  evaluate_external(system, state, work);
  std::vector<double> full(state.q.size()), reduced;
  for (std::size_t i = 0; i < full.size(); ++i) full[i] = work.internal[i] - work.external[i];
  system.map.restrict(state.slots, full, reduced);
  return reduced;
}

struct Path {
  std::vector<double> q, lambda;  // per unit of the load factor
  double size = 0;                // largest change over the size of the model
};

Path path_of_equilibria(const System& system, const State& state, Workspace& work, const std::vector<int>& kept,
                        BorderedPencil& pencil) {
  State more = state, less = state;
  more.load_factor += 0.5;
  less.load_factor -= 0.5;
  std::vector<double> f = imbalance(system, more, work);
  const std::vector<double> g = imbalance(system, less, work);
  double load = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    f[i] = g[i] - f[i];
    load = std::max(load, std::abs(f[i]));
  }
  Path path;
  path.lambda.assign(system.rows.size(), 0.0);
  path.q.assign(state.q.size(), 0.0);
  if (!(load > 0)) return path;  // no motion; heat may press all the same on what is held
  std::vector<double> x, y;
  if (pencil.factor(1, 0, true) < 0 || !pencil.solve(f, x, 1, &y))
    throw RunError("buckling: the stiffness of the state is singular: something can move freely; hold it");
  for (std::size_t k = 0; k < kept.size(); ++k) path.lambda[kept[k]] = y[k];
  system.map.prolong(state.slots, x, 1, path.q);
  for (const double dq : path.q) path.size = std::max(path.size, std::abs(dq));
  path.size /= std::max(1e-300, system.length_scale);
  return path;
}

}  // namespace

Buckling find_buckling(const System& system, const State& state, Workspace& work, int count) {
  const double start = now();
  if (system.map.size == 0)
    throw InputError("buckling: nothing can move, every coordinate is held or prescribed; leave a constraint away");
  if (count < 1) throw InputError("buckling: count is " + std::to_string(count) + "; ask for at least 1");
  Buckling found;
  found.from = state.load_factor;
  found.unknowns = system.map.size;
  found.rows = system.row_count();
  const ModalMatrices matrices = modal_matrices(system, state, work);
  if (matrices.skew > 1e-9)
    found.note =
        "the stiffness is not symmetric (loads that follow the motion); the factors are those of its symmetric "
        "part";
  Path path;
  {
    BorderedPencil pencil(matrices.pattern, matrices.K, matrices.M, matrices.rows, matrices.G);
    path = path_of_equilibria(system, state, work, matrices.kept, pencil);
  }
  const double step = path.size > 0 ? difference / path.size : 0.5;  // loads act linearly in their factor
  const auto along = [&](double s) {
    State there = state;
    there.load_factor += s;
    for (std::size_t i = 0; i < there.q.size(); ++i) there.q[i] += s * path.q[i];
    system.map.update(there.q, there.slots);
    for (std::size_t r = 0; r < there.lambda.size(); ++r) there.lambda[r] += s * path.lambda[r];
    return stiffness(system, there, work, matrices);
  };
  std::vector<double> rate = along(step);
  const std::vector<double> behind = along(-step);
  double change = 0, size = 0;
  for (std::size_t p = 0; p < rate.size(); ++p) {
    change = std::max(change, std::abs(rate[p] - behind[p]));
    size = std::max(size, std::abs(rate[p]));
    rate[p] = (rate[p] - behind[p]) / (2 * step);
  }
  if (!(path.size > 0) && !(change > 1e-13 * size))
    throw InputError(
        "buckling: no constant load acts on what can move or presses on what is held, so there is nothing to multiply; "
        "add loads (tables and expressions are not multiplied)");
  found.seconds_matrices = now() - start;
  BorderedPencil pencil(matrices.pattern, matrices.K, std::move(rate), matrices.rows, matrices.G);
  if (const int most = pencil.size() - pencil.rows(); count > most)
    throw InputError(
        fmt::format("buckling: count is {}, but only {} motions are free; ask for at most {}", count, most, most));
  ProvedPairs pairs;
  try {
    pairs = critical_eigenpairs(pencil, count);
  } catch (const RunError& error) {
    throw RunError(fmt::format("buckling at load factor {:g}: {}", found.from, error.what()));
  }
  if (pairs.size() == 0)
    throw RunError("buckling: no factor of these loads makes the model buckle; they may have to act the other way");
  if (static_cast<int>(pairs.size()) < count)
    found.note += fmt::format("{}the loads have {} critical factor{}, {} were asked for",
                              found.note.empty() ? "" : "; ", pairs.size(), pairs.size() == 1 ? "" : "s", count);
  found.counted = pairs.counted;
  found.high = found.from + pairs.high;
  found.dense = pairs.dense;
  found.factorisations = pencil.factorisations();
  found.solves = pencil.solves();
  found.solver = pairs.dense ? "LAPACK, all factors of a small model" : pencil.solver();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    BucklingMode mode;
    mode.factor = found.from + pairs.values[k];
    mode.residual = pairs.residuals[k];
    mode.shape.assign(state.q.size(), 0.0);
    system.map.prolong(state.slots, pairs.vectors[k], 1, mode.shape);
    double largest = 0;
    for (const double x : mode.shape)
      if (std::abs(x) > (1 + 1e-6) * std::abs(largest)) largest = x;
    for (double& x : mode.shape) x /= largest;
    found.modes.push_back(std::move(mode));
  }
  found.seconds_total = now() - start;
  return found;
}

}  // namespace lithe
