// A sparse matrix in lines: `side` rows of one column that fill a cache line, or a register. What factors and spikes
// leave empty is left out line by line: in a skyline of P3's net four lines of ten are zeros, in its spikes most are
// nothing beside rounding. A product reads what is kept once, from one end to the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lithe/base/aligned.h"

namespace lithe {

template <class T>
class Lines {
 public:
  static constexpr int side = 64 / sizeof(T);
  using Line [[gnu::vector_size(64)]] = T;
  static Line load(const T* p) {
    Line line;
    std::memcpy(&line, p, sizeof line);
    return line;
  }
  static void store(T* p, const Line& line) { std::memcpy(p, &line, sizeof line); }

  void clear() {
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
  }
  // Of the strip of rows at hand, by ascending columns; left out where no magnitude is above `least`.
  void add(std::int32_t column, const T* line, T least) {
    bool empty = true;
    for (int i = 0; i < side; ++i) empty = empty && std::abs(line[i]) <= least;  // NaN is kept
    if (empty) return;
    column_.push_back(column);
    value_.insert(value_.end(), line, line + side);
  }
  void end_strip() { start_.push_back(static_cast<std::int64_t>(column_.size())); }
  // rows x columns, [column][row].
  void take(const T* numbers, int rows, int columns, T least) {
    clear();
    T line[side];
    for (int first = 0; first < rows; first += side) {
      const int filled = std::min(side, rows - first);
      std::fill(line + filled, line + side, T(0));
      for (int j = 0; j < columns; ++j) {
        std::copy_n(numbers + static_cast<std::size_t>(j) * rows + first, filled, line);
        add(j, line, least);
      }
      end_strip();
    }
  }

  int strips() const { return static_cast<int>(start_.size()) - 1; }
  // Numbers of T that a product reads, places of lines among them.
  std::size_t numbers() const { return value_.size() + column_.size() * sizeof(std::int32_t) / sizeof(T); }

  // A strip of A x.
  Line product(int strip, const T* x) const {
    Line sum[4] = {};
    const std::int32_t* column = column_.data();
    const T* value = value_.data();
    std::int64_t p = start_[strip];
    const std::int64_t end = start_[strip + 1];
    for (; p + 4 <= end; p += 4)
      for (int k = 0; k < 4; ++k) sum[k] += load(value + (p + k) * side) * x[column[p + k]];
    for (; p < end; ++p) sum[0] += load(value + p * side) * x[column[p]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  // x -= A_strip^T y.
  void subtract_transposed(int strip, const Line& y, T* x) const {
    for (std::int64_t p = start_[strip]; p < start_[strip + 1]; ++p) {
      const Line products = load(value_.data() + p * side) * y;
      T sum = 0;
      for (int i = 0; i < side; ++i) sum += products[i];
      x[column_[p]] -= sum;
    }
  }
  // c -= A_strip X of `side` right-hand sides, [row][right-hand side]; rows of X before `first` are left out.
  void subtract_panel(int strip, const T* x, std::int32_t first, T* c) const {
    constexpr int together = 8;  // rows whose sums stay in registers
    const auto column = column_.begin();
    const std::int64_t begin = std::lower_bound(column + start_[strip], column + start_[strip + 1], first) - column;
    for (int i = 0; i < side; i += together) {
      Line sum[together] = {};
      for (std::int64_t p = begin; p < start_[strip + 1]; ++p) {
        const Line row = load(x + static_cast<std::size_t>(column_[p]) * side);
        const T* const value = value_.data() + p * side + i;
        for (int k = 0; k < together; ++k) sum[k] += row * value[k];
      }
      for (int k = 0; k < together; ++k) store(c + (i + k) * side, load(c + (i + k) * side) - sum[k]);
    }
  }

 private:
  std::vector<std::int64_t> start_{0};  // [strip + 1]
  std::vector<std::int32_t> column_;    // [line]
  AlignedVector<T> value_;              // [line][row]
};

}  // namespace lithe
