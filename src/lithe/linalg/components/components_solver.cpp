// components: direct solver for matrices that fall into many small connected components, forests of beams above all.
// Components of one shape are factored side by side, one in each lane of a pack, by signed band Cholesky
// (band_kernel.h). Multipliers come after the coordinates that they tie, so that what is eliminated of A = K, then
// -G K^-1 G^T has the sign that is known beforehand; another indefinite matrix is refused.
//
// A pack is gathered, factored and judged while it is in the cache, and packs are shared among the threads: what a
// component's numbers are depends neither on its neighbours nor on the number of threads.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/base/team.h"
#include "lithe/linalg/backends.h"
#include "lithe/linalg/components/band_order.h"
#include "lithe/linalg/components/lane_reductions.h"

namespace lithe {

namespace {

constexpr int most_tasks = 64;
constexpr double worth_a_team = 2e5;  // operations
// LDLt without pivoting: backward error of a solve with a known solution above which the factors are refused.
constexpr double largest_error = 1e-10;
constexpr double unbounded = std::numeric_limits<double>::infinity();

// Components with factors of one shape, `width` of them side by side.
struct ComponentGroup {
  BandTiles tiles;
  std::vector<char> filled;                      // [slot]
  std::vector<std::vector<BandEntry>> variants;  // of patterns
  int count = 0, width = 1, batches = 0;
  std::vector<std::int32_t> variant;  // [member]
  std::vector<std::int32_t> unknown;  // [batch][slot][lane] of the whole matrix; those beyond `count` repeat the last
  std::size_t first = 0;              // of its factors: [batch][number][lane]
  bool signs = false;                 // some are negative
  int slots() const { return static_cast<int>(filled.size()); }
  int numbers() const { return tile_numbers * tiles.tiles(); }
};

// What a thread needs beside the factors.
struct ComponentScratch {
  AlignedVector<double> x, pivot, scale, known;
  std::vector<std::int32_t> base;
};

struct ComponentTask {
  int group = 0, begin = 0, end = 0;  // batches
};

struct ComponentOutcome {
  FactorReport::Reason reason = FactorReport::Reason::done;
  int column = -1;
  double smallest = unbounded, least = unbounded, most = 0;
  int smallest_column = -1;
};

class ComponentsSolver final : public LinearSolver {
 public:
  ComponentsSolver(const SolverInfo& info, const SolverOptions& options) : info_(info), options_(options) {}

  const char* name() const override { return info_.name.c_str(); }
  double factor_flops() const override { return flops_; }
  double factor_nonzeros() const override { return nonzeros_; }
  int index_bits() const override { return 64; }  // within a component 32
  std::vector<std::pair<const char*, double>> figures() const override {
    double components = 0, largest = 0;
    for (const ComponentGroup& group : groups_) {
      components += group.count;
      largest = std::max(largest, static_cast<double>(std::ranges::count(group.filled, 1)));
    }
    return {
        {"components", components}, {"shapes", static_cast<double>(groups_.size())}, {"largest_component", largest}};
  }

  void analyse(const SparsePattern& pattern) override {
    const MatrixKind kind = kind_of(info_, options_, pattern);
    usable_ = false;
    size_ = pattern.size;
    column_start_ = pattern.column_start;
    pattern_ = {};
    int multipliers = 0;
    if (kind == MatrixKind::symmetric_indefinite) {
      multipliers = options_.multipliers >= 0 ? options_.multipliers : columns_without_diagonal(pattern);
      if (options_.multipliers < 0 && multipliers == 0) pattern_ = pattern;  // their zeros may be stored
    }
    prepare(pattern, multipliers);
  }

  FactorReport factor(const std::vector<double>& values) override {
    LITHE_INVARIANT(values.size() == static_cast<std::size_t>(column_start_.back()));
    usable_ = false;
    if (pattern_.size > 0)
      if (const int found = stored_multipliers(values); found != multipliers_) prepare(pattern_, found);
    run(values.empty() ? 0 : flops_ + nonzeros_, [&](int task, int thread) {
      const ComponentTask& own = tasks_[task];
      outcomes_[task] = {};
      const ComponentGroup& group = groups_[own.group];
      for (int batch = own.begin; batch < own.end; ++batch)
        group.width == 1 ? factor_batch<double>(group, batch, values, scratch_[thread], outcomes_[task])
                         : factor_batch<Pack>(group, batch, values, scratch_[thread], outcomes_[task]);
    });
    return report(values);
  }

