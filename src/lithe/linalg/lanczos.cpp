#include "lithe/linalg/lanczos.h"

#include <Spectra/SymEigsBase.h>

#include <cmath>
#include <cstring>
#include <random>

#include "lithe/base/error.h"
#include "lithe/base/interrupt.h"

namespace lithe {

namespace {

constexpr double tolerance = 1e-10;  // of theta, as Spectra measures residuals
constexpr int most_restarts = 300;

double dot(const double* x, const double* y, std::size_t n) {
  return Eigen::Map<const Eigen::VectorXd>(x, static_cast<Eigen::Index>(n))
      .dot(Eigen::Map<const Eigen::VectorXd>(y, static_cast<Eigen::Index>(n)));
}

// Scaled so that vectors of length 1 have entries of about 1: Spectra compares with the unit roundoff itself.
class Metric {
 public:
  Metric(const BorderedPencil& pencil, const Combination& form) : pencil_(pencil), form_(form) {
    double sum = 0;
    const SparsePattern& pattern = pencil.pattern();
    for (int j = 0; j < pattern.size; ++j)
      for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
        if (pattern.row[p] == j) sum += std::abs(form.a * pencil.A()[p] + form.b * pencil.B()[p]);
    scale_ = sum > 0 ? pattern.size / sum : 1;
    last_.resize(pattern.size);
    image_.resize(pattern.size);
  }
  double scale() const { return scale_; }
  // Spectra asks twice for the same vector, for its length and for its products.
  void perform_op(const double* x, double* y) const {
    const std::size_t n = last_.size();
    if (!known_ || std::memcmp(x, last_.data(), n * sizeof(double)) != 0) {
      pencil_.multiply(scale_ * form_.a, scale_ * form_.b, x, image_.data());
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
  const BorderedPencil& pencil_;
  const Combination form_;
  double scale_ = 1;
  mutable bool known_ = false;
  mutable std::vector<double> last_, image_;
};

class Operator {
 public:
  using Scalar = double;
  Operator(BorderedPencil& pencil, const Combination& N, const Metric& metric, const Eigenpairs* found)
      : pencil_(pencil), N_(N), found_(found) {
    room_.resize(pencil.size());
    if (!found) return;
    for (const std::vector<double>& x : found->vectors) {  // orthonormal in the metric before it was scaled
      images_.emplace_back(x.size());
      metric.perform_op(x.data(), images_.back().data());
      for (double& y : images_.back()) y /= metric.scale();
    }
  }
  Eigen::Index rows() const { return pencil_.size(); }
  void set_factor(double factor) { factor_ = factor; }
  void perform_op(const double* x, double* y) const {
    check_interrupt();
    pencil_.multiply(factor_ * N_.a, factor_ * N_.b, x, room_.data());
    if (!pencil_.solve(room_, solution_)) throw RunError("the shifted matrix of the modes has no finite solution");
    for (std::size_t k = 0; k < images_.size(); ++k) {
      const double share = dot(images_[k].data(), solution_.data(), solution_.size());
      for (std::size_t i = 0; i < solution_.size(); ++i) solution_[i] -= share * found_->vectors[k][i];
    }
    std::copy(solution_.begin(), solution_.end(), y);
  }

 private:
  BorderedPencil& pencil_;
  const Combination N_;
  const Eigenpairs* found_;
  double factor_ = 1;
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
  op.set_factor(1 / size);

  using Solver = Spectra::SymEigsBase<Operator, Metric>;
  Solver solver(op, metric, request.count, request.basis);
  solver.init(x.data());
  const auto rule = request.by_size ? Spectra::SortRule::LargestMagn : Spectra::SortRule::LargestAlge;
  solver.compute(rule, most_restarts, tolerance, rule);
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
