#include "lithe/system/chunks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "lithe/base/error.h"
#include "lithe/system/pattern.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

// Chunks pay for what they share (a slot is cleared, filled and added): a tenth of a millisecond of work at least.
constexpr double smallest_chunk = 3e6;  // flops of the tangent
// What is not counted by hand: a spring, a row or a moment with dual numbers, a side under pressure.
constexpr double small_item = 4e3, side_item = 2e4;

// What an item writes: its vectors (forces), and the vectors with unknowns behind them (blocks).
template <class Function>
void for_written(const System& system, int vector, Function&& function) {
  function(vector);
  for_masters(system, vector, [&](int v, double) {
    if (v != vector && v >= 0) function(v);
  });
}

class Cutter {
 public:
  Cutter(System& system, int most) : system_(system), chunks_(system.chunks), most_(most), sorted_(most) {}

  void run() {
    chunks_ = {};
    weigh();
    spread_packs();
    spread_others();
    find_shared();
    if (chunks_.count > 1) {
      number_force_slots();
      number_block_slots();
    }
    divide_columns();
  }

 private:
  void weigh() {
    for (const Batch& batch : system_.batches) {
      if (!batch.kernel) continue;
      chunks_.tangent_flops += batch.kernel->tangent_flops() * batch.elements;
      chunks_.force_flops += batch.kernel->force_flops() * batch.elements;
    }
    const auto actuators = std::ranges::count_if(
        system_.springs.actuator, [](const Signal& force) { return !force.is_constant() || force.constant() != 0; });
    const double springs = small_item * system_.springs.count();
    chunks_.force_flops += 0.1 * springs;
    chunks_.row_flops = small_item * static_cast<double>(system_.rows.size());
    chunks_.load_flops = small_item * static_cast<double>(system_.moments.count() + actuators) +
                         side_item * static_cast<double>(system_.pressure_sides.count() + system_.heated.size());
    chunks_.tangent_flops += springs + chunks_.row_flops + chunks_.load_flops;
    chunks_.count = std::clamp(static_cast<int>(chunks_.tangent_flops / smallest_chunk), 1, most_);
  }

