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
  enum class Reason { done, not_positive_definite, singular, out_of_memory, failed } reason = Reason::done;
  int negative_pivots = -1;     // of a symmetric factorisation, -1: not known
  double reciprocal_condition = 0;
  bool ok() const { return reason == Reason::done; }
  std::string text() const;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual const char* name() const = 0;
  virtual void analyse(const SparsePattern& pattern) = 0;
  [[nodiscard]] virtual FactorReport factor(const std::vector<double>& values) = 0;
  virtual void solve(const std::vector<double>& b, std::vector<double>& x) = 0;
};

// "cholmod" (symmetric, LLt, positive definite), "cholmod_ldl" (symmetric, LDLt without pivoting), "umfpack"
// (unsymmetric LU; takes symmetric patterns too). Throws InputError for an unknown name.
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name);

}  // namespace lithe
