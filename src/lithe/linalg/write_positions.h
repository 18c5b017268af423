// Writing entries A(i, j) = a without searching for (i, j): the third optimisation of P4, section 4.1.
//
// Code that evaluates a Jacobian writes its entries in an order that never changes. It takes the writer as a template
// argument and calls write(i, j, value). A first pass with a WriteRecorder notes the pairs; from them come the pattern
// and the vector of places. In every later pass an EntryWriter puts the k-th value to positions[k] and looks at neither
// i nor j:
//   template <class Write> void jacobian(const double* q, Write& write) { write(0, 0, 2 * q[0]); ... }
//   WriteRecorder recorder;              jacobian(q, recorder);
//   const RowPattern pattern = recorder.row_pattern(rows, columns);
//   const auto positions = recorder.positions(pattern);
//   EntryWriter write(positions, values); jacobian(q, write);
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "lithe/base/error.h"
#include "lithe/linalg/sparse.h"

namespace lithe {

class WriteRecorder {
 public:
  void operator()(int i, int j, double) { writes_.emplace_back(i, j); }
  std::size_t writes() const { return writes_.size(); }

  // All pairs that were written.
  RowPattern row_pattern(int rows, int columns) const;
  // The same for a square matrix; symmetric: (i, j) and (j, i) are one entry of the upper triangle.
  SparsePattern pattern(int size, bool symmetric) const;

  // [write] place in the values of a pattern, which may have more entries. Throws InputError when it lacks one.
  std::vector<std::int32_t> positions(const RowPattern& pattern) const;
  std::vector<std::int32_t> positions(const SparsePattern& pattern) const;

 private:
  std::vector<std::pair<int, int>> writes_;  // (i, j), as they came
};

// The k-th value goes to positions[k]; of two writes to one entry the later one stays.
class EntryWriter {
 public:
  EntryWriter(std::span<const std::int32_t> positions, std::span<double> values)
      : next_(positions.data()), end_(positions.data() + positions.size()), values_(values.data()) {}
  void operator()(int, int, double a) {
    LITHE_DEBUG_CHECK(next_ != end_);
    values_[*next_++] = a;
  }
  bool complete() const { return next_ == end_; }

 private:
  const std::int32_t *next_, *end_;
  double* values_;
};

// The same, adding: for matrices that several sources write to.
class EntryAdder {
 public:
  EntryAdder(std::span<const std::int32_t> positions, std::span<double> values)
      : next_(positions.data()), end_(positions.data() + positions.size()), values_(values.data()) {}
  void operator()(int, int, double a) {
    LITHE_DEBUG_CHECK(next_ != end_);
    values_[*next_++] += a;
  }
  bool complete() const { return next_ == end_; }

 private:
  const std::int32_t *next_, *end_;
  double* values_;
};

}  // namespace lithe
