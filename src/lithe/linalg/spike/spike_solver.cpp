#include "lithe/linalg/spike/spike_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/stopwatch.h"

namespace lithe {

namespace {

template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T>
Eigen::Map<const Dense<T>> dense(const std::vector<T>& numbers, std::size_t rows, std::size_t columns) {
  return {numbers.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}
template <class T>
auto vector(std::vector<T>& numbers) {
  return Eigen::Map<Vector<T>>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace

template <class T>
bool SpikeSolver<T>::factor(const RowMatrix& a, const KrylovOptions& options, Team& team) {
  report_ = {};
  truncate_ = options.truncate;
  second_stage_ = options.second_stage;
  if (!plan_.make(a, options, team, report_)) return false;
  Stopwatch watch;
  const int parts = plan_.partitions();
  partitions_.resize(parts);
  cuts_.assign(parts - 1, {});
  find_tips(a);
  couple(a, team);
  report_.fill_s = watch.lap();
  // The largest number that is lost beside entries of 1 when it is squared.
  const T boost = std::sqrt(std::numeric_limits<T>::epsilon());
  team.run(parts, [&](int part, int) {
    fill(a, part, false, partitions_[part].lu);
    partitions_[part].boosted = partitions_[part].lu.factor(boost);
    partitions_[part].x.resize(partitions_[part].lu.padded());
  });
  for (const Partition& part : partitions_) {
    report_.boosted += part.boosted;
    report_.numbers += static_cast<double>(part.lu.numbers());
    report_.flops += part.lu.flops();
  }
  report_.factor_s = watch.lap();
  compute_spikes(a, team);
  report_.spikes_s = watch.lap();
  reduce(team);
  report_.reduced_s = watch.lap();
  return true;
}

template <class T>
void SpikeSolver<T>::find_tips(const RowMatrix& a) {
  std::vector<char> seen(plan_.size(), 0);
  for (int part = 0; part < plan_.partitions(); ++part)
    for (int k = plan_.start[part]; k < plan_.start[part + 1]; ++k) {
      const int row = plan_.row_at[k];
      for (int p = a.pattern.row_start[row]; p < a.pattern.row_start[row + 1]; ++p) {
        const int place = plan_.column_place[a.pattern.column[p]];
        if (place < plan_.start[part] || place >= plan_.start[part + 1])
          if (plan_.keeps(row, a.pattern.column[p])) seen[place] |= place < plan_.start[part] ? 1 : 2;
      }
    }
  for (int c = 0; c + 1 < plan_.partitions(); ++c) {
    Cut& cut = cuts_[c];
    for (int k = plan_.start[c]; k < plan_.start[c + 1]; ++k)
      if (seen[k] & 1) cut.tail.push_back(k - plan_.start[c]);
    for (int k = plan_.start[c + 1]; k < plan_.start[c + 2]; ++k)
      if (seen[k] & 2) cut.head.push_back(k - plan_.start[c + 1]);
    cut.g.resize(cut.size());
    cut.x.resize(cut.size());
    report_.largest_tip = std::max({report_.largest_tip, static_cast<int>(cut.tail.size()), static_cast<int>(cut.head.size())});
  }
}

template <class T>
void SpikeSolver<T>::couple(const RowMatrix& a, Team& team) {
  team.run(plan_.partitions(), [&](int part, int) {
    const int begin = plan_.start[part], end = plan_.start[part + 1];
    struct Entry {
      std::int32_t tip, row;
      T value;
    };
    std::vector<Entry> entries[2];
    for (int k = begin; k < end; ++k) {
      const int row = plan_.row_at[k];
      for (int p = a.pattern.row_start[row]; p < a.pattern.row_start[row + 1]; ++p) {
        const int column = a.pattern.column[p], place = plan_.column_place[column];
        if ((place >= begin && place < end) || !plan_.keeps(row, column)) continue;
        const bool after = place >= end;
        const auto& tips = after ? cuts_[part].head : cuts_[part - 1].tail;
        const int other = after ? end : plan_.start[part - 1];
        const auto tip = std::lower_bound(tips.begin(), tips.end(), place - other) - tips.begin();
        entries[after].push_back({static_cast<std::int32_t>(tip), k - begin,
                                  static_cast<T>(plan_.row_scale[row] * a.values[p] * plan_.column_scale[column])});
      }
    }
    for (const bool after : {false, true}) {
      SpikeCoupling<T>& coupling = after ? partitions_[part].after : partitions_[part].before;
      coupling = {};
      if (after ? part + 1 == plan_.partitions() : part == 0) continue;
      const std::size_t tips = after ? cuts_[part].head.size() : cuts_[part - 1].tail.size();
      std::ranges::stable_sort(entries[after], {}, &Entry::tip);
      coupling.start.assign(tips + 1, 0);
      for (const Entry& entry : entries[after]) {
        ++coupling.start[entry.tip + 1];
        coupling.row.push_back(entry.row);
        coupling.value.push_back(entry.value);
      }
      for (std::size_t t = 0; t < tips; ++t) coupling.start[t + 1] += coupling.start[t];
    }
  });
}

template <class T>
void SpikeSolver<T>::fill(const RowMatrix& a, int part, bool reversed, SkylineLU<T>& lu) const {
  const int begin = plan_.start[part], end = plan_.start[part + 1], size = end - begin;
  const auto each = [&](auto visit) {
    for (int k = begin; k < end; ++k) {
      const int row = plan_.row_at[k];
      for (int p = a.pattern.row_start[row]; p < a.pattern.row_start[row + 1]; ++p) {
        const int column = a.pattern.column[p], place = plan_.column_place[column];
        if (place < begin || place >= end || !plan_.keeps(row, column)) continue;
        const T value = static_cast<T>(plan_.row_scale[row] * a.values[p] * plan_.column_scale[column]);
        if (reversed) visit(end - 1 - k, end - 1 - place, value);
        else visit(k - begin, place - begin, value);
      }
    }
  };
  std::vector<std::int32_t> first_column(size), first_row(size);
  for (int k = 0; k < size; ++k) first_column[k] = first_row[k] = k;
  each([&](int i, int j, T) {
    first_column[i] = std::min(first_column[i], j);
    first_row[j] = std::min(first_row[j], i);
  });
  lu.analyse(first_column, first_row);
  lu.clear();
  each([&](int i, int j, T value) { lu.add(i, j, value); });
}

// The tips of `side` columns of a spike.
template <class T>
void SpikeSolver<T>::compute_panel(int part, bool after, int first, const SkylineLU<T>& lu, bool reversed,
                                   AlignedVector<T>& panel) {
  constexpr int tile = SkylineLU<T>::tile;
  const SpikeCoupling<T>& coupling = after ? partitions_[part].after : partitions_[part].before;
  Spike& spike = after ? v_[part] : w_[part];
  const int columns = std::min(side, coupling.columns() - first), last_row = length(part) - 1;
  const auto at = [&](int row, int column) -> T& {
    const int r = reversed ? last_row - row : row;
    return panel[static_cast<std::size_t>(r / side) * tile + column * side + r % side];
  };
  panel.assign(static_cast<std::size_t>(lu.tiles()) * tile, T(0));
  int begin = lu.tiles() - 1, wanted = lu.tiles() - 1;
  for (int c = 0; c < columns; ++c)
    for (int p = coupling.start[first + c]; p < coupling.start[first + c + 1]; ++p) {
      at(coupling.row[p], c) = coupling.value[p];
      begin = std::min(begin, (reversed ? last_row - coupling.row[p] : coupling.row[p]) / side);
    }
  const auto each_wanted = [&](auto visit) {
    if (!spike.at_head.empty()) visit(cuts_[part - 1].head, spike.at_head);
    if (!spike.at_tail.empty()) visit(cuts_[part].tail, spike.at_tail);
  };
  each_wanted([&](const std::vector<std::int32_t>& rows, std::vector<T>&) {
    for (const int row : rows) wanted = std::min(wanted, (reversed ? last_row - row : row) / side);
  });
  lu.solve_panel(panel.data(), begin, wanted);
  each_wanted([&](const std::vector<std::int32_t>& rows, std::vector<T>& tips) {
    for (int c = 0; c < columns; ++c)
      for (std::size_t r = 0; r < rows.size(); ++r) tips[(first + c) * rows.size() + r] = at(rows[r], c);
  });
}

template <class T>
void SpikeSolver<T>::compute_spikes(const RowMatrix& a, Team& team) {
  const int parts = plan_.partitions();
  v_.assign(parts, {});
  w_.assign(parts, {});
  std::vector<AlignedVector<T>> panels(team.size());
  // Without an order of its own the tips of a partition are its first and last rows: sweeps over L and U reach the last
  // rows after K of them, and so do sweeps over the factors of the reversed partition the first rows.
  const bool from_both_ends = truncate_ && !second_stage_;
  struct Task {
    int part;
    bool after;
    int first;
  };
  std::vector<Task> tasks;
  for (int part = 0; part < parts; ++part)
    for (const bool after : {false, true}) {
      if (after ? part + 1 == parts : part == 0) continue;
      const std::size_t columns = (after ? partitions_[part].after : partitions_[part].before).columns();
      Spike& spike = after ? v_[part] : w_[part];
      if (part > 0 && (!after || !truncate_)) spike.at_head.assign(columns * cuts_[part - 1].head.size(), T(0));
      if (part + 1 < parts && (after || !truncate_)) spike.at_tail.assign(columns * cuts_[part].tail.size(), T(0));
      if (!after && from_both_ends) continue;
      for (std::size_t first = 0; first < columns; first += side)
        tasks.push_back({part, after, static_cast<int>(first)});
      report_.flops += static_cast<double>(columns) * 2 * static_cast<double>(partitions_[part].lu.numbers());
    }
  team.run(static_cast<int>(tasks.size()), [&](int k, int thread) {
    const Task& task = tasks[k];
    compute_panel(task.part, task.after, task.first, partitions_[task.part].lu, false, panels[thread]);
  });
  if (!from_both_ends) return;
  const T boost = std::sqrt(std::numeric_limits<T>::epsilon());
  team.run(parts - 1, [&](int k, int thread) {
    SkylineLU<T> reversed;
    fill(a, k + 1, true, reversed);
    reversed.factor(boost);
    for (int first = 0; first < partitions_[k + 1].before.columns(); first += side)
      compute_panel(k + 1, false, first, reversed, true, panels[thread]);
  });
}

// R = (I + L' D'^-1) (D' + U') over the cuts, D'_c = D_c - L'_c D'_{c-1}^-1 U'_{c-1}, L'_c the W at the tail of partition c,
// U'_{c-1} its V at the head; both are zero where the system is truncated.
template <class T>
void SpikeSolver<T>::reduce(Team& team) {
  const auto invert = [&](int c) {
    Cut& cut = cuts_[c];
    const auto tail = static_cast<Eigen::Index>(cut.tail.size()), head = static_cast<Eigen::Index>(cut.head.size());
    Dense<T> block = Dense<T>::Identity(tail + head, tail + head);
    block.topRightCorner(tail, head) = dense(v_[c].at_tail, tail, head);
    block.bottomLeftCorner(head, tail) = dense(w_[c + 1].at_head, head, tail);
    if (!truncate_ && c > 0) {
      const Cut& before = cuts_[c - 1];
      const auto tail_before = static_cast<Eigen::Index>(before.tail.size()), head_before = static_cast<Eigen::Index>(before.head.size());
      const auto inverse = dense(before.inverse, before.size(), before.size());
      block.topRightCorner(tail, head) -= dense(w_[c].at_tail, tail, tail_before) *
                                          (inverse.topRightCorner(tail_before, head_before) * dense(v_[c].at_head, head_before, head));
    }
    const Dense<T> inverse = block.partialPivLu().inverse();
    cut.inverse.assign(inverse.data(), inverse.data() + inverse.size());
    cut.previous.clear();
    cut.next.clear();
    if (truncate_) return;
    if (c > 0) cut.previous = std::move(w_[c].at_tail);
    if (c + 1 < static_cast<int>(cuts_.size())) cut.next = v_[c + 1].at_head;
  };
  const int count = static_cast<int>(cuts_.size());
  if (truncate_) {
    team.run(count, [&](int c, int) { invert(c); });
  } else {
    for (int c = 0; c < count; ++c) invert(c);
  }
  for (const Cut& cut : cuts_) {
    report_.numbers += static_cast<double>(cut.inverse.size() + cut.previous.size() + cut.next.size());
    report_.flops += 2 * std::pow(static_cast<double>(cut.size()), 3);
  }
  v_.clear();
  w_.clear();
}

template <class T>
void SpikeSolver<T>::solve_reduced(bool transposed, Team& team) {
  const int count = static_cast<int>(cuts_.size());
  // x = D'^-1 g, or D'^-T g.
  const auto invert = [&](int c) {
    Cut& cut = cuts_[c];
    const auto inverse = dense(cut.inverse, cut.size(), cut.size());
    if (transposed) vector(cut.x).noalias() = inverse.transpose() * vector(cut.g);
    else vector(cut.x).noalias() = inverse * vector(cut.g);
  };
  if (truncate_) {
    team.run(count, [&](int c, int) { invert(c); });
    return;
  }
  const auto tail = [](Cut& cut, std::vector<T>& x) { return vector(x).head(static_cast<Eigen::Index>(cut.tail.size())); };
  const auto head = [](Cut& cut, std::vector<T>& x) { return vector(x).tail(static_cast<Eigen::Index>(cut.head.size())); };
  for (int c = 0; c < count; ++c) {
    if (c > 0) {
      Cut &cut = cuts_[c], &before = cuts_[c - 1];
      if (transposed) head(cut, cut.g).noalias() -= dense(before.next, before.head.size(), cut.head.size()).transpose() * head(before, before.x);
      else tail(cut, cut.g).noalias() -= dense(cut.previous, cut.tail.size(), before.tail.size()) * tail(before, before.x);
    }
    invert(c);
  }
  for (int c = count - 2; c >= 0; --c) {
    Cut &cut = cuts_[c], &after = cuts_[c + 1];
    vector(cut.g).setZero();
    if (transposed) tail(cut, cut.g).noalias() = dense(after.previous, after.tail.size(), cut.tail.size()).transpose() * tail(after, after.x);
    else head(cut, cut.g).noalias() = dense(cut.next, cut.head.size(), after.head.size()) * head(after, after.x);
    const auto inverse = dense(cut.inverse, cut.size(), cut.size());
    if (transposed) vector(cut.x).noalias() -= inverse.transpose() * vector(cut.g);
    else vector(cut.x).noalias() -= inverse * vector(cut.g);
  }
}

template <class T>
void SpikeSolver<T>::solve(std::span<const double> b, std::span<double> x, bool transposed, Team& team) {
  const int parts = plan_.partitions();
  const auto& from = transposed ? plan_.column_at : plan_.row_at;
  const auto& to = transposed ? plan_.row_at : plan_.column_at;
  const auto& from_scale = transposed ? plan_.column_scale : plan_.row_scale;
  const auto& to_scale = transposed ? plan_.row_scale : plan_.column_scale;
  const auto sweep = [&](Partition& part) {
    if (transposed) part.lu.solve_transposed(part.x.data());
    else part.lu.solve(part.x.data());
  };
  const auto load = [&](int k) {
    Partition& part = partitions_[k];
    const int begin = plan_.start[k], size = length(k);
    for (int i = 0; i < size; ++i) part.x[i] = static_cast<T>(b[from[begin + i]] * from_scale[from[begin + i]]);
    std::fill(part.x.begin() + size, part.x.end(), T(0));
  };
  // sums_t = (column t)^T x.
  const auto products = [](const SpikeCoupling<T>& coupling, const AlignedVector<T>& numbers, T* sums) {
    for (int t = 0; t < coupling.columns(); ++t) {
      T sum = 0;
      for (int p = coupling.start[t]; p < coupling.start[t + 1]; ++p) sum += coupling.value[p] * numbers[coupling.row[p]];
      sums[t] = sum;
    }
  };
  const auto subtract = [](const SpikeCoupling<T>& coupling, const T* factors, AlignedVector<T>& numbers) {
    for (int t = 0; t < coupling.columns(); ++t)
      for (int p = coupling.start[t]; p < coupling.start[t + 1]; ++p) numbers[coupling.row[p]] -= coupling.value[p] * factors[t];
  };

  if (parts > 1) {
    // g = E^T D^-1 b, or F^T D^-T b.
    team.run(parts, [&](int k, int) {
      Partition& part = partitions_[k];
      load(k);
      sweep(part);
      if (k > 0) {
        Cut& cut = cuts_[k - 1];
        if (transposed) products(part.before, part.x, cut.g.data());
        else
          for (std::size_t t = 0; t < cut.head.size(); ++t) cut.g[cut.tail.size() + t] = part.x[cut.head[t]];
      }
      if (k + 1 < parts) {
        Cut& cut = cuts_[k];
        if (transposed) products(part.after, part.x, cut.g.data() + cut.tail.size());
        else
          for (std::size_t t = 0; t < cut.tail.size(); ++t) cut.g[t] = part.x[cut.tail[t]];
      }
    });
    solve_reduced(transposed, team);
  }
  team.run(parts, [&](int k, int) {
    Partition& part = partitions_[k];
    load(k);
    if (k > 0) {
      const Cut& cut = cuts_[k - 1];
      if (!transposed) subtract(part.before, cut.x.data(), part.x);
      else
        for (std::size_t t = 0; t < cut.head.size(); ++t) part.x[cut.head[t]] -= cut.x[cut.tail.size() + t];
    }
    if (k + 1 < parts) {
      const Cut& cut = cuts_[k];
      if (!transposed) subtract(part.after, cut.x.data() + cut.tail.size(), part.x);
      else
        for (std::size_t t = 0; t < cut.tail.size(); ++t) part.x[cut.tail[t]] -= cut.x[t];
    }
    sweep(part);
  });
  // x may be b: written when nobody reads b any more.
  team.run(parts, [&](int k, int) {
    const int begin = plan_.start[k], size = length(k);
    for (int i = 0; i < size; ++i) x[to[begin + i]] = partitions_[k].x[i] * to_scale[to[begin + i]];
  });
}

template class SpikeSolver<float>;
template class SpikeSolver<double>;

}  // namespace lithe
