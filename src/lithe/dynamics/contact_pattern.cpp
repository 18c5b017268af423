#include "lithe/dynamics/contact_pattern.h"

#include <algorithm>

#include "lithe/base/error.h"

namespace lithe {

namespace {
// Pairs that are kept, needed or not, over those that are needed.
constexpr std::size_t most_kept = 4;
}  // namespace

ContactPattern::ContactPattern(const System& system) : system_(system) { make(); }

bool ContactPattern::in_system(int vector, int other) const {
  const VectorUnknowns &row = system_.map.unknowns[std::min(vector, other)],
                       &column = system_.map.unknowns[std::max(vector, other)];
  if (row.count == 0 || column.count == 0) return true;  // nothing to place
  const SparsePattern& pattern = system_.pattern;
  return std::binary_search(pattern.row.begin() + pattern.column_start[column.first],
                            pattern.row.begin() + pattern.column_start[column.first + 1], row.first);
}

bool ContactPattern::in_pairs(int vector, int other) const {
  const Pair pair(std::min(vector, other), std::max(vector, other));
  return std::binary_search(pairs_.begin(), pairs_.end(), pair);
}

void ContactPattern::cover(std::vector<Pair>& needed) {
  std::ranges::sort(needed);
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  if (std::ranges::includes(pairs_, needed)) return;
  std::vector<Pair> all;
  std::ranges::set_union(pairs_, needed, std::back_inserter(all));
  pairs_ = all.size() <= most_kept * needed.size() ? all : needed;
  make();
  ++epochs_;
}

void ContactPattern::set(const std::vector<Pair>& pairs) {
  if (pairs == pairs_) return;
  pairs_ = pairs;
  make();
}

void ContactPattern::make() {
  const SparsePattern& own = system_.pattern;
  place_.clear();
  if (pairs_.empty()) {
    pattern_ = std::shared_ptr<const SparsePattern>(&own, [](const SparsePattern*) {});
    return;
  }
  // Of each vector the others, ascending; of a symmetric pattern those above the diagonal.
  std::vector<std::vector<std::int32_t>> others(system_.vectors());
  for (const auto& [vector, other] : pairs_) {
    others[other].push_back(vector);
    if (!own.symmetric) others[vector].push_back(other);
  }
  auto made = std::make_shared<SparsePattern>();
  made->size = own.size;
  made->symmetric = own.symmetric;
  made->column_start.assign(1, 0);
  std::vector<std::vector<std::int32_t>*> of_column(own.size, nullptr);
  for (int v = 0; v < system_.vectors(); ++v) {
    std::ranges::sort(others[v]);
    const VectorUnknowns& u = system_.map.unknowns[v];
    for (int c = 0; c < u.count && !others[v].empty(); ++c) of_column[u.first + c] = &others[v];
  }
  std::vector<std::int32_t> more;
  place_.resize(own.nonzeros());
  for (int c = 0; c < own.size; ++c) {
    more.clear();
    if (of_column[c])
      for (const std::int32_t other : *of_column[c]) {
        const VectorUnknowns& u = system_.map.unknowns[other];
        for (int r = 0; r < u.count; ++r) more.push_back(u.first + r);
      }
    auto next = more.begin();
    for (int k = own.column_start[c]; k < own.column_start[c + 1]; ++k) {
      while (next != more.end() && *next < own.row[k]) made->row.push_back(*next++);
      place_[k] = static_cast<std::int32_t>(made->row.size());
      made->row.push_back(own.row[k]);
    }
    made->row.insert(made->row.end(), next, more.end());
    require(made->row.size() < 2147483647u,
            "the tangent with its contacts has more nonzeros than a 32-bit index holds; split the model");
    made->column_start.push_back(static_cast<std::int32_t>(made->row.size()));
  }
  pattern_ = std::move(made);
}

void ContactPattern::spread(const std::vector<double>& of_system, std::vector<double>& values) const {
  if (place_.empty()) {
    values = of_system;
    return;
  }
  values.assign(pattern_->nonzeros(), 0.0);
  for (std::size_t k = 0; k < place_.size(); ++k) values[place_[k]] = of_system[k];
}

void ContactPattern::add(int row, int column, const Mat3<double>& block, double* values) const {
  if (pattern_->symmetric && row > column) return;
  const CoordinateMap& map = system_.map;
  const VectorUnknowns &r = map.unknowns[row], &c = map.unknowns[column];
  if (r.count == 0 || c.count == 0) return;
  Mat3<double> B = block;
  if (r.basis >= 0) B = transpose(map.bases[r.basis]) * B;
  if (c.basis >= 0) B = B * map.bases[c.basis];
  const SparsePattern& pattern = *pattern_;
  for (int j = 0; j < c.count; ++j) {
    const auto begin = pattern.row.begin() + pattern.column_start[c.first + j],
               end = pattern.row.begin() + pattern.column_start[c.first + j + 1];
    const auto found = std::lower_bound(begin, end, r.first);
    LITHE_INVARIANT(found != end && *found == r.first);
    double* out = values + (found - pattern.row.begin());
    const int rows = pattern.symmetric && row == column ? j + 1 : r.count;
    for (int i = 0; i < rows; ++i) out[i] += B[r.component[i]][c.component[j]];
  }
}

}  // namespace lithe
