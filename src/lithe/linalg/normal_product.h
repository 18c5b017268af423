// J^T diag(a) J for a J of constant sparse pattern, added into a matrix of constant pattern: the rank-k update of P4,
// section 4.1, first optimisation.
//
// Row r of J with entries v_c in columns j_c contributes
//   N(j_b, j_c) += w_r v_b v_c,   w_r = factor a_r,
// so the product is a sum over rows of small dense blocks, and all that a sparse library has to search for is where the
// entries of a block stand. They are found once. At run time one stream of numbers is read from front to back:
//   row r, place of v_0, places of the block's entries.
// Rows of equal length m are treated together by a loop that is unrolled for m. Where the columns of a row are
// neighbours in the target (the coordinates of one or two points), an entry of the stream serves a whole column of the
// block: m places instead of m (m + 1) / 2, and vector instructions.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe {

class NormalProduct {
 public:
  // Upper triangle or all entries, as the target stores them. Throws InputError when the target lacks an entry.
  NormalProduct(const RowPattern& jacobian, const SparsePattern& target);

  // target += factor J^T diag(a) J. Takes no memory. The order of summation is fixed.
  void add(std::span<const double> jacobian, std::span<const double> a, double factor, std::span<double> target) const;

  // Pattern of J^T J, diagonal included.
  static SparsePattern pattern(const RowPattern& jacobian, bool symmetric);

 private:
  struct Group {  // rows of one length
    int length = 0, count = 0;
    bool contiguous = false;           // each column of the block is contiguous in the target
    std::vector<std::int32_t> stream;  // [count][row, place of its first value, places in the target]
  };

  bool symmetric_;
  std::size_t jacobian_nonzeros_, rows_, target_nonzeros_;
  std::vector<Group> groups_;
};

}  // namespace lithe
