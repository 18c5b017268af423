#include "lithe/linalg/components/find_components.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "lithe/base/error.h"

namespace lithe {

namespace {

// Components by their first unknowns.
void gather_unknowns(const SparsePattern& pattern, Components& all, std::vector<std::int32_t>& component) {
  const int n = pattern.size;
  std::vector<std::int32_t> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (int j = 0; j < n; ++j) {
    int b = root(j);
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      const int a = root(pattern.row[p]);
      parent[std::max(a, b)] = std::min(a, b);
      b = std::min(a, b);
    }
  }
  component.resize(n);
  all.start.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    const int r = root(i);
    component[i] = r == i ? static_cast<std::int32_t>(all.start.size()) - 1 : component[r];
    if (r == i) all.start.push_back(0);
    ++all.start[component[i] + 1];
  }
  std::partial_sum(all.start.begin(), all.start.end(), all.start.begin());
  all.unknown.resize(n);
  std::vector<std::int32_t> next(all.start.begin(), all.start.end() - 1);
  for (int i = 0; i < n; ++i) all.unknown[next[component[i]]++] = i;
}

// The entries of a component, column by column: visit(row), and visit(-1) behind each column. False: visit had enough.
template <class Visit>
bool walk(const SparsePattern& pattern, const Components& all, std::span<const std::int32_t> place, int component,
          Visit visit) {
  for (const int j : all.of(component)) {
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (!visit(place[pattern.row[p]])) return false;
    if (!visit(-1)) return false;
  }
  return true;
}

SparsePattern pattern_of(const SparsePattern& pattern, const Components& all, std::span<const std::int32_t> place,
                         int component) {
  SparsePattern own;
  own.size = all.size(component);
  own.column_start.push_back(0);
  walk(pattern, all, place, component, [&](int row) {
    if (row >= 0) own.row.push_back(row);
    else own.column_start.push_back(static_cast<std::int32_t>(own.row.size()));
    return true;
  });
  return own;
}

}  // namespace

Components find_components(const SparsePattern& pattern, int multipliers) {
  LITHE_INVARIANT(pattern.symmetric && multipliers >= 0 && multipliers <= pattern.size);
  Components all;
  std::vector<std::int32_t> component;
  gather_unknowns(pattern, all, component);
  std::vector<std::int32_t> place(pattern.size);
  for (int k = 0; k < all.count(); ++k)
    for (int i = all.start[k]; i < all.start[k + 1]; ++i) place[all.unknown[i]] = i - all.start[k];
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> known;  // digest -> kinds
  for (int k = 0; k < all.count(); ++k) {
    const auto unknowns = all.of(k);
    const auto borders = static_cast<int>(
        unknowns.end() - std::lower_bound(unknowns.begin(), unknowns.end(), pattern.size - multipliers));
    std::uint64_t digest = 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(borders);
    walk(pattern, all, place, k, [&](int row) {
      digest = (digest ^ static_cast<std::uint32_t>(row)) * 0x100000001b3u;
      digest ^= digest >> 29;
      return true;
    });
    auto& candidates = known[digest];
    const auto same = std::ranges::find_if(candidates, [&](int c) {
      const Components::Kind& kind = all.kinds[c];
      if (kind.multipliers != borders || kind.pattern.size != all.size(k)) return false;
      std::size_t entry = 0;
      int column = 0;
      return walk(pattern, all, place, k, [&](int row) {
        if (row < 0) return entry == static_cast<std::size_t>(kind.pattern.column_start[++column]);
        return entry < kind.pattern.row.size() && kind.pattern.row[entry++] == row;
      });
    });
    if (same != candidates.end()) {
      all.kinds[*same].members.push_back(k);
      continue;
    }
    candidates.push_back(static_cast<std::int32_t>(all.kinds.size()));
    all.kinds.push_back({pattern_of(pattern, all, place, k), borders, {k}});
  }
  return all;
}

int columns_without_diagonal(const SparsePattern& pattern) {
  int first = pattern.size;
  const auto has_diagonal = [&](int j) {
    const auto begin = pattern.row.begin() + pattern.column_start[j],
               end = pattern.row.begin() + pattern.column_start[j + 1];
    return begin != end && *(end - 1) == j;
  };
  while (first > 0 && !has_diagonal(first - 1)) --first;
  return first > 0 ? pattern.size - first : 0;
}

}  // namespace lithe
