#include "lithe/dynamics/matrix_free.h"

#include <algorithm>

#include "lithe/base/error.h"

namespace lithe {

namespace {

bool is_damped(const Batch& batch) {
  const auto lasting = [](const auto& law) { return law.tau != 0; };
  return batch.cable.tau != 0 || std::ranges::any_of(batch.continuum.section, lasting) ||
         std::ranges::any_of(batch.continuum.laws, lasting);
}

}  // namespace

void require_products(const System& system, const std::string& solver) {
  if (const std::string* contact = first_contact(system.model, ContactLaw::penalty))
    throw InputError(Where{"", 0, "analysis.krylov.operator"},
                     "contact '" + *contact +
                         "' is penalty, whose tangent is in the matrix alone (matrix_free); use 'operator: assembled'");
  for (const Batch& batch : system.batches) {
    if (!batch.kernel) continue;
    const std::string body = "body '" + system.bodies[batch.bodies.front()].name + "'";
    if (!batch.kernel->has_product())
      throw InputError(Where{"", 0, "analysis.krylov.operator"},
                       body +
                           " has elements that cannot be multiplied without their matrix (matrix_free); use "
                           "'operator: assembled'");
    const bool symmetric = solver == "cg" || solver == "minres" || solver == "projected_minres";
    if (symmetric && is_damped(batch))
      throw InputError(Where{"", 0, "analysis.krylov.operator"},
                       solver + " is for symmetric matrices, but the exact tangent of " + body +
                           ", which is damped, is not (matrix_free); use 'operator: assembled', or gmres, bicgstab or "
                           "bicgstab2");
  }
}

MatrixFree::MatrixFree(Equations& model) : model_(model), system_(model.system) {
  const System& s = system_;
  any_others_ = s.springs.count() > 0 || s.moments.count() > 0 || s.pressure_sides.count() > 0 || !s.heated.empty() ||
                !model.work.plain_mass.empty();
  for (int r = 0; r < s.row_count(); ++r) any_others_ = any_others_ || !s.rows.parts[r].is_linear();
  direction_.resize(s.q0.size());
  product_.resize(s.q0.size());
  G_.resize(s.jacobian.column.size());
  rows_.resize(s.rows.size());
}

void MatrixFree::linearise(const State& state, double c_q, double c_v, double c_a, double c_g, bool stiffness) {
  at_.t = state.t;
  at_.load_factor = state.load_factor;
  at_.q = state.q;
  at_.v = state.v;
  at_.lambda = state.lambda;
  at_.slots = state.slots;
  c_q_ = c_q;
  c_v_ = c_v;
  c_a_ = c_a;
  if (any_others_) find_others(c_g, stiffness);
}

void MatrixFree::find_others(double c_g, bool stiffness) {
  evaluate_other_tangent(system_, at_, c_q_, c_v_, model_.work, values_, c_a_);
  if (stiffness && !system_.rows.empty()) add_constraint_stiffness(system_, at_, c_g, at_.lambda, model_.work, values_);
  others_.clear();
  const SparsePattern& pattern = system_.pattern;
  for (int j = 0; j < system_.map.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (values_[p] != 0) others_.push_back({pattern.row[p], j, values_[p]});
}

void MatrixFree::set_rows(const Array& G, double factor) {
  model_.place.download(G, G_);
  factor_ = factor;
}

void MatrixFree::apply(const Array& from, Array& to) {
  const HostReading reading(from, from_);
  const HostWriting writing(to, to_, HostWriting::Old::blank);
  const std::span<const double> x = reading;
  const std::span<double> y = writing;
  const std::size_t n = system_.map.size, m = system_.rows.size();
  std::fill(direction_.begin(), direction_.end(), 0.0);
  system_.map.prolong(at_.slots, x.first(n), 1, direction_);
  evaluate_tangent_product(system_, at_, direction_, c_q_, c_v_, c_a_, model_.work, product_);
  system_.map.restrict(at_.slots, product_, y.first(n));
  for (const Entry& e : others_) {
    y[e.row] += e.value * x[e.column];
    if (system_.pattern.symmetric && e.row != e.column) y[e.column] += e.value * x[e.row];
  }
  if (m == 0) return;
  const bool bordered = system_.has_multipliers();
  const std::span<double> rows = bordered ? y.subspan(n) : std::span(rows_);
  const ConstraintJacobian& J = system_.jacobian;
  for (std::size_t r = 0; r < m; ++r) {
    double sum = 0;
    for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) sum += G_[e] * x[J.column[e]];
    rows[r] = bordered ? factor_ * sum : sum;
  }
  add_transposed(system_, G_, factor_, bordered ? x.subspan(n) : std::span<const double>(rows_), y.first(n));
}

}  // namespace lithe
