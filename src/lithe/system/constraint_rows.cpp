// c(q, t), G, their rates and stiffness, over the rows that were not eliminated.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/write_positions.h"
#include "lithe/system/pattern.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

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
  const ConstraintRows& rows = system.rows;
  work.c.resize(system.rows.size());
  work.G.resize(G.column.size());
  for_rows(system, *work.team, [&](int r) {
    Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
    std::fill(work.G.begin() + G.row_start[r], work.G.begin() + G.row_start[r + 1], 0.0);
    rows.parts.values(r, state.q, x);
    work.c[r] = part_gradient(rows.parts[r], x, state.slots.values.data(), gradient) - rows.constant[r] -
                rows.target[r](state.t);
    const int element = rows.parts.element(r, state.q);
    for (int t = G.term_start[r]; t < G.term_start[r + 1]; ++t) {
      const auto& term = G.terms[t];
      if (term.element >= 0 && term.element != element) continue;
      const VectorUnknowns& u = system.map.unknowns[term.vector];
      Vec3<double> g = term.weight * gradient[term.argument];
      if (const int b = system.map.body_of(term.vector); b >= 0) {
        const MappedBody& body = system.map.bodies[b];
        body.map->pull(state.slots, term.vector - body.first_vector, g, &work.G[term.entry[0]]);
        continue;
      }
      if (u.basis >= 0) g = transpose(system.map.bases[u.basis]) * g;
      for (int c = 0; c < u.count; ++c)
        if (term.entry[c] >= 0) work.G[term.entry[c]] += g[u.component[c]];
    }
  });
}

double constraint_gap(const ConstraintRows& rows, int row, const State& state) {
  Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
  rows.parts.values(row, state.q, x);
  return part_gradient(rows.parts[row], x, state.slots.values.data(), gradient) - rows.constant[row] -
         rows.target[row](state.t);
}

double constraint_rate(const System& system, const State& state, int row) {
  Vec3<double> x[largest_argument_count], u[largest_argument_count], gradient[largest_argument_count];
  const ConstraintRows& rows = system.rows;
  const PartView part = rows.parts[row];
  rows.parts.values(row, state.q, x);
  rows.parts.rates(row, state.q, state.v, u);
  part_gradient(part, x, state.slots.values.data(), gradient);
  double rate = rows.target[row].is_constant() ? 0 : -rows.target[row].rate(state.t);
  for (int i = 0; i < part.count(); ++i) rate += dot(gradient[i], u[i]);
  return rate;
}

void constraint_rates(const System& system, const State& state, std::span<double> rates) {
  for (int r = 0; r < system.row_count(); ++r) rates[r] = constraint_rate(system, state, r);
}

std::string System::contradiction(const State& state) const {
  for (int r = 0; r < static_cast<int>(implied.rows.size()); ++r) {
    const double c = constraint_gap(implied.rows, r, state);
    if (!(std::abs(c) > implied.allowed[r])) continue;
    return fmt::format(
        "{} contradict each other: where they prescribe the same motion they are off by {:.3g}; remove "
        "one of them, or let them move alike",
        implied.owners[r], std::abs(c));
  }
  return "";
}

void constraint_accelerations(const System& system, const State& state, std::span<double> accelerations) {
  Vec3<double> x[largest_argument_count], u[largest_argument_count], gradient[largest_argument_count];
  const ConstraintRows& rows = system.rows;
  for (int r = 0; r < system.row_count(); ++r) {
    const PartView part = rows.parts[r];
    rows.parts.values(r, state.q, x);
    part_gradient(part, x, state.slots.values.data(), gradient);
    rows.parts.rates(r, state.q, state.a, u);
    double second = rows.target[r].is_constant() ? 0 : -rows.target[r].acceleration(state.t);
    for (int i = 0; i < part.count(); ++i) second += dot(gradient[i], u[i]);
    rows.parts.rates(r, state.q, state.v, u);
    accelerations[r] = second + part_curvature(part, x, u);
  }
}

void add_transposed(const System& system, std::span<const double> G, double factor, std::span<const double> x,
                    std::span<double> reduced) {
  const ConstraintJacobian& J = system.jacobian;
  for (int r = 0; r < system.row_count(); ++r)
    for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) reduced[J.column[e]] += factor * x[r] * G[e];
}

void add_row_stiffness(const System& system, int row, const State& state, double factor, const TangentSink& sink) {
  const PartView part = system.rows.parts[row];
  if (part.is_linear() || factor == 0) return;
  Vec3<double> y[largest_argument_count];
  Mat3<double> hessian[largest_argument_count * largest_argument_count];
  const int n = part.count();
  system.rows.parts.values(row, state.q, y);
  part_hessian(part, y, hessian);
  // All pairs (i, a), (j, b) of (argument, vector), each unordered pair once where the pattern is symmetric.
  const int element = system.rows.parts.element(row, state.q);
  Parts::Terms terms[largest_argument_count];
  for (int i = 0; i < n; ++i) terms[i] = system.rows.parts.terms(row, i, element);
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < terms[i].count; ++a)
      for (int j = system.symmetric ? i : 0; j < n; ++j)
        for (int b = system.symmetric && i == j ? a : 0; b < terms[j].count; ++b) {
          Mat3<double> block = hessian[i * n + j];
          const int of_a = terms[i].vector[a], of_b = terms[j].vector[b];
          const double weight = factor * terms[i].weight[a] * terms[j].weight[b];
          bool zero = true;
          for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) {
              block[k][l] *= weight;
              zero = zero && block[k][l] == 0;
            }
          if (zero) continue;
          // The same vector in two arguments: the pair (a, b) and its mirror image land on one block.
          if (system.symmetric && !(i == j && a == b) && of_a == of_b)
            for (int k = 0; k < 3; ++k)
              for (int l = 0; l <= k; ++l) block[k][l] = block[l][k] = block[k][l] + block[l][k];
          sink.add(of_a, of_b, block);
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
  const Parts& parts = system.rows.parts;
  for (int r = 0; r < system.row_count(); ++r) {
    parts.values(r, state.q, y);
    part_gradient(parts[r], y, state.slots.values.data(), gradient);
    const int element = parts.element(r, state.q);
    for (int i = 0; i < parts[r].count(); ++i) {
      const Parts::Terms terms = parts.terms(r, i, element);
      for (int k = 0; k < terms.count; ++k)
        for (int m = 0; m < 3; ++m) force[3ul * terms.vector[k] + m] += x[r] * terms.weight[k] * gradient[i][m];
    }
  }
}

}  // namespace lithe
