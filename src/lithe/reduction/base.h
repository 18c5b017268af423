// A reduced base: a few vectors in whose span a body deforms, over the coordinates of its mesh where that was made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lithe/base/small.h"

namespace lithe {

struct Base {
  std::string kind;                    // of element
  std::string method;                  // pod, modal, craig_bampton
  std::string source;                  // what made it: model, command, version
  std::vector<double> mesh;            // [vector][3] coordinates at which it holds
  std::vector<std::int32_t> elements;  // [element][node]
  std::vector<double> vectors;         // [mode][vector][3]
  std::vector<double> values;          // [mode] singular values, or eigenvalues (rad/s)^2
  int count() const { return mesh.empty() ? 0 : static_cast<int>(vectors.size() / mesh.size()); }
  bool empty() const { return vectors.empty(); }
};

// Six vectors of rigid motion about the centre of the mesh, orthonormal: [6][vector][3]; `position`: which vectors are
// positions, the others are gradients.
std::vector<double> rigid_vectors(const std::vector<Vec3<double>>& Z, const std::vector<std::uint8_t>& position);
// Orthonormal columns that span those of `columns`, [count][rows]; throws InvariantError where they are dependent.
void orthonormalise(std::vector<double>& columns, int rows);
// The leading left singular vectors of `columns` ([count][rows]), and all singular values.
struct SingularVectors {
  std::vector<double> vectors;  // [wanted][rows]
  std::vector<double> values;
};
SingularVectors singular_vectors(std::vector<double> columns, int rows, int wanted);
// Largest distance of a unit rigid vector from the span of orthonormal `columns`.
double missing_rigid_motion(const std::vector<double>& rigid, const std::vector<double>& columns, int rows);
// Turns the span of orthonormal `columns` by as little as it takes to have the rigid motions in it; columns stay in
// their order and nearly what they were.
void put_rigid_motions_back(const std::vector<double>& rigid, std::vector<double>& columns, int rows);

}  // namespace lithe
