// Outline of a section: closed polygons in the section's plane (y, z), the outer one and any number of holes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lithe/model/sections.h"

namespace lithe {

using SectionPoint = std::array<double, 2>;  // y, z | m
using SectionLoop = std::vector<SectionPoint>;

struct Outline {
  std::vector<SectionLoop> loops;  // the outer one, counter-clockwise, then the holes, clockwise
};

// Area and moments, exact for the polygon.
struct AreaMoments {
  double area = 0;
  SectionPoint centroid{};        // in the axes of the outline
  double yy = 0, zz = 0, yz = 0;  // about the centroid: integrals of y^2, z^2, y z
};
AreaMoments area_moments(const Outline& outline);

// Does the outline look the same after y -> -y, z -> -z, or half a turn about its centroid? Rounding is forgiven.
struct Symmetry {
  bool flip_y = false, flip_z = false, half_turn = false;
};
Symmetry symmetry(const Outline& outline);

Outline outline(const Rectangle& section);
Outline outline(const Box& section);
Outline outline(const ISection& section);
Outline outline(const ChannelSection& section);
Outline outline(const AngleSection& section);
Outline outline(const Polygon& section);  // turns loops that run the other way

// Triangles over the corners of a loop that runs counter-clockwise and does not cross itself, without further points.
std::vector<std::array<int, 3>> triangles_of(const SectionLoop& loop);

// What is wrong with a polygon, and with which of its loops (-1: the outer one); an empty message: nothing.
struct OutlineFault {
  std::string message;
  int hole = -1;
};
OutlineFault find_fault(const Polygon& section);

}  // namespace lithe
