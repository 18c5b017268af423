// Indices of 32 bits while they suffice: half the memory of the others beside every entry of the factors. A solver that
// has both forms is a template over its index and throws TooManyEntries from analyse() or factor() of the narrow one.
#pragma once

#include <memory>

#include "lithe/linalg/choose_solver.h"
#include "lithe/linalg/full_pattern.h"
#include "lithe/linalg/linear_solver.h"

namespace lithe {

template <template <class> class Solver>
class WidthBySize final : public LinearSolver {
 public:
  WidthBySize(const SolverInfo& info, const SolverOptions& options)
      : info_(info), options_(options), solver_(std::make_unique<Solver<std::int32_t>>(info, options)) {}

  const char* name() const override { return info_.name.c_str(); }
  void analyse(const SparsePattern& pattern) override {
    pattern_ = pattern;
    if (wide_) solver_ = std::make_unique<Solver<std::int32_t>>(info_, options_);
    wide_ = false;
    try {
      solver_->analyse(pattern);
    } catch (const TooManyEntries&) {
      widen();
    }
  }
  [[nodiscard]] FactorReport factor(const std::vector<double>& values) override {
    try {
      return solver_->factor(values);
    } catch (const TooManyEntries&) {
      widen();
      return solver_->factor(values);
    }
  }
  const std::vector<double>* pivot_values() const override { return solver_->pivot_values(); }
  int pivot_choices() const override { return solver_->pivot_choices(); }
  double factor_flops() const override { return solver_->factor_flops(); }
  double factor_nonzeros() const override { return solver_->factor_nonzeros(); }
  int index_bits() const override { return wide_ ? 64 : 32; }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    return solver_->solve(b, x, request);
  }

 private:
  void widen() {
    solver_ = std::make_unique<Solver<std::int64_t>>(info_, options_);
    wide_ = true;
    solver_->analyse(pattern_);
  }

  const SolverInfo& info_;
  const SolverOptions options_;
  SparsePattern pattern_;
  std::unique_ptr<LinearSolver> solver_;
  bool wide_ = false;
};

// For libraries that know 32 bits alone and might wrap around: refuses what they cannot count, by AMD's count.
inline void require_narrow_factors(const std::string& solver, const SparsePattern& pattern, std::int64_t narrow) {
  const double n = pattern.size;
  if (n * n <= static_cast<double>(narrow)) return;
  const double entries = 2 * count_factors(pattern, narrow).nonzeros;
  if (entries > static_cast<double>(narrow))
    throw TooManyEntries("the factors of " + solver + " would have about " +
                         std::to_string(static_cast<std::int64_t>(entries)) +
                         " entries, more than its indices of 32 bits count (" + std::to_string(narrow) +
                         "); use cholmod, klu, mumps or umfpack");
}

}  // namespace lithe
