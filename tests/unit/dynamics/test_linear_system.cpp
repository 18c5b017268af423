// LinearSystem: corrections and projections satisfy their equations whatever the treatment of constraints and the
// solver; matrices that cannot be factored are told.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "lithe/base/error.h"
#include "lithe/dynamics/linear_system.h"
#include "support/dynamics.h"

namespace lithe {
namespace {

constexpr Treatment treatments[] = {Treatment::eliminate, Treatment::lagrange, Treatment::augmented};

// A falling chain next to a soft pendulum: rigid rows and elastic stiffness in one matrix.
Model chain_and_strip(Treatment treatment) {
  Model model = test::pendulum(ElementKind::beam3243, 3);
  const Model chain = test::chain(3, treatment);
  model.bodies.add("chain", chain.bodies.items[0].second);
  model.treatment = treatment;
  return model;
}

struct Fixture {
  System system;
  Workspace work;
  State state;
  Equations equations;
  Phases phases;
  std::vector<double> A;  // over system.pattern, without borders and penalties

  explicit Fixture(const Model& model)
      : system(compile(model)), work(system, 1), state(system.initial_state()), equations(system, work, *work.place) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (double& x : state.lambda) x = unit(random);
    evaluate_constraints(system, state, work);
  }
  std::vector<double> random(int size, unsigned seed) const {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<double> x(size);
    for (double& y : x) y = unit(generator);
    return x;
  }
  bool correct(LinearSystem& linear, std::vector<double> residual, std::vector<double> c, std::vector<double>& dz,
               std::vector<double>& dy) {
    Array z = here(dz), y = here(dy);
    return linear.correct(here(residual), here(c), 1e-12, z, y);
  }
  bool project(LinearSystem& linear, std::vector<double> rates, std::vector<double>& dz, std::vector<double>& mu) {
    Array z = here(dz), y = here(mu);
    return linear.project(here(rates), 1e-12, z, y);
  }
  Array here(std::vector<double>& x) { return Array::view(*work.place, x); }
  // A x over the unknowns.
  std::vector<double> times_A(std::vector<double> x) const {
    x.resize(system.pattern.size, 0.0);
    std::vector<double> y;
    multiply(system.pattern, A, x, y);
    y.resize(system.map.size);
    return y;
  }
  std::vector<double> times_G(const std::vector<double>& x) const {
    std::vector<double> y(system.rows.size(), 0.0);
    for (int r = 0; r < system.row_count(); ++r)
      for (int e = system.jacobian.row_start[r]; e < system.jacobian.row_start[r + 1]; ++e)
        y[r] += work.G[e] * x[system.jacobian.column[e]];
    return y;
  }
};

constexpr double c_q = 0.3, c_v = 0.2, c_a = 40, c_g = 0.7;

TEST(LinearSystem, ACorrectionSolvesItsEquations) {
  for (const Treatment treatment : treatments) {
    Fixture f(chain_and_strip(treatment));
    ASSERT_GT(f.system.row_count(), 0);
    LinearSystem linear(f.equations, LadderOptions{}, f.phases);
    EXPECT_FALSE(linear.valid());
    f.A = linear.evaluate(f.state, c_q, c_v, c_a, c_g, true);
    ASSERT_TRUE(linear.factor()) << linear.why();
    EXPECT_TRUE(linear.valid());
    EXPECT_EQ(linear.factorisations(), 1);
    const std::vector<double> residual = f.random(f.system.map.size, 1), c = f.random(f.system.row_count(), 2);
    std::vector<double> dz(f.system.map.size), dy(f.system.rows.size());
    ASSERT_TRUE(f.correct(linear, residual, c, dz, dy));
    std::vector<double> left = f.times_A(dz);
    add_transposed(f.system, f.work.G, c_g, dy, left);
    const std::vector<double> rows = f.times_G(dz);
    double size = 0;
    for (double x : f.times_A(dz)) size = std::max(size, std::abs(x));
    for (int i = 0; i < f.system.map.size; ++i) EXPECT_NEAR(left[i] + residual[i], 0, 1e-7 * size) << i;
    for (int r = 0; r < f.system.row_count(); ++r) EXPECT_NEAR(rows[r] + c[r], 0, 1e-10) << r;
    linear.forget();
    EXPECT_FALSE(linear.valid());
  }
}

TEST(LinearSystem, AProjectionTakesRatesAwayAtTheLeastCost) {
  for (const Treatment treatment : treatments) {
    Fixture f(chain_and_strip(treatment));
    LinearSystem linear(f.equations, LadderOptions{}, f.phases);
    f.A = linear.evaluate(f.state, 0, 0, c_a, c_g, false);
    ASSERT_TRUE(linear.factor()) << linear.why();
    const std::vector<double> rates = f.random(f.system.row_count(), 5);
    std::vector<double> dz(f.system.map.size), mu(f.system.rows.size(), 0.0);
    ASSERT_TRUE(f.project(linear, rates, dz, mu));
    std::vector<double> left = f.times_A(dz);
    double size = 0;
    for (double x : left) size = std::max(size, std::abs(x));
    add_transposed(f.system, f.work.G, c_g, mu, left);
    const std::vector<double> rows = f.times_G(dz);
    for (int i = 0; i < f.system.map.size; ++i) EXPECT_NEAR(left[i], 0, 1e-7 * size) << i;
    for (int r = 0; r < f.system.row_count(); ++r) EXPECT_NEAR(rows[r] + rates[r], 0, 1e-10) << r;
  }
}

TEST(LinearSystem, SolversAskedForByNameAgree) {
  for (const Treatment treatment : treatments) {
    std::vector<double> reference;
    for (const SolverInfo& info : linear_solvers()) {
      Fixture f(chain_and_strip(treatment));
      std::unique_ptr<LinearSystem> linear;
      try {
        linear = std::make_unique<LinearSystem>(f.equations, LadderOptions{.solver = info.name}, f.phases);
      } catch (const InputError& error) {
        EXPECT_TRUE(f.system.has_multipliers() && !info.zero_diagonal) << info.name << ": " << error.what();
        EXPECT_NE(std::string(error.what()).find("use 'auto'"), std::string::npos);
        continue;
      }
      ASSERT_TRUE(linear->factor(f.state, c_q, c_v, c_a, c_g, true)) << info.name << ": " << linear->why();
      EXPECT_NE(linear->text().find(info.name), std::string::npos);
      std::vector<double> dz(f.system.map.size), dy(f.system.rows.size());
      ASSERT_TRUE(f.correct(*linear, f.random(f.system.map.size, 1), f.random(f.system.row_count(), 2), dz, dy));
      if (reference.empty()) reference = dz;
      double size = 0;
      for (double x : reference) size = std::max(size, std::abs(x));
      for (std::size_t i = 0; i < dz.size(); ++i) EXPECT_NEAR(dz[i], reference[i], 1e-8 * size) << info.name;
    }
  }
}

// A, and A^T where asked for, times the unknowns, with the rows: what solve() must invert.
std::vector<double> image(const Fixture& f, const std::vector<double>& x, bool transposed) {
  const int n = f.system.map.size, m = f.system.row_count();
  std::vector<double> z(x.begin(), x.begin() + n), y(x.begin() + n, x.end()), out;
  z.resize(f.system.pattern.size, 0.0);
  if (transposed) multiply_transposed(f.system.pattern, f.A, z, out);
  else multiply(f.system.pattern, f.A, z, out);
  out.resize(n);
  add_transposed(f.system, f.work.G, c_g, y, out);
  const std::vector<double> rows = f.times_G(z);
  out.insert(out.end(), rows.begin(), rows.begin() + m);
  return out;
}

TEST(LinearSystem, SeveralRightHandSidesAndTransposed) {
  for (const Treatment treatment : treatments) {
    Fixture f(chain_and_strip(treatment));
    LinearSystem linear(f.equations, LadderOptions{}, f.phases);
    f.A = linear.evaluate(f.state, c_q, c_v, c_a, c_g, true);
    ASSERT_TRUE(linear.factor()) << linear.why();
    const int size = f.system.map.size + f.system.row_count(), columns = 5;
    for (const bool transposed : {false, true}) {
      std::vector<double> expected, b, x;
      for (int c = 0; c < columns; ++c) {
        const std::vector<double> one = f.random(size, 20 + c), right = image(f, one, transposed);
        expected.insert(expected.end(), one.begin(), one.end());
        b.insert(b.end(), right.begin(), right.end());
      }
      const auto operation = transposed ? SolveRequest::Operation::transposed : SolveRequest::Operation::plain;
      const long long before = linear.solves();
      ASSERT_TRUE(linear.solve(b, x, {.operation = operation, .columns = columns}));
      EXPECT_GE(linear.solves() - before, columns);
      ASSERT_EQ(x.size(), expected.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (static_cast<int>(i) % size >= f.system.map.size) continue;  // multipliers have another scale
        EXPECT_NEAR(x[i], expected[i], 1e-6) << "column " << i / size;
      }
    }
  }
}

TEST(LinearSystem, TransposedOfAnUnsymmetricMatrix) {
  Model model = test::pendulum(ElementKind::beam3243, 3);
  model.loads.add("turn", PointMoment{test::at("strip", "end"), test::constant(0, 0, 30)});
  Fixture f(model);
  ASSERT_FALSE(f.system.symmetric);
  LinearSystem linear(f.equations, LadderOptions{}, f.phases);
  f.A = linear.evaluate(f.state, c_q, c_v, c_a, c_g, true);
  ASSERT_TRUE(linear.factor(f.A)) << linear.why();
  const std::vector<double> expected = f.random(f.system.map.size, 3);
  for (const bool transposed : {false, true}) {
    const auto operation = transposed ? SolveRequest::Operation::transposed : SolveRequest::Operation::plain;
    std::vector<double> x;
    ASSERT_TRUE(linear.solve(image(f, expected, transposed), x, {.operation = operation}));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-7) << transposed;
  }
}

