// One interface for all solvers: symbolic analysis once per pattern, numeric factorisation per value array, solves as
// often as wanted. Reports carry a reason. Backends live in a file each and have a line in the registry.
//
// Of an iterative solver factor() makes the preconditioner, and renew() hands it the values of later matrices, for
// which it may keep that. A tolerance and a number of iterations per solve serve refinement and iterations alike.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/linalg/krylov/options.h"
#include "lithe/linalg/ordering.h"
#include "lithe/linalg/sparse.h"

namespace lithe {

class LinearMap;

enum class MatrixKind { positive_definite, symmetric_indefinite, unsymmetric };
const char* to_string(MatrixKind kind);

struct FactorReport {
  // singular: a pivot vanished, or lost all its digits (the factors exist, but mean little along one direction).
  enum class Reason { done, not_positive_definite, singular, not_finite, out_of_memory, failed } reason = Reason::done;
  int column = -1;                  // where a pivot was not positive, vanished or was the smallest; -1: not known
  int negative_pivots = -1;         // of a symmetric factorisation, -1: not known
  double smallest_pivot = 0;        // over all pivots: |pivot| / |largest entry of its column|; does not see scaling
  double reciprocal_condition = 0;  // estimate from the pivots
  bool usable = true;               // solve() may be called
  bool fresh_pivots = true;         // the pivot order was chosen for these values, not kept from earlier ones
  bool ok() const { return reason == Reason::done; }
  std::string text() const;
};

// What to solve with the factors, and how well.
struct SolveRequest {
  // The halves are those of P A P^T = L L^T: one after the other they are a plain solve, each is the transpose of the
  // other, and L^-1 P B P^T L^-T of a symmetric B is symmetric. They turn A x = mu B x into a standard eigenproblem.
  enum class Operation {
    plain,       // A x = b
    transposed,  // A^T x = b
    forward,     // x = L^-1 P b
    backward     // x = P^T L^-T b
  } operation = Operation::plain;
  int columns = 1;       // of b and x, one after the other
  double tolerance = 0;  // of the backward error, of an iterative solver |b - A x| / |b|; 0: the solver's own
  int iterations = -1;   // at most: refinements of a direct solver, steps of an iterative one; -1: the solver's own
  bool half() const { return operation == Operation::forward || operation == Operation::backward; }
};

struct SolveReport {
  // inaccurate: the backward error is above the tolerance and no iteration brings it down. Of iterative solvers
  // not_converged: the iterations are used up; stagnated: they gain nothing any more; breakdown: the method cannot go
  // on.
  enum class Reason { done, inaccurate, not_converged, stagnated, breakdown, not_finite } reason = Reason::done;
  double backward_error = -1;  // |b - A x| / (|A| |x| + |b|), maximum norms; -1: not measured (stable without a check)
  int iterations = 0;          // as in SolveRequest
  int products = 0;            // with the matrix; iterative solvers
  double first_residual = -1, last_residual = -1;  // |b - A x|, 2-norms; -1: not measured
  bool ok() const { return reason == Reason::done; }
  // Of several columns the worst is told, of products the sum.
  void join(const SolveReport& column);
  const char* text() const;  // "the iterations were used up"
};

// Backward error above which a solution is called inaccurate.
inline double inaccurate_above(const SolveRequest& request) {
  return request.tolerance > 0 ? request.tolerance : 1e-10;
}

struct SolverOptions {
  std::optional<MatrixKind> kind = {};      // none: the widest of the solver's kinds that the pattern allows
  Ordering ordering = Ordering::automatic;  // automatic: what the library recommends
  bool keep_pivots = true;                  // klu, superlu: keep the pivot order while it stays accurate
  double growth_drop = 1e-2;   // klu: choose pivots anew when the reciprocal growth falls below this share of its value
                               // at the last choice,
  double growth_limit = 1e-6;  // or below this (unless the last choice could do no better)
  // Above so many entries of matrix or factors cholmod, klu and umfpack take indices of 64 bits, where others refuse.
  std::int64_t narrow = std::numeric_limits<std::int32_t>::max();
  KrylovOptions krylov = {};  // iterative solvers
  // Iterative solvers, components: the last so many rows and columns are [0 G^T; G 0]; -1: found where the values are
  // zeros.
  int multipliers = -1;
  // Iterative solvers: the mass matrix over the pattern, for the preconditioner of that name; read when one is made.
  const std::vector<double>* mass = nullptr;
  Team* team = nullptr;  // iterative solvers, components: whose threads share the work; null: one thread
  // Iterative solvers: the matrix of the products, over [unknowns, multipliers]; null: the values. Those are for the
  // preconditioner then. No transposed solves.
  LinearMap* product = nullptr;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;
  // Once per pattern, before factor(). Throws RunError when memory or the solver's indices do not suffice.
  virtual void analyse(const SparsePattern& pattern) = 0;
  // After the first time neither factor() nor solve() takes memory itself; a backend says where its library does.
  [[nodiscard]] virtual FactorReport factor(const std::vector<double>& values) = 0;
  // Values of another matrix, which an iterative solver takes for its products with the preconditioner of the last
  // factor(); direct solvers ignore it. False: not finite.
  virtual bool renew(const std::vector<double>& /*values*/) { return true; }
  // b: [column][size]; x may be b. Allowed while the last factor() was usable. Throws RunError for halves that this
  // solver does not have (SolverInfo::halves).
  [[nodiscard]] SolveReport solve(const std::vector<double>& b, std::vector<double>& x,
                                  const SolveRequest& request = {});

