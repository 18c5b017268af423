#include "lithe/linalg/dense_pencil.h"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

extern "C" {
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info, std::size_t, std::size_t);
}

namespace lithe {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of a matrix scaled to a unit diagonal: below this share of the largest eigenvalue a direction has no R.
constexpr double no_share = 1e-11;
// Of G: rows that the others imply.
constexpr double no_rank = 1e-10;

// Ascending; `a` becomes the vectors.
VectorXd eigenvalues(MatrixXd& a) {
  const int n = static_cast<int>(a.rows());
  VectorXd w(n);
  if (n == 0) return w;
  int info = 0, lwork = -1, liwork = -1, small = 0;
  double best = 0;
  dsyevd_("V", "U", &n, a.data(), &n, w.data(), &best, &lwork, &small, &liwork, &info, 1, 1);
  lwork = static_cast<int>(best);
  liwork = small;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> integers(static_cast<std::size_t>(liwork));
  dsyevd_("V", "U", &n, a.data(), &n, w.data(), work.data(), &lwork, integers.data(), &liwork, &info, 1, 1);
  if (info != 0) throw RunError("LAPACK's dsyevd did not converge (info " + std::to_string(info) + ")");
  return w;
}

MatrixXd full(const BorderedPencil& pencil, const Combination& form) {
  const SparsePattern& pattern = pencil.pattern();
  MatrixXd a = MatrixXd::Zero(pattern.size, pattern.size);
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      a(pattern.row[p], j) = a(j, pattern.row[p]) = form.a * pencil.A()[p] + form.b * pencil.B()[p];
  return a;
}

// Columns: an orthonormal basis of G x = 0.
MatrixXd null_space(const BorderedPencil& pencil) {
  const int n = pencil.size(), m = pencil.rows();
  if (m == 0) return MatrixXd::Identity(n, n);
  MatrixXd transposed = MatrixXd::Zero(n, m);
  const RowPattern& rows = pencil.row_pattern();
  for (int r = 0; r < m; ++r) {
    for (int e = rows.row_start[r]; e < rows.row_start[r + 1]; ++e) transposed(rows.column[e], r) = pencil.G()[e];
    const double length = transposed.col(r).norm();
    if (length > 0) transposed.col(r) /= length;
  }
  Eigen::ColPivHouseholderQR<MatrixXd> qr(transposed);
  qr.setThreshold(no_rank);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

}  // namespace

Eigenpairs dense_eigenpairs(const BorderedPencil& pencil, const Combination& L, const Combination& R) {
  const SingleThreadedBlas one_thread;
  const MatrixXd Z = null_space(pencil);
  MatrixXd left = Z.transpose() * full(pencil, L) * Z, right = Z.transpose() * full(pencil, R) * Z;
  const Eigen::Index d = Z.cols();
  VectorXd scale(d);
  const double largest = d > 0 ? right.diagonal().cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < d; ++i) {
    const double x = right(i, i);
    scale[i] = x > 1e-14 * largest ? 1 / std::sqrt(x) : largest > 0 ? 1 / std::sqrt(largest) : 1;
  }
  left = scale.asDiagonal() * left * scale.asDiagonal();
  right = scale.asDiagonal() * right * scale.asDiagonal();
  MatrixXd V = 0.5 * (right + right.transpose());
  const VectorXd share = eigenvalues(V);
  Eigen::Index without = 0;
  while (without < d && !(share[without] > no_share * std::max(1.0, share[d - 1]))) ++without;
  const Eigen::Index with = d - without;
  if (with == 0) return {};

  // x = T y + V0 z with T = V1 share^-1/2 and z of no R: L00 z = -L01 y.
  MatrixXd T = V.rightCols(with) * share.tail(with).cwiseSqrt().cwiseInverse().asDiagonal();
  MatrixXd condensed = T.transpose() * left * T;
  if (without > 0) {
    const MatrixXd V0 = V.leftCols(without);
    MatrixXd modes = V0.transpose() * left * V0;
    const MatrixXd coupling = V0.transpose() * left * T;
    modes = 0.5 * (modes + modes.transpose()).eval();
    VectorXd stiff = eigenvalues(modes);
    const double most = stiff.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < without; ++i)  // neither stiffness nor R: nothing depends on it
      stiff[i] = std::abs(stiff[i]) > 1e-12 * most ? 1 / stiff[i] : 0;
    const MatrixXd follow = modes * (stiff.asDiagonal() * (modes.transpose() * coupling));
    condensed -= coupling.transpose() * follow;
    T -= V0 * follow;
  }
  condensed = 0.5 * (condensed + condensed.transpose()).eval();
  const VectorXd values = eigenvalues(condensed);
  const MatrixXd vectors = Z * (scale.asDiagonal() * (T * condensed));
  Eigenpairs pairs;
  for (Eigen::Index k = 0; k < with; ++k) {
    pairs.values.push_back(values[k]);
    pairs.vectors.emplace_back(vectors.col(k).data(), vectors.col(k).data() + vectors.rows());
  }
  return pairs;
}

}  // namespace lithe
