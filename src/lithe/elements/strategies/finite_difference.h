// Strategy finite_difference: the tangent by central differences of C's force. See finite_difference.cpp.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_finite_difference_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
