// Joints along lines and ropes over sheaves: rows, tangents and rates as the point passes from element to element, what
// they measure, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/system/outputs.h"
#include "lithe/system/slide_along.h"
#include "lithe/system/springs.h"
#include "support/joints.h"
#include "support/messages.h"
#include "support/models.h"

namespace lithe::test {
namespace {

At ground(double x, double y, double z) {
  At place;
  place.body = "ground";
  place.point = Triple{x, y, z};
  return place;
}

// A free line along x, a point on it, a rigid body with a point on it, and the ground.
Model on_line(ElementKind kind, double start, Treatment treatment = Treatment::eliminate,
              TangentForm form = TangentForm::symmetric, Connect connect = Connect::nodes) {
  Model model = make_strip(kind).model;
  std::get<Body>(model.bodies.items[0].second).connect = connect;
  model.bodies.add("ring", PointMass{0.5, {start, 0, 0}, {0, 0, 0}});
  RigidBody cart;
  cart.position = {0.3, 0, 0.1};
  cart.shape = BoxShape{{0.1, 0.1, 0.1}};
  cart.density = 1000;
  cart.points.add("hook", Triple{0.02, 0, -0.1});
  model.bodies.add("cart", cart);
  model.joints.add("ring", SlideAlong{"strip", at("ring", "")});
  model.joints.add("cart", SlideAlong{"strip", at("cart", "hook")});
  model.joints.add("eye", SlideAlong{"strip", ground(0.44, 0, 0)});
  model.springs.add("rub", Friction{"ring", {}, 7, 0.8});
  model.springs.add("stop", Stop{"cart", {}, -0.2, 0.01, 500, 3, 0.02});
  model.springs.add("spring", TravelSpring{"eye", 40, 2, 0.01, Signal(0), {}});
  model.outputs.add("ring", JointOutput{"ring"});
  model.treatment = treatment;
  model.tangent = form;
  return model;
}

State disturbed(const System& system, unsigned seed) {
  State state = system.initial_state();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> dz(system.map.size), dv(system.map.size);
  for (double& x : dz) x = 0.03 * unit(random);
  for (double& x : dv) x = 0.5 * unit(random);
  system.map.prolong({}, dz, 1, state.q);
  system.map.prolong({}, dv, 1, state.v);
  state.a.assign(state.q.size(), 0.0);
  for (double& x : state.lambda) x = unit(random);
  return state;
}

// G^T lambda over the unknowns.
std::vector<double> row_forces(const System& system, const State& state, Workspace& work) {
  evaluate_constraints(system, state, work);
  std::vector<double> f(system.map.size, 0.0);
  add_transposed(system, work.G, 1, state.lambda, f);
  return f;
}

std::vector<std::vector<double>> dense(const System& system, const std::vector<double>& values) {
  const int n = system.map.size;
  std::vector<std::vector<double>> K(n, std::vector<double>(n, 0.0));
  for (int c = 0; c < n; ++c)
    for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
      const int r = system.pattern.row[k];
      if (r >= n) continue;
      K[r][c] = values[k];
      if (system.symmetric) K[c][r] = values[k];
    }
  return K;
}

template <class Function>
void for_every_line(Function&& function) {
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243})
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange})
      for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact})
        for (const Connect connect : {Connect::nodes, Connect::constraints})
          for (const double start : {0.0, 0.06, 0.249, 0.4999}) {  // ends, inside, beside a node
            SCOPED_TRACE(std::string(kind->name) + " " + word(treatment) + " " + word(form) + " " + word(connect) +
                         " from " + std::to_string(start));
            function(on_line(kind, start, treatment, form, connect));
          }
}

