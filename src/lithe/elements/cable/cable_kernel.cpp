#include "lithe/elements/cable/cable_kernel.h"

#include "lithe/base/aligned.h"
#include "lithe/base/simd.h"
#include "lithe/elements/dual_lanes.h"
#include "lithe/elements/quadrature.h"

namespace lithe {

std::vector<CablePoint> cable_points(int points, double length) {
  const GaussRule rule = gauss_rule(points);
  std::vector<CablePoint> list(points);
  const double half = 0.5 * length;
  for (int p = 0; p < points; ++p) {
    Cable::shape_first(rule.x[p], list[p].S1);
    Cable::shape_second(rule.x[p], list[p].S2);
    list[p].weight = rule.w[p] * half;
    for (int i = 0; i < 4; ++i) {
      const double scale = i % 2 == 0 ? 1.0 : half;
      list[p].S1[i] *= scale / half;
      list[p].S2[i] *= scale / (half * half);
    }
  }
  return list;
}

CableLaw cable_law(const CableBatch& batch) { return {batch.EA, batch.EI, batch.tau}; }

namespace {

// A pack of cables at a time; the mathematics is in cable_element.h.
class CableKernel final : public BatchKernel {
 public:
  CableKernel(const CableBatch& batch, TangentForm form)
      : batch_(batch), form_(form), packs_((static_cast<int>(batch.length.size()) + W - 1) / W) {
    half_.resize(static_cast<std::size_t>(packs_) * W);
    for (std::size_t i = 0; i < half_.size(); ++i) half_[i] = 0.5 * batch.length[std::min(i, batch.length.size() - 1)];
    batch_.length.clear();
    axial_ = cable_points(batch.axial_points, 2.0);  // length 2: half length 1, dimensionless
    bending_ = cable_points(batch.bending_points, 2.0);
  }

  int width() const override { return W; }
  int vectors() const override { return 4; }
  int packs() const override { return packs_; }
  TangentForm form() const override { return form_; }
  std::size_t scratch_doubles() const override { return 0; }
  std::size_t stored_bytes() const override { return half_.size() * sizeof(double); }
  double force_flops() const override {
    return axial_.size() * (2 * 24 + 10 + 24 + 8) + bending_.size() * (4 * 24 + 110 + 12 * 5.0) + 24;
  }
  double tangent_flops() const override {
    const double blocks = tangent_blocks(4, form_);
    return axial_.size() * (2 * 24 + 60 + 18 * blocks) + bending_.size() * (4 * 24 + 900 + 4 * 108 + 36 * blocks);
  }

  void force(int pack, const double* e, const double* v, double* f, double*, double*) const override {
    Pack x[12], xd[12], out[12];
    gather(e, x);
    gather(v, xd);
    cable_force(plan(), half(pack), x, xd, out);
    for (int k = 0; k < 12; ++k) store(f + k * W, out[k]);
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double*) const override {
    Pack x[12], xd[12], out[9 * 16];
    gather(e, x);
    gather(v, xd);
    cable_tangent(plan(), half(pack), x, xd, c_q, c_v, form_ == TangentForm::symmetric, out);
    for (int k = 0; k < 9 * tangent_blocks(4, form_); ++k) store(K + k * W, out[k]);
  }

  bool has_product() const override { return true; }
  void product(int pack, const ContinuumBatch&, const double* e, const double* v, double* f, double*) const override {
    using Dual = DualLanes<Pack>;
    Dual x[12], xd[12], out[12];
    for (int k = 0; k < 12; ++k) {
      x[k] = LaneTraits<Dual>::load(e, k);
      xd[k] = LaneTraits<Dual>::load(v, k);
    }
    cable_force(plan(), half(pack), x, xd, out);
    for (int k = 0; k < 12; ++k) LaneTraits<Dual>::store(f, k, out[k]);
  }

 private:
  static constexpr int W = simd_width;

  static void gather(const double* e, Pack* x) {
    for (int k = 0; k < 12; ++k) x[k] = load(e + k * W);
  }
  Pack half(int pack) const { return load(&half_[static_cast<std::size_t>(pack) * W]); }
  CablePlan plan() const {
    return {cable_law(batch_), batch_.axial_points, batch_.bending_points, axial_.data(), bending_.data()};
  }

  CableBatch batch_;
  TangentForm form_;
  int packs_;
  AlignedVector<double> half_;               // [pack][W]  L/2, m
  std::vector<CablePoint> axial_, bending_;  // dimensionless
};

}  // namespace

std::unique_ptr<BatchKernel> make_cable_kernel(const CableBatch& batch, TangentForm form) {
  return std::make_unique<CableKernel>(batch, form);
}

}  // namespace lithe
