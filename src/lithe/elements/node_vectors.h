// The coordinate vectors of a node: its position and, by kind, derivatives of it. The first is always the position.
#pragma once

namespace lithe {

// Where the natural coordinates of an element with a volume run: xi, eta, zeta in [-1, 1], or all >= 0 with a sum <= 1.
enum class Cell { cube, tetrahedron };

struct NodeVector {
  const char* name;    // as users say it
  const char* symbol;  // as the theory writes it
  int gradient;        // natural coordinate along which it is the derivative of the position; -1: none
  int size;            // which of the element's half sizes L/2, W/2, T/2 scales it; -1: none, its scale is 1
};

struct PositionVector {
  static constexpr NodeVector vectors[] = {{"position", "r", -1, -1}};
};
struct TangentVectors {
  static constexpr NodeVector vectors[] = {{"position", "r", -1, -1}, {"x_gradient", "r_x", 0, 0}};
};
struct GradientVectors {
  static constexpr NodeVector vectors[] = {
      {"position", "r", -1, -1}, {"x_gradient", "r_x", 0, 0}, {"y_gradient", "r_y", 1, 1}, {"z_gradient", "r_z", 2, 2}};
};
struct AxisVectors {  // base vectors of a rigid body: lengths do not scale them
  static constexpr NodeVector vectors[] = {
      {"position", "r", -1, -1}, {"x_axis", "u", 0, -1}, {"y_axis", "v", 1, -1}, {"z_axis", "w", 2, -1}};
};

// Half size that scales coordinate vector i of a kind's element; -1: none.
template <class Kind>
constexpr int scaling_size(int i) {
  return Kind::vectors[i % Kind::node_vectors].size;
}

}  // namespace lithe
