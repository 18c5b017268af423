// Factors of a symmetric positive definite matrix that falls into parts which no entry couples. Equal parts share one
// factor and are solved side by side, so that an entry of it is read once for all of them: a mass matrix falls into x,
// y and z wherever these are held alike, a forest into its trees.
//
// Parts are equal where their matrices are, bit by bit, unknowns in ascending order. The parts that occur m times each
// are put together, one of each, as one block-diagonal matrix with m right-hand sides: as many factorisations as there
// are different m.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lithe/linalg/linear_solver.h"

namespace lithe {

class PartFactors {
 public:
  // Of the upper triangle over a symmetric pattern; entries that are zero couple nothing.
  PartFactors(const SparsePattern& pattern, const std::vector<double>& values);
  ~PartFactors();
  PartFactors(PartFactors&&) noexcept;
  PartFactors& operator=(PartFactors&&) noexcept;

  // Not ok: where a pivot is not positive, `column` in the whole matrix.
  const FactorReport& report() const { return report_; }
  // x = A^-1 b; x may be b.
  void solve(std::span<const double> b, std::span<double> x);

  int parts() const { return parts_; }
  int factored() const;     // parts that were factored, each for all that are equal to it
  double nonzeros() const;  // of all factors
  double solved() const;    // the same, each as often as it is used in a solve
  double flops() const;     // of the factorisations

 private:
  struct Bunch;  // parts that occur equally often
  std::vector<Bunch> bunches_;
  FactorReport report_;
  int parts_ = 0;
};

}  // namespace lithe
