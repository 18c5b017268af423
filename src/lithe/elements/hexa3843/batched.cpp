#include "lithe/elements/hexa3843/section.h"
#include "lithe/elements/strategies/batched_kernel.h"

namespace lithe {

template std::unique_ptr<BatchKernel> make_batched_kernel_of<Hexa3843>(const ContinuumBatch&, TangentForm);

}  // namespace lithe
