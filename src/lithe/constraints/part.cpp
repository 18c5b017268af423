#include "lithe/constraints/part.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/base/hyper_dual.h"

namespace lithe {

Form combine(double a, const Form& x, double b, const Form& y) {
  Form z;
  z.constant = a * x.constant + b * y.constant;
  const auto add = [&](double factor, const Form& f) {
    for (std::size_t k = 0; k < f.vectors.size(); ++k) {
      const auto found = std::find(z.vectors.begin(), z.vectors.end(), f.vectors[k]);
      if (found != z.vectors.end()) {
        z.weights[found - z.vectors.begin()] += factor * f.weights[k];
      } else {
        z.vectors.push_back(f.vectors[k]);
        z.weights.push_back(factor * f.weights[k]);
      }
    }
  };
  add(a, x);
  add(b, y);
  return z;
}

Part Part::linear(const Vec3<double>& along, Form x) {
  Part p;
  p.kind = Kind::linear;
  p.along = along;
  p.arguments = {std::move(x)};
  return p;
}

Part Part::distance(Form difference, double length) {
  Part p;
  p.kind = Kind::distance;
  p.length = length;
  p.arguments = {std::move(difference)};
  return p;
}

Part Part::dot(Direction a, Direction b) {
  Part p;
  p.kind = Kind::dot;
  p.factors = {std::move(a), std::move(b)};
  for (const Direction& d : p.factors) p.arguments.insert(p.arguments.end(), d.arguments.begin(), d.arguments.end());
  return p;
}

Part Part::angle(const std::vector<Angle>& thetas, const std::vector<double>& ratios, const std::vector<int>& numbers) {
  Part p;
  p.kind = Kind::angle;
  p.ratios = ratios;
  p.angles = numbers;
  for (const Angle& theta : thetas)
    for (const Direction* d : {&theta.a1, &theta.a2, &theta.b}) {
      p.factors.push_back(*d);
      p.arguments.insert(p.arguments.end(), d->arguments.begin(), d->arguments.end());
    }
  LITHE_INVARIANT(p.count() <= largest_argument_count);
  return p;
}

namespace {

using std::atan2;
using std::sqrt;

template <class T>
Vec3<T> direction_of(const Direction& d, const Vec3<T>* x) {
  if (d.kind == Direction::Kind::plain) return x[0];
  if (d.kind == Direction::Kind::tangent) return (T(1) / sqrt(dot(x[0], x[0]))) * x[0];
  Vec3<T> e[3];
  frame_axes(d.rule, x, e);
  return T(d.share[0]) * e[0] + T(d.share[1]) * e[1] + T(d.share[2]) * e[2];
}

double plain(double x) { return x; }
double plain(const HyperDual& x) { return x.v; }

template <class T>
T evaluate(const Part& part, const Vec3<T>* x, const std::vector<double>* near) {
  switch (part.kind) {
    case Part::Kind::linear:
      return T(part.along[0]) * x[0][0] + T(part.along[1]) * x[0][1] + T(part.along[2]) * x[0][2];
    case Part::Kind::distance:
      return (dot(x[0], x[0]) - T(part.length * part.length)) * T(0.5 / part.length);
    case Part::Kind::dot: {
      const Vec3<T> a = direction_of(part.factors[0], x);
      const Vec3<T> b = direction_of(part.factors[1], x + part.factors[0].arguments.size());
      return dot(a, b);
    }
    case Part::Kind::angle: {
      T sum(0);
      for (std::size_t k = 0; k < part.ratios.size(); ++k) {
        Vec3<T> d[3];
        for (int i = 0; i < 3; ++i) {
          const Direction& direction = part.factors[3 * k + i];
          d[i] = direction_of(direction, x);
          x += direction.arguments.size();
        }
        T theta = atan2(dot(d[2], d[1]), dot(d[2], d[0]));
        if (near) {
          const double turn = 2 * std::numbers::pi;
          theta = theta + T(turn * std::round(((*near)[part.angles[k]] - plain(theta)) / turn));
        }
        sum = sum + T(part.ratios[k]) * theta;
      }
      return sum;
    }
  }
  return T(0);
}

bool closed_form(const Part& part) {
  if (part.kind == Part::Kind::angle) return false;
  return std::all_of(part.factors.begin(), part.factors.end(),
                     [](const Direction& d) { return d.kind == Direction::Kind::plain; });
}

}  // namespace

double part_value(const Part& part, const Vec3<double>* x, const std::vector<double>& near) {
  return evaluate<double>(part, x, near.empty() ? nullptr : &near);
}

double part_gradient(const Part& part, const Vec3<double>* x, const std::vector<double>& near, Vec3<double>* gradient) {
  switch (part.kind) {
    case Part::Kind::linear:
      gradient[0] = part.along;
      return dot(part.along, x[0]);
    case Part::Kind::distance: {
      const double r = 1 / part.length;
      gradient[0] = r * x[0];
      return 0.5 * r * (dot(x[0], x[0]) - part.length * part.length);
    }
    default:
      break;
  }
  if (closed_form(part)) {
    gradient[0] = x[1];
    gradient[1] = x[0];
    return dot(x[0], x[1]);
  }
  const int n = part.count();
  Vec3<HyperDual> y[largest_argument_count];
  for (int i = 0; i < n; ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = HyperDual(x[i][m]);
  // Two derivatives at a time.
  HyperDual value;
  for (int k = 0; k < 3 * n; k += 2) {
    HyperDual &first = y[k / 3][k % 3], *second = k + 1 < 3 * n ? &y[(k + 1) / 3][(k + 1) % 3] : nullptr;
    first.a = 1;
    if (second) second->b = 1;
    value = evaluate<HyperDual>(part, y, near.empty() ? nullptr : &near);
    gradient[k / 3][k % 3] = value.a;
    if (second) gradient[(k + 1) / 3][(k + 1) % 3] = value.b;
    first.a = 0;
    if (second) second->b = 0;
  }
  return value.v;
}

void part_hessian(const Part& part, const Vec3<double>* x, Mat3<double>* hessian) {
  const int n = part.count();
  std::fill(hessian, hessian + n * n, Mat3<double>{});
  const auto diagonal = [&](int i, int j, double value) {
    for (int m = 0; m < 3; ++m) hessian[i * n + j][m][m] = value;
  };
  if (part.kind == Part::Kind::linear) return;
  if (part.kind == Part::Kind::distance) return diagonal(0, 0, 1 / part.length);
  if (closed_form(part)) {
    diagonal(0, 1, 1);
    diagonal(1, 0, 1);
    return;
  }
  Vec3<HyperDual> y[largest_argument_count];
  for (int i = 0; i < n; ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = HyperDual(x[i][m]);
  for (int k = 0; k < 3 * n; ++k)
    for (int l = k; l < 3 * n; ++l) {
      y[k / 3][k % 3].a = 1;
      y[l / 3][l % 3].b = 1;
      const double second = evaluate<HyperDual>(part, y, nullptr).ab;
      y[k / 3][k % 3].a = 0;
      y[l / 3][l % 3].b = 0;
      hessian[(k / 3) * n + l / 3][k % 3][l % 3] = second;
      hessian[(l / 3) * n + k / 3][l % 3][k % 3] = second;
    }
}

double part_curvature(const Part& part, const Vec3<double>* x, const Vec3<double>* u) {
  if (part.kind == Part::Kind::linear) return 0;
  if (part.kind == Part::Kind::distance) return dot(u[0], u[0]) / part.length;
  if (closed_form(part)) return 2 * dot(u[0], u[1]);
  Vec3<HyperDual> y[largest_argument_count];
  for (int i = 0; i < part.count(); ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = HyperDual(x[i][m], u[i][m], u[i][m]);
  return evaluate<HyperDual>(part, y, nullptr).ab;
}

Vec3<double> direction_value(const Direction& direction, const std::vector<double>& q) {
  Vec3<double> x[most_frame_arguments];
  for (std::size_t i = 0; i < direction.arguments.size(); ++i) x[i] = direction.arguments[i].value(q);
  return direction_of(direction, x);
}

double angle_value(const Angle& angle, const std::vector<double>& q, double near) {
  const Vec3<double> b = direction_value(angle.b, q);
  const double theta = std::atan2(dot(b, direction_value(angle.a2, q)), dot(b, direction_value(angle.a1, q)));
  const double turn = 2 * std::numbers::pi;
  return theta + turn * std::round((near - theta) / turn);
}

}  // namespace lithe
