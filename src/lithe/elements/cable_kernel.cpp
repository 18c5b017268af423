#include "lithe/elements/cable_kernel.h"

#include "lithe/base/aligned.h"
#include "lithe/base/simd.h"
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

CableLaw cable_law(const CableBatch& batch, double length) {
  return {batch.EA, batch.EI, batch.tau, 1e-3 / length};
}

namespace {

// Lengths differ between lanes, so the dimensionless derivatives are shared and 2/L is a pack.
class CableKernel final : public BatchKernel {
 public:
  CableKernel(const CableBatch& batch, TangentForm form)
      : batch_(batch), form_(form), packs_((static_cast<int>(batch.length.size()) + W - 1) / W) {
    half_.resize(static_cast<std::size_t>(packs_) * W);
    for (std::size_t i = 0; i < half_.size(); ++i)
      half_[i] = 0.5 * batch.length[std::min(i, batch.length.size() - 1)];
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
    return axial_.size() * (2 * 24 + 10 + 24 + 8) + bending_.size() * (4 * 24 + 60 + 12 * 5.0) + 24;
  }
  double tangent_flops() const override {
    const double blocks = tangent_blocks(4, form_);
    return axial_.size() * (2 * 24 + 60 + 18 * blocks) +
           bending_.size() * (4 * 24 + 450 + 4 * 108 + 36 * blocks);
  }

