#include "lithe/elements/strategies/plain.h"

#include "lithe/base/dual.h"
#include "lithe/elements/continuum_plain.h"

namespace lithe {

namespace {

class PlainKernel final : public BatchKernel {
 public:
  PlainKernel(const ContinuumBatch& batch, TangentForm form)
      : batch_(batch), vectors_(vector_count(batch.kind)), form_(form) {}

  int width() const override { return 1; }
  int vectors() const override { return vectors_; }
  int packs() const override { return batch_.elements; }
  TangentForm form() const override { return form_; }
  std::size_t scratch_doubles() const override { return 9ul * vectors_ * vectors_; }
  std::size_t stored_bytes() const override {
    return sizeof(double) * (batch_.reference.size() + batch_.half_size.size());
  }
  // A point: J0, its inverse and the frame; F and Fdot; E, S and P; the sum over the vectors.
  double force_flops() const override {
    return static_cast<double>(batch_.points.size()) *
           (18.0 * vectors_ + 120 + 36.0 * vectors_ + 120 + 33.0 * vectors_);
  }
  double tangent_flops() const override { return 3.0 * vectors_ * 3 * force_flops(); }

  void force(int pack, const double* e, const double* v, double* f, double*, double*) const override {
    plain_force(batch_, pack, e, v, f);
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    const int n = 3 * vectors_;
    Dual x[3 * most_vectors], rate[3 * most_vectors], f[3 * most_vectors];
    for (int i = 0; i < n; ++i) {
      x[i] = Dual(e[i]);
      rate[i] = Dual(v[i]);
    }
    for (int j = 0; j < n; ++j) {
      x[j].d = c_q;
      rate[j].d = c_v;
      plain_force(batch_, pack, x, rate, f);
      x[j].d = rate[j].d = 0;
      for (int i = 0; i < n; ++i) scratch[i * n + j] = f[i].d;
    }
    const bool symmetric = form_ == TangentForm::symmetric;
    for (int i = 0; i < vectors_; ++i)
      for (int j = symmetric ? i : 0; j < vectors_; ++j)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const double one = scratch[(3 * i + a) * n + 3 * j + b], other = scratch[(3 * j + b) * n + 3 * i + a];
            *K++ = symmetric ? 0.5 * (one + other) : one;
          }
  }

  bool has_product() const override { return true; }
  void product(int pack, const ContinuumBatch&, const double* e, const double* v, double* f, double*) const override {
    plain_product(batch_, pack, e, v, f);
  }

 private:
  ContinuumBatch batch_;
  int vectors_;
  TangentForm form_;
};

}  // namespace

void plain_product(const ContinuumBatch& batch, int element, const double* e, const double* v, double* f) {
  const int n = 3 * vector_count(batch.kind);
  Dual x[3 * most_vectors], rate[3 * most_vectors], force[3 * most_vectors];
  for (int i = 0; i < n; ++i) {
    x[i] = Dual(e[2 * i], e[2 * i + 1]);
    rate[i] = Dual(v[2 * i], v[2 * i + 1]);
  }
  plain_force(batch, element, x, rate, force);
  for (int i = 0; i < n; ++i) {
    f[2 * i] = force[i].v;
    f[2 * i + 1] = force[i].d;
  }
}

std::unique_ptr<BatchKernel> make_plain_kernel(const ContinuumBatch& batch, const std::string&, TangentForm form) {
  return std::make_unique<PlainKernel>(batch, form);
}

}  // namespace lithe
