// The plain twin of every strategy: internal force, strain energy and stress of one continuum element, point by point,
// over any scalar type. Nothing is precomputed and nothing is fast; Dual makes it the oracle of the tangents.
#pragma once

#include "lithe/elements/continuum.h"

namespace lithe {

// dr/d(xi) contracted with B: deformation gradient in the material frame; x is [N][3].
template <class T>
Mat3<T> deformation_gradient(ElementKind kind, const double* dS, const double* half_size, const Mat3<double>& B,
                             const T* x) {
  const int N = vector_count(kind);
  Mat3<T> G;
  for (int m = 0; m < 3; ++m)
    for (int a = 0; a < 3; ++a) {
      T sum = T(0.0);
      for (int i = 0; i < N; ++i) sum += (vector_scale(kind, half_size, i) * dS[3 * i + a]) * x[3 * i + m];
      G[m][a] = sum;
    }
  Mat3<T> F;
  for (int m = 0; m < 3; ++m)
    for (int a = 0; a < 3; ++a) F[m][a] = G[m][0] * B[0][a] + G[m][1] * B[1][a] + G[m][2] * B[2][a];
  return F;
}

template <class T>
void plain_force(const ContinuumBatch& batch, int element, const T* e, const T* v, T* f) {
  const int N = vector_count(batch.kind);
  const double* half = &batch.half_size[3 * element];
  double dS[3 * most_vectors];
  for (int k = 0; k < 3 * N; ++k) f[k] = T(0.0);
  for (const auto& point : batch.points) {
    shape_derivatives(batch.kind, point.xi.data(), dS);
    const PointMap map = map_point(batch, element, dS, point.weight, point.angle);
    const Law& law = batch.laws[point.law];
    const Mat3<T> F = deformation_gradient(batch.kind, dS, half, map.B, e);
    const Mat3<T> rate = deformation_gradient(batch.kind, dS, half, map.B, v);
    Mat3<T> H;
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) H[m][a] = 0.5 * F[m][a] + law.tau * rate[m][a];
    T E[6], S[6];
    strain(F, H, E);
    stress(law, E, S);
    const Mat3<T> P = first_piola(F, S);
    for (int i = 0; i < N; ++i) {
      const double s = vector_scale(batch.kind, half, i) * map.volume;
      for (int m = 0; m < 3; ++m)
        for (int a = 0; a < 3; ++a) {
          double d = 0;
          for (int b = 0; b < 3; ++b) d += dS[3 * i + b] * map.B[b][a];
          f[3 * i + m] += P[m][a] * (s * d);
        }
    }
  }
}

template <class T>
T plain_energy(const ContinuumBatch& batch, int element, const T* e) {
  const double* half = &batch.half_size[3 * element];
  double dS[3 * most_vectors];
  T energy = T(0.0);
  for (const auto& point : batch.points) {
    shape_derivatives(batch.kind, point.xi.data(), dS);
    const PointMap map = map_point(batch, element, dS, point.weight, point.angle);
    const Mat3<T> F = deformation_gradient(batch.kind, dS, half, map.B, e);
    Mat3<T> H;
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) H[m][a] = 0.5 * F[m][a];
    T E[6], S[6];
    strain(F, H, E);
    stress(batch.laws[point.law], E, S);
    for (int k = 0; k < 6; ++k) energy += (0.5 * map.volume) * (E[k] * S[k]);
  }
  return energy;
}

}  // namespace lithe