  // Packs by where they are, a share of the work each: the less chunks touch each other, the less they share.
  void spread_packs() {
    std::vector<Pack> packs;
    chunk_of_pack_.resize(system_.batches.size());
    for (std::size_t b = 0; b < system_.batches.size(); ++b) {
      const Batch& batch = system_.batches[b];
      if (!batch.kernel) continue;
      const int N = batch.kernel->vectors(), W = batch.kernel->width(),
                node = element_info(batch.continuum.kind).node_vectors;
      chunk_of_pack_[b].assign(batch.kernel->packs(), 0);
      for (int p = 0; p < batch.kernel->packs(); ++p) {
        const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(p) * N * W];
        Pack pack{static_cast<int>(b), p, batch.kernel->tangent_flops() * W, {0, 0, 0}};
        for (int i = 0; i < N; i += node)
          for (int lane = 0; lane < W; ++lane)
            for (int m = 0; m < 3; ++m) pack.middle[m] += system_.q0[3ul * vectors[i * W + lane] + m] * node / (N * W);
        packs.push_back(pack);
      }
    }
    bisect(packs, 0, packs.size(), 0, chunks_.count);
    std::vector<std::vector<PackRange>> of_chunk(chunks_.count);
    for (std::size_t b = 0; b < system_.batches.size(); ++b)
      for (int p = 0; p < static_cast<int>(chunk_of_pack_[b].size()); ++p) {
        std::vector<PackRange>& ranges = of_chunk[chunk_of_pack_[b][p]];
        if (ranges.empty() || ranges.back().batch != static_cast<int>(b) || ranges.back().last != p)
          ranges.push_back({static_cast<int>(b), p, p});
        ranges.back().last = p + 1;
      }
    for (const std::vector<PackRange>& ranges : of_chunk) {
      chunks_.packs.items.insert(chunks_.packs.items.end(), ranges.begin(), ranges.end());
      chunks_.packs.close();
    }
  }

  struct Pack {
    int batch, number;
    double flops;
    std::array<double, 3> middle;
  };
  // packs[first, last) over chunks from `chunk` on, `count` of them: in two along the longest side, again and again.
  void bisect(std::vector<Pack>& packs, std::size_t first, std::size_t last, int chunk, int count) {
    if (count == 1) {
      for (std::size_t k = first; k < last; ++k) chunk_of_pack_[packs[k].batch][packs[k].number] = chunk;
      return;
    }
    int axis = 0;
    double longest = -1, all = 0, passed = 0;
    for (int m = 0; m < 3; ++m) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t k = first; k < last; ++k) {
        low = std::min(low, packs[k].middle[m]);
        high = std::max(high, packs[k].middle[m]);
      }
      if (high - low > longest * (1 + 1e-9)) {
        longest = high - low;
        axis = m;
      }
    }
    std::sort(packs.begin() + first, packs.begin() + last, [axis](const Pack& a, const Pack& b) {
      return std::tie(a.middle[axis], a.batch, a.number) < std::tie(b.middle[axis], b.batch, b.number);
    });
    for (std::size_t k = first; k < last; ++k) all += packs[k].flops;
    const int half = count / 2;
    std::size_t middle = first;
    while (middle < last && passed + 0.5 * packs[middle].flops < all * half / count) passed += packs[middle++].flops;
    bisect(packs, first, middle, chunk, half);
    bisect(packs, middle, last, chunk + half, count - half);
  }

  // (i, function): function(vector) for the vectors that item i writes.
  template <class Items>
  static auto vectors_of(const Items& items) {
    return [&items](int i, auto&& f) { items.for_vectors(i, f); };
  }
  auto vectors_of_heated() const {
    return [this](int i, auto&& f) {
      const HeatedElement& heated = system_.heated[i];
      const BodyInfo& body = system_.bodies[system_.temperatures[heated.temperature].body];
      for (int k = 0; k < vector_count(body.kind); ++k) f(body.element_vector(heated.element, k));
    };
  }
  auto vectors_of_rows() const {
    return [&parts = system_.rows.parts](int i, auto&& f) {
      if (!parts[i].is_linear()) parts.for_vectors(i, f);  // a linear one has no stiffness
    };
  }

  // All else goes where its first vector is at home: in the chunk of its elements, or by its number.
  void spread_others() {
    home_.assign(system_.vectors(), -1);
    for_packs([&](int chunk, const std::int32_t* c, int N, int W, int lanes) {
      for (int i = 0; i < N; ++i)
        for (int lane = 0; lane < lanes; ++lane)
          if (home_[c[i * W + lane]] < 0) home_[c[i * W + lane]] = chunk;
    });
    const auto spread = [&](std::size_t items, Lists<int>& lists, auto for_vectors) {
      std::vector<int> chunk(items, 0), count(chunks_.count + 1, 0);
      for (std::size_t i = 0; i < items; ++i) {
        int first = -1;
        for_vectors(static_cast<int>(i), [&](int v) { first = first < 0 ? v : first; });
        if (first >= 0)
          chunk[i] = home_[first] >= 0
                         ? home_[first]
                         : static_cast<int>(static_cast<double>(first) / system_.vectors() * chunks_.count);
        ++count[chunk[i] + 1];
      }
      for (int c = 0; c < chunks_.count; ++c) count[c + 1] += count[c];
      lists.start = count;
      lists.items.resize(items);
      for (std::size_t i = 0; i < items; ++i) lists.items[count[chunk[i]]++] = static_cast<int>(i);
    };
    spread(system_.springs.count(), chunks_.springs, vectors_of(system_.springs));
    spread(system_.moments.count(), chunks_.moments, vectors_of(system_.moments));
    spread(system_.pressure_sides.count(), chunks_.pressure, vectors_of(system_.pressure_sides));
    spread(system_.heated.size(), chunks_.heated, vectors_of_heated());
    spread(system_.rows.size(), chunks_.rows, vectors_of_rows());
  }

  template <class Function>
  void for_packs(Function&& function) const {
    for (std::size_t b = 0; b < system_.batches.size(); ++b) {
      const Batch& batch = system_.batches[b];
      if (!batch.kernel) continue;
      const int N = batch.kernel->vectors(), W = batch.kernel->width();
      for (int p = 0; p < batch.kernel->packs(); ++p)
        function(chunk_of_pack_[b][p], &batch.connectivity[static_cast<std::size_t>(p) * N * W], N, W,
                 std::min(W, batch.elements - p * W));
    }
  }

  // function(chunk, vectors of an element, spring, ...) for everything that is evaluated.
  template <class Function>
  void for_groups(Function&& function) const {
    std::vector<int> group;
    for_packs([&](int chunk, const std::int32_t* c, int N, int W, int lanes) {
      for (int lane = 0; lane < lanes; ++lane) {
        group.clear();
        for (int i = 0; i < N; ++i) group.push_back(c[i * W + lane]);
        function(chunk, group);
      }
    });
    const auto others = [&](const Lists<int>& lists, auto for_vectors) {
      for (int chunk = 0; chunk < chunks_.count; ++chunk)
        for (const int* i = lists.begin(chunk); i != lists.end(chunk); ++i) {
          group.clear();
          for_vectors(*i, [&](int v) { group.push_back(v); });
          function(chunk, group);
        }
    };
    others(chunks_.springs, vectors_of(system_.springs));
    others(chunks_.moments, vectors_of(system_.moments));
    others(chunks_.pressure, vectors_of(system_.pressure_sides));
    others(chunks_.heated, vectors_of_heated());
    others(chunks_.rows, vectors_of_rows());
  }

  void find_shared() {
    writer_.assign(system_.vectors(), -1);
    if (chunks_.count > 1) chunks_.shared.assign(system_.vectors(), 0);
    for_groups([&](int chunk, const std::vector<int>& group) {
      for (int vector : group)
        for_written(system_, vector, [&](int v) {
          if (writer_[v] < 0) writer_[v] = chunk;
          else if (writer_[v] != chunk) chunks_.shared[v] = 1;
        });
    });
    if (std::none_of(chunks_.shared.begin(), chunks_.shared.end(), [](auto x) { return x; })) chunks_.shared.clear();
  }

  // Sorts what each chunk has collected, numbers it, and finds for every thing the slots that add up in it.
  template <class T>
  static void number(std::vector<std::vector<T>>& of_chunk, Lists<T>& slots, std::vector<T>& summed, Lists<int>& sums) {
    std::vector<std::pair<T, int>> all;
    for (std::vector<T>& list : of_chunk) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const T& x : list) {
        all.emplace_back(x, static_cast<int>(slots.items.size()));
        slots.items.push_back(x);
      }
      slots.close();
    }
    std::sort(all.begin(), all.end());  // slots ascend with the chunks
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k == 0 || all[k].first != all[k - 1].first) {
        if (k > 0) sums.close();
        summed.push_back(all[k].first);
      }
      sums.items.push_back(all[k].second);
    }
    if (!all.empty()) sums.close();
  }

  void number_force_slots() {
    std::vector<std::vector<int>> of_chunk(chunks_.count);
    if (!chunks_.shared.empty())
      for_groups([&](int chunk, const std::vector<int>& group) {
        for (int v : group)
          if (chunks_.shared[v]) of_chunk[chunk].push_back(v);
      });
    number(of_chunk, chunks_.force_slots, chunks_.summed_vectors, chunks_.force_sums);
  }

  void number_block_slots() {
    std::vector<std::vector<VectorPair>> of_chunk(chunks_.count);
    std::vector<int> free;
    if (!chunks_.shared.empty())
      for_groups([&](int chunk, const std::vector<int>& group) {
        free.clear();
        for (int vector : group)
          for_masters(system_, vector, [&](int v, double) {
            if (v >= 0 && chunks_.shared[v] && system_.map.unknowns[v].count > 0) free.push_back(v);
          });
        std::sort(free.begin(), free.end());
        free.erase(std::unique(free.begin(), free.end()), free.end());
        std::vector<VectorPair>& pairs = of_chunk[chunk];
        for (int r : free)
          for (int c : free)
            if (!system_.symmetric || r <= c) pairs.push_back({r, c});
        if (pairs.size() > 4096 && pairs.size() > 2 * sorted_[chunk]) {  // many elements with the same pairs
          std::sort(pairs.begin(), pairs.end());
          pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
          sorted_[chunk] = pairs.size();
        }
      });
    number(of_chunk, chunks_.block_slots, chunks_.summed_pairs, chunks_.block_sums);
    for (const auto [row, column] : chunks_.summed_pairs)
      chunks_.summed_at.push_back(block_offset(system_, row, column));
  }

  void divide_columns() {
    std::vector<std::vector<ColumnRange>> of_chunk(chunks_.count);
    const auto add = [](std::vector<ColumnRange>& ranges, int first, int last) {
      if (!ranges.empty() && ranges.back().last == first) ranges.back().last = last;
      else ranges.push_back({first, last});
    };
    for (int v = 0; v < system_.vectors(); ++v) {
      const VectorUnknowns& u = system_.map.unknowns[v];
      if (system_.map.representative[v] != v || u.count == 0) continue;
      const bool own = writer_[v] >= 0 && (chunks_.shared.empty() || !chunks_.shared[v]);
      add(own ? of_chunk[writer_[v]] : chunks_.common_columns, u.first, u.first + u.count);
    }
    if (system_.pattern.size > system_.map.size) add(chunks_.common_columns, system_.map.size, system_.pattern.size);
    for (const auto& ranges : of_chunk) {
      chunks_.columns.items.insert(chunks_.columns.items.end(), ranges.begin(), ranges.end());
      chunks_.columns.close();
    }
  }

  System& system_;
  Chunks& chunks_;
  std::vector<std::vector<int>> chunk_of_pack_;  // [batch][pack]
  std::vector<int> home_, writer_;               // [vector]
  int most_;
  std::vector<std::size_t> sorted_;  // [chunk] pairs that are sorted
};

