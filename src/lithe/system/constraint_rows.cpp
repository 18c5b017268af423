// c(q, t), G, their rates and stiffness, over the rows that were not eliminated.
#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/write_positions.h"
#include "lithe/system/pattern.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

void arguments(const ConstraintRow& row, const std::vector<double>& q, Vec3<double>* x) {
  for (int i = 0; i < row.part.count(); ++i) x[i] = row.part.arguments[i].value(q);
}
void argument_rates(const ConstraintRow& row, const std::vector<double>& v, Vec3<double>* u) {
  for (int i = 0; i < row.part.count(); ++i) u[i] = row.part.arguments[i].rate(v);
}

// function(row) for all rows, on the team where they are many; what a row gives is its own.
template <class Function>
void for_rows(const System& system, Team& team, Function&& function) {
  constexpr int at_once = 512;
  const int rows = system.row_count();
  team.run((rows + at_once - 1) / at_once, [&](int part, int) {
    for (int r = part * at_once; r < std::min(rows, (part + 1) * at_once); ++r) function(r);
  });
}

}  // namespace

void evaluate_constraints(const System& system, const State& state, Workspace& work) {
  const ConstraintJacobian& G = system.jacobian;
  work.c.resize(system.rows.size());
  work.G.resize(G.column.size());
  for_rows(system, *work.team, [&](int r) {
    Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
    const ConstraintRow& row = system.rows[r];
    std::fill(work.G.begin() + G.row_start[r], work.G.begin() + G.row_start[r + 1], 0.0);
    arguments(row, state.q, x);
    work.c[r] = part_gradient(row.part, x, state.slots.values, gradient) - row.constant - row.target(state.t);
    for (int t = G.term_start[r]; t < G.term_start[r + 1]; ++t) {
      const auto& term = G.terms[t];
      const VectorUnknowns& u = system.map.unknowns[term.vector];
      Vec3<double> g = term.weight * gradient[term.argument];
      if (u.basis >= 0) g = transpose(system.map.bases[u.basis]) * g;
      for (int c = 0; c < u.count; ++c)
        if (term.entry[c] >= 0) work.G[term.entry[c]] += g[u.component[c]];
    }
  });
}

void constraint_rates(const System& system, const State& state, std::span<double> rates) {
  Vec3<double> x[largest_argument_count], u[largest_argument_count], gradient[largest_argument_count];
  for (int r = 0; r < system.row_count(); ++r) {
    const ConstraintRow& row = system.rows[r];
    arguments(row, state.q, x);
    argument_rates(row, state.v, u);
    part_gradient(row.part, x, state.slots.values, gradient);
    double rate = row.target.is_constant() ? 0 : -row.target.rate(state.t);
    for (int i = 0; i < row.part.count(); ++i) rate += dot(gradient[i], u[i]);
    rates[r] = rate;
  }
}

void constraint_accelerations(const System& system, const State& state, std::span<double> accelerations) {
  Vec3<double> x[largest_argument_count], u[largest_argument_count], gradient[largest_argument_count];
  for (int r = 0; r < system.row_count(); ++r) {
    const ConstraintRow& row = system.rows[r];
    arguments(row, state.q, x);
    part_gradient(row.part, x, state.slots.values, gradient);
    argument_rates(row, state.a, u);
    double second = row.target.is_constant() ? 0 : -row.target.acceleration(state.t);
    for (int i = 0; i < row.part.count(); ++i) second += dot(gradient[i], u[i]);
    argument_rates(row, state.v, u);
    accelerations[r] = second + part_curvature(row.part, x, u);
  }
}

void add_transposed(const System& system, std::span<const double> G, double factor, std::span<const double> x,
                    std::span<double> reduced) {
  const ConstraintJacobian& J = system.jacobian;
  for (int r = 0; r < system.row_count(); ++r)
    for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) reduced[J.column[e]] += factor * x[r] * G[e];
}

void add_row_stiffness(const System& system, const ConstraintRow& row, const State& state, double factor,
                       const TangentSink& sink) {
  if (row.part.is_linear() || factor == 0) return;
  Vec3<double> y[largest_argument_count];
  Mat3<double> hessian[largest_argument_count * largest_argument_count];
  const int n = row.part.count();
  arguments(row, state.q, y);
  part_hessian(row.part, y, hessian);
  // All pairs of (argument, vector), each unordered pair once where the pattern is symmetric.
  struct Item {
    int argument, vector;
    double weight;
  };
  std::array<Item, largest_argument_count * 32> items;  // an element has at most 32 vectors
  std::size_t count = 0;
  for (int i = 0; i < n; ++i)
    for (std::size_t k = 0; k < row.part.arguments[i].vectors.size(); ++k)
      items[count++] = {i, row.part.arguments[i].vectors[k], row.part.arguments[i].weights[k]};
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = system.symmetric ? a : 0; b < count; ++b) {
      Mat3<double> block = hessian[items[a].argument * n + items[b].argument];
      const double weight = factor * items[a].weight * items[b].weight;
      bool zero = true;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          block[i][j] *= weight;
          zero = zero && block[i][j] == 0;
        }
      if (zero) continue;
      // The same vector in two arguments: the pair (a, b) and its mirror image land on one block.
      if (system.symmetric && a != b && items[a].vector == items[b].vector)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j <= i; ++j) block[i][j] = block[j][i] = block[i][j] + block[j][i];
      sink.add(items[a].vector, items[b].vector, block);
    }
}

void set_borders(const System& system, const Workspace& work, double factor, std::vector<double>& values) {
  const ConstraintJacobian& G = system.jacobian;
  for (const auto* positions : {&G.upper, &G.lower}) {
    if (positions->empty()) continue;
    EntryWriter write(*positions, values);
    for (int r = 0; r < system.row_count(); ++r)
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) write(r, G.column[e], factor * work.G[e]);
  }
}

void add_row_forces(const System& system, const State& state, std::span<const double> x, std::span<double> force) {
  Vec3<double> y[largest_argument_count], gradient[largest_argument_count];
  for (int r = 0; r < system.row_count(); ++r) {
    const ConstraintRow& row = system.rows[r];
    arguments(row, state.q, y);
    part_gradient(row.part, y, state.slots.values, gradient);
    for (int i = 0; i < row.part.count(); ++i) {
      const Form& form = row.part.arguments[i];
      for (std::size_t k = 0; k < form.vectors.size(); ++k)
        for (int m = 0; m < 3; ++m) force[3ul * form.vectors[k] + m] += x[r] * form.weights[k] * gradient[i][m];
    }
  }
}

}  // namespace lithe
