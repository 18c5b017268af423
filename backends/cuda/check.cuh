// Errors of CUDA become RunError: the call, the reason, the remedy.
#pragma once

#include <cuda_runtime.h>

#include <string>

namespace lithe {

std::string describe_cuda_error(const std::string& call, cudaError_t status);
void check_cuda(const std::string& call, cudaError_t status);

// After a launch: wrong launch settings and missing device code show here, faults inside the kernel at the next copy.
inline void check_launch(const char* kernel) { check_cuda(std::string("launch of ") + kernel, cudaGetLastError()); }

}  // namespace lithe
