// Micro-benchmarks of one evaluation over a whole System: gather, kernel and scatter together, every element kind.
//   build/lithe_bench [--benchmark_filter=tangent]
// `lithe bench elements` compares the strategies; this shows what assembly adds.
#include <benchmark/benchmark.h>

#include <random>

#include "lithe/system/system.h"

namespace lithe {
namespace {

System strip(ElementKind kind, int elements) {
  Model model;
  model.materials.add("metal", Isotropic{70e9, 0.3, 2700, 1e-3});
  Body body;
  body.element = kind;
  body.material = "metal";
  body.section = "section";
  const double length = 0.1 * elements;
  if (kind == ElementKind::cable) {
    model.sections.add("section", Circle{0.01});
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, elements, {}};
  } else if (kind == ElementKind::beam3243) {
    model.sections.add("section", Rectangle{0.02, 0.01, {}});
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, elements, {}};
  } else if (kind == ElementKind::shell3443) {
    model.sections.add("section", Plate{0.01});
    body.mesh = PlateMesh{{0, 0, 0}, {length, 0, 0}, {0, 0.1, 0}, {elements, 1}};
  } else if (kind == ElementKind::hexa3843) {
    body.section.clear();
    body.mesh = BlockMesh{{0, 0, 0}, {length, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {elements, 1, 1}};
  }
  model.bodies.add("strip", body);
  return compile(model);
}

State disturbed(const System& system) {
  State state = system.initial_state();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1e-3, 1e-3);
  for (double& x : state.q) x += unit(random);
  for (double& x : state.v) x = unit(random);
  return state;
}

void force(benchmark::State& run) {
  const auto kind = element_registry()[static_cast<std::size_t>(run.range(0))];
  const System system = strip(kind, 512);
  const State state = disturbed(system);
  Workspace work(system, 1);
  for (auto _ : run) evaluate_internal(system, state, work);
  run.SetItemsProcessed(run.iterations() * 512);
  run.SetLabel(element_info(kind).name);
}

void tangent(benchmark::State& run) {
  const auto kind = element_registry()[static_cast<std::size_t>(run.range(0))];
  const System system = strip(kind, 512);
  const State state = disturbed(system);
  Workspace work(system, 1);
  std::vector<double> values;
  for (auto _ : run) evaluate_tangent(system, state, 1, 1, work, values);
  run.SetItemsProcessed(run.iterations() * 512);
  run.SetLabel(element_info(kind).name);
}

// Force and tangent with mass of P0's plate pendulum, 40 x 20 shells, by number of threads.
void plate(benchmark::State& run) {
  Model model;
  model.materials.add("soft", Isotropic{1e5, 0.3, 7810, 0.01});
  model.sections.add("section", Plate{0.01});
  Body body;
  body.element = ElementKind::shell3443;
  body.material = "soft";
  body.section = "section";
  body.mesh = PlateMesh{{0, 0, 0}, {0.6, 0, 0}, {0, 0.3, 0}, {40, 20}};
  model.bodies.add("plate", body);
  const System system = compile(model);
  const State state = disturbed(system);
  Workspace work(system, static_cast<int>(run.range(0)));
  std::vector<double> values;
  for (auto _ : run) {
    evaluate_internal(system, state, work);
    evaluate_tangent(system, state, 1, 1, work, values, 1e6);
  }
  run.SetItemsProcessed(run.iterations() * 800);
  run.SetLabel("threads " + std::to_string(run.range(0)));
}

BENCHMARK(plate)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();
BENCHMARK(force)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);
BENCHMARK(tangent)->DenseRange(0, 3)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace lithe
