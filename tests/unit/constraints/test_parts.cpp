// Every constraint part and every kind of direction: value, gradient, Hessian and curvature against central
// differences and against an independent derivation with dual numbers of differences.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/base/dual.h"
#include "lithe/base/hyper_dual.h"
#include "lithe/constraints/parts.h"

namespace lithe {
namespace {

Form vector_form(int v) { return {{v}, {1.0}, {}}; }
Direction plain(int v) { return {Direction::Kind::plain, {vector_form(v)}, {}}; }
Direction tangent(int v) { return {Direction::Kind::tangent, {vector_form(v)}, {}}; }
Direction frame(int v, const Vec3<double>& share, FrameRule rule = FrameRule::section) {
  Direction d{Direction::Kind::frame, {}, share, rule};
  for (int k = 0; k < frame_argument_count(rule); ++k) d.arguments.push_back(vector_form(v + k));
  return d;
}

struct Case {
  std::string name;
  Part part;
};

std::vector<Case> all_parts() {
  const Vec3<double> e1{{1, 0, 0}}, e3{{0, 0, 1}}, mixed{{0.3, -0.5, 0.8}};
  const Angle simple{plain(0), plain(1), plain(2)};
  const Angle flexible{frame(0, {{0, 1, 0}}), frame(0, {{0, 0, 1}}), frame(2, {{0, 1, 0.1}})};
  const Angle shells{frame(0, {{0, 1, 0}}, FrameRule::director), frame(0, {{0, 0, 1}}, FrameRule::director),
                     frame(3, {{0, 1, 0.1}}, FrameRule::polar)};
  return {{"linear", Part::linear({{0.2, -0.7, 0.4}}, vector_form(0))},
          {"distance", Part::distance(vector_form(0), 1.7)},
          {"dot plain plain", Part::dot(plain(0), plain(1))},
          {"dot tangent plain", Part::dot(tangent(0), plain(1))},
          {"dot plain tangent", Part::dot(plain(0), tangent(1))},
          {"dot frame plain", Part::dot(frame(0, mixed), plain(2))},
          {"dot frame e1, tangent", Part::dot(frame(0, e1), tangent(2))},
          {"dot director plain", Part::dot(frame(0, mixed, FrameRule::director), plain(3))},
          {"dot director tangent", Part::dot(frame(0, e3, FrameRule::director), tangent(3))},
          {"dot polar plain", Part::dot(frame(0, mixed, FrameRule::polar), plain(3))},
          {"dot polar director", Part::dot(frame(0, mixed, FrameRule::polar), frame(3, e1, FrameRule::director))},
          {"angle of three arguments", Part::angle({shells}, {1.0}, {0})},
          {"dot frame frame", Part::dot(frame(0, mixed), frame(2, e3))},
          {"length as dot", Part::dot(tangent(0), plain(0))},
          {"angle", Part::angle({simple}, {1.0}, {0})},
          {"angle of frames", Part::angle({flexible}, {1.0}, {0})},
          {"gear", Part::angle({simple, flexible}, {1.0, -2.5}, {0, 1})},
          {"skew", Part::skew(vector_form(0), vector_form(1), vector_form(2), vector_form(3))},
          {"screw", Part::advance(plain(0), plain(1), simple, -0.3, 0)},
          {"on a line", Part::on_line(mixed, vector_form(0), vector_form(1),
                                      {vector_form(2), vector_form(3), vector_form(4), vector_form(5)}, 0.6)},
          {"lengths of a rope", Part::lengths({vector_form(0), vector_form(1), vector_form(2)}, {1, 2.5, 0.7}, 1e-9)},
          {"screw of frames", Part::advance(frame(0, mixed), plain(2), flexible, 0.7, 0)}};
}

std::vector<Vec3<double>> arguments(const Part& part, std::mt19937& random) {
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Vec3<double>> x(part.count());
  for (int i = 0; i < part.count(); ++i)
    for (int m = 0; m < 3; ++m) x[i][m] = u(random) + (i % 3 == m ? 1.5 : 0);
  return x;
}

// The same functions again, written from their definitions over any scalar.
double angle_of(double y, double x) { return std::atan2(y, x); }
Dual angle_of(const Dual& y, const Dual& x) {
  const double s = x.v * x.v + y.v * y.v;
  return {std::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / s};
}
double value_of(double x) { return x; }
double value_of(const Dual& x) { return x.v; }
template <class T>
Vec3<T> scaled(const Vec3<T>& x) {
  using std::sqrt;
  const T n = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  return {{x[0] / n, x[1] / n, x[2] / n}};
}
// Two vectors in the plane with normal n: with (u, w) along and across the first of them, F = ((|x|, y.u), (0, y.w))
// has the polar rotation tan phi = (F_21 - F_12) / (F_11 + F_22).
template <class T>
std::pair<Vec3<T>, Vec3<T>> turned(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& n) {
  using std::sqrt;
  const Vec3<T> u = scaled(x), w = cross(n, u);
  const T s = T(0) - dot(y, u), c = dot(x, u) + dot(y, w), r = sqrt(c * c + s * s);
  const Vec3<T> first = (c / r) * u + (s / r) * w;
  return {first, cross(n, first)};
}
// F (F^T F)^(-1/2), the root by E. D. Denman and A. N. Beavers.
template <class T>
Mat3<T> rotation_of(const Vec3<T>& x, const Vec3<T>& y, const Vec3<T>& z) {
  Mat3<T> F;
  for (int m = 0; m < 3; ++m) F[m][0] = x[m], F[m][1] = y[m], F[m][2] = z[m];
  Mat3<T> Y = transpose(F) * F, Z{};
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) Z[m][n] = T(m == n ? 1 : 0);
  for (int round = 0; round < 40; ++round) {
    const Mat3<T> of_Y = inverse(Y), of_Z = inverse(Z);
    for (int m = 0; m < 3; ++m)
      for (int n = 0; n < 3; ++n) {
        Y[m][n] = T(0.5) * (Y[m][n] + of_Z[m][n]);
        Z[m][n] = T(0.5) * (Z[m][n] + of_Y[m][n]);
      }
  }
  return F * Z;
}

template <class T>
Vec3<T> direction_of(const DirectionShape& d, const std::vector<Vec3<T>>& x, int& next) {
  const Vec3<T> first = x[next++];
  if (d.kind == Direction::Kind::plain) return first;
  if (d.kind == Direction::Kind::tangent) return scaled(first);
  const Vec3<T> second = x[next++];
  Vec3<T> e1, e2, e3;
  if (d.rule == FrameRule::section) {
    const auto [y, z] = turned(first, second, scaled(cross(first, second)));
    e1 = cross(y, z), e2 = y, e3 = z;
  } else if (d.rule == FrameRule::director) {
    e3 = scaled(x[next++]);
    const auto [u, v] = turned(first - dot(first, e3) * e3, second - dot(second, e3) * e3, e3);
    e1 = u, e2 = v;
  } else {
    const Mat3<T> R = rotation_of(first, second, x[next++]);
    e1 = column(R, 0), e2 = column(R, 1), e3 = column(R, 2);
  }
  Vec3<T> sum;
  for (int m = 0; m < 3; ++m) sum[m] = T(d.share[0]) * e1[m] + T(d.share[1]) * e2[m] + T(d.share[2]) * e3[m];
  return sum;
}
template <class T>
T written_out(const Part& part, const std::vector<Vec3<T>>& x) {
  int next = 0;
  switch (part.kind) {
    case Part::Kind::linear:
      return T(part.along[0]) * x[0][0] + T(part.along[1]) * x[0][1] + T(part.along[2]) * x[0][2];
    case Part::Kind::distance:
      return (dot(x[0], x[0]) - T(part.length * part.length)) / T(2 * part.length);
    case Part::Kind::dot: {
      const Vec3<T> a = direction_of(part.factors[0], x, next);
      return dot(a, direction_of(part.factors[1], x, next));
    }
    case Part::Kind::on_line: {  // de Casteljau over the points of Bezier; straight on beyond the ends
      const double h = part.length, s = value_of(x[1][0]);
      Vec3<T> r;
      for (int m = 0; m < 3; ++m) {
        if (s < 0) r[m] = x[2][m] + x[1][0] * x[3][m];
        else if (s > h) r[m] = x[4][m] + (x[1][0] - T(h)) * x[5][m];
        else {
          const T t = x[1][0] / T(h);
          T b[4] = {x[2][m], x[2][m] + T(h / 3) * x[3][m], x[4][m] - T(h / 3) * x[5][m], x[4][m]};
          for (int level = 3; level > 0; --level)
            for (int i = 0; i < level; ++i) b[i] = (T(1) - t) * b[i] + t * b[i + 1];
          r[m] = b[0];
        }
      }
      return T(part.along[0]) * (x[0][0] - r[0]) + T(part.along[1]) * (x[0][1] - r[1]) +
             T(part.along[2]) * (x[0][2] - r[2]);
    }
    case Part::Kind::lengths: {
      using std::sqrt;
      T sum(0);
      for (std::size_t k = 0; k < x.size(); ++k) sum = sum + T(part.ratios[k]) * sqrt(dot(x[k], x[k]));
      return sum;
    }
    case Part::Kind::skew:
      return dot(x[0], x[1]) - dot(x[2], x[3]);
    case Part::Kind::angle:
    case Part::Kind::advance: {
      T sum(0);
      std::size_t first = 0;
      if (part.kind == Part::Kind::advance) {
        const Vec3<T> a = direction_of(part.factors[0], x, next);
        sum = dot(a, direction_of(part.factors[1], x, next));
        first = 2;
      }
      for (std::size_t k = 0; k < part.ratios.size(); ++k) {
        const Vec3<T> a1 = direction_of(part.factors[first + 3 * k], x, next),
                      a2 = direction_of(part.factors[first + 3 * k + 1], x, next),
                      b = direction_of(part.factors[first + 3 * k + 2], x, next);
        sum = sum + T(part.ratios[k]) * angle_of(dot(b, a2), dot(b, a1));
      }
      return sum;
    }
  }
  return T(0);
}

// Along u: derivative by dual numbers at x.
double slope(const Part& part, const std::vector<Vec3<double>>& x, const std::vector<Vec3<double>>& u) {
  std::vector<Vec3<Dual>> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = Dual(x[i][m], u[i][m]);
  return written_out(part, y).d;
}
std::vector<Vec3<double>> moved(std::vector<Vec3<double>> x, const std::vector<Vec3<double>>& u, double h) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + h * u[i];
  return x;
}

