// Strategy C: one quadrature point after another. See c.cpp.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_c_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
