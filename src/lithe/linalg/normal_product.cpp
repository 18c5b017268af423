#include "lithe/linalg/normal_product.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "lithe/base/error.h"

namespace lithe {

namespace {

constexpr int longest_unrolled = 12;  // two points of rigid bodies or gradients in space

// length 0: known at run time only.
template <int length, bool symmetric, bool contiguous>
void add_rows(int rows, int run_time_length, const std::int32_t* stream, const double* __restrict v, const double* a,
              double factor, double* __restrict target) {
  const int m = length > 0 ? length : run_time_length;
  for (int k = 0; k < rows; ++k) {
    const double w = factor * a[stream[0]];
    const double* row = v + stream[1];
    stream += 2;
    for (int c = 0; c < m; ++c) {
      const double s = w * row[c];
      const int end = symmetric ? c + 1 : m;
      if constexpr (contiguous) {
        double* column = target + *stream++;
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
  for (int r = 0; r < jacobian.rows; ++r) {
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
