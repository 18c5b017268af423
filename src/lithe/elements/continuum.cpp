#include "lithe/elements/continuum.h"

#include <cmath>

namespace lithe {

PointMap map_point(const ContinuumBatch& batch, int element, const double* dS, double weight, double angle) {
  const int N = vector_count(batch.kind);
  const double* reference = &batch.reference[std::size_t(3) * N * element];
  const double* half_size = &batch.half_size[std::size_t(3) * element];
  Mat3<double> J{};
  for (int i = 0; i < N; ++i) {
    const double s = vector_scale(batch.kind, half_size, i);
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) J[m][a] += s * reference[3 * i + m] * dS[3 * i + a];
  }
  auto normalised = [](const Vec3<double>& x) { return (1.0 / std::sqrt(dot(x, x))) * x; };
  const bool global = batch.axes == MaterialAxes::global;
  const Vec3<double> a = global ? Vec3<double>{{1, 0, 0}} : normalised(column(J, 0));
  const Vec3<double> y = global ? Vec3<double>{{0, 1, 0}} : column(J, 1);
  const Vec3<double> b = normalised(y - dot(y, a) * a);
  const Vec3<double> c = cross(a, b);
  const double cs = std::cos(angle), sn = std::sin(angle);
  PointMap map;
  for (int m = 0; m < 3; ++m) {
    map.R[m][0] = cs * a[m] + sn * b[m];
    map.R[m][1] = cs * b[m] - sn * a[m];
    map.R[m][2] = c[m];
  }
  map.B = inverse(J) * map.R;
  map.volume = weight * det(J);
  return map;
}

std::vector<double> shape_derivatives(const ContinuumBatch& batch) {
  const int N = vector_count(batch.kind);
  std::vector<double> dS(batch.points.size() * 3 * N);
  for (std::size_t p = 0; p < batch.points.size(); ++p)
    shape_derivatives(batch.kind, batch.points[p].xi.data(), &dS[p * 3 * N]);
  return dS;
}

}  // namespace lithe
