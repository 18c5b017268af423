#include "lithe/dynamics/delassus.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "lithe/base/error.h"

namespace lithe {

void Delassus::arrange(const BlockRows& rows) {
  row_start_ = rows.row_start;
  column_ = rows.column;
  blocks_.clear();
  std::map<std::pair<int, int>, int> known;
  for (int r = 0; r < rows.count(); ++r)
    for (int e = rows.row_start[r]; e < rows.row_start[r + 1]; ++e) {
      int kind = 0, number = -1;
      for (; kind < static_cast<int>(kinds_.size()); ++kind)
        if ((number = kinds_[kind]->block_of(rows.column[e])) >= 0) break;
      LITHE_INVARIANT(number >= 0);
      const auto [found, fresh] = known.emplace(std::pair(kind, number), static_cast<int>(blocks_.size()));
      if (fresh) {
        StepBlocks& of = *kinds_[kind];
        blocks_.push_back({&of, number, of.first(number), of.size(number), {}, {0}, {}, 0, {}, {}, {}, {}, -1});
      }
      Block& block = blocks_[found->second];
      if (block.rows.empty() || block.rows.back() != r) {
        block.rows.push_back(r);
        block.entry.push_back(block.entry.back());
      }
      block.entries.push_back(e);
      ++block.entry.back();
    }
  std::vector<std::set<std::int32_t>> above(rows.count());
  std::size_t image = 0;
  for (Block& block : blocks_) {
    block.image = image;
    image += block.rows.size() * block.size;
    if (block.kind->version() >= 0) {
      for (const int e : block.entries) block.met.push_back(rows.column[e]);
      std::ranges::sort(block.met);
      block.met.erase(std::unique(block.met.begin(), block.met.end()), block.met.end());
      for (const int e : block.entries)
        block.which.push_back(
            static_cast<std::int32_t>(std::ranges::lower_bound(block.met, rows.column[e]) - block.met.begin()));
    }
    for (const int r : block.rows)
      for (const int s : block.rows)
        if (r <= s) above[s].insert(r);
  }
  image_.resize(image);
  pattern_ = {};
  pattern_.size = rows.count();
  pattern_.symmetric = true;
  pattern_.column_start = {0};
  for (int s = 0; s < rows.count(); ++s) {
    above[s].insert(s);
    pattern_.row.insert(pattern_.row.end(), above[s].begin(), above[s].end());
    pattern_.column_start.push_back(static_cast<std::int32_t>(pattern_.row.size()));
  }
  for (Block& block : blocks_)
    for (const int r : block.rows)
      for (const int s : block.rows) block.place.push_back(r <= s ? position(pattern_, r, s) : -1);
  find_clusters(rows);
  values_.resize(pattern_.nonzeros());
  ladder_ = SolverLadder(pattern_, MatrixKind::positive_definite, {});
}

void Delassus::find_clusters(const BlockRows& rows) {
  clusters_.resize(blocks_.size());
  std::iota(clusters_.begin(), clusters_.end(), 0);
  const auto root = [&](int b) {
    while (clusters_[b] != b) b = clusters_[b] = clusters_[clusters_[b]];
    return b;
  };
  std::vector<int> first(rows.count(), -1);  // [row] a block that it meets
  int end = 0;
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) {
    end = std::max(end, blocks_[b].first + blocks_[b].size);
    for (const int r : blocks_[b].rows)
      if (first[r] < 0) first[r] = b;
      else clusters_[root(b)] = root(first[r]);
  }
  // Roots, then numbers from 0.
  std::vector<int> number(blocks_.size(), -1);
  cluster_rows_.clear();
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) clusters_[b] = root(b);
  for (int& cluster : clusters_) {
    if (number[cluster] < 0) {
      number[cluster] = static_cast<int>(cluster_rows_.size());
      cluster_rows_.emplace_back();
    }
    cluster = number[cluster];
  }
  for (int r = 0; r < rows.count(); ++r)
    if (first[r] >= 0) cluster_rows_[clusters_[first[r]]].push_back(r);
  of_unknown_.assign(end, -1);
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b)
    std::fill_n(of_unknown_.begin() + blocks_[b].first, blocks_[b].size, b);
}

