// The kernel class behind strategy `batched`. Compiled once per element kind (beam3243/batched.cpp and so on), because
// the unrolled contractions take the compiler a while.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/elements/dual_lanes.h"
#include "lithe/elements/section_flops.h"
#include "lithe/elements/section_kernel.h"
#include "lithe/elements/strategies/batched.h"

namespace lithe {

// Owner of the arrays behind a SectionPlan, and the order in which it visits the batch's points.
struct PlanStorage {
  SectionPlan plan;
  std::vector<int> point;  // [fibre]  index into ContinuumBatch::points
  std::vector<int> section_line, line_fibre, line_rule, fibre_rule;
  std::vector<Law> fibre_law;
  std::vector<double> weights, line_values, line_products, fibre_values, fibre_products;

  std::size_t bytes() const {
    return sizeof(int) * (section_line.size() + line_fibre.size() + line_rule.size() + fibre_rule.size()) +
           sizeof(Law) * fibre_law.size() +
           sizeof(double) * (weights.size() + line_values.size() + line_products.size() + fibre_values.size() +
                             fibre_products.size());
  }
};

inline bool same(const double* x, const double* y, int axes) {
  for (int a = 0; a < axes; ++a)
    if (std::abs(x[a] - y[a]) > 1e-14) return false;
  return true;
}

// Row of a stage's values: found among those there, or appended together with its products.
template <class Stage, bool symmetric>
int stage_rule(const double* x, std::vector<double>& values, std::vector<double>& products) {
  using Terms = LiftTerms<Stage, symmetric>;
  double c[Stage::feeds];
  Stage::values(x, c);
  for (std::size_t r = 0; r < values.size() / Stage::feeds; ++r)
    if (same(c, &values[r * Stage::feeds], Stage::feeds)) return int(r);
  values.insert(values.end(), c, c + Stage::feeds);
  for (int t = 0; t < Terms::count; ++t) products.push_back(c[Terms::list.f[t]] * c[Terms::list.h[t]]);
  return int(values.size()) / Stage::feeds - 1;
}

template <class Kind, bool symmetric>
PlanStorage make_plan(const ContinuumBatch& batch) {
  using Scheme = SectionScheme<Kind>;
  constexpr int section_axes = Scheme::stages == 2 ? 1 : Scheme::line_axes;
  PlanStorage s;
  const auto& points = batch.points;
  std::vector<bool> taken(points.size(), false);
  for (std::size_t first = 0; first < points.size(); ++first) {
    if (taken[first]) continue;
    s.section_line.push_back(int(s.line_fibre.size()));
    const double* x = points[first].xi.data();
    for (int g = 0; g < Scheme::groups; ++g)
      for (int i = 0; i < Scheme::group[g].count; ++i) {
        double w[3];
        Scheme::weights(x, g, i, w);
        s.weights.insert(s.weights.end(), w, w + Scheme::group[g].gradients);
      }
    for (std::size_t second = first; second < points.size(); ++second) {
      const double* y = points[second].xi.data();
      if (taken[second] || !same(x, y, section_axes)) continue;
      s.line_fibre.push_back(int(s.point.size()));
      if constexpr (Scheme::stages == 2)
        s.line_rule.push_back(stage_rule<typename Scheme::LineStage, symmetric>(y, s.line_values, s.line_products));
      for (std::size_t third = second; third < points.size(); ++third) {
        const double* z = points[third].xi.data();
        if (taken[third] || !same(y, z, Scheme::line_axes)) continue;
        taken[third] = true;
        s.point.push_back(int(third));
        s.fibre_law.push_back(batch.laws[points[third].law]);
        s.fibre_rule.push_back(stage_rule<typename Scheme::FibreStage, symmetric>(z, s.fibre_values, s.fibre_products));
      }
    }
  }
  s.section_line.push_back(int(s.line_fibre.size()));
  s.line_fibre.push_back(int(s.point.size()));

  SectionPlan& plan = s.plan;
  plan.sections = int(s.section_line.size()) - 1;
  plan.lines = int(s.line_fibre.size()) - 1;
  plan.fibres = int(s.point.size());
  for (int k = 0; k < plan.sections; ++k)
    plan.max_section_lines = std::max(plan.max_section_lines, s.section_line[k + 1] - s.section_line[k]);
  for (int k = 0; k < plan.lines; ++k)
    plan.max_line_fibres = std::max(plan.max_line_fibres, s.line_fibre[k + 1] - s.line_fibre[k]);
  plan.tau = s.fibre_law[0].tau;
  for (const Law& law : s.fibre_law)
    if (law.tau != plan.tau) plan.tau = -1;
  plan.section_line = s.section_line.data();
  plan.line_fibre = s.line_fibre.data();
  plan.line_rule = s.line_rule.data();
  plan.fibre_rule = s.fibre_rule.data();
  plan.fibre_law = s.fibre_law.data();
  plan.weights = s.weights.data();
  plan.line_values = s.line_values.data();
  plan.line_products = s.line_products.data();
  plan.fibre_values = s.fibre_values.data();
  plan.fibre_products = s.fibre_products.data();
  return s;
}

template <class Kind, bool symmetric, bool damped>
class BatchedKernel final : public BatchKernel {
  static constexpr int W = batched_width;

