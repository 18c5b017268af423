#include "lithe/reduction/shape.h"

#include <Eigen/Dense>
#include <algorithm>

namespace lithe {

namespace {

void put(double* x, int i, const Vec3<double>& y) {
  for (int m = 0; m < 3; ++m) x[3 * i + m] = y[m];
}

}  // namespace

void Shape::finish() {
  // Positions add up to 1 at every point, so their rows of M are what each vector's share of the mass is.
  total_mass = 0;
  Vec3<double> first{};
  Mat3<double> second{};
  for (int i = 0; i < vectors(); ++i)
    for (int k = mass_start[i]; k < mass_start[i + 1]; ++k) {
      const int j = mass_column[k];
      if (position[i] && position[j]) total_mass += mass[k];
      if (position[i]) first = first + mass[k] * Z[j];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) second[a][b] += mass[k] * Z[i][a] * Z[j][b];
    }
  if (total_mass <= 0) return;
  centre = (1 / total_mass) * first;
  double trace = 0;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) second[a][b] -= total_mass * centre[a] * centre[b];
    trace += second[a][a];
  }
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) inertia[a][b] = (a == b ? trace : 0) - second[a][b];
}

Mat3<double> Shape::mean_gradient(const double* q) const {
  Mat3<double> F{};
  for (int i = 0; i < vectors(); ++i) {
    // From the first node on: far from the origin the weights of positions, which add up to 0, would leave rounding.
    const Vec3<double> x = position[i] ? vector_at(q, i) - vector_at(q, 0) : vector_at(q, i);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) F[a][b] += x[a] * gradient[i][b];
  }
  return F;
}

void Shape::multiply_mass(const double* x, double* y) const {
  for (int i = 0; i < vectors(); ++i) {
    Vec3<double> sum{};
    for (int k = mass_start[i]; k < mass_start[i + 1]; ++k) sum = sum + mass[k] * vector_at(x, mass_column[k]);
    put(y, i, sum);
  }
}

void Shape::reduce() {
  const int n = size(), r = base.count();
  const std::vector<double>& E = base.vectors;
  std::vector<double> image(E.size());
  const auto project = [&](std::vector<double>& to) {
    using Matrix = Eigen::Map<const Eigen::MatrixXd>;
    to.resize(static_cast<std::size_t>(r) * r);
    Eigen::Map<Eigen::MatrixXd>(to.data(), r, r).noalias() =
        Matrix(E.data(), n, r).transpose() * Matrix(image.data(), n, r);
  };
  for (int k = 0; k < r; ++k)
    multiply_mass(&E[static_cast<std::size_t>(n) * k], &image[static_cast<std::size_t>(n) * k]);
  project(reduced_mass);
  projector = modal ? image : E;
  project_rates(image);
  for (const bool viscous : {false, true}) {
    const std::vector<double>& values = viscous ? viscosity : stiffness;
    if (values.empty()) continue;
    for (int k = 0; k < r; ++k)
      multiply(values, &E[static_cast<std::size_t>(n) * k], &image[static_cast<std::size_t>(n) * k]);
    project(viscous ? reduced_viscosity : reduced_stiffness);
  }
}

// From M E: what turned modes have in common with the modes, and rates with both.
void Shape::project_rates(const std::vector<double>& moved_mass) {
  using Matrix = Eigen::MatrixXd;
  using AxisOf = Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, 3>>;
  const int n = size(), r = base.count();
  const Eigen::LLT<Matrix> mass_of(Eigen::Map<const Matrix>(reduced_mass.data(), r, r));
  const Eigen::Map<const Matrix> image(moved_mass.data(), n, r);
  rate_projector.resize(base.vectors.size());
  Eigen::Map<Matrix>(rate_projector.data(), n, r) = mass_of.solve(image.transpose()).transpose();
  turned.resize(9ul * r * r);
  Eigen::Map<Matrix> all(turned.data(), 9l * r, r);
  const auto axis = [&](const double* x, int a) {
    return AxisOf(x + a, n / 3, r, Eigen::Stride<Eigen::Dynamic, 3>(n, 3));
  };
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      all.middleRows((3 * a + b) * r, r) = axis(rate_projector.data(), a).transpose() * axis(base.vectors.data(), b);
  // Of a modal base the six rigid rates, which come first, go by themselves.
  for (int k = 0; modal && k < 9; ++k) all.block(k * r, 6, 6, r - 6).setZero();
  mode_gradient.clear();
  for (int k = 0; k < r; ++k) mode_gradient.push_back(mean_gradient(&base.vectors[static_cast<std::size_t>(n) * k]));
}

void Shape::multiply(const std::vector<double>& values, const double* x, double* y) const {
  std::fill(y, y + size(), 0.0);
  for (int j = 0; j < size(); ++j) {
    double sum = 0;
    const double xj = x[j];
    int p = pattern.column_start[j];
    const int last = pattern.column_start[j + 1];
    for (; p < last && pattern.row[p] < j; ++p) {
      const int i = pattern.row[p];
      sum += values[p] * x[i];
      y[i] += values[p] * xj;
    }
    for (; p < last; ++p) sum += values[p] * x[pattern.row[p]];
    y[j] += sum;
  }
}

void Shape::turn_back(const Mat3<double>& R, const double* x, const double* origin, double* y) const {
  const Mat3<double> back = transpose(R);
  const Vec3<double> o = origin ? vector_at(origin, 0) : Vec3<double>{};
  for (int i = 0; i < vectors(); ++i) put(y, i, back * (origin && position[i] ? vector_at(x, i) - o : vector_at(x, i)));
}

void Shape::turn(const Mat3<double>& R, const double* x, double* y) const {
  for (int i = 0; i < vectors(); ++i) put(y, i, R * vector_at(x, i));
}

void Shape::deformation(const Mat3<double>& R, const double* q, double* d) const {
  turn_back(R, q, q, d);
  for (int i = 0; i < vectors(); ++i)
    for (int m = 0; m < 3; ++m) d[3 * i + m] -= Z[i][m];
}

}  // namespace lithe