// Where the packs of a batch write: forces, and blocks of the matrix.
void place_packs(const System& system, const PackRange& range, int chunk, Batch& batch) {
  const Chunks& chunks = system.chunks;
  const int N = batch.kernel->vectors(), W = batch.kernel->width();
  const bool packed = batch.kernel->form() == TangentForm::symmetric;
  const int blocks = tangent_blocks(N, batch.kernel->form());
  const int sides = packed && !system.symmetric ? 2 : 1;  // both triangles from one block
  const auto shared = [&](int v) { return !chunks.shared.empty() && chunks.shared[v]; };
  const auto place = [&](int row, int column) {
    const int r = system.map.representative[row], c = system.map.representative[column];
    if (system.map.unknowns[r].count == 0 || system.map.unknowns[c].count == 0) return nowhere;
    return shared(r) && shared(c) ? first_slot - chunks.block_slot(chunk, r, c) : block_offset(system, r, c);
  };
  for (int p = range.first; p < range.last; ++p)
    for (int lane = 0; lane < W; ++lane) {
      const std::int32_t* c = &batch.connectivity[static_cast<std::size_t>(p) * N * W + lane];
      if (!batch.targets.empty())
        for (int i = 0; i < N; ++i)
          if (lane < batch.elements - p * W && shared(c[i * W]))
            batch.targets[(static_cast<std::size_t>(p) * N + i) * W + lane] = ~chunks.force_slot(chunk, c[i * W]);
      std::int32_t* out = &batch.offsets[static_cast<std::size_t>(p) * blocks * sides * W + lane];
      int b = 0;
      for (int i = 0; i < N; ++i)
        for (int j = packed ? i : 0; j < N; ++j, ++b) {
          if (lane >= batch.elements - p * W) continue;
          int row = c[i * W], column = c[j * W];
          const VectorUnknowns &u = system.map.unknowns[row], &w = system.map.unknowns[column];
          // Slaves spread, and two vectors of one element with the same unknowns meet on the diagonal: TangentSink.
          const bool spread = u.slave >= 0 || w.slave >= 0 || (i != j && u.first == w.first && u.count && w.count);
          if (spread) {
            for (int side = 0; side < sides; ++side) out[(b * sides + side) * W] = spread_block;
            continue;
          }
          if (system.symmetric && u.first > w.first) std::swap(row, column);
          out[b * sides * W] = place(row, column);
          if (sides == 2) out[(b * sides + 1) * W] = place(column, row);
        }
    }
}

}  // namespace

