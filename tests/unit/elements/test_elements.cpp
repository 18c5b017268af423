// What every continuum element kind must do, whatever its strategy; `kinds` in continuum_fixtures.h lists them.
#include <gtest/gtest.h>

#include "../allocation_counter.h"
#include "continuum_fixtures.h"
#include "lithe/elements/strategies/strategies.h"

namespace lithe {
namespace {

using namespace fixtures;

class EveryKind : public ::testing::TestWithParam<ElementKind> {
 protected:
  const ElementKind kind = GetParam();
  const int N = vector_count(kind), n = 3 * N;
};
INSTANTIATE_TEST_SUITE_P(Continuum, EveryKind, ::testing::ValuesIn(kinds),
                         [](const auto& test) { return std::string(kind_name(test.param)); });

Mat3<double> rotation(double x, double y, double z) {
  const double angle = std::sqrt(x * x + y * y + z * z), c = std::cos(angle), s = std::sin(angle);
  const double u[3] = {x / angle, y / angle, z / angle};
  const Mat3<double> cross{{{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}}};
  Mat3<double> R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[i][j] = (i == j ? c : 0) + s * cross[i][j] + (1 - c) * u[i] * u[j];
  return R;
}
const Mat3<double> turn = rotation(0.7, -1.1, 2.0);
const Mat3<double> spin{{{0, -3, 2}, {3, 0, -1}, {-2, 1, 0}}};
const Mat3<double> stretch{{{1.05, 0.02, -0.03}, {0.01, 0.97, 0.04}, {-0.02, 0.05, 1.02}}};
const double shift[3] = {3, -2, 1};

std::vector<double> transformed(const Mat3<double>& A, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); i += 3)
    for (int m = 0; m < 3; ++m) y[i + m] = A[m][0] * x[i] + A[m][1] * x[i + 1] + A[m][2] * x[i + 2];
  return y;
}
std::vector<double> moved(std::vector<double> x) {  // positions only
  for (std::size_t i = 0; i < x.size(); i += 12)
    for (int m = 0; m < 3; ++m) x[i + m] += shift[m];
  return x;
}
std::vector<double> reference_of(const ContinuumBatch& batch, int element) {
  const std::size_t n = 3 * vector_count(batch.kind);
  return {batch.reference.begin() + n * element, batch.reference.begin() + n * (element + 1)};
}
std::vector<double> force_at(const ContinuumBatch& batch, int element, const std::vector<double>& e,
                             const std::vector<double>& v) {
  std::vector<double> f(e.size());
  plain_force(batch, element, e.data(), v.data(), f.data());
  return f;
}

TEST_P(EveryKind, InterpolatesPositionsAndGradientsOfItsNodes) {
  const ContinuumBatch batch = make_batch(kind, {.reference = Reference::curved});
  const State state = random_state(batch, 0, 1, 0.5);
  const double* half = batch.half_size.data();
  for (int node = 0; node < N / 4; ++node) {
    double xi[3];
    corner(kind, node, xi);
    std::vector<double> S(N), dS(3 * N);
    shape_functions(kind, xi, S.data());
    shape_derivatives(kind, xi, dS.data());
    for (int m = 0; m < 3; ++m) {
      double r = 0, slope[3] = {0, 0, 0};
      for (int i = 0; i < N; ++i) {
        const double x = vector_scale(kind, half, i) * state.e[3 * i + m];
        r += S[i] * x;
        for (int a = 0; a < 3; ++a) slope[a] += dS[3 * i + a] * x;
      }
      EXPECT_NEAR(r, state.e[12 * node + m], 1e-14);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(slope[a] / half[a], state.e[12 * node + 3 * (a + 1) + m], 1e-12);
    }
  }
}

TEST_P(EveryKind, FormsAPartitionOfUnityAndReproducesLinearFields) {
  const ContinuumBatch batch = make_batch(kind);
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const std::vector<double> e = transformed(stretch, reference_of(batch, 0));
  for (int trial = 0; trial < 20; ++trial) {
    const double xi[3] = {uniform(generator), uniform(generator), uniform(generator)};
    std::vector<double> S(N);
    shape_functions(kind, xi, S.data());
    double one = 0, r[3] = {0, 0, 0};
    for (int i = 0; i < N; ++i) {
      if (i % 4 == 0) one += S[i];
      for (int m = 0; m < 3; ++m) r[m] += S[i] * vector_scale(kind, batch.half_size.data(), i) * e[3 * i + m];
    }
    EXPECT_NEAR(one, 1, 1e-14);
    for (int m = 0; m < 3; ++m) {
      double expected = 0;
      for (int a = 0; a < 3; ++a) expected += stretch[m][a] * batch.half_size[a] * xi[a];
      EXPECT_NEAR(r[m], expected, 1e-15);
    }
  }
}

