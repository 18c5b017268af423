// Forces of penalty contacts between features: balance, gradients of the gap, tangents against dual numbers, and what
// the stretch of friction does.
#include <gtest/gtest.h>

#include <random>

#include "lithe/contact/penalty_pair.h"

namespace lithe {
namespace {

using Kind = PenaltyPair::Kind;

struct Scene {
  const char* name;
  PenaltyPair pair;
  Vec3<double> x[most_penalty_vectors], v[most_penalty_vectors], begin[most_penalty_vectors];
};

// A frame at `origin` with axes that are turned a little, moving.
void add_frame(Scene& scene, int first, const Vec3<double>& origin, std::mt19937& random) {
  std::uniform_real_distribution<double> some(-1, 1);
  const Vec3<double> a = unit(Vec3<double>{{1, 0.2 * some(random), 0.2 * some(random)}}),
                     c = unit(cross(a, Vec3<double>{{0.1 * some(random), 1, 0}})), b = cross(c, a);
  const Vec3<double> axes[4]{origin, a, b, c};
  const Vec3<double> spin{{some(random), some(random), some(random)}};
  for (int k = 0; k < 4; ++k) {
    scene.x[first + k] = axes[k];
    scene.v[first + k] = k == 0 ? Vec3<double>{{some(random), some(random), some(random)}} : cross(spin, axes[k]);
    scene.begin[first + k] = axes[k] - 0.01 * scene.v[first + k];
  }
}

void add_corner(Scene& scene, int at, const Vec3<double>& x, std::mt19937& random) {
  std::uniform_real_distribution<double> some(-1, 1);
  scene.x[at] = x;
  scene.v[at] = {{some(random), some(random), some(random)}};
  scene.begin[at] = x - 0.01 * scene.v[at];
}

PenaltySide ball(double radius) {
  PenaltySide side;
  side.framed = true;
  side.corners = 1;
  side.weight[0] = 1;
  side.radius = radius;
  return side;
}
PenaltySide corners(int count, double radius = 0) {
  PenaltySide side;
  side.corners = count;
  for (int i = 0; i < count; ++i) side.weight[i] = 1.0 / count;
  side.radius = radius;
  return side;
}

// One of every kind, overlapping a little.
std::vector<Scene> scenes() {
  std::mt19937 random(7);
  std::vector<Scene> all;
  const auto add = [&](const char* name, Kind kind, const PenaltySide& a, const PenaltySide& b) -> Scene& {
    Scene& scene = all.emplace_back();
    scene.name = name;
    scene.pair.kind = kind;
    scene.pair.side[0] = a;
    scene.pair.side[1] = b;
    scene.pair.normal = unit(Vec3<double>{{0.1, 0.2, 1}});
    return scene;
  };
  const Vec3<double> triangle[3]{{{-1, -1, 0}}, {{1.2, -1, 0.1}}, {{0, 1, -0.1}}};
  const auto add_triangle = [&](Scene& scene, int first) {
    for (int i = 0; i < 3; ++i) add_corner(scene, first + i, triangle[i], random);
  };
  {
    Scene& s = add("ball over a triangle", Kind::over_b, ball(0.3), corners(3));
    add_frame(s, 0, {{0.1, -0.1, 0.28}}, random);
    add_triangle(s, 4);
  }
  {
    Scene& s = add("triangle under a ball", Kind::over_a, corners(3), ball(0.3));
    add_triangle(s, 0);
    add_frame(s, 3, {{0.1, -0.1, 0.28}}, random);
  }
  {
    Scene& s = add("corner over a face of a frame", Kind::over_b, corners(1), ball(0));
    s.pair.side[1].corners = 3;
    for (int i = 0; i < 3; ++i) s.pair.side[1].in_frame[i] = triangle[i] + Vec3<double>{{0, 0, 0.5}};
    add_corner(s, 0, {{0.1, 0.05, -0.05}}, random);
    add_frame(s, 1, {{0, 0, -0.5}}, random);
  }
  {
    Scene& s = add("rim of a cylinder over a face", Kind::over_b, ball(0), corners(3));
    s.pair.side[0].in_frame[0] = {{0.5, 0, 0}};
    s.pair.side[0].axis = {{1, 0, 0}};
    s.pair.side[0].rim = 0.3;
    add_frame(s, 0, {{-0.4, -0.1, 0.22}}, random);
    add_triangle(s, 4);
  }
  {
    Scene& s = add("two rods", Kind::crossed, corners(2, 0.05), corners(2, 0.1));
    add_corner(s, 0, {{-1, 0.1, 0.13}}, random);
    add_corner(s, 1, {{1, 0, 0.14}}, random);
    add_corner(s, 2, {{0.1, -1, 0}}, random);
    add_corner(s, 3, {{0.2, 1, 0.01}}, random);
    s.pair.sign = dot(cross(s.x[1] - s.x[0], s.x[3] - s.x[2]), Vec3<double>{{0, 0, 1}}) > 0 ? 1 : -1;
  }
  {
    Scene& s = add("two balls", Kind::apart, ball(0.3), ball(0.5));
    add_frame(s, 0, {{0.4, 0.1, 0.66}}, random);
    add_frame(s, 4, {{0, 0, 0}}, random);
  }
  {
    Scene& s = add("ball and rod", Kind::apart, ball(0.3), corners(2, 0.1));
    add_frame(s, 0, {{0.1, 0.1, 0.36}}, random);
    add_corner(s, 4, {{-1, 0.1, 0}}, random);
    add_corner(s, 5, {{1, 0, 0.1}}, random);
  }
  {
    Scene& s = add("as found", Kind::fixed, corners(2), corners(1));
    add_corner(s, 0, {{-1, 0.1, -0.05}}, random);
    add_corner(s, 1, {{1, 0, -0.04}}, random);
    add_corner(s, 2, {{0, 0.05, 0}}, random);
  }
  return all;
}

PenaltyLaw law_of(double friction, double damping = 0.1, double exponent = 1.5) {
  return {1e4, exponent, damping, friction, 0.01};
}
const PenaltyHistory history{{{1e-3, -2e-3, 5e-4}}, 2000};

TEST(Penalty, GradientOfTheGapIsWhatMakesForcesAndRates) {
  for (const Scene& s : scenes()) {
    SCOPED_TRACE(s.name);
    PenaltyForces<double> here;
    penalty_forces(s.pair, law_of(0), {}, s.x, s.begin, s.v, here);
    ASSERT_LT(here.gap, 0);
    Vec3<Dual> x[most_penalty_vectors], v[most_penalty_vectors];
    for (int k = 0; k < s.pair.vectors(); ++k)
      for (int m = 0; m < 3; ++m) x[k][m] = Dual(s.x[k][m], s.v[k][m]);
    PenaltyForces<Dual> along;
    penalty_forces(s.pair, law_of(0), {}, x, s.begin, v, along);
    EXPECT_NEAR(along.gap.d, here.rate, 1e-13);
    double power = 0;
    for (int k = 0; k < s.pair.vectors(); ++k) power += dot(here.force[k], s.v[k]);
    EXPECT_NEAR(power, here.normal * here.rate, 1e-11 * here.normal);
  }
}

TEST(Penalty, ForcesAndMomentsBalance) {
  for (const Scene& s : scenes()) {
    SCOPED_TRACE(s.name);
    PenaltyForces<double> f;
    penalty_forces(s.pair, law_of(0.4), history, s.x, s.begin, s.v, f);
    Vec3<double> sum{}, moment{};
    for (int side = 0, first = 0; side < 2; first += s.pair.side[side].vectors(), ++side)
      for (int k = 0; k < s.pair.side[side].vectors(); ++k) {
        if (!s.pair.side[side].framed || k == 0) sum = sum + f.force[first + k];
        moment = moment + cross(s.x[first + k], f.force[first + k]);
      }
    EXPECT_LT(norm(sum), 1e-11 * f.normal);
    // Friction of a side without a frame acts at its axis: its radius is the arm of a moment that nothing takes up, and
    // of two such sides what they overlap.
    double arm = 0;
    for (const PenaltySide& side : s.pair.side) arm += side.framed ? 0 : side.radius;
    if (!s.pair.side[0].framed && !s.pair.side[1].framed) arm += std::abs(f.gap);
    if (s.pair.kind == Kind::fixed) continue;  // its normal is askew of the line between the points
    EXPECT_LT(norm(moment), (1 + 1e-9) * arm * norm(f.friction) + 1e-10 * f.normal);
  }
}

// Along many directions at once, as the matrix has them, and along one; of single steps by differences.
TEST(Penalty, TangentsAreExact) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> some(-1, 1);
  for (const double friction : {0.0, 0.05, 10.0})  // none, slides, sticks
    for (const double exponent : {1.0, 1.5, 2.2})
      for (const Scene& s : scenes()) {
        SCOPED_TRACE(testing::Message() << s.name << ", friction " << friction << ", exponent " << exponent);
        const PenaltyLaw law = law_of(friction, 0.1, exponent);
        const double c_q = 0.7, c_v = 0.02;
        const int count = s.pair.vectors();
        Vec3<Duals<24>> x[most_penalty_vectors], v[most_penalty_vectors];
        Vec3<double> direction[most_penalty_vectors];
        Vec3<Dual> y[most_penalty_vectors], w[most_penalty_vectors];
        for (int k = 0; k < count; ++k)
          for (int m = 0; m < 3; ++m) {
            x[k][m] = s.x[k][m];
            v[k][m] = s.v[k][m];
            x[k][m].d[3 * k + m] = c_q;
            v[k][m].d[3 * k + m] = c_v;
            direction[k][m] = some(random);
            y[k][m] = Dual(s.x[k][m], c_q * direction[k][m]);
            w[k][m] = Dual(s.v[k][m], c_v * direction[k][m]);
          }
        PenaltyForces<Duals<24>> all;
        PenaltyForces<Dual> along;
        penalty_forces(s.pair, law, history, x, s.begin, v, all);
        penalty_forces(s.pair, law, history, y, s.begin, w, along);
        const auto moved = [&](double step) {
          Vec3<double> at[most_penalty_vectors], rate[most_penalty_vectors];
          for (int k = 0; k < count; ++k) {
            at[k] = s.x[k] + (step * c_q) * direction[k];
            rate[k] = s.v[k] + (step * c_v) * direction[k];
          }
          PenaltyForces<double> f;
          penalty_forces(s.pair, law, history, at, s.begin, rate, f);
          return f;
        };
        const double step = 1e-6;
        const PenaltyForces<double> ahead = moved(step), behind = moved(-step);
        ASSERT_GT(value_of(along.normal), 0);
        double size = 0;
        for (int k = 0; k < count; ++k)
          for (int m = 0; m < 3; ++m) size = std::max(size, std::abs(along.force[k][m].d));
        for (int k = 0; k < count; ++k)
          for (int m = 0; m < 3; ++m) {
            double sum = 0;
            for (int j = 0; j < 3 * count; ++j) sum += all.force[k][m].d[j] * direction[j / 3][j % 3];
            EXPECT_NEAR(sum, along.force[k][m].d, 1e-12 * size);
            const double difference = (ahead.force[k][m] - behind.force[k][m]) / (2 * step);
            EXPECT_NEAR(difference, along.force[k][m].d, 1e-5 * size);
          }
      }
}

// What presses has a tangent that is symmetric, but for friction and damping.
TEST(Penalty, SymmetricWithoutFrictionAndDamping) {
  for (const Scene& s : scenes()) {
    SCOPED_TRACE(s.name);
    if (s.pair.side[0].rim > 0) continue;  // a rim takes axes of unit length for granted
    Vec3<Duals<24>> x[most_penalty_vectors], v[most_penalty_vectors];
    const int count = s.pair.vectors();
    for (int k = 0; k < count; ++k)
      for (int m = 0; m < 3; ++m) {
        x[k][m] = s.x[k][m];
        x[k][m].d[3 * k + m] = 1;
      }
    PenaltyForces<Duals<24>> f;
    penalty_forces(s.pair, law_of(0, 0), {}, x, s.begin, v, f);
    for (int i = 0; i < 3 * count; ++i)
      for (int j = 0; j < 3 * count; ++j)
        EXPECT_NEAR(f.force[i / 3][i % 3].d[j], f.force[j / 3][j % 3].d[i], 1e-9 * law_of(0).stiffness);
  }
}

TEST(Penalty, NormalForceNeverPulls) {
  const PenaltyLaw law{1e4, 1.5, 2, 0, 0};
  EXPECT_EQ(penalty_normal(law, 1e-9, -1.0), 0);
  EXPECT_DOUBLE_EQ(penalty_normal(law, -0.01, 0.0), 1e4 * 1e-3);
  EXPECT_DOUBLE_EQ(penalty_normal(law, -0.01, -0.1), 1.2 * 1e4 * 1e-3);
  EXPECT_EQ(penalty_normal(law, -0.01, 0.6), 0);
}

TEST(Penalty, FrictionSticksUpToItsLimit) {
  const PenaltyLaw law{1e4, 1.5, 0, 0.5, 0};
  const Vec3<double> stretch{{1e-3, 0, 0}}, rate{};
  const auto sticks = penalty_friction(law, 1000, 4.0, stretch, rate);
  EXPECT_FALSE(sticks.slides);
  EXPECT_DOUBLE_EQ(sticks.force[0], -1);
  const auto slides = penalty_friction(law, 1000, 1.0, stretch, rate);
  EXPECT_TRUE(slides.slides);
  EXPECT_DOUBLE_EQ(slides.force[0], -0.5);
  EXPECT_DOUBLE_EQ(slides.stretch[0], 0.5e-3);
}

// A scene that turns as a whole, the stretch with it: the force does, too.
TEST(Penalty, StretchTurnsWithTheBodies) {
  const double angle = 1e-3, co = std::cos(angle), si = std::sin(angle);
  const auto turn = [&](const Vec3<double>& a) {
    return Vec3<double>{{co * a[0] - si * a[1], si * a[0] + co * a[1], a[2]}};
  };
  for (const Scene& s : scenes()) {
    SCOPED_TRACE(s.name);
    PenaltyLaw law = law_of(10);
    law.tangential_damping = 0;
    Scene still = s;
    for (auto& v : still.v) v = {};
    PenaltyForces<double> before, after;
    penalty_forces(s.pair, law, history, s.x, s.x, still.v, before);
    Scene turned = still;
    turned.pair.normal = turn(s.pair.normal);
    for (int k = 0; k < s.pair.vectors(); ++k) turned.x[k] = turn(s.x[k]);
    PenaltyHistory flat = history;
    flat.stretch = before.stretch;
    penalty_forces(turned.pair, law, flat, turned.x, s.x, still.v, after);
    const double size = norm(before.friction);
    ASSERT_GT(size, 0);
    // Points that are no surfaces (two that turn about each other, the axis of a rod) do slip.
    const PenaltySide &a = s.pair.side[0], &b = s.pair.side[1];
    if ((!a.framed && !b.framed) || (!a.framed && a.radius > 0) || (!b.framed && b.radius > 0)) continue;
    EXPECT_LT(norm(after.friction - turn(before.friction)), 1e-5 * size);
    EXPECT_GT(norm(after.friction - before.friction), 1e-4 * size);
  }
}

}  // namespace
}  // namespace lithe
