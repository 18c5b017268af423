// `batched`: W solids side by side in SIMD registers.
#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/base/simd.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/dual_lanes.h"
#include "lithe/elements/hex8/brick_force.h"
#include "lithe/elements/solid/solid_element.h"
#include "lithe/elements/strategies/c.h"

namespace lithe {

namespace {

template <class Kind, bool symmetric, bool damped>
class SolidKernel final : public BatchKernel {
  static constexpr int W = simd_width, N = Kind::N;  // no section is kept in registers: the widest are best
  static constexpr bool is_brick = std::is_same_v<Kind, Hex8>;

 public:
  explicit SolidKernel(const ContinuumBatch& batch)
      : packs_((batch.elements + W - 1) / W), points_(static_cast<int>(batch.points.size())) {
    dS_ = shape_derivatives(batch);
    if constexpr (is_brick) edges_.emplace(dS_, points_);
    for (const QuadraturePoint& point : batch.points) laws_.push_back(batch.laws[point.law]);
    numbers_.resize(static_cast<std::size_t>(packs_) * points_ * solid_point_numbers * W);
    for (int pack = 0; pack < packs_; ++pack)
      for (int lane = 0; lane < W; ++lane) {
        const int element = std::min(pack * W + lane, batch.elements - 1);  // the last pack repeats the last element
        for (int p = 0; p < points_; ++p) {
          const PointMap map =
              map_point(batch, element, &dS_[3ul * N * p], batch.points[p].weight, batch.points[p].angle);
          double* to = &numbers_[(static_cast<std::size_t>(pack) * points_ + p) * solid_point_numbers * W + lane];
          for (int k = 0; k < 9; ++k) to[static_cast<std::size_t>(k) * W] = map.B[k / 3][k % 3];
          to[9ul * W] = map.volume;
        }
      }
  }

  int width() const override { return W; }
  int vectors() const override { return N; }
  int packs() const override { return packs_; }
  TangentForm form() const override { return symmetric ? TangentForm::symmetric : TangentForm::exact; }
  std::size_t scratch_doubles() const override {
    const int force = edges_ ? edges_->scratch() : 0;
    return static_cast<std::size_t>(std::max(force, solid_tangent_scratch<Kind>(points_))) * W;
  }
  std::size_t stored_bytes() const override { return sizeof(double) * (numbers_.size() + dS_.size()); }
  // Gradients (and their rates) and sums over the nodes. A point: F (and its rate); E, S, P; P B^T.
  double force_flops() const override {
    const double nodes = edges_ ? edges_->flops(points_, damped) : points_ * (damped ? 3.0 : 2.0) * 18 * N;
    return nodes + points_ * (damped ? 90 + 78 : 45 + 36) + points_ * (24 + 45 + 45);
  }
  double tangent_flops() const override {
    return points_ * ((damped ? 2.0 : 1.0) * (18 * N + 45 + 18) + 150 + (symmetric ? 230 : 340) + 15 * N + 135 * N +
                      54.0 * pair_count(N, symmetric));
  }

  void force(int pack, const double* e, const double* v, double* f, double*, double* scratch) const override {
    if constexpr (is_brick)
      brick_force<damped>(*edges_, laws_.data(), points_, numbers(pack), e, v, f, reinterpret_cast<Pack*>(scratch));
    else solid_force<Kind, damped, Pack>(plan(), numbers(pack), e, v, f);
  }
  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    solid_tangent<Kind, damped, symmetric, Pack>(plan(), numbers(pack), e, v, c_q, c_v, K,
                                                 reinterpret_cast<Pack*>(scratch));
  }
  bool has_product() const override { return true; }
  std::size_t product_scratch_doubles() const override { return edges_ ? 2ul * W * edges_->scratch() : 0; }
  void product(int pack, const ContinuumBatch&, const double* e, const double* v, double* f,
               double* scratch) const override {
    using Dual = DualLanes<Pack>;
    if constexpr (is_brick)
      brick_force<damped>(*edges_, laws_.data(), points_, numbers(pack), e, v, f, reinterpret_cast<Dual*>(scratch));
    else solid_force<Kind, damped, Dual>(plan(), numbers(pack), e, v, f);
  }

 private:
  SolidPlan plan() const { return {points_, dS_.data(), laws_.data()}; }
  const double* numbers(int pack) const {
    return &numbers_[static_cast<std::size_t>(pack) * points_ * solid_point_numbers * W];
  }

  int packs_, points_;
  std::vector<double> dS_;  // constructor | [point][N][3]
  std::vector<Law> laws_;   // constructor | [point]
  std::optional<BrickEdges> edges_;
  AlignedVector<double> numbers_;  // constructor | [pack][point][B (9), volume][W]
};

template <class Kind>
std::unique_ptr<BatchKernel> make_batched_solid(const ContinuumBatch& batch, TangentForm form) {
  const bool damped = std::ranges::any_of(batch.laws, [](const Law& law) { return law.tau != 0; });
  if (form == TangentForm::exact) return std::make_unique<SolidKernel<Kind, false, true>>(batch);
  if (damped) return std::make_unique<SolidKernel<Kind, true, true>>(batch);
  return std::make_unique<SolidKernel<Kind, true, false>>(batch);
}

}  // namespace

std::unique_ptr<BatchKernel> make_solid_kernel(const ContinuumBatch& batch, const std::string& strategy,
                                               TangentForm form) {
  if (strategy == "C") return make_c_kernel(batch, form);
  require(strategy == "batched",
          "strategy '" + strategy + "' is not for " + batch.kind->name + ", which has batched and C");
  return with_solid(batch.kind, [&](auto kind) { return make_batched_solid<decltype(kind)>(batch, form); });
}

}  // namespace lithe