  void force(int pack, const double* e, const double* v, double* f, double*, double*) const override {
    Pack x[12], xd[12], out[12];
    const Pack half = load(&half_[static_cast<std::size_t>(pack) * W]), rate = 1.0 / half;
    gather(e, half, x);
    gather(v, half, xd);
    for (auto& o : out) o = Pack{};
    const CableLaw law = cable_law(batch_, 1.0);  // kappa0 for L = 1 m; the lanes' own is kappa0/L
    const Pack regular = law.kappa0 * law.kappa0 * (0.25 * rate * rate);
    for (const CablePoint& p : axial_) {
      const Vec3<Pack> u = scaled(rate, cable_field(p.S1, x)), ud = scaled(rate, cable_field(p.S1, xd));
      const Pack stress = p.weight * (law.EA * (0.5 * (dot(u, u) - 1.0) + law.tau * dot(u, ud)));
      for (int i = 0; i < 4; ++i)
        for (int m = 0; m < 3; ++m) out[3 * i + m] += (p.S1[i] * stress) * u[m];
    }
    for (const CablePoint& p : bending_) {
      const Vec3<Pack> u = scaled(rate, cable_field(p.S1, x)), w = scaled(rate * rate, cable_field(p.S2, x));
      Vec3<Pack> phi_u, phi_w;
      const Pack phi = curvature_gradient(u, w, phi_u, phi_w);
      Pack scale = p.weight * law.EI + Pack{};
      if (law.tau > 0) {
        const Pack gamma = dot(phi_u, scaled(rate, cable_field(p.S1, xd))) +
                           dot(phi_w, scaled(rate * rate, cable_field(p.S2, xd)));
        scale *= 1.0 + law.tau * gamma / (2.0 * phi + regular);
      }
      for (int i = 0; i < 4; ++i)
        for (int m = 0; m < 3; ++m) out[3 * i + m] += scale * (p.S1[i] * phi_u[m] + p.S2[i] * (rate * phi_w[m]));
    }
    // d/dx = rate d/dxi and dx = half dxi cancel for u; one rate is left for w (inside the loop).
    for (int i = 0; i < 4; ++i)
      for (int m = 0; m < 3; ++m) store(f + (3 * i + m) * W, i % 2 == 0 ? out[3 * i + m] : half * out[3 * i + m]);
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double*) const override {
    const bool symmetric = form_ == TangentForm::symmetric;
    Pack x[12], xd[12];
    const Pack half = load(&half_[static_cast<std::size_t>(pack) * W]), rate = 1.0 / half;
    gather(e, half, x);
    gather(v, half, xd);
    const int blocks = tangent_blocks(4, form_);
    Pack out[16][9];
    for (int b = 0; b < blocks; ++b)
      for (auto& o : out[b]) o = Pack{};
    const CableLaw law = cable_law(batch_, 1.0);
    for (const CablePoint& p : axial_) {
      const Vec3<Pack> u = scaled(rate, cable_field(p.S1, x)), ud = scaled(rate, cable_field(p.S1, xd));
      Pack A[3][3];
      cable_axial_tangent(law, u, ud, c_q, c_v, symmetric, A);
      for (int i = 0, b = 0; i < 4; ++i)
        for (int j = symmetric ? i : 0; j < 4; ++j, ++b) {
          const double s = p.weight * p.S1[i] * p.S1[j];
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n) out[b][3 * m + n] += s * A[m][n];
        }
    }
    for (const CablePoint& p : bending_) {
      const Vec3<Pack> u = scaled(rate, cable_field(p.S1, x)), w = scaled(rate * rate, cable_field(p.S2, x));
      const Vec3<Pack> ud = scaled(rate, cable_field(p.S1, xd)), wd = scaled(rate * rate, cable_field(p.S2, xd));
      Pack A[6][6];
      bending_tangent(law, 0.5 * rate, u, w, ud, wd, c_q, c_v, symmetric, A);
      for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) {
          A[m][n + 3] *= rate;
          A[m + 3][n] *= rate;
          A[m + 3][n + 3] *= rate * rate;
        }
      for (int i = 0, b = 0; i < 4; ++i)
        for (int j = symmetric ? i : 0; j < 4; ++j, ++b) {
          const double s11 = p.weight * p.S1[i] * p.S1[j], s12 = p.weight * p.S1[i] * p.S2[j];
          const double s21 = p.weight * p.S2[i] * p.S1[j], s22 = p.weight * p.S2[i] * p.S2[j];
          for (int m = 0; m < 3; ++m)
            for (int n = 0; n < 3; ++n)
              out[b][3 * m + n] += s11 * A[m][n] + s12 * A[m][n + 3] + s21 * A[m + 3][n] + s22 * A[m + 3][n + 3];
        }
    }
    for (int i = 0, b = 0; i < 4; ++i)
      for (int j = symmetric ? i : 0; j < 4; ++j, ++b) {
        const int gradients = i % 2 + j % 2;  // one rate of two is left from du/dxi twice against dx
        const Pack scale = gradients == 0 ? rate : gradients == 1 ? Pack{} + 1.0 : half;
        for (int k = 0; k < 9; ++k) store(K + (b * 9 + k) * W, scale * out[b][k]);
      }
  }

 private:
  static constexpr int W = simd_width;

  static void gather(const double* e, const Pack& half, Pack* x) {
    for (int i = 0; i < 4; ++i)
      for (int m = 0; m < 3; ++m) {
        const Pack value = load(e + (3 * i + m) * W);
        x[3 * i + m] = i % 2 == 0 ? value : half * value;
      }
  }
  static Vec3<Pack> scaled(const Pack& s, const Vec3<Pack>& a) { return {{s * a[0], s * a[1], s * a[2]}}; }

  // kappa0 = 1e-3/L differs between lanes.
  static void bending_tangent(const CableLaw& law, const Pack& per_length, const Vec3<Pack>& u, const Vec3<Pack>& w,
                              const Vec3<Pack>& ud, const Vec3<Pack>& wd, double c_q, double c_v, bool symmetric,
                              Pack (*A)[6]) {
    Vec3<Pack> phi_u, phi_w;
    const Pack phi = curvature_gradient(u, w, phi_u, phi_w);
    curvature_hessian(u, w, A);
    if (law.tau == 0) {
      for (int k = 0; k < 6; ++k)
        for (int l = 0; l < 6; ++l) A[k][l] *= law.EI * c_q;
      return;
    }
    const Pack kappa0 = law.kappa0 * per_length;
    cable_bending_damping(law, phi, kappa0 * kappa0, phi_u, phi_w, ud, wd, c_q, c_v, symmetric, A);
  }

  CableBatch batch_;
  TangentForm form_;
  int packs_;
  AlignedVector<double> half_;              // [pack][W]  L/2, m
  std::vector<CablePoint> axial_, bending_; // dimensionless
};

}  // namespace

std::unique_ptr<BatchKernel> make_cable_kernel(const CableBatch& batch, TangentForm form) {
  return std::make_unique<CableKernel>(batch, form);
}

}  // namespace lithe