TEST_P(EveryKind, DifferentiatesItsShapeFunctions) {
  const double point[3] = {0.31, -0.77, 0.45};
  std::vector<double> dS(3 * N);
  shape_derivatives(kind, point, dS.data());
  with_kind(kind, [&](auto k) {
    for (int a = 0; a < 3; ++a) {
      Dual xi[3], S[32];
      for (int b = 0; b < 3; ++b) xi[b] = Dual(point[b], a == b);
      decltype(k)::template shape<Dual>(xi, S);
      for (int i = 0; i < N; ++i) EXPECT_NEAR(dS[3 * i + a], S[i].d, 1e-14);
    }
  });
}

TEST_P(EveryKind, FeelsNoForceInRigidMotion) {
  for (bool layered : {false, true}) {
    const ContinuumBatch batch = make_batch(kind, {.reference = Reference::curved, .layered = layered});
    const std::vector<double> turned = transformed(turn, reference_of(batch, 1));
    const State state{moved(turned), moved(transformed(spin, turned))};
    const double scale = force_scale(batch, 1, state);
    for (double x : force_at(batch, 1, state.e, state.v)) EXPECT_NEAR(x, 0, 1e-12 * scale);
    for (const Strategy& strategy : strategies()) {
      // Pre-integrated, the distance from the origin (here 60 half lengths) cancels only in the end.
      const std::string name = strategy.name;
      const double tolerance = name == "G" || name == "L" ? 1e-9 : 1e-12;
      const auto kernel = strategy.make(batch, TangentForm::symmetric);
      for (double x : Evaluator (*kernel)(1, state, 1, 0).f) EXPECT_NEAR(x, 0, tolerance * scale) << name;
    }
  }
}

// f(R e + c, R v + W R e) = R f(e, v): an observer who turns and spins sees the same stresses.
TEST_P(EveryKind, IsObjective) {
  const ContinuumBatch batch = make_batch(kind, {.reference = Reference::curved, .layered = true});
  const State state = random_state(batch, 0, 4);
  const std::vector<double> expected = transformed(turn, force_at(batch, 0, state.e, state.v));
  const std::vector<double> e = transformed(turn, state.e), drag = transformed(spin, e);
  std::vector<double> v = transformed(turn, state.v);
  for (int i = 0; i < n; ++i) v[i] += drag[i];
  const std::vector<double> f = force_at(batch, 0, moved(e), v);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(f[i], expected[i], 1e-11 * largest(expected));
}

TEST_P(EveryKind, CarriesALinearFieldWithEqualStrainAtAllPoints) {
  const ContinuumBatch batch = make_batch(kind, {.reference = Reference::curved});
  const std::vector<double> e = transformed(stretch, reference_of(batch, 0));
  std::vector<double> dS(3 * N);
  for (const auto& point : batch.points) {
    shape_derivatives(kind, point.xi.data(), dS.data());
    const PointMap map = map_point(batch, 0, dS.data(), point.weight, point.angle);
    const Mat3<double> F =
        deformation_gradient(kind, dS.data(), batch.half_size.data(), map.B, e.data()) * transpose(map.R);
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(F[m][a], stretch[m][a], 1e-13);
  }
}

