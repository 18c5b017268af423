// Strategy D: all quadrature points at once. See d.cpp.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_d_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
