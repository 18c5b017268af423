// The cable against its plain twin, dual numbers, rigid motion and energy.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/base/dual.h"
#include "lithe/elements/cable/cable_kernel.h"

namespace lithe {
namespace {

CableBatch make_batch(double tau, int elements = 11) {
  CableBatch batch;
  for (int e = 0; e < elements; ++e) batch.length.push_back(0.3 + 0.05 * e);
  batch.EA = 2.5e3;
  batch.EI = 7.0;
  batch.tau = tau;
  return batch;
}

// Bent, stretched and moving coordinates of one element.
void random_state(std::mt19937& random, double length, double* e, double* v) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const double x[12] = {0, 0, 0, 1, 0, 0, length, 0, 0, 1, 0, 0};
  for (int k = 0; k < 12; ++k) {
    e[k] = x[k] + ((k / 3) % 2 == 0 ? 0.2 * length : 0.3) * unit(random);
    v[k] = unit(random);
  }
}

double largest(const std::vector<double>& a) {
  double m = 0;
  for (double x : a) m = std::max(m, std::abs(x));
  return m;
}

class CableTangent : public ::testing::TestWithParam<std::tuple<double, TangentForm>> {};

TEST_P(CableTangent, EqualsDualNumbersAndForceEqualsPlainTwin) {
  const auto [tau, form] = GetParam();
  const CableBatch batch = make_batch(tau);
  const auto kernel = make_cable_kernel(batch, form);
  const int W = kernel->width(), blocks = tangent_blocks(4, form);
  std::mt19937 random(7);
  for (int pack = 0; pack < kernel->packs(); ++pack) {
    AlignedVector<double> e(12 * W), v(12 * W), f(12 * W), K(9 * blocks * W);
    std::vector<std::vector<double>> x(W, std::vector<double>(12)), y = x;
    std::vector<int> element(W);
    for (int lane = 0; lane < W; ++lane) {
      element[lane] = std::min<int>(pack * W + lane, batch.length.size() - 1);
      random_state(random, batch.length[element[lane]], x[lane].data(), y[lane].data());
      for (int k = 0; k < 12; ++k) {
        e[k * W + lane] = x[lane][k];
        v[k * W + lane] = y[lane][k];
      }
    }
    const double c_q = 1.3, c_v = 0.7;
    kernel->force(pack, e.data(), v.data(), f.data(), nullptr, nullptr);
    kernel->tangent(pack, e.data(), v.data(), c_q, c_v, K.data(), nullptr, nullptr);
    for (int lane = 0; lane < W; ++lane) {
      std::vector<double> plain(12), J(144);
      plain_cable_force(batch, element[lane], x[lane].data(), y[lane].data(), plain.data());
      for (int k = 0; k < 12; ++k) EXPECT_NEAR(f[k * W + lane], plain[k], 1e-12 * largest(plain));
      for (int column = 0; column < 12; ++column) {
        std::vector<Dual> ed(12), vd(12), fd(12);
        for (int k = 0; k < 12; ++k) {
          ed[k] = {x[lane][k], k == column ? c_q : 0};
          vd[k] = {y[lane][k], k == column ? c_v : 0};
        }
        plain_cable_force(batch, element[lane], ed.data(), vd.data(), fd.data());
        for (int k = 0; k < 12; ++k) J[k * 12 + column] = fd[k].d;
      }
      int b = 0;
      for (int i = 0; i < 4; ++i)
        for (int j = form == TangentForm::symmetric ? i : 0; j < 4; ++j, ++b)
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n) {
              const int r = 3 * i + m, c = 3 * j + n;
              const double wanted =
                  form == TangentForm::symmetric ? 0.5 * (J[r * 12 + c] + J[c * 12 + r]) : J[r * 12 + c];
              EXPECT_NEAR(K[(9 * b + 3 * m + n) * W + lane], wanted, 1e-11 * largest(J));
            }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cable, CableTangent,
                         ::testing::Combine(::testing::Values(0.0, 0.02),
                                            ::testing::Values(TangentForm::symmetric, TangentForm::exact)));

TEST(Cable, ForceIsGradientOfEnergyWithoutDamping) {
  const CableBatch batch = make_batch(0);
  std::mt19937 random(3);
  double e[12], v[12], f[12];
  random_state(random, batch.length[0], e, v);
  plain_cable_force(batch, 0, e, v, f);
  for (int k = 0; k < 12; ++k) {
    Dual x[12];
    for (int i = 0; i < 12; ++i) x[i] = {e[i], i == k ? 1.0 : 0.0};
    EXPECT_NEAR(plain_cable_energy(batch, 0, x).d, f[k], 1e-10 * std::abs(f[0]) + 1e-10);
  }
}

TEST(Cable, RigidMotionGivesNoForceAndRotatingTheStateRotatesIt) {
  const CableBatch batch = make_batch(0);
  const double L = batch.length[0], c = std::cos(0.7), s = std::sin(0.7);
  const Mat3<double> R{{{c, -s, 0}, {s * 0.6, c * 0.6, -0.8}, {s * 0.8, c * 0.8, 0.6}}};
  auto rotated = [&](const double* x, bool positions, double* out) {
    for (int i = 0; i < 4; ++i)
      for (int m = 0; m < 3; ++m) {
        out[3 * i + m] = positions && i % 2 == 0 ? 4.0 - m : 0.0;
        for (int n = 0; n < 3; ++n) out[3 * i + m] += R[m][n] * x[3 * i + n];
      }
  };
  const double reference[12] = {0, 0, 0, 1, 0, 0, L, 0, 0, 1, 0, 0}, still[12] = {};
  double e[12], f[12];
  rotated(reference, true, e);
  plain_cable_force(batch, 0, e, still, f);
  for (double x : f) EXPECT_NEAR(x, 0, 1e-10 * batch.EA);

  std::mt19937 random(5);
  double a[12], v[12], b[12], fa[12], fb[12], wanted[12];
  random_state(random, L, a, v);
  rotated(a, true, b);
  plain_cable_force(batch, 0, a, still, fa);
  plain_cable_force(batch, 0, b, still, fb);
  rotated(fa, false, wanted);
  for (int k = 0; k < 12; ++k) EXPECT_NEAR(fb[k], wanted[k], 1e-10 * batch.EA);
}

TEST(Cable, DampingDissipates) {
  const CableBatch elastic = make_batch(0), damped = make_batch(0.05);
  std::mt19937 random(11);
  for (int trial = 0; trial < 20; ++trial) {
    double e[12], v[12], f0[12], f1[12], power = 0;
    random_state(random, elastic.length[0], e, v);
    plain_cable_force(elastic, 0, e, v, f0);
    plain_cable_force(damped, 0, e, v, f1);
    for (int k = 0; k < 12; ++k) power += v[k] * (f1[k] - f0[k]);
    EXPECT_GE(power, 0);
  }
}

// Rates of curvature across, beside and along what is there count alike: the power is EI tau |n'|^2 L.
TEST(Cable, BendingDampingActsOnTheRateOfTheCurvatureVector) {
  CableBatch elastic = make_batch(0, 1), damped = make_batch(0.05, 1);
  const double L = elastic.length[0];
  // r = (x, k x^2/2, 0): small k, so that the reference length is the arc length to second order.
  const auto bent = [&](double ky, double kz, bool rate, double* e) {
    const double x[12] = {0, 0, 0, 1, 0, 0, L, 0.5 * ky * L * L, 0.5 * kz * L * L, 1, ky * L, kz * L};
    std::copy(x, x + 12, e);
    if (rate) e[3] = e[6] = e[9] = 0;
  };
  for (const double k : {0.0, 1e-4, 1e-2})
    for (const auto& [ry, rz] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {0.6, -0.8}}) {
      double e[12], v[12], f0[12], f1[12], power = 0;
      bent(k, 0, false, e);
      bent(ry, rz, true, v);
      plain_cable_force(elastic, 0, e, v, f0);
      plain_cable_force(damped, 0, e, v, f1);
      for (int i = 0; i < 12; ++i) power += v[i] * (f1[i] - f0[i]);
      // Axially u.u' = k ry x^2.
      const double axial = damped.EA * damped.tau * k * k * ry * ry * std::pow(L, 5) / 5;
      const double wanted = damped.EI * damped.tau * L;
      EXPECT_NEAR(power - axial, wanted, 20 * k * k * wanted + 1e-12 * wanted) << k << " " << ry;
    }
}

TEST(Cable, RotationsOfABentCableThatDoNotSpinItAboutItsTangentAreNotDamped) {
  const CableBatch elastic = make_batch(0, 1), damped = make_batch(0.05, 1);
  const double L = elastic.length[0], k = 1.5;  // an arc in the plane xy, turning about z
  double e[12] = {0, 0, 0, 1, 0, 0, std::sin(k * L) / k, (1 - std::cos(k * L)) / k, 0, std::cos(k * L), std::sin(k * L),
                  0};
  double v[12], f0[12], f1[12];
  for (int i = 0; i < 4; ++i) {
    v[3 * i] = -2 * e[3 * i + 1];
    v[3 * i + 1] = 2 * e[3 * i];
    v[3 * i + 2] = 0;
  }
  plain_cable_force(elastic, 0, e, v, f0);
  plain_cable_force(damped, 0, e, v, f1);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(f0[i], f1[i], 1e-10 * damped.EA);
}

TEST(Cable, TangentExistsWhereTheCurvatureVanishes) {
  const CableBatch batch = make_batch(0.05, 1);
  const auto kernel = make_cable_kernel(batch, TangentForm::symmetric);
  const int W = kernel->width();
  const double L = batch.length[0];
  const double reference[12] = {0, 0, 0, 1, 0, 0, L, 0, 0, 1, 0, 0};
  AlignedVector<double> e(12 * W), v(12 * W, 0.3), K(90 * W);
  for (int k = 0; k < 12; ++k)
    for (int lane = 0; lane < W; ++lane) e[k * W + lane] = reference[k];
  kernel->tangent(0, e.data(), v.data(), 1, 0.5, K.data(), nullptr, nullptr);
  for (double x : K) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace lithe
