#include "lithe/linalg/row_rank.h"

#include <Eigen/SparseCore>
#include <SuiteSparseQR.hpp>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

namespace {

// Multiplications of an orthogonalisation in order: up to here as quick as SuiteSparseQR, and up to here bearable.
constexpr double quick_work = 1e5, bearable_work = 3e7;

double dot(const double* x, const double* y, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

// Gram-Schmidt, twice: row = sum_k R[k] Q_k with orthonormal Q_k.
struct RowRank::Dense {
  int n = 0;
  std::vector<double> Q;               // [independent][n]
  std::vector<std::vector<double>> R;  // [row] coefficients
  std::vector<int> rows;               // independent ones, in order
};

// G G^T of the independent rows by Cholesky. A body that many joints share makes it dense: CHOLMOD then works in
// blocks.
struct RowRank::Sparse {
  std::vector<int> rows;                           // independent ones, in order
  Eigen::SparseMatrix<double, Eigen::RowMajor> G;  // of them
  cholmod_common common;
  cholmod_factor* factor = nullptr;

  Sparse() { cholmod_l_start(&common); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  ~Sparse() {
    cholmod_l_free_factor(&factor, &common);
    cholmod_l_finish(&common);
  }

  // False where G G^T is singular to rounding.
  bool factorise(const SparseRows& matrix, const std::vector<char>& is_dependent) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int r = 0; r < matrix.rows(); ++r) {
      if (is_dependent[r]) continue;
      for (int e = matrix.row_start[r]; e < matrix.row_start[r + 1]; ++e)
        entries.emplace_back(static_cast<int>(rows.size()), matrix.column[e], matrix.value[e]);
      rows.push_back(r);
    }
    G.resize(static_cast<int>(rows.size()), matrix.columns);
    G.setFromTriplets(entries.begin(), entries.end());
    common.print = 0;
    common.final_ll = true;
    cholmod_sparse* transposed =
        cholmod_l_allocate_sparse(G.cols(), G.rows(), G.nonZeros(), true, true, 0, CHOLMOD_REAL, &common);
    if (transposed) {
      std::copy_n(G.outerIndexPtr(), G.rows() + 1, static_cast<SuiteSparse_long*>(transposed->p));
      std::copy_n(G.innerIndexPtr(), G.nonZeros(), static_cast<SuiteSparse_long*>(transposed->i));
      std::copy_n(G.valuePtr(), G.nonZeros(), static_cast<double*>(transposed->x));
      cholmod_sparse* plain = cholmod_l_transpose(transposed, 1, &common);
      cholmod_l_free_sparse(&transposed, &common);
      if (plain) {
        factor = cholmod_l_analyze(plain, &common);
        if (factor) cholmod_l_factorize(plain, factor, &common);
        cholmod_l_free_sparse(&plain, &common);
      }
    }
    if (common.status == CHOLMOD_OUT_OF_MEMORY || !factor)
      throw RunError("the rank of the constraints could not be found: CHOLMOD ran out of memory");
    return common.status == CHOLMOD_OK;
  }

  // (G G^T)^-1 b
  Eigen::VectorXd solve(Eigen::VectorXd b) {
    cholmod_dense right{};
    right.nrow = right.nzmax = right.d = static_cast<std::size_t>(b.size());
    right.ncol = 1;
    right.x = b.data();
    right.xtype = CHOLMOD_REAL;
    right.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, factor, &right, &common);
    if (!x) throw RunError("the rank of the constraints could not be found: CHOLMOD ran out of memory");
    b = Eigen::Map<const Eigen::VectorXd>(static_cast<const double*>(x->x), b.size());
    cholmod_l_free_dense(&x, &common);
    return b;
  }
};

RowRank::~RowRank() = default;

RowRank::RowRank(const SparseRows& matrix, double tolerance) : matrix_(matrix), is_dependent_(matrix.rows(), 0) {
  const double work = static_cast<double>(matrix.rows()) * matrix.rows() * matrix.columns;
  if (work > bearable_work) {
    LITHE_INVARIANT(factor(tolerance));
  } else if (work <= quick_work || !factor(tolerance) || std::ranges::count(is_dependent_, 1) > 0) {
    sparse_.reset();
    orthogonalise(tolerance);
  }
  for (int r = 0; r < matrix.rows(); ++r)
    if (is_dependent_[r]) dependent_.push_back(r);
}

