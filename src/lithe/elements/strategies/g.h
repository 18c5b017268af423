// Strategy G: pre-integrated, one matrix per block of the stiffness. See g.cpp.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_g_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
