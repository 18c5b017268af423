// How the work of an evaluation is cut for threads. Packs of elements, springs, moments, sides under pressure and rows
// of constraints are spread over a fixed number of chunks. A chunk runs on one thread, in a fixed order, and chunks run
// side by side without locks: what one chunk alone writes (a vector's force, a block of the matrix) it adds in place,
// what several write each adds to slots of its own, which are summed afterwards in the order of the chunks. So an
// evaluation has two passes whatever the mesh looks like, a rigid body that everything hangs on costs a few slots, and
// the result does not depend on the number of threads, bit by bit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lithe/base/small.h"

namespace lithe {

struct System;

// Lists one after another: those of number i from start[i] to start[i + 1].
template <class T>
struct Lists {
  std::vector<int> start{0};
  std::vector<T> items;
  const T* begin(int i) const { return items.data() + start[i]; }
  const T* end(int i) const { return items.data() + start[i + 1]; }
  int size(int i) const { return start[i + 1] - start[i]; }
  int count() const { return static_cast<int>(start.size()) - 1; }
  void close() { start.push_back(static_cast<int>(items.size())); }
};

struct PackRange {
  int batch, first, last;  // packs from first to last - 1
};
struct ColumnRange {
  int first, last;
};
using VectorPair = std::array<std::int32_t, 2>;  // row, column

struct Chunks {
  int count = 1;
  Lists<PackRange> packs;                               // [chunk]
  Lists<int> springs, moments, pressure, heated, rows;  // [chunk]
  // Of all of them, roughly: of the matrix, internal and applied forces, and the stiffness of rows.
  double tangent_flops = 0, force_flops = 0, load_flops = 0, row_flops = 0;

  std::vector<std::uint8_t> shared;  // [vector] written by several chunks
  Lists<int> force_slots;            // [chunk] the shared vectors it writes, ascending: a slot each
  std::vector<int> summed_vectors;   // shared ones, ascending
  Lists<int> force_sums;             // [of summed_vectors] its slots, in the order of the chunks

  Lists<VectorPair> block_slots;         // [chunk] pairs of shared vectors with unknowns that it writes, ascending
  std::vector<VectorPair> summed_pairs;  // ascending
  std::vector<std::int32_t> summed_at;   // [of summed_pairs] its place in the columns (block_offset)
  Lists<int> block_sums;                 // [of summed_pairs] its slots

  Lists<ColumnRange> columns;               // [chunk] unknowns whose columns of the matrix it alone writes
  std::vector<ColumnRange> common_columns;  // the others

  int force_slot(int chunk, int vector) const;
  int block_slot(int chunk, int row, int column) const;
};

// After the pattern: chunks, `most` at most, and in every batch where its packs write.
inline constexpr int most_chunks = 64;
void cut_into_chunks(System& system, int most = most_chunks);

// Where a chunk adds forces: over all coordinates, or into its slots.
class ForceSink {
 public:
  explicit ForceSink(std::vector<double>& force) : force_(force.data()) {}  // all in place
  ForceSink(const Chunks& chunks, int chunk, double* force, double* slots)
      : chunks_(chunks.shared.empty() ? nullptr : &chunks), chunk_(chunk), force_(force), slots_(slots) {}
  void add(int vector, const Vec3<double>& f) const {
    double* to = force_ + 3ul * vector;
    if (chunks_ && chunks_->shared[vector]) to = slots_ + 3ul * chunks_->force_slot(chunk_, vector);
    for (int m = 0; m < 3; ++m) to[m] += f[m];
  }

 private:
  const Chunks* chunks_ = nullptr;
  int chunk_ = 0;
  double *force_, *slots_ = nullptr;
};

// Where a chunk adds 3x3 blocks of the matrix, of pairs of vectors in global axes. Unsymmetric pattern: at (row,
// column) alone. Symmetric pattern: the block and its transpose, each unordered pair given once.
class TangentSink {
 public:
  TangentSink(const System& system, double* values) : system_(system), values_(values) {}  // all in place
  TangentSink(const System& system, int chunk, double* values, double* slots)
      : system_(system), chunk_(chunk), values_(values), slots_(slots) {}
  void add(int row, int column, const Mat3<double>& block) const { add(row, column, block, row == column); }
  void add(int row, int column, const Mat3<double>& block, bool diagonal) const;
  double* values() const { return values_; }
  double* slots() const { return slots_; }

 private:
  void put(int row, int column, double weight, const Mat3<double>& block, bool upper_only) const;

  const System& system_;
  int chunk_ = 0;
  double *values_, *slots_ = nullptr;
};

// At the place of (row, column), vectors with unknowns of their own; `upper_only`: a diagonal block of a symmetric
// pattern.
void put_block(const System& system, int row, int column, double weight, Mat3<double> block, bool upper_only,
               double* values);

}  // namespace lithe