 public:
  explicit BatchedKernel(const ContinuumBatch& batch)
      : storage_(make_plan<Kind, symmetric>(batch)), packs_((batch.elements + W - 1) / W) {
    constexpr int N = Kind::N;
    const int fibres = storage_.plan.fibres;
    const std::vector<double> dS = shape_derivatives(batch);
    geometry_.resize(std::size_t(packs_) * fibres * 10 * W);
    half_size_.resize(std::size_t(packs_) * 3 * W);
    for (int pack = 0; pack < packs_; ++pack)
      for (int lane = 0; lane < W; ++lane) {
        const int element = std::min(pack * W + lane, batch.elements - 1);  // the last pack repeats the last element
        const double* half = &batch.half_size[3 * std::size_t(element)];
        for (int d = 0; d < 3; ++d) half_size_[(std::size_t(pack) * 3 + d) * W + lane] = half[d];
        for (int q = 0; q < fibres; ++q) {
          const int p = storage_.point[q];
          const PointMap map =
              map_point(batch, element, &dS[std::size_t(p) * 3 * N], batch.points[p].weight, batch.points[p].angle);
          double* out = &geometry_[(std::size_t(pack) * fibres + q) * 10 * W + lane];
          for (int a = 0; a < 3; ++a)
            for (int i = 0; i < 3; ++i) out[(3 * a + i) * W] = map.B[a][i];
          out[9 * W] = map.volume;
        }
      }
  }

  int width() const override { return W; }
  int vectors() const override { return Kind::N; }
  int packs() const override { return packs_; }
  TangentForm form() const override { return symmetric ? TangentForm::symmetric : TangentForm::exact; }
  std::size_t scratch_doubles() const override { return std::size_t(scratch_values()) * W; }
  std::size_t stored_bytes() const override {
    return sizeof(double) * (geometry_.size() + half_size_.size()) + storage_.bytes();
  }

  void force(int pack, const double* e, const double* v, double* f, double*, double* scratch) const override {
    section_force<Kind, damped, Lanes>(storage_.plan, geometry(pack), half_size(pack), e, v, f,
                                       reinterpret_cast<Lanes*>(scratch));
  }
  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    section_tangent<Kind, damped, symmetric, Lanes>(storage_.plan, geometry(pack), half_size(pack), e, v, c_q, c_v, K,
                                                    reinterpret_cast<Lanes*>(scratch));
  }

  bool has_product() const override { return true; }
  std::size_t product_scratch_doubles() const override {
    return 2ul * W * SectionSizes<SectionScheme<Kind>>::force_scratch(storage_.plan);
  }
  void product(int pack, const ContinuumBatch&, const double* e, const double* v, double* f,
               double* scratch) const override {
    constexpr Damping damping = damped ? Damping::own : Damping::none;
    section_force_of<Kind, damping, DualLanes<Lanes>>(storage_.plan, geometry(pack), half_size(pack), e, v, f,
                                                      reinterpret_cast<DualLanes<Lanes>*>(scratch));
  }

  double force_flops() const override { return section_force_flops<Kind, damped>(storage_.plan); }
  double tangent_flops() const override { return section_tangent_flops<Kind, damped, symmetric>(storage_.plan); }

 private:
  const double* geometry(int pack) const { return &geometry_[std::size_t(pack) * storage_.plan.fibres * 10 * W]; }
  const double* half_size(int pack) const { return &half_size_[std::size_t(pack) * 3 * W]; }
  int scratch_values() const {
    using Sizes = SectionSizes<SectionScheme<Kind>>;
    return std::max(Sizes::force_scratch(storage_.plan), Sizes::tangent_scratch(storage_.plan, symmetric));
  }

  PlanStorage storage_;
  int packs_;
  AlignedVector<double> geometry_;   // constructor | [pack][fibre][B (9), volume][W] | 1/m, m^3
  AlignedVector<double> half_size_;  // constructor | [pack][3][W]                    | m
};

template <class Kind>
std::unique_ptr<BatchKernel> make_batched_kernel_of(const ContinuumBatch& batch, TangentForm form) {
  bool damped = false;
  for (const auto& point : batch.points) damped = damped || batch.laws[point.law].tau != 0;
  if (form == TangentForm::exact) return std::make_unique<BatchedKernel<Kind, false, true>>(batch);
  if (damped) return std::make_unique<BatchedKernel<Kind, true, true>>(batch);
  return std::make_unique<BatchedKernel<Kind, true, false>>(batch);
}

}  // namespace lithe
