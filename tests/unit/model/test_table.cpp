// Tables that drive motions: smooth, inside their rows, continued outside.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/model/signal.h"
#include "lithe/model/table.h"

namespace lithe {
namespace {

Table drive(std::vector<double> times, std::vector<double> values) {
  return Table(std::move(times), std::move(values), Interpolation::spline, true);
}

// Position, rate and acceleration have no jump, at rows and ends, and are derivatives of each other.
void expect_smooth(const Table& table) {
  const double T = table.times().back() - table.times().front();
  double speed = 0, push = 0;
  for (std::size_t k = 0; k + 1 < table.times().size(); ++k)
    for (int i = 0; i <= 100; ++i) {
      const double t = table.times()[k] + (table.times()[k + 1] - table.times()[k]) * i / 100;
      speed = std::max(speed, std::abs(table.rate(t)));
      push = std::max(push, std::abs(table.acceleration(t)));
    }
  for (const double t : table.times()) {
    const double h = 1e-12 * T;
    EXPECT_NEAR(table.value(t - h), table.value(t + h), 3 * h * speed + 1e-12) << t;
    EXPECT_NEAR(table.rate(t - h), table.rate(t + h), 1e-6 * speed + 3 * h * push) << t;
    EXPECT_NEAR(table.acceleration(t - h), table.acceleration(t + h), 1e-5 * push) << t;
  }
  for (std::size_t k = 0; k + 1 < table.times().size(); ++k)
    for (const double u : {0.2, 0.5, 0.9}) {
      const double width = table.times()[k + 1] - table.times()[k], t = table.times()[k] + u * width, h = 1e-4 * width;
      EXPECT_NEAR(table.rate(t), (table.value(t + h) - table.value(t - h)) / (2 * h), 1e-6 * speed);
      EXPECT_NEAR(table.acceleration(t), (table.rate(t + h) - table.rate(t - h)) / (2 * h), 1e-6 * push + 1e-9);
    }
}

TEST(Table, DrivesAreTwiceDifferentiableEverywhere) {
  for (const Table& table :
       {drive({0, 0.5, 1.5, 2, 3.5}, {0, 2, -1, 0.5, 1}), drive({0, 0.5, 0.5001, 1}, {0, 0, 1, 1}),
        drive({0, 1}, {0, 1}), drive({0.5, 1, 3}, {0, 1, -4}), drive({-1, 0, 0.1, 0.2, 5}, {1, 1, 1, 0, 0})}) {
    for (std::size_t i = 0; i < table.times().size(); ++i)
      EXPECT_NEAR(table.value(table.times()[i]), table.values()[i], 1e-13);
    expect_smooth(table);
  }
}

TEST(Table, SplinesRiseAndFallWithTheirRows) {
  const Table jump = drive({0, 0.5, 0.5001, 1}, {0, 0, 1, 1});
  const Table stairs = drive({0, 1, 1.1, 2, 2.1, 3, 9, 9.5}, {0, 0, 1, 1, 5, 5.1, 5.2, 100});
  for (const Table& table : {jump, stairs}) {
    double before = table.value(0);
    for (int i = 1; i <= 100000; ++i) {
      const double now = table.value(table.times().back() * i / 100000);
      EXPECT_GE(now, before - 1e-12) << i;
      before = now;
    }
    EXPECT_LT(table.overshoot().share, 1e-9);
  }
}

TEST(Table, SmoothDataKeepTheCubicSpline) {
  std::vector<double> times, values;
  for (int i = 0; i <= 40; ++i) {
    times.push_back(0.05 * i);
    values.push_back(std::sin(2 * M_PI * times.back()));
  }
  const Table table = drive(times, values);
  for (double t = 0.3; t < 1.7; t += 0.013) {  // fourth order inside; the ends are natural
    EXPECT_NEAR(table.value(t), std::sin(2 * M_PI * t), 3e-5) << t;
    EXPECT_NEAR(table.rate(t), 2 * M_PI * std::cos(2 * M_PI * t), 4e-3 * 2 * M_PI) << t;
  }
  EXPECT_LT(table.overshoot().share, 0.01);
}

TEST(Table, ADriveGoesOnWithItsLastRate) {
  const Table line = drive({0, 1, 3}, {0, 2, 6});
  EXPECT_NEAR(line.rate(0), 2, 1e-13);
  EXPECT_NEAR(line.rate(3), 2, 1e-13);
  EXPECT_NEAR(line.value(5), 10, 1e-12);
  EXPECT_NEAR(line.rate(5), 2, 1e-13);
  EXPECT_EQ(line.acceleration(5), 0);
}

TEST(Table, ADriveThatBeginsLaterRestsUntilThen) {
  const Table late = drive({1, 2}, {0, 1});
  EXPECT_EQ(late.value(0), 0);
  EXPECT_EQ(late.rate(1), 0);
  EXPECT_EQ(late.acceleration(1), 0);
  EXPECT_GT(late.rate(2), 0);
}

TEST(Table, OvershootIsFoundWithItsPlace) {
  const Table table = drive({0, 1, 2, 3}, {0, 1, 1, 0});  // a peak between two equal rows
  const Table::Overshoot worst = table.overshoot();
  EXPECT_NEAR(worst.time, 1.5, 0.1);
  EXPECT_GT(worst.value, 1.1);
  EXPECT_NEAR(worst.share, worst.value - 1, 1e-12);
  EXPECT_EQ(Table({0, 1, 2, 3}, {0, 1, 1, 0}, Interpolation::linear, false).overshoot().share, 0);
}

TEST(Table, RowsAreChecked) {
  EXPECT_THROW(drive({0}, {1}), InputError);
  EXPECT_THROW(drive({0, 1, 1}, {1, 2, 3}), InputError);
  EXPECT_THROW(drive({0, 2, 1}, {1, 2, 3}), InputError);
}

}  // namespace
}  // namespace lithe
