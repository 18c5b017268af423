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
  team.run(parts, [&](int part, int) {
    for (const bool after : {false, true}) partitions_[part].along(after) = couple(a, part, after);
  });
  for (int c = 0; c + 1 < parts; ++c) {
    Cut& cut = cuts_[c];
    cut.tails = partitions_[c + 1].before.tips();
    cut.heads = partitions_[c].after.tips();
    cut.g.assign(cut.size(), T(0));
    cut.x.assign(cut.size(), T(0));
    cut.z.assign(cut.size(), T(0));
    cut.room.assign(cut.heads, T(0));
    report_.largest_tip = std::max({report_.largest_tip, cut.tails, cut.heads});
  }
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
    report_.read += static_cast<double>(part.lu.numbers()) * (parts > 1 ? 2 : 1);
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
void SpikeSolver<T>::fill(const RowMatrix& a, int part, bool reversed, SkylineLU<T>& lu) const {
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
  lu.analyse(first_column, first_row);
  lu.clear();
  each([&](int i, int j, T value) { lu.add(i, j, value); });
}

// The tips of `side` columns of a spike.
template <class T>
void SpikeSolver<T>::compute_panel(int part, bool after, int first, const SkylineLU<T>& lu, bool reversed,
                                   AlignedVector<T>& panel) {
  constexpr int tile = SkylineLU<T>::tile;
  const SpikeColumns<T>& F = partitions_[part].along(after).F;
  Spike& spike = after ? v_[part] : w_[part];
  const int columns = std::min(side, F.count() - first), last_row = length(part) - 1;
  const auto place = [&](int row) { return reversed ? last_row - row : row; };
  const auto at = [&](int row, int column) -> T& {
    const int r = place(row);
    return panel[static_cast<std::size_t>(r / side) * tile + column * side + r % side];
  };
  panel.assign(static_cast<std::size_t>(lu.tiles()) * tile, T(0));
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
    for (int first = 0; first < partitions_[k + 1].before.tips(); first += side)
      compute_panel(k + 1, false, first, reversed, true, panels[thread]);
  });
}

// R = (I + L' D'^-1) (D' + U') over the cuts, D'_c = D_c - L'_c D'_{c-1}^-1 U'_{c-1}, L'_c the W at the tail of
// partition c, U'_{c-1} its V at the head; both are zero where the system is truncated. Of D_c the elimination changes
// V alone, by the upper right block of [I V; W I]^-1, -V S.
template <class T>
void SpikeSolver<T>::reduce(Team& team) {
  const auto reduce_cut = [&](int c) {
    Cut& cut = cuts_[c];
    cut.V = std::move(v_[c].at_tail);
    cut.W = std::move(w_[c + 1].at_head);
    Eigen::Map<Dense<T>> V(cut.V.data(), cut.tails, cut.heads);
    cut.previous.clear();
    cut.next.clear();
    if (!truncate_ && c > 0) {
      const Cut& before = cuts_[c - 1];
      cut.previous = std::move(w_[c].at_tail);
      const Dense<T> reached =
          dense(before.S, before.heads, before.heads) * dense(before.next, before.heads, cut.heads);
      V += dense(cut.previous, cut.tails, before.tails) * (dense(before.V, before.tails, before.heads) * reached);
    }
    if (!truncate_ && c + 1 < static_cast<int>(cuts_.size())) cut.next = std::move(v_[c + 1].at_head);
    Dense<T> block = Dense<T>::Identity(cut.heads, cut.heads);
    block.noalias() -= dense(cut.W, cut.heads, cut.tails) * V;
    const Dense<T> inverse = block.partialPivLu().inverse();
    cut.S.assign(inverse.data(), inverse.data() + inverse.size());
  };
  const int count = static_cast<int>(cuts_.size());
  if (truncate_) {
    team.run(count, [&](int c, int) { reduce_cut(c); });
  } else {
    for (int c = 0; c < count; ++c) reduce_cut(c);
  }
  for (const Cut& cut : cuts_) {
    const auto numbers =
        static_cast<double>(cut.V.size() + cut.W.size() + cut.S.size() + cut.previous.size() + cut.next.size());
    report_.numbers += numbers;
    report_.read += numbers;
    report_.flops += 2.0 * cut.heads * cut.heads * (cut.heads + cut.tails);
  }
  v_.clear();
  w_.clear();
}

