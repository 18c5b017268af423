// One motion, computed in different ways: tangent policies, threads, strategies, solvers, treatments of constraints,
// meshes joined by nodes or by constraints.
#include <gtest/gtest.h>

#include "lithe/linalg/linear_solver.h"
#include "support/dynamics.h"

namespace lithe {
namespace {

using namespace test;

constexpr ElementKind flexible_kinds[] = {ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443,
                                          ElementKind::hexa3843};

// ---- tangents, threads, strategies, solvers ----

TEST(TangentPolicies, OneMotionAndFewerFactorisations) {
  for (const ElementKind kind : flexible_kinds) {
    std::vector<State> ends;
    std::vector<DynamicReport> reports;
    for (const TangentPolicy policy :
         {TangentPolicy::adaptive, TangentPolicy::every_step, TangentPolicy::every_iteration}) {
      DynamicAnalysis d = tight(Integrator::hht, 1e-3, 0.06);
      d.tolerance = 1e-10;
      d.residual_tolerance = 1e-9;
      d.tangent_policy = policy;
      d.output_step = 0.06;
      const Trajectory run(pendulum(kind, 2), d);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      ends.push_back(run.state);
      reports.push_back(run.report);
    }
    EXPECT_LT(largest_difference(ends[0].q, ends[2].q), 1e-8) << element_info(kind).name;
    EXPECT_LT(largest_difference(ends[1].q, ends[2].q), 1e-8) << element_info(kind).name;
    // One more at the start, for the accelerations.
    EXPECT_EQ(reports[1].linear.factorisations, reports[1].steps + 1);
    EXPECT_EQ(reports[2].linear.factorisations, reports[2].iterations + 1);
    EXPECT_LT(reports[0].linear.factorisations, reports[1].linear.factorisations / 2);
    EXPECT_GE(reports[0].iterations, reports[2].iterations);
  }
}

TEST(Threads, AnyNumberGivesTheBitsOfOne) {
  for (const ElementKind kind : {ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    const Model model = pendulum(kind, kind == ElementKind::beam3243    ? 1200
                                       : kind == ElementKind::shell3443 ? 240
                                                                        : 60);
    DynamicAnalysis d;
    d.step = 1e-3;
    d.duration = 3e-3;
    d.output_step = 3e-3;
    const Trajectory one(model, d, 1);
    ASSERT_TRUE(one.report.ok()) << one.report.message;
    EXPECT_GT(one.system.chunks.force_flops, 1e6);  // enough work for forces to go to threads (evaluate.cpp)
    for (const int threads : {2, 3, 7}) {
      SCOPED_TRACE(std::string(element_info(kind).name) + " on " + std::to_string(threads));
      const Trajectory other(model, d, threads);
      EXPECT_EQ(other.work.team->started(), threads - 1);
      EXPECT_EQ(one.state.q, other.state.q);
      EXPECT_EQ(one.state.v, other.state.v);
      EXPECT_EQ(one.state.a, other.state.a);
      EXPECT_EQ(one.report.iterations, other.report.iterations);
    }
  }
}

TEST(Strategies, OneMotion) {
  for (const ElementKind kind : {ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843}) {
    DynamicAnalysis d = tight(Integrator::hht, 1e-3, 0.02);
    d.output_step = 0.02;
    Model model = pendulum(kind, 2);
    std::get<Body>(model.bodies.items[0].second).formulation = Formulation::continuum;
    const Trajectory batched(model, d);
    ASSERT_TRUE(batched.report.ok()) << batched.report.message;
    for (const char* strategy : {"C", "D", "E", "G", "L"}) {
      model.strategy = strategy;
      const Trajectory other(model, d);
      ASSERT_TRUE(other.report.ok()) << strategy << ": " << other.report.message;
      EXPECT_LT(largest_difference(batched.state.q, other.state.q), 1e-9) << element_info(kind).name << " " << strategy;
      EXPECT_LT(largest_difference(batched.state.v, other.state.v), 1e-7) << element_info(kind).name << " " << strategy;
    }
  }
}

TEST(Solvers, OneMotion) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    DynamicAnalysis d = tight(Integrator::generalized_alpha, 1e-3, 0.05);
    d.output_step = 0.05;
    const Trajectory automatic(chain(5, treatment), d);
    ASSERT_TRUE(automatic.report.ok()) << automatic.report.message;
    for (const SolverInfo& info : linear_solvers()) {
      if (treatment != Treatment::augmented && !info.zero_diagonal) continue;
      d.solver = info.name;
      const Trajectory other(chain(5, treatment), d);
      ASSERT_TRUE(other.report.ok()) << info.name << ": " << other.report.message;
      EXPECT_NE(other.report.solver.find(info.name), std::string::npos) << other.report.solver;
      EXPECT_LT(largest_difference(automatic.state.q, other.state.q), 1e-10) << info.name << " " << word(treatment);
      EXPECT_LT(largest_difference(automatic.state.v, other.state.v), 1e-7) << info.name << " " << word(treatment);
    }
  }
}

// ---- constraints ----

// Largest difference of q between two runs of one mesh.
double difference(const Model& a, const Model& b, const DynamicAnalysis& d) {
  const Trajectory first(a, d), second(b, d);
  EXPECT_TRUE(first.report.ok()) << first.report.message;
  EXPECT_TRUE(second.report.ok()) << second.report.message;
  EXPECT_EQ(first.states.size(), second.states.size());
  double largest = 0;
  for (std::size_t k = 0; k < std::min(first.states.size(), second.states.size()); ++k)
    largest = std::max(largest, largest_difference(first.states[k].q, second.states[k].q));
  return largest;
}

Model net(Treatment treatment) {
  Model model;
  model.materials.add("rope", Isotropic{1e7, 0, 1000, 0.01});
  model.sections.add("round", Circle{0.02});
  Body body;
  body.element = ElementKind::cable;
  body.material = "rope";
  body.section = "round";
  NetMesh mesh;
  mesh.along = {0.3, 0, 0};
  mesh.across = {0, 0.3, 0};
  mesh.cells = {3, 3};
  body.mesh = mesh;
  body.connect = Connect::constraints;
  model.bodies.add("net", body);
  model.constraints.add("corners", Fix{at("net", "corners"), {Coordinate::position}, {}});
  model.loads.add("gravity", Gravity{});
  model.treatment = treatment;
  return model;
}

TEST(Treatments, FallingNet) {
  DynamicAnalysis d = tight(Integrator::hht, 2e-3, 0.1);
  d.output_step = 0.02;
  const System eliminated = compile(net(Treatment::eliminate)), full = compile(net(Treatment::lagrange));
  EXPECT_EQ(eliminated.row_count(), 0);
  EXPECT_GT(full.row_count(), eliminated.map.size);
  const double lagrange = difference(net(Treatment::eliminate), net(Treatment::lagrange), d);
  EXPECT_LT(lagrange, 1e-8);
}

// Two beams at a right angle, welded at the corner, or hinged there.
Model two_beams(Treatment treatment, bool weld) {
  Model model;
  model.materials.add("rubber", Isotropic{1e6, 0.3, 1000, 0.01});
  model.sections.add("square", Rectangle{0.03, 0.03, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "rubber";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {0.4, 0, 0}, 3, {}};
  model.bodies.add("first", body);
  body.mesh = LineMesh{{0.4, 0, 0}, {0.4, 0.4, 0}, 3, {}};
  model.bodies.add("second", body);
  model.constraints.add("root", Clamp{at("first", "start")});
  if (weld) model.joints.add("corner", Weld{at("first", "end"), at("second", "start"), {}});
  else model.joints.add("corner", Spherical{at("first", "end"), at("second", "start"), {}});
  model.loads.add("gravity", Gravity{});
  model.treatment = treatment;
  return model;
}

TEST(Treatments, TwoBeamsJoined) {
  DynamicAnalysis d = tight(Integrator::hht, 2e-3, 0.1);
  d.output_step = 0.02;
  for (const bool weld : {false, true}) {
    for (const Treatment treatment : {Treatment::lagrange, Treatment::augmented}) {
      const double gap = difference(two_beams(Treatment::eliminate, weld), two_beams(treatment, weld), d);
      EXPECT_LT(gap, 1e-8) << word(treatment);
    }
  }
}

TEST(ConstraintBasedMesh, MovesLikeSharedNodes) {
  // P1: elements with nodes of their own, joined by constraints.
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243}) {
    const Model nodes = pendulum(kind, 8);
    DynamicAnalysis d = tight(Integrator::hht, 1e-3, 0.2);
    d.output_step = 0.02;
    const Trajectory shared(nodes, d);
    ASSERT_TRUE(shared.report.ok()) << shared.report.message;
    const PointWeights tip = shared.system.resolve_point(at("strip", "end"));
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange}) {
      Model joined = nodes;
      std::get<Body>(joined.bodies.items[0].second).connect = Connect::constraints;
      joined.treatment = treatment;
      const Trajectory other(joined, d);
      ASSERT_TRUE(other.report.ok()) << other.report.message;
      const PointWeights other_tip = other.system.resolve_point(at("strip", "end"));
      double gap = 0;
      for (std::size_t k = 0; k < shared.states.size(); ++k)
        for (int m = 0; m < 3; ++m)
          gap = std::max(gap, std::abs(shared.states[k].q[3ul * tip.vectors[0] + m] -
                                       other.states[k].q[3ul * other_tip.vectors[0] + m]));
      EXPECT_LT(gap, 1e-8) << element_info(kind).name << " " << word(treatment);
    }
  }
}

}  // namespace
}  // namespace lithe
