// Statics with multipliers: hanging linkages, beams whose constraints are kept as rows, rigid bodies on beams, ends
// that are moved by a joint.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "support/dynamics.h"
#include "support/statics.h"

namespace lithe {
namespace {

using namespace test;

constexpr Treatment treatments[] = {Treatment::eliminate, Treatment::lagrange, Treatment::augmented};

// Multipliers of the rows of a body, in its order.
std::vector<double> multipliers(const Solved& run, ConstraintOwner::Kind kind) {
  std::vector<double> result;
  for (const ConstraintOwner& owner : run.system.owners)
    if (owner.kind == kind)
      for (int r : owner.rows)
        if (!run.system.rows.parts[r].is_linear()) result.push_back(run.state.lambda[r]);
  return result;
}

TEST(StaticLinkage, HangsDownAndItsBarsCarryTheWeight) {
  for (const Treatment treatment : treatments)
    for (const double tilt : {0.0, 10.0, 40.0}) {
      Model model = chain(3, treatment);
      auto& linkage = std::get<Linkage>(model.bodies.items[0].second);
      for (int n = 0; n <= 3; ++n) {
        const double angle = (tilt - 90) * std::numbers::pi / 180;
        linkage.points[n] = {n * std::cos(angle), n * std::sin(angle), 0};
      }
      const Solved run(model);
      ASSERT_TRUE(run.report.ok()) << word(treatment) << " " << tilt << ": " << run.report.message;
      for (int n = 1; n <= 3; ++n) {
        EXPECT_NEAR(run.state.q[3ul * n], 0, 1e-8);
        EXPECT_NEAR(run.state.q[3ul * n + 1], -n, 1e-10);
      }
      // Each bar gives half its weight to either end: the n-th from below carries n - 1/2 of them.
      const std::vector<double> bars = multipliers(run, ConstraintOwner::Kind::body);
      ASSERT_EQ(bars.size(), 3u);
      for (int n = 0; n < 3; ++n) EXPECT_NEAR(bars[n], (2.5 - n) * 9.81, 1e-6) << word(treatment);
    }
}

TEST(StaticLinkage, AMechanismWithoutStiffnessIsNamed) {
  for (const Treatment treatment : treatments) {
    const Solved run(chain(1, treatment));  // level: nothing turns it but its weight
    EXPECT_FALSE(run.report.ok());
    EXPECT_NE(run.report.message.find("singular"), std::string::npos) << run.report.message;
    EXPECT_EQ(run.state.q, run.system.q0);
  }
}

Model cantilever(Treatment treatment) {
  Model model;
  model.materials.add("steel", Isotropic{2e11, 0.3, 7800, 0});
  model.sections.add("square", Rectangle{0.01, 0.01, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "steel";
  body.section = "square";
  body.mesh = LineMesh{{0, 0, 0}, {1, 0, 0}, 6, {}};
  model.bodies.add("beam", body);
  model.constraints.add("root", Clamp{at("beam", "start")});
  model.treatment = treatment;
  return model;
}

TEST(StaticRows, ABeamHeldByMultipliersBendsLikeAClampedOne) {
  for (const double force : {-10.0, -400.0}) {
    std::vector<State> states;
    for (const Connect connect : {Connect::nodes, Connect::constraints})
      for (const Treatment treatment : treatments) {
        Model model = cantilever(treatment);
        std::get<Body>(model.bodies.items[0].second).connect = connect;
        model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, force)});
        const Solved run(model);
        ASSERT_TRUE(run.report.ok()) << word(treatment) << ": " << run.report.message;
        EXPECT_EQ(run.system.has_multipliers(), treatment == Treatment::lagrange);
        const Vec3<double> tip = run.position(at("beam", "end"));
        static Vec3<double> first;
        if (states.empty()) first = tip;
        states.push_back(run.state);
        for (int m = 0; m < 3; ++m) EXPECT_NEAR(tip[m], first[m], 1e-9) << word(treatment);
        if (treatment != Treatment::lagrange) continue;
        // The multipliers of the root are what it takes to hold the beam.
        double vertical = 0;
        for (const ConstraintOwner& owner : run.system.owners)
          if (owner.kind == ConstraintOwner::Kind::constraint)
            for (int r : owner.rows) {
              const Parts& parts = run.system.rows.parts;
              const int vector = parts.arguments.vector[parts.arguments.start[parts.argument_start[r]]];
              if (vector % 4 == 0) vertical += run.state.lambda[r] * parts.along[r][2];
            }
        EXPECT_NEAR(vertical, force, 1e-5 * std::abs(force));
      }
  }
}

TEST(StaticRows, ARigidBodyOnABeamIsAWeight) {
  Model weight = cantilever(Treatment::eliminate);
  weight.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -20 * 9.80665)});
  const Solved expected(weight);
  ASSERT_TRUE(expected.report.ok()) << expected.report.message;
  for (const Treatment treatment : treatments) {
    Model model = cantilever(treatment);
    RigidBody rigid;
    rigid.position = {1, 0, 0};
    rigid.mass = 20;
    rigid.inertia = std::vector<double>{0.1, 0.1, 0.1};
    model.bodies.add("block", rigid);
    At block;
    block.body = "block";
    model.joints.add("weld", Weld{at("beam", "end"), block, {}});
    model.materials.items[0].second = Isotropic{2e11, 0.3, 1e-9, 0};
    model.loads.add("gravity", Gravity{});
    const Solved run(model);
    ASSERT_TRUE(run.report.ok()) << word(treatment) << ": " << run.report.message;
    const Vec3<double> a = run.position(at("beam", "end")), b = expected.position(at("beam", "end"));
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(a[m], b[m], 1e-8) << word(treatment);
  }
}

TEST(StaticRows, AMovedEndTakesTheForceThatMovesItSo) {
  Model pulled = cantilever(Treatment::eliminate);
  pulled.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, 300)});
  const Solved expected(pulled);
  ASSERT_TRUE(expected.report.ok()) << expected.report.message;
  const Vec3<double> tip = expected.position(at("beam", "end"));
  for (const Treatment treatment : treatments) {
    Model model = cantilever(treatment);
    Motion motion;
    motion.at = at("beam", "end");
    motion.displacement[2] = Signal::expression(std::to_string(tip[2]) + "*t");
    model.joints.add("lift", motion);
    const Solved run(model);
    ASSERT_TRUE(run.report.ok()) << word(treatment) << ": " << run.report.message;
    const Vec3<double> moved = run.position(at("beam", "end"));
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(moved[m], tip[m], 2e-6) << word(treatment);  // six digits in the text
  }
}

TEST(StaticRows, ArcLengthWithMultipliers) {
  Model model = cantilever(Treatment::eliminate);
  model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, -400)});
  const Solved expected(model);
  StaticAnalysis arc;
  arc.method = StaticMethod::arc_length;
  for (const Treatment treatment : treatments) {
    model.treatment = treatment;
    const Solved run(model, arc);
    ASSERT_TRUE(run.report.ok()) << word(treatment) << ": " << run.report.message;
    EXPECT_LT(largest_difference(run.state.q, expected.state.q), 1e-8) << word(treatment);
  }
  Motion motion;
  motion.at = at("beam", "end");
  motion.displacement[2] = Signal::expression("0.1*t");
  model.joints.add("lift", motion);
  EXPECT_THROW(Solved(model, arc), InputError);
}

}  // namespace
}  // namespace lithe
