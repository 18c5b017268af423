// Strategy E: as D, keeping the force's intermediates for the tangent. See e.cpp.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_e_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