 protected:
  SolveReport solve_columns(const std::vector<double>& b, std::vector<double>& x,
                            const SolveRequest& request) override {
    LITHE_INVARIANT(usable_ && b.size() == static_cast<std::size_t>(size_) * request.columns);
    if (request.half() && multipliers_ > 0)
      throw RunError("solver 'components' has no half solves of matrices with multipliers: they are no L L^T");
    x.resize(b.size());
    run(2 * nonzeros_ * request.columns, [&](int task, int thread) {
      const ComponentTask& own = tasks_[task];
      const ComponentGroup& group = groups_[own.group];
      finite_[task] = true;
      for (int batch = own.begin; batch < own.end; ++batch) {
        const bool finite = group.width == 1 ? solve_batch<double>(group, batch, b, x, request, scratch_[thread])
                                             : solve_batch<Pack>(group, batch, b, x, request, scratch_[thread]);
        finite_[task] = finite_[task] && finite;
      }
    });
    const bool finite = std::ranges::all_of(finite_, [](char ok) { return ok != 0; });
    return {finite ? SolveReport::Reason::done : SolveReport::Reason::not_finite};
  }

 private:
  template <class Task>
  void run(double work, Task&& task) {
    const int count = static_cast<int>(tasks_.size());
    if (options_.team && work > worth_a_team) {
      options_.team->run(count, task);
      return;
    }
    for (int i = 0; i < count; ++i) task(i, 0);
  }

  // Columns at the end with a zero on their diagonal and nothing among themselves.
  int stored_multipliers(const std::vector<double>& values) const {
    int first = size_;
    const auto diagonal = [&](int j) {
      const int p = column_start_[j + 1] - 1;
      return p >= column_start_[j] && pattern_.row[p] == j ? values[p] : 0.0;
    };
    while (first > 0 && diagonal(first - 1) == 0) --first;
    for (int j = size_ - 1; j >= first; --j)
      for (int p = column_start_[j]; p < column_start_[j + 1]; ++p)
        if (pattern_.row[p] >= first && values[p] != 0) first = pattern_.row[p] + 1;
    return first > 0 ? size_ - first : 0;
  }

  void prepare(const SparsePattern& pattern, int multipliers) {
    multipliers_ = multipliers;
    const Components components = find_components(pattern, multipliers);
    groups_.clear();
    std::map<std::vector<std::int32_t>, int> known;  // shape -> group
    for (const Components::Kind& kind : components.kinds) {
      BandOrder order = order_band(kind, options_.ordering);
      std::vector<std::int32_t> key = order.tiles.first;
      for (std::size_t s = 0; s < order.unknown.size(); ++s)
        key.push_back(order.unknown[s] < 0 ? 0 : order.tiles.sign[s / tile_size]);
      const auto [found, fresh] = known.try_emplace(std::move(key), static_cast<int>(groups_.size()));
      if (fresh) {
        ComponentGroup& group = groups_.emplace_back();
        group.tiles = std::move(order.tiles);
        for (const std::int32_t u : order.unknown) group.filled.push_back(u >= 0);
        group.signs = kind.multipliers > 0;
      }
      ComponentGroup& group = groups_[found->second];
      for (const int member : kind.members) {
        group.variant.push_back(static_cast<std::int32_t>(group.variants.size()));
        const auto unknowns = components.of(member);
        for (const std::int32_t u : order.unknown) group.unknown.push_back(u < 0 ? -1 : unknowns[u]);
      }
      group.variants.push_back(std::move(order.entries));
    }
    flops_ = nonzeros_ = 0;
    std::size_t numbers = 0, slots = 0;
    for (ComponentGroup& group : groups_) {
      group.count = static_cast<int>(group.variant.size());
      group.width = group.count <= simd_width / 4 ? 1 : simd_width;
      group.batches = (group.count + group.width - 1) / group.width;
      interleave(group);
      group.first = numbers;
      numbers += padded(static_cast<std::size_t>(group.batches) * group.width * group.numbers());
      slots = std::max(slots, static_cast<std::size_t>(group.width) * group.slots());
      flops_ += group.count * group.tiles.flops();
      nonzeros_ += group.count * group.tiles.nonzeros();
    }
    factors_ = {};
    factors_.resize(numbers);
    scratch_.assign(options_.team ? options_.team->size() : 1, {});
    for (ComponentScratch& scratch : scratch_) {
      for (auto* room : {&scratch.x, &scratch.pivot, &scratch.scale, &scratch.known}) room->resize(slots);
      scratch.base.resize(slots);
    }
    share_out();
  }

