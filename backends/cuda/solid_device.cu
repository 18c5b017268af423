// One element per thread through elements/solid/solid_element.h with T = double. Damping is always evaluated: with tau
// = 0 it adds nothing.
#include "backends/cuda/check.cuh"
#include "backends/cuda/solid_device.h"
#include "lithe/elements/hex8/hex8.h"
#include "lithe/elements/tet10/tet10.h"
#include "lithe/elements/tet4/tet4.h"

namespace lithe {

namespace {

constexpr int block = 64;  // threads per block

template <class Kind>
__global__ void solid_force_kernel(SolidBatch batch, const double* e, const double* v, double* f) {
  constexpr std::size_t n = 3 * Kind::N;
  const int thread = blockIdx.x * block + threadIdx.x;
  if (thread >= batch.threads) return;
  for (std::size_t k = thread; k < batch.elements; k += batch.threads)
    solid_force<Kind, true, double>(batch.plan, batch.numbers + k * batch.plan.points * solid_point_numbers, e + n * k,
                                    v + n * k, f + n * k);
}

template <class Kind, bool symmetric>
__global__ void solid_tangent_kernel(SolidBatch batch, const double* e, const double* v, double c_q, double c_v,
                                     double* K) {
  constexpr std::size_t n = 3 * Kind::N, size = 9 * pair_count(Kind::N, symmetric);
  const int thread = blockIdx.x * block + threadIdx.x;
  if (thread >= batch.threads) return;
  double* scratch = batch.scratch + std::size_t(thread) * solid_tangent_scratch<Kind>(batch.plan.points);
  for (std::size_t k = thread; k < batch.elements; k += batch.threads)
    solid_tangent<Kind, true, symmetric, double>(batch.plan,
                                                 batch.numbers + k * batch.plan.points * solid_point_numbers, e + n * k,
                                                 v + n * k, c_q, c_v, K + size * k, scratch);
}

}  // namespace

template <class Kind>
void launch_solid_force(const SolidBatch& batch, const double* e, const double* v, double* f) {
  solid_force_kernel<Kind><<<(batch.threads + block - 1) / block, block>>>(batch, e, v, f);
  check_launch("solid_force_kernel");
}

template <class Kind>
void launch_solid_tangent(const SolidBatch& batch, const double* e, const double* v, double c_q, double c_v,
                          TangentForm form, double* K) {
  const int blocks = (batch.threads + block - 1) / block;
  if (form == TangentForm::symmetric) solid_tangent_kernel<Kind, true><<<blocks, block>>>(batch, e, v, c_q, c_v, K);
  else solid_tangent_kernel<Kind, false><<<blocks, block>>>(batch, e, v, c_q, c_v, K);
  check_launch("solid_tangent_kernel");
}

template void launch_solid_force<Hex8>(const SolidBatch&, const double*, const double*, double*);
template void launch_solid_force<Tet4>(const SolidBatch&, const double*, const double*, double*);
template void launch_solid_force<Tet10>(const SolidBatch&, const double*, const double*, double*);
template void launch_solid_tangent<Hex8>(const SolidBatch&, const double*, const double*, double, double, TangentForm,
                                         double*);
template void launch_solid_tangent<Tet4>(const SolidBatch&, const double*, const double*, double, double, TangentForm,
                                         double*);
template void launch_solid_tangent<Tet10>(const SolidBatch&, const double*, const double*, double, double, TangentForm,
                                          double*);

}  // namespace lithe
