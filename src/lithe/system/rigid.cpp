// A rigid body in natural coordinates (r, u, v, w): with the second moments J = int rho x x^T of its mass about the
// centre, J = tr(I)/2 - I from the tensor of inertia I, its mass matrix is diag(m, J) times the unit matrix, constant.
// A thin bar between two points has m/6 [2 1; 1 2] (J. Garcia de Jalon, E. Bayo, Springer 1994; P4).
#include "lithe/system/rigid.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "lithe/base/error.h"
#include "lithe/model/shape_mass.h"

namespace lithe {

namespace {

// Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations.
struct Eigen3 {
  double value[3];
  Mat3<double> vectors{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  explicit Eigen3(Mat3<double> A) {
    for (int sweep = 0; sweep < 30; ++sweep)
      for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
        if (A[p][q] == 0) continue;
        const double angle = 0.5 * std::atan2(2 * A[p][q], A[q][q] - A[p][p]);
        Mat3<double> R{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        R[p][p] = R[q][q] = std::cos(angle);
        R[p][q] = std::sin(angle);
        R[q][p] = -R[p][q];
        A = transpose(R) * (A * R);
        vectors = vectors * R;
        A[p][q] = A[q][p] = 0;
      }
    for (int k = 0; k < 3; ++k) value[k] = A[k][k];
  }
};

// A thin rod or plate has no extent along some axis, and a base vector without mass could turn at no cost: it gets this
// share of the largest extent.
constexpr double least_extent = 1e-8;

// J = tr(I)/2 - I, positive definite or no mass has this inertia.
Mat3<double> second_moments(const SolidMass& inertia, const Where& where, const std::string& name) {
  const double half = 0.5 * (inertia.inertia[0][0] + inertia.inertia[1][1] + inertia.inertia[2][2]);
  Mat3<double> J;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J[i][j] = (i == j ? half : 0) - inertia.inertia[i][j];
  const Eigen3 extent(J);
  const int worst = static_cast<int>(std::min_element(extent.value, extent.value + 3) - extent.value);
  const double largest = *std::max_element(extent.value, extent.value + 3);
  if (largest > 0 && extent.value[worst] > -1e-9 * largest) {
    for (int k = 0; k < 3; ++k) {
      const double more = least_extent * largest - extent.value[k];
      const Vec3<double> axis = column(extent.vectors, k);
      for (int i = 0; i < 3 && more > 0; ++i)
        for (int j = 0; j < 3; ++j) J[i][j] += more * axis[i] * axis[j];
    }
    return J;
  }
  const auto short_text = [](double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.4g", x);
    return std::string(buffer);
  };
  const Vec3<double> direction = column(extent.vectors, worst);
  std::string axis = "the direction (" + short_text(direction[0]) + ", " + short_text(direction[1]) + ", " +
                     short_text(direction[2]) + ") of its frame";
  for (int m = 0; m < 3; ++m)
    if (std::abs(direction[m]) > 1 - 1e-9) axis = std::string("its ") + "xyz"[m] + " axis";
  throw InputError(where, "body '" + name + "': no body has this inertia: the mass would have the extent " +
                              short_text(extent.value[worst]) + " kg m^2 (= tr(I)/2 - I) along " + axis +
                              ", which must not be negative; each principal moment must be less than the sum of "
                              "the other two");
}

// The batch of all elements of this kind, with places for `elements` of this body.
Batch& more_of(System& system, int body, ElementKind kind, int elements) {
  int found = -1;
  for (std::size_t k = 0; k < system.batches.size() && found < 0; ++k)
    if (system.batches[k].continuum.kind == kind) found = static_cast<int>(k);
  if (found < 0) {
    found = static_cast<int>(system.batches.size());
    system.batches.emplace_back().continuum.kind = kind;
  }
  Batch& batch = system.batches[found];
  if (system.bodies[body].kind == kind) {
    system.bodies[body].batch = found;
    system.bodies[body].first_element = batch.elements;
  }
  batch.bodies.push_back(body);
  batch.elements += elements;
  batch.continuum.elements = batch.elements;
  batch.continuum.half_size.resize(3ul * batch.elements, 1.0);
  return batch;
}

void add_node(const System& system, Batch& batch, int vector) {
  batch.connectivity.push_back(vector);
  for (int m = 0; m < 3; ++m) batch.continuum.reference.push_back(system.q0[3ul * vector + m]);
}

void add(System& system, int b, const RigidBody&, const Where&) {
  const BodyInfo& info = system.bodies[b];
  Batch& batch = more_of(system, b, ElementKind::rigid, 1);
  for (int k = 0; k < 4; ++k) add_node(system, batch, info.vector(0, k));
  batch.mass.insert(batch.mass.end(), info.rigid_mass.begin(), info.rigid_mass.end());
}

void add(System& system, int b, const PointMass& body, const Where&) {
  Batch& batch = more_of(system, b, ElementKind::point, 1);
  add_node(system, batch, system.bodies[b].vector(0, 0));
  batch.mass.push_back(body.mass);
}

void add(System& system, int b, const Linkage& body, const Where& where) {
  const BodyInfo& info = system.bodies[b];
  const int bars = static_cast<int>(body.bars.size()), points = info.mesh.node_count();
  std::vector<double> load(points, 0.0);
  if (bars > 0) {
    Batch& batch = more_of(system, b, ElementKind::bar, bars);
    for (int i = 0; i < bars; ++i) {
      const double m = body.bar_masses.empty() ? body.bar_mass : body.bar_masses[i];
      for (int node : body.bars[i]) {
        add_node(system, batch, info.vector(node, 0));
        load[node] += m;
      }
      batch.mass.insert(batch.mass.end(), {m / 3, m / 6, m / 3});
    }
  }
  Batch& masses = more_of(system, b, ElementKind::point, points);
  for (int n = 0; n < points; ++n) {
    const double m = body.point_masses.empty() ? 0 : body.point_masses[n];
    add_node(system, masses, info.vector(n, 0));
    masses.mass.push_back(m);
    load[n] += m;
  }
  for (int n = 0; n < points; ++n)
    if (load[n] == 0 && system.map.unknowns[info.vector(n, 0)].count > 0)
      throw InputError(where, "body '" + info.name + "': point " + std::to_string(n) +
                                  " moves but has no mass; give bar_mass or point_masses");
}

void add(System&, int, const Body&, const Where&) { throw InvariantError("a flexible body has kernels"); }

}  // namespace

void take_mass(const RigidBody& body, const Where& where, MeshFiles& files, BodyInfo& info) {
  const SolidMass solid = solid_mass(body, where, files);
  const Mat3<double> J = body.is_massless() ? Mat3<double>{} : second_moments(solid, where, info.name);
  info.rigid_mass = {solid.mass, 0, 0, 0, J[0][0], J[0][1], J[0][2], J[1][1], J[1][2], J[2][2]};
  info.centre = solid.centre;
}

void add_rigid_batches(System& system, int body) {
  std::visit([&](const auto& b) { add(system, body, b, system.model.bodies.where[body]); },
             system.model.bodies.items[body].second);
}

}  // namespace lithe
