// Dead moments at places of every kind: what they do to the coordinates adds up to the moment, and their tangent is the
// derivative of their force, entry by entry.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/system/moments.h"
#include "support/models.h"

namespace lithe::test {
namespace {

struct Place {
  ElementKind kind;
  Triple xi;
  FrameRule rule;
};

// Two elements of a strip; places on the second.
const std::vector<Place> places{{ElementKind::beam3243, {1, 0, 0}, FrameRule::section},
                                {ElementKind::beam3243, {-0.3, 0, 0}, FrameRule::section},
                                {ElementKind::shell3443, {1, 0, 0}, FrameRule::section},
                                {ElementKind::shell3443, {0.2, -1, 0}, FrameRule::section},
                                {ElementKind::shell3443, {0.2, 0.3, 0}, FrameRule::director},
                                {ElementKind::shell3443, {-1, 0.3, 0}, FrameRule::director},  // between two elements
                                {ElementKind::shell3443, {1, 1, 0}, FrameRule::director},
                                {ElementKind::hexa3843, {1, 0.1, 0.2}, FrameRule::section},
                                {ElementKind::hexa3843, {0.5, 1, 0.2}, FrameRule::section},
                                {ElementKind::hexa3843, {1, 1, 0.2}, FrameRule::director},
                                {ElementKind::hexa3843, {1, 1, -1}, FrameRule::polar},
                                {ElementKind::hexa3843, {0.1, 0.2, 0.3}, FrameRule::polar}};

TEST(Moments, AddUpAndHaveTheirDerivativeAsTangent) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-1, 1);
  const Vec3<double> M{{3, -4, 5}};
  for (const Place& place : places)
    for (const MomentTurns turns : {MomentTurns::section, MomentTurns::gradients}) {
      SCOPED_TRACE(std::string(element_info(place.kind).name) + " " + std::to_string(place.xi[0]) + " " +
                   std::to_string(place.xi[1]) + " " + word(turns));
      Strip s = make_strip(place.kind, 0, 2);
      At where;
      where.body = "strip";
      where.element = 1;
      where.xi = place.xi;
      s.model.loads.add("moment", PointMoment{where, constant(M[0], M[1], M[2]), turns});
      const System system = compile(s.model);
      if (turns == MomentTurns::section) {
        EXPECT_EQ(system.moments[0].law.rule, place.rule);
      }
      State state = system.initial_state();
      for (const BodyInfo& body : system.bodies)
        for (int n = 0; n < body.mesh.node_count(); ++n)
          for (int k = 0; k < 4; ++k)
            for (int m = 0; m < 3; ++m) state.q[3 * body.vector(n, k) + m] += (k == 0 ? 1e-4 : 0.2) * u(random);
      const auto force = [&](const State& at) {
        std::vector<double> f(at.q.size(), 0.0);
        add_moment_force(system.moments, 0, at, ForceSink(f));
        return f;
      };
      const std::vector<double> f = force(state);
      Vec3<double> total{};
      for (int v = 0; v < system.vectors(); ++v)
        total = total + cross(Vec3<double>{{state.q[3 * v], state.q[3 * v + 1], state.q[3 * v + 2]}},
                              Vec3<double>{{f[3 * v], f[3 * v + 1], f[3 * v + 2]}});
      for (int m = 0; m < 3; ++m) EXPECT_NEAR(total[m], M[m], 1e-10);
      std::vector<double> values(system.pattern.nonzeros(), 0.0);
      add_moment_tangent(system.moments, 0, state, 1, TangentSink(system, values.data()));
      for (std::size_t j = 0; j < state.q.size(); ++j) {
        const bool is_position = j / 3 % 4 == 0;
        const double h = is_position ? 1e-8 : 1e-6;
        State ahead = state, behind = state;
        ahead.q[j] += h;
        behind.q[j] -= h;
        const std::vector<double> after = force(ahead), before = force(behind);
        for (std::size_t i = 0; i < state.q.size(); ++i) {
          const int entry = position(system.pattern, static_cast<int>(i), static_cast<int>(j));
          const double size = (is_position ? 100 : 1) * (i / 3 % 4 == 0 ? 100 : 1);  // forces and positions: 1/width
          const double derivative = (after[i] - before[i]) / (2 * h);
          EXPECT_NEAR(entry < 0 ? 0.0 : values[entry], -derivative, 1e-6 * std::abs(derivative) + 1e-5 * size)
              << i << ", " << j;
        }
      }
    }
}

}  // namespace
}  // namespace lithe::test
