// Relative velocities of points of contact over the unknowns, U = H (w + x), and W = H A^-1 H^T by the blocks of a half
// step, less what rows of constraints hold:
//
//   W = H A^-1 H^T - C W_r^-1 C^T,    C = H A^-1 H_r^T,
//
// so that contacts see joints as they are, exactly (delassus.h has W_r and the rows H_r). Every block, and every
// cluster of blocks that rows join, gives a small dense matrix over the contacts that touch it; W is their sum. Where A
// does not change (co-rotated bodies) columns of A^-1 are kept and the matrix is read off (kept_inverse.h).
//
// contact_rows.cpp makes the rows, contact_operator.cpp W: block by block on the team where blocks let it, then row by
// row, each row the sum of its blocks in their order: the same bits for any number of threads, and symmetric to the
// last. Memory is kept.
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
  ContactRows(const System& system, std::vector<StepBlocks*> kinds, Delassus& rows, Team& team);

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
    int block, contact;
    std::int32_t first, last;  // entries
  };
  struct Block {
    StepBlocks* kind;
    int number, first, size;
    std::int32_t part, parts;      // into by_block_, by contact
    std::int32_t vector, vectors;  // into vectors_: of constant A, that contacts touch, in threes of unknowns
    std::size_t pair;              // into pairs_: W of its parts k and l >= k, [k][l - k][3][3]
  };
  // What a thread works in. Aligned: how Eigen adds up depends on where numbers are, and so would the last bits.
  struct Room {
    AlignedVector<double> rows, image, dense;
    std::vector<std::int32_t> met, columns;
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
      pulled_.resize(range.count);
      for (int d = first; d < last; ++d) {
        std::ranges::fill(pulled_, 0.0);
        system_.map.pull(step.middle.slots, own, share * row(d), pulled_.data());
        for (int k = 0; k < range.count; ++k) value_[at + k][d] += pulled_[k];
      }
    });
  }
  void add_parts(std::int32_t begin, int contact);
  const Part& part_of(const Block& block, int k) const { return part_[by_block_[block.part + k]]; }
  bool is_kept(const Block& block) const { return keeps_ && block.kind->version() >= 0; }

  // ---- W ----
  void sort_parts();
  void keep_columns();
  void group_contacts();
  void arrange(ContactProblem& problem);
  void make_blocks();
  void make_block(const Block& block, Room& room);
  void make_dense_block(const Block& block, Room& room);
  void make_kept_block(const Block& block, Room& room);
  void rows_into(const Block& block, int from, int many, Room& room) const;
  double* pair(const Block& block, int k, int l) {
    const auto n = static_cast<std::size_t>(block.parts), at = static_cast<std::size_t>(k);
    return &pairs_[block.pair + 9 * (at * n - at * (at - 1) / 2 + l - k)];
  }
  void sum_row(int contact, ContactProblem& problem);
  void mirror_row(int contact, ContactProblem& problem) const;
  void take_rows_away(int cluster, const std::vector<std::pair<int, const Part*>>& parts);
  void scatter(const std::vector<std::int32_t>& contacts, ContactProblem& problem);
  template <class Task>
  void over_rows(Task&& task);

  const System& system_;
  std::vector<StepBlocks*> kinds_;
  Delassus& rows_;
  Team& team_;
  std::vector<ContactFrame> frames_;
  std::vector<std::int32_t> unknown_;         // [entry]
  std::vector<std::array<double, 3>> value_;  // [entry] of the three rows
  std::vector<Part> part_;                    // by contact
  std::vector<std::int32_t> of_contact_;      // [contact + 1] into part_
  std::vector<std::int32_t> by_block_;        // parts block by block
  std::vector<std::int32_t> in_block_;        // [part] which of its block's
  std::vector<Block> blocks_;
  std::vector<std::int32_t> block_at_;  // [first unknown of a block] into blocks_, -1: none yet
  KeptInverse kept_;
  std::vector<KeptInverse::Need> needs_;
  std::vector<std::int32_t> vectors_;
  bool keeps_ = false;  // this step reads A^-1 off
  // Blocks and clusters as groups of contacts.
  std::vector<std::int32_t> group_;                                 // [block] its group
  std::vector<std::int32_t> group_start_;                           // [group + 1] into met_
  std::vector<std::int32_t> met_;                                   // contacts
  std::vector<std::int32_t> room_start_;                            // [contact + 1] into columns_
  std::vector<std::int32_t> columns_;                               // neighbours of every contact, with gaps between
  std::vector<std::int32_t> task_;                                  // [task + 1] blocks that are made side by side
  std::vector<std::vector<std::pair<int, const Part*>>> parts_of_;  // [cluster] contact, part
  std::vector<std::int32_t> contacts_;
  std::vector<double> rates_, impulses_, own_, pulled_;
  AlignedVector<double> pairs_;
  AlignedVector<double> image_, held_, force_;
  AlignedVector<double> local_;  // [3 contact][3 contact] of a cluster
  std::vector<Room> rooms_;      // [thread]
};

}  // namespace lithe
