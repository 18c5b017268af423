#include "lithe/linalg/spike/spike_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/base/stopwatch.h"
#include "lithe/linalg/spike/matching.h"

namespace lithe {

namespace {

// Truncation leaves a few percent where partitions are so many half-bandwidths long.
constexpr int lengths = 8;
constexpr int smallest_partition = 64;
// A cut may move by this share of a partition to where fewer unknowns are coupled across it.
constexpr double cut_reach = 0.15;
constexpr int equilibrations = 4;

Groups single_groups(int n) {
  Groups groups;
  groups.start.resize(n + 1);
  groups.member.resize(n);
  std::iota(groups.start.begin(), groups.start.end(), 0);
  std::iota(groups.member.begin(), groups.member.end(), 0);
  return groups;
}

// Rows without a diagonal entry beside the column that a matching of maximum product gives them among the others.
Groups paired_groups(const RowMatrix& a) {
  const int n = a.size();
  std::vector<std::int32_t> rows, number(n, -1);
  RowPattern part{0, 0, {0}, {}};
  std::vector<double> values;
  std::vector<std::int32_t> columns;
  for (int i = 0; i < n; ++i)
    if (a.values[a.diagonal[i]] == 0) rows.push_back(i);
    else number[i] = part.columns++, columns.push_back(i);
  for (const int i : rows) {
    for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p)
      if (const int j = number[a.pattern.column[p]]; j >= 0) {
        part.column.push_back(j);
        values.push_back(a.values[p]);
      }
    part.row_start.push_back(static_cast<std::int32_t>(part.column.size()));
    ++part.rows;
  }
  const std::vector<std::int32_t> own = own_columns(part, values);
  std::vector<std::int32_t> follower(n, -1);
  std::vector<char> follows(n, 0);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (own[k] >= 0) follower[columns[own[k]]] = rows[k], follows[rows[k]] = 1;
  Groups groups;
  for (int j = 0; j < n; ++j) {
    if (follows[j]) continue;
    groups.member.push_back(j);
    if (follower[j] >= 0) groups.member.push_back(follower[j]);
    groups.start.push_back(static_cast<std::int32_t>(groups.member.size()));
  }
  return groups;
}

// Rows and columns with largest entries of about 1 (Ruiz 2001); of a symmetric matrix the scales are the same.
void equilibrate(const RowMatrix& a, std::vector<double>& row_scale, std::vector<double>& column_scale) {
  const int n = a.size();
  row_scale.assign(n, 1.0);
  column_scale.assign(n, 1.0);
  std::vector<double> row(n), column(n);
  for (int pass = 0; pass < equilibrations; ++pass) {
    std::fill(row.begin(), row.end(), 0.0);
    std::fill(column.begin(), column.end(), 0.0);
    for (int i = 0; i < n; ++i)
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p) {
        const int j = a.pattern.column[p];
        const double size = std::abs(a.values[p]) * row_scale[i] * column_scale[j];
        row[i] = std::max(row[i], size);
        column[j] = std::max(column[j], size);
      }
    for (int i = 0; i < n; ++i) {
      if (row[i] > 0) row_scale[i] /= std::sqrt(row[i]);
      if (column[i] > 0) column_scale[i] /= std::sqrt(column[i]);
    }
  }
}

// Groups as vertices; edges over more than `width` places are left out.
Graph quotient(const Graph& graph, const Groups& groups, std::span<const std::int32_t> place, int width) {
  std::vector<std::int32_t> group_of(groups.member.size());
  for (int g = 0; g < groups.count(); ++g)
    for (int k = groups.start[g]; k < groups.start[g + 1]; ++k) group_of[groups.member[k]] = g;
  Graph result;
  for (int g = 0; g < groups.count(); ++g) {
    for (int k = groups.start[g]; k < groups.start[g + 1]; ++k) {
      const int i = groups.member[k];
      for (const int j : graph.of(i))
        if (group_of[j] != g && (place.empty() || std::abs(place[i] - place[j]) <= width))
          result.neighbour.push_back(group_of[j]);
    }
    const auto first = result.neighbour.begin() + result.start.back();
    std::sort(first, result.neighbour.end());
    result.neighbour.erase(std::unique(first, result.neighbour.end()), result.neighbour.end());
    result.start.push_back(static_cast<std::int32_t>(result.neighbour.size()));
  }
  return result;
}

