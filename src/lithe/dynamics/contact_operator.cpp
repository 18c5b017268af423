// W = H A^-1 H^T - C W_r^-1 C^T over the rows of contacts (contact_rows.h).
#include <Eigen/Dense>
#include <algorithm>

#include "lithe/dynamics/contact_rows.h"

namespace lithe {

namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd>;
constexpr int at_once = 96;          // columns of A^-1 H^T in memory
constexpr int rows_at_once = 64;     // contacts a task
constexpr int small = 512;           // unknowns: H of a block as a dense matrix
constexpr int pairs_of_a_task = 64;  // parts squared

}  // namespace

// task(contact, thread) of all, on the team.
template <class Task>
void ContactRows::over_rows(Task&& task) {
  team_.run((count() + rows_at_once - 1) / rows_at_once, [&](int piece, int thread) {
    for (int c = piece * rows_at_once; c < std::min(count(), (piece + 1) * rows_at_once); ++c) task(c, thread);
  });
}

void ContactRows::keep_columns() {
  needs_.clear();
  vectors_.clear();
  for (Block& block : blocks_) {
    block.vector = static_cast<std::int32_t>(vectors_.size());
    block.vectors = 0;
    if (block.kind->version() < 0) continue;
    for (int k = 0; k < block.parts; ++k)
      for (std::int32_t e = part_of(block, k).first; e < part_of(block, k).last; ++e)
        vectors_.push_back((unknown_[e] - block.first) / 3);
    const auto own = vectors_.begin() + block.vector;
    std::sort(own, vectors_.end());
    vectors_.erase(std::unique(own, vectors_.end()), vectors_.end());
    block.vectors = static_cast<std::int32_t>(vectors_.size()) - block.vector;
  }
  for (const Block& block : blocks_)
    if (block.kind->version() >= 0)
      needs_.push_back({block.kind, block.number, std::span(vectors_).subspan(block.vector, block.vectors)});
  keeps_ = kept_.hold(needs_);
}

// Contacts that meet in a block, or in blocks that rows join.
void ContactRows::group_contacts() {
  const int used = static_cast<int>(blocks_.size());
  group_.resize(used);
  group_start_.assign(used + rows_.clusters() + 1, 0);
  for (int b = 0; b < used; ++b) {
    const int cluster = rows_.cluster(blocks_[b].first);
    group_[b] = cluster >= 0 ? used + cluster : b;
    group_start_[group_[b] + 1] += blocks_[b].parts;
  }
  for (std::size_t g = 1; g < group_start_.size(); ++g) group_start_[g] += group_start_[g - 1];
  met_.resize(part_.size());
  for (const Part& part : part_) met_[group_start_[group_[part.block]]++] = part.contact;
  for (std::size_t g = group_start_.size() - 1; g > 0; --g) group_start_[g] = group_start_[g - 1];
  group_start_[0] = 0;
}

// They are neighbours in W.
void ContactRows::arrange(ContactProblem& problem) {
  group_contacts();
  room_start_.assign(count() + 1, 0);
  for (int c = 0; c < count(); ++c) {
    std::int32_t most = 1;
    for (std::int32_t p = of_contact_[c]; p < of_contact_[c + 1]; ++p) {
      const int g = group_[part_[p].block];
      most += group_start_[g + 1] - group_start_[g];
    }
    room_start_[c + 1] = room_start_[c] + most;
  }
  columns_.resize(room_start_[count()]);
  problem.row_start.resize(count() + 1);
  problem.row_start[0] = 0;
  over_rows([&](int c, int) {
    const auto first = columns_.begin() + room_start_[c];
    auto end = first;
    *end++ = c;
    for (std::int32_t p = of_contact_[c]; p < of_contact_[c + 1]; ++p) {
      const int g = group_[part_[p].block];
      end = std::copy(met_.begin() + group_start_[g], met_.begin() + group_start_[g + 1], end);
    }
    std::sort(first, end);
    problem.row_start[c + 1] = static_cast<std::int32_t>(std::unique(first, end) - first);
  });
  for (int c = 0; c < count(); ++c) problem.row_start[c + 1] += problem.row_start[c];
  problem.column.resize(problem.row_start[count()]);
  problem.W.resize(9 * problem.column.size());
  over_rows([&](int c, int) {
    const std::int32_t begin = problem.row_start[c], many = problem.row_start[c + 1] - begin;
    std::copy_n(columns_.begin() + room_start_[c], many, problem.column.begin() + begin);
    std::fill_n(problem.W.begin() + 9l * begin, 9l * many, 0.0);
  });
}

