// One cable per thread through cable_element.h with T = double.
#include "backends/cuda/cable_device.h"
#include "backends/cuda/check.cuh"

namespace lithe {

namespace {

constexpr int cable_block = 128;  // threads per block

__global__ void cable_force_kernel(CableDeviceBatch batch, const double* e, const double* v, double* f) {
  const std::size_t k = std::size_t(blockIdx.x) * cable_block + threadIdx.x;
  if (k < batch.elements) cable_force(batch.plan, batch.half[k], e + 12 * k, v + 12 * k, f + 12 * k);
}

__global__ void cable_tangent_kernel(CableDeviceBatch batch, const double* e, const double* v, double c_q, double c_v,
                                     bool symmetric, double* K) {
  const std::size_t k = std::size_t(blockIdx.x) * cable_block + threadIdx.x;
  if (k < batch.elements)
    cable_tangent(batch.plan, batch.half[k], e + 12 * k, v + 12 * k, c_q, c_v, symmetric,
                  K + (symmetric ? 90 : 144) * k);
}

int blocks(const CableDeviceBatch& batch) { return (batch.elements + cable_block - 1) / cable_block; }

}  // namespace

void launch_cable_force(const CableDeviceBatch& batch, const double* e, const double* v, double* f) {
  cable_force_kernel<<<blocks(batch), cable_block>>>(batch, e, v, f);
  check_launch("cable_force_kernel");
}

void launch_cable_tangent(const CableDeviceBatch& batch, const double* e, const double* v, double c_q, double c_v,
                          TangentForm form, double* K) {
  cable_tangent_kernel<<<blocks(batch), cable_block>>>(batch, e, v, c_q, c_v, form == TangentForm::symmetric, K);
  check_launch("cable_tangent_kernel");
}

}  // namespace lithe
