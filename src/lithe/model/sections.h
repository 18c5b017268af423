// Sections of cables and beams, layers of shells.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"

namespace lithe {

struct Rectangle {  // beams
  double width = 0, thickness = 0;
  std::optional<std::array<double, 2>> shear_factors;
};
const Schema& schema(const Rectangle*);
struct Circle {  // cables
  double radius = 0;
};
const Schema& schema(const Circle*);
struct Bar {  // cables of any section
  double area = 0, inertia = 0;
};
const Schema& schema(const Bar*);
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
using Section = std::variant<Rectangle, Circle, Bar, Plate, Layered>;

void check(const Spot& here, const Section& section);

}  // namespace lithe
