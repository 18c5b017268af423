// Strategy `batched`, the default: W elements side by side in SIMD registers, points that share section coordinates
// share work, 10 numbers stored per element and point. The mathematics is in section_kernel.h.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_batched_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
