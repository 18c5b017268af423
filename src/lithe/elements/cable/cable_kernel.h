// Batch of cables: data, kernel (SIMD packs, the one strategy of this element), mass and energy.
#pragma once

#include <memory>
#include <vector>

#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/cable/cable_element.h"

namespace lithe {

struct CableBatch {
  std::vector<double> length;      // [element]  m
  double EA = 0, EI = 0, tau = 0;  // N, N m^2, s
  double line_density = 0;         // kg/m
  int axial_points = 5, bending_points = 3;
};

// The points of one cable of length L.
std::vector<CablePoint> cable_points(int points, double length);
CableLaw cable_law(const CableBatch& batch);

// The plain twin over any scalar type.
template <class T>
void plain_cable_force(const CableBatch& batch, int element, const T* e, const T* v, T* f) {
  const double L = batch.length[element];
  for (int k = 0; k < 12; ++k) f[k] = T(0.0);
  for (const CablePoint& p : cable_points(batch.axial_points, L))
    cable_axial_force(cable_law(batch), p.S1, p.weight, e, v, f);
  for (const CablePoint& p : cable_points(batch.bending_points, L))
    cable_bending_force(cable_law(batch), p.S1, p.S2, p.weight, e, v, f);
}

template <class T>
T plain_cable_energy(const CableBatch& batch, int element, const T* e) {
  const double L = batch.length[element];
  T energy = T(0.0);
  for (const CablePoint& p : cable_points(batch.axial_points, L)) {
    const Vec3<T> u = cable_field(p.S1, e);
    const T strain = 0.5 * (dot(u, u) - 1.0);
    energy += (0.5 * batch.EA * p.weight) * (strain * strain);
  }
  for (const CablePoint& p : cable_points(batch.bending_points, L)) {
    Vec3<T> phi_u, phi_w;
    energy += (batch.EI * p.weight) * curvature_gradient(cable_field(p.S1, e), cable_field(p.S2, e), phi_u, phi_w);
  }
  return energy;
}

std::unique_ptr<BatchKernel> make_cable_kernel(const CableBatch& batch, TangentForm form);

}  // namespace lithe
