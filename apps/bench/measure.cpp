#include "measure.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <random>

#include "machine.h"
#include "mesh.h"

namespace lithe::app {

namespace {

template <class Function>
double seconds_of(int threads, Function function) {
  const double start = clock_seconds(threads);
  function();
  return clock_seconds(threads) - start;
}

// Small random changes of the reference: one part in a thousand of an element for positions, of 1 for gradients.
class Perturbation {
 public:
  explicit Perturbation(const System& system) : system_(system), q(system.q0), v(system.q0.size()) {}
  void next() {
    const BodyInfo& body = system_.bodies[0];
    const double length = body.mesh.size[0];
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double scale = 1e-3 * ((i / 3) % body.node_vectors == 0 ? length : 1.0);
      q[i] = system_.q0[i] + scale * uniform_(random_);
      v[i] = scale * uniform_(random_);
    }
  }

 private:
  const System& system_;
  std::mt19937 random_{20240229};
  std::uniform_real_distribution<double> uniform_{-1, 1};

 public:
  std::vector<double> q, v;  // m and 1; per s
};

struct Contender {
  std::string strategy;
  std::unique_ptr<Driver> driver;
  int repeats = 1;   // passes within one timing, so that small meshes outlast the clock's grain
  double spent = 0;  // s
  Row row;

  // A pass that nobody times brings the strategy's data back into the caches after the others had their turn.
  void turn(const Perturbation& state, int threads) {
    const double scale = 1e6 / (double(repeats) * driver->elements());
    const double before = seconds_of(threads, [&] { driver->force(state.q, state.v, threads); });
    const double force = seconds_of(threads, [&] {
      for (int r = 0; r < repeats; ++r) driver->force(state.q, state.v, threads);
    });
    const double tangent = seconds_of(threads, [&] {
      for (int r = 0; r < repeats; ++r) driver->tangent(state.q, state.v, threads);
    });
    row.force.add(scale * force);
    row.tangent.add(scale * tangent);
    spent += before + force + tangent;
  }
};

// Elements that fit into what is left of the memory, whole packs; at least one pack.
int fitting_elements(const System& system, const std::string& strategy, int elements, std::size_t& memory) {
  constexpr int probe = 8;
  const int small = std::min(probe, elements);
  const double bytes = Driver(system, strategy, small, 1).bytes_per_element();
  const double room = std::floor(double(memory) / bytes / probe) * probe;
  const int used = room >= elements ? elements : std::max(small, int(room));
  memory -= std::min(memory, std::size_t(bytes * used));
  return used;
}

}  // namespace

std::vector<Row> measure_mesh(ElementKind kind, int elements, int layers, const MeasureOptions& options) {
  const System system = straight_mesh(kind, elements, layers);
  const int most_threads = *std::ranges::max_element(options.threads);
  std::size_t memory = options.memory;
  std::vector<Contender> contenders;
  for (const std::string& strategy : options.strategies) {
    if (!bench_offers(kind, strategy)) continue;
    const int used = fitting_elements(system, strategy, elements, memory);
    if (used < elements)
      fmt::print(stderr, "note: {} {}: {} of {} elements, the rest does not fit into memory\n", element_info(kind).name,
                 strategy, used, elements);
    contenders.push_back({strategy, std::make_unique<Driver>(system, strategy, used, most_threads), 1, 0, {}});
  }

  std::vector<Row> rows;
  Perturbation state(system);
  for (int threads : options.threads) {
    state.next();
    for (Contender& c : contenders) {  // warm up, and find out how long a pass takes
      const BatchKernel& kernel = c.driver->kernel();
      c.driver->force(state.q, state.v, threads);
      c.driver->tangent(state.q, state.v, threads);
      const double pass = seconds_of(threads, [&] { c.driver->force(state.q, state.v, threads); });
      c.repeats = std::clamp(int(std::ceil(2e-4 / pass)), 1, 10'000);
      c.spent = 0;
      c.row = Row{};
      c.row.kind = kind;
      c.row.strategy = c.strategy;
      c.row.threads = threads;
      c.row.elements = c.driver->elements();
      c.row.layers = layers;
      c.row.bytes_per_element = c.driver->bytes_per_element();
      c.row.force_flops = kernel.force_flops();
      c.row.tangent_flops = kernel.tangent_flops();
      c.row.force_bytes = touched_force_bytes(c.strategy, kernel, c.row.bytes_per_element);
      c.row.tangent_bytes = touched_tangent_bytes(c.strategy, kernel, c.row.bytes_per_element);
      c.row.setup_us = 1e6 * c.driver->setup_seconds() / c.driver->elements();
    }
    bool more = true;
    for (int iteration = 0; more && iteration < options.iterations; ++iteration) {
      state.next();
      more = false;
      for (Contender& c : contenders) {
        if (iteration >= 3 && c.spent > options.seconds) continue;
        c.turn(state, threads);
        more = true;
      }
    }
    for (const Contender& c : contenders) rows.push_back(c.row);
  }
  return rows;
}

}  // namespace lithe::app
