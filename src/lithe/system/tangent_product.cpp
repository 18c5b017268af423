// The tangent of the elements times a vector: the chunks of evaluate_internal() with dual numbers.
#include <type_traits>

#include "lithe/system/packs.h"

namespace lithe {

namespace {

// Values of q, and c times the direction x that lies in lanes already.
template <class Width>
LITHE_FORCE_INLINE inline void gather_dual(const std::int32_t* vectors, int count, Width W, const double* q, double c,
                                           const double* x, double* e) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < W; ++lane) {
      const double* from = q + 3 * static_cast<std::size_t>(vectors[i * W + lane]);
      for (int m = 0; m < 3; ++m) {
        double* to = e + 2l * (3 * i + m) * W + lane;
        to[0] = from[m];
        to[W] = c * x[(3 * i + m) * W + lane];
      }
    }
}

// One after the other the packs of a range.
template <class Width>
void multiply_packs(const System& system, const PackRange& range, const State& state, std::span<const double> x,
                    double c_q, double c_v, double c_a, Width W, Workspace& work, int thread, double* product) {
  const Batch& batch = system.batches[range.batch];
  const BatchKernel& kernel = *batch.kernel;
  const int N = kernel.vectors();
  const ProductBuffers buffer(kernel, work.scratch[thread].data());
  const double mass = c_a + c_v * batch.mass_damping;
  for (int pack = range.first; pack < range.last; ++pack) {
    const std::size_t at = static_cast<std::size_t>(pack) * N * W;
    const std::int32_t* vectors = &batch.connectivity[at];
    gather(vectors, N, W, x.data(), buffer.x);
    gather_dual(vectors, N, W, state.q.data(), c_q + c_v * batch.eta, buffer.x, buffer.e);
    gather_dual(vectors, N, W, state.v.data(), c_v, buffer.x, buffer.v);
    kernel.product(pack, batch.continuum, buffer.e, buffer.v, buffer.f, buffer.scratch);
    for (int i = 0; i < 3 * N; ++i)  // the derivatives alone
      for (int lane = 0; lane < W; ++lane) buffer.f[i * W + lane] = buffer.f[(2 * i + 1) * W + lane];
    if (mass != 0) add_mass_product(batch, pack, lanes_of(batch, pack), W, mass, buffer.x, buffer.f);
    const std::int32_t* targets = batch.targets.empty() ? vectors : &batch.targets[at];
    scatter(targets, N, W, lanes_of(batch, pack), buffer.f, product, work.force_slots.data());
  }
}

}  // namespace

void evaluate_tangent_product(const System& system, const State& state, std::span<const double> x, double c_q,
                              double c_v, double c_a, Workspace& work, std::vector<double>& product) {
  constexpr double as_forces = 3;
  const Chunks& chunks = system.chunks;
  std::fill(product.begin(), product.end(), 0.0);
  add_forces(chunks, work, as_forces * chunks.force_flops, product, [&](int chunk, int thread, const ForceSink&) {
    for (const PackRange* range = chunks.packs.begin(chunk); range != chunks.packs.end(chunk); ++range) {
      const auto multiply = [&](auto W) {
        multiply_packs(system, *range, state, x, c_q, c_v, c_a, W, work, thread, product.data());
      };
      const int width = system.batches[range->batch].kernel->width();
      if (width == 4) multiply(std::integral_constant<int, 4>{});
      else if (width == 8) multiply(std::integral_constant<int, 8>{});
      else multiply(width);
    }
  });
}

}  // namespace lithe