TEST(ConstraintParts, GradientAgainstDualNumbersAndDifferences) {
  std::mt19937 random(1);
  for (const Case& c : all_parts())
    for (int trial = 0; trial < 5; ++trial) {
      SCOPED_TRACE(c.name);
      const auto x = arguments(c.part, random);
      std::vector<Vec3<double>> gradient(x.size());
      const double value = part_gradient(c.part, x.data(), nullptr, gradient.data());
      EXPECT_NEAR(value, written_out(c.part, x), 1e-13);
      EXPECT_NEAR(value, part_value(c.part, x.data(), nullptr), 1e-13);
      for (std::size_t i = 0; i < x.size(); ++i)
        for (int m = 0; m < 3; ++m) {
          std::vector<Vec3<double>> u(x.size(), Vec3<double>{});
          u[i][m] = 1;
          EXPECT_NEAR(gradient[i][m], slope(c.part, x, u), 1e-12);
          const double h = 1e-6;
          const auto ahead = moved(x, u, h), behind = moved(x, u, -h);
          EXPECT_NEAR(
              gradient[i][m],
              (part_value(c.part, ahead.data(), nullptr) - part_value(c.part, behind.data(), nullptr)) / (2 * h), 1e-7);
        }
    }
}

TEST(ConstraintParts, HessianAgainstDifferencesOfDualNumbers) {
  std::mt19937 random(2);
  for (const Case& c : all_parts())
    for (int trial = 0; trial < 3; ++trial) {
      SCOPED_TRACE(c.name);
      const auto x = arguments(c.part, random);
      const int n = c.part.count();
      std::vector<Mat3<double>> hessian(n * n);
      part_hessian(c.part, x.data(), hessian.data());
      double size = 1;
      for (const Mat3<double>& block : hessian)
        for (int k = 0; k < 9; ++k) size = std::max(size, std::abs(block[k / 3][k % 3]));
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
          for (int j = 0; j < n; ++j)
            for (int l = 0; l < 3; ++l) {
              std::vector<Vec3<double>> u(n, Vec3<double>{}), w(n, Vec3<double>{});
              u[i][k] = 1;
              w[j][l] = 1;
              const auto difference = [&](double h) {
                return (slope(c.part, moved(x, w, h), u) - slope(c.part, moved(x, w, -h), u)) / (2 * h);
              };
              const double h = 2e-5 / std::sqrt(size);  // Richardson: the error is of order h^4
              EXPECT_NEAR(hessian[i * n + j][k][l], (4 * difference(h / 2) - difference(h)) / 3, 1e-8 * size);
              EXPECT_EQ(hessian[i * n + j][k][l], hessian[j * n + i][l][k]);
            }
    }
}

