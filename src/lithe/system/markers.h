// Markers: places that joints and springs act at, with what they know of directions, all linear in the coordinates.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/constraints/part.h"
#include "lithe/model/parts.h"

namespace lithe {

struct System;

struct Marker {
  // ground: fixed; rigid: the base vectors u, v, w; gradients: images of the axes of `frame` under the deformation,
  // sums of r_x, r_y, r_z; tangent: r_x alone (cables); point: none (point masses, linkages,
  // kinds without gradients).
  enum class Kind { ground, rigid, gradients, tangent, point } kind = Kind::ground;
  int body = -1;
  Form position;
  std::array<Form, 3> gradient;
  Vec3<double> start{};  // position in the reference configuration
  Mat3<double> frame{};  // columns: axes there; base vectors, axes near r_x, r_y, r_z, or the tangent first
  // How the gradients turn (ground, rigid, gradients): which rule, and which axis is its first; the others follow in
  // order. A section's first axis is its normal, the last one of a director rule its director.
  FrameRule rule = FrameRule::section;
  int first = 0;
  std::string text;  // as the user said it

  bool has_directions() const { return kind <= Kind::gradients; }
  int axis(int k) const { return (first + k) % 3; }  // number of the rule's axis k
  std::vector<Form> frame_arguments() const;
  Vec3<double> to_rule(const Vec3<double>& x) const { return {{x[axis(0)], x[axis(1)], x[axis(2)]}}; }
};

// A place that stands by itself; a rigid body without one is taken at its centre. The ground needs a point.
Marker make_marker(const System& system, const At& at);
// Two places of a joint. A body or the ground without a place is taken at `point`, or where the other one is; of rigid
// bodies at the centre. Errors name `user` ("joint 'hinge'").
std::pair<Marker, Marker> make_markers(const System& system, const At& a, const At& b,
                                       const std::optional<Triple>& point, const Where& where, const std::string& user);

// The direction that is d (global components) in the reference configuration and stays with the marker: exact for the
// ground, rigid bodies and gradients (the frame of their rule); of a tangent only d along it. None where the marker has
// no such.
std::optional<Direction> attached(const Marker& marker, const Vec3<double>& d);

// Its axes at the coordinates q, those of `frame` in the reference configuration; it has directions.
std::array<Vec3<double>, 3> marker_axes(const Marker& marker, const std::vector<double>& q);

// From each of these places to the next.
std::vector<Form> rope_parts(const System& system, const std::vector<At>& points);

std::string point_text(const Vec3<double>& x);  // "(1, 0, 0.5)"

// Two unit vectors that complete the unit vector `axis` to a right-handed (axis, n1, n2); columns of `frame` where they
// fit, so that they are single base vectors.
std::pair<Vec3<double>, Vec3<double>> normals(const Vec3<double>& axis, const Mat3<double>& frame);

}  // namespace lithe
