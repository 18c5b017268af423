#include "lithe/model/section_solution.h"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

namespace {

using Plane = Eigen::Matrix2d;
using Pair = Eigen::Vector2d;

// Gauss points of a triangle, exact for polynomials of degree 4 (Dunavant 1985); weights sum to 1.
struct GaussPoint {
  double a, b, weight;
};
constexpr double near = 0.091576213509770743, far = 0.445948490915964886;
constexpr double near_weight = 0.109951743655321868, far_weight = 0.223381589678011466;
constexpr GaussPoint triangle_rule[] = {{near, near, near_weight},         {1 - 2 * near, near, near_weight},
                                        {near, 1 - 2 * near, near_weight}, {far, far, far_weight},
                                        {1 - 2 * far, far, far_weight},    {far, 1 - 2 * far, far_weight}};

// The six functions of a triangle at one point.
struct Functions {
  double N[6];
  Pair gradient[6];
  Pair r;
  double area;  // with the weight of the point
};

Functions functions_at(const SectionMesh& mesh, const std::array<int, 6>& triangle, const GaussPoint& at) {
  const double c = at.a, d = at.b, e = 1 - c - d;
  const double N[6] = {e * (2 * e - 1), c * (2 * c - 1), d * (2 * d - 1), 4 * e * c, 4 * c * d, 4 * d * e};
  const double by_c[6] = {1 - 4 * e, 4 * c - 1, 0, 4 * (e - c), 4 * d, -4 * d};
  const double by_d[6] = {1 - 4 * e, 0, 4 * d - 1, -4 * c, 4 * c, 4 * (e - d)};
  Functions f;
  f.r.setZero();
  Plane jacobian = Plane::Zero();  // rows: derivatives of (y, z) by c and by d
  for (int i = 0; i < 6; ++i) {
    const Pair x(mesh.nodes[triangle[i]][0], mesh.nodes[triangle[i]][1]);
    f.N[i] = N[i];
    f.r += N[i] * x;
    jacobian.row(0) += by_c[i] * x.transpose();
    jacobian.row(1) += by_d[i] * x.transpose();
  }
  f.area = 0.5 * at.weight * jacobian.determinant();
  const Plane inverse = jacobian.inverse();
  for (int i = 0; i < 6; ++i) f.gradient[i] = inverse * Pair(by_c[i], by_d[i]);
  return f;
}

template <class Action>
void at_points(const SectionMesh& mesh, Action&& action) {
  for (const std::array<int, 6>& triangle : mesh.triangles)
    for (const GaussPoint& point : triangle_rule) action(triangle, functions_at(mesh, triangle, point));
}

// In-plane displacements of bending for a unit curvature along a = y or z, per x.
Pair anticlastic(int a, const Pair& r, const BarMaterial& m) {
  const double y = r[0], z = r[1];
  return a == 0 ? Pair(-m.nu12 * y * y / 2 + m.nu13 * z * z / 2, -m.nu13 * y * z)
                : Pair(-m.nu12 * y * z, -m.nu13 * z * z / 2 + m.nu12 * y * y / 2);
}

SymmetricPlane plane(const Plane& M, double scale) {
  return {scale * M(0, 0), scale * M(1, 1), scale * (M(0, 1) + M(1, 0)) / 2};
}

}  // namespace

BarMaterial bar_material(const Material& material) {
  if (const auto* m = std::get_if<Isotropic>(&material)) {
    const double G = m->E / (2 * (1 + m->nu));
    return {m->E, G, G, m->nu, m->nu};
  }
  const auto& m = std::get<Orthotropic>(material);
  return {m.E1, m.G12, m.G13, m.nu12, m.nu13};
}