// Two elements under uniaxial stress: what they exert on the nodes they share cancels.
TEST_P(EveryKind, PassesThePatchTest) {
  const ContinuumBatch batch = make_batch(kind, {.tau = 0});
  const double nu = 0.3, E11 = 0.02;
  Mat3<double> F{};
  F[0][0] = std::sqrt(1 + 2 * E11);
  F[1][1] = F[2][2] = std::sqrt(1 - 2 * nu * E11);
  F = turn * F;
  const std::vector<double> zero(n, 0.0);
  const std::vector<double> left = force_at(batch, 0, transformed(F, reference_of(batch, 0)), zero);
  const std::vector<double> right = force_at(batch, 1, transformed(F, reference_of(batch, 1)), zero);
  int shared = 0;
  for (int a = 0; a < N / 4; ++a)
    for (int b = 0; b < N / 4; ++b) {
      double distance = 0;
      for (int m = 0; m < 3; ++m) distance += std::abs(batch.reference[12 * a + m] - batch.reference[n + 12 * b + m]);
      if (distance > 1e-12) continue;
      ++shared;
      for (int k = 0; k < 12; ++k) EXPECT_NEAR(left[12 * a + k] + right[12 * b + k], 0, 1e-12 * largest(left));
    }
  EXPECT_EQ(shared, N / 8);
}

TEST_P(EveryKind, TakesItsForceFromAnEnergy) {
  const ContinuumBatch batch = make_batch(kind, {.reference = Reference::curved, .tau = 0, .layered = true});
  const State state = random_state(batch, 0, 6);
  const std::vector<double> f = force_at(batch, 0, state.e, state.v);
  std::vector<Dual> e(n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) e[i] = Dual(state.e[i], i == j);
    EXPECT_NEAR(plain_energy(batch, 0, e.data()).d, f[j], 1e-12 * largest(f));
  }
}

TEST_P(EveryKind, NeverGainsEnergyFromDamping) {
  const ContinuumBatch batch = make_batch(kind, {.reference = Reference::curved, .layered = true});
  const std::vector<double> zero(n, 0.0);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const State state = random_state(batch, 0, seed, 0.2);
    const std::vector<double> moving = force_at(batch, 0, state.e, state.v), still = force_at(batch, 0, state.e, zero);
    double power = 0;
    for (int i = 0; i < n; ++i) power += state.v[i] * (moving[i] - still[i]);
    EXPECT_GT(power, 0);
  }
}

TEST_P(EveryKind, HasASymmetricTangentWithoutDampingAndByDefault) {
  for (const Strategy& strategy : strategies()) {
    SCOPED_TRACE(strategy.name);
    const double tolerance = std::string(strategy.name) == "finite_difference" ? 1e-7 : 1e-12;
    const ContinuumBatch undamped = make_batch(kind, {.reference = Reference::curved, .tau = 0, .layered = true});
    const State state = random_state(undamped, 0, 8);
    const auto exact = strategy.make(undamped, TangentForm::exact);
    const std::vector<double> K = Evaluator(*exact)(0, state, 1, 0).K;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        ASSERT_NEAR(K[((i / 3) * N + j / 3) * 9 + 3 * (i % 3) + j % 3],
                    K[((j / 3) * N + i / 3) * 9 + 3 * (j % 3) + i % 3], tolerance * largest(K));
    const ContinuumBatch damped = make_batch(kind, {.reference = Reference::curved, .layered = true});
    const auto symmetric = strategy.make(damped, TangentForm::symmetric);
    const std::vector<double> H = Evaluator(*symmetric)(0, state, 1, 0.5).K;
    for (int i = 0; i < N; ++i)  // blocks off the diagonal are stored once
      for (int m = 0; m < 3; ++m)
        for (int k = 0; k < m; ++k)
          ASSERT_NEAR(H[symmetric_block(N, i, i) * 9 + 3 * m + k], H[symmetric_block(N, i, i) * 9 + 3 * k + m],
                      1e-14 * largest(H));
  }
}

TEST_P(EveryKind, TakesNothingFromTheHeapInEvaluation) {
  if (!AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  {
    AllocationCounter counter;
    delete new volatile double(1);
    EXPECT_GT(counter.taken(), 0);
  }
  for (int extra : {0, 3})
    for (TangentForm form : {TangentForm::exact, TangentForm::symmetric})
      for (const Strategy& strategy : strategies()) {
        const ContinuumBatch batch = make_batch(kind, {.layered = true, .elements = 1, .extra_points = extra});
        const auto kernel = strategy.make(batch, form);
        Evaluator evaluator(*kernel);
        evaluator.load(random_state(batch, 0, 9));
        AllocationCounter counter;
        evaluator.evaluate(0);
        EXPECT_EQ(counter.taken(), 0) << strategy.name;
      }
}

}  // namespace
}  // namespace lithe
