// Gauss-Legendre rules on [-1, 1], and rules of the tetrahedron xi, eta, zeta >= 0, xi + eta + zeta <= 1.
#pragma once

#include <array>
#include <vector>

namespace lithe {

struct GaussRule {
  std::vector<double> x, w;
};

// n points, exact for polynomials of degree 2n-1; any n >= 1.
GaussRule gauss_rule(int n);

struct TetrahedronRule {
  std::vector<std::array<double, 3>> x;
  std::vector<double> w;  // they add up to 1/6
};
// 1 point (degree 1) or 4 (degree 2), all alike.
TetrahedronRule tetrahedron_rule(int points);
// A cube's rule with n points along each edge, collapsed: degree 2n-3.
TetrahedronRule collapsed_rule(int n);

}  // namespace lithe
