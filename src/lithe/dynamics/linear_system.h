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
#include "lithe/dynamics/matrix_free.h"
#include "lithe/dynamics/near_mass.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/linalg/normal_product.h"
#include "lithe/linalg/solver_ladder.h"
#include "lithe/linalg/try_iterative.h"

namespace lithe {

// Does the solver that the analysis names take this model's matrix? Throws InputError; better before a run has files.
void require_solver(const System& system);
// Of a model's matrix: its kind, and how many multipliers border it.
MatrixKind matrix_kind(const System& system);
int multipliers(const System& system);

class LinearSystem {
 public:
  LinearSystem(Equations& model, LadderOptions options, Phases& phases);

  // Tangent at `state`, with the model's G at hand, and its factorisation. False: singular or not finite.
  // c_g: weight of G^T lambda in the equation; stiffness: add (G^T lambda)_q, of the multipliers in `state`.
  // `near`: see factor().
  bool factor(const State& state, double c_q, double c_v, double c_a, double c_g, bool stiffness, bool near = false);
  // The same in two halves: A alone (its values are there to look at in between), then with G and factored.
  // Where products go without a matrix and the preconditioner is kept, the values are those of an earlier one.
  const std::vector<double>& evaluate(const State& state, double c_q, double c_v, double c_a, double c_g,
                                      bool stiffness);
  // `near`: where a step is short, c_a M will do for A (near_mass.h), if that is less work.
  bool factor(bool near = false);
  // Values of the caller's own over system.pattern, borders and penalties left out.
  bool factor(const std::vector<double>& values);
  // False: see factor_report() for the rung to blame; where that is `usable`, the matrix is singular to rounding and
  // solutions may still serve (limit points of an arc).
  const FactorReport& factor_report() const { return ladder_.factor_report(); }
  // One Newton correction of a residual that contains c_g G^T lambda, and of c: A dz + c_g G^T d_lambda = -residual,
  // G dz = -c. Augmented: multiplier iteration until |G dz + c| <= exactness.
  // tolerance: of iterative solvers, |b - A x| / |b|; 0: their own.
  bool correct(const Array& residual, const Array& c, double exactness, Array& dz, Array& d_lambda,
               double tolerance = 0);
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

  // Where the solver is left to us: an iterative one for the matrices of steps, if a trial tells that it is less work.
  void try_iterative() { way_ = options_.solver == "auto" ? Way::open : Way::given; }
  bool iterative() const { return ladder_.iterative() && !by_mass_; }
  double c_q() const { return c_q_; }
  double c_v() const { return c_v_; }
  double c_a() const { return c_a_; }
  bool valid() const { return valid_; }
  void forget() { valid_ = false; }
  // Matrices of another make follow: a preconditioner that was kept is not theirs.
  void forget_preconditioner() { ladder_.forget(); }
  const LinearReport& report() const { return ladder_.report(); }
  LinearReport whole_report() const {
    LinearReport report = ladder_.whole_report();
    report.factorisations += near_mass_ ? 1 : 0;
    return report;
  }
  long long factorisations() const { return report().factorisations; }
  long long solves() const { return report().solves; }
  // Cost of tangent and factorisation in units of one more iteration (force and solve).
  double factor_cost() const { return factor_cost_; }
  std::string text() const;
  std::string why() const { return failure_; }
  const std::vector<double>* pivot_values() const { return ladder_.pivot_values(); }
  void set_pivots(const std::vector<double>& values) { ladder_.set_pivots(values); }
  // What was decided and counted. A restart: choose_again() of it, set_pivots(), factor() of the values in use,
  // set_solver_counts().
  std::vector<double> solver_counts() const;
  void choose_again(const std::vector<double>& counts);
  void set_solver_counts(const std::vector<double>& counts);

 private:
  void assemble(const State& state);
  void add_rows();
  void assemble_late(std::vector<double>& values);
  bool factor_values();
  bool mass_serves();
  void choose_way(const std::vector<double>& values);
  void change_ladder(const LadderOptions& options);
  void follow_pattern();
  void spread_mass();
  const SparsePattern& pattern() const { return contact_pattern_ ? *contact_pattern_ : system_.pattern; }
  void iterate(const std::string& solver, const std::string& why);
  void estimate_cost();
  double tangent_seconds() const;
  double force_seconds() const;
  double mean_diagonal() const;
  bool solve_negative(const Array* f, const Array& d, double exactness, Array& x, Array& y,
                      const SolveRequest& request = {});
  bool solve_penalised(const Array& d, double exactness, Array& x, Array& y, const SolveRequest& request = {});
  bool solve_bordered(std::span<const double> b, std::vector<double>& x, const SolveRequest& request);
  bool apply_inverse(const SolveRequest& request = {});

  Equations& model_;
  const System& system_;
  Place& place_;
  Phases& phases_;
  LadderOptions options_;
  std::unique_ptr<MatrixFree> product_;  // operator matrix_free
  std::vector<double> stiffness_;        // [unknown] for it: diagonal over c_q, when it was assembled last
  bool stiffness_wanted_ = false;        // (G^T lambda)_q is part of A
  SolverLadder ladder_;
  enum class Way { given, open, factors, iterations } way_ = Way::given;  // decided at the first matrix of a step
  IterativeTrial trial_;
  std::string failure_;
  std::vector<double> values_;
  // Penalty contacts: the pattern that the ladder has, their values over it, and the sum with values_.
  std::shared_ptr<const SparsePattern> contact_pattern_;
  std::vector<double> contact_values_, sum_;
  LadderOptions ladder_options_;
  std::vector<double> rhs_, solution_;  // of the ladder: unknowns, then multipliers; on the host f_ and x_ look at them
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
  bool wants_mass_ = false;              // the preconditioner does
  std::vector<double> mass_, own_mass_;  // [nonzero] of the pattern, and of the System's, for it
  std::unique_ptr<NearMass> near_mass_;  // where it may stand for A
  bool by_mass_ = false;                 // it does
  double change_ = 0, largest_change_ = 0;
  long long near_ = 0;  // matrices it stood for
};

}  // namespace lithe
