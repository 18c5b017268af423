// Where the material of a beam's section is, seen from its reference line.
#pragma once

#include <vector>

#include "lithe/base/named.h"
#include "lithe/model/section_outline.h"

namespace lithe {

// Points on the rim where stresses are largest; none for a general section, which has no shape.
std::vector<SectionPoint> section_rim(const Section& section);
// The same at the fraction s of the line of a tapered section; of others everywhere.
std::vector<SectionPoint> section_rim(const Named<Section>& sections, const Section& section, double s);

// The outer edge of a section with corners, counter-clockwise; of a round one as many points on its circle as are
// wanted; empty: a general section, which has no shape.
std::vector<SectionPoint> section_edge(const Named<Section>& sections, const Section& section, double s,
                                       int round_points);

// Edges along y and z of the box about the reference line that holds the section; of a general one those of a rectangle
// with its stretch and bending stiffness.
std::array<double, 2> section_size(const Section& section);
// Of a tapered section the larger of its two ends.
std::array<double, 2> section_size(const Named<Section>& sections, const Section& section);

// Does a point about the reference line lie in the section's outer edge, or on it? A section that is general has none.
bool is_inside(const Named<Section>& sections, const Section& section, double s, const SectionPoint& point);
// Are top, bottom, left and right of a beam with this section the sides of the box of section_size?
bool fills_its_box(const Section& section);

}  // namespace lithe
