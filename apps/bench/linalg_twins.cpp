#include "linalg_twins.h"

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/normal_product.h"
#include "lithe/linalg/shared_pattern.h"
#include "lithe/linalg/write_positions.h"

namespace lithe::app {

namespace {

class LitheOperations final : public SparseOperations {
 public:
  LitheOperations(int loops, bool symmetric) : loops_(loops), n_(2 * loops + 2) {
    WriteRecorder jacobian_writes, mass_writes;
    four_bar_jacobian(loops, four_bar_position(loops).data(), jacobian_writes);
    jacobian_ = jacobian_writes.row_pattern(2 * loops + 1, n_);
    jacobian_positions_ = jacobian_writes.positions(jacobian_);
    j_.resize(jacobian_.nonzeros());
    four_bar_mass(loops, mass_writes);
    const SparsePattern mass = mass_writes.pattern(n_, symmetric);
    pattern_ = unite(mass, NormalProduct::pattern(jacobian_, symmetric));
    product_ = std::make_unique<NormalProduct>(jacobian_, pattern_);
    for (auto* values : {&m_, &n_values_, &b_}) values->resize(pattern_.nonzeros());
    const auto positions = mass_writes.positions(pattern_);
    EntryWriter write(positions, m_);
    four_bar_mass(loops, write);
  }

  void normal_product(const std::vector<double>& a) override {
    std::fill(n_values_.begin(), n_values_.end(), 0.0);
    product_->add(j_, a, 1, n_values_);
  }
  void sum(double t1, double t2) override { add_scaled(t1, m_, t2, n_values_, b_); }
  void jacobian(const std::vector<double>& q) override {
    EntryWriter write(jacobian_positions_, j_);
    four_bar_jacobian(loops_, q.data(), write);
  }

  std::vector<double> dense_jacobian() const override {
    std::vector<double> dense(std::size_t(jacobian_.rows) * n_, 0.0);
    for (int i = 0; i < jacobian_.rows; ++i)
      for (int p = jacobian_.row_start[i]; p < jacobian_.row_start[i + 1]; ++p)
        dense[std::size_t(i) * n_ + jacobian_.column[p]] = j_[p];
    return dense;
  }
  std::vector<double> dense_product() const override { return dense(n_values_); }
  std::vector<double> dense_sum() const override { return dense(b_); }

 private:
  std::vector<double> dense(const std::vector<double>& values) const {
    std::vector<double> result(std::size_t(n_) * n_, 0.0);
    for (int j = 0; j < n_; ++j)
      for (int p = pattern_.column_start[j]; p < pattern_.column_start[j + 1]; ++p) {
        result[std::size_t(pattern_.row[p]) * n_ + j] = values[p];
        if (pattern_.symmetric) result[std::size_t(j) * n_ + pattern_.row[p]] = values[p];
      }
    return result;
  }

  int loops_, n_;
  RowPattern jacobian_;
  std::vector<std::int32_t> jacobian_positions_;
  SparsePattern pattern_;  // of M, N and B
  std::unique_ptr<NormalProduct> product_;
  std::vector<double> j_, m_, n_values_, b_;
};

// What a user of Eigen writes. The Jacobian has its pattern from the start: only values are written.
class EigenOperations final : public SparseOperations {
 public:
  explicit EigenOperations(int loops) : loops_(loops), j_(2 * loops + 1, 2 * loops + 2) {
    const int n = 2 * loops + 2;
    std::vector<Eigen::Triplet<double>> entries;
    const auto write = [&](int i, int k, double value) { entries.emplace_back(i, k, value); };
    four_bar_jacobian(loops, four_bar_position(loops).data(), write);
    j_.setFromTriplets(entries.begin(), entries.end());
    entries.clear();
    four_bar_mass(loops, write);
    m_.resize(n, n);
    m_.setFromTriplets(entries.begin(), entries.end());
  }

  void normal_product(const std::vector<double>& a) override {
    const Eigen::Map<const Eigen::VectorXd> weights(a.data(), Eigen::Index(a.size()));
    product_ = j_.transpose() * weights.asDiagonal() * j_;
  }
  void sum(double t1, double t2) override { sum_ = t1 * m_ + t2 * product_; }
  void jacobian(const std::vector<double>& q) override {
    const auto write = [&](int i, int k, double value) { j_.coeffRef(i, k) = value; };
    four_bar_jacobian(loops_, q.data(), write);
  }

  std::vector<double> dense_jacobian() const override { return dense(j_); }
  std::vector<double> dense_product() const override { return dense(product_); }
  std::vector<double> dense_sum() const override { return dense(sum_); }

 private:
  using Matrix = Eigen::SparseMatrix<double>;
  static std::vector<double> dense(const Matrix& matrix) {
    std::vector<double> result(std::size_t(matrix.rows() * matrix.cols()), 0.0);
    for (int k = 0; k < matrix.outerSize(); ++k)
      for (Matrix::InnerIterator entry(matrix, k); entry; ++entry)
        result[std::size_t(entry.row() * matrix.cols() + entry.col())] = entry.value();
    return result;
  }

  int loops_;
  Matrix j_, m_, product_, sum_;
};

}  // namespace

const std::vector<std::string>& sparse_operations() {
  static const std::vector<std::string> names{"lithe", "lithe_full", "eigen", "ublas", "ublas_sparse"};
  return names;
}

std::unique_ptr<SparseOperations> make_sparse_operations(const std::string& name, int loops) {
  if (name == "lithe") return std::make_unique<LitheOperations>(loops, true);
  if (name == "lithe_full") return std::make_unique<LitheOperations>(loops, false);
  if (name == "eigen") return std::make_unique<EigenOperations>(loops);
  if (name == "ublas") return make_ublas_operations(loops, false);
  if (name == "ublas_sparse") return make_ublas_operations(loops, true);
  throw InputError("implementation '" + name + "' is not known" + suggestion(name, sparse_operations()));
}

std::vector<double> four_bar_position(int loops) {
  std::vector<double> q(2 * loops + 2);
  for (int i = 0; i <= loops; ++i) {
    q[2 * i] = i + 0.3 + 0.01 * std::sin(i);
    q[2 * i + 1] = 0.95 + 0.01 * std::cos(2 * i);
  }
  return q;
}

}  // namespace lithe::app
