#include "lithe/dynamics/contact_rows.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd>;
constexpr int at_once = 96;  // columns of A^-1 H^T in memory

}  // namespace

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

void ContactRows::keep_columns() {
  needs_.clear();
  for (int b = 0; b < used_; ++b) {
    Block& block = blocks_[b];
    block.vectors.clear();
    if (block.kind->version() < 0) continue;
    for (const Part& part : block.parts)
      for (std::int32_t e = part.first; e < part.last; ++e) block.vectors.push_back((unknown_[e] - block.first) / 3);
    std::ranges::sort(block.vectors);
    block.vectors.erase(std::unique(block.vectors.begin(), block.vectors.end()), block.vectors.end());
    needs_.push_back({block.kind, block.number, &block.vectors});
  }
  keeps_ = kept_.hold(needs_);
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
    std::vector<Part>& parts = blocks_[block].parts;
    if (!parts.empty() && parts.back().contact == contact && parts.back().last == first) parts.back().last = e;
    else parts.push_back({contact, first, e});
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
  // Contact by contact through the groups that it is in.
  group_.clear();
  in_group_.clear();
  of_contact_.assign(count() + 1, 0);
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (i == 0 || touched_[i].first != touched_[i - 1].first) group_.push_back(static_cast<std::int32_t>(i));
    ++of_contact_[touched_[i].second + 1];
  }
  group_.push_back(static_cast<std::int32_t>(touched_.size()));
  for (int c = 0; c < count(); ++c) of_contact_[c + 1] += of_contact_[c];
  in_group_.resize(touched_.size());
  for (std::size_t g = 0; g + 1 < group_.size(); ++g)
    for (std::int32_t i = group_[g]; i < group_[g + 1]; ++i)
      in_group_[of_contact_[touched_[i].second]++] = static_cast<std::int32_t>(g);
  stamp_.assign(count(), -1);
  problem.row_start.assign(1, 0);
  problem.column.clear();
  for (int c = 0, from = 0; c < count(); from = of_contact_[c++]) {
    stamp_[c] = c;
    problem.column.push_back(c);
    for (int k = from; k < of_contact_[c]; ++k)
      for (std::int32_t i = group_[in_group_[k]]; i < group_[in_group_[k] + 1]; ++i) {
        const int other = touched_[i].second;
        if (stamp_[other] == c) continue;
        stamp_[other] = c;
        problem.column.push_back(other);
      }
    std::sort(problem.column.begin() + problem.row_start.back(), problem.column.end());
    problem.row_start.push_back(static_cast<std::int32_t>(problem.column.size()));
  }
  problem.W.assign(9 * problem.column.size(), 0.0);
}

// H A^-1 H^T of a block into local_, over its parts.
void ContactRows::add_block(const Block& block) {
  const int parts = static_cast<int>(block.parts.size()), size = block.size;
  local_.resize(9ul * parts * parts);
  Matrix W(local_.data(), 3l * parts, 3l * parts);
  const auto rows_of = [&](int from, int many) {  // columns of H^T
    room_.assign(3ul * many * size, 0.0);
    for (int k = 0; k < many; ++k) {
      const Part& part = block.parts[from + k];
      for (int d = 0; d < 3; ++d)
        for (std::int32_t e = part.first; e < part.last; ++e)
          room_[(3ul * k + d) * size + unknown_[e] - block.first] += value_[e][d];
    }
  };
  constexpr int small = 512;  // unknowns: all of H at once, as a dense matrix
  if (size <= small) {
    rows_of(0, parts);
    image_ = room_;
    block.kind->apply_inverse(block.number, 3 * parts, image_.data());
    W.noalias() = Matrix(room_.data(), size, 3l * parts).transpose() * Matrix(image_.data(), size, 3l * parts);
    return;
  }
  for (int from = 0; from < parts; from += at_once / 3) {
    const int many = std::min(at_once / 3, parts - from);
    rows_of(from, many);
    block.kind->apply_inverse(block.number, 3 * many, room_.data());
    for (int k = 0; k < 3 * many; ++k) {
      const double* image = &room_[static_cast<std::size_t>(k) * size];
      for (int l = 0; l < parts; ++l) {
        Vec3<double> sum{};
        for (std::int32_t e = block.parts[l].first; e < block.parts[l].last; ++e)
          for (int i = 0; i < 3; ++i) sum[i] += value_[e][i] * image[unknown_[e] - block.first];
        for (int i = 0; i < 3; ++i) W(3 * l + i, 3 * from + k) = sum[i];
      }
    }
  }
}

// The same from columns of A^-1 that are kept.
void ContactRows::add_kept_block(const Block& block) {
  const int parts = static_cast<int>(block.parts.size());
  local_.resize(9ul * parts * parts);
  Matrix W(local_.data(), 3l * parts, 3l * parts);
  const int met = 3 * static_cast<int>(block.vectors.size());
  met_.clear();  // [entry of the block] which of those met
  for (const Part& part : block.parts)
    for (std::int32_t e = part.first; e < part.last; ++e) {
      const int at = unknown_[e] - block.first;
      const auto found = std::ranges::lower_bound(block.vectors, at / 3);
      met_.push_back(static_cast<std::int32_t>(3 * (found - block.vectors.begin()) + at % 3));
    }
  room_.resize(met);
  const KeptInverse::Family& kept = kept_.of(block.kind, block.number);
  for (int k = 0; k < parts; ++k) {
    const Part& part = block.parts[k];
    for (int d = 0; d < 3; ++d) {
      std::ranges::fill(room_, 0.0);
      for (std::int32_t e = part.first; e < part.last; ++e) {
        const double value = value_[e][d];
        const double* column = kept.column(unknown_[e] - block.first);
        for (std::size_t v = 0; v < block.vectors.size(); ++v)
          for (int m = 0; m < 3; ++m) room_[3 * v + m] += value * column[3 * block.vectors[v] + m];
      }
      std::size_t at = 0;
      for (int l = 0; l < parts; ++l) {
        Vec3<double> sum{};
        for (std::int32_t e = block.parts[l].first; e < block.parts[l].last; ++e, ++at)
          for (int i = 0; i < 3; ++i) sum[i] += value_[e][i] * room_[met_[at]];
        for (int i = 0; i < 3; ++i) W(3 * l + i, 3 * k + d) = sum[i];
      }
    }
  }
}

