// The three sparse operations of P4, table 2, for the N-four-bar mechanism of P4, section 2: by Lithe's pre-analysed
// operations, by Eigen and by Boost uBLAS, behind one interface. Tests compare the results, `lithe bench linalg` the
// times.
//
// N loops: points B_0 to B_N with coordinates x_i, y_i (2 N + 2 variables); rods A_i B_i with A_i = (i, 0) on the
// ground (two entries per row of the Jacobian) and rods B_{i-1} B_i (four entries): 2 N + 1 constraints.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace lithe::app {

// Rod lengths squared minus one, differentiated; rows in the order of the chain.
template <class Write>
void four_bar_jacobian(int loops, const double* q, Write& write) {
  int row = 0;
  for (int i = 0; i <= loops; ++i) {
    const int x = 2 * i, y = x + 1;
    write(row, x, 2 * (q[x] - i));
    write(row, y, 2 * q[y]);
    ++row;
    if (i == 0) continue;
    const double dx = 2 * (q[x] - q[x - 2]), dy = 2 * (q[y] - q[y - 2]);
    write(row, x - 2, -dx);
    write(row, y - 2, -dy);
    write(row, x, dx);
    write(row, y, dy);
    ++row;
  }
}

// Mass matrix of the rods, 1 kg and 1 m each: m/3 at the ends, m/6 between them (planar natural coordinates).
template <class Write>
void four_bar_mass(int loops, Write&& write) {
  for (int i = 0; i <= loops; ++i)
    for (int c = 0; c < 2; ++c) {
      const int k = 2 * i + c;
      const double rods = 1 + (i > 0) + (i < loops);
      write(k, k, rods / 3);
      if (i > 0) write(k, k - 2, 1.0 / 6);
      if (i > 0) write(k - 2, k, 1.0 / 6);
    }
}

class SparseOperations {
 public:
  virtual ~SparseOperations() = default;
  virtual void normal_product(const std::vector<double>& a) = 0;  // 1) N = J^T diag(a) J
  virtual void sum(double t1, double t2) = 0;                     // 2) B = t1 M + t2 N
  virtual void jacobian(const std::vector<double>& q) = 0;        // 3) J(q), every entry by its row and column

  // Dense, by rows; of a symmetric matrix both triangles, whatever is stored.
  virtual std::vector<double> dense_jacobian() const = 0;  // [2 N + 1][2 N + 2]
  virtual std::vector<double> dense_product() const = 0;   // [2 N + 2][2 N + 2]
  virtual std::vector<double> dense_sum() const = 0;
};

// lithe (upper triangle), lithe_full (both triangles), eigen, ublas (prod, operator+, operator()), ublas_sparse
// (axpy_prod into a matrix that keeps its storage: what an expert would write).
const std::vector<std::string>& sparse_operations();
std::unique_ptr<SparseOperations> make_sparse_operations(const std::string& name, int loops);

// uBLAS alone, in a file of its own: Boost 1.74 does not compile as C++20.
std::unique_ptr<SparseOperations> make_ublas_operations(int loops, bool sparse);

// The mechanism at rest as in P4, figure 1: B_i = (i, 1), moved a little so that no entry vanishes.
std::vector<double> four_bar_position(int loops);

}  // namespace lithe::app
