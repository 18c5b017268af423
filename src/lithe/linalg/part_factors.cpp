#include "lithe/linalg/part_factors.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "lithe/base/error.h"

namespace lithe {

struct PartFactors::Bunch {
  int columns = 0;                     // how often each part occurs
  int size = 0;                        // of the matrix: one of each part
  std::vector<std::int32_t> unknowns;  // [column][row] in the whole matrix
  SparsePattern pattern;
  std::vector<double> values;
  std::unique_ptr<LinearSolver> solver;
  std::vector<double> right, found;  // [column][row]
  int factored = 0;                  // parts
};

PartFactors::~PartFactors() = default;
PartFactors::PartFactors(PartFactors&&) noexcept = default;
PartFactors& PartFactors::operator=(PartFactors&&) noexcept = default;

namespace {

// Unknowns of each part, ascending; parts by their first unknown.
struct PartSet {
  std::vector<std::int32_t> start, unknown, place;  // [part + 1], [place], [unknown] place within its part
  int count() const { return static_cast<int>(start.size()) - 1; }
  int size(int part) const { return start[part + 1] - start[part]; }
};

PartSet find_parts(const SparsePattern& pattern, const std::vector<double>& values) {
  const int n = pattern.size;
  std::vector<std::int32_t> parent(n), number(n, -1);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (int j = 0; j < n; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
      if (values[p] == 0) continue;
      const int a = root(pattern.row[p]), b = root(j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  PartSet parts;
  for (int i = 0; i < n; ++i)
    if (root(i) == i) number[i] = static_cast<std::int32_t>(parts.start.size()), parts.start.push_back(0);
  parts.start.push_back(0);
  for (int i = 0; i < n; ++i) ++parts.start[number[root(i)] + 1];
  std::partial_sum(parts.start.begin(), parts.start.end(), parts.start.begin());
  parts.unknown.resize(n);
  parts.place.resize(n);
  std::vector<std::int32_t> next(parts.start.begin(), parts.start.end() - 1);
  for (int i = 0; i < n; ++i) {
    const int part = number[root(i)];
    parts.place[i] = next[part] - parts.start[part];
    parts.unknown[next[part]++] = i;
  }
  return parts;
}

// What a part is, as bytes: two parts are equal where these are.
std::string bytes_of(const PartSet& parts, int part, const SparsePattern& pattern, const std::vector<double>& values) {
  std::string bytes;
  const auto add = [&](const auto& x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
  for (int k = parts.start[part]; k < parts.start[part + 1]; ++k) {
    const int j = parts.unknown[k];
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (values[p] != 0) {
        add(parts.place[pattern.row[p]]);
        add(values[p]);
      }
    add(std::int32_t{-1});
  }
  return bytes;
}

}  // namespace

PartFactors::PartFactors(const SparsePattern& pattern, const std::vector<double>& values) {
  LITHE_INVARIANT(pattern.symmetric && values.size() == pattern.nonzeros());
  const PartSet parts = find_parts(pattern, values);
  parts_ = parts.count();
  // Equal parts: first by a digest of their bytes, then by the bytes, of which only a few are held at a time.
  std::vector<std::vector<std::int32_t>> equal;
  std::unordered_map<std::size_t, std::vector<std::int32_t>> known;  // digest -> groups
  for (int part = 0; part < parts_; ++part) {
    const std::string bytes = bytes_of(parts, part, pattern, values);
    auto& groups = known[std::hash<std::string_view>{}(bytes)];
    const auto same = std::ranges::find_if(
        groups, [&](int g) { return bytes == bytes_of(parts, equal[g].front(), pattern, values); });
    if (same != groups.end()) {
      equal[*same].push_back(part);
    } else {
      groups.push_back(static_cast<std::int32_t>(equal.size()));
      equal.push_back({part});
    }
  }
  std::map<std::size_t, std::vector<std::int32_t>> by_number;  // how many -> groups
  for (std::size_t g = 0; g < equal.size(); ++g) by_number[equal[g].size()].push_back(static_cast<std::int32_t>(g));
  for (const auto& [count, groups] : by_number) {
    Bunch& bunch = bunches_.emplace_back();
    bunch.columns = static_cast<int>(count);
    bunch.factored = static_cast<int>(groups.size());
    SparsePattern& own = bunch.pattern;
    own.symmetric = true;
    own.column_start.push_back(0);
    for (const int g : groups) {
      const int part = equal[g].front(), first = bunch.size;
      for (int k = parts.start[part]; k < parts.start[part + 1]; ++k) {
        const int j = parts.unknown[k];
        for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
          if (values[p] != 0) {
            own.row.push_back(first + parts.place[pattern.row[p]]);
            bunch.values.push_back(values[p]);
          }
        own.column_start.push_back(static_cast<std::int32_t>(own.row.size()));
      }
      bunch.size += parts.size(part);
    }
    own.size = bunch.size;
    for (std::size_t c = 0; c < count; ++c)
      for (const int g : groups) {
        const int part = equal[g][c];
        bunch.unknowns.insert(bunch.unknowns.end(), parts.unknown.begin() + parts.start[part],
                              parts.unknown.begin() + parts.start[part + 1]);
      }
    bunch.right.resize(bunch.unknowns.size());
    bunch.found.resize(bunch.unknowns.size());
    bunch.solver = make_linear_solver("cholmod_simplicial");
    bunch.solver->analyse(own);
    const FactorReport report = bunch.solver->factor(bunch.values);
    if (!report.ok()) {
      report_ = report;
      if (report.column >= 0) report_.column = bunch.unknowns[report.column];
      report_.usable = false;
      return;
    }
  }
}

void PartFactors::solve(std::span<const double> b, std::span<double> x) {
  LITHE_INVARIANT(report_.usable);
  for (Bunch& bunch : bunches_) {
    for (std::size_t k = 0; k < bunch.unknowns.size(); ++k) bunch.right[k] = b[bunch.unknowns[k]];
    (void)bunch.solver->solve(bunch.right, bunch.found, {.columns = bunch.columns});
    for (std::size_t k = 0; k < bunch.unknowns.size(); ++k) x[bunch.unknowns[k]] = bunch.found[k];
  }
}

int PartFactors::factored() const {
  int sum = 0;
  for (const Bunch& bunch : bunches_) sum += bunch.factored;
  return sum;
}
double PartFactors::nonzeros() const {
  double sum = 0;
  for (const Bunch& bunch : bunches_) sum += bunch.solver->factor_nonzeros();
  return sum;
}
double PartFactors::solved() const {
  double sum = 0;
  for (const Bunch& bunch : bunches_) sum += bunch.columns * bunch.solver->factor_nonzeros();
  return sum;
}
double PartFactors::flops() const {
  double sum = 0;
  for (const Bunch& bunch : bunches_) sum += bunch.solver->factor_flops();
  return sum;
}

}  // namespace lithe