TEST(LinearSystem, HalvesOfTheMassMatrix) {
  Fixture f(test::pendulum(ElementKind::beam3243, 3));
  LinearSystem linear(f.equations, LadderOptions{}, f.phases);
  f.A = linear.evaluate(f.state, 0, 0, 1, 1, false);
  ASSERT_TRUE(linear.factor()) << linear.why();
  const std::vector<double> x = f.random(f.system.map.size, 4), b = f.times_A(x);
  std::vector<double> half, whole;
  ASSERT_TRUE(linear.solve(b, half, {.operation = SolveRequest::Operation::forward}));
  double square = 0, energy = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    square += half[i] * half[i];
    energy += x[i] * b[i];
  }
  EXPECT_NEAR(square, energy, 1e-10 * energy) << "(L^-1 P M x)^2 = x^T M x";
  ASSERT_TRUE(linear.solve(half, whole, {.operation = SolveRequest::Operation::backward}));
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(whole[i], x[i], 1e-8);
  Fixture rows(chain_and_strip(Treatment::lagrange));
  LinearSystem bordered(rows.equations, LadderOptions{}, rows.phases);
  ASSERT_TRUE(bordered.factor(rows.state, 0, 0, 1, 1, false));
  const std::vector<double> long_b(rows.system.map.size + rows.system.row_count(), 1.0);
  EXPECT_THROW(bordered.solve(long_b, half, {.operation = SolveRequest::Operation::forward}), RunError);
}

TEST(LinearSystem, AMatrixWithoutMassOrStiffnessIsNotFactored) {
  Fixture f(test::chain(2, Treatment::augmented));
  LinearSystem linear(f.equations, LadderOptions{}, f.phases);
  EXPECT_FALSE(linear.factor(f.state, 0, 0, 0, 0, false));  // zero
  EXPECT_FALSE(linear.valid());
  EXPECT_FALSE(linear.why().empty());
  EXPECT_FALSE(linear.factor(f.state, 0, 0, std::numeric_limits<double>::quiet_NaN(), 1, false));
  EXPECT_EQ(linear.factor_report().reason, FactorReport::Reason::not_finite);
  EXPECT_TRUE(linear.factor(f.state, 0, 0, 1, 1, false)) << linear.why();
}

}  // namespace
}  // namespace lithe
