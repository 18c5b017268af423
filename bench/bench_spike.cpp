// SPIKE on P3's net, 40 x 40 cells: the parts of a set-up, one application, and solves by BiCGStab(2).
//   build/lithe_bench --benchmark_filter=spike
// --benchmark_counters_tabular=true puts the counts into columns.
#include <benchmark/benchmark.h>

#include <cmath>

#include "../tests/unit/linalg/net_matrix.h"
#include "lithe/linalg/krylov/methods.h"
#include "lithe/linalg/spike/spike_solver.h"

namespace lithe {
namespace {

const RowMatrix& net() {
  static const RowMatrix matrix = [] {
    const fixtures::Matrix m = fixtures::net_matrix({.n = 40});
    RowMatrix rows(m.pattern);
    rows.gather(m.values);
    return rows;
  }();
  return matrix;
}

struct Way {
  const char* name;
  KrylovOptions options = {};
};
// P3's own first.
const std::vector<Way>& ways() {
  static const std::vector<Way> all = [] {
    std::vector<Way> list{{"product"}, {"cardinality"}, {"no matching"}, {"spectral"}, {"one stage"}};
    list[1].options.matching = SpikeMatching::cardinality;
    list[2].options.matching = SpikeMatching::none;
    list[3].options.ordering = SpikeOrdering::spectral;
    list[4].options.second_stage = false;
    for (const int partitions : {5, 10, 12, 15, 20}) {
      list.push_back({"partitions"});
      list.back().options.partitions = partitions;
    }
    for (const double keep : {0.99999, 0.9999, 0.999, 0.99}) {
      list.push_back({"keep"});
      list.back().options.keep = keep;
    }
    return list;
  }();
  return all;
}

template <class T>
class SpikeMap final : public LinearMap {
 public:
  SpikeMap(SpikeSolver<T>& spike, Team& team) : spike_(spike), team_(team) {}
  void apply(const Array& r, Array& z) override { spike_.solve(r.host(), z.host(), false, team_); }

 private:
  SpikeSolver<T>& spike_;
  Team& team_;
};

class NetMap final : public LinearMap {
 public:
  void apply(const Array& x, Array& y) override { net().multiply(x.host(), y.host()); }
};

template <class T>
void spike_setup(benchmark::State& run) {
  const Way& way = ways()[static_cast<std::size_t>(run.range(0))];
  Team team(static_cast<int>(run.range(1)));
  SpikeReport best;
  double total = 1e300;
  for (auto _ : run) {
    SpikeSolver<T> spike;
    benchmark::DoNotOptimize(spike.factor(net(), way.options, team));
    if (spike.report().seconds() < total) best = spike.report(), total = best.seconds();
  }
  double mean = 0;
  for (const int width : best.widths) mean += static_cast<double>(width) / best.partitions;
  run.counters = {{"K", best.kept_width},
                  {"P", best.partitions},
                  {"K_i", mean},
                  {"tips", best.largest_tip},
                  {"boosted", best.boosted},
                  {"MB_read", best.read * sizeof(T) / 1e6},
                  {"matching_ms", 1e3 * best.matching_s},
                  {"order_ms", 1e3 * best.order_s},
                  {"drop_ms", 1e3 * (best.drop_s + best.fill_s)},
                  {"second_ms", 1e3 * best.second_stage_s},
                  {"lu_ms", 1e3 * best.factor_s},
                  {"spikes_ms", 1e3 * best.spikes_s},
                  {"reduced_ms", 1e3 * best.reduced_s},
                  {"all_ms", 1e3 * total}};
  run.SetLabel(way.name);
}

template <class T>
void spike_apply(benchmark::State& run) {
  Team team(static_cast<int>(run.range(1)));
  SpikeSolver<T> spike;
  if (!spike.factor(net(), ways()[static_cast<std::size_t>(run.range(0))].options, team)) return;
  std::vector<double> x = fixtures::random_vector(net().size(), 1), y(x.size());
  for (auto _ : run) spike.solve(x, y, false, team);
  run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations() * spike.report().read * sizeof(T)));
  run.SetLabel(ways()[static_cast<std::size_t>(run.range(0))].name);
}

// From 0 to the residual 10^-digits of a random right-hand side.
template <class T>
void spike_solve(benchmark::State& run) {
  const Way& way = ways()[static_cast<std::size_t>(run.range(0))];
  Team team(1);
  SpikeSolver<T> spike;
  if (!spike.factor(net(), way.options, team)) return;
  HostPlace place;
  NetMap matrix;
  SpikeMap<T> inverse(spike, team);
  PlaceSpace space(place, static_cast<std::size_t>(net().size()), matrix, &inverse);
  KrylovRoom<PlaceSpace> room;
  KrylovLimits limits;
  limits.tolerance = std::pow(10.0, -static_cast<double>(run.range(1)));
  limits.zero_start = true;
  std::vector<double> b = fixtures::random_vector(net().size(), 1), x(b.size());
  const Array right = Array::view(place, b);
  Array found = Array::view(place, x);
  KrylovReport report;
  for (auto _ : run) report = solve_krylov(KrylovMethod::bicgstab2, space, room, limits, right, found, false);
  run.counters = {{"iterations", report.iterations}, {"products", report.products}, {"done", report.ok()}};
  run.SetLabel(way.name);
}

void each_way(benchmark::internal::Benchmark* bench, std::vector<std::int64_t> second) {
  for (std::int64_t way = 0; way < static_cast<std::int64_t>(ways().size()); ++way)
    for (const std::int64_t other : second) bench->Args({way, other});
  bench->Unit(benchmark::kMillisecond);
}

BENCHMARK(spike_setup<float>)->Apply([](auto* bench) { each_way(bench, {1}); });
BENCHMARK(spike_setup<double>)->Args({0, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(spike_apply<float>)->Apply([](auto* bench) { each_way(bench, {1}); });
BENCHMARK(spike_apply<float>)->Args({0, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(spike_apply<double>)->Args({0, 1})->Unit(benchmark::kMillisecond);
BENCHMARK(spike_solve<float>)->Apply([](auto* bench) { each_way(bench, {6, 10}); });
BENCHMARK(spike_solve<double>)->Args({0, 6})->Args({0, 10})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lithe
