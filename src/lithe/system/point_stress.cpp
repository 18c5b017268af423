#include "lithe/system/point_stress.h"

#include <algorithm>
#include <cmath>

#include "lithe/elements/continuum_plain.h"

namespace lithe {

namespace {

void add_cauchy(const Mat3<double>& F, PointStress& s) {
  const Mat3<double> P = first_piola(F, s.second_piola);
  const double J = det(F);
  auto sigma = [&](int m, int n) { return (P[m][0] * F[n][0] + P[m][1] * F[n][1] + P[m][2] * F[n][2]) / J; };
  const double xx = sigma(0, 0), yy = sigma(1, 1), zz = sigma(2, 2), yz = sigma(1, 2), xz = sigma(0, 2),
               xy = sigma(0, 1);
  const double cauchy[6] = {xx, yy, zz, yz, xz, xy};
  std::copy(cauchy, cauchy + 6, s.cauchy);
  s.von_mises = std::sqrt(0.5 * ((xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx)) +
                          3 * (yz * yz + xz * xz + xy * xy));
}

}  // namespace

PointStress point_stress(const Law& law, const Mat3<double>& F, const Mat3<double>& rate) {
  PointStress s;
  Mat3<double> H;
  for (int m = 0; m < 3; ++m)
    for (int a = 0; a < 3; ++a) H[m][a] = 0.5 * F[m][a];
  strain(F, H, s.green_lagrange);
  for (int m = 0; m < 3; ++m)
    for (int a = 0; a < 3; ++a) H[m][a] += law.tau * rate[m][a];
  double viscous[6];
  strain(F, H, viscous);
  stress(law, viscous, s.second_piola);
  add_cauchy(F, s);
  return s;
}

PointStress point_stress(const Law& law, const double* E, const double* rate, const Mat3<double>& F) {
  PointStress s;
  std::copy(E, E + 6, s.green_lagrange);
  double viscous[6];
  for (int k = 0; k < 6; ++k) viscous[k] = E[k] + law.tau * rate[k];
  stress(law, viscous, s.second_piola);
  add_cauchy(F, s);
  return s;
}

}  // namespace lithe
