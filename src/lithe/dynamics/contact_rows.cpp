#include "lithe/dynamics/contact_rows.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

ContactFrame frame_of_normal(const Vec3<double>& n) {
  int least = 0;
  for (int m = 1; m < 3; ++m)
    if (std::fabs(n[m]) < std::fabs(n[least])) least = m;
  Vec3<double> axis{};
  axis[least] = 1;
  const Vec3<double> t = unit(cross(axis, n));
  return {n, t, cross(n, t)};
}

ContactRows::ContactRows(const System& system, std::vector<StepBlocks*> kinds, Delassus& rows, Team& team)
    : system_(system),
      kinds_(std::move(kinds)),
      rows_(rows),
      team_(team),
      block_at_(system.map.size, -1),
      rooms_(team.size()) {}

int ContactRows::block_of(int unknown) {
  StepBlocks* kind = nullptr;
  int number = -1;
  for (StepBlocks* candidate : kinds_)
    if ((number = candidate->block_of(unknown)) >= 0) {
      kind = candidate;
      break;
    }
  LITHE_INVARIANT(number >= 0);
  const int first = kind->first(number);
  if (block_at_[first] < 0) {
    block_at_[first] = static_cast<std::int32_t>(blocks_.size());
    blocks_.push_back({kind, number, first, kind->size(number), 0, 0, 0, 0, 0});
  }
  return block_at_[first];
}

void ContactRows::set(const HalfStep& step, const std::vector<ContactPoint>& points) {
  for (const Block& block : blocks_) block_at_[block.first] = -1;
  blocks_.clear();
  part_.clear();
  frames_.clear();
  unknown_.clear();
  value_.clear();
  for (std::size_t c = 0; c < points.size(); ++c) {
    frames_.push_back(frame_of_normal(points[c].normal));
    add_side(step, points[c].a, 1, static_cast<int>(c));
    add_side(step, points[c].b, -1, static_cast<int>(c));
  }
}

void ContactRows::add_side(const HalfStep& step, const ContactSide& side, double sign, int contact) {
  const ContactFrame& frame = frames_[contact];
  const auto begin = static_cast<std::int32_t>(unknown_.size());
  system_.contact_surfaces->for_vectors(side, step.middle.q, [&](int vector, double weight) {
    if (weight != 0) add_vector(step, vector, begin, 0, 3, [&](int d) { return (sign * weight) * frame[d]; });
  });
  add_parts(begin, contact);
}

void ContactRows::add_parts(std::int32_t begin, int contact) {
  // Entries of one block stand together, as ranges of vectors came; a side may touch more than one.
  const auto end = static_cast<std::int32_t>(unknown_.size());
  for (std::int32_t e = begin; e < end;) {
    const int block = block_of(unknown_[e]);
    const std::int32_t first = e;
    while (e < end && unknown_[e] >= blocks_[block].first && unknown_[e] < blocks_[block].first + blocks_[block].size)
      ++e;
    if (!part_.empty() && part_.back().block == block && part_.back().contact == contact) part_.back().last = e;
    else part_.push_back({block, contact, first, e});
  }
}

// By block; contacts ascend in each.
void ContactRows::sort_parts() {
  of_contact_.assign(count() + 1, 0);
  for (Block& block : blocks_) block.parts = 0;
  for (const Part& part : part_) {
    ++of_contact_[part.contact + 1];
    ++blocks_[part.block].parts;
  }
  for (int c = 0; c < count(); ++c) of_contact_[c + 1] += of_contact_[c];
  std::int32_t at = 0;
  std::size_t pair = 0;
  for (Block& block : blocks_) {
    block.part = at;
    block.pair = pair;
    const auto n = static_cast<std::size_t>(block.parts);
    at += block.parts;
    pair += padded(9 * n * (n + 1) / 2);
    block.parts = 0;
  }
  pairs_.resize(pair);
  by_block_.resize(part_.size());
  in_block_.resize(part_.size());
  for (std::size_t p = 0; p < part_.size(); ++p) {
    Block& block = blocks_[part_[p].block];
    in_block_[p] = block.parts++;
    by_block_[block.part + in_block_[p]] = static_cast<std::int32_t>(p);
  }
}

void ContactRows::add_velocities(const std::vector<double>& x, std::vector<double>& U) const {
  for (const Part& part : part_)
    for (std::int32_t e = part.first; e < part.last; ++e)
      for (int d = 0; d < 3; ++d) U[3ul * part.contact + d] += value_[e][d] * x[unknown_[e]];
}

void ContactRows::add(const std::vector<double>& R, std::vector<double>& x) {
  for (const Block& block : blocks_) {
    force_.assign(block.size, 0.0);
    for (int k = 0; k < block.parts; ++k) {
      const Part& part = part_of(block, k);
      for (std::int32_t e = part.first; e < part.last; ++e)
        for (int d = 0; d < 3; ++d) force_[unknown_[e] - block.first] += value_[e][d] * R[3ul * part.contact + d];
    }
    if (is_kept(block)) {
      const KeptInverse::Family& kept = kept_.of(block.kind, block.number);
      for (int i = 0; i < block.vectors; ++i) {
        const int v = vectors_[block.vector + i];
        for (int k = 0; k < 3; ++k) {
          const double force = force_[3ul * v + k], *column = kept.column(3 * v + k);
          for (int j = 0; j < block.size; ++j) x[block.first + j] += force * column[j];
        }
      }
      continue;
    }
    block.kind->apply_inverse(block.number, 1, force_.data());
    for (int i = 0; i < block.size; ++i) x[block.first + i] += force_[i];
  }
}

}  // namespace lithe
