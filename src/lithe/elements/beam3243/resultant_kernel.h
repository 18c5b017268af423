// The beam by stress resultants as a batch kernel: W elements side by side in SIMD registers.
#pragma once

#include <array>
#include <memory>

#include "lithe/elements/beam3243/resultant.h"
#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_beam_resultant_kernel(const ContinuumBatch& batch, TangentForm form);

// The numbers of one element: for tests, outputs and other backends.
using BeamNumberList = std::array<double, BeamNumbers::count>;
BeamNumberList beam_numbers(const ContinuumBatch& batch, int element);

}  // namespace lithe