std::vector<std::int32_t> members(const Groups& groups, std::span<const std::int32_t> order) {
  std::vector<std::int32_t> all;
  all.reserve(groups.member.size());
  for (const int g : order)
    for (int k = groups.start[g]; k < groups.start[g + 1]; ++k) all.push_back(groups.member[k]);
  return all;
}

}  // namespace

bool SpikePlan::match(const RowMatrix& a, const KrylovOptions& options) {
  const int n = a.size();
  if (options.matching == SpikeMatching::none) {
    row_of_.resize(n);
    std::iota(row_of_.begin(), row_of_.end(), 0);
    groups_ = paired_groups(a);
    equilibrate(a, row_scale, column_scale);
    return true;
  }
  const bool product = options.matching == SpikeMatching::product;
  RowMatching matching = product ? match_product(a.pattern, a.values) : match_cardinality(a.pattern, a.values);
  if (!matching.perfect()) return false;
  row_of_ = std::move(matching.row_of);
  groups_ = single_groups(n);
  if (product) {
    row_scale = std::move(matching.row_scale);
    column_scale = std::move(matching.column_scale);
  } else {
    equilibrate(a, row_scale, column_scale);
  }
  return true;
}

void SpikePlan::order(const RowMatrix& a, const KrylovOptions& options) {
  const bool same =
      row_of_ == last_row_of_ && groups_.member == last_groups_.member && groups_.start == last_groups_.start;
  if (!same) {
    graph_ = symmetric_graph(a.pattern, row_of_);
    std::vector<std::int32_t> as_it_was(a.size());
    std::iota(as_it_was.begin(), as_it_was.end(), 0);
    width_ = bandwidth(graph_, as_it_was);
    const Graph of_groups = quotient(graph_, groups_, {}, 0);
    group_order_ =
        options.ordering == SpikeOrdering::spectral ? spectral_order(of_groups) : reverse_cuthill_mckee(of_groups);
    column_band_ = inverse(members(groups_, group_order_));
    ordered_width_ = bandwidth(graph_, column_band_);
    last_row_of_ = row_of_;
    last_groups_ = groups_;
  }
  row_band_.resize(a.size());
  for (int j = 0; j < a.size(); ++j) row_band_[row_of_[j]] = column_band_[j];
}

void SpikePlan::drop(const RowMatrix& a, double keep, SpikeReport& report) {
  kept_width_ = ordered_width_;
  if (keep < 1) {
    std::vector<double> sums(ordered_width_ + 1, 0.0);
    for (int i = 0; i < a.size(); ++i)
      for (int p = a.pattern.row_start[i]; p < a.pattern.row_start[i + 1]; ++p) {
        const int j = a.pattern.column[p];
        sums[std::abs(row_band_[i] - column_band_[j])] += std::abs(a.values[p]) * row_scale[i] * column_scale[j];
      }
    kept_width_ = kept_bandwidth(sums, keep);
    const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
    report.kept = all > 0 ? std::accumulate(sums.begin(), sums.begin() + kept_width_ + 1, 0.0) / all : 1;
  }
}

