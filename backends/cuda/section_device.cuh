// One element per thread through section_kernel.h with T = double. Damping is always evaluated: with tau = 0 it adds
// nothing, and half the kernels need not be compiled.
#pragma once

#include "backends/cuda/check.cuh"
#include "backends/cuda/section_device.h"

namespace lithe {

inline constexpr int section_block = 64;  // threads per block

template <class Kind>
__global__ void section_force_kernel(SectionBatch batch, const double* e, const double* v, double* f) {
  constexpr std::size_t n = 3 * Kind::N;
  const int thread = blockIdx.x * section_block + threadIdx.x;
  if (thread >= batch.threads) return;
  double* scratch = batch.scratch + thread * batch.scratch_per_thread;
  for (std::size_t k = thread; k < batch.elements; k += batch.threads)
    section_force<Kind, true, double>(batch.plan, batch.geometry + k * batch.plan.fibres * 10, batch.half_size + 3 * k,
                                      e + n * k, v + n * k, f + n * k, scratch);
}

template <class Kind, bool symmetric>
__global__ void section_tangent_kernel(SectionBatch batch, const double* e, const double* v, double c_q, double c_v,
                                       double* K) {
  constexpr std::size_t n = 3 * Kind::N;
  constexpr std::size_t size = 9 * pair_count(Kind::N, symmetric);
  const int thread = blockIdx.x * section_block + threadIdx.x;
  if (thread >= batch.threads) return;
  double* scratch = batch.scratch + thread * batch.scratch_per_thread;
  for (std::size_t k = thread; k < batch.elements; k += batch.threads)
    section_tangent<Kind, true, symmetric, double>(batch.plan, batch.geometry + k * batch.plan.fibres * 10,
                                                   batch.half_size + 3 * k, e + n * k, v + n * k, c_q, c_v,
                                                   K + size * k, scratch);
}

template <class Kind>
void launch_section_force(const SectionBatch& batch, const double* e, const double* v, double* f) {
  const int blocks = (batch.threads + section_block - 1) / section_block;
  section_force_kernel<Kind><<<blocks, section_block>>>(batch, e, v, f);
  check_launch("section_force_kernel");
}

template <class Kind>
void launch_section_tangent(const SectionBatch& batch, const double* e, const double* v, double c_q, double c_v,
                            TangentForm form, double* K) {
  const int blocks = (batch.threads + section_block - 1) / section_block;
  if (form == TangentForm::symmetric)
    section_tangent_kernel<Kind, true><<<blocks, section_block>>>(batch, e, v, c_q, c_v, K);
  else section_tangent_kernel<Kind, false><<<blocks, section_block>>>(batch, e, v, c_q, c_v, K);
  check_launch("section_tangent_kernel");
}

}  // namespace lithe
