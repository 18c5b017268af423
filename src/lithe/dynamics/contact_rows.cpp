#include "lithe/dynamics/contact_rows.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

namespace {
constexpr int at_once = 96;  // columns of A^-1 H^T in memory
}

ContactFrame frame_of_normal(const Vec3<double>& n) {
  int least = 0;
  for (int m = 1; m < 3; ++m)
    if (std::fabs(n[m]) < std::fabs(n[least])) least = m;
  Vec3<double> axis{};
  axis[least] = 1;
  const Vec3<double> t = unit(cross(axis, n));
  return {n, t, cross(n, t)};
}

ContactRows::ContactRows(const System& system, std::vector<StepBlocks*> kinds, Delassus& rows)
    : system_(system), kinds_(std::move(kinds)), rows_(rows), block_at_(system.map.size, -1) {}

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
    if (used_ == static_cast<int>(blocks_.size())) blocks_.emplace_back();
    Block& block = blocks_[used_];
    block.kind = kind;
    block.number = number;
    block.first = first;
    block.size = kind->size(number);
    block.parts.clear();
    block_at_[first] = used_++;
  }
  return block_at_[first];
}

void ContactRows::set(const HalfStep& step, const std::vector<ContactPoint>& points) {
  for (int b = 0; b < used_; ++b) block_at_[blocks_[b].first] = -1;
  used_ = 0;
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
    blocks_[block].parts.push_back({contact, first, e});
  }
}

// Contacts that meet in a block, or in blocks that rows join, are neighbours in W.
void ContactRows::arrange(ContactProblem& problem) {
  touched_.clear();
  for (int b = 0; b < used_; ++b) {
    const int cluster = rows_.cluster(blocks_[b].first);
    for (const Part& part : blocks_[b].parts) touched_.emplace_back(cluster >= 0 ? -1 - cluster : b, part.contact);
  }
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  std::vector<std::vector<std::int32_t>> columns(count());
  for (auto first = touched_.begin(); first != touched_.end();) {
    auto last = first;
    while (last != touched_.end() && last->first == first->first) ++last;
    for (auto row = first; row != last; ++row)
      for (auto column = first; column != last; ++column) columns[row->second].push_back(column->second);
    first = last;
  }
  problem.row_start.assign(1, 0);
  problem.column.clear();
  for (int c = 0; c < count(); ++c) {
    columns[c].push_back(c);
    std::ranges::sort(columns[c]);
    columns[c].erase(std::unique(columns[c].begin(), columns[c].end()), columns[c].end());
    problem.column.insert(problem.column.end(), columns[c].begin(), columns[c].end());
    problem.row_start.push_back(static_cast<std::int32_t>(problem.column.size()));
  }
  problem.W.assign(9 * problem.column.size(), 0.0);
}

double* ContactRows::place(ContactProblem& problem, int row, int column) const {
  const auto first = problem.column.begin() + problem.row_start[row],
             last = problem.column.begin() + problem.row_start[row + 1];
  return &problem.W[9ul * (std::lower_bound(first, last, column) - problem.column.begin())];
}

void ContactRows::add_block(const Block& block, ContactProblem& problem) {
  const int parts = static_cast<int>(block.parts.size());
  for (int from = 0; from < parts; from += at_once / 3) {
    const int many = std::min(at_once / 3, parts - from);
    room_.assign(3ul * many * block.size, 0.0);
    for (int k = 0; k < many; ++k) {
      const Part& part = block.parts[from + k];
      for (int d = 0; d < 3; ++d)
        for (std::int32_t e = part.first; e < part.last; ++e)
          room_[(3ul * k + d) * block.size + unknown_[e] - block.first] += value_[e][d];
    }
    block.kind->apply_inverse(block.number, 3 * many, room_.data());
    for (int k = 0; k < many; ++k)
      for (const Part& other : block.parts) {
        double* W = place(problem, other.contact, block.parts[from + k].contact);
        for (int d = 0; d < 3; ++d) {
          const double* image = &room_[(3ul * k + d) * block.size];
          for (std::int32_t e = other.first; e < other.last; ++e) {
            const double z = image[unknown_[e] - block.first];
            for (int i = 0; i < 3; ++i) W[3 * i + d] += value_[e][i] * z;
          }
        }
      }
  }
}

void ContactRows::take_rows_away(ContactProblem& problem) {
  coupled_.resize(3ul * count());
  for (auto first = touched_.begin(); first != touched_.end() && first->first < 0;) {
    auto last = first;
    while (last != touched_.end() && last->first == first->first) ++last;
    for (auto c = first; c != last; ++c)
      for (int d = 0; d < 3; ++d) {
        std::vector<double>& rates = coupled_[3ul * c->second + d];
        rates.assign(rows_.count(), 0.0);
        for (int b = 0; b < used_; ++b) {
          if (-1 - rows_.cluster(blocks_[b].first) != first->first) continue;
          for (const Part& part : blocks_[b].parts)
            if (part.contact == c->second)
              for (std::int32_t e = part.first; e < part.last; ++e) rows_.couple(unknown_[e], value_[e][d], rates);
        }
      }
    for (auto c = first; c != last; ++c)
      for (int d = 0; d < 3; ++d) {
        rows_.solve(coupled_[3ul * c->second + d], answer_);
        for (auto other = first; other != last; ++other) {
          double* W = place(problem, other->second, c->second);
          for (int i = 0; i < 3; ++i) {
            const std::vector<double>& rates = coupled_[3ul * other->second + i];
            double sum = 0;
            for (std::size_t r = 0; r < rates.size(); ++r) sum += rates[r] * answer_[r];
            W[3 * i + d] += sum;
          }
        }
      }
    first = last;
  }
}

void ContactRows::make_operator(ContactProblem& problem) {
  arrange(problem);
  for (int b = 0; b < used_; ++b) add_block(blocks_[b], problem);
  take_rows_away(problem);
  // Symmetric to the last bit, whatever order its halves were added up in.
  for (int c = 0; c < count(); ++c)
    for (std::int32_t k = problem.row_start[c]; k < problem.row_start[c + 1]; ++k) {
      double *one = &problem.W[9ul * k], *other = place(problem, problem.column[k], c);
      if (problem.column[k] > c) continue;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) one[3 * i + j] = other[3 * j + i] = 0.5 * (one[3 * i + j] + other[3 * j + i]);
    }
}

void ContactRows::add_velocities(const std::vector<double>& x, std::vector<double>& U) const {
  for (int b = 0; b < used_; ++b)
    for (const Part& part : blocks_[b].parts)
      for (std::int32_t e = part.first; e < part.last; ++e)
        for (int d = 0; d < 3; ++d) U[3ul * part.contact + d] += value_[e][d] * x[unknown_[e]];
}

void ContactRows::add(const std::vector<double>& R, std::vector<double>& x) {
  for (int b = 0; b < used_; ++b) {
    const Block& block = blocks_[b];
    room_.assign(block.size, 0.0);
    for (const Part& part : block.parts)
      for (std::int32_t e = part.first; e < part.last; ++e)
        for (int d = 0; d < 3; ++d) room_[unknown_[e] - block.first] += value_[e][d] * R[3ul * part.contact + d];
    block.kind->apply_inverse(block.number, 1, room_.data());
    for (int i = 0; i < block.size; ++i) x[block.first + i] += room_[i];
  }
}

}  // namespace lithe
