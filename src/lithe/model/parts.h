// The parts of a Model as plain structs with defaults; describe_model.h describes each of them once. Nothing is
// computed here; validation that needs more than one field is in validate.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/base/describe.h"
#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/kinds.h"
#include "lithe/model/signal.h"

namespace lithe {

using Triple = std::array<double, 3>;
using Signals = std::array<Signal, 3>;

// ---- materials ----

struct Isotropic {
  double E = 0, nu = 0, density = 0, damping = 0;
};
struct Orthotropic {
  double E1 = 0, E2 = 0, E3 = 0, nu12 = 0, nu13 = 0, nu23 = 0, G12 = 0, G13 = 0, G23 = 0, density = 0, damping = 0;
};
using Material = std::variant<Isotropic, Orthotropic>;

// ---- sections ----

struct Rectangle {  // beams
  double width = 0, thickness = 0;
  std::optional<std::array<double, 2>> shear_factors;
};
struct Circle {  // cables
  double radius = 0;
};
struct Bar {  // cables of any section
  double area = 0, inertia = 0;
};
struct Plate {  // shells of one layer, hexa plates
  double thickness = 0;
};
struct Layer {
  double thickness = 0, angle = 0;  // deg
  std::string material;
};
struct Layered {  // shells; bottom layer first
  std::vector<Layer> layers;
};
using Section = std::variant<Rectangle, Circle, Bar, Plate, Layered>;

// ---- meshes ----

struct LineMesh {
  Triple from{0, 0, 0}, to{0, 0, 0};
  int elements = 1;
  std::optional<Triple> width_direction;
};
struct ArcMesh {  // beams along a circular arc, optionally twisted about the axis
  Triple center{0, 0, 0}, normal{0, 0, 1}, start{1, 0, 0};
  double radius = 0, angle = 360, twist = 0;  // deg
  int elements = 1;
};
struct PlateMesh {
  Triple corner{0, 0, 0}, length{1, 0, 0}, width{0, 1, 0};
  std::array<int, 2> elements{1, 1};
};
struct AnnularPlateMesh {
  Triple center{0, 0, 0}, normal{0, 0, 1}, start{1, 0, 0};
  double inner_radius = 0, outer_radius = 0, angle = 360;  // deg
  std::array<int, 2> elements{1, 1};                       // around, across
};
struct BlockMesh {
  Triple corner{0, 0, 0}, length{1, 0, 0}, width{0, 1, 0}, height{0, 0, 1};
  std::array<int, 3> elements{1, 1, 1};
};
struct NodeMesh {                          // nodes and elements given one by one
  std::vector<std::vector<double>> nodes;  // r, r_x, r_y, r_z (cables: r, r_x)
  std::vector<std::vector<int>> elements;  // node numbers, from 0
  std::vector<Triple> size;                // L, W, T per element, or one for all
  Named<std::vector<int>> sets;
};
using MeshSource = std::variant<LineMesh, ArcMesh, PlateMesh, AnnularPlateMesh, BlockMesh, NodeMesh>;

// ---- bodies ----

struct Body {
  ElementKind element = ElementKind::beam3243;
  std::string material, section;
  MeshSource mesh;
  std::vector<int> quadrature;          // empty: the paper's rule
  std::vector<int> poisson_quadrature;  // beams: rule of the Poisson part
  MaterialAxes material_axes = MaterialAxes::body;
  std::optional<std::string> strategy;  // default: the model's
};

// A place on a body: a named point or set ("beam.end"), a node, a material point of an element, or the material point
// that sits at given coordinates in the reference configuration.
struct At {
  std::string body;
  std::string name;            // of a point, a node set, an edge or a surface
  std::optional<int> node;     // 0-based
  std::optional<int> element;  // 0-based, with xi
  std::optional<Triple> xi;
  std::optional<Triple> point;
  Where where;
  std::string text() const;  // as the user would say it
};

// ---- constraints ----

enum class Coordinate { position, x_gradient, y_gradient, z_gradient };

struct Clamp {
  At at;
};
struct Fix {
  At at;
  std::vector<Coordinate> coordinates{Coordinate::position};
  std::vector<Triple> along;  // empty: all directions
};
using Constraint = std::variant<Clamp, Fix>;

// ---- loads ----

struct Gravity {
  Signals acceleration{Signal(0), Signal(0), Signal(-9.80665)};
};
struct PointForce {
  At at;
  Signals force;
};
struct PointMoment {
  At at;
  Signals moment;
};
struct LineLoad {
  At on;
  Signals force;  // N/m of reference length
};
struct Pressure {
  At on;
  Signal pressure;  // Pa, against the outward normal, follows the surface
};
using Load = std::variant<PointForce, PointMoment, LineLoad, Pressure, Gravity>;

// ---- outputs ----

struct DisplacementOutput {
  At at;
};
struct PositionOutput {
  At at;
};
struct GradientOutput {  // r_x, r_y, r_z at a material point, 9 components
  At at;
};
struct StressOutput {  // Green-Lagrange strain, second Piola-Kirchhoff and Cauchy stress, von Mises, at a material
                       // point
  At at;
};
struct MaxVonMisesOutput {  // over samples^3 points of every element of a body
  std::string body;
  int samples = 5;
};
struct ReactionOutput {  // sum of the forces that a constraint exerts
  std::string constraint;
};
struct EnergyOutput {};  // strain, kinetic, work of gravity
using Output = std::variant<DisplacementOutput, PositionOutput, GradientOutput, StressOutput, MaxVonMisesOutput,
                            ReactionOutput, EnergyOutput>;

// ---- analysis ----

enum class StaticMethod { newton, arc_length };

struct StaticAnalysis {
  StaticMethod method = StaticMethod::newton;
  double duration = 1;    // time at which the full load acts
  double first_step = 1;  // of the load, 0..1
  double largest_step = 1;
  double smallest_step = 1e-6;
  double tolerance = 1e-8;  // residual over the size of the forces
  double correction_tolerance = 1e-12;
  int iterations = 25;
  bool line_search = true;
  double arc_length = 0.1;  // first step of the load factor along the path
  int largest_steps = 1000;
  int threads = 0;
};
using Analysis = std::variant<StaticAnalysis>;

struct Model {
  std::string name = "model";
  Named<Material> materials;
  Named<Section> sections;
  Named<Body> bodies;
  Named<Constraint> constraints;
  Named<Load> loads;
  Named<Output> outputs;
  std::string strategy = "batched";
  TangentForm tangent = TangentForm::symmetric;
  Analysis analysis;
};

// ---- words ----

template <>
struct Words<ElementKind> {
  static constexpr std::array<const char*, 4> names{"cable", "beam3243", "shell3443", "hexa3843"};
};
template <>
struct Custom<ElementKind> : CustomWords<ElementKind> {};
template <>
struct Words<MaterialAxes> {
  static constexpr std::array<const char*, 2> names{"body", "global"};
};
template <>
struct Custom<MaterialAxes> : CustomWords<MaterialAxes> {};
template <>
struct Words<Coordinate> {
  static constexpr std::array<const char*, 4> names{"position", "x_gradient", "y_gradient", "z_gradient"};
};
template <>
struct Custom<Coordinate> : CustomWords<Coordinate> {};
template <>
struct Words<StaticMethod> {
  static constexpr std::array<const char*, 2> names{"newton", "arc_length"};
};
template <>
struct Custom<StaticMethod> : CustomWords<StaticMethod> {};
template <>
struct Words<TangentForm> {
  static constexpr std::array<const char*, 2> names{"symmetric", "exact"};
};
template <>
struct Custom<TangentForm> : CustomWords<TangentForm> {};
template <>
struct Custom<At> {
  static constexpr bool exists = true;
  static void read(const Value& value, At& out);
  static Value write(const At& x);
};

}  // namespace lithe
