// Bodies: of elements, rigid ones, points and bars.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/kinds.h"
#include "lithe/model/mesh_source.h"
#include "lithe/model/shapes.h"

namespace lithe {

template <>
struct Words<ElementKind> {  // the registry
  static std::vector<const char*> list();
  static const char* get(const ElementKind& kind) { return kind->name; }
  static void set(ElementKind& kind, std::size_t i) { kind = element_registry()[i]; }
};
template <>
struct Words<MaterialAxes> {
  static constexpr std::array<const char*, 2> names{"body", "global"};
};

template <>
struct Words<Formulation> {
  static constexpr std::array<const char*, 2> names{"section", "continuum"};
};

// Elements share their nodes, or each has its own and constraints join them (P1's constraint-based mesh).
enum class Connect { nodes, constraints };
template <>
struct Words<Connect> {
  static constexpr std::array<const char*, 2> names{"nodes", "constraints"};
};

enum class MassForm { consistent, lumped };
template <>
struct Words<MassForm> {
  static constexpr std::array<const char*, 2> names{"consistent", "lumped"};
};

// How a body moves: with all of its coordinates (total Lagrangian), with small strains about its own rotation
// (co-rotated, P2 section 4), as a few modes of a base about it (P2 section 5 and appendix B), or not deforming at all.
enum class Kinematics { total, corotated, reduced, modal, rigid };
template <>
struct Words<Kinematics> {
  static constexpr std::array<const char*, 5> names{"TL", "BC", "BC-RO", "BC-MODAL", "rigid"};
};

// Forces mass M v and stiffness K v, with K of the laws (Kelvin-Voigt, so that rigid motions are free of the second).
struct Rayleigh {
  double mass = 0;       // 1/s
  double stiffness = 0;  // s
};
const Schema& schema(const Rayleigh*);

// Where a body starts: its reference configuration turned about a point, then displaced.
struct Start {
  Triple displacement{0, 0, 0};
  Triple axis{0, 0, 1}, center{0, 0, 0};
  double angle = 0;  // deg
};
const Schema& schema(const Start*);

// How cables touch: as round strings, or as balls along them (P1), for comparison.
enum class ContactAs { string, spheres };
template <>
struct Words<ContactAs> {
  static constexpr std::array<const char*, 2> names{"string", "spheres"};
};

struct Body {
  ElementKind element = ElementKind::beam3243;
  std::string material, section;
  MeshSource mesh;
  std::optional<Formulation> formulation;  // default: section where the kind has it
  std::vector<int> quadrature;             // empty: the paper's rule
  std::vector<int> poisson_quadrature;     // beams: rule of the Poisson part
  Connect connect = Connect::nodes;
  MaterialAxes material_axes = MaterialAxes::body;
  std::optional<std::string> strategy;  // default: the model's
  Rayleigh damping = {};                // beside that of the materials
  std::optional<MassForm> mass = {};    // default: lumped where the kind says so
  double eta = 0;                       // s, damping force eta K(q) v with the present K (P2 eq. 13)
  Kinematics kinematics = Kinematics::total;
  std::string base;  // BC-RO, BC-MODAL: file of its modes, relative to the model's
  std::optional<Start> start = {};
  std::optional<double> contact_radius = {};  // m, lines: of the round string; default: that of a round section
  ContactAs contact_as = ContactAs::string;   // lines
  int contact_spheres = 4;                    // lines as spheres: of each element
};
const Schema& schema(const Body*);

// What the position and the named points of a rigid body count from: its centre of mass, or the origin of the frame of
// its shape, which a file or a compound may have elsewhere.
enum class BodyOrigin { centre, shape };
template <>
struct Words<BodyOrigin> {
  static constexpr std::array<const char*, 2> names{"center", "shape"};
};

// Natural coordinates: a point and three base vectors, 12 numbers, kept rigid by six constraints. Its frame has the
// centre of mass as origin.
struct RigidBody {
  Triple position{0, 0, 0};                    // of its origin
  std::optional<Triple> x_axis, y_axis;        // of the body's frame, made orthonormal; default: global axes
  std::optional<double> mass;                  // with inertia, or with a shape
  std::optional<std::vector<double>> inertia;  // about the centre, body's axes: Ixx Iyy Izz, or with Ixy Ixz Iyz
  std::optional<RigidShape> shape;             // instead of inertia, with density or mass
  double density = 0;
  Triple velocity{0, 0, 0}, angular_velocity{0, 0, 0};  // global components
  Named<Triple> points;                                 // named places, in the body's frame
  std::optional<Quaternion> orientation = {};           // instead of the axes
  std::optional<Triple> inertia_point = {};             // that `inertia` is about, in the body's frame
  std::optional<Start> start = {};
  BodyOrigin origin = BodyOrigin::centre;
  std::optional<RigidShape> contact_shape = {};  // what others touch, where it is not `shape`; in its frame
  // What others touch.
  const std::optional<RigidShape>& surface() const { return contact_shape ? contact_shape : shape; }
  bool is_massless() const { return mass && *mass == 0; }
};
const Schema& schema(const RigidBody*);
struct PointMass {
  double mass = 0;
  Triple position{0, 0, 0}, velocity{0, 0, 0};
  std::optional<Start> start = {};
};
const Schema& schema(const PointMass*);
// Points joined by thin rigid bars with their mass spread evenly: the natural coordinates of P4. A bar keeps its
// length.
struct Linkage {
  std::vector<Triple> points;
  std::vector<std::array<int, 2>> bars;
  double bar_mass = 0;               // of every bar
  std::vector<double> bar_masses;    // one per bar instead
  std::vector<double> point_masses;  // one per point, in addition
  std::optional<Triple> plane;       // normal of the plane in which the points stay
  std::vector<int> ground;           // points that do not move
  Named<std::vector<int>> sets;      // named lists of points
};
const Schema& schema(const Linkage*);
using AnyBody = std::variant<Body, RigidBody, PointMass, Linkage>;

// Of a rigid body's frame, by x and y as they are given or by the quaternion: unit vectors.
std::array<Triple, 3> frame_of(const RigidBody& body);

// Mass per length where the section says it and the density of the material does not count (`general`, `bar` with a
// mass); of a taper the larger one.
struct Model;
std::optional<double> mass_of_section(const Model& model, const Body& body);

inline constexpr double most_points = 1e4;  // of a quadrature rule
void check(const Spot& here, const AnyBody& body);

}  // namespace lithe
