// Closed surfaces for tests, and the texts of files that hold them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lithe/base/small.h"

namespace lithe {

struct Soup {
  std::vector<Vec3<double>> corners;
  std::vector<std::array<int, 3>> triangles;
};

Soup box_soup(const Vec3<double>& size, const Vec3<double>& at = {});
// Balls and rings of n parts around, corners on the surface; the ring around z.
Soup ball_soup(double radius, int n);
Soup ring_soup(double radius, double thickness, int n);
Soup turned_inside_out(Soup soup);
Soup together(const Soup& a, const Soup& b);

std::string stl_text(const Soup& soup);
std::string stl_binary(const Soup& soup);  // in 32 bits
std::string obj_text(const Soup& soup);

}  // namespace lithe
