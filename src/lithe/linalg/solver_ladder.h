// One matrix after another over one pattern, factored by the first solver that can: the one ladder of fallbacks.
//
//   1. the solver asked for, or the one that choose_components or choose_linear_solver expects to be the fastest for
//      this kind of matrix;
//   2. where that is for positive definite matrices: LDLt without pivoting, which counts the negative pivots where
//      one became indefinite (compressed or slack parts),
//   3. and LDLt with pivoting, where the one without loses its digits (mumps, where the build has it); for matrices
//   with
//      multipliers behind `components` too;
//   4. LU with pivoting (umfpack, or klu where the build has none).
//
// LDLt without pivoting is taken for an indefinite matrix only where a solve with a known solution comes out accurate.
// So which rung serves a matrix depends on its values alone, never on the right-hand sides to come: a restart that
// factors the same values stands on the same rung.
//
// An iterative solver on the first rung keeps its preconditioner over several matrices (KrylovOptions::update). A solve
// that fails makes it anew where it was an older matrix's, and goes on to the next rung where that does not help.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lithe/linalg/choose_solver.h"

namespace lithe {

struct LadderOptions {
  std::string solver = "auto", ordering = "auto";
  std::string why = "as asked";  // of a solver by name
  // The pivots of a saddle point may look small against their columns although it is regular: take what can be solved.
  bool take_singular = false;
  // Begin where the last factorisation ended while that counted negative pivots: a matrix that was indefinite usually
  // stays so for a while. The rung is then a memory that a restart does not have.
  bool keep_rung = false;
  // Negative pivots are what is wanted, of a symmetric matrix with or without zeros on its diagonal: LDLt with pivoting
  // alone, dense where the matrix is small or the build has no mumps.
  bool count_negative = false;
  KrylovOptions krylov = {};
  // SolverOptions
  int multipliers = -1;
  const std::vector<double>* mass = nullptr;
  Team* team = nullptr;
  // SolverOptions; `assemble` gives the values of the matrix that the products are those of, where keep() went without.
  LinearMap* product = nullptr;
  std::function<void(std::vector<double>&)> assemble = {};
};

// What solved the linear systems of a run, and why.
struct LinearReport {
  struct Rung {
    std::string solver;
    Ordering ordering = Ordering::automatic;
    long long used = 0;  // factorisations that it was taken for
  };
  std::vector<Rung> rungs;       // the chosen one first; empty: nothing to solve
  std::string reason;            // why the first was chosen
  long long factorisations = 0;  // tried, those that failed included
  long long solves = 0;          // columns
  long long indefinite = 0;      // matrices that were expected to be positive definite and were not
  long long inaccurate = 0;      // factorisations without pivoting that lost their digits
  // Of iterative solvers.
  long long iterations = 0, products = 0;
  long long updates = 0;                                     // preconditioners made, among the factorisations
  long long kept = 0;                                        // matrices that took an older one's preconditioner
  long long remade = 0;                                      // preconditioners made anew because a solve failed
  long long fallbacks = 0;                                   // solves that another rung had to do
  int most_iterations = 0;                                   // of a solve
  std::vector<std::pair<const char*, double>> figures = {};  // of the preconditioner in use, LinearSolver::figures
  std::string text() const;
};

// Kind of matrix that a solver asked for by name is to see: this one, or a wider one where it has no other. Throws
// InputError with the remedy where it takes neither.
MatrixKind kind_for(const std::string& solver, MatrixKind kind);

class SolverLadder {
 public:
  SolverLadder() = default;  // nothing to solve
  // `pattern` must outlive the ladder.
  SolverLadder(const SparsePattern& pattern, MatrixKind kind, const LadderOptions& options);

  // False: no rung could. Then factor_report() is that of the rung to blame, and solve() works where it says `usable`:
  // the matrix is singular, and what a solution means is the caller's affair.
  bool factor(const std::vector<double>& values);
  const FactorReport& factor_report() const { return factor_report_; }
  // With a product of its own: would the next matrix keep its preconditioner? Then keep() stands for factor().
  bool keeps() const { return options_.product && keeps_preconditioner(); }
  void keep();
  // The next matrix is of another make: its preconditioner is made anew.
  void forget() { made_ = false; }
  // Takes the place of another ladder in a run: what that one counted goes on here.
  void go_on_from(const LinearReport& before);
  // Solutions that are inaccurate are given all the same: the residual tells. Halves need a first rung that has them
  // and a matrix that is positive definite; else RunError.
  [[nodiscard]] SolveReport solve(const std::vector<double>& b, std::vector<double>& x,
                                  const SolveRequest& request = {});

  const LinearReport& report() const { return report_; }
  bool iterative() const { return !solvers_.empty() && iterative_[0] != 0; }
  // Of the first rung's factors, where the ladder chose it; else zeros.
  const FactorCounts& expected() const { return expected_; }
  // The report with the figures of the preconditioner.
  LinearReport whole_report() const;
  const LinearSolver& active() const { return *solvers_[active_]; }
  // Memory of the first rung (LinearSolver::pivot_values).
  const std::vector<double>* pivot_values() const;
  void set_pivots(const std::vector<double>& values);
  // What the keeping of preconditioners has counted; empty: nothing. A restart: set_pivots(), factor() of the values in
  // use, set_counts().
  std::vector<double> counts() const;
  void set_counts(const std::vector<double>& counts);

 private:
  LinearSolver& solver_at(std::size_t rung);
  void add(const std::string& solver, MatrixKind kind, Ordering ordering = Ordering::automatic);
  bool accurate(const std::vector<double>& values);
  bool keeps_preconditioner() const;
  void renew_values();
  bool factor_from(std::size_t rung, const std::vector<double>& values);
  SolveReport solve_once(const std::vector<double>& b, std::vector<double>& x, const SolveRequest& request);

  const SparsePattern* pattern_ = nullptr;
  LadderOptions options_;
  LinearReport report_;
  std::vector<MatrixKind> kinds_;                       // [rung]
  std::vector<char> pivots_;                            // [rung] does it pivot?
  std::vector<std::unique_ptr<LinearSolver>> solvers_;  // [rung] made when first needed
  std::size_t active_ = 0;
  FactorCounts expected_;
  FactorReport factor_report_;
  std::vector<double> known_, image_, found_;  // of accurate()
  // Of iterative solvers.
  std::vector<char> iterative_;  // [rung]
  std::vector<double> values_;   // of the last factor()
  bool stale_ = false;           // a keep() came after it
  std::vector<double> rhs_;
  bool made_ = false;      // rung 0 has a preconditioner
  bool resuming_ = false;  // between set_pivots() and set_counts()
  int matrices_ = 0;       // since it was made
  int first_ = -1;         // iterations of the first solve with it; -1: none yet
  int most_ = 0;           // iterations of a solve since then
};

}  // namespace lithe
