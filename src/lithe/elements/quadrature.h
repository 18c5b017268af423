// Gauss-Legendre rules on [-1, 1].
#pragma once

#include <vector>

namespace lithe {

struct GaussRule {
  std::vector<double> x, w;
};

// n points, exact for polynomials of degree 2n-1; any n >= 1.
GaussRule gauss_rule(int n);

}  // namespace lithe