  // unknown: [member][slot] -> [batch][slot][lane]
  static void interleave(ComponentGroup& group) {
    const std::vector<std::int32_t> of_member = std::move(group.unknown);
    const int slots = group.slots();
    group.unknown.resize(static_cast<std::size_t>(group.batches) * group.width * slots);
    std::size_t at = 0;
    for (int batch = 0; batch < group.batches; ++batch)
      for (int s = 0; s < slots; ++s)
        for (int l = 0; l < group.width; ++l)
          group.unknown[at++] = of_member[static_cast<std::size_t>(member(group, batch, l)) * slots + s];
  }
  static int member(const ComponentGroup& group, int batch, int l) {
    return std::min(batch * group.width + l, group.count - 1);
  }

  void share_out() {
    tasks_.clear();
    double all = 0;
    const auto work = [](const ComponentGroup& group) {
      return group.width * (group.tiles.flops() + 8.0 * group.numbers());
    };
    for (const ComponentGroup& group : groups_) all += group.batches * work(group);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const ComponentGroup& group = groups_[g];
      const int some = std::max(1, static_cast<int>(all / most_tasks / work(group)));
      for (int begin = 0; begin < group.batches; begin += some)
        tasks_.push_back({static_cast<int>(g), begin, std::min(group.batches, begin + some)});
    }
    outcomes_.resize(tasks_.size());
    finite_.resize(tasks_.size());
  }

  template <class T>
  T* factors_of(const ComponentGroup& group, int batch) {
    return reinterpret_cast<T*>(&factors_[group.first]) + static_cast<std::size_t>(batch) * group.numbers();
  }
  template <class T>
  static T* as(AlignedVector<double>& room) {
    return reinterpret_cast<T*>(room.data());
  }
  static const std::int32_t* unknowns_of(const ComponentGroup& group, int batch) {
    return &group.unknown[static_cast<std::size_t>(batch) * group.slots() * group.width];
  }

  // visit(entry, values in the lanes) for every entry of every lane: all lanes at once where they have one pattern.
  template <class T, class Visit>
  void each_entry(const ComponentGroup& group, int batch, const std::vector<double>& values, ComponentScratch& scratch,
                  Visit visit) const {
    constexpr int W = lanes<T>;
    const std::int32_t* unknown = unknowns_of(group, batch);
    std::int32_t* base = scratch.base.data();
    for (int s = 0; s < group.slots(); ++s)
      if (group.filled[s])
        for (int l = 0; l < W; ++l) base[s * W + l] = column_start_[unknown[s * W + l]];
    const int variant = group.variant[member(group, batch, 0)];
    bool one = true;
    for (int l = 1; l < W; ++l) one = one && group.variant[member(group, batch, l)] == variant;
    double room[W];
    if (one) {
      for (const BandEntry& entry : group.variants[variant]) {
        for (int l = 0; l < W; ++l) room[l] = values[base[entry.column * W + l] + entry.entry];
        visit(entry, load_lanes<T>(room));
      }
      return;
    }
    for (int l = 0; l < W; ++l) {
      std::fill(room, room + W, 0.0);
      for (const BandEntry& entry : group.variants[group.variant[member(group, batch, l)]]) {
        room[l] = values[base[entry.column * W + l] + entry.entry];
        visit(entry, load_lanes<T>(room));
      }
    }
  }

