// One element per thread through shell3443/resultant_tangent.h and beam3243/resultant_tangent.h with T = double.
// Damping is always evaluated: with tau = 0 it adds nothing.
#include "backends/cuda/check.cuh"
#include "backends/cuda/resultant_device.h"
#include "lithe/elements/beam3243/resultant_tangent.h"
#include "lithe/elements/shell3443/resultant_tangent.h"

namespace lithe {

namespace {

constexpr int block = 64;  // threads per block
static_assert(ShellResultants::tangent_scratch == shell_tangent_scratch);

struct ShellElement {
  static constexpr int n = 48, count = ShellNumbers::count, scratch = shell_tangent_scratch;
  __device__ static void force(const ResultantBatch& b, const double* numbers, const double* half, const double* e,
                               const double* v, double* f) {
    shell_resultant_force<true, double>(b.shapes, b.parts, b.tau, numbers, half, e, v, f);
  }
  template <bool symmetric>
  __device__ static void tangent(const ResultantBatch& b, const double* numbers, const double* half, const double* e,
                                 const double* v, double c_q, double c_v, double* K, double* scratch) {
    shell_resultant_tangent<true, symmetric, double>(b.shapes, b.parts, b.tau, numbers, half, e, v, c_q, c_v, K,
                                                     scratch);
  }
};

struct BeamElement {
  static constexpr int n = 24, count = BeamNumbers::count, scratch = BeamResultants::tangent_scratch;
  __device__ static void force(const ResultantBatch& b, const double* numbers, const double* half, const double* e,
                               const double* v, double* f) {
    beam_element_force<true, double>(numbers, b.tau[0], half, e, v, f);
  }
  template <bool symmetric>
  __device__ static void tangent(const ResultantBatch& b, const double* numbers, const double* half, const double* e,
                                 const double* v, double c_q, double c_v, double* K, double* scratch) {
    beam_element_tangent<true, symmetric, double>(numbers, b.tau[0], half, e, v, c_q, c_v, K, scratch);
  }
};

template <class Element>
__global__ void force_kernel(ResultantBatch batch, const double* e, const double* v, double* f) {
  const int thread = blockIdx.x * block + threadIdx.x;
  if (thread >= batch.threads) return;
  for (std::size_t k = thread; k < batch.elements; k += batch.threads)
    Element::force(batch, batch.numbers + k * batch.parts * Element::count, batch.half_size + 3 * k, e + k * Element::n,
                   v + k * Element::n, f + k * Element::n);
}

template <class Element, bool symmetric>
__global__ void tangent_kernel(ResultantBatch batch, const double* e, const double* v, double c_q, double c_v,
                               double* K) {
  constexpr std::size_t size = 9 * pair_count(Element::n / 3, symmetric);
  const int thread = blockIdx.x * block + threadIdx.x;
  if (thread >= batch.threads) return;
  double* scratch = batch.scratch + std::size_t(thread) * Element::scratch;
  for (std::size_t k = thread; k < batch.elements; k += batch.threads)
    Element::template tangent<symmetric>(batch, batch.numbers + k * batch.parts * Element::count,
                                         batch.half_size + 3 * k, e + k * Element::n, v + k * Element::n, c_q, c_v,
                                         K + size * k, scratch);
}

int blocks(const ResultantBatch& batch) { return (batch.threads + block - 1) / block; }

template <class Element>
void launch(const ResultantBatch& batch, const double* e, const double* v, double* f) {
  force_kernel<Element><<<blocks(batch), block>>>(batch, e, v, f);
  check_launch("resultant force_kernel");
}
template <class Element>
void launch(const ResultantBatch& batch, const double* e, const double* v, double c_q, double c_v, TangentForm form,
            double* K) {
  if (form == TangentForm::symmetric) tangent_kernel<Element, true><<<blocks(batch), block>>>(batch, e, v, c_q, c_v, K);
  else tangent_kernel<Element, false><<<blocks(batch), block>>>(batch, e, v, c_q, c_v, K);
  check_launch("resultant tangent_kernel");
}

}  // namespace

void ShellResultants::launch_force(const ResultantBatch& batch, const double* e, const double* v, double* f) {
  launch<ShellElement>(batch, e, v, f);
}
void ShellResultants::launch_tangent(const ResultantBatch& batch, const double* e, const double* v, double c_q,
                                     double c_v, TangentForm form, double* K) {
  launch<ShellElement>(batch, e, v, c_q, c_v, form, K);
}
void BeamResultants::launch_force(const ResultantBatch& batch, const double* e, const double* v, double* f) {
  launch<BeamElement>(batch, e, v, f);
}
void BeamResultants::launch_tangent(const ResultantBatch& batch, const double* e, const double* v, double c_q,
                                    double c_v, TangentForm form, double* K) {
  launch<BeamElement>(batch, e, v, c_q, c_v, form, K);
}

}  // namespace lithe
