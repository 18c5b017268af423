#include "lithe/elements/shell3443/section.h"
#include "lithe/elements/strategies/batched_kernel.h"

namespace lithe {

template std::unique_ptr<BatchKernel> make_batched_kernel_of<Shell3443>(const ContinuumBatch&, TangentForm);

}  // namespace lithe
