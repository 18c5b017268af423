// The shell by stress resultants as a batch kernel: W elements side by side in SIMD registers.
#pragma once

#include <array>
#include <memory>

#include "lithe/elements/continuum.h"
#include "lithe/elements/shell3443/resultant.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_shell_resultant_kernel(const ContinuumBatch& batch, TangentForm form);

ShellShapes make_shell_shapes();

// The numbers of one element for one part of its section's law: for tests, outputs and other backends.
using ShellNumberList = std::array<double, ShellNumbers::count>;
ShellNumberList shell_numbers(const ContinuumBatch& batch, int part, int element);

}  // namespace lithe
