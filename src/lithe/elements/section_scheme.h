// How the interpolation of each continuum kind separates, so that points with equal coordinates share work
// (docs/theory/section_kernel.md). Between the coordinate vectors and the gradients dr/d(xi,eta,zeta) of a point stand
// one or two levels of generalised gradients, each a 3-vector that depends on fewer coordinates:
//   point (xi,eta,zeta)  <- fibre stage -  line (xi,eta)  <- line stage -  section (xi)  <-  coordinate vectors.
// A stage is a list of feeds: lower gradient += value(coordinate) * upper gradient. Kinds with one stage have one line
// per section. The scheme of a kind is in its folder (elements/beam3243/section.h).
//
// Shell and hexa work on relative slopes: with r_x - (r_plus - r_minus)/2 in place of r_x along every edge, position
// functions become (bi/tri)linear and every function a product of the four functions of one variable below.
#pragma once

namespace lithe {

// Shape functions that feed the same gradients: first_gradient .. first_gradient + gradients - 1.
struct ShapeGroup {
  int first_gradient;
  int gradients;
  int count;
  int member[32];
};

struct Feed {
  int upper, lower;
};

// Two nodes along an axis (0, 1, 2 for xi, eta, zeta); their slopes are coordinate vectors 4 node + 1 + axis.
struct SlopeEdge {
  int minus, plus, axis;
};

// (1-x)/2, (1+x)/2, (1-x)^2 (1+x)/4, -(1+x)^2 (1-x)/4: end values and end slopes. The index of an end is 0 or 1.
struct LineFunctions {
  double value[4], slope[4];
  explicit LineFunctions(double x)
      : value{(1 - x) / 2, (1 + x) / 2, (1 - x) * (1 - x) * (1 + x) / 4, -(1 + x) * (1 + x) * (1 - x) / 4},
        slope{-0.5, 0.5, (3 * x * x - 2 * x - 1) / 4, (3 * x * x + 2 * x - 1) / 4} {}
};

template <class Kind>
struct SectionScheme;

}  // namespace lithe
