// Micro-benchmarks of contact detection: capsules, and triangles of tetrahedra, turned anyhow on a lattice that is
// shaken, so that they fill a third of the space and touch as in a pile; all of them move.
//   build/lithe_bench --benchmark_filter=detection
// Processor time; `/2` uses two threads (look at the wall time then). BigO is the exponent of the growth.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "../tests/support/contact_scenes.h"
#include "lithe/contact/detection.h"

namespace lithe {
namespace {

ContactScene filled(int parts, bool triangles) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const int bodies = triangles ? parts / 4 : parts;
  const double volume = triangles ? 0.06 : 0.045;
  const int side = static_cast<int>(std::ceil(std::cbrt(bodies)));
  const double spacing = std::cbrt(3 * volume);
  fixtures::SceneMaker maker;
  for (int i = 0; i < bodies; ++i) {
    const Vec3<double> shaken{{number(engine), number(engine), number(engine)}};
    const Vec3<double> cell{{double(i % side), double(i / side % side), double(i / side / side)}};
    const Vec3<double> at = spacing * (cell + 0.2 * shaken);
    const Vec3<double> d = unit(Vec3<double>{{number(engine), number(engine), number(engine) + 1.5}});
    const int s = triangles ? maker.tetrahedron(0.5, {at, fixtures::turn_about(d, 3 * number(engine))})
                            : maker.capsule(at - 0.3 * d, at + 0.3 * d, 0.13);
    maker.move(s, 0.01 * Vec3<double>{{number(engine), number(engine), number(engine)}});
  }
  ContactScene scene = maker.scene;
  scene.before = scene.corner;
  for (std::size_t c = 0; c < scene.corner.size(); ++c) scene.before[c] = scene.corner[c] - scene.move[c];
  return scene;
}

void detection(benchmark::State& state, bool triangles, int threads) {
  const ContactScene scene = filled(static_cast<int>(state.range(0)), triangles);
  Team team(threads);
  ContactDetection detect(scene, {}, &team);
  std::size_t points = 0;
  for (auto _ : state) points = detect.detect(scene).size();
  state.counters["points"] = static_cast<double>(points);
  state.SetComplexityN(state.range(0));
}

#define SIZES RangeMultiplier(2)->Range(12500, 100000)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()
BENCHMARK_CAPTURE(detection, capsules, false, 1)->SIZES->Complexity();
BENCHMARK_CAPTURE(detection, triangles, true, 1)->SIZES->Complexity();
BENCHMARK_CAPTURE(detection, capsules / 2, false, 2)->SIZES->UseRealTime();
BENCHMARK_CAPTURE(detection, triangles / 2, true, 2)->SIZES->UseRealTime();

}  // namespace
}  // namespace lithe
