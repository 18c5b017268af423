#pragma once

namespace lithe {

// Which pairs are points of contact: those whose gap the step can close, and overlapping ones; or overlapping ones
// only.
enum class Activation { speculative, touching };

// What gives points of contact: corners, edges and faces; or, of two meshes, the areas that their elements share
// (element_pairs.h).
enum class PointsOf { features, elements };

}  // namespace lithe
