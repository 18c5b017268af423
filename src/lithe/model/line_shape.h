// The curve on which a line starts that is longer than the distance of its ends: its nodes, which divide its
// unstretched length evenly, with r' along that length, in a plane through both ends.
#pragma once

#include <vector>

#include "lithe/base/small.h"

namespace lithe {

struct Model;

struct LinePoint {
  Vec3<double> r, tangent;
};

// Of a cable: the elastic catenary of this length between the ends, or an unstretched circular arc where that would be
// folded more sharply than elements can be (ends above each other). `down`: direction in which it hangs; `across`:
// taken for it where `down` is along the line; `strain`: weight of a length over EA, 1/m.
std::vector<LinePoint> hanging_line(const Vec3<double>& from, const Vec3<double>& to, double length, int elements,
                                    const Vec3<double>& down, const Vec3<double>& across, double strain);

// Does a cable of the model start on a catenary, where its weight at full load has it?
bool starts_hanging(const Model& model);

// Of a beam, whose ends may be clamped: a bow that leaves and reaches its ends along their straight line, with the
// angle theta = theta_m sin(2 pi s / length) from it.
std::vector<LinePoint> bowed_line(const Vec3<double>& from, const Vec3<double>& to, double length, int elements,
                                  const Vec3<double>& down, const Vec3<double>& across);

}  // namespace lithe