TEST(ConstraintParts, CurvatureIsTheSecondDerivativeAlongAVelocity) {
  std::mt19937 random(3);
  for (const Case& c : all_parts()) {
    SCOPED_TRACE(c.name);
    const auto x = arguments(c.part, random);
    auto u = arguments(c.part, random);
    const int n = c.part.count();
    std::vector<Mat3<double>> hessian(n * n);
    part_hessian(c.part, x.data(), hessian.data());
    double sum = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += dot(u[i], hessian[i * n + j] * u[j]);
    EXPECT_NEAR(part_curvature(c.part, x.data(), u.data()), sum, 1e-11 * (1 + std::abs(sum)));
    const double h = 1e-5;
    EXPECT_NEAR(sum, (slope(c.part, moved(x, u, h), u) - slope(c.part, moved(x, u, -h), u)) / (2 * h),
                1e-6 * (1 + std::abs(sum)));
  }
}

// Parts one after another in arrays are what they are alone.
TEST(ConstraintParts, AreTheSameInArrays) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<double> q(3 * 8), v(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = u(random) + (i % 4 == 0 ? 1.5 : 0);
    v[i] = u(random);
  }
  const double near[] = {7.0, -20.0};
  std::vector<Case> cases = all_parts();
  Parts parts;
  for (Case& c : cases) {
    for (Form& x : c.part.arguments) {
      x = combine(0.7, x, -0.2, vector_form(7));
      x.constant = {{u(random), u(random), u(random)}};
    }
    parts.add(c.part);
  }
  ASSERT_EQ(parts.size(), cases.size());
  for (int i = 0; i < static_cast<int>(cases.size()); ++i) {
    SCOPED_TRACE(cases[i].name);
    const Part& part = cases[i].part;
    const std::size_t n = part.arguments.size();
    ASSERT_EQ(parts[i].count(), part.count());
    std::vector<Vec3<double>> x(n), rates(n), g(n), h(n);
    std::vector<Mat3<double>> H(n * n), K(n * n);
    parts.values(i, q, x.data());
    parts.rates(i, q, v, rates.data());
    std::vector<int> vectors, listed;
    parts.for_vectors(i, [&](int vector) { vectors.push_back(vector); });
    for (std::size_t k = 0; k < n; ++k) {
      const Form& form = part.arguments[k];
      listed.insert(listed.end(), form.vectors.begin(), form.vectors.end());
      for (int m = 0; m < 3; ++m) {
        EXPECT_EQ(x[k][m], form.value(q)[m]);
        EXPECT_EQ(rates[k][m], form.rate(v)[m]);
      }
    }
    EXPECT_EQ(vectors, listed);
    EXPECT_EQ(part_gradient(parts[i], x.data(), near, g.data()), part_gradient(part, x.data(), near, h.data()));
    EXPECT_EQ(part_value(parts[i], x.data(), near), part_value(part, x.data(), near));
    EXPECT_EQ(part_curvature(parts[i], x.data(), rates.data()), part_curvature(part, x.data(), rates.data()));
    part_hessian(parts[i], x.data(), H.data());
    part_hessian(part, x.data(), K.data());
    for (std::size_t k = 0; k < n * n; ++k)
      for (int m = 0; m < 9; ++m) EXPECT_EQ(H[k][m / 3][m % 3], K[k][m / 3][m % 3]);
    for (std::size_t k = 0; k < n; ++k)
      for (int m = 0; m < 3; ++m) EXPECT_EQ(g[k][m], h[k][m]);
  }
}

