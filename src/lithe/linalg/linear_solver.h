// One interface for all direct solvers: symbolic analysis once per pattern, numeric factorisation per value array,
// solves as often as wanted. Reports carry a reason.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

enum class MatrixKind { positive_definite, symmetric_indefinite, unsymmetric };

struct FactorReport {
  // singular: a pivot vanished, or lost all its digits (the factors exist, but mean little along one direction).
  enum class Reason { done, not_positive_definite, singular, not_finite, out_of_memory, failed } reason = Reason::done;
  int column = -1;                  // where a pivot was not positive, vanished or was the smallest; -1: not known
  int negative_pivots = -1;         // of a symmetric factorisation, -1: not known
  double smallest_pivot = 0;        // over all pivots: |pivot| / |largest entry of its column|; does not see scaling
  double reciprocal_condition = 0;  // estimate from the pivots
  bool usable = true;               // solve() may be called
  bool ok() const { return reason == Reason::done; }
  std::string text() const;
};

struct SolveReport {
  enum class Reason { done, inaccurate, not_finite } reason = Reason::done;
  double backward_error = -1;  // |b - A x| / (|A| |x| + |b|), maximum norms; -1: not measured (LLt needs no check)
  bool ok() const { return reason == Reason::done; }
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;
  // Once per pattern, before factor(). Throws RunError when memory or 32-bit indices do not suffice.
  virtual void analyse(const SparsePattern& pattern) = 0;
  [[nodiscard]] virtual FactorReport factor(const std::vector<double>& values) = 0;
  // x may be b. Allowed while the last factor() was usable.
  [[nodiscard]] virtual SolveReport solve(const std::vector<double>& b, std::vector<double>& x) = 0;
};

// "cholmod" (symmetric, LLt, positive definite), "cholmod_ldl" (symmetric, LDLt without pivoting), "umfpack"
// (unsymmetric LU; takes symmetric patterns too). Throws InputError for an unknown name.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

// The backends.
std::unique_ptr<LinearSolver> make_cholmod(bool positive_definite);
std::unique_ptr<LinearSolver> make_umfpack();

// A pivot below this share of its column's largest entry carries no digit that means anything. Mechanisms gave 1e-31 to
// 5e-15, supported structures of slenderness 1000 and cables of 1e5 nothing below 1e-9 (explored with the statics).
inline constexpr double singular_pivot = 1e-13;

// While it lives, BLAS runs on one thread: results do not depend on the number of cores, and small dense blocks do not
// pay for waking threads.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int before_ = 0;
};

}  // namespace lithe
