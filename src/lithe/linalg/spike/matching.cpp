#include "lithe/linalg/spike/matching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace lithe {

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

// Rows are matched along edges that are tight: c_ij = u_i + v_j.
class Assignment {
 public:
  Assignment(const RowPattern& a, std::vector<double> cost)
      : a_(a),
        cost_(std::move(cost)),
        u_(a.rows, 0.0),
        v_(a.columns, 0.0),
        column_of_(a.rows, -1),
        row_of_(a.columns, -1) {}

  // u and v as large as they can be by rows, then by columns.
  void cheap_duals() {
    std::fill(v_.begin(), v_.end(), far);
    for (int i = 0; i < a_.rows; ++i) {
      double least = far;
      for (int p = begin(i); p < end(i); ++p) least = std::min(least, cost_[p]);
      u_[i] = least < far ? least : 0;
    }
    for (int i = 0; i < a_.rows; ++i)
      for (int p = begin(i); p < end(i); ++p) v_[a_.column[p]] = std::min(v_[a_.column[p]], cost_[p] - u_[i]);
    for (double& v : v_)
      if (v == far) v = 0;
  }

  void match(int row, int column) {
    column_of_[row] = column;
    row_of_[column] = row;
  }
  bool free_row(int i) const { return column_of_[i] < 0; }
  bool free_column(int j) const { return row_of_[j] < 0; }

  // The diagonal first, then the first tight edge.
  void cheap_matches() {
    for (int i = 0; i < a_.rows; ++i)
      for (int p = begin(i); p < end(i); ++p)
        if (a_.column[p] == i && tight(i, p) && free_column(i)) match(i, i);
    for (int i = 0; i < a_.rows; ++i)
      for (int p = begin(i); free_row(i) && p < end(i); ++p)
        if (tight(i, p) && free_column(a_.column[p])) match(i, a_.column[p]);
  }

  // As many rows as tight edges allow: passes of disjoint augmenting paths, by depth with a look ahead (Pothen and
  // Fan).
  void augment_tight() {
    std::vector<std::int32_t> seen(a_.columns, -1), ahead(a_.rows), at(a_.rows), path;
    for (int i = 0; i < a_.rows; ++i) ahead[i] = begin(i);
    for (int pass = 0;; ++pass) {
      int found = 0;
      for (int root = 0; root < a_.rows; ++root) {
        if (!free_row(root)) continue;
        path.assign(1, root);
        at[root] = begin(root);
        while (!path.empty()) {
          const int i = path.back();
          int next = -1;
          // A column that is free stays free for no later look once it is taken, so that the look never turns back.
          for (std::int32_t& p = ahead[i]; next < 0 && p < end(i); ++p)
            if (free_column(a_.column[p]) && tight(i, p)) next = a_.column[p];
          if (next >= 0) {
            for (int k = static_cast<int>(path.size()) - 1; k >= 0; --k) {
              const int old = column_of_[path[k]];
              match(path[k], next);
              next = old;
            }
            ++found;
            break;
          }
          for (; next < 0 && at[i] < end(i); ++at[i])
            if (const int j = a_.column[at[i]]; seen[j] != pass && tight(i, at[i])) {
              seen[j] = pass;
              next = j;
            }
          if (next < 0) {
            path.pop_back();
          } else {
            path.push_back(row_of_[next]);
            at[path.back()] = begin(path.back());
          }
        }
      }
      if (found == 0) return;
    }
  }

