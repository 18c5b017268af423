// Small motions of a system about its reference configuration: K x + G^T l = f, G x = 0, and frequencies
// K x + G^T l = w^2 M x. Constraints are those of the compiled system, eliminated or as rows.
#pragma once

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/system/system.h"

namespace lithe::test {

class LinearResponse {
 public:
  explicit LinearResponse(const Model& model) : system(compile(model)), work_(system, 1) {
    const State state = system.initial_state();
    Workspace& work = work_;
    evaluate_internal(system, state, work);
    evaluate_external(system, state, work);
    system.map.restrict({}, work.external, load_);
    evaluate_constraints(system, state, work);
    std::vector<double> values(system.pattern.nonzeros(), 0.0);
    evaluate_tangent(system, state, 1, 0, work, values);
    if (system.has_multipliers()) set_borders(system, work, 1, values);
    stiffness_ = matrix(values);
    std::fill(values.begin(), values.end(), 0.0);
    evaluate_tangent(system, state, 0, 0, work, values, 1);
    mass_ = matrix(values);
    factor_.compute(stiffness_);
    LITHE_INVARIANT(factor_.info() == Eigen::Success);
  }

  // The displacement q under the loads of the model, over all coordinates.
  std::vector<double> displacement() const {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(system.pattern.size);
    for (int i = 0; i < system.map.size; ++i) f[i] = load_[i];
    return spread(factor_.solve(f));
  }

  // The frequency next to `near` (rad/s) among motions that the loads excite: inverse iteration with the matrix shifted
  // by a little less than near^2, from the static displacement.
  double frequency(double near) const {
    const double shift = 0.93 * near * near;
    const Eigen::SparseMatrix<double> shifted = stiffness_ - shift * mass_;
    Eigen::SparseLU<Eigen::SparseMatrix<double>> factor;
    factor.compute(shifted);
    LITHE_INVARIANT(factor.info() == Eigen::Success);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(system.pattern.size);
    for (int i = 0; i < system.map.size; ++i) x[i] = load_[i];
    x = factor_.solve(x);
    double square = 0;
    for (int round = 0; round < 4; ++round) {
      for (int i = system.map.size; i < system.pattern.size; ++i) x[i] = 0;
      const Eigen::VectorXd Mx = mass_ * x;
      const Eigen::VectorXd next = factor.solve(Mx);
      square = shift + next.dot(Mx) / next.dot(mass_ * next);
      x = next / std::sqrt(std::abs(next.dot(Mx)));
    }
    return std::sqrt(square);
  }

  System system;

 private:
  Eigen::SparseMatrix<double> matrix(const std::vector<double>& values) const {
    const SparsePattern& p = system.pattern;
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < p.size; ++j)
      for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) {
        entries.emplace_back(p.row[k], j, values[k]);
        if (p.symmetric && p.row[k] != j) entries.emplace_back(j, p.row[k], values[k]);
      }
    Eigen::SparseMatrix<double> A(p.size, p.size);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }
  std::vector<double> spread(const Eigen::VectorXd& x) const {
    std::vector<double> dz(x.data(), x.data() + system.map.size), u(system.q0.size(), 0.0);
    system.map.prolong({}, dz, 1, u);
    return u;
  }

  Workspace work_;
  std::vector<double> load_;
  Eigen::SparseMatrix<double> stiffness_, mass_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> factor_;
};

}  // namespace lithe::test