  template <class T>
  void factor_batch(const ComponentGroup& group, int batch, const std::vector<double>& values,
                    ComponentScratch& scratch, ComponentOutcome& outcome) {
    T *L = factors_of<T>(group, batch), *pivot = as<T>(scratch.pivot), *scale = as<T>(scratch.scale);
    const T zero{}, one = zero + 1.0;
    const BandShape shape = group.tiles.shape();
    std::fill(L, L + group.numbers(), zero);
    for (int s = 0; s < group.slots(); ++s) {
      scale[s] = zero;
      if (!group.filled[s]) L[diagonal_at(shape, s)] = shape.sign[s / tile_size] < 0 ? -one : one;
    }
    T sum = zero;
    each_entry<T>(group, batch, values, scratch, [&](const BandEntry& entry, const T& a) LITHE_FORCE_INLINE {
      const T size = magnitude(a);
      L[entry.to] += a;
      sum += zero * a;
      scale[entry.row] = larger(scale[entry.row], size);
      scale[entry.column] = larger(scale[entry.column], size);
    });
    if (!all_zero(sum)) {  // numbers times zero
      outcome.reason = FactorReport::Reason::not_finite;
      return;
    }
    factor_band(shape, L, pivot, scale, SingleThread{});
    if (!judge<T>(group, batch, scratch, outcome) || !group.signs) return;
    if (is_accurate<T>(group, batch, values, scratch)) return;
    if (outcome.reason == FactorReport::Reason::done) {
      outcome.reason = FactorReport::Reason::singular;
      outcome.column = outcome.smallest_column;
    }
  }

  static int diagonal_at(const BandShape& shape, int s) {
    return tile_at(shape, s / tile_size, s / tile_size) + (tile_size + 1) * (s % tile_size);
  }

  // False: a pivot has not the sign that it should have.
  template <class T>
  bool judge(const ComponentGroup& group, int batch, ComponentScratch& scratch, ComponentOutcome& outcome) const {
    const T *pivot = as<T>(scratch.pivot), *scale = as<T>(scratch.scale);
    const std::int32_t* unknown = unknowns_of(group, batch);
    const T zero{};
    T least = zero + unbounded, most = zero, smallest = zero + unbounded;
    for (int s = 0; s < group.slots(); ++s) {
      if (!group.filled[s]) continue;
      least = smaller(least, pivot[s]);
      most = larger(most, pivot[s]);
      const T share = pivot[s] / scale[s];
      smallest = smaller(smallest, scale[s] > zero ? share : zero);
    }
    outcome.least = std::min(outcome.least, least_lane(least));
    outcome.most = std::max(outcome.most, largest_lane(most));
    const bool wrong = !(least_lane(least) > 0);
    const double share = least_lane(smallest);
    if (!wrong && share >= outcome.smallest) return true;
    for (int l = 0; l < lanes<T>; ++l)
      for (int s = 0; s < group.slots(); ++s) {
        if (!group.filled[s]) continue;
        const double d = lane(pivot[s], l), size = lane(scale[s], l), own = size > 0 ? d / size : 0;
        const int column = unknown[s * lanes<T> + l];
        if (!(d > 0) && outcome.reason == FactorReport::Reason::done) {
          outcome.reason = group.tiles.sign[s / tile_size] < 0 ? FactorReport::Reason::singular
                                                               : FactorReport::Reason::not_positive_definite;
          outcome.column = column;
        }
        if (own < outcome.smallest) {
          outcome.smallest = own;
          outcome.smallest_column = column;
        }
      }
    return !wrong;
  }

  // A solve whose solution is known and of no particular shape: is its backward error small?
  template <class T>
  bool is_accurate(const ComponentGroup& group, int batch, const std::vector<double>& values,
                   ComponentScratch& scratch) {
    T *x = as<T>(scratch.x), *b = as<T>(scratch.known), *sums = as<T>(scratch.pivot);
    const T zero{};
    const BandShape shape = group.tiles.shape();
    for (int s = 0; s < group.slots(); ++s) {
      scratch.scale[s] = group.filled[s] ? 1 + 0.3 * std::sin(1.7 * s) : 0;
      b[s] = sums[s] = zero;
    }
    const double* known = scratch.scale.data();
    const auto each = [&](auto visit) { each_entry<T>(group, batch, values, scratch, visit); };
    each([&](const BandEntry& entry, const T& a) LITHE_FORCE_INLINE {
      b[entry.row] += a * known[entry.column];
      sums[entry.row] += magnitude(a);
      if (entry.row == entry.column) return;
      b[entry.column] += a * known[entry.row];
      sums[entry.column] += magnitude(a);
    });
    T norm = zero, size_b = zero, size_x = zero, error = zero;
    for (int s = 0; s < group.slots(); ++s) {
      norm = larger(norm, sums[s]);
      size_b = larger(size_b, magnitude(b[s]));
      x[s] = b[s];
    }
    const T* L = factors_of<T>(group, batch);
    solve_forward(shape, L, x, SingleThread{});
    solve_backward(shape, L, x, SingleThread{});
    each([&](const BandEntry& entry, const T& a) LITHE_FORCE_INLINE {
      b[entry.row] -= a * x[entry.column];
      if (entry.row != entry.column) b[entry.column] -= a * x[entry.row];
    });
    for (int s = 0; s < group.slots(); ++s) {
      size_x = larger(size_x, magnitude(x[s]));
      error = larger(error, magnitude(b[s]));
    }
    const T share = error / (norm * size_x + size_b);
    bool accurate = true;
    for (int l = 0; l < lanes<T>; ++l) accurate = accurate && lane(share, l) <= largest_error;
    return accurate;
  }

