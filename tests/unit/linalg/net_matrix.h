// The matrix of P3's net in its constraint-based form, flat: M + beta h^2 K of elements that stand alone, joined by
// rows of +1 and -1. Unknowns: 12 of each element, those of the rows first; then 6 multipliers of each joint within a
// line, 3 of each crossing but one, 15 of the corners.
#pragma once

#include <array>
#include <cmath>

#include "matrices.h"

namespace lithe::fixtures {

struct NetMatrix {
  int n = 6;
  double E = 2e7, h = 1e-3;
  double turn = 0.3;  // of the net in its plane: no direction is along an axis
};

inline Matrix net_matrix(const NetMatrix& net) {
  const int n = net.n, elements = 2 * n * (n + 1);
  const double beta = 0.3025, density = 7200, radius = 0.02, pi = 3.14159265358979323846;
  const double area = pi * radius * radius, second_moment = pi * std::pow(radius, 4) / 4;
  Entries entries;
  const auto put = [&](int i, int j, double a) {
    entries[{j, i}] = a;
    entries[{i, j}] = a;
  };
  const double points[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)},
               weights[3] = {5. / 18, 8. / 18, 5. / 18};
  const double mass[4][4] = {{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
  for (int e = 0; e < elements; ++e) {
    const bool column = e >= elements / 2;
    const double angle = net.turn + (column ? pi / 2 : 0);
    const std::array<double, 3> d{std::cos(angle), std::sin(angle), 0};
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        double stretch = 0, bend = 0;
        for (int q = 0; q < 3; ++q) {
          const double x = points[q];
          const double first[4] = {-6 * x + 6 * x * x, 1 - 4 * x + 3 * x * x, 6 * x - 6 * x * x, -2 * x + 3 * x * x};
          const double second[4] = {-6 + 12 * x, -4 + 6 * x, 6 - 12 * x, -2 + 6 * x};
          stretch += weights[q] * first[a] * first[b];
          bend += weights[q] * second[a] * second[b];
        }
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const double along = d[i] * d[j], across = (i == j ? 1 : 0) - along;
            put(12 * e + 3 * a + i, 12 * e + 3 * b + j,
                (i == j ? density * area * mass[a][b] / 420 : 0) +
                    beta * net.h * net.h * net.E * (area * stretch * along + second_moment * bend * across));
          }
      }
  }
  int row = 12 * elements;
  // Element k of line l, lines of rows first.
  const auto element = [&](bool column, int line, int k) { return (column ? elements / 2 : 0) + line * n + k; };
  // Where the position at crossing k of a line stands.
  const auto place = [&](bool column, int line, int k) {
    return 12 * element(column, line, std::min(k, n - 1)) + (k == n ? 6 : 0);
  };
  const auto tie = [&](int a, int b) {
    put(row, a, 1);
    if (b >= 0) put(row, b, -1);
    put(row, row, 0);
    ++row;
  };
  for (const bool column : {false, true})
    for (int line = 0; line <= n; ++line)
      for (int k = 0; k + 1 < n; ++k)
        for (int i = 0; i < 6; ++i) tie(12 * element(column, line, k) + 6 + i, 12 * element(column, line, k + 1) + i);
  for (int y = 0; y <= n; ++y)
    for (int x = 0; x <= n; ++x)
      for (int i = 0; i < 3; ++i) {
        const int a = place(false, y, x) + i, b = place(true, x, y) + i;
        if (x == 0 && y == 0) tie(a, -1), tie(b, -1);
        else tie(a, b);
        if ((x == 0 || x == n) && (y == 0 || y == n) && (x > 0 || y > 0)) tie(a, -1);
      }
  return assemble(row, entries, true);
}

}  // namespace lithe::fixtures