  // For restarts that repeat every bit. A solver that keeps its pivot order has a memory: the values for which the
  // order was chosen. factor(*pivot_values()) on a new solver, then factor(values), gives the factors that the old
  // solver had for these values. nullptr: no memory, factor(values) is enough. An iterative solver's are those of its
  // preconditioner, and renew(values) follows.
  virtual const std::vector<double>* pivot_values() const { return nullptr; }
  // How often a pivot order was chosen since analyse(); -1: at each factorisation.
  virtual int pivot_choices() const { return -1; }

  // Of one factorisation; -1: not known. Counted where the library counts, else from the structure of the factors.
  virtual double factor_flops() const { return -1; }
  virtual double factor_nonzeros() const { return -1; }
  // Iterative: numbers of matrix and preconditioner that an iteration reads; -1: not known, or a direct solver.
  virtual double iteration_numbers() const { return -1; }
  // What the last factorisation tells of itself beside that: counts, and seconds by a name that ends with _s.
  virtual std::vector<std::pair<const char*, double>> figures() const { return {}; }
  // Of what counts entries, in use since analyse().
  virtual int index_bits() const { return 32; }

 protected:
  // As solve(); only halves that the solver has arrive here.
  virtual SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                                    const SolveRequest& request) = 0;
};

struct SolverInfo {
  std::string name;
  std::vector<MatrixKind> kinds;    // from the narrowest to the widest
  std::vector<Ordering> orderings;  // automatic first
  bool zero_diagonal;               // takes saddle-point matrices with zeros on the diagonal: it pivots
  bool halves;                      // L L^T: half solves
  std::string help;
  std::unique_ptr<LinearSolver> (*make)(const SolverInfo& info, const SolverOptions& options);
  bool iterative = false;
  bool bordered = false;  // of indefinite matrices it takes [A G^T; G 0] alone, A positive definite
};

// What this build was configured without.
struct AbsentSolver {
  std::string name;
  std::string remedy;  // "configure with -DLITHE_WITH_MUMPS=ON (Debian: libmumps-seq-dev)"
};

// All backends of this build. Names are unique; order: dense, then sparse symmetric, sparse general, iterative.
const std::vector<SolverInfo>& linear_solvers();
const std::vector<AbsentSolver>& absent_linear_solvers();
bool has_linear_solver(const std::string& name);
// Throws InputError with a suggestion for an unknown name, with the remedy for one that this build lacks.
const SolverInfo& find_linear_solver(const std::string& name);
// Throws InputError for an ordering that this solver does not have.
void require_ordering(const SolverInfo& info, Ordering ordering);
// Throws InputError for an unknown name, a kind or an ordering that this solver does not have.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, const SolverOptions& options = {});

// The kind a solver works with: the one asked for, else the widest that the pattern allows. Throws InputError when the
// solver needs the symmetric storage and the pattern has the full one.
MatrixKind kind_of(const SolverInfo& info, const SolverOptions& options, const SparsePattern& pattern);

// A pivot below this share of its column's largest entry carries no digit that means anything. Mechanisms gave 1e-31 to
// 5e-15, supported structures of slenderness 1000 and cables of 1e5 nothing below 1e-9 (explored with the statics).
inline constexpr double singular_pivot = 1e-13;

// While one lives, BLAS runs on one thread: results do not depend on the number of cores, and small dense blocks do not
// pay for waking threads. A solver holds one; the first sets the number, the last restores it.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace lithe
