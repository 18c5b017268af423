// The pattern of the matrix with contacts: the System's, and pairs of vectors that meet in contacts. It is extended
// where a set of contacts outgrows it; each such pattern is an epoch, for which solvers analyse anew. Pairs that are
// not needed any more stay until they are most of them, so that what slides to and fro has one pattern. Vectors are
// those with unknowns of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/system/system.h"

namespace lithe {

class ContactPattern {
 public:
  using Pair = std::pair<std::int32_t, std::int32_t>;  // the smaller one first

  explicit ContactPattern(const System& system);
  // Is there a place for the block of these two?
  bool has(int vector, int other) const { return in_system(vector, other) || in_pairs(vector, other); }
  bool in_system(int vector, int other) const;
  // From now on there is one for all of these, which the System has not.
  void cover(std::vector<Pair>& needed);
  // Exactly these, as they were in another run.
  void set(const std::vector<Pair>& pairs);
  const std::vector<Pair>& pairs() const { return pairs_; }
  int epochs() const { return epochs_; }

  const std::shared_ptr<const SparsePattern>& pattern() const { return pattern_; }
  // Values over the System's pattern, over this one.
  void spread(const std::vector<double>& of_system, std::vector<double>& values) const;
  // A block in global axes at (row, column); of a symmetric pattern what is below the diagonal is left out.
  void add(int row, int column, const Mat3<double>& block, double* values) const;

 private:
  bool in_pairs(int vector, int other) const;
  void make();

  const System& system_;
  std::vector<Pair> pairs_;  // ascending
  std::shared_ptr<const SparsePattern> pattern_;
  std::vector<std::int32_t> place_;  // [nonzero of the System's pattern]; empty: they are the same
  int epochs_ = 0;
};

}  // namespace lithe
