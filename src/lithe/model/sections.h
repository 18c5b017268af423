// Sections of cables and beams, layers of shells.
//
// A section of a beam lies in the plane of the body's y and z. Its drawing has axes of its own along them; where the
// beam's line passes through it, seen from the centroid, is its offset.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"

namespace lithe {

using Offset = std::array<double, 2>;  // y, z | m

struct Rectangle {  // beams
  double width = 0, thickness = 0;
  std::optional<std::array<double, 2>> shear_factors = {};
  Offset offset = {};
};
const Schema& schema(const Rectangle*);
struct Circle {  // cables and beams
  double radius = 0;
  Offset offset = {};
};
const Schema& schema(const Circle*);
struct Bar {  // cables of any section; 0: not given
  double area = 0, inertia = 0;
  double EA = 0, EI = 0, mass = 0;
};
const Schema& schema(const Bar*);
struct Tube {
  double radius = 0, wall = 0;
  Offset offset = {};
};
const Schema& schema(const Tube*);
struct Box {
  double width = 0, height = 0, wall = 0;
  std::optional<double> top_wall = {};
  Offset offset = {};
};
const Schema& schema(const Box*);
struct ISection {
  double height = 0, width = 0, flange = 0, web = 0;
  std::optional<double> bottom_width = {}, bottom_flange = {};
  Offset offset = {};
};
const Schema& schema(const ISection*);
struct ChannelSection {  // the web at y = 0, the flanges towards y
  double height = 0, width = 0, flange = 0, web = 0;
  Offset offset = {};
};
const Schema& schema(const ChannelSection*);
struct AngleSection {  // the outer corner at 0, the legs along y and z
  double height = 0, width = 0, thickness = 0;
  Offset offset = {};
};
const Schema& schema(const AngleSection*);
struct Polygon {
  std::vector<std::array<double, 2>> points;
  std::vector<std::vector<std::array<double, 2>>> holes = {};
  Offset offset = {};
};
const Schema& schema(const Polygon*);

// Six rows of six, or the six of the diagonal.
struct StiffnessMatrix {
  std::array<std::array<double, 6>, 6> rows{};
  bool diagonal = true;
};
template <>
struct Custom<StiffnessMatrix> {
  static constexpr bool exists = true;
  static void read(const Value& value, StiffnessMatrix& out);
  static Value write(const StiffnessMatrix& x);
  static constexpr const char* text = "list of 6 (number), or 6 rows of 6";
  static constexpr const char* annotation = "Sequence[float] | Sequence[Sequence[float]]";
};
struct General {  // what is measured or computed elsewhere
  StiffnessMatrix stiffness;
  double mass = 0;
  std::array<double, 2> mass_first = {};   // of y, z | kg
  std::array<double, 3> mass_second = {};  // of yy, zz, yz | kg m
  std::array<double, 2> centroid = {}, shear_centre = {};
  Offset offset = {};
};
const Schema& schema(const General*);
struct Tapered {  // from the start of a line to its end; section_taper.h
  std::string from, to;
};
const Schema& schema(const Tapered*);
struct Plate {  // shells of one layer, hexa plates
  double thickness = 0;
};
const Schema& schema(const Plate*);
struct Layer {
  double thickness = 0, angle = 0;  // deg
  std::string material;
};
const Schema& schema(const Layer*);
struct Layered {  // shells; bottom layer first
  std::vector<Layer> layers;
};
const Schema& schema(const Layered*);
using Section = std::variant<Rectangle, Circle, Bar, Plate, Layered, Tube, Box, ISection, ChannelSection, AngleSection,
                             Polygon, General, Tapered>;

void check(const Spot& here, const Section& section);

}  // namespace lithe