// Angles count on from turn to turn, each theta of a gear by itself.
TEST(ConstraintParts, AnglesFollowTheirTurns) {
  const double turn = 2 * M_PI;
  const Form x_axis = Form::fixed({{1, 0, 0}}), y_axis = Form::fixed({{0, 1, 0}});
  const Angle theta{{Direction::Kind::plain, {x_axis}, {}}, {Direction::Kind::plain, {y_axis}, {}}, plain(0)};
  const Angle other{{Direction::Kind::plain, {x_axis}, {}}, {Direction::Kind::plain, {y_axis}, {}}, plain(1)};
  const Part gear = Part::angle({theta, other}, {1.0, -2.0}, {1, 0});
  const double a = 0.4, b = -2.9;
  const std::vector<double> q{std::cos(a), std::sin(a), 0, std::cos(b), std::sin(b), 0};
  std::vector<Vec3<double>> x;
  for (const Form& f : gear.arguments) x.push_back(f.value(q));
  EXPECT_NEAR(part_value(gear, x.data(), nullptr), a - 2 * b, 1e-14);
  const double near[] = {b + 3 * turn + 0.5, a - 2 * turn - 0.5};
  EXPECT_NEAR(part_value(gear, x.data(), near), a - 2 * turn - 2 * (b + 3 * turn), 1e-12);
  EXPECT_NEAR(angle_value(theta, q, 5 * turn), a + 5 * turn, 1e-12);
  // Across pi the value goes on where atan2 jumps.
  double last = 3.0;
  for (double phi = 3.0; phi < 12; phi += 0.1) {
    const std::vector<double> at{std::cos(phi), std::sin(phi), 0, 1, 0, 0};
    last = angle_value(theta, at, last);
    EXPECT_NEAR(last, phi, 1e-12);
  }
}