TEST(SlideAlong, RowsAndTheirTangentsAreDerivatives) {
  for_every_line([](const Model& model) {
    const System system = compile(model);
    const State state = disturbed(system, 7);
    Workspace work(system, 1);
    const int n = system.map.size;
    std::vector<double> values(system.pattern.nonzeros(), 0.0), dz(n, 0.0);
    add_constraint_stiffness(system, state, 1, state.lambda, work, values);
    const auto K = dense(system, values);
    evaluate_constraints(system, state, work);
    const std::vector<double> G = work.G;
    const ConstraintJacobian& J = system.jacobian;
    const double h = 1e-6;
    for (int j = 0; j < n; ++j) {
      dz[j] = 1;
      State ahead = state, behind = state;
      system.map.prolong({}, dz, h, ahead.q);
      system.map.prolong({}, dz, -h, behind.q);
      dz[j] = 0;
      const std::vector<double> f = row_forces(system, ahead, work), c = work.c;
      const std::vector<double> g = row_forces(system, behind, work);
      for (int r = 0; r < system.row_count(); ++r) {
        double entry = 0;
        for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e)
          if (J.column[e] == j) entry = G[e];
        EXPECT_NEAR(entry, (c[r] - work.c[r]) / (2 * h), 1e-7) << r << " " << system.unknown_name(j);
      }
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(K[i][j], (f[i] - g[i]) / (2 * h), 2e-6 * (1 + std::abs(K[i][j])))
            << system.unknown_name(i) << ", " << system.unknown_name(j);
    }
  });
}

TEST(SlideAlong, RatesAndAccelerationsAreThoseOfAPath) {
  for_every_line([](const Model& model) {
    const System system = compile(model);
    State state = disturbed(system, 11);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<double> da(system.map.size);
    for (double& x : da) x = unit(random);
    system.map.prolong({}, da, 1, state.a);
    Workspace work(system, 1);
    std::vector<double> rates, accelerations;
    constraint_rates(system, state, rates);
    constraint_accelerations(system, state, accelerations);
    const auto c_at = [&](double t) {
      State moved = state;
      for (std::size_t i = 0; i < moved.q.size(); ++i) moved.q[i] += t * state.v[i] + t * t / 2 * state.a[i];
      evaluate_constraints(system, moved, work);
      return work.c;
    };
    const double h = 1e-4;
    const auto ahead = c_at(h), here = c_at(0), behind = c_at(-h);
    for (int r = 0; r < system.row_count(); ++r) {
      EXPECT_NEAR(rates[r], (ahead[r] - behind[r]) / (2 * h), 1e-5 * (1 + std::abs(rates[r])));
      EXPECT_NEAR(accelerations[r], (ahead[r] - 2 * here[r] + behind[r]) / (h * h),
                  1e-3 * (1 + std::abs(accelerations[r])));
    }
  });
}

TEST(SlideAlong, SpringsAlongItHaveTheirTangents) {
  for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    const System system = compile(on_line(ElementKind::beam3243, 0.2, Treatment::eliminate, form));
    const State state = disturbed(system, 5);
    Workspace work(system, 1);
    const int n = system.map.size;
    std::vector<double> values(system.pattern.nonzeros(), 0.0), dz(n, 0.0), f, g;
    for (int s = 0; s < system.springs.count(); ++s)
      add_spring_tangent(system, s, state, 1, 0.7, TangentSink(system, values.data()));
    const auto K = dense(system, values);
    const auto forces = [&](const State& at_state, std::vector<double>& reduced) {
      std::vector<double> full(at_state.q.size(), 0.0);
      for (int s = 0; s < system.springs.count(); ++s) add_spring_force(system.springs, s, at_state, ForceSink(full));
      system.map.restrict({}, full, reduced);
    };
    for (const Slider& slider : system.sliders) {
      const int j = system.map.unknowns[slider.vector].first;
      dz[j] = 1;
      State ahead = state, behind = state;
      const double h = 1e-6;
      system.map.prolong({}, dz, h, ahead.q);
      system.map.prolong({}, dz, 0.7 * h, ahead.v);
      system.map.prolong({}, dz, -h, behind.q);
      system.map.prolong({}, dz, -0.7 * h, behind.v);
      dz[j] = 0;
      forces(ahead, f);
      forces(behind, g);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(K[i][j], (f[i] - g[i]) / (2 * h), 1e-5 * (1 + std::abs(K[i][j])));
      EXPECT_NE(K[j][j], 0);
    }
  }
}

// The line is one curve with one tangent, beyond its ends a straight one.
TEST(SlideAlong, TheTrackIsSmoothOverItsNodes) {
  const System system = compile(on_line(ElementKind::beam3243, 0.2));
  const State state = disturbed(system, 2);
  const Track& track = *system.sliders[0].track;
  const double h = track.length;
  EXPECT_EQ(track.elements(), 6);
  EXPECT_NEAR(track.total(), 0.5, 1e-15);
  for (int node = 0; node <= 6; ++node) {
    const TrackPlace before(track, node * h - 1e-9), after(track, node * h + 1e-9);
    EXPECT_LT(norm(before.value(state.q) - after.value(state.q)), 1e-8);
    EXPECT_LT(norm(before.slope(state.q) - after.slope(state.q)), 1e-6);
  }
  const TrackPlace end(track, 0.5), far(track, 0.7);
  EXPECT_LT(norm(far.value(state.q) - end.value(state.q) - 0.2 * end.slope(state.q)), 1e-14);
  const Vec3<double> p = TrackPlace(track, 0.313).value(state.q);
  EXPECT_NEAR(nearest_place(track, state.q, p), 0.313, 1e-12);
}

