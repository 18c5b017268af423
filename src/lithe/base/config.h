// Compiler seams: kernels marked LITHE_HD compile for the CPU and, under nvcc, for the device. LITHE_FORCE_INLINE goes
// behind a lambda's parameters: hot loops unrolled at compile time are made of lambdas and must not become calls.
// LITHE_UNROLL stands before a loop of known length that must vanish so that its arrays become registers; where the
// index need not be a constant of the language it is far quicker to compile than lambdas.
#pragma once

#ifdef __CUDACC__
#define LITHE_HD __host__ __device__ inline
#define LITHE_FORCE_INLINE
#define LITHE_NOINLINE __noinline__
#define LITHE_UNROLL _Pragma("unroll")
#else
#define LITHE_HAS_LANES  // vectors of the compiler's own as a scalar type
#define LITHE_HD inline
#define LITHE_FORCE_INLINE __attribute__((always_inline))
#define LITHE_NOINLINE __attribute__((noinline))
#ifdef __clang__
#define LITHE_UNROLL _Pragma("unroll")
#else
#define LITHE_UNROLL _Pragma("GCC unroll 16")
#endif
#endif
