#include "lithe/elements/strategies/batched.h"

#include "lithe/base/error.h"
#include "lithe/elements/continuum_dispatch.h"

namespace lithe {

template <class Kind>  // instantiated in beam3243/batched.cpp and so on
std::unique_ptr<BatchKernel> make_batched_kernel_of(const ContinuumBatch& batch, TangentForm form);

std::unique_ptr<BatchKernel> make_batched_kernel(const ContinuumBatch& batch, TangentForm form) {
  LITHE_INVARIANT(batch.elements > 0 && !batch.points.empty());
  return with_kind(batch.kind, [&](auto kind) { return make_batched_kernel_of<decltype(kind)>(batch, form); });
}

}  // namespace lithe
