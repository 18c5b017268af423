#include "lithe/elements/continuum.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/elements/beam3243.h"
#include "lithe/elements/cable.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/hexa3843.h"
#include "lithe/elements/shell3443.h"

namespace lithe {

PointMap map_point(const ContinuumBatch& batch, int element, const double* dS, double weight, double angle) {
  const int N = vector_count(batch.kind);
  const double* reference = &batch.reference[std::size_t(3) * N * element];
  const double* half_size = &batch.half_size[std::size_t(3) * element];
  Mat3<double> J{};
  for (int i = 0; i < N; ++i) {
    const double s = vector_scale(half_size, i);
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

int vector_count(ElementKind kind) {
  const ElementInfo& info = element_info(kind);
  return info.nodes * info.node_vectors;
}

double vector_scale(ElementKind kind, const double* half_size, int i) {
  if (!is_flexible(kind)) return 1.0;
  if (kind == ElementKind::cable) return i % 2 == 0 ? 1.0 : half_size[0];
  return vector_scale(half_size, i);
}

namespace {

void rigid_shape(ElementKind kind, const double* xi, double* S) {
  S[0] = kind == ElementKind::bar ? 0.5 * (1 - xi[0]) : 1.0;
  if (kind == ElementKind::bar) S[1] = 0.5 * (1 + xi[0]);
  if (kind == ElementKind::rigid) std::copy(xi, xi + 3, S + 1);
}
void rigid_derivatives(ElementKind kind, double* dS) {
  std::fill(dS, dS + 3 * vector_count(kind), 0.0);
  if (kind == ElementKind::bar) {
    dS[0] = -0.5;
    dS[3] = 0.5;
  }
  if (kind == ElementKind::rigid) dS[3] = dS[7] = dS[11] = 1;
}

}  // namespace

void shape_functions(ElementKind kind, const double* xi, double* S) {
  if (!is_flexible(kind)) return rigid_shape(kind, xi, S);
  if (kind == ElementKind::cable) return Cable::shape(xi, S);
  with_kind(kind, [&](auto k) { decltype(k)::template shape<double>(xi, S); });
}

void shape_derivatives(ElementKind kind, const double* xi, double* dS) {
  if (!is_flexible(kind)) return rigid_derivatives(kind, dS);
  if (kind == ElementKind::cable) {
    double first[Cable::N];
    Cable::shape_first(xi[0], first);
    for (int i = 0; i < Cable::N; ++i) {
      dS[3 * i] = first[i];
      dS[3 * i + 1] = dS[3 * i + 2] = 0;
    }
    return;
  }
  with_kind(kind, [&](auto k) {
    double d[decltype(k)::N][3];
    decltype(k)::template derivative<double>(xi, d);
    std::copy(&d[0][0], &d[0][0] + sizeof d / sizeof(double), dS);
  });
}

std::array<double, 3> element_corner(ElementKind kind, int node) {
  if (kind == ElementKind::rigid || kind == ElementKind::point) return {0, 0, 0};
  if (kind == ElementKind::cable || kind == ElementKind::bar) return {node == 0 ? -1.0 : 1.0, 0, 0};
  return with_kind(kind, [&](auto k) {
    const double* c = decltype(k)::corner[node];
    return std::array<double, 3>{c[0], c[1], c[2]};
  });
}

std::vector<double> shape_derivatives(const ContinuumBatch& batch) {
  const int N = vector_count(batch.kind);
  std::vector<double> dS(batch.points.size() * 3 * N);
  for (std::size_t p = 0; p < batch.points.size(); ++p)
    shape_derivatives(batch.kind, batch.points[p].xi.data(), &dS[p * 3 * N]);
  return dS;
}

}  // namespace lithe
