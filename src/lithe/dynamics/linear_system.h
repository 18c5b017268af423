// The linear systems of statics, arc length and dynamics, behind one door whatever the treatment of constraints:
//
//   eliminate, lagrange   [ A    s G^T ]         augmented   A + c_g p G^T G
//                         [ s G    0   ]
//
// with A = c_q K + c_v C + c_a M over the unknowns, s a scale that makes the borders as large as A, p the penalty.
// G in the matrix belongs to the state at which it was factored, residuals to the present one. What is made of
// solutions with the penalty uses the former too: rows that do not match, times p, would be forces that nothing
// balances.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lithe/dynamics/equations.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/linalg/normal_product.h"
#include "lithe/linalg/solver_ladder.h"

namespace lithe {

// Does the solver that the analysis names take this model's matrix? Throws InputError; better before a run has files.
void require_solver(const System& system);

class LinearSystem {
 public:
  LinearSystem(Equations& model, LadderOptions options, Phases& phases);

  // Tangent at `state`, with the model's G at hand, and its factorisation. False: singular or not finite.
  // c_g: weight of G^T lambda in the equation; stiffness: add (G^T lambda)_q, of the multipliers in `state`.
  bool factor(const State& state, double c_q, double c_v, double c_a, double c_g, bool stiffness);
  // The same in two halves: A alone (its values are there to look at in between), then with G and factored.
  const std::vector<double>& evaluate(const State& state, double c_q, double c_v, double c_a, double c_g,
                                      bool stiffness);
  bool factor();
  // Values of the caller's own over system.pattern, borders and penalties left out.
  bool factor(const std::vector<double>& values);
  // False: see factor_report() for the rung to blame; where that is `usable`, the matrix is singular to rounding and
  // solutions may still serve (limit points of an arc).
  const FactorReport& factor_report() const { return ladder_.factor_report(); }
  // One Newton correction of a residual that contains c_g G^T lambda, and of c: A dz + c_g G^T d_lambda = -residual,
  // G dz = -c. Augmented: multiplier iteration until |G dz + c| <= exactness.
  bool correct(const Array& residual, const Array& c, double exactness, Array& dz, Array& d_lambda);
  // A x + c_g G^T y = f, G x = d, as many times as the request has columns, with b = [column][unknown, row] of f and d,
  // x likewise; rows hold as well as rounding lets them. Transposed: A^T instead of A. Halves: over the unknowns,
  // without rows, where A is positive definite; else RunError. False: not finite.
  bool solve(std::span<const double> b, std::vector<double>& x, const SolveRequest& request = {});
  // dz that takes rates of the constraints away at the least cost in A: A dz + c_g G^T mu = 0, G dz = -rates, with the
  // model's present G: where the matrix has another one, further solves take away what that leaves; false: they
  // do not, the matrix is too old. Augmented: the iteration starts from the mu at hand.
  bool project(const Array& rates, double exactness, Array& dz, Array& mu);
  // Coordinates have a relative error of epsilon each, which the stiffness last evaluated turns into forces: `factor`
  // times that, over the unknowns. Needs the mass apart from it: measure_mass() once, before any state.
  void measure_mass();
  void find_rounding(const State& state, double factor, Array& rounding);

  double c_q() const { return c_q_; }
  double c_v() const { return c_v_; }
  double c_a() const { return c_a_; }
  bool valid() const { return valid_; }
  void forget() { valid_ = false; }
  void forget_preconditioner() { ladder_.forget(); }
  const LinearReport& report() const { return ladder_.report(); }
  LinearReport whole_report() const { return ladder_.whole_report(); }
  long long factorisations() const { return report().factorisations; }
  long long solves() const { return report().solves; }
  // Cost of tangent and factorisation in units of one more iteration (force and solve).
  double factor_cost() const { return factor_cost_; }
  std::string text() const { return report().text(); }
  std::string why() const { return failure_; }
  const std::vector<double>* pivot_values() const { return ladder_.pivot_values(); }
  void set_pivots(const std::vector<double>& values) { ladder_.set_pivots(values); }
  std::vector<double> solver_counts() const { return ladder_.counts(); }
  void set_solver_counts(const std::vector<double>& counts) { ladder_.set_counts(counts); }

 private:
  bool factor_values();
  void estimate_cost();
  double mean_diagonal() const;
  bool solve_negative(const Array* f, const Array& d, double exactness, Array& x, Array& y);
  bool solve_penalised(const Array& d, double exactness, Array& x, Array& y, const SolveRequest& request = {});
  bool solve_bordered(std::span<const double> b, std::vector<double>& x, const SolveRequest& request);
  bool apply_inverse(const SolveRequest& request = {});

  Equations& model_;
  const System& system_;
  Place& place_;
  Phases& phases_;
  SolverLadder ladder_;
  std::string failure_;
  std::vector<double> values_;
  std::vector<double> rhs_, solution_;  // of the ladder: unknowns, then multipliers
  std::vector<double> block_;           // [column][unknown, row] of solve(): right-hand sides
  std::vector<std::int32_t> diagonal_;  // [unknown] places in the pattern
  std::vector<double> mass_diagonal_;   // [unknown]
  Array f_, x_, y_;                     // [unknown], [row] right-hand side and solution
  Array G_;                             // [entry] in the matrix
  Array gap_, direction_, image_;       // [row] of the multiplier iteration
  Array left_, dx_, rates_, dy_;        // of projections: what is left, and its correction
  std::vector<double> room_;
  std::unique_ptr<NormalProduct> normal_;  // augmented: G^T G
  std::vector<double> penalties_;          // [row]
  double c_q_ = 0, c_v_ = 0, c_a_ = 0, c_g_ = 1, scale_ = 1, penalty_ = 0, factor_cost_ = 15, mean_mass_ = 1;
  bool valid_ = false;
};

}  // namespace lithe
