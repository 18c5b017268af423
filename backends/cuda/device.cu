#include "backends/cuda/check.cuh"
#include "backends/cuda/device.h"
#include "lithe/base/error.h"

namespace lithe {

namespace {

__global__ void probe() {}

std::string remedy(cudaError_t status) {
  switch (status) {
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorInitializationError:
      return "run on a machine with an NVIDIA GPU and a driver for CUDA " + std::to_string(CUDART_VERSION / 1000) +
             " (nvidia-smi shows both), or on the CPU";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
      return "this build has no code for the device; configure with -DCMAKE_CUDA_ARCHITECTURES=<its compute "
             "capability> (nvidia-smi --query-gpu=compute_cap --format=csv shows it, 9.0 is 90)";
    case cudaErrorMemoryAllocation:
      return "split the batch or take a GPU with more memory (nvidia-smi shows what is in use)";
    default:
      return "run the same command under compute-sanitizer to find the faulty access";
  }
}

}  // namespace

std::string describe_cuda_error(const std::string& call, cudaError_t status) {
  return "CUDA: " + call + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + "); " +
         remedy(status);
}

void check_cuda(const std::string& call, cudaError_t status) {
  if (status != cudaSuccess) throw RunError(describe_cuda_error(call, status));
}

bool cuda_device_available(std::string& why) {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess) {
    why = describe_cuda_error("cudaGetDeviceCount", status);
    (void)cudaGetLastError();  // asking must not fail the next call
    return false;
  }
  cudaFuncAttributes attributes;
  status = cudaFuncGetAttributes(&attributes, probe);
  if (status != cudaSuccess) {
    why = describe_cuda_error("cudaFuncGetAttributes", status);
    (void)cudaGetLastError();
    return false;
  }
  return true;
}

void* device_allocate(std::size_t bytes) {
  void* memory = nullptr;
  check_cuda("cudaMalloc of " + std::to_string(bytes) + " bytes", cudaMalloc(&memory, bytes));
  return memory;
}

void device_release(void* memory) noexcept { (void)cudaFree(memory); }

void copy_to_device(void* device, const void* host, std::size_t bytes) {
  check_cuda("cudaMemcpy of " + std::to_string(bytes) + " bytes to the device",
             cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
}

void copy_to_host(void* host, const void* device, std::size_t bytes) {
  check_cuda("cudaMemcpy of " + std::to_string(bytes) + " bytes from the device",
             cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

}  // namespace lithe