// Columns of H^T of some parts of a block, [part][3][unknown].
void ContactRows::rows_into(const Block& block, int from, int many, Room& room) const {
  room.rows.assign(3ul * many * block.size, 0.0);
  for (int k = 0; k < many; ++k) {
    const Part& part = part_of(block, from + k);
    for (int d = 0; d < 3; ++d)
      for (std::int32_t e = part.first; e < part.last; ++e)
        room.rows[(3ul * k + d) * block.size + unknown_[e] - block.first] += value_[e][d];
  }
}

namespace {

// The middle of a 3 x 3 and its transpose.
void make_symmetric(double* W) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) W[3 * i + j] = W[3 * j + i] = 0.5 * (W[3 * i + j] + W[3 * j + i]);
}

}  // namespace

// H A^-1 H^T of a block into its pairs.
void ContactRows::make_block(const Block& block, Room& room) {
  for (int from = 0; from < block.parts; from += at_once / 3) {
    const int many = std::min(at_once / 3, block.parts - from);
    rows_into(block, from, many, room);
    block.kind->apply_inverse(block.number, 3 * many, room.rows.data());
    for (int k = from; k < from + many; ++k)
      for (int l = k; l < block.parts; ++l) {
        const Part& part = part_of(block, l);
        double* W = pair(block, k, l);
        for (int i = 0; i < 3; ++i) {
          const double* image = &room.rows[(3ul * (k - from) + i) * block.size];
          Vec3<double> sum{};
          for (std::int32_t e = part.first; e < part.last; ++e)
            for (int j = 0; j < 3; ++j) sum[j] += value_[e][j] * image[unknown_[e] - block.first];
          for (int j = 0; j < 3; ++j) W[3 * i + j] = sum[j];
        }
        if (k == l) make_symmetric(W);
      }
  }
}

// The same with dense matrices.
void ContactRows::make_dense_block(const Block& block, Room& room) {
  const int size = block.size;
  const auto n = 3l * block.parts;
  rows_into(block, 0, block.parts, room);
  room.image = room.rows;
  block.kind->apply_inverse(block.number, static_cast<int>(n), room.image.data());
  room.dense.resize(n * n);
  Matrix W(room.dense.data(), n, n);
  W.noalias() = Matrix(room.rows.data(), size, n).transpose() * Matrix(room.image.data(), size, n);
  for (int k = 0; k < block.parts; ++k)
    for (int l = k; l < block.parts; ++l)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          pair(block, k, l)[3 * i + j] = 0.5 * (W(3 * k + i, 3 * l + j) + W(3 * l + j, 3 * k + i));
}

// The same from columns of A^-1 that are kept.
void ContactRows::make_kept_block(const Block& block, Room& room) {
  const std::span<const std::int32_t> vectors(&vectors_[block.vector], block.vectors);
  room.met.clear();  // [entry of the block] which of those met
  for (int k = 0; k < block.parts; ++k) {
    const Part& part = part_of(block, k);
    for (std::int32_t e = part.first; e < part.last; ++e) {
      const int at = unknown_[e] - block.first;
      const auto found = std::ranges::lower_bound(vectors, at / 3);
      room.met.push_back(static_cast<std::int32_t>(3 * (found - vectors.begin()) + at % 3));
    }
  }
  room.rows.resize(3 * vectors.size());
  const KeptInverse::Family& kept = kept_.of(block.kind, block.number);
  std::size_t own = 0;
  for (int k = 0; k < block.parts; ++k) {
    const Part& part = part_of(block, k);
    for (int d = 0; d < 3; ++d) {
      std::ranges::fill(room.rows, 0.0);
      for (std::int32_t e = part.first; e < part.last; ++e) {
        const double value = value_[e][d];
        const double* column = kept.column(unknown_[e] - block.first);
        for (std::size_t v = 0; v < vectors.size(); ++v)
          for (int m = 0; m < 3; ++m) room.rows[3 * v + m] += value * column[3 * vectors[v] + m];
      }
      std::size_t at = own;
      for (int l = k; l < block.parts; ++l) {
        Vec3<double> sum{};
        for (std::int32_t e = part_of(block, l).first; e < part_of(block, l).last; ++e, ++at)
          for (int j = 0; j < 3; ++j) sum[j] += value_[e][j] * room.rows[room.met[at]];
        for (int j = 0; j < 3; ++j) pair(block, k, l)[3 * d + j] = sum[j];
      }
    }
    make_symmetric(pair(block, k, k));
    own += part.last - part.first;
  }
}