template <class T>
void SpikeSolver<T>::solve_reduced(bool transposed, Team& team) {
  const int count = static_cast<int>(cuts_.size());
  const auto tail = [](Cut& cut, std::vector<T>& x) { return vector(x).head(cut.tails); };
  const auto head = [](Cut& cut, std::vector<T>& x) { return vector(x).tail(cut.heads); };
  // x = D'^-1 g or D'^-T g, by x_head = S (g_head - W g_tail), x_tail = g_tail - V x_head.
  const auto solve_cut = [&](Cut& cut) {
    const auto V = dense(cut.V, cut.tails, cut.heads), W = dense(cut.W, cut.heads, cut.tails),
               S = dense(cut.S, cut.heads, cut.heads);
    auto room = vector(cut.room);
    auto x_tail = tail(cut, cut.x), x_head = head(cut, cut.x), g_tail = tail(cut, cut.g);
    room = head(cut, cut.g);
    if (transposed) {
      room.noalias() -= V.transpose() * g_tail;
      x_head.noalias() = S.transpose() * room;
      x_tail = g_tail;
      x_tail.noalias() -= W.transpose() * x_head;
    } else {
      room.noalias() -= W * g_tail;
      x_head.noalias() = S * room;
      x_tail = g_tail;
      x_tail.noalias() -= V * x_head;
    }
  };
  if (truncate_) {
    team.run(count, [&](int c, int) { solve_cut(cuts_[c]); });
    return;
  }
  // z = D'^-1 (g - L' z of the cut before), then x = z - D'^-1 U' x of the cut behind; L'^T and U'^T change places.
  for (int c = 0; c < count; ++c) {
    Cut& cut = cuts_[c];
    if (c > 0) {
      Cut& before = cuts_[c - 1];
      if (transposed)
        head(cut, cut.g).noalias() -= dense(before.next, before.heads, cut.heads).transpose() * head(before, before.x);
      else tail(cut, cut.g).noalias() -= dense(cut.previous, cut.tails, before.tails) * tail(before, before.x);
    }
    solve_cut(cut);
  }
  for (int c = count - 2; c >= 0; --c) {
    Cut &cut = cuts_[c], &behind = cuts_[c + 1];
    vector(cut.g).setZero();
    if (transposed)
      tail(cut, cut.g).noalias() = dense(behind.previous, behind.tails, cut.tails).transpose() * tail(behind, behind.x);
    else head(cut, cut.g).noalias() = dense(cut.next, cut.heads, behind.heads) * head(behind, behind.x);
    std::swap(cut.x, cut.z);
    solve_cut(cut);
    vector(cut.x) = vector(cut.z) - vector(cut.x);
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
  const auto gather = [](const SpikeColumns<T>& columns, const AlignedVector<T>& numbers, T* sums) {
    for (int t = 0; t < columns.count(); ++t) {
      T sum = 0;
      for (int p = columns.start[t]; p < columns.start[t + 1]; ++p) sum += columns.value[p] * numbers[columns.row[p]];
      sums[t] = sum;
    }
  };
  const auto subtract = [](const SpikeColumns<T>& columns, const T* factors, AlignedVector<T>& numbers) {
    for (int t = 0; t < columns.count(); ++t)
      for (int p = columns.start[t]; p < columns.start[t + 1]; ++p)
        numbers[columns.row[p]] -= columns.value[p] * factors[t];
  };

  if (parts > 1) {
    // E^T D^-1 b, or F^T D^-T b.
    team.run(parts, [&](int k, int) {
      Partition& part = partitions_[k];
      load(k);
      sweep(part);
      // C_k^T and B_k^T take of partition k what C_k and B_k bring into it.
      if (k > 0) {
        Cut& cut = cuts_[k - 1];
        if (transposed) gather(part.before.F, part.x, cut.g.data());
        else gather(partitions_[k - 1].after.E, part.x, cut.g.data() + cut.tails);
      }
      if (k + 1 < parts) {
        Cut& cut = cuts_[k];
        if (transposed) gather(part.after.F, part.x, cut.g.data() + cut.tails);
        else gather(partitions_[k + 1].before.E, part.x, cut.g.data());
      }
    });
    solve_reduced(transposed, team);
  }
  team.run(parts, [&](int k, int) {
    Partition& part = partitions_[k];
    load(k);
    if (k > 0) {
      const Cut& cut = cuts_[k - 1];
      if (transposed) subtract(partitions_[k - 1].after.E, cut.x.data() + cut.tails, part.x);
      else subtract(part.before.F, cut.x.data(), part.x);
    }
    if (k + 1 < parts) {
      const Cut& cut = cuts_[k];
      if (transposed) subtract(partitions_[k + 1].before.E, cut.x.data(), part.x);
      else subtract(part.after.F, cut.x.data() + cut.tails, part.x);
    }
    sweep(part);
  });
  // x may be b: it is written when nobody reads b any more.
  team.run(parts, [&](int k, int) {
    const int begin = plan_.start[k], size = length(k);
    for (int i = 0; i < size; ++i) x[to[begin + i]] = partitions_[k].x[i] * to_scale[to[begin + i]];
  });
}

template class SpikeSolver<float>;
template class SpikeSolver<double>;

}  // namespace lithe
