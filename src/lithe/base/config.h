// Compiler seams: kernels marked LITHE_HD compile for the CPU and, under nvcc, for the device.
#pragma once

#ifdef __CUDACC__
#define LITHE_HD __host__ __device__ inline
#else
#define LITHE_HD inline
#endif
