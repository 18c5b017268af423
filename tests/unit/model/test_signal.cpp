// Functions of time and of space: values, derivatives, reading and writing.
#include <gtest/gtest.h>

#include <cmath>

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

TEST(Signal, DerivativesOfExpressions) {
  const double w = 2 * M_PI * 50;
  const Signal sine = Signal::expression("0.3*sin(2*pi*50*t)");
  const Signal cubic = Signal::expression("2*t^3-t^2+4*t-1");
  const Signal decay = Signal::expression("exp(-3*t)");
  for (double t : {0.0, 0.0123, 0.4, 2.7}) {
    EXPECT_NEAR(sine.rate(t), 0.3 * w * std::cos(w * t), 1e-9 * 0.3 * w);
    EXPECT_NEAR(sine.acceleration(t), -0.3 * w * w * std::sin(w * t), 1e-7 * 0.3 * w * w) << t;
    EXPECT_NEAR(cubic.rate(t), 6 * t * t - 2 * t + 4, 1e-9);
    EXPECT_NEAR(cubic.acceleration(t), 12 * t - 2, 1e-7);
    EXPECT_NEAR(decay.rate(t), -3 * std::exp(-3 * t), 1e-10);
    EXPECT_NEAR(decay.acceleration(t), 9 * std::exp(-3 * t), 1e-7);
  }
}

TEST(Signal, DerivativesOfSlowExpressionsKeepTheirDigits) {
  const Signal slow = Signal::expression("2*sin(0.5*t)");
  for (double t : {0.0, 3.0, 80.0}) {
    EXPECT_NEAR(slow.rate(t), std::cos(0.5 * t), 1e-10);
    EXPECT_NEAR(slow.acceleration(t), -0.5 * std::sin(0.5 * t), 1e-7);
  }
}

TEST(Signal, TablesAreTwiceDifferentiable) {
  const Signal table = Signal::table({0, 0.5, 1.5, 2, 3.5}, {0, 2, -1, 0.5, 1});
  const std::vector<double> rows[2] = {table.times(), table.values()};
  for (std::size_t i = 0; i < rows[0].size(); ++i) EXPECT_NEAR(table(rows[0][i]), rows[1][i], 1e-14);
  for (double t : {0.5, 1.5, 2.0}) {  // no jump at the rows
    const double h = 1e-9;
    EXPECT_NEAR(table(t - h), table(t + h), 1e-7);
    EXPECT_NEAR(table.rate(t - h), table.rate(t + h), 1e-6);
    EXPECT_NEAR(table.acceleration(t - h), table.acceleration(t + h), 1e-5);
  }
  for (double t : {0.2, 0.9, 1.7, 3.0}) {
    const double h = 1e-5;
    EXPECT_NEAR(table.rate(t), (table(t + h) - table(t - h)) / (2 * h), 1e-8);
    EXPECT_NEAR(table.acceleration(t), (table.rate(t + h) - table.rate(t - h)) / (2 * h), 1e-8);
  }
  for (double t : {-1.0, 4.0}) {  // constant outside
    EXPECT_EQ(table(t), t < 0 ? 0 : 1);
    EXPECT_EQ(table.rate(t), 0);
    EXPECT_EQ(table.acceleration(t), 0);
  }
}

TEST(SpaceFunction, EvaluatesExpressionsOfThePlace) {
  const SpaceFunction f = SpaceFunction::expression("2*x-y*z+sin(pi*x)");
  EXPECT_NEAR(f(0.5, 2, 3), 1 - 6 + 1, 1e-14);
  EXPECT_EQ(SpaceFunction(4)(1, 2, 3), 4);
  EXPECT_TRUE(SpaceFunction(4).text().empty());
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
