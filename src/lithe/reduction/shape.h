// What bodies that move as their Kinematics say have in common: the mesh, where it was made, with its mass, the
// stiffness at rest and the linear form of its mean deformation gradient. Bodies of equal meshes share one, however
// they are placed: the placement is part of their rotation.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/linalg/sparse.h"
#include "lithe/reduction/base.h"

namespace lithe {

// Vector i of [vector][3].
inline Vec3<double> vector_at(const double* x, int i) { return {{x[3 * i], x[3 * i + 1], x[3 * i + 2]}}; }

struct Shape {
  std::vector<Vec3<double>> Z;         // [vector] positions, m, from the first node on; gradients
  std::vector<std::uint8_t> position;  // [vector] or a gradient
  std::vector<Vec3<double>> gradient;  // [vector] mean of F = sum of x_i gradient_i^T, 1/m and 1

  // M is compact times the unit matrix; rows, both triangles.
  std::vector<std::int32_t> mass_start, mass_column;
  std::vector<double> mass;  // kg, kg m, kg m^2
  // K at rest, upper triangle; empty where nothing deforms.
  SparsePattern pattern;
  std::vector<double> stiffness;
  double eta = 0;                 // s, damping force eta K v
  std::vector<double> viscosity;  // over the pattern, damping force of the materials; empty: none

  // ---- of reduced bodies: modes E, [mode][vector][3] ----
  Base base;
  bool modal = false;                     // E^T M E = 1, otherwise E^T E = 1
  std::vector<double> projector;          // as E: M E where modal, otherwise E; of deformations
  std::vector<double> rate_projector;     // as E: M E (E^T M E)^-1; of rates
  std::vector<double> reduced_mass;       // [mode][mode] E^T M E
  std::vector<double> reduced_stiffness;  // E^T K E
  std::vector<double> reduced_viscosity;  // of the materials; empty: none
  // The modes' share of E w turned by Q, (E^T M E)^-1 E^T M Q E w = sum of Q_ab (turned w)_ab: [mode][a][b][mode]. Of
  // modal bases deformable rates have no share in the six rigid ones (docs/theory/reduction.md).
  std::vector<double> turned;
  std::vector<Mat3<double>> mode_gradient;  // [mode] its mean of F

  // ---- of the body as a whole ----
  double total_mass = 0;
  Vec3<double> centre{};   // of mass, in the frame of Z
  Mat3<double> inertia{};  // about it, kg m^2

  int vectors() const { return static_cast<int>(Z.size()); }
  int size() const { return 3 * vectors(); }
  void finish();  // total_mass, centre and inertia from Z and mass
  void reduce();  // projectors and reduced matrices from the base
  // Mean of F at coordinates [vector][3].
  Mat3<double> mean_gradient(const double* q) const;
  void multiply_mass(const double* x, double* y) const;  // y = M x
  // y = A x, values of A over the pattern: stiffness or viscosity.
  void multiply(const std::vector<double>& values, const double* x, double* y) const;
  // y_i = R^T (x_i - origin) of positions, R^T x_i of gradients; without `origin` R^T x_i of all.
  void turn_back(const Mat3<double>& R, const double* x, const double* origin, double* y) const;
  void turn(const Mat3<double>& R, const double* x, double* y) const;  // y_i = R x_i
  // Deformation in the frame of Z: turned back, less Z. Translations stay out of it.
  void deformation(const Mat3<double>& R, const double* q, double* d) const;

 private:
  void project_rates(const std::vector<double>& moved_mass);
};

}  // namespace lithe
