#pragma once

namespace lithe {

// Which pairs are points of contact: those whose gap the step can close, and overlapping ones; or overlapping ones
// only.
enum class Activation { speculative, touching };

}  // namespace lithe
