#include "lithe/linalg/spike/spike_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/flush_subnormals.h"
#include "lithe/base/stopwatch.h"

namespace lithe {

namespace {

// Tasks of a team. Spikes and right-hand sides decay along partitions, in single precision to subnormal numbers.
template <class Task>
void run(Team& team, int count, Task&& task) {
  team.run(count, [&](int k, int thread) {
    const FlushSubnormals flushed;
    task(k, thread);
  });
}

template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
Eigen::Map<const Dense<T>> dense(const std::vector<T>& numbers, std::size_t rows, std::size_t columns) {
  return {numbers.data(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

// Of a spike or an inverse: without what is nothing beside the rounding of its largest number (a tenth of it: there are
// many).
template <class T>
void take(Lines<T>& lines, const Dense<T>& numbers) {
  const T largest = numbers.size() > 0 ? numbers.cwiseAbs().maxCoeff() : T(0);
  lines.take(numbers.data(), static_cast<int>(numbers.rows()), static_cast<int>(numbers.cols()),
             T(0.1) * std::numeric_limits<T>::epsilon() * largest);
}

// y -= A x, y -= A^T x, y = A x, y = A^T x.
template <class T>
void subtract(const Lines<T>& a, bool transposed, const AlignedVector<T>& x, AlignedVector<T>& y) {
  constexpr int side = Lines<T>::side;
  for (int strip = 0; strip < a.strips(); ++strip)
    if (transposed) a.subtract_transposed(strip, Lines<T>::load(x.data() + strip * side), y.data());
    else Lines<T>::store(y.data() + strip * side, Lines<T>::load(y.data() + strip * side) - a.product(strip, x.data()));
}
template <class T>
void multiply(const Lines<T>& a, bool transposed, const AlignedVector<T>& x, AlignedVector<T>& y) {
  std::fill(y.begin(), y.end(), T(0));
  subtract(a, transposed, x, y);
  for (T& value : y) value = -value;
}

}  // namespace

template <class T>
bool SpikeSolver<T>::factor(const RowMatrix& a, const KrylovOptions& options, Team& team) {
  report_ = {};
  truncate_ = options.truncate;
  second_stage_ = options.second_stage;
  if (!plan_.make(a, options, team, report_)) return false;
  const FlushSubnormals flushed;
  Stopwatch watch;
  const int parts = plan_.partitions();
  partitions_.resize(parts);
  cuts_.assign(parts - 1, {});
  run(team, parts, [&](int part, int) {
    for (const bool after : {false, true}) partitions_[part].along(after) = couple(a, part, after);
  });
  for (int c = 0; c + 1 < parts; ++c) {
    Cut& cut = cuts_[c];
    cut.tails = partitions_[c + 1].before.tips();
    cut.heads = partitions_[c].after.tips();
    for (Tips* tips : {&cut.g, &cut.x, &cut.z}) {
      tips->tail.assign((cut.tails + side - 1) / side * side, T(0));
      tips->head.assign((cut.heads + side - 1) / side * side, T(0));
    }
    report_.largest_tip = std::max({report_.largest_tip, cut.tails, cut.heads});
  }
  report_.fill_s = watch.lap();
  // The largest number that is lost beside entries of 1 when it is squared.
  const T boost = std::sqrt(std::numeric_limits<T>::epsilon());
  tiles_.resize(team.size());
  run(team, parts, [&](int k, int thread) {
    Partition& part = partitions_[k];
    fill(a, k, false, tiles_[thread]);
    part.boosted = tiles_[thread].factor(boost);
    part.flops = tiles_[thread].flops();
    part.lu.take(tiles_[thread]);
    part.x.resize(part.lu.padded());
  });
  for (const Partition& part : partitions_) {
    report_.boosted += part.boosted;
    report_.numbers += static_cast<double>(part.lu.numbers());
    report_.read += static_cast<double>(part.lu.numbers()) * (parts > 1 ? 2 : 1);
    report_.flops += part.flops;
  }
  report_.factor_s = watch.lap();
  compute_spikes(a, team);
  report_.spikes_s = watch.lap();
  reduce(team);
  report_.reduced_s = watch.lap();
  return true;
}

template <class T>
SpikeCoupling<T> SpikeSolver<T>::couple(const RowMatrix& a, int part, bool after) const {
  const int begin = plan_.start[part], end = plan_.start[part + 1];
  SpikeCoupling<T> coupling;
  if (after ? part + 1 == plan_.partitions() : part == 0) return coupling;
  const int other = after ? end : plan_.start[part - 1];
  struct Entry {
    std::int32_t row, column;
    T value;
  };
  std::vector<Entry> entries;
  std::vector<std::int32_t> rows, columns;
  for (int k = begin; k < end; ++k) {
    const int row = plan_.row_at[k];
    for (int p = a.pattern.row_start[row]; p < a.pattern.row_start[row + 1]; ++p) {
      const int column = a.pattern.column[p], place = plan_.column_place[column];
      if ((after ? place < end : place >= begin) || !plan_.keeps(row, column)) continue;
      entries.push_back({k - begin, place - other, static_cast<T>(plan_.scaled(a, row, p))});
      rows.push_back(k - begin);
      columns.push_back(place - other);
    }
  }
  for (auto* places : {&rows, &columns}) {
    std::ranges::sort(*places);
    places->erase(std::unique(places->begin(), places->end()), places->end());
  }
  const bool by_columns = columns.size() <= rows.size();
  const auto& tips = by_columns ? columns : rows;
  SpikeColumns<T>&units = by_columns ? coupling.E : coupling.F, &full = by_columns ? coupling.F : coupling.E;
  std::ranges::stable_sort(entries, {}, by_columns ? &Entry::column : &Entry::row);
  std::size_t next = 0;
  for (const std::int32_t tip : tips) {
    units.row.push_back(tip);
    units.value.push_back(T(1));
    units.start.push_back(static_cast<std::int32_t>(units.row.size()));
    for (; next < entries.size() && (by_columns ? entries[next].column : entries[next].row) == tip; ++next) {
      full.row.push_back(by_columns ? entries[next].row : entries[next].column);
      full.value.push_back(entries[next].value);
    }
    full.start.push_back(static_cast<std::int32_t>(full.row.size()));
  }
  return coupling;
}

template <class T>
void SpikeSolver<T>::fill(const RowMatrix& a, int part, bool reversed, SkylineTiles<T>& tiles) const {
  const int begin = plan_.start[part], end = plan_.start[part + 1], size = end - begin;
  const auto each = [&](auto visit) {
    for (int k = begin; k < end; ++k) {
      const int row = plan_.row_at[k];
      for (int p = a.pattern.row_start[row]; p < a.pattern.row_start[row + 1]; ++p) {
        const int column = a.pattern.column[p], place = plan_.column_place[column];
        if (place < begin || place >= end || !plan_.keeps(row, column)) continue;
        const T value = static_cast<T>(plan_.scaled(a, row, p));
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
  tiles.begin(first_column, first_row);
  each([&](int i, int j, T value) { tiles.add(i, j, value); });
}

// The tips of `side` columns of a spike.
template <class T>
void SpikeSolver<T>::compute_panel(int part, bool after, int first, const SkylineLU<T>& lu, bool reversed,
                                   AlignedVector<T>& panel) {
  const SpikeColumns<T>& F = partitions_[part].along(after).F;
  Spike& spike = after ? v_[part] : w_[part];
  const int columns = std::min(side, F.count() - first), last_row = length(part) - 1;
  const auto place = [&](int row) { return reversed ? last_row - row : row; };
  const auto at = [&](int row, int column) -> T& {
    return panel[static_cast<std::size_t>(place(row)) * side + column];
  };
  panel.assign(static_cast<std::size_t>(lu.padded()) * side, T(0));
  int begin = lu.tiles() - 1, wanted = lu.tiles() - 1;
  for (int c = 0; c < columns; ++c)
    for (int p = F.start[first + c]; p < F.start[first + c + 1]; ++p) {
      at(F.row[p], c) = F.value[p];
      begin = std::min(begin, place(F.row[p]) / side);
    }
  const auto each_wanted = [&](auto visit) {
    if (!spike.at_head.empty()) visit(partitions_[part - 1].after.E, spike.at_head);
    if (!spike.at_tail.empty()) visit(partitions_[part + 1].before.E, spike.at_tail);
  };
  each_wanted([&](const SpikeColumns<T>& E, std::vector<T>&) {
    for (const int row : E.row) wanted = std::min(wanted, place(row) / side);
  });
  lu.solve_panel(panel.data(), begin, wanted);
  each_wanted([&](const SpikeColumns<T>& E, std::vector<T>& tips) {
    for (int c = 0; c < columns; ++c)
      for (int t = 0; t < E.count(); ++t) {
        T sum = 0;
        for (int p = E.start[t]; p < E.start[t + 1]; ++p) sum += E.value[p] * at(E.row[p], c);
        tips[static_cast<std::size_t>(first + c) * E.count() + t] = sum;
      }
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
      const std::size_t columns = partitions_[part].along(after).tips();
      Spike& spike = after ? v_[part] : w_[part];
      if (part > 0 && (!after || !truncate_)) spike.at_head.assign(columns * cuts_[part - 1].heads, T(0));
      if (part + 1 < parts && (after || !truncate_)) spike.at_tail.assign(columns * cuts_[part].tails, T(0));
      if (!after && from_both_ends) continue;
      for (std::size_t first = 0; first < columns; first += side)
        tasks.push_back({part, after, static_cast<int>(first)});
      report_.flops += static_cast<double>(columns) * 2 * static_cast<double>(partitions_[part].lu.numbers());
    }
  run(team, static_cast<int>(tasks.size()), [&](int k, int thread) {
    const Task& task = tasks[k];
    compute_panel(task.part, task.after, task.first, partitions_[task.part].lu, false, panels[thread]);
  });
  if (!from_both_ends) return;
  const T boost = std::sqrt(std::numeric_limits<T>::epsilon());
  run(team, parts - 1, [&](int k, int thread) {
    SkylineLU<T> reversed;
    fill(a, k + 1, true, tiles_[thread]);
    tiles_[thread].factor(boost);
    reversed.take(tiles_[thread]);
    for (int first = 0; first < partitions_[k + 1].before.tips(); first += side)
      compute_panel(k + 1, false, first, reversed, true, panels[thread]);
  });
}

// R = (I + L' D'^-1) (D' + U') over the cuts, D'_c = D_c - L'_c D'_{c-1}^-1 U'_{c-1}, L'_c the W at the tail of
// partition c, U'_{c-1} its V at the head; both are zero where the system is truncated. Of D_c the elimination changes
// V alone, by the upper right block of [I V; W I]^-1, -V S.
template <class T>
void SpikeSolver<T>::reduce(Team& team) {
  const int count = static_cast<int>(cuts_.size());
  std::vector<Dense<T>> V(count), S(count);
  const auto reduce_cut = [&](int c) {
    Cut& cut = cuts_[c];
    V[c] = dense(v_[c].at_tail, cut.tails, cut.heads);
    const auto W = dense(w_[c + 1].at_head, cut.heads, cut.tails);
    cut.previous.clear();
    cut.next.clear();
    if (!truncate_ && c > 0) {
      const Cut& before = cuts_[c - 1];
      const Dense<T> previous = dense(w_[c].at_tail, cut.tails, before.tails);
      const Dense<T> reached = S[c - 1] * dense(v_[c].at_head, before.heads, cut.heads);
      V[c] += previous * (V[c - 1] * reached);
      take<T>(cut.previous, previous);
    }
    if (!truncate_ && c + 1 < count) take<T>(cut.next, dense(v_[c + 1].at_head, cut.heads, cuts_[c + 1].heads));
    Dense<T> block = Dense<T>::Identity(cut.heads, cut.heads);
    block.noalias() -= W * V[c];
    S[c] = block.partialPivLu().inverse();
    take<T>(cut.V, V[c]);
    take<T>(cut.W, W);
    take<T>(cut.S, S[c]);
  };
  if (truncate_) {
    run(team, count, [&](int c, int) { reduce_cut(c); });
  } else {
    for (int c = 0; c < count; ++c) reduce_cut(c);
  }
  for (const Cut& cut : cuts_) {
    double numbers = 0;
    for (const Lines<T>* lines : {&cut.V, &cut.W, &cut.S, &cut.previous, &cut.next})
      numbers += static_cast<double>(lines->numbers());
    report_.numbers += numbers;
    report_.read += numbers;
    report_.flops += 2.0 * cut.heads * cut.heads * (cut.heads + cut.tails);
  }
  v_.clear();
  w_.clear();
}

// x = D'^-1 g or D'^-T g, by x_head = S (g_head - W g_tail), x_tail = g_tail - V x_head. Of g the head is lost.
template <class T>
void SpikeSolver<T>::solve_cut(Cut& cut, bool transposed) const {
  subtract(transposed ? cut.V : cut.W, transposed, cut.g.tail, cut.g.head);
  multiply(cut.S, transposed, cut.g.head, cut.x.head);
  cut.x.tail = cut.g.tail;
  subtract(transposed ? cut.W : cut.V, transposed, cut.x.head, cut.x.tail);
}

// Untruncated: z = D'^-1 (g - L' z of the cut before), then x = z - D'^-1 U' x of the cut behind; L'^T and U'^T change
// places.
template <class T>
void SpikeSolver<T>::solve_reduced(bool transposed) {
  const int count = static_cast<int>(cuts_.size());
  for (int c = 0; c < count; ++c) {
    Cut& cut = cuts_[c];
    if (c > 0) {
      Cut& before = cuts_[c - 1];
      if (transposed) subtract(before.next, true, before.x.head, cut.g.head);
      else subtract(cut.previous, false, before.x.tail, cut.g.tail);
    }
    solve_cut(cut, transposed);
  }
  for (int c = count - 2; c >= 0; --c) {
    Cut &cut = cuts_[c], &behind = cuts_[c + 1];
    for (AlignedVector<T>* numbers : {&cut.g.tail, &cut.g.head}) std::fill(numbers->begin(), numbers->end(), T(0));
    if (transposed) multiply(behind.previous, true, behind.x.tail, cut.g.tail);
    else multiply(cut.next, false, behind.x.head, cut.g.head);
    std::swap(cut.x, cut.z);
    solve_cut(cut, transposed);
    for (std::size_t i = 0; i < cut.x.tail.size(); ++i) cut.x.tail[i] = cut.z.tail[i] - cut.x.tail[i];
    for (std::size_t i = 0; i < cut.x.head.size(); ++i) cut.x.head[i] = cut.z.head[i] - cut.x.head[i];
  }
}

template <class T>
void SpikeSolver<T>::solve(std::span<const double> b, std::span<double> x, bool transposed, Team& team) {
  const FlushSubnormals flushed;
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
  const auto gather = [](const SpikeColumns<T>& columns, const AlignedVector<T>& numbers, T* sums) {
    for (int t = 0; t < columns.count(); ++t) {
      T sum = 0;
      for (int p = columns.start[t]; p < columns.start[t + 1]; ++p) sum += columns.value[p] * numbers[columns.row[p]];
      sums[t] = sum;
    }
  };
  const auto take_away = [](const SpikeColumns<T>& columns, const T* factors, AlignedVector<T>& numbers) {
    for (int t = 0; t < columns.count(); ++t)
      for (int p = columns.start[t]; p < columns.start[t + 1]; ++p)
        numbers[columns.row[p]] -= columns.value[p] * factors[t];
  };

  // E^T D^-1 b, or F^T D^-T b: C_k^T and B_k^T take of partition k what C_k and B_k bring into it.
  const auto first_sweep = [&](int k) {
    Partition& part = partitions_[k];
    load(k);
    sweep(part);
    if (k > 0) {
      Cut& cut = cuts_[k - 1];
      if (transposed) gather(part.before.F, part.x, cut.g.tail.data());
      else gather(partitions_[k - 1].after.E, part.x, cut.g.head.data());
    }
    if (k + 1 < parts) {
      Cut& cut = cuts_[k];
      if (transposed) gather(part.after.F, part.x, cut.g.head.data());
      else gather(partitions_[k + 1].before.E, part.x, cut.g.tail.data());
    }
  };
  const auto second_sweep = [&](int k) {
    Partition& part = partitions_[k];
    load(k);
    if (k > 0) {
      const Cut& cut = cuts_[k - 1];
      if (transposed) take_away(partitions_[k - 1].after.E, cut.x.head.data(), part.x);
      else take_away(part.before.F, cut.x.tail.data(), part.x);
    }
    if (k + 1 < parts) {
      const Cut& cut = cuts_[k];
      if (transposed) take_away(partitions_[k + 1].before.E, cut.x.tail.data(), part.x);
      else take_away(part.after.F, cut.x.head.data(), part.x);
    }
    sweep(part);
  };
  // A few partitions at a time: where cuts do not see each other, the second sweep over a partition follows while its
  // factors are still in a cache.
  const int together = truncate_ ? team.size() : parts;
  for (int begin = 0, done = 0; begin < parts; begin += together) {
    const int end = std::min(begin + together, parts), ready = end == parts ? parts : end - 1;
    if (parts > 1) run(team, end - begin, [&](int k, int) { first_sweep(begin + k); });
    if (truncate_) {
      const int first = std::max(0, begin - 1);
      run(team, end - 1 - first, [&](int c, int) { solve_cut(cuts_[first + c], transposed); });
    } else {
      solve_reduced(transposed);
    }
    run(team, ready - done, [&](int k, int) { second_sweep(done + k); });
    done = ready;
  }
  // x may be b: it is written when nobody reads b any more.
  run(team, parts, [&](int k, int) {
    const int begin = plan_.start[k], size = length(k);
    for (int i = 0; i < size; ++i) x[to[begin + i]] = partitions_[k].x[i] * to_scale[to[begin + i]];
  });
}

template class SpikeSolver<float>;
template class SpikeSolver<double>;

}  // namespace lithe
