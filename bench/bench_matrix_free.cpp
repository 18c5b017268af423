// One product with the matrix of a step: assembled by rows against the forces over dual numbers, of models that do not
// fit into the caches; and what renewing the matrix costs.
//   build/lithe_bench --benchmark_filter=product_ --benchmark_counters_tabular=true
#include <benchmark/benchmark.h>

#include <random>

#include "lithe/dynamics/matrix_free.h"
#include "lithe/linalg/krylov/row_matrix.h"

namespace lithe {
namespace {

Model large(ElementKind kind) {
  Model model;
  model.materials.add("metal", Isotropic{70e9, 0.3, 2700, 0});
  Body body;
  body.element = kind;
  body.material = "metal";
  body.section = "section";
  if (kind == ElementKind::cable) {
    model.sections.add("section", Circle{0.01});
    body.mesh = NetMesh{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {100, 100}, 1};
  } else if (kind == ElementKind::beam3243) {
    model.sections.add("section", Rectangle{0.02, 0.01, {}});
    body.mesh = LineMesh{{0, 0, 0}, {400, 0, 0}, 4000, {}};
  } else if (kind == ElementKind::shell3443) {
    model.sections.add("section", Plate{0.01});
    body.mesh = PlateMesh{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {40, 40}};
  } else {
    body.section.clear();
    const int n = kind == ElementKind::hex8 ? 24 : 10;
    body.mesh = BlockMesh{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {n, n, n}};
  }
  model.bodies.add("large", body);
  return model;
}

struct Case {
  System system;
  Workspace work;
  State state;
  Equations equations;
  std::vector<double> values, x, y;
  explicit Case(ElementKind kind)
      : system(compile(large(kind))),
        work(system, 1),
        state(system.initial_state()),
        equations(system, work, *work.place) {
    x.assign(system.pattern.size, 1.0);
    y = x;
  }
  double per_unknown(double number) const { return number / system.map.size; }
};
Case make(benchmark::State& run) {
  const ElementKind kind = element_registry()[static_cast<std::size_t>(run.range(0))];
  run.SetLabel(kind->name);
  return Case(kind);
}

void product_assembled(benchmark::State& run) {
  Case c = make(run);
  RowMatrix rows(c.system.pattern);
  evaluate_tangent(c.system, c.state, 1, 0, c.work, c.values, 1e6);
  rows.gather(c.values);
  for (auto _ : run) rows.multiply(c.x, c.y);
  const double entries = static_cast<double>(rows.pattern.nonzeros());
  run.counters["flops/unknown"] = c.per_unknown(2 * entries);
  run.counters["bytes/unknown"] = c.per_unknown(entries * (8 + 4.0 / 3));  // rows of a vector share columns
}

void product_matrix_free(benchmark::State& run) {
  Case c = make(run);
  MatrixFree map(c.equations);
  map.linearise(c.state, 1, 0, 1e6, 1, false);
  const Array from = Array::view(*c.work.place, c.x);
  Array to = Array::view(*c.work.place, c.y);
  for (auto _ : run) map.apply(from, to);
  double flops = 0, bytes = 4 * 24.0 * c.system.vectors();  // q, v, direction and product
  for (const Batch& batch : c.system.batches) {
    const double N = batch.kernel->vectors();
    flops +=
        batch.elements * (2.5 * batch.kernel->force_flops() + 6 * N * N);  // a multiplication becomes three and a sum
    bytes += static_cast<double>(batch.kernel->stored_bytes()) + 8.0 * static_cast<double>(batch.mass.size()) +
             4.0 * static_cast<double>(batch.connectivity.size());
  }
  run.counters["flops/unknown"] = c.per_unknown(flops);
  run.counters["bytes/unknown"] = c.per_unknown(bytes);
}

// What the assembled product needs anew for another matrix.
void product_renewal(benchmark::State& run) {
  Case c = make(run);
  RowMatrix rows(c.system.pattern);
  for (auto _ : run) {
    evaluate_tangent(c.system, c.state, 1, 0, c.work, c.values, 1e6);
    rows.gather(c.values);
  }
}

BENCHMARK(product_assembled)->DenseRange(0, 6)->Unit(benchmark::kMicrosecond);
BENCHMARK(product_matrix_free)->DenseRange(0, 6)->Unit(benchmark::kMicrosecond);
BENCHMARK(product_renewal)->DenseRange(0, 6)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace lithe
