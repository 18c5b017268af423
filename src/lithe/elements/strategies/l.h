// Strategy L: pre-integrated, as one large matrix. See l.cpp.
#pragma once

#include <memory>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_l_kernel(const ContinuumBatch& batch, TangentForm form);

}  // namespace lithe