// Those that share nothing on the team, the others one by one.
void ContactRows::make_blocks() {
  const auto is_shared = [&](const Block& block) { return !is_kept(block) && !block.kind->inverts_side_by_side(); };
  task_.assign(1, 0);
  long work = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    work += static_cast<long>(blocks_[b].parts) * blocks_[b].parts;
    if (work < pairs_of_a_task && b + 1 < blocks_.size()) continue;
    task_.push_back(static_cast<std::int32_t>(b + 1));
    work = 0;
  }
  team_.run(static_cast<int>(task_.size()) - 1, [&](int task, int thread) {
    for (std::int32_t b = task_[task]; b < task_[task + 1]; ++b) {
      const Block& block = blocks_[b];
      if (is_kept(block)) make_kept_block(block, rooms_[thread]);
      else if (!is_shared(block)) make_block(block, rooms_[thread]);
    }
  });
  for (const Block& block : blocks_) {
    if (!is_shared(block)) continue;
    if (block.size <= small) make_dense_block(block, rooms_[0]);
    else make_block(block, rooms_[0]);
  }
}

// What its blocks say of a contact and those from it on.
void ContactRows::sum_row(int contact, ContactProblem& problem) {
  const auto row = problem.column.begin() + problem.row_start[contact],
             row_end = problem.column.begin() + problem.row_start[contact + 1];
  for (std::int32_t p = of_contact_[contact]; p < of_contact_[contact + 1]; ++p) {
    const Block& block = blocks_[part_[p].block];
    const int k = in_block_[p];
    auto at = std::lower_bound(row, row_end, contact);
    for (int l = k; l < block.parts; ++l) {
      const int other = part_of(block, l).contact;
      while (*at != other) ++at;
      const double* from = pair(block, k, l);
      double* W = &problem.W[9ul * (at - problem.column.begin())];
      for (int i = 0; i < 9; ++i) W[i] += from[i];
      if (l == k || other != contact) continue;  // two parts of it in one block
      for (int i = 0; i < 9; ++i) W[i] += from[3 * (i % 3) + i / 3];
    }
  }
}

// Each entry below the diagonal is that of the other row above it, turned.
void ContactRows::mirror_row(int contact, ContactProblem& problem) const {
  for (std::int32_t p = problem.row_start[contact]; problem.column[p] < contact; ++p) {
    const int other = problem.column[p];
    const auto row = problem.column.begin() + problem.row_start[other],
               end = problem.column.begin() + problem.row_start[other + 1];
    const double* from = &problem.W[9ul * (std::lower_bound(row, end, contact) - problem.column.begin())];
    double* W = &problem.W[9ul * p];
    for (int i = 0; i < 9; ++i) W[i] = from[3 * (i % 3) + i / 3];
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
  sort_parts();
  keep_columns();
  arrange(problem);
  make_blocks();
  over_rows([&](int c, int) { sum_row(c, problem); });
  over_rows([&](int c, int) { mirror_row(c, problem); });
  parts_of_.resize(rows_.clusters());
  for (auto& list : parts_of_) list.clear();
  for (const Block& block : blocks_)
    if (const int cluster = rows_.cluster(block.first); cluster >= 0)
      for (int k = 0; k < block.parts; ++k)
        parts_of_[cluster].emplace_back(part_of(block, k).contact, &part_of(block, k));
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

}  // namespace lithe