// Into parts that are at least as long as the band is wide, so that only neighbours are coupled.
void SpikePlan::cut(int wanted) {
  const int n = static_cast<int>(column_band_.size()), groups = groups_.count();
  const int shortest = std::max(kept_width_ + 2, smallest_partition);  // cuts are rounded to groups of two
  if (wanted <= 0) wanted = n / (lengths * shortest);
  const int parts = std::max(1, std::min(wanted, n / shortest));
  // At a cut before place p: unknowns behind it that are coupled with some before it, and the other way round.
  std::vector<std::int32_t> heads(n + 2, 0), tails(n + 2, 0);
  for (int i = 0; i < n; ++i) {
    const int here = column_band_[i];
    int first = here, last = here;
    for (const int j : graph_.of(i))
      if (const int there = column_band_[j]; std::abs(there - here) <= kept_width_)
        first = std::min(first, there), last = std::max(last, there);
    ++heads[first + 1], --heads[here + 1];
    ++tails[here + 1], --tails[last + 1];
  }
  std::partial_sum(heads.begin(), heads.end(), heads.begin());
  std::partial_sum(tails.begin(), tails.end(), tails.begin());
  std::vector<std::int32_t> begin(groups + 1, 0);  // [place among groups] place
  for (int k = 0; k < groups; ++k)
    begin[k + 1] = begin[k] + groups_.start[group_order_[k] + 1] - groups_.start[group_order_[k]];
  const double length = static_cast<double>(n) / parts;
  const double reach = std::min(cut_reach * length, std::max(0.0, (length - shortest) / 2 - 1));
  cut_.assign(1, 0);
  start.assign(1, 0);
  for (int part = 1; part < parts; ++part) {
    const double middle = part * length;
    int best = static_cast<int>(std::lower_bound(begin.begin(), begin.end(), static_cast<std::int32_t>(middle)) -
                                begin.begin());
    const int ideal = begin[best];
    const auto worse = [&](int k) {
      return std::pair(std::min(heads[begin[k]], tails[begin[k]]), std::abs(begin[k] - ideal));
    };
    for (int k = static_cast<int>(
             std::lower_bound(begin.begin(), begin.end(), static_cast<std::int32_t>(std::ceil(middle - reach))) -
             begin.begin());
         k < groups && begin[k] <= middle + reach; ++k)
      if (worse(k) < worse(best)) best = k;
    cut_.push_back(best);
    start.push_back(begin[best]);
  }
  cut_.push_back(groups);
  start.push_back(n);
  for (int part = 0; parts > 1 && part < parts; ++part) LITHE_INVARIANT(start[part + 1] - start[part] >= kept_width_);
}

void SpikePlan::second_stage(bool wanted, Team& team, SpikeReport& report) {
  const int parts = partitions();
  report.widths.assign(parts, 0);
  std::vector<std::int32_t> order = group_order_;
  if (wanted) {
    const Graph of_groups = quotient(graph_, groups_, column_band_, kept_width_);
    const std::vector<std::int32_t> place = inverse(group_order_);
    team.run(parts, [&](int part, int) {
      const Graph inside = part_of(of_groups, group_order_, place, cut_[part], cut_[part + 1]);
      const std::vector<std::int32_t> inner = reverse_cuthill_mckee(inside);
      for (std::size_t k = 0; k < inner.size(); ++k) order[cut_[part] + k] = group_order_[cut_[part] + inner[k]];
    });
  }
  column_at = members(groups_, order);
  column_place = inverse(column_at);
  const int n = static_cast<int>(column_at.size());
  row_at.resize(n);
  row_place.resize(n);
  for (int k = 0; k < n; ++k) {
    row_at[k] = row_of_[column_at[k]];
    row_place[row_at[k]] = k;
  }
  for (int part = 0; part < parts; ++part)
    for (int k = start[part]; k < start[part + 1]; ++k)
      for (const int j : graph_.of(column_at[k]))
        if (const int other = column_place[j];
            other >= start[part] && other < k && std::abs(column_band_[j] - column_band_[column_at[k]]) <= kept_width_)
          report.widths[part] = std::max(report.widths[part], k - other);
}

bool SpikePlan::make(const RowMatrix& a, const KrylovOptions& options, Team& team, SpikeReport& report) {
  Stopwatch watch;
  if (!match(a, options)) return false;
  report.matching_s = watch.lap();
  order(a, options);
  report.order_s = watch.lap();
  drop(a, options.keep.value_or(1), report);
  cut(options.partitions.value_or(0));
  report.drop_s = watch.lap();
  second_stage(options.second_stage, team, report);
  report.second_stage_s = watch.lap();
  report.unknowns = a.size();
  report.width = width_;
  report.ordered_width = ordered_width_;
  report.kept_width = kept_width_;
  report.partitions = partitions();
  return true;
}

}  // namespace lithe