TEST(SlideAlong, MeasuresItsTravelAndStartsWithItsRate) {
  Model model = on_line(ElementKind::cable, 0.2);
  std::get<PointMass>(model.bodies.items[1].second).velocity = {2, 0, 0};
  const System system = compile(model);
  EXPECT_EQ(channels(system)[0].columns.back(), "travel");
  State state = system.initial_state();
  const int s = system.sliders[0].vector;
  EXPECT_NEAR(state.q[3ul * s], 0.2, 1e-14);
  EXPECT_NEAR(state.v[3ul * s], 2, 1e-13);
  EXPECT_NEAR(system.joints[0].travel(state.q), 0, 1e-14);
  state.q[3ul * s] += 0.05;
  EXPECT_NEAR(system.joints[0].travel(state.q), 0.05, 1e-14);
  EXPECT_EQ(system.unknown_name(system.map.unknowns[s].first), "joint 'ring', its place along the line");
  EXPECT_EQ(system.past_an_end(state), "");
  state.q[3ul * s] = 0.51;
  EXPECT_NE(system.past_an_end(state).find("joint 'ring' has slid past the end of 'strip'"), std::string::npos);
  EXPECT_NE(system.past_an_end(state).find("from -0.2 to 0.3 m"), std::string::npos);
}

TEST(SlideAlong, Refuses) {
  const auto refusal = [](auto&& change) {
    Model model = on_line(ElementKind::cable, 0.2);
    change(model);
    return message_of<InputError>([&] { (void)compile(model); });
  };
  EXPECT_NE(refusal([](Model& m) {
              std::get<PointMass>(m.bodies.items[1].second).position = {0.2, 0.1, 0};
            }).find("0.1 m off the line of 'strip', whose nearest place is (0.2, 0, 0); move it there"),
            std::string::npos);
  EXPECT_NE(refusal([](Model& m) {
              m.joints.add("more", SlideAlong{"cart", at("ring", "")});
            }).find("body 'cart' is no line of elements"),
            std::string::npos);
  EXPECT_NE(refusal([](Model& m) {
              m.joints.add("more", SlideAlong{"strip", at("strip", "end")});
            }).find("on the line itself"),
            std::string::npos);
  EXPECT_NE(refusal([](Model& m) {
              At nowhere;
              nowhere.body = "ground";
              m.joints.add("more", SlideAlong{"strip", nowhere});
            }).find("the ground needs a point"),
            std::string::npos);
}

// ---- ropes ----

// A tackle: ground, block, ground, load; the block and the load are free.
Model tackle(bool elastic, TangentForm form = TangentForm::symmetric) {
  Model model;
  RigidBody block;
  block.position = {0.1, 0.2, -1};
  block.shape = BoxShape{{0.2, 0.1, 0.1}};
  block.density = 1000;
  block.points.add("sheave", Triple{0.05, 0, 0.05});
  model.bodies.add("block", block);
  model.bodies.add("load", PointMass{3, {1, 0.1, -2}, {0, 0, 0}});
  const std::vector<At> points{ground(0, 0, 0), at("block", "sheave"), ground(0.4, 0, 0.1), at("load", "")};
  if (elastic) {
    Rope rope;
    rope.points = points;
    rope.falls = {2, 3, 1};
    rope.EA = 5000;
    rope.damping = 20;
    rope.length = Drive(Signal(7.0));
    model.springs.add("rope", rope);
  } else {
    model.joints.add("rope", Reeving{points, {2, 3, 1}, {}});
    model.outputs.add("rope", JointOutput{"rope"});
  }
  model.treatment = Treatment::lagrange;
  model.tangent = form;
  return model;
}

