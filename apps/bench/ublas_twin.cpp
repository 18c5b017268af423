#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/matrix_sparse.hpp>
#include <boost/numeric/ublas/operation.hpp>
#include <boost/numeric/ublas/operation_sparse.hpp>

#include "linalg_twins.h"

namespace lithe::app {

namespace {

namespace ublas = boost::numeric::ublas;

// Compressed columns as in P4. `sparse`: the functions that uBLAS offers beside its operators for sparse operands.
class UblasOperations final : public SparseOperations {
 public:
  UblasOperations(int loops, bool sparse)
      : loops_(loops),
        sparse_(sparse),
        j_(2 * loops + 1, 2 * loops + 2),
        weighted_(2 * loops + 1, 2 * loops + 2),
        m_(2 * loops + 2, 2 * loops + 2),
        product_(2 * loops + 2, 2 * loops + 2),
        sum_(2 * loops + 2, 2 * loops + 2) {
    const auto write = [&](int i, int k, double value) { j_(i, k) = value; };
    four_bar_jacobian(loops, four_bar_position(loops).data(), write);
    four_bar_mass(loops, [&](int i, int k, double value) { m_(i, k) = value; });
  }

  void normal_product(const std::vector<double>& a) override {
    weighted_ = j_;
    for (std::size_t p = 0; p < weighted_.nnz(); ++p) weighted_.value_data()[p] *= a[weighted_.index2_data()[p]];
    if (sparse_) ublas::axpy_prod(ublas::trans(j_), weighted_, product_, true);
    else ublas::noalias(product_) = ublas::prod(ublas::trans(j_), weighted_);
  }
  void sum(double t1, double t2) override { ublas::noalias(sum_) = t1 * m_ + t2 * product_; }
  void jacobian(const std::vector<double>& q) override {
    const auto write = [&](int i, int k, double value) { j_(i, k) = value; };
    four_bar_jacobian(loops_, q.data(), write);
  }

  std::vector<double> dense_jacobian() const override { return dense(j_); }
  std::vector<double> dense_product() const override { return dense(product_); }
  std::vector<double> dense_sum() const override { return dense(sum_); }

 private:
  using Matrix = ublas::compressed_matrix<double, ublas::column_major>;
  static std::vector<double> dense(const Matrix& matrix) {
    std::vector<double> result(matrix.size1() * matrix.size2());
    for (std::size_t i = 0; i < matrix.size1(); ++i)
      for (std::size_t k = 0; k < matrix.size2(); ++k) result[i * matrix.size2() + k] = matrix(i, k);
    return result;
  }

  int loops_;
  bool sparse_;
  Matrix j_, weighted_, m_, product_, sum_;
};

}  // namespace

std::unique_ptr<SparseOperations> make_ublas_operations(int loops, bool sparse) {
  return std::make_unique<UblasOperations>(loops, sparse);
}

}  // namespace lithe::app
