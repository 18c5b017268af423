#include "lithe/reduction/base.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

extern "C" void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
                        const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork,
                        int* info);

namespace lithe {

namespace {

using Columns = Eigen::Map<Eigen::MatrixXd>;
using ConstColumns = Eigen::Map<const Eigen::MatrixXd>;

}  // namespace

std::vector<double> rigid_vectors(const std::vector<Vec3<double>>& Z, const std::vector<std::uint8_t>& position) {
  const auto n = Z.size();
  Vec3<double> middle{};
  double nodes = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (position[i]) {
      middle = middle + Z[i];
      ++nodes;
    }
  middle = (1 / nodes) * middle;
  std::vector<double> columns(18 * n, 0.0);
  for (int k = 0; k < 3; ++k) {
    Vec3<double> axis{};
    axis[k] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (position[i]) columns[3 * n * k + 3 * i + k] = 1;
      const Vec3<double> turned = cross(axis, position[i] ? Z[i] - middle : Z[i]);
      for (int m = 0; m < 3; ++m) columns[3 * n * (3 + k) + 3 * i + m] = turned[m];
    }
  }
  orthonormalise(columns, static_cast<int>(3 * n));
  return columns;
}

// Gram-Schmidt, twice over.
void orthonormalise(std::vector<double>& columns, int rows) {
  Columns A(columns.data(), rows, static_cast<Eigen::Index>(columns.size()) / rows);
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    const double before = A.col(k).norm();
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < k; ++j) A.col(k) -= A.col(j).dot(A.col(k)) * A.col(j);
    const double left = A.col(k).norm();
    LITHE_INVARIANT(left > 1e-12 * before);
    A.col(k) /= left;
  }
}

SingularVectors singular_vectors(std::vector<double> columns, int rows, int wanted) {
  const int count = static_cast<int>(columns.size()) / rows, least = std::min(rows, count);
  LITHE_INVARIANT(wanted <= least);
  SingularVectors result;
  result.values.resize(least);
  std::vector<double> U(static_cast<std::size_t>(rows) * least), Vt(static_cast<std::size_t>(least) * count), work(1);
  std::vector<int> integers(8ul * least);
  int length = -1, info = 0;
  for (int pass = 0; pass < 2; ++pass) {
    dgesdd_("S", &rows, &count, columns.data(), &rows, result.values.data(), U.data(), &rows, Vt.data(), &least,
            work.data(), &length, integers.data(), &info);
    if (pass == 0) {
      length = static_cast<int>(work[0]);
      work.resize(length);
    }
  }
  if (info != 0) throw RunError("the singular values of the snapshots were not found; are all of them finite?");
  U.resize(static_cast<std::size_t>(rows) * wanted);
  result.vectors = std::move(U);
  return result;
}

double missing_rigid_motion(const std::vector<double>& rigid, const std::vector<double>& columns, int rows) {
  const ConstColumns R(rigid.data(), rows, 6);
  const ConstColumns E(columns.data(), rows, static_cast<Eigen::Index>(columns.size()) / rows);
  const Eigen::MatrixXd left = R - E * (E.transpose() * R);
  return left.colwise().norm().maxCoeff();
}

// With C = E^T R and D = R - E C what is missing, E + D (C^T C)^-1 C^T takes C to R.
void put_rigid_motions_back(const std::vector<double>& rigid, std::vector<double>& columns, int rows) {
  const ConstColumns R(rigid.data(), rows, 6);
  Eigen::Map<Eigen::MatrixXd> E(columns.data(), rows, static_cast<Eigen::Index>(columns.size()) / rows);
  const Eigen::MatrixXd C = E.transpose() * R, D = R - E * C;
  E += D * (C.transpose() * C).ldlt().solve(C.transpose());
  orthonormalise(columns, rows);
}

}  // namespace lithe