int Chunks::force_slot(int chunk, int vector) const {
  const int* found = std::lower_bound(force_slots.begin(chunk), force_slots.end(chunk), vector);
  LITHE_INVARIANT(found != force_slots.end(chunk) && *found == vector);
  return static_cast<int>(found - force_slots.items.data());
}

int Chunks::block_slot(int chunk, int row, int column) const {
  const VectorPair wanted{row, column};
  const VectorPair* found = std::lower_bound(block_slots.begin(chunk), block_slots.end(chunk), wanted);
  LITHE_INVARIANT(found != block_slots.end(chunk) && *found == wanted);
  return static_cast<int>(found - block_slots.items.data());
}

void cut_into_chunks(System& system, int most) {
  Cutter(system, most).run();
  const Chunks& chunks = system.chunks;
  for (Batch& batch : system.batches) {
    if (!batch.kernel) continue;
    const bool packed = batch.kernel->form() == TangentForm::symmetric;
    const std::size_t sides = packed && !system.symmetric ? 2 : 1;
    batch.offsets.assign(static_cast<std::size_t>(batch.kernel->packs()) * batch.kernel->width() * sides *
                             tangent_blocks(batch.kernel->vectors(), batch.kernel->form()),
                         nowhere);
    const bool any = !chunks.shared.empty() && std::any_of(batch.connectivity.begin(), batch.connectivity.end(),
                                                           [&](int v) { return chunks.shared[v] != 0; });
    batch.targets = any ? batch.connectivity : std::vector<std::int32_t>{};
  }
  for (int chunk = 0; chunk < chunks.count; ++chunk)
    for (const PackRange* range = chunks.packs.begin(chunk); range != chunks.packs.end(chunk); ++range)
      place_packs(system, *range, chunk, system.batches[range->batch]);
}

