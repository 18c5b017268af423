// Sparse matrices for the tests of linear algebra.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "lithe/linalg/sparse.h"

namespace lithe::fixtures {

struct Matrix {
  SparsePattern pattern;
  std::vector<double> values;
};

using Entries = std::map<std::pair<int, int>, double>;  // (column, row)

inline Matrix assemble(int n, const Entries& entries, bool symmetric) {
  Matrix m;
  m.pattern = {n, std::vector<std::int32_t>(n + 1, 0), {}, symmetric};
  for (const auto& [place, value] : entries) {
    if (symmetric && place.second > place.first) continue;
    ++m.pattern.column_start[place.first + 1];
    m.pattern.row.push_back(place.second);
    m.values.push_back(value);
  }
  for (int j = 0; j < n; ++j) m.pattern.column_start[j + 1] += m.pattern.column_start[j];
  return m;
}

// Chain of blocks with random coupling; `shift` on the diagonal.
inline Matrix random_matrix(int n, bool symmetric, double shift, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Entries entries;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < 5; ++k) {
      const int i = std::uniform_int_distribution<int>(std::max(0, j - 20), std::min(n - 1, j + 20))(engine);
      const double a = uniform(engine);
      entries[{j, i}] = a;
      entries[{i, j}] = symmetric ? a : uniform(engine);
    }
  }
  for (int j = 0; j < n; ++j) entries[{j, j}] = shift + uniform(engine);
  return assemble(n, entries, symmetric);
}

// Stiffness of n masses between springs: positive definite, or singular when both ends are free.
inline Matrix springs(int n, bool free_ends) {
  Entries entries;
  for (int i = 0; i < n; ++i) {
    entries[{i, i}] = (free_ends && (i == 0 || i == n - 1)) ? 1 : 2;
    if (i > 0) entries[{i, i - 1}] = -1;
  }
  return assemble(n, entries, true);
}

inline std::vector<double> random_vector(int n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(n);
  for (double& a : x) a = uniform(engine);
  return x;
}

// [K G^T; G 0]: K positive definite of size n, G of m independent sparse rows. The diagonal of the lower block is
// stored and zero, as assembled matrices have it. Symmetric storage or both triangles.
inline Matrix saddle_point(int n, int m, bool symmetric, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Entries entries;
  const auto put = [&](int i, int j, double a) { entries[{j, i}] = entries[{i, j}] = a; };
  for (int i = 0; i < n; ++i) {
    put(i, i, 4 + uniform(engine));
    if (i > 0) put(i, i - 1, uniform(engine));
  }
  for (int k = 0; k < m; ++k) {
    put(n + k, n + k, 0);
    put(n + k, k * n / m, 1 + uniform(engine) / 4);
    put(n + k, (k * n / m + 1) % n, uniform(engine) / 4);
  }
  return assemble(n + m, entries, symmetric);
}

}  // namespace lithe::fixtures
