#include "lithe/dynamics/modal_matrices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/dynamics/modal_parts.h"
#include "lithe/linalg/row_rank.h"

namespace lithe {

// ---- entries ----

std::size_t Halves::place(int i, int j) const {
  const int p = position(pattern_, std::min(i, j), std::max(i, j));
  LITHE_INVARIANT(p >= 0);
  return static_cast<std::size_t>(p);
}

void Halves::add(int i, int j, double x) {
  const std::size_t p = place(i, j);
  if (i <= j) upper_[p] += x;
  if (j <= i) lower_[p] += x;
}

void Halves::add_symmetric(int i, int j, double x) {
  const std::size_t p = place(i, j);
  upper_[p] += x;
  lower_[p] += x;
}

std::vector<double> Halves::symmetric_part(double* skew) const {
  std::vector<double> part(upper_.size());
  double largest = 0, off = 0;
  for (std::size_t p = 0; p < part.size(); ++p) {
    part[p] = 0.5 * (upper_[p] + lower_[p]);
    largest = std::max({largest, std::abs(upper_[p]), std::abs(lower_[p])});
    off = std::max(off, 0.5 * std::abs(upper_[p] - lower_[p]));
  }
  if (skew) *skew = largest > 0 ? off / largest : 0;
  return part;
}

void PatternMaker::add(int i, int j) {
  entries_.push_back(static_cast<std::uint64_t>(std::max(i, j)) << 32 | static_cast<std::uint32_t>(std::min(i, j)));
}

SparsePattern PatternMaker::pattern(int size) {
  for (int i = 0; i < size; ++i) add(i, i);
  std::ranges::sort(entries_);
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
  SparsePattern to;
  to.size = size;
  to.column_start.assign(static_cast<std::size_t>(size) + 1, 0);
  for (const std::uint64_t entry : entries_) {
    to.row.push_back(static_cast<std::int32_t>(entry & 0xffffffffu));
    ++to.column_start[static_cast<std::size_t>(entry >> 32) + 1];
  }
  std::partial_sum(to.column_start.begin(), to.column_start.end(), to.column_start.begin());
  return to;
}

// ---- the matrices ----

namespace {

// Rows of unit length whose angle to the others has a smaller sine follow from them.
constexpr double no_angle = 1e-9;

// f_int - f_ext + G^T lambda over all coordinates, without the elastic forces of mapped bodies.
std::vector<double> forces(const System& system, const State& state, Workspace& work) {
  evaluate_unmapped_internal(system, state, work);
  evaluate_external(system, state, work);
  std::vector<double> f(state.q.size());
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = work.internal[i] - work.external[i];
  if (!system.rows.empty()) add_row_forces(system, state, state.lambda, f);
  return f;
}

// Of what has unknowns of its own.
std::vector<double> own_tangent(const System& system, const State& state, Workspace& work) {
  std::vector<double> values;
  evaluate_unmapped_internal(system, state, work);
  evaluate_tangent(system, state, 1, 0, work, values);
  if (!system.rows.empty()) add_constraint_stiffness(system, state, 1, state.lambda, work, values);
  return values;
}

void add_own(const System& system, const std::vector<double>& values, Halves& to) {
  const SparsePattern& from = system.pattern;
  for (int j = 0; j < system.map.own_unknowns(); ++j)
    for (int p = from.column_start[j]; p < from.column_start[j + 1] && from.row[p] < system.map.size; ++p) {
      if (from.symmetric) to.add_symmetric(from.row[p], j, values[p]);
      else to.add(from.row[p], j, values[p]);
    }
}

// Rows that the others imply leave: joints and clamps of mapped bodies may say things twice.
void add_independent_rows(const System& system, const State& state, Workspace& work, ModalMatrices& to) {
  to.rows = {0, to.pattern.size, {0}, {}};
  if (system.rows.empty()) return;
  evaluate_constraints(system, state, work);
  const ConstraintJacobian& G = system.jacobian;
  SparseRows unit;
  unit.columns = system.map.size;
  for (int r = 0; r < system.row_count(); ++r) {
    double size = 0;
    for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) size += work.G[e] * work.G[e];
    size = size > 0 ? std::sqrt(size) : 1;
    for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) {
      unit.column.push_back(G.column[e]);
      unit.value.push_back(work.G[e] / size);
    }
    unit.row_start.push_back(static_cast<std::int32_t>(unit.column.size()));
  }
  std::vector<char> leaves(system.rows.size(), 0);
  if (!system.map.bodies.empty()) {
    const RowRank rank(unit, no_angle);
    for (const int r : rank.dependent()) leaves[r] = 1;
  }
  for (int r = 0; r < system.row_count(); ++r) {
    if (leaves[r]) continue;
    to.kept.push_back(r);
    to.rows.column.insert(to.rows.column.end(), G.column.begin() + G.row_start[r],
                          G.column.begin() + G.row_start[r + 1]);
    to.G.insert(to.G.end(), work.G.begin() + G.row_start[r], work.G.begin() + G.row_start[r + 1]);
    to.rows.row_start.push_back(static_cast<std::int32_t>(to.rows.column.size()));
    ++to.rows.rows;
  }
}

}  // namespace

ModalMatrices modal_matrices(const System& system, const State& state, Workspace& work) {
  ModalMatrices m;
  const std::vector<double> force = forces(system, state, work);
  const std::unique_ptr<ModalPart> parts[] = {make_mapped_matrices(system, state, force),
                                              make_pulled_stiffness(system, state)};
  PatternMaker maker;
  int size = system.map.size;
  for (int j = 0; j < system.map.own_unknowns(); ++j)
    for (int p = system.pattern.column_start[j]; p < system.pattern.column_start[j + 1]; ++p)
      if (system.pattern.row[p] < system.map.size) maker.add(system.pattern.row[p], j);
  for (const auto& part : parts) {
    part->add_pattern(maker);
    size += part->unknowns();
  }
  m.pattern = maker.pattern(size);
  Halves K(m.pattern), M(m.pattern);
  add_own(system, own_tangent(system, state, work), K);
  std::vector<double> values;
  evaluate_tangent(system, state, 0, 0, work, values, 1);
  add_own(system, values, M);
  for (const auto& part : parts) part->add(K, M);
  m.K = K.symmetric_part(&m.skew);
  m.M = M.symmetric_part();
  add_independent_rows(system, state, work, m);
  for (const auto& part : parts) part->add_rows(m);
  return m;
}

std::vector<double> stiffness(const System& system, const State& state, Workspace& work, const ModalMatrices& like) {
  const std::vector<double> force = forces(system, state, work);
  Halves K(like.pattern), M(like.pattern);
  add_own(system, own_tangent(system, state, work), K);
  make_mapped_matrices(system, state, force)->add(K, M);
  make_pulled_stiffness(system, state)->add(K, M);
  return K.symmetric_part();
}

}  // namespace lithe