TEST(Ropes, RowAndTangentAreDerivatives) {
  const System system = compile(tackle(false));
  ASSERT_EQ(channels(system)[0].columns.back(), "tension");
  const State state = disturbed(system, 9);
  Workspace work(system, 1);
  const int n = system.map.size;
  std::vector<double> values(system.pattern.nonzeros(), 0.0), dz(n, 0.0);
  add_constraint_stiffness(system, state, 1, state.lambda, work, values);
  const auto K = dense(system, values);
  for (int j = 0; j < n; ++j) {
    dz[j] = 1;
    State ahead = state, behind = state;
    system.map.prolong({}, dz, 1e-6, ahead.q);
    system.map.prolong({}, dz, -1e-6, behind.q);
    dz[j] = 0;
    const auto f = row_forces(system, ahead, work), g = row_forces(system, behind, work);
    for (int i = 0; i < n; ++i) EXPECT_NEAR(K[i][j], (f[i] - g[i]) / 2e-6, 1e-7);
  }
}

TEST(Ropes, AnElasticOneHasItsTangentAndEnergy) {
  for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    const System system = compile(tackle(true, form));
    ASSERT_EQ(system.symmetric, form == TangentForm::symmetric);
    const State state = disturbed(system, 9);
    ASSERT_GT(spring_values(system, state, 0)[2], 100);
    const int n = system.map.size;
    const double c_v = form == TangentForm::exact ? 0.7 : 0, h = 1e-6;
    State still = state;
    if (form == TangentForm::symmetric) std::fill(still.v.begin(), still.v.end(), 0.0);
    std::vector<double> values(system.pattern.nonzeros(), 0.0), dz(n, 0.0), f, g;
    add_spring_tangent(system, 0, still, 1, c_v, TangentSink(system, values.data()));
    const auto K = dense(system, values);
    const auto forces = [&](const State& at_state, std::vector<double>& reduced) {
      std::vector<double> full(at_state.q.size(), 0.0);
      add_spring_force(system.springs, 0, at_state, ForceSink(full));
      system.map.restrict({}, full, reduced);
    };
    std::vector<double> own;
    forces(still, own);
    for (int j = 0; j < n; ++j) {
      dz[j] = 1;
      State ahead = still, behind = still;
      system.map.prolong({}, dz, h, ahead.q);
      system.map.prolong({}, dz, c_v * h, ahead.v);
      system.map.prolong({}, dz, -h, behind.q);
      system.map.prolong({}, dz, -c_v * h, behind.v);
      dz[j] = 0;
      forces(ahead, f);
      forces(behind, g);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(K[i][j], (f[i] - g[i]) / (2 * h), 1e-5 * 5000);
      if (form == TangentForm::exact) continue;
      EXPECT_NEAR(own[j], (spring_energy(system, ahead) - spring_energy(system, behind)) / (2 * h), 1e-4);
    }
  }
}

TEST(Ropes, ASlackOneDoesNothing) {
  Model model = tackle(true);
  std::get<Rope>(model.springs.items[0].second).length = Drive(Signal(12.0));
  const System system = compile(model);
  const State state = disturbed(system, 9);
  std::vector<double> f(state.q.size(), 0.0);
  add_spring_force(system.springs, 0, state, ForceSink(f));
  for (const double x : f) EXPECT_EQ(x, 0);
  EXPECT_EQ(spring_energy(system, state), 0);
}

TEST(Ropes, Refuse) {
  const auto refusal = [](auto&& change) {
    Model model = tackle(false);
    change(std::get<Reeving>(model.joints.items[0].second));
    return message_of<InputError>([&] { (void)compile(model); });
  };
  EXPECT_NE(refusal([](Reeving& r) { r.points.resize(1); }).find("at least two places"), std::string::npos);
  EXPECT_NE(refusal([](Reeving& r) { r.falls = {1}; }).find("between 4 points there are 3"), std::string::npos);
  EXPECT_NE(refusal([](Reeving& r) {
              r.points = {ground(0, 0, 0), ground(1, 0, 0)};
            }).find("all points are on the ground"),
            std::string::npos);
  EXPECT_NE(refusal([](Reeving& r) { r.points[1] = ground(0, 0, 0); }).find("points 0 and 1 coincide"),
            std::string::npos);
  EXPECT_NE(refusal([](Reeving& r) { r.length = Drive(Signal::expression("9 + t")); }).find("would start with a jump"),
            std::string::npos);
  EXPECT_NE(refusal([](Reeving& r) { r.points.resize(12, at("load", "")); }).find("at most 10 points"),
            std::string::npos);
}

}  // namespace
}  // namespace lithe::test
