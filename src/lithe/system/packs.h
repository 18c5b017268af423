// What evaluations of packs share (evaluate.cpp, tangent_product.cpp): numbers of elements into lanes and back, masses,
// and chunks on threads.
#pragma once

#include <algorithm>

#include "lithe/base/config.h"
#include "lithe/base/error.h"
#include "lithe/system/system.h"

namespace lithe {

inline int lanes_of(const Batch& batch, int pack) {
  return std::min(batch.kernel->width(), batch.elements - pack * batch.kernel->width());
}

// Where a thread keeps a pack of a product: the direction x, and e, v, f with a derivative beside each value.
struct ProductBuffers {
  double *x, *e, *v, *f, *scratch;
  ProductBuffers(const BatchKernel& kernel, double* memory) {
    const std::size_t vector = padded(3ul * kernel.vectors() * kernel.width());
    x = memory;
    e = x + vector;
    v = e + 2 * vector;
    f = v + 2 * vector;
    scratch = f + 2 * vector;
  }
  static std::size_t doubles(const BatchKernel& kernel) {
    return 7 * padded(3ul * kernel.vectors() * kernel.width()) + kernel.product_scratch_doubles();
  }
};

// W: int, or a constant, for which loops over lanes become registers.
template <class Width>
LITHE_FORCE_INLINE inline void gather(const std::int32_t* vectors, int count, Width W, const double* q, double* e) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < W; ++lane) {
      const double* x = q + 3 * static_cast<std::size_t>(vectors[i * W + lane]);
      for (int m = 0; m < 3; ++m) e[(3 * i + m) * W + lane] = x[m];
    }
}

inline void scatter(const std::int32_t* targets, int count, int W, int lanes, const double* f, double* out,
                    double* slots) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int32_t to = targets[i * W + lane];
      double* x = to >= 0 ? out + 3l * to : slots + 3l * ~to;
      for (int m = 0; m < 3; ++m) x[m] += f[(3 * i + m) * W + lane];
    }
}

// f += factor M v; lanes that have no element get nothing.
template <class Width>
LITHE_FORCE_INLINE inline void add_mass_product(const Batch& batch, int pack, int lanes, Width W, double factor,
                                                const double* v, double* f) {
  constexpr int widest = 16;
  const int N = batch.kernel->vectors(), pairs = N * (N + 1) / 2;
  LITHE_INVARIANT(W <= widest);
  const double* M = &batch.mass[static_cast<std::size_t>(pack) * W * pairs];
  for (int i = 0, k = 0; i < N; ++i)
    for (int j = i; j < N; ++j, ++k) {
      double mass[widest] = {};
      bool any = false;
      for (int lane = 0; lane < lanes; ++lane) {
        mass[lane] = factor * M[lane * pairs + k];
        any = any || mass[lane] != 0;
      }
      if (!any) continue;
      for (int m = 0; m < 3; ++m)
        for (int lane = 0; lane < W; ++lane) {
          const int at = (3 * i + m) * W + lane, from = (3 * j + m) * W + lane;
          f[at] += mass[lane] * v[from];
          if (i != j) f[from] += mass[lane] * v[at];
        }
    }
}

// Waking threads costs some ten microseconds: less work than this stays on one.
constexpr double worth_threads = 1e6;  // flops
// task(index, thread) on the team or here; the order of additions is the same.
template <class Task>
void spread_over(Team& team, double flops, int count, Task&& task) {
  if (flops >= worth_threads) return team.run(count, task);
  for (int i = 0; i < count; ++i) task(i, 0);
}

// task(chunk, thread, sink) for all chunks, then the slots into `force`, which is zero before.
template <class Task>
void add_forces(const Chunks& chunks, Workspace& work, double flops, std::vector<double>& force, Task&& task) {
  double* slots = work.force_slots.data();
  spread_over(*work.team, flops, chunks.count, [&](int chunk, int thread) {
    if (!chunks.shared.empty())
      std::fill(slots + 3l * chunks.force_slots.start[chunk], slots + 3l * chunks.force_slots.start[chunk + 1], 0.0);
    task(chunk, thread, ForceSink(chunks, chunk, force.data(), slots));
  });
  for (std::size_t k = 0; k < chunks.summed_vectors.size(); ++k) {
    double* to = &force[3ul * chunks.summed_vectors[k]];
    for (const int* slot = chunks.force_sums.begin(k); slot != chunks.force_sums.end(k); ++slot)
      for (int m = 0; m < 3; ++m) to[m] += slots[3l * *slot + m];
  }
}

}  // namespace lithe