  template <class T>
  bool solve_batch(const ComponentGroup& group, int batch, const std::vector<double>& b, std::vector<double>& x,
                   const SolveRequest& request, ComponentScratch& scratch) {
    using enum SolveRequest::Operation;
    constexpr int W = lanes<T>;
    const BandShape shape = group.tiles.shape();
    const T* L = factors_of<T>(group, batch);
    const std::int32_t* unknown = unknowns_of(group, batch);
    double* y = scratch.x.data();
    const int members = std::min(W, group.count - batch * W);
    T sum{};
    for (int c = 0; c < request.columns; ++c) {
      const double* from = b.data() + static_cast<std::size_t>(c) * size_;
      double* to = x.data() + static_cast<std::size_t>(c) * size_;
      for (int s = 0; s < group.slots(); ++s)
        for (int l = 0; l < W; ++l) y[s * W + l] = group.filled[s] ? from[unknown[s * W + l]] : 0.0;
      T* solution = as<T>(scratch.x);
      if (request.operation != backward) solve_forward(shape, L, solution, SingleThread{});
      if (request.operation != forward) solve_backward(shape, L, solution, SingleThread{});
      for (int s = 0; s < group.slots(); ++s) {
        if (!group.filled[s]) continue;
        sum += 0.0 * solution[s];
        for (int l = 0; l < members; ++l) to[unknown[s * W + l]] = y[s * W + l];
      }
    }
    return all_zero(sum);
  }

  FactorReport report(const std::vector<double>& values) {
    using enum FactorReport::Reason;
    FactorReport report;
    double least = unbounded, most = 0;
    report.smallest_pivot = unbounded;
    for (const ComponentOutcome& outcome : outcomes_) {
      const bool worse = outcome.reason == not_finite || report.reason == done;
      if (outcome.reason != done && report.reason != not_finite && worse) {
        report.reason = outcome.reason;
        report.column = outcome.column;
      }
      if (outcome.smallest < report.smallest_pivot) {
        report.smallest_pivot = outcome.smallest;
        if (report.reason == done) report.column = outcome.smallest_column;
      }
      least = std::min(least, outcome.least);
      most = std::max(most, outcome.most);
    }
    report.usable = usable_ = report.reason == done;
    if (report.reason == not_finite) report.column = first_not_finite(values);
    if (report.reason != done) return report;
    report.negative_pivots = multipliers_;
    report.reciprocal_condition = most > 0 ? least / most : 0;
    if (report.smallest_pivot < singular_pivot) report.reason = singular;
    return report;
  }

  int first_not_finite(const std::vector<double>& values) const {
    for (int j = 0; j < size_; ++j)
      for (int p = column_start_[j]; p < column_start_[j + 1]; ++p)
        if (!std::isfinite(values[p])) return j;
    return -1;
  }

  const SolverInfo& info_;
  const SolverOptions options_;
  int size_ = 0, multipliers_ = 0;
  std::vector<std::int32_t> column_start_;  // of the pattern
  SparsePattern pattern_;                   // where multipliers are to be found by their values
  std::vector<ComponentGroup> groups_;
  AlignedVector<double> factors_;
  std::vector<ComponentTask> tasks_;
  std::vector<ComponentOutcome> outcomes_;  // [task]
  std::vector<char> finite_;                // [task] of a solve
  std::vector<ComponentScratch> scratch_;   // [thread]
  double flops_ = -1, nonzeros_ = -1;
  bool usable_ = false;
};

}  // namespace

std::unique_ptr<LinearSolver> make_components(const SolverInfo& info, const SolverOptions& options) {
  return std::make_unique<ComponentsSolver>(info, options);
}

}  // namespace lithe
