// Functions of time and of space: values, derivatives, reading and writing.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/signal.h"

namespace lithe {
namespace {

TEST(Signal, ConstantsDoNotMove) {
  const Signal s(3.5);
  EXPECT_TRUE(s.is_constant());
  EXPECT_EQ(s(2), 3.5);
  EXPECT_EQ(s.rate(2), 0);
  EXPECT_EQ(s.acceleration(2), 0);
}

TEST(Signal, DerivativesOfExpressionsAreExactAtAnyFrequency) {
  for (const double f : {0.05, 50.0, 2e3, 2e4, 1e7}) {
    const double w = 2 * M_PI * f;
    const Signal sine = Signal::expression("0.3*sin(2*pi*" + std::to_string(f) + "*t)");
    for (double t : {0.0, 0.0123, 0.4, 2.7}) {
      const double slack = 1e-15 * w * t + 1e-13;  // rounding of the phase
      EXPECT_NEAR(sine.rate(t), 0.3 * w * std::cos(w * t), slack * w);
      EXPECT_NEAR(sine.acceleration(t), -0.3 * w * w * std::sin(w * t), slack * w * w) << t;
    }
  }
  const Signal cubic = Signal::expression("2*t^3-t^2+4*t-1"), decay = Signal::expression("exp(-3*t)");
  for (double t : {0.0, 0.0123, 0.4, 2.7}) {
    EXPECT_NEAR(cubic.rate(t), 6 * t * t - 2 * t + 4, 1e-13);
    EXPECT_NEAR(cubic.acceleration(t), 12 * t - 2, 1e-13);
    EXPECT_NEAR(decay.rate(t), -3 * std::exp(-3 * t), 1e-13);
    EXPECT_NEAR(decay.acceleration(t), 9 * std::exp(-3 * t), 1e-13);
  }
}

TEST(Signal, TablesOfLoadsAreStraightLinesUnlessSaidOtherwise) {
  const std::vector<double> times{0, 1, 1.01, 2}, values{0, 0, 100, 100};
  const Signal line = Signal::table(times, values), steps = Signal::table(times, values, Interpolation::steps),
               spline = Signal::table(times, values, Interpolation::spline);
  EXPECT_EQ(line(0.5), 0);
  EXPECT_NEAR(line(1.005), 50, 1e-9);
  EXPECT_EQ(line(1.5), 100);
  EXPECT_EQ(steps(1.0099), 0);
  EXPECT_EQ(steps(1.01), 100);
  for (const Signal& s : {line, steps, spline}) {
    EXPECT_EQ(s(-1), 0);
    EXPECT_EQ(s(3), 100);
    for (int i = 0; i <= 2000; ++i) {
      EXPECT_GE(s(1e-3 * i), -1e-9);
      EXPECT_LE(s(1e-3 * i), 100 + 1e-9);
    }
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(s(times[i]), values[i], 1e-12);
  }
}

TEST(Signal, TablesAreReadAndWrittenWithTheirInterpolation) {
  Value rows = Value::list();
  for (const auto& row : {std::array<double, 2>{0, 1}, {1, 3}}) rows.items.push_back(write_value(row));
  Value value = Value::map();
  value.set("table", rows);
  Signal s;
  Custom<Signal>::read(value, s);
  EXPECT_FALSE(s.interpolation());
  value.set("interpolation", Value::scalar("steps"));
  Custom<Signal>::read(value, s);
  EXPECT_EQ(s.interpolation(), Interpolation::steps);
  Signal again;
  Custom<Signal>::read(Custom<Signal>::write(s), again);
  EXPECT_EQ(again(0.5), 1);
  Drive drive;
  EXPECT_THROW(Custom<Drive>::read(value, drive), InputError);  // a velocity that jumps
  value.fields.back().second = Value::scalar("cubic");
  EXPECT_THROW(Custom<Signal>::read(value, s), InputError);
}

TEST(SpaceFunction, EvaluatesExpressionsOfThePlace) {
  const SpaceFunction f = SpaceFunction::expression("2*x-y*z+sin(pi*x)");
  EXPECT_NEAR(f(0.5, 2, 3), 1 - 6 + 1, 1e-14);
  EXPECT_EQ(SpaceFunction(4)(1, 2, 3), 4);
  EXPECT_TRUE(SpaceFunction(4).text().empty());
  const std::array<double, 3> g = f.gradient(0.5, 2, 3);
  EXPECT_NEAR(g[0], 2 + M_PI * std::cos(M_PI * 0.5), 1e-14);
  EXPECT_NEAR(g[1], -3, 1e-14);
  EXPECT_NEAR(g[2], -2, 1e-14);
  EXPECT_EQ(SpaceFunction(4).gradient(1, 2, 3), (std::array<double, 3>{0, 0, 0}));
}

TEST(SpaceFunction, ReadsNumbersAndExpressionsAndWritesThemBack) {
  for (const char* text : {"3.5", "-2e-3", "-8*x", "x", "sqrt(x^2+y^2)"}) {
    SpaceFunction f, again;
    Custom<SpaceFunction>::read(Value::scalar(text), f);
    Custom<SpaceFunction>::read(Custom<SpaceFunction>::write(f), again);
    EXPECT_EQ(f(0.3, 0.4, 0.5), again(0.3, 0.4, 0.5)) << text;
  }
  for (const char* wrong : {"3*t", "sinn(x)", "stiff", "2*", "y z"}) {
    SpaceFunction f;
    try {
      Custom<SpaceFunction>::read(Value::scalar(wrong), f);
      FAIL() << wrong;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(wrong), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace lithe
