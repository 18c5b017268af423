// What `lithe bench` measures on: straight lines of equal elements (P0 section 5.1), and a driver that is the same for
// every strategy: for all packs gather e and v from the global coordinates, evaluate, leave the result in the thread's
// buffer. Sparse assembly, alike for all, is left out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/system/system.h"

namespace lithe::app {

// A strategy of the benchmark: `batched_exact` is `batched` with the exact tangent. C to L and finite_difference
// compute the paper's full Jacobian.
std::unique_ptr<BatchKernel> make_bench_kernel(const ContinuumBatch& batch, const std::string& strategy);

// All names for an element, in the order of the tables; throws InputError for an unknown one in `wanted` (empty: all).
std::vector<std::string> bench_strategies(const std::vector<std::string>& wanted);
// Solids without gradients have batched and C.
bool bench_offers(ElementKind kind, const std::string& strategy);
// The elements wanted (empty: all that have strategies to compare).
std::vector<ElementKind> bench_elements(const std::vector<std::string>& wanted);

// P0's mesh of the benchmark.
int default_elements(ElementKind kind);

// `elements` in a line, steel with damping; layers > 1: an orthotropic shell with alternating angles.
System straight_mesh(ElementKind kind, int elements, int layers = 1);

// The first elements of a batch.
ContinuumBatch first_elements(const ContinuumBatch& batch, int elements);

// One kernel over (the first elements of) a mesh, with everything an evaluation needs.
class Driver {
 public:
  Driver(const System& system, const std::string& strategy, int elements, int max_threads);

  void force(const std::vector<double>& q, const std::vector<double>& v, int threads);
  // After force() at the same state.
  void tangent(const std::vector<double>& q, const std::vector<double>& v, int threads);

  const BatchKernel& kernel() const { return *kernel_; }
  int elements() const { return elements_; }
  double setup_seconds() const { return setup_seconds_; }  // to build the kernel, whole batch
  // What the strategy holds per element: precomputed data and what force() keeps for tangent() (P0 table 4), with the
  // element's share of what the batch holds once.
  double bytes_per_element() const;

 private:
  struct Buffers {
    AlignedVector<double> e, v, f, K, scratch;
  };
  template <class Evaluate>
  void for_packs(int threads, Evaluate evaluate);

  std::unique_ptr<BatchKernel> kernel_;
  int elements_;
  double setup_seconds_;
  std::vector<std::int32_t> connectivity_;  // [pack][N][W]  vector numbers, last pack padded with its last element
  std::size_t saved_stride_;
  AlignedVector<double> saved_;   // [pack][saved_stride]
  std::vector<Buffers> buffers_;  // [thread]
};

// Bytes moved for one element by P0's account of tables 8 and 9: what the strategy holds, coordinates, rates and the
// result. L's force reads one of its two matrices and its tangent the other.
double touched_force_bytes(const std::string& strategy, const BatchKernel& kernel, double held);
double touched_tangent_bytes(const std::string& strategy, const BatchKernel& kernel, double held);

}  // namespace lithe::app