void RowRank::orthogonalise(double tolerance) {
  const int m = matrix_.rows(), n = matrix_.columns;
  dense_ = std::make_unique<Dense>();
  dense_->n = n;
  operations_ += 4.0 * m * m * n;
  std::fill(is_dependent_.begin(), is_dependent_.end(), 0);
  std::vector<double> x(n);
  for (int r = 0; r < m; ++r) {
    std::fill(x.begin(), x.end(), 0.0);
    for (int e = matrix_.row_start[r]; e < matrix_.row_start[r + 1]; ++e) x[matrix_.column[e]] += matrix_.value[e];
    const int k = static_cast<int>(dense_->rows.size());
    std::vector<double>& R = dense_->R.emplace_back(k, 0.0);
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < k; ++i) {
        const double* q = &dense_->Q[static_cast<std::size_t>(i) * n];
        const double h = dot(q, x.data(), n);
        R[i] += h;
        for (int c = 0; c < n; ++c) x[c] -= h * q[c];
      }
    const double length = std::sqrt(dot(x.data(), x.data(), n));
    if (length <= tolerance) {
      is_dependent_[r] = 1;
      continue;
    }
    R.push_back(length);
    dense_->rows.push_back(r);
    for (double c : x) dense_->Q.push_back(c / length);
  }
}

bool RowRank::factor(double tolerance) {
  const int m = matrix_.rows(), n = matrix_.columns;
  cholmod_common common;
  cholmod_l_start(&common);
  common.print = 0;
  cholmod_sparse* A = cholmod_l_allocate_sparse(n, m, matrix_.value.size(), true, true, 0, CHOLMOD_REAL, &common);
  LITHE_INVARIANT(A);
  auto* start = static_cast<SuiteSparse_long*>(A->p);
  auto* index = static_cast<SuiteSparse_long*>(A->i);
  std::copy(matrix_.row_start.begin(), matrix_.row_start.end(), start);
  std::copy(matrix_.column.begin(), matrix_.column.end(), index);
  std::copy(matrix_.value.begin(), matrix_.value.end(), static_cast<double*>(A->x));
  auto* QR = SuiteSparseQR_factorize<double>(SPQR_ORDERING_DEFAULT, tolerance, A, &common);
  operations_ = common.SPQR_flopcount_bound;
  const bool done = QR && common.status >= CHOLMOD_OK;
  if (done)  // columns of singletons come first and are independent
    for (SuiteSparse_long k = 0; k < m - QR->n1cols; ++k)
      if (QR->QRnum->Rdead[k]) {
        const SuiteSparse_long c = QR->Q1fill ? QR->Q1fill[k + QR->n1cols] : k + QR->n1cols;
        is_dependent_[c] = 1;
      }
  SuiteSparseQR_free(&QR, &common);
  cholmod_l_free_sparse(&A, &common);
  cholmod_l_finish(&common);
  if (!done) throw RunError("the rank of the constraints could not be found: SuiteSparseQR ran out of memory");
  sparse_ = std::make_unique<Sparse>();
  const bool regular = sparse_->factorise(matrix_, is_dependent_);
  operations_ += sparse_->common.fl;
  return regular;
}

std::vector<double> RowRank::shortest(const std::vector<double>& b) const {
  std::vector<double> x(matrix_.columns, 0.0);
  if (sparse_) {
    Eigen::VectorXd right(sparse_->rows.size());
    for (std::size_t k = 0; k < sparse_->rows.size(); ++k) right[k] = b[sparse_->rows[k]];
    Eigen::Map<Eigen::VectorXd>(x.data(), matrix_.columns) = sparse_->G.transpose() * sparse_->solve(right);
    return x;
  }
  std::vector<double> y;  // row r = sum_k R[r][k] Q_k: forward substitution
  for (const int r : dense_->rows) {
    const std::vector<double>& R = dense_->R[r];
    y.push_back((b[r] - dot(R.data(), y.data(), static_cast<int>(y.size()))) / R.back());
  }
  for (std::size_t k = 0; k < y.size(); ++k)
    for (int c = 0; c < dense_->n; ++c) x[c] += y[k] * dense_->Q[k * dense_->n + c];
  return x;
}

std::vector<double> RowRank::combination(int row) const {
  std::vector<double> y(matrix_.rows(), 0.0);
  if (sparse_) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(matrix_.columns);
    for (int e = matrix_.row_start[row]; e < matrix_.row_start[row + 1]; ++e) x[matrix_.column[e]] += matrix_.value[e];
    const Eigen::VectorXd z = sparse_->solve(sparse_->G * x);
    for (std::size_t k = 0; k < sparse_->rows.size(); ++k) y[sparse_->rows[k]] = z[k];
    return y;
  }
  std::vector<double> rest = dense_->R[row];  // backward substitution over the independent rows before it
  if (!is_dependent_[row]) {
    y[row] = 1;
    return y;
  }
  for (int k = static_cast<int>(rest.size()) - 1; k >= 0; --k) {
    const std::vector<double>& R = dense_->R[dense_->rows[k]];
    const double factor = rest[k] / R[k];
    y[dense_->rows[k]] = factor;
    for (int i = 0; i <= k; ++i) rest[i] -= factor * R[i];
  }
  return y;
}

}  // namespace lithe
