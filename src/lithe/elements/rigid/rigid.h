// Rigid bodies, the bars and points of linkages, point masses: nodes, shape functions and a mass matrix, no kernel
// (system/rigid.cpp).
#pragma once

#include "lithe/elements/node_vectors.h"

namespace lithe {

// A point and three base vectors; natural coordinates are those of the body's frame, m: S = (1, x, y, z).
struct Rigid : AxisVectors {
  static constexpr const char *name = "rigid", *help = "rigid body: a point and three base vectors",
                              *theory = "theory/constraints.md";
  static constexpr int nodes = 1, node_vectors = 4, N = 4, dimension = 0, coordinates = 3;
  static constexpr bool flexible = false, volume = false;
  static constexpr double corner[nodes][3] = {{0, 0, 0}};

  template <class T>
  static void shape(const T* x, T* S) {
    S[0] = T(1.0);
    for (int k = 0; k < 3; ++k) S[1 + k] = x[k];
  }
  template <class T>
  static void derivative(const T*, T (*dS)[3]) {
    for (int i = 0; i < N; ++i)
      for (int a = 0; a < 3; ++a) dS[i][a] = T(i == a + 1 ? 1.0 : 0.0);
  }
};

// Thin and straight between two points.
struct RigidBar : PositionVector {
  static constexpr const char *name = "bar", *help = "thin rigid bar between two points",
                              *theory = "theory/constraints.md";
  static constexpr int nodes = 2, node_vectors = 1, N = 2, dimension = 1;
  static constexpr bool flexible = false, volume = false;
  static constexpr double corner[nodes][3] = {{-1, 0, 0}, {1, 0, 0}};

  template <class T>
  static void shape(const T* x, T* S) {
    S[0] = 0.5 * (1 - x[0]);
    S[1] = 0.5 * (1 + x[0]);
  }
  template <class T>
  static void derivative(const T*, T (*dS)[3]) {
    for (int i = 0; i < N; ++i)
      for (int a = 0; a < 3; ++a) dS[i][a] = T(0.0);
    dS[0][0] = T(-0.5);
    dS[1][0] = T(0.5);
  }
};

struct MassPointKind : PositionVector {
  static constexpr const char *name = "point", *help = "point mass", *theory = "theory/constraints.md";
  static constexpr int nodes = 1, node_vectors = 1, N = 1, dimension = 0;
  static constexpr bool flexible = false, volume = false;
  static constexpr double corner[nodes][3] = {{0, 0, 0}};

  template <class T>
  static void shape(const T*, T* S) {
    S[0] = T(1.0);
  }
  template <class T>
  static void derivative(const T*, T (*dS)[3]) {
    for (int a = 0; a < 3; ++a) dS[0][a] = T(0.0);
  }
};

}  // namespace lithe