// A rotation of all arguments turns the axes with them; stretch and shear that a rule leaves out do not.
TEST(Frames, FollowWhatTheirRuleNames) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  const Mat3<double> R{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
  const auto same = [](const Vec3<double>& a, const Vec3<double>& b) {
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(a[m], b[m], 1e-14);
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> u(-0.3, 0.3);
  for (const FrameRule rule : {FrameRule::section, FrameRule::director, FrameRule::polar}) {
    const int n = frame_argument_count(rule);
    Vec3<double> x[3], y[3], e[3], f[3];
    for (int k = 0; k < n; ++k) {
      for (int m = 0; m < 3; ++m) x[k][m] = (m == k + 3 - n ? 1 : 0) + u(random);
      y[k] = R * x[k];
    }
    frame_axes(rule, x, e);
    frame_axes(rule, y, f);
    for (int k = 0; k < 3; ++k) {
      same(f[k], R * e[k]);
      EXPECT_NEAR(dot(e[k], e[k]), 1, 1e-14);
      same(cross(e[k], e[(k + 1) % 3]), e[(k + 2) % 3]);
    }
  }
  Vec3<double> e[3];
  const Vec3<double> section[2] = {{{0, 1.3, 0.2}}, {{0, 0.2, 0.8}}};  // stretched, sheared by half on either side
  frame_axes(FrameRule::section, section, e);
  for (int k = 0; k < 3; ++k) same(e[k], {{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}});
  const Vec3<double> shell[3] = {{{1.2, 0.1, 0.4}}, {{0.1, 0.9, -0.3}}, {{0, 0, 0.7}}};  // r_x, r_y sheared off r_z
  frame_axes(FrameRule::director, shell, e);
  for (int k = 0; k < 3; ++k) same(e[k], {{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}});
  const Vec3<double> solid[3] = {{{1.2, 0.1, 0.2}}, {{0.1, 0.9, -0.1}}, {{0.2, -0.1, 1.1}}};  // symmetric
  frame_axes(FrameRule::polar, solid, e);
  for (int k = 0; k < 3; ++k) same(e[k], {{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0}});
}

TEST(ConstraintForms, CombineAddsUpSharedVectors) {
  const Form x{{3, 5}, {1.0, 2.0}, {{1, 0, 0}}}, y{{5, 7}, {4.0, -1.0}, {{0, 2, 0}}};
  const Form z = combine(2, x, -0.5, y);
  std::vector<double> q(24);
  std::mt19937 random(4);
  for (double& v : q) v = std::uniform_real_distribution<double>(-1, 1)(random);
  const Vec3<double> expected = 2.0 * x.value(q) - 0.5 * y.value(q), found = z.value(q);
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(found[m], expected[m], 1e-15);
  EXPECT_EQ(z.vectors, (std::vector<int>{3, 5, 7}));
}

// f = atan2(sqrt(x^2 + y), x y) / x with all second derivatives, by hand through central differences of exact ones.
TEST(HyperDualNumbers, SecondDerivativesOfACompositeFunction) {
  const auto f = [](auto x, auto y) {
    using std::atan2;
    using std::sqrt;
    return atan2(sqrt(x * x + y), x * y) / x;
  };
  const double x = 0.8, y = 1.3, h = 1e-5;
  const HyperDual xx = f(HyperDual(x, 1, 1), HyperDual(y)), xy = f(HyperDual(x, 1, 0), HyperDual(y, 0, 1)),
                  yy = f(HyperDual(x), HyperDual(y, 1, 1));
  EXPECT_NEAR(xx.v, f(x, y), 1e-15);
  EXPECT_NEAR(xx.a, (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-9);
  EXPECT_NEAR(yy.a, (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-9);
  EXPECT_EQ(xy.a, xx.a);
  EXPECT_EQ(xy.b, yy.b);
  const auto fx = [&](double s, double t) { return f(HyperDual(s, 1, 0), HyperDual(t)).a; };
  const auto fy = [&](double s, double t) { return f(HyperDual(s), HyperDual(t, 1, 0)).a; };
  EXPECT_NEAR(xx.ab, (fx(x + h, y) - fx(x - h, y)) / (2 * h), 1e-8);
  EXPECT_NEAR(xy.ab, (fx(x, y + h) - fx(x, y - h)) / (2 * h), 1e-8);
  EXPECT_NEAR(xy.ab, (fy(x + h, y) - fy(x - h, y)) / (2 * h), 1e-8);
  EXPECT_NEAR(yy.ab, (fy(x, y + h) - fy(x, y - h)) / (2 * h), 1e-8);
}

TEST(HyperDualNumbers, RulesOfArithmetic) {
  const HyperDual x(1.7, 0.3, -0.4, 0.2), y(-0.6, 1.1, 0.5, -0.7);
  const auto same = [](const HyperDual& a, const HyperDual& b) {
    EXPECT_NEAR(a.v, b.v, 1e-14);
    EXPECT_NEAR(a.a, b.a, 1e-14);
    EXPECT_NEAR(a.b, b.b, 1e-14);
    EXPECT_NEAR(a.ab, b.ab, 1e-13);
  };
  same((x / y) * y, x);
  same(x - y + y, x);
  same(-(-x), x);
  same(sqrt(x * x), x);
  same(sqrt(x) * sqrt(x), x);
  // atan2 of a scaled point, and of a point in another quadrant.
  same(atan2(x * x * y, x * x * x), atan2(y, x));
  same(atan2(-y, -x) + HyperDual(-M_PI), atan2(y, x));
}

}  // namespace
}  // namespace lithe