// -C W_r^-1 C^T of a cluster into local_, over its contacts (contacts_); parts are sorted by contact.
void ContactRows::take_rows_away(int cluster, const std::vector<std::pair<int, const Part*>>& parts) {
  const std::vector<int>& rows = rows_.rows_of(cluster);
  const auto m = static_cast<Eigen::Index>(rows.size());
  rates_.resize(rows_.count(), 0.0);
  held_.assign(3 * contacts_.size() * rows.size(), 0.0);
  Matrix C(held_.data(), m, 3l * static_cast<Eigen::Index>(contacts_.size()));
  for (const auto& [local, part] : parts)
    for (int d = 0; d < 3; ++d) {
      for (std::int32_t e = part->first; e < part->last; ++e) rows_.couple(unknown_[e], value_[e][d], rates_);
      for (Eigen::Index r = 0; r < m; ++r) {
        C(r, 3 * local + d) += rates_[rows[r]];
        rates_[rows[r]] = 0;
      }
    }
  image_.resize(held_.size());
  Matrix answer(image_.data(), m, C.cols());
  constexpr int few = 200;  // rows: as a dense matrix
  if (m <= few) {
    rows_.operator_of(cluster, own_);
    answer = -C;
    const Eigen::LDLT<Eigen::MatrixXd> factor(Matrix(own_.data(), m, m));
    answer = factor.solve(answer).eval();
  } else {
    for (Eigen::Index k = 0; k < C.cols(); ++k) {
      for (Eigen::Index r = 0; r < m; ++r) rates_[rows[r]] = C(r, k);
      rows_.solve(rates_, impulses_);
      for (Eigen::Index r = 0; r < m; ++r) answer(r, k) = impulses_[rows[r]];
    }
    for (const int r : rows) rates_[r] = 0;
  }
  local_.resize(9 * contacts_.size() * contacts_.size());
  Matrix(local_.data(), C.cols(), C.cols()).noalias() = C.transpose() * answer;
}

// W += local_, made symmetric to the last bit, over contacts_.
void ContactRows::scatter(const std::vector<std::int32_t>& contacts, ContactProblem& problem) {
  const auto n = static_cast<std::int64_t>(contacts.size());
  const Matrix local(local_.data(), 3 * n, 3 * n);
  for (std::int64_t r = 0; r < n; ++r) {
    std::int32_t at = problem.row_start[contacts[r]];
    for (std::int64_t c = 0; c < n; ++c) {
      if (c > 0 && contacts[c] < contacts[c - 1]) at = problem.row_start[contacts[r]];
      while (problem.column[at] != contacts[c]) ++at;
      double* W = &problem.W[9ul * at];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) W[3 * i + j] += 0.5 * (local(3 * r + i, 3 * c + j) + local(3 * c + j, 3 * r + i));
    }
  }
}

void ContactRows::make_operator(ContactProblem& problem) {
  keep_columns();
  arrange(problem);
  for (int b = 0; b < used_; ++b) {
    const Block& block = blocks_[b];
    contacts_.clear();
    for (const Part& part : block.parts) contacts_.push_back(part.contact);
    if (keeps_ && block.kind->version() >= 0) add_kept_block(block);
    else add_block(block);
    scatter(contacts_, problem);
  }
  parts_of_.resize(rows_.clusters());
  for (auto& list : parts_of_) list.clear();
  for (int b = 0; b < used_; ++b)
    if (const int cluster = rows_.cluster(blocks_[b].first); cluster >= 0)
      for (const Part& part : blocks_[b].parts) parts_of_[cluster].emplace_back(part.contact, &part);
  for (int cluster = 0; cluster < rows_.clusters(); ++cluster) {
    auto& parts = parts_of_[cluster];
    if (parts.empty()) continue;
    std::ranges::stable_sort(parts, {}, &std::pair<int, const Part*>::first);
    contacts_.clear();
    for (auto& [contact, part] : parts) {
      if (contacts_.empty() || contacts_.back() != contact) contacts_.push_back(contact);
      contact = static_cast<int>(contacts_.size()) - 1;
    }
    take_rows_away(cluster, parts);
    scatter(contacts_, problem);
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
    if (keeps_ && block.kind->version() >= 0) {
      const KeptInverse::Family& kept = kept_.of(block.kind, block.number);
      for (const int v : block.vectors)
        for (int k = 0; k < 3; ++k) {
          const double force = room_[3ul * v + k], *column = kept.column(3 * v + k);
          for (int i = 0; i < block.size; ++i) x[block.first + i] += force * column[i];
        }
      continue;
    }
    block.kind->apply_inverse(block.number, 1, room_.data());
    for (int i = 0; i < block.size; ++i) x[block.first + i] += room_[i];
  }
}

}  // namespace lithe
