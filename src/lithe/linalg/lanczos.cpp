#include "lithe/linalg/lanczos.h"

#include <Spectra/SymEigsBase.h>

#include <cmath>
#include <cstring>
#include <random>

#include "lithe/base/error.h"
#include "lithe/base/interrupt.h"

namespace lithe {

namespace {

double dot(const double* x, const double* y, std::size_t n) {
  return Eigen::Map<const Eigen::VectorXd>(x, static_cast<Eigen::Index>(n))
      .dot(Eigen::Map<const Eigen::VectorXd>(y, static_cast<Eigen::Index>(n)));
}

// a A + b B, times a factor, without the entries that are zero: a lumped mass is a diagonal.
class Form {
 public:
  Form(const BorderedPencil& pencil, const Combination& form) {
    const SparsePattern& pattern = pencil.pattern();
    start_.push_back(0);
    for (int j = 0; j < pattern.size; ++j) {
      double diagonal = 0;
      for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p) {
        const double value = form.a * pencil.A()[p] + form.b * pencil.B()[p];
        if (pattern.row[p] == j) {
          diagonal = value;
        } else if (value != 0) {
          row_.push_back(pattern.row[p]);
          value_.push_back(value);
        }
      }
      diagonal_.push_back(diagonal);
      start_.push_back(row_.size());
    }
  }
  const std::vector<double>& diagonal() const { return diagonal_; }
  void scale(double factor) {
    for (auto* values : {&diagonal_, &value_})
      for (double& value : *values) value *= factor;
  }
  void multiply(const double* x, double* y) const {
    const std::size_t n = diagonal_.size();
    for (std::size_t j = 0; j < n; ++j) y[j] = diagonal_[j] * x[j];
    for (std::size_t j = 0; j < n; ++j) {
      const double xj = x[j];
      double sum = 0;
      for (std::size_t p = start_[j], end = start_[j + 1]; p < end; ++p) {
        sum += value_[p] * x[row_[p]];
        y[row_[p]] += value_[p] * xj;
      }
      y[j] += sum;
    }
  }

 private:
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> row_;
  std::vector<double> diagonal_, value_;  // entries above the diagonal
};

// Scaled so that vectors of length 1 have entries of about 1: Spectra compares with the unit roundoff itself.
class Metric {
 public:
  Metric(const BorderedPencil& pencil, const Combination& form) : form_(pencil, form) {
    double sum = 0;
    for (const double value : form_.diagonal()) sum += std::abs(value);
    scale_ = sum > 0 ? pencil.size() / sum : 1;
    form_.scale(scale_);
    last_.resize(pencil.size());
    image_.resize(pencil.size());
  }
  double scale() const { return scale_; }
  // Spectra asks twice for the same vector, for its length and for its products.
  void perform_op(const double* x, double* y) const {
    const std::size_t n = last_.size();
    if (!known_ || std::memcmp(x, last_.data(), n * sizeof(double)) != 0) {
      form_.multiply(x, image_.data());
      std::copy_n(x, n, last_.data());
      known_ = true;
    }
    std::copy_n(image_.data(), n, y);
  }
  double square(const double* x) const {
    std::vector<double> y(last_.size());
    perform_op(x, y.data());
    return dot(x, y.data(), y.size());
  }

 private:
  Form form_;
  double scale_ = 1;
  mutable bool known_ = false;
  mutable std::vector<double> last_, image_;
};

class Operator {
 public:
  using Scalar = double;
  Operator(BorderedPencil& pencil, const Combination& N, const Metric& metric, const Eigenpairs* found)
      : pencil_(pencil), N_(pencil, N), found_(found) {
    room_.resize(pencil.size());
    if (!found) return;
    for (const std::vector<double>& x : found->vectors) {  // orthonormal in the metric before it was scaled
      images_.emplace_back(x.size());
      metric.perform_op(x.data(), images_.back().data());
      for (double& y : images_.back()) y /= metric.scale();
    }
  }
  Eigen::Index rows() const { return pencil_.size(); }
  void scale(double factor) { N_.scale(factor); }
  void perform_op(const double* x, double* y) const {
    check_interrupt();
    N_.multiply(x, room_.data());
    if (!pencil_.solve(room_, solution_)) throw RunError("the shifted matrix of the modes has no finite solution");
    for (std::size_t k = 0; k < images_.size(); ++k) {
      const double share = dot(images_[k].data(), solution_.data(), solution_.size());
      for (std::size_t i = 0; i < solution_.size(); ++i) solution_[i] -= share * found_->vectors[k][i];
    }
    std::copy(solution_.begin(), solution_.end(), y);
  }

 private:
  BorderedPencil& pencil_;
  Form N_;
  const Eigenpairs* found_;
  std::vector<std::vector<double>> images_;
  mutable std::vector<double> room_, solution_;
};

}  // namespace

Eigenpairs lanczos(BorderedPencil& pencil, const LanczosRequest& request) {
  const SingleThreadedBlas one_thread;
  const int n = pencil.size();
  const Metric metric(pencil, request.metric);
  Operator op(pencil, request.N, metric, request.found);
  std::mt19937 random(request.start + 1);
  std::vector<double> x(n), y(n);
  for (double& value : x) value = static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 0.5;
  // Into the range of the operator, and how large it is.
  double size = 0;
  for (int round = 0; round < 3; ++round) {
    op.perform_op(x.data(), y.data());
    const double length = std::sqrt(std::max(0.0, metric.square(y.data())));
    if (round > 0) size = length;
    if (!(length > 0) || !std::isfinite(length)) return {};
    for (int i = 0; i < n; ++i) x[i] = y[i] / length;
  }
  op.scale(1 / size);

  using Solver = Spectra::SymEigsBase<Operator, Metric>;
  Solver solver(op, metric, request.count, request.basis);
  solver.init(x.data());
  const auto rule = request.by_size ? Spectra::SortRule::LargestMagn : Spectra::SortRule::LargestAlge;
  solver.compute(rule, request.restarts, request.tolerance, rule);
  const Eigen::VectorXd values = solver.eigenvalues();
  const Eigen::MatrixXd vectors = solver.eigenvectors();
  Eigenpairs pairs;
  const double length = std::sqrt(metric.scale());
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!vectors.col(k).allFinite()) throw RunError("Lanczos' method broke down: its vectors are not finite");
    pairs.values.push_back(values[k] * size);
    pairs.vectors.emplace_back(vectors.col(k).data(), vectors.col(k).data() + n);
    for (double& value : pairs.vectors.back()) value *= length;
  }
  return pairs;
}

}  // namespace lithe
