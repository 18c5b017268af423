// Small dense blocks, stored by rows, of the diagonal of a matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/linalg/krylov/row_matrix.h"

namespace lithe {

// Where the entries of diagonal blocks stand among the values of a RowMatrix.
struct BlockPlaces {
  std::vector<std::int64_t> start;  // [block + 1]
  std::vector<std::int32_t> place;  // [block][row][column]; -1: zero
  std::vector<std::int32_t> chunk;  // [chunk + 1] first block of what one thread takes at a time
  int largest = 0;                  // side
  std::size_t total() const { return place.size(); }
  void gather(int block, const std::vector<double>& values, double* out) const {
    for (std::int64_t p = start[block]; p < start[block + 1]; ++p) *out++ = place[p] >= 0 ? values[place[p]] : 0;
  }
};
BlockPlaces block_places(const UnknownBlocks& blocks, const RowPattern& pattern);

// (B + B^T) / 2.
void symmetrise(double* block, int m);
// B = L L^T, L in the lower triangle; -1, or the first row whose pivot is not positive against its diagonal entry.
[[nodiscard]] int cholesky(double* block, int m);
// L^-1 x and L^-T x in place.
void solve_lower(const double* l, int m, double* x);
void solve_lower_transposed(const double* l, int m, double* x);
// out = L^-1 by columns: each contiguous, zeros above its diagonal.
void invert_lower(const double* l, int m, double* out);
// y = K x and y = K^T x of a lower triangle K by columns.
inline void multiply_lower(const double* k, int m, const double* x, double* y) {
  for (int i = 0; i < m; ++i) y[i] = 0;
  for (int j = 0; j < m; ++j)
#pragma omp simd
    for (int i = j; i < m; ++i) y[i] += k[j * m + i] * x[j];
}
inline void multiply_lower_transposed(const double* k, int m, const double* x, double* y) {
  for (int j = 0; j < m; ++j) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = j; i < m; ++i) sum += k[j * m + i] * x[i];
    y[j] = sum;
  }
}
// out = (L L^T)^-1, symmetric to the bit.
void invert_cholesky(const double* l, int m, double* out);
// By Gauss and Jordan with row pivoting; false: singular.
[[nodiscard]] bool invert(double* block, int m);

}  // namespace lithe