void put_block(const System& system, int row, int column, double weight, Mat3<double> B, bool upper_only,
               double* values) {
  const VectorUnknowns &r = system.map.unknowns[row], &c = system.map.unknowns[column];
  if (r.count == 0 || c.count == 0) return;
  if (r.basis >= 0) B = transpose(system.map.bases[r.basis]) * B;
  if (c.basis >= 0) B = B * system.map.bases[c.basis];
  const std::int32_t offset = block_offset(system, row, column);
  for (int j = 0; j < c.count; ++j)
    for (int i = 0; i < (upper_only ? j + 1 : r.count); ++i)
      values[system.pattern.column_start[c.first + j] + offset + i] += weight * B[r.component[i]][c.component[j]];
}

void TangentSink::put(int row, int column, double weight, const Mat3<double>& B, bool upper_only) const {
  const Chunks& chunks = system_.chunks;
  if (!slots_ || chunks.shared.empty() || !chunks.shared[row] || !chunks.shared[column])
    return put_block(system_, row, column, weight, B, upper_only, values_);
  if (system_.map.unknowns[row].count == 0 || system_.map.unknowns[column].count == 0) return;
  double* to = slots_ + 9l * chunks.block_slot(chunk_, row, column);
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) to[3 * m + n] += weight * B[m][n];
}

void TangentSink::add(int row, int column, const Mat3<double>& B, bool diagonal) const {
  for_masters(system_, row, [&](int r, double weight_r) {
    for_masters(system_, column, [&](int c, double weight_c) {
      const double weight = weight_r * weight_c;
      if (!system_.symmetric) return put(r, c, weight, B, false);
      if (r == c) {
        Mat3<double> sum = B;
        if (!diagonal)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum[i][j] = B[i][j] + B[j][i];
        put(r, r, weight, sum, true);
      } else if (r < c) {
        put(r, c, weight, B, false);
      } else if (!diagonal) {
        put(c, r, weight, transpose(B), false);
      }
    });
  });
}

}  // namespace lithe
