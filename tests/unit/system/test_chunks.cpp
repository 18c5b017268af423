#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "lithe/system/chunks.h"
#include "lithe/system/pattern.h"
#include "lithe/system/system.h"
#include "support/models.h"

namespace lithe {
namespace {

using namespace test;

// Two hundred beams of two elements that hang on one rigid body, with springs between them: what touches the body is
// everywhere.
Model octopus(int arms, Treatment treatment) {
  Model model;
  model.treatment = treatment;
  model.materials.add("soft", Isotropic{1e7, 0.3, 1000, 0.01});
  model.sections.add("square", Rectangle{0.01, 0.01, {}});
  RigidBody hub;
  hub.mass = 1;
  hub.inertia = std::vector<double>{0.1, 0.1, 0.1};
  model.bodies.add("hub", hub);
  for (int i = 0; i < arms; ++i) {
    const double y = 0.1 * i;
    Body arm;
    arm.element = ElementKind::beam3243;
    arm.material = "soft";
    arm.section = "square";
    LineMesh mesh;
    mesh.from = {0, y, 0};
    mesh.to = {0.4, y, 0};
    mesh.elements = 2;
    arm.mesh = mesh;
    const std::string name = "arm" + std::to_string(i);
    model.bodies.add(name, arm);
    Weld weld;
    weld.a = at("hub", "");
    weld.b = at(name, "start");
    model.joints.add("weld" + std::to_string(i), weld);
    if (i == 0) continue;
    Spring spring;
    spring.a = at("arm" + std::to_string(i - 1), "end");
    spring.b = at(name, "end");
    spring.stiffness = 100;
    spring.damping = 1;
    model.springs.add("spring" + std::to_string(i), spring);
  }
  return model;
}

State disturbed(const System& system, double amount, double speed) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  State state = system.initial_state();
  for (double& x : state.q) x += amount * u(random);
  for (double& x : state.v) x += speed * u(random);
  return state;
}

std::set<int> written(const System& system, const std::vector<int>& vectors) {
  std::set<int> set;
  for (int v : vectors) {
    set.insert(v);
    const VectorUnknowns& u = system.map.unknowns[v];
    if (u.slave < 0) set.insert(system.map.representative[v]);
    else for_masters(system, v, [&](int master, double) { set.insert(master); });
  }
  return set;
}

TEST(Chunks, HoldEverythingOnceAndShareWhatSeveralWrite) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange}) {
    const System system = compile(octopus(640, treatment));
    const Chunks& chunks = system.chunks;
    EXPECT_GT(chunks.count, 8);
    ASSERT_EQ(chunks.packs.count(), chunks.count);
    std::map<std::pair<int, int>, int> packs;
    std::map<int, std::set<int>> writers;
    for (int c = 0; c < chunks.count; ++c) {
      for (const PackRange* range = chunks.packs.begin(c); range != chunks.packs.end(c); ++range)
        for (int p = range->first; p < range->last; ++p) {
          ++packs[{range->batch, p}];
          const Batch& batch = system.batches[range->batch];
          const int N = batch.kernel->vectors(), W = batch.kernel->width();
          const auto first = batch.connectivity.begin() + static_cast<std::ptrdiff_t>(p) * N * W;
          for (int v : written(system, {first, first + N * W})) writers[v].insert(c);
        }
      for (const int* s = chunks.springs.begin(c); s != chunks.springs.end(c); ++s)
        system.springs.for_vectors(*s, [&](int of_spring) {
          for (int v : written(system, {of_spring})) writers[v].insert(c);
        });
    }
    int all = 0;
    for (const Batch& batch : system.batches) all += batch.kernel ? batch.kernel->packs() : 0;
    EXPECT_EQ(static_cast<int>(packs.size()), all);
    for (const auto& [pack, times] : packs) EXPECT_EQ(times, 1);
    std::set<int> springs(chunks.springs.items.begin(), chunks.springs.items.end());
    EXPECT_EQ(static_cast<int>(springs.size()), system.springs.count());
    int shared = 0;
    for (const auto& [v, set] : writers)
      if (set.size() > 1) {
        EXPECT_TRUE(chunks.shared[v]) << v;
        ++shared;
      }
    EXPECT_GT(shared, 0);
  }
}

TEST(Chunks, AddUpToWhatOneChunkGivesAndDoNotDependOnThreads) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange}) {
    System plain = compile(octopus(640, treatment));
    cut_into_chunks(plain, 1);
    EXPECT_EQ(plain.chunks.count, 1);
    const System system = compile(octopus(640, treatment));
    State state = disturbed(system, 1e-4, 1);
    for (std::size_t r = 0; r < state.lambda.size(); ++r) state.lambda[r] = 1.0 + static_cast<double>(r % 7);
    Workspace one(plain, 1);
    std::vector<double> expected, found;
    evaluate_internal(plain, state, one);
    evaluate_tangent(plain, state, 1, 0.5, one, expected, 2);
    add_constraint_stiffness(plain, state, 1, state.lambda, one, expected);
    double force_size = 0, size = 0;
    for (double x : one.internal) force_size = std::max(force_size, std::abs(x));
    for (double x : expected) size = std::max(size, std::abs(x));
    std::vector<double> first_force, first_values;
    for (const int threads : {1, 2, 3, 7}) {
      Workspace work(system, threads);
      for (int repeat = 0; repeat < 2; ++repeat) {
        evaluate_internal(system, state, work);
        evaluate_tangent(system, state, 1, 0.5, work, found, 2);
        add_constraint_stiffness(system, state, 1, state.lambda, work, found);
        if (first_force.empty()) {
          first_force = work.internal;
          first_values = found;
        }
        EXPECT_EQ(work.internal, first_force) << threads;
        EXPECT_EQ(found, first_values) << threads;
      }
    }
    for (std::size_t i = 0; i < first_force.size(); ++i)
      ASSERT_NEAR(first_force[i], one.internal[i], 1e-13 * force_size);
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-13 * size);
  }
}

TEST(Batches, HoldTheElementsOfManyBodies) {
  const System system = compile(octopus(50, Treatment::eliminate));
  int kernels = 0;
  for (const Batch& batch : system.batches)
    if (batch.kernel) {
      ++kernels;
      EXPECT_EQ(batch.elements, 100);
      EXPECT_EQ(batch.bodies.size(), 50u);
    }
  EXPECT_EQ(kernels, 1);
  EXPECT_EQ(system.bodies[2].first_element, 2);
}

}  // namespace
}  // namespace lithe
