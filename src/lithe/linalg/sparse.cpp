#include "lithe/linalg/sparse.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lithe {

namespace {

template <class Index, class Value>
void multiply_with(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                   const std::vector<double>& x, std::vector<double>& y, Value value) {
  y.assign(pattern.size, 0.0);
  for (int j = 0; j < pattern.size; ++j) {
    const double xj = value(x[j]);
    double sum = 0;
    for (Index p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      const Index i = pattern.row[p];
      const double a = value(values[p]);
      y[i] += a * xj;
      if (pattern.symmetric && i != j) sum += a * value(x[i]);
    }
    y[j] += sum;
  }
}

int search(const std::vector<std::int32_t>& numbers, int begin, int end, int wanted) {
  const auto first = numbers.begin() + begin, last = numbers.begin() + end;
  const auto found = std::lower_bound(first, last, wanted);
  return found != last && *found == wanted ? static_cast<int>(found - numbers.begin()) : -1;
}

}  // namespace

int position(const SparsePattern& pattern, int i, int j) {
  if (pattern.symmetric && i > j) std::swap(i, j);
  return search(pattern.row, pattern.column_start[j], pattern.column_start[j + 1], i);
}

int position(const RowPattern& pattern, int i, int j) {
  return search(pattern.column, pattern.row_start[i], pattern.row_start[i + 1], j);
}

template <class Index>
void multiply(const SparsePatternOf<Index>& pattern, const std::vector<double>& values, const std::vector<double>& x,
              std::vector<double>& y) {
  multiply_with(pattern, values, x, y, [](double a) { return a; });
}

template <class Index>
void multiply_transposed(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                         const std::vector<double>& x, std::vector<double>& y) {
  if (pattern.symmetric) return multiply(pattern, values, x, y);
  y.resize(pattern.size);
  for (int j = 0; j < pattern.size; ++j) {
    double sum = 0;
    for (Index p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) sum += values[p] * x[pattern.row[p]];
    y[j] = sum;
  }
}

template <class Index>
void multiply_absolute(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                       const std::vector<double>& x, std::vector<double>& y) {
  multiply_with(pattern, values, x, y, [](double a) { return std::abs(a); });
}

template <class Index>
void column_maxima(const SparsePatternOf<Index>& pattern, const std::vector<double>& values,
                   std::vector<double>& maxima) {
  maxima.assign(pattern.size, 0.0);
  for (int j = 0; j < pattern.size; ++j)
    for (Index p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      const double a = std::abs(values[p]);
      maxima[j] = std::max(maxima[j], a);
      if (pattern.symmetric) maxima[pattern.row[p]] = std::max(maxima[pattern.row[p]], a);
    }
}

bool all_finite(const std::vector<double>& x) {
  // On the exponent bits: no comparison of floating-point numbers, so that the loop becomes vector code.
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  std::uint64_t bad = 0;
  for (const double a : x) bad |= (std::bit_cast<std::uint64_t>(a) & exponent) == exponent;
  return !bad;
}

template <class Index>
int column_not_finite(const SparsePatternOf<Index>& pattern, const std::vector<double>& values) {
  if (all_finite(values)) return -1;
  for (int j = 0; j < pattern.size; ++j)
    for (Index p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (!std::isfinite(values[p])) return j;
  return -1;
}

#define LITHE_INSTANTIATE(Index)                                                                                \
  template void multiply(const SparsePatternOf<Index>&, const std::vector<double>&, const std::vector<double>&, \
                         std::vector<double>&);                                                                 \
  template void multiply_transposed(const SparsePatternOf<Index>&, const std::vector<double>&,                  \
                                    const std::vector<double>&, std::vector<double>&);                          \
  template void multiply_absolute(const SparsePatternOf<Index>&, const std::vector<double>&,                    \
                                  const std::vector<double>&, std::vector<double>&);                            \
  template void column_maxima(const SparsePatternOf<Index>&, const std::vector<double>&, std::vector<double>&); \
  template int column_not_finite(const SparsePatternOf<Index>&, const std::vector<double>&);
LITHE_INSTANTIATE(std::int32_t)
LITHE_INSTANTIATE(std::int64_t)
#undef LITHE_INSTANTIATE

}  // namespace lithe