  // The shortest augmenting path of each row that is left, by lengths c_ij - u_i - v_j (Dijkstra); duals follow.
  void augment_shortest() {
    using Reached = std::pair<double, std::int32_t>;
    std::vector<double> distance(a_.columns, far);
    std::vector<std::int32_t> from(a_.columns, -1), touched, settled, near;
    std::vector<char> done(a_.columns, 0);
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    for (int root = 0; root < a_.rows; ++root) {
      if (!free_row(root)) continue;
      touched.clear(), settled.clear(), near.clear();
      queue = {};
      int found = -1;
      double length = 0;
      for (int i = root;;) {
        for (int p = begin(i); p < end(i) && found < 0; ++p) {
          const int j = a_.column[p];
          if (cost_[p] == far || done[j]) continue;
          const double d = length + std::max(0.0, cost_[p] - u_[i] - v_[j]);
          if (d >= distance[j]) continue;
          if (distance[j] == far) touched.push_back(j);
          distance[j] = d;
          from[j] = i;
          if (d > length) queue.push({d, j});
          else if (free_column(j)) found = j;
          else near.push_back(j);
        }
        if (found >= 0) break;
        int next = -1;
        while (next < 0 && !near.empty()) {
          if (!done[near.back()]) next = near.back();
          near.pop_back();
        }
        while (next < 0 && !queue.empty()) {
          if (const auto [d, j] = queue.top(); !done[j] && d == distance[j]) next = j;
          queue.pop();
        }
        if (next < 0) break;
        length = distance[next];
        if (free_column(next)) {
          found = next;
          break;
        }
        done[next] = 1;
        settled.push_back(next);
        i = row_of_[next];
      }
      if (found >= 0) {
        u_[root] += length;
        for (const int j : settled) {
          u_[row_of_[j]] += length - distance[j];
          v_[j] -= length - distance[j];
        }
        for (int j = found;;) {
          const int i = from[j], old = column_of_[i];
          match(i, j);
          if (i == root) break;
          j = old;
        }
      }
      for (const int j : touched) distance[j] = far, done[j] = 0;
    }
  }

  const std::vector<double>& u() const { return u_; }
  const std::vector<double>& v() const { return v_; }
  const std::vector<std::int32_t>& column_of() const { return column_of_; }
  const std::vector<std::int32_t>& row_of() const { return row_of_; }
  int matched() const {
    return static_cast<int>(std::ranges::count_if(row_of_, [](std::int32_t i) { return i >= 0; }));
  }

 private:
  int begin(int i) const { return a_.row_start[i]; }
  int end(int i) const { return a_.row_start[i + 1]; }
  bool tight(int i, int p) const { return cost_[p] - u_[i] - v_[a_.column[p]] <= 0; }

  const RowPattern& a_;
  std::vector<double> cost_;  // [entry]
  std::vector<double> u_, v_;
  std::vector<std::int32_t> column_of_, row_of_;
};

RowMatching result(const Assignment& of, int size) {
  return {of.row_of(), std::vector<double>(size, 1.0), std::vector<double>(size, 1.0), of.matched()};
}

// 0 for each entry that is there.
std::vector<double> presence(std::span<const double> values) {
  std::vector<double> cost(values.size());
  for (std::size_t p = 0; p < cost.size(); ++p) cost[p] = values[p] != 0 ? 0 : far;
  return cost;
}

// Logarithms of each column's largest entry over the entries.
std::vector<double> logarithms(const RowPattern& a, std::span<const double> values, std::vector<double>& largest) {
  largest.assign(a.columns, 0.0);
  for (std::size_t p = 0; p < a.nonzeros(); ++p)
    largest[a.column[p]] = std::max(largest[a.column[p]], std::abs(values[p]));
  std::vector<double> cost(a.nonzeros());
  for (std::size_t p = 0; p < cost.size(); ++p)
    cost[p] = values[p] != 0 ? std::log(largest[a.column[p]] / std::abs(values[p])) : far;
  return cost;
}

}  // namespace

RowMatching match_product(const RowPattern& a, std::span<const double> values) {
  std::vector<double> largest;
  Assignment assignment(a, logarithms(a, values, largest));
  assignment.cheap_duals();
  assignment.cheap_matches();
  assignment.augment_tight();
  assignment.augment_shortest();
  RowMatching matching = result(assignment, a.rows);
  if (!matching.perfect()) return matching;
  for (int i = 0; i < a.rows; ++i) {
    matching.row_scale[i] = std::exp(assignment.u()[i]);
    matching.column_scale[i] = std::exp(assignment.v()[i]) / largest[i];
  }
  return matching;
}

RowMatching match_cardinality(const RowPattern& a, std::span<const double> values) {
  Assignment assignment(a, presence(values));
  assignment.cheap_matches();
  assignment.augment_tight();
  return result(assignment, a.rows);
}

std::vector<std::int32_t> own_columns(const RowPattern& a, std::span<const double> values) {
  std::vector<double> largest;
  Assignment assignment(a, logarithms(a, values, largest));
  assignment.cheap_duals();
  assignment.cheap_matches();
  assignment.augment_tight();
  assignment.augment_shortest();
  return assignment.column_of();
}

}  // namespace lithe
