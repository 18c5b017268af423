// Where the material of a beam's section is, seen from its reference line.
#pragma once

#include <vector>

#include "lithe/model/section_outline.h"

namespace lithe {

// Points on the rim where stresses are largest; none for a general section, which has no shape.
std::vector<SectionPoint> section_rim(const Section& section);

// Edges along y and z of the box about the reference line that holds the section; of a general one those of a rectangle
// with its stretch and bending stiffness.
std::array<double, 2> section_size(const Section& section);

}  // namespace lithe
