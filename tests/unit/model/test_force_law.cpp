// Force laws of springs: values, exact slopes, work, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/io/load_model.h"
#include "lithe/model/force_law.h"
#include "lithe/model/signal.h"

namespace lithe {
namespace {

TEST(ForceLaw, AnExpressionHasExactSlopesAndItsWork) {
  const ForceLaw law = ForceLaw::expression("1000*x + 50*x^3 + 2*v + x*v^2 + 3*t");
  const ForceLaw::Point p = law(0.3, -0.7, 2);
  EXPECT_NEAR(p.force, 300 + 50 * 0.027 - 1.4 + 0.3 * 0.49 + 6, 1e-12);
  EXPECT_NEAR(p.stiffness, 1000 + 150 * 0.09 + 0.49, 1e-12);
  EXPECT_NEAR(p.damping, 2 - 2 * 0.3 * 0.7, 1e-13);
  for (const double x : {-0.4, 0.0, 0.3}) EXPECT_NEAR(law.energy(x, 0), 500 * x * x + 12.5 * x * x * x * x, 1e-12);
}

TEST(ForceLaw, ATableIsMadeOfLinesThatGoOnAtTheirEnds) {
  const ForceLaw law = ForceLaw::table({-1, 0, 2}, {-3, 0, 10});
  const struct {
    double x, force, stiffness, energy;
  } wanted[] = {{-2, -6, 3, 6}, {-0.5, -1.5, 3, 0.375}, {1, 5, 5, 2.5}, {3, 15, 5, 22.5}};
  for (const auto& w : wanted) {
    const ForceLaw::Point p = law(w.x, 4, 1);
    EXPECT_NEAR(p.force, w.force, 1e-13);
    EXPECT_NEAR(p.stiffness, w.stiffness, 1e-13);
    EXPECT_EQ(p.damping, 0);
    EXPECT_NEAR(law.energy(w.x, 0), w.energy, 1e-12);
  }
  const ForceLaw smooth = ForceLaw::table({-1, 0, 1, 2}, {-1, 0, 1, 4}, Interpolation::spline);
  for (const double x : {-1.5, -0.3, 0.6, 1.7, 2.4})
    EXPECT_NEAR(smooth(x, 0, 0).stiffness, (smooth(x + 1e-6, 0, 0).force - smooth(x - 1e-6, 0, 0).force) / 2e-6, 1e-6);
}

TEST(ForceLaw, WhatIsNoLawIsRefusedInWords) {
  const auto message = [](auto&& action) {
    try {
      action();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message([] { (void)ForceLaw::expression("2*y"); }).find("the variables are x, v, t"), std::string::npos);
  EXPECT_NE(message([] {
              (void)ForceLaw::table({0, 0}, {1, 2});
            }).find("stretches of a force law must increase"),
            std::string::npos);
  EXPECT_NE(message([] {
              (void)ForceLaw::table({0, 1}, {1, 2}, Interpolation::steps);
            }).find("would jump"),
            std::string::npos);
}

TEST(SignalIntegral, IsTheIntegralOfItsRate) {
  const Signal swing = Signal::integral(Signal::expression("100*cos(200*t) + 2*t"), 3);
  for (const double t : {0.0, 0.01, 1.234, 2.999, 3.0, 3.00001})
    EXPECT_NEAR(swing(t), 0.5 * std::sin(200 * t) + t * t, 2e-11) << t;
  EXPECT_NEAR(swing.rate(0.5), 100 * std::cos(100) + 1, 1e-12);
  EXPECT_NEAR(swing.acceleration(0.5), -20000 * std::sin(100) + 2, 1e-9);
  EXPECT_FALSE(swing.is_constant());
  const Signal steady = Signal::integral(Signal(2.5), 10);
  EXPECT_NEAR(steady(7.3), 2.5 * 7.3, 1e-12);
}

}  // namespace
}  // namespace lithe
