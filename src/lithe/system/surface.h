// The surface seam: every body that has a boundary offers faces, and any of their points as position, outward normal
// and weights on coordinate vectors, at the current state and without allocation. With
//
//   r = sum_i w_i q_i,   its velocity is sum_i w_i v_i, and a force f at the point acts on vector i with w_i f.
//
// A face is a square of coordinates xi in [-1, 1]^2:
//
//   side      a side of an element with a volume: xi are the natural coordinates that follow the constant one in order
//             (eta, zeta on a side of constant xi). Boundary faces of solids, top, bottom and rim of shells, sides and
//             ends of beams. Of a tetrahedron a triangle, xi[0] = 1 its corner.
//   line      the axis of a cable, with a radius: xi[0] along it, no normal.
//   plane     of a rigid box, normal to an axis of the body's frame: xi as on a side
//   disc      end of a rigid cylinder or tube: xi[0] across, xi[1] around
//   cylinder  side of a rigid cylinder or tube: xi[0] around, xi[1] along
//   sphere    xi[0] around, xi[1] from pole to pole
//   dome      end of a rigid capsule, half a sphere: xi[0] around, xi[1] from its rim to its pole
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/elements/kinds.h"

namespace lithe {

struct System;
struct BodyInfo;
struct Side;

struct Face {
  enum class Form { side, line, plane, disc, cylinder, sphere, dome } form = Form::side;
  int body = 0;
  int element = 0;  // side, line
  int axis = 0;     // side: the constant natural coordinate (3: their sum); plane: axis of its normal
  double at =
      0;  // side: value of that coordinate; plane, disc, dome: height along its axis, m; cylinder: 1 outer, -1 inner
  // plane: half edges; disc: inner and outer radius; cylinder: radius and half length; sphere, dome, line: radius; m
  double size[2] = {0, 0};
};

// Of all bodies, made by compile().
struct Surface {
  std::vector<Face> faces;  // body after body; sides by element, axis and value
  std::vector<int> first;   // [body + 1]
  std::span<const Face> of(int body) const { return {faces.data() + first[body], faces.data() + first[body + 1]}; }
};

// What does not depend on the state: r and its derivatives along xi as sums over coordinate vectors.
struct FaceWeights {
  int count = 0;
  int vectors[most_vectors];
  double weights[most_vectors];
  double slopes[2][most_vectors];
  double sign = 1;          // of the outward normal against slope 0 x slope 1
  Vec3<double> normal{};    // rigid shapes: in the body's frame
  bool own_normal = false;  // rigid shapes
};

struct SurfacePoint {
  Vec3<double> position{};
  Vec3<double> normal{};    // outward, of unit length; 0 on a line
  Vec3<double> slope[2]{};  // of the position along xi: |slope 0 x slope 1| is the area per unit of xi
  double radius = 0;        // of a line
  int count = 0;
  int vectors[most_vectors];
  double weights[most_vectors];
};

Surface make_surface(const System& system);
// Is this side of an element part of the boundary?
bool is_boundary(const System& system, int body, int element, int axis, double at);

Face face_of(int body, const Side& side);
FaceWeights face_weights(const System& system, const Face& face, const std::array<double, 2>& xi);
// q: coordinates of a State.
SurfacePoint surface_point(const System& system, const Face& face, const std::array<double, 2>& xi,
                           const std::vector<double>& q);

}  // namespace lithe
