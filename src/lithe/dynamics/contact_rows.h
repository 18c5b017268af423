// Relative velocities of points of contact over the unknowns, U = H (w + x), and W = H A^-1 H^T by the blocks of a half
// step, less what rows of constraints hold:
//
//   W = H A^-1 H^T - C W_r^-1 C^T,    C = H A^-1 H_r^T,
//
// so that contacts see joints as they are, exactly (delassus.h has W_r and the rows H_r). Every block, and every
// cluster of blocks that rows join, gives a small dense matrix over the contacts that touch it; W is their sum. Where A
// does not change (co-rotated bodies) columns of A^-1 are kept and the matrix is read off (kept_inverse.h).
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/contact/contact_problem.h"
#include "lithe/dynamics/delassus.h"
#include "lithe/dynamics/kept_inverse.h"
#include "lithe/system/contact_surfaces.h"
#include "lithe/system/pattern.h"

namespace lithe {

// Unit vectors of a contact: its normal, from b to a, and two tangents.
using ContactFrame = std::array<Vec3<double>, 3>;
ContactFrame frame_of_normal(const Vec3<double>& normal);

class ContactRows {
 public:
  ContactRows(const System& system, std::vector<StepBlocks*> kinds, Delassus& rows);

  // H at the middle of a step.
  void set(const HalfStep& step, const std::vector<ContactPoint>& points);
  // One more contact with one row, `component` of its three: gradient[k] over the k-th of these vectors.
  template <class ForVectors>
  void add_row(const HalfStep& step, int component, ForVectors&& for_vectors) {
    const int contact = count();
    frames_.push_back({});
    const auto begin = static_cast<std::int32_t>(unknown_.size());
    for_vectors([&](int vector, const Vec3<double>& gradient) {
      add_vector(step, vector, begin, component, component + 1, [&](int) { return gradient; });
    });
    add_parts(begin, contact);
  }
  int count() const { return static_cast<int>(frames_.size()); }
  const ContactFrame& frame(int contact) const { return frames_[contact]; }
  // W into `problem`, with its pattern.
  void make_operator(ContactProblem& problem);
  // U += H x, U [contact][3].
  void add_velocities(const std::vector<double>& x, std::vector<double>& U) const;
  // x += A^-1 H^T R; what rows answer to that is theirs.
  void add(const std::vector<double>& R, std::vector<double>& x);

 private:
  // What a contact has in a block of A: entries of its three rows over unknowns.
  struct Part {
    int contact;
    std::int32_t first, last;  // entries
  };
  struct Block {
    StepBlocks* kind;
    int number, first, size;
    std::vector<Part> parts;
    std::vector<std::int32_t> vectors;  // constant A: that contacts touch, in threes of unknowns
  };
  int block_of(int unknown);
  void add_side(const HalfStep& step, const ContactSide& side, double sign, int contact);
  template <class Row>
  void add_vector(const HalfStep& step, int vector, std::int32_t begin, int first, int last, Row&& row) {
    for_masters(system_, vector, [&](int own, double share) {
      const BodyMap::Range range = system_.map.moved_by(own);
      if (range.count == 0 || share == 0) return;
      auto at = static_cast<std::size_t>(begin);
      while (at < unknown_.size() && unknown_[at] != range.first) ++at;
      if (at == unknown_.size())
        for (int k = 0; k < range.count; ++k) {
          unknown_.push_back(range.first + k);
          value_.push_back({});
        }
      room_.resize(range.count);
      for (int d = first; d < last; ++d) {
        std::ranges::fill(room_, 0.0);
        system_.map.pull(step.middle.slots, own, share * row(d), room_.data());
        for (int k = 0; k < range.count; ++k) value_[at + k][d] += room_[k];
      }
    });
  }
  void add_parts(std::int32_t begin, int contact);
  void keep_columns();
  void arrange(ContactProblem& problem);
  void add_block(const Block& block);
  void add_kept_block(const Block& block);
  void take_rows_away(int cluster, const std::vector<std::pair<int, const Part*>>& parts);
  void scatter(const std::vector<std::int32_t>& contacts, ContactProblem& problem);

  const System& system_;
  std::vector<StepBlocks*> kinds_;
  Delassus& rows_;
  std::vector<ContactFrame> frames_;
  std::vector<std::int32_t> unknown_;         // [entry]
  std::vector<std::array<double, 3>> value_;  // [entry] of the three rows
  std::vector<Block> blocks_;                 // the first used_ of them are in use
  int used_ = 0;
  std::vector<std::int32_t> block_at_;  // [first unknown of a block] into blocks_, -1: none yet
  KeptInverse kept_;
  std::vector<KeptInverse::Need> needs_;
  bool keeps_ = false;                        // this step reads A^-1 off
  std::vector<std::pair<int, int>> touched_;  // pairs (cluster as -1 - cluster, or block; contact), sorted
  std::vector<std::int32_t> group_;           // [group + 1] into touched_: blocks and clusters
  std::vector<std::int32_t> in_group_;        // groups, contact by contact
  std::vector<std::int32_t> of_contact_;      // [contact] end of its groups
  std::vector<std::vector<std::pair<int, const Part*>>> parts_of_;  // [cluster] contact, part
  std::vector<std::int32_t> met_, stamp_, contacts_;
  std::vector<double> rates_, impulses_, own_;
  // Aligned: how Eigen adds up depends on where numbers are, and so would the last bits.
  AlignedVector<double> room_, image_, held_;
  AlignedVector<double> local_;  // [3 contact][3 contact] of a block or cluster
};

}  // namespace lithe
