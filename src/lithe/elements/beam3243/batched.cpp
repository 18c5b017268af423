#include "lithe/elements/beam3243/section.h"
#include "lithe/elements/strategies/batched_kernel.h"

namespace lithe {

template std::unique_ptr<BatchKernel> make_batched_kernel_of<Beam3243>(const ContinuumBatch&, TangentForm);

}  // namespace lithe
