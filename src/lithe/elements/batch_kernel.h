// The seam between the mathematics of elements and everything that assembles, integrates or measures: elements of one
// kind, law and rule form a batch; a BatchKernel evaluates them a pack at a time. A pack is width() elements side by
// side (1 for the strategies that work element by element). Everything a kernel needs beyond its precomputed data comes
// from the caller: System is immutable, a Workspace owns `saved` and `scratch`.
//
// Layouts, W = width(), N = vectors(), all arrays aligned to 64 bytes:
//   e, v, f  [N][3][W]         coordinate vectors, their rates, internal force (resisting: residual = M a + f - f_ext)
//   K        [blocks][3][3][W] with blocks = N(N+1)/2, pairs (i, j >= i) row by row, for a symmetric tangent,
//                              and N*N, row by row, for an exact one.
// The tangent is c_q df/de + c_v df/dv. A symmetric kernel returns the symmetric part of it.
#pragma once

#include <cstddef>

namespace lithe {

struct ContinuumBatch;

enum class TangentForm { symmetric, exact };

constexpr int tangent_blocks(int N, TangentForm form) {
  return form == TangentForm::symmetric ? N * (N + 1) / 2 : N * N;
}
// Position of block (i, j), j >= i, in the symmetric layout.
constexpr int symmetric_block(int N, int i, int j) { return i * N - i * (i - 1) / 2 + (j - i); }

class BatchKernel {
 public:
  virtual ~BatchKernel() = default;
  virtual int width() const = 0;
  virtual int vectors() const = 0;
  virtual int packs() const = 0;
  virtual TangentForm form() const = 0;

  // Doubles per pack that force() leaves for tangent() at the same state; 0: tangent() stands alone.
  virtual std::size_t saved_doubles() const { return 0; }
  // Doubles per thread, contents disposable.
  virtual std::size_t scratch_doubles() const = 0;
  // Bytes of precomputed data held for the whole batch (saved values and the mass matrix not counted).
  virtual std::size_t stored_bytes() const = 0;
  // Floating-point operations per element, counted by hand as in P0 section 4.2: [a x b][b x c] is abc multiplications
  // and a(b-1)c additions; reordering costs nothing.
  virtual double force_flops() const = 0;
  virtual double tangent_flops() const = 0;

  virtual void force(int pack, const double* e, const double* v, double* f, double* saved, double* scratch) const = 0;
  virtual void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K,
                       const double* saved, double* scratch) const = 0;

  // The force over dual numbers: e, v, f are [N][3][2][W], a value and its derivative along a direction each. That of f
  // is the exact tangent times the direction, whatever form() is. `batch`: what the kernel was made from (not of
  // cables). Kernels without have no products: models that use them need an assembled matrix.
  virtual bool has_product() const { return false; }
  virtual std::size_t product_scratch_doubles() const { return 0; }
  virtual void product(int /*pack*/, const ContinuumBatch& /*batch*/, const double* /*e*/, const double* /*v*/,
                       double* /*f*/, double* /*scratch*/) const {}
};

}  // namespace lithe
