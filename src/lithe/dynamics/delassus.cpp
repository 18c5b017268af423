#include "lithe/dynamics/delassus.h"

#include <algorithm>
#include <map>
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
        blocks_.push_back({&of, number, of.first(number), of.size(number), {}, {0}, {}, 0, {}});
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
  values_.resize(pattern_.nonzeros());
  ladder_ = SolverLadder(pattern_, MatrixKind::positive_definite, {});
}

bool Delassus::factor(const BlockRows& rows) {
  if (rows.row_start != row_start_ || rows.column != column_) arrange(rows);
  std::ranges::fill(values_, 0.0);
  for (const Block& block : blocks_) {
    const int count = static_cast<int>(block.rows.size());
    double* image = &image_[block.image];
    std::fill(image, image + static_cast<std::size_t>(count) * block.size, 0.0);
    for (int k = 0; k < count; ++k)
      for (int e = block.entry[k]; e < block.entry[k + 1]; ++e) {
        const int at = block.entries[e];
        image[static_cast<std::size_t>(k) * block.size + rows.column[at] - block.first] += rows.value[at];
      }
    block.kind->apply_inverse(block.number, count, image);
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
  for (int r = 0; r < rows.count(); ++r) values_[pattern_.column_start[r + 1] - 1] += rows.compliance[r];
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

void Delassus::add(const std::vector<double>& R, std::vector<double>& x) const {
  for (const Block& block : blocks_)
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      const double factor = R[block.rows[k]], *image = &image_[block.image + k * block.size];
      for (int i = 0; i < block.size; ++i) x[block.first + i] += factor * image[i];
    }
}

}  // namespace lithe
