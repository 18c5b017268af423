#include "lithe/linalg/normal_product.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "lithe/base/error.h"

namespace lithe {

namespace {

constexpr int row_distance = 8;
constexpr int longest_unrolled = 12;  // two points of rigid bodies or gradients in space

template <int width>
struct VectorOf {
  typedef double type __attribute__((vector_size(8 * width), aligned(8), may_alias));
};
template <int width>
using Vector = typename VectorOf<width>::type;

// t += s v for the first `count` numbers of v.
template <int count, int width>
inline void add_part(double* t, Vector<width> v, double s) {
  if constexpr (count == width) {
    *reinterpret_cast<Vector<width>*>(t) += s * v;
  } else if constexpr (count > 0) {
    constexpr int half = width / 2;
    Vector<half> low, high;
    for (int k = 0; k < half; ++k) low[k] = v[k], high[k] = v[half + k];
    add_part<std::min(count, half), half>(t, low, s);
    if constexpr (count > half) add_part<count - half, half>(t + half, high, s);
  }
}

// The values of a row, in registers: compilers cannot know that the target does not overlap them, nor that the columns
// of a block do not overlap each other, so they would neither keep them nor use vector instructions.
template <int length>
struct Row {
  static constexpr int width = length >= 8 ? 8 : length >= 4 ? 4 : length >= 2 ? 2 : 1;
  explicit Row(const double* v) : head(*reinterpret_cast<const Vector<width>*>(v)), tail(v + width) {}
  template <int count>
  void add_to(double* t, double s) const {
    add_part<std::min(count, width), width>(t, head, s);
    if constexpr (count > width) tail.template add_to<count - width>(t + width, s);
  }
  Vector<width> head;
  Row<length - width> tail;
};
template <>
struct Row<0> {
  explicit Row(const double*) {}
};

// length 0: known at run time only.
template <int length, bool symmetric, bool contiguous>
void add_rows(int rows, int run_time_length, const std::int32_t* stream, const double* __restrict v, const double* a,
              double factor, double* __restrict target) {
  const int m = length > 0 ? length : run_time_length;
  for (int k = 0; k < rows; ++k) {
    const double w = factor * a[stream[0]];
    const double* row = v + stream[1];
    stream += 2;
    if constexpr (contiguous && length > 0) {
      const Row<length> values(row);
      double scaled[length];
      for (int c = 0; c < length; ++c) scaled[c] = w * row[c];
      [&]<int... c>(std::integer_sequence<int, c...>) {
        (values.template add_to < symmetric ? c + 1 : length > (target + stream[c], scaled[c]), ...);
      }
      (std::make_integer_sequence<int, length>());
      stream += length;
      continue;
    }
    for (int c = 0; c < m; ++c) {
      const double s = w * row[c];
      const int end = symmetric ? c + 1 : m;
      if constexpr (contiguous) {
        double* column = target + *stream++;
#pragma omp simd
        for (int b = 0; b < end; ++b) column[b] += s * row[b];
      } else {
        for (int b = 0; b < end; ++b) target[stream[b]] += s * row[b];
        stream += end;
      }
    }
  }
}

template <bool symmetric, bool contiguous, int length = 1>
void dispatch(int wanted, int rows, const std::int32_t* stream, const double* v, const double* a, double factor,
              double* target) {
  if constexpr (length > longest_unrolled) {
    add_rows<0, symmetric, contiguous>(rows, wanted, stream, v, a, factor, target);
  } else {
    if (wanted == length) add_rows<length, symmetric, contiguous>(rows, length, stream, v, a, factor, target);
    else dispatch<symmetric, contiguous, length + 1>(wanted, rows, stream, v, a, factor, target);
  }
}

}  // namespace

NormalProduct::NormalProduct(const RowPattern& jacobian, const SparsePattern& target)
    : symmetric_(target.symmetric),
      jacobian_nonzeros_(jacobian.nonzeros()),
      rows_(jacobian.rows),
      target_nonzeros_(target.nonzeros()) {
  require(jacobian.columns == target.size, "the Jacobian has " + std::to_string(jacobian.columns) +
                                               " columns, the matrix to add to " + std::to_string(target.size));
  std::map<std::pair<int, bool>, Group> groups;
  std::vector<std::int32_t> places;
  // Neighbouring rows often share coordinates. They are kept apart, so that a sum has reached the cache before the next
  // row adds to it: a processor that has to wait for its own store loses more than the whole row costs.
  std::vector<int> order;
  for (int first = 0; first < row_distance; ++first)
    for (int r = first; r < jacobian.rows; r += row_distance) order.push_back(r);
  for (const int r : order) {
    const int first = jacobian.row_start[r], length = jacobian.row_start[r + 1] - first;
    if (length == 0) continue;
    const std::int32_t* column = jacobian.column.data() + first;
    require(std::adjacent_find(column, column + length, std::greater_equal<>()) == column + length,
            "row " + std::to_string(r) + " of the Jacobian does not list its columns in ascending order");
    places.clear();
    bool contiguous = true;
    for (int c = 0; c < length; ++c)
      for (int b = 0; b < (symmetric_ ? c + 1 : length); ++b) {
        const int place = position(target, column[b], column[c]);
        require(place >= 0, "the matrix to add to lacks entry (" + std::to_string(column[b]) + ", " +
                                std::to_string(column[c]) + ") of the product");
        if (b > 0 && place != places.back() + 1) contiguous = false;
        places.push_back(place);
      }
    Group& group = groups[{length, contiguous}];
    group.length = length;
    group.contiguous = contiguous;
    ++group.count;
    group.stream.insert(group.stream.end(), {r, first});
    const std::int32_t* place = places.data();
    for (int c = 0; c < length; ++c) {
      const int entries = symmetric_ ? c + 1 : length;
      group.stream.insert(group.stream.end(), place, place + (contiguous ? 1 : entries));
      place += entries;
    }
  }
  for (auto& [shape, group] : groups) groups_.push_back(std::move(group));
}

void NormalProduct::add(std::span<const double> jacobian, std::span<const double> a, double factor,
                        std::span<double> target) const {
  LITHE_INVARIANT(jacobian.size() == jacobian_nonzeros_ && a.size() == rows_ && target.size() == target_nonzeros_);
  for (const Group& group : groups_) {
    const auto run = [&]<bool symmetric, bool contiguous>() {
      dispatch<symmetric, contiguous>(group.length, group.count, group.stream.data(), jacobian.data(), a.data(), factor,
                                      target.data());
    };
    if (symmetric_ && group.contiguous) run.template operator()<true, true>();
    else if (symmetric_) run.template operator()<true, false>();
    else if (group.contiguous) run.template operator()<false, true>();
    else run.template operator()<false, false>();
  }
}

SparsePattern NormalProduct::pattern(const RowPattern& jacobian, bool symmetric) {
  const int n = jacobian.columns;
  std::vector<std::vector<std::int32_t>> columns(n);
  for (int j = 0; j < n; ++j) columns[j].push_back(j);
  for (int r = 0; r < jacobian.rows; ++r)
    for (int c = jacobian.row_start[r]; c < jacobian.row_start[r + 1]; ++c)
      for (int b = jacobian.row_start[r]; b < jacobian.row_start[r + 1]; ++b)
        if (!symmetric || jacobian.column[b] < jacobian.column[c])
          columns[jacobian.column[c]].push_back(jacobian.column[b]);
  SparsePattern result{n, {0}, {}, symmetric};
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    result.row.insert(result.row.end(), column.begin(), column.end());
    result.column_start.push_back(static_cast<std::int32_t>(result.row.size()));
  }
  return result;
}

}  // namespace lithe