void Delassus::operator_of(int cluster, std::vector<double>& W) const {
  const std::vector<int>& rows = cluster_rows_[cluster];
  const std::size_t count = rows.size();
  W.assign(count * count, 0.0);
  for (std::size_t s = 0; s < count; ++s) {
    std::size_t r = 0;
    for (int p = pattern_.column_start[rows[s]]; p < pattern_.column_start[rows[s] + 1]; ++p) {
      while (rows[r] < pattern_.row[p]) ++r;
      W[r * count + s] = W[s * count + r] = values_[p];
    }
  }
}

void Delassus::couple(int unknown, double f, std::vector<double>& rates) const {
  const Block& block = blocks_[of_unknown_[unknown]];
  const int at = unknown - block.first;
  for (std::size_t k = 0; k < block.rows.size(); ++k)
    rates[block.rows[k]] += f * image_[block.image + k * block.size + at];
}

// A^-1 H^T, and with it W.
void Delassus::add_block(const BlockRows& rows, Block& block) {
  const int count = static_cast<int>(block.rows.size());
  double* image = &image_[block.image];
  std::fill(image, image + static_cast<std::size_t>(count) * block.size, 0.0);
  if (block.kind->version() >= 0) add_kept_columns(rows, block, image);
  else {
    for (int k = 0; k < count; ++k)
      for (int e = block.entry[k]; e < block.entry[k + 1]; ++e) {
        const int at = block.entries[e];
        image[static_cast<std::size_t>(k) * block.size + rows.column[at] - block.first] += rows.value[at];
      }
    block.kind->apply_inverse(block.number, count, image);
  }
  for (int k = 0; k < count; ++k)
    for (int l = 0; l < count; ++l) {
      const std::int32_t place = block.place[static_cast<std::size_t>(k) * count + l];
      if (place < 0) continue;
      double sum = 0;
      for (int e = block.entry[k]; e < block.entry[k + 1]; ++e) {
        const int at = block.entries[e];
        sum += rows.value[at] * image[static_cast<std::size_t>(l) * block.size + rows.column[at] - block.first];
      }
      values_[place] += sum;
    }
}

void Delassus::add_kept_columns(const BlockRows& rows, Block& block, double* image) {
  const int count = static_cast<int>(block.rows.size()), met = static_cast<int>(block.met.size());
  if (block.version != block.kind->version()) {
    block.inverse.assign(static_cast<std::size_t>(met) * block.size, 0.0);
    for (int k = 0; k < met; ++k)
      block.inverse[static_cast<std::size_t>(k) * block.size + block.met[k] - block.first] = 1;
    block.kind->apply_inverse(block.number, met, block.inverse.data());
    block.version = block.kind->version();
  }
  for (int l = 0; l < count; ++l)
    for (int e = block.entry[l]; e < block.entry[l + 1]; ++e) {
      const double value = rows.value[block.entries[e]];
      const double* column = &block.inverse[static_cast<std::size_t>(block.which[e]) * block.size];
      double* to = &image[static_cast<std::size_t>(l) * block.size];
      for (int i = 0; i < block.size; ++i) to[i] += value * column[i];
    }
}

bool Delassus::factor(const BlockRows& rows) {
  constexpr double more = 1e-10;
  if (rows.row_start != row_start_ || rows.column != column_) arrange(rows);
  rows_ = &rows;
  std::ranges::fill(values_, 0.0);
  for (Block& block : blocks_) add_block(rows, block);
  for (int r = 0; r < rows.count(); ++r) {
    double& diagonal = values_[pattern_.column_start[r + 1] - 1];
    diagonal = rows.compliance[r] > 0 ? diagonal + rows.compliance[r] : diagonal * (1 + more);
    if (diagonal == 0) diagonal = 1;  // a row that nothing can move
  }
  return rows.count() == 0 || ladder_.factor(values_);
}

void Delassus::solve(const std::vector<double>& rates, std::vector<double>& R) {
  R.resize(rates.size());
  if (rates.empty()) return;
  room_.resize(rates.size());
  for (std::size_t r = 0; r < rates.size(); ++r) room_[r] = -rates[r];
  // Rates at the end tell how good it was.
  [[maybe_unused]] const SolveReport report = ladder_.solve(room_, R);
}

void Delassus::add(const std::vector<double>& R, std::vector<double>& x) {
  for (const Block& block : blocks_)
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      const double factor = R[block.rows[k]], *image = &image_[block.image + k * block.size];
      for (int i = 0; i < block.size; ++i) x[block.first + i] += factor * image[i];
    }
}

}  // namespace lithe