SectionSolution solve_section(const SectionMesh& given, const BarMaterial& material) {
  // Lengths in units of the square root of the area, from the centroid; moduli in units of E.
  double area = 0;
  Pair first = Pair::Zero();
  at_points(given, [&](const auto&, const Functions& f) {
    area += f.area;
    first += f.area * f.r;
  });
  const Pair centroid = first / area;
  const double unit = std::sqrt(area);
  SectionMesh mesh = given;
  for (SectionPoint& p : mesh.nodes) p = {(p[0] - centroid[0]) / unit, (p[1] - centroid[1]) / unit};
  const Pair g(material.G12 / material.E, material.G13 / material.E);

  // K x = b for the warping of torsion and of the two flexures. A constant is free: node 0 is held.
  const int n = static_cast<int>(mesh.nodes.size()) - 1;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(36 * mesh.triangles.size());
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(n, 3);
  Plane S = Plane::Zero();
  for (const std::array<int, 6>& triangle : mesh.triangles) {
    double K[6][6] = {};
    for (const GaussPoint& point : triangle_rule) {
      const Functions f = functions_at(mesh, triangle, point);
      const Pair spin(-f.r[1], f.r[0]);
      S += f.area * f.r * f.r.transpose();
      for (int i = 0; i < 6; ++i) {
        const Pair flow = f.area * g.cwiseProduct(f.gradient[i]);
        for (int j = 0; j < 6; ++j) K[i][j] += flow.dot(f.gradient[j]);
        if (triangle[i] == 0) continue;
        b(triangle[i] - 1, 0) -= flow.dot(spin);
        for (int a = 0; a < 2; ++a)
          b(triangle[i] - 1, 1 + a) += f.area * f.N[i] * f.r[a] - flow.dot(anticlastic(a, f.r, material));
      }
    }
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        if (triangle[i] > 0 && triangle[j] > 0) entries.emplace_back(triangle[i] - 1, triangle[j] - 1, K[i][j]);
  }
  Eigen::SparseMatrix<double> K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> factor(K);
  LITHE_INVARIANT(factor.info() == Eigen::Success);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(n + 1, 3);
  x.bottomRows(n) = factor.solve(b);

  // Integrals of the solutions.
  double GJ = 0;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  Eigen::Matrix<double, 2, 3> moment = Eigen::Matrix<double, 2, 3>::Zero();  // of r x
  Plane mean_p = Plane::Zero(), energy = Plane::Zero();                      // [., a]: of flexure a
  Pair torque = Pair::Zero();
  at_points(mesh, [&](const std::array<int, 6>& triangle, const Functions& f) {
    Eigen::Vector3d value = Eigen::Vector3d::Zero();
    Pair strain[3] = {{-f.r[1], f.r[0]}, anticlastic(0, f.r, material), anticlastic(1, f.r, material)};
    for (int a = 0; a < 2; ++a) mean_p.col(a) += f.area * strain[1 + a];
    for (int i = 0; i < 6; ++i) {
      value += f.N[i] * x.row(triangle[i]).transpose();
      for (int c = 0; c < 3; ++c) strain[c] += x(triangle[i], c) * f.gradient[i];
    }
    sum += f.area * value;
    moment += f.area * f.r * value.transpose();
    GJ += f.area * strain[0].dot(g.cwiseProduct(strain[0]));
    for (int a = 0; a < 2; ++a) {
      const Pair stress = g.cwiseProduct(strain[1 + a]);
      torque[a] += f.area * (f.r[0] * stress[1] - f.r[1] * stress[0]);
      for (int c = 0; c < 2; ++c) energy(a, c) += f.area * stress.dot(strain[1 + c]);
    }
  });

  // int r (w - s_z y + s_y z) = 0.
  const Plane compliance = S.inverse();
  const Pair turned = compliance * moment.col(0);
  const Pair s(-turned[1], turned[0]);
  double warping = 0;
  at_points(mesh, [&](const std::array<int, 6>& triangle, const Functions& f) {
    double w = -sum[0] - s[1] * f.r[0] + s[0] * f.r[1];
    for (int i = 0; i < 6; ++i) w += f.N[i] * x(triangle[i], 0);
    warping += f.area * w * w;
  });

  // Forces through the shear centre: what torsion the flexures hold is taken out.
  const Pair torsion = torque - (Pair(s[0] * S(1, 0) - s[1] * S(0, 0), s[0] * S(1, 1) - s[1] * S(0, 1)));
  energy -= torsion * torsion.transpose() / GJ;

  SectionSolution solution;
  const double E = material.E;
  solution.GJ = E * GJ * area * area;
  solution.shear_centre = {unit * s[0], unit * s[1]};
  solution.I_w = warping * area * area * area;
  solution.mean = plane((compliance * moment.rightCols(2) + mean_p) * compliance, 1 / (E * area));
  solution.energy = plane(compliance * energy * compliance, 1 / (E * area));
  solution.nodes = n + 1;
  solution.triangles = static_cast<int>(mesh.triangles.size());
  return solution;
}

}  // namespace lithe
