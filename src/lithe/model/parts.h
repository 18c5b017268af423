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
// Cables in two directions, tied at every crossing (P3); each row and each column is one continuous cable.
struct NetMesh {
  Triple corner{0, 0, 0}, along{1, 0, 0}, across{0, 1, 0};  // the last two are one cell
  std::array<int, 2> cells{1, 1};
  int elements = 1;  // along the side of a cell
};
using MeshSource = std::variant<LineMesh, ArcMesh, PlateMesh, AnnularPlateMesh, BlockMesh, NodeMesh, NetMesh>;

// ---- bodies ----

// Elements share their nodes, or each has its own and constraints join them (P1's constraint-based mesh).
enum class Connect { nodes, constraints };

struct Body {
  ElementKind element = ElementKind::beam3243;
  std::string material, section;
  MeshSource mesh;
  std::vector<int> quadrature;          // empty: the paper's rule
  std::vector<int> poisson_quadrature;  // beams: rule of the Poisson part
  Connect connect = Connect::nodes;
  MaterialAxes material_axes = MaterialAxes::body;
  std::optional<std::string> strategy;  // default: the model's
};

// A solid whose mass and inertia follow from its density; its frame is the body's, the origin its centre.
struct BoxShape {
  Triple size{0, 0, 0};
};
struct SphereShape {
  double radius = 0;
};
struct CylinderShape {  // along the body's z
  double radius = 0, length = 0;
};
struct TubeShape {  // along the body's z
  double inner_radius = 0, outer_radius = 0, length = 0;
};
using RigidShape = std::variant<BoxShape, SphereShape, CylinderShape, TubeShape>;

// Natural coordinates: a point and three base vectors, 12 numbers, kept rigid by six constraints. Its frame has the
// centre of mass as origin.
struct RigidBody {
  Triple position{0, 0, 0};                    // of the centre of mass
  std::optional<Triple> x_axis, y_axis;        // of the body's frame, made orthonormal; default: global axes
  std::optional<double> mass;                  // with inertia
  std::optional<std::vector<double>> inertia;  // about the centre, body's axes: Ixx Iyy Izz, or with Ixy Ixz Iyz
  std::optional<RigidShape> shape;             // instead of mass and inertia, with density
  double density = 0;
  Triple velocity{0, 0, 0}, angular_velocity{0, 0, 0};  // global components
  Named<Triple> points;                                 // named places, in the body's frame
};
struct PointMass {
  double mass = 0;
  Triple position{0, 0, 0}, velocity{0, 0, 0};
};
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
using AnyBody = std::variant<Body, RigidBody, PointMass, Linkage>;

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
  bool is_ground() const { return body == "ground"; }
  bool has_place() const { return !name.empty() || node || element || point; }
  std::string text() const;  // as the user would say it
};

// ---- constraints ----

enum class Coordinate { position, x_gradient, y_gradient, z_gradient };

// What a clamp holds: position and rotation of the section, or all coordinates, its stretch too.
enum class Hold { section, all };

struct Clamp {
  At at;
  Hold hold = Hold::section;
};
struct Fix {
  At at;
  std::vector<Coordinate> coordinates{Coordinate::position};
  std::vector<Triple> along;  // empty: all directions
};
using Constraint = std::variant<Clamp, Fix>;

// ---- joints ----

// A joint acts between places a and b, either of which may be the ground. Places and axes are given in the reference
// configuration, in global components. A body without a place ("rod") is taken at `point`, or where the other one is.
struct Weld {
  At a, b;
  std::optional<Triple> point;
};
struct Spherical {
  At a, b;
  std::optional<Triple> point;
};
struct Revolute {
  At a, b;
  std::optional<Triple> point;
  Triple axis{0, 0, 1};
};
struct Universal {  // axis_a stays in a, axis_b in b; they stay perpendicular
  At a, b;
  std::optional<Triple> point;
  Triple axis_a{1, 0, 0}, axis_b{0, 1, 0};
};
struct Cylindrical {  // turns about and slides along the axis
  At a, b;
  std::optional<Triple> point;
  Triple axis{0, 0, 1};
};
struct Prismatic {  // slides along the axis
  At a, b;
  std::optional<Triple> point;
  Triple axis{1, 0, 0};
};
struct Planar {  // slides in the plane and turns about its normal, which belongs to a
  At a, b;
  std::optional<Triple> point;
  Triple normal{0, 0, 1};
};
struct Distance {  // keeps two points at a distance; default: the one of the reference configuration
  At a, b;
  std::optional<Drive> distance;
};
struct PointOnLine {  // b's point stays on a line of a
  At a, b;
  std::optional<Triple> point;
  Triple axis{1, 0, 0};
};
struct Gear {  // angle of joint_b = ratio * angle of joint_a, both counted from the start
  std::string joint_a, joint_b;
  double ratio = 1;
};
struct Motion {  // a point follows given displacements, seen from the ground
  At at;
  std::array<std::optional<Drive>, 3> displacement;  // x, y, z from the reference position; none: free
};
struct Turn {  // the angle of a revolute or cylindrical joint follows a signal
  std::string joint;
  Drive angle;  // rad, from the reference configuration
};
struct Slide {  // the travel of a prismatic or cylindrical joint follows a signal
  std::string joint;
  Drive travel;  // m, from the reference configuration
};
using Joint = std::variant<Weld, Spherical, Revolute, Universal, Cylindrical, Prismatic, Planar, Distance, PointOnLine,
                           Gear, Motion, Turn, Slide>;

// ---- springs ----

struct Spring {  // along the line between two points: stiffness (l - free_length) + damping dl/dt + force
  At a, b;
  double stiffness = 0, damping = 0;
  std::optional<double> free_length;  // default: the length of the reference configuration
  Signal force;                       // pulls the points together
};
struct TorsionSpring {  // about the axis of a revolute or cylindrical joint
  std::string joint;
  double stiffness = 0, damping = 0, free_angle = 0;
  Signal moment;
};
struct Bushing {  // six stiffnesses and dampings between two frames, along a's axes
  At a, b;
  std::optional<Triple> point;
  std::optional<Triple> x_axis, y_axis;
  Triple stiffness{0, 0, 0}, damping{0, 0, 0}, torsion_stiffness{0, 0, 0}, torsion_damping{0, 0, 0};
};
using SpringElement = std::variant<Spring, TorsionSpring, Bushing>;

// ---- initial velocities ----

// Rates of the gradients r_x, r_y, r_z at a node: those of the velocity field, (dv/dx) r_x and so on, or zero.
enum class GradientRates { field, zero };

struct InitialVelocity {
  At on;                                  // body, set of nodes or node
  std::array<SpaceFunction, 3> velocity;  // a field: functions of x, y, z in the reference configuration
  GradientRates gradient_rates = GradientRates::field;
  Triple angular_velocity{0, 0, 0};  // rigid rotation in addition, gradients included
  Triple center{0, 0, 0};            // of that rotation
};

// ---- loads ----

struct Gravity {
  Signals acceleration{Signal(0), Signal(0), Signal(-9.80665)};
};
struct PointForce {
  At at;
  Signals force;
};
// What a moment turns: the section, as joints hold it, or r_x, r_y, r_z alike (P0).
enum class MomentTurns { section, gradients };
struct PointMoment {
  At at;
  Signals moment;
  MomentTurns turns = MomentTurns::section;
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
inline constexpr int most_samples = 64;  // a quarter of a million points an element
struct MaxVonMisesOutput {               // over samples^3 points of every element of a body
  std::string body;
  int samples = 5;
};
struct ReactionOutput {  // sum of the forces that a constraint exerts
  std::string constraint;
};
struct EnergyOutput {};  // kinetic, potential (gravity), strain, springs, total
struct VelocityOutput {
  At at;
};
struct AccelerationOutput {
  At at;
};
struct RotationOutput {  // axes of a rigid body or of a section, nine components, and their angular velocity
  std::string body;      // rigid, or
  std::optional<At> at;  // a place on any body with full gradients
};
struct JointOutput {  // reaction on b: force and torque at the joint, global components; angle or travel where it has
                      // one
  std::string joint;
};
struct SpringOutput {  // length or angle, rate, force or moment
  std::string spring;
};
struct MomentumOutput {};    // linear momentum, angular momentum about the origin
struct ConstraintOutput {};  // largest violation of positions and of velocities
using Output = std::variant<DisplacementOutput, PositionOutput, GradientOutput, StressOutput, MaxVonMisesOutput,
                            ReactionOutput, EnergyOutput, VelocityOutput, AccelerationOutput, RotationOutput,
                            JointOutput, SpringOutput, MomentumOutput, ConstraintOutput>;

// ---- analysis ----

enum class StaticMethod { newton, arc_length };
enum class OnInstability { warn, error, perturb };

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
  OnInstability on_instability = OnInstability::warn;
  int largest_steps = 1000;
  int threads = 0;
};

enum class Integrator { hht, newmark, generalized_alpha, trapezoidal, backward_euler };
enum class StepControl { fixed, error };
enum class TangentPolicy { adaptive, every_step, every_iteration };

struct DynamicAnalysis {
  double duration = 1;
  double step = 1e-3;
  Integrator integrator = Integrator::hht;
  double alpha = -0.1;              // hht: -1/3..0
  double beta = 0.25, gamma = 0.5;  // newmark
  double spectral_radius = 0.8;     // generalized_alpha: of infinite frequency
  StepControl control = StepControl::fixed;
  double error_tolerance = 1e-4;  // control error: local error of positions over the size of the model, of gradients
  double smallest_step = 1e-9, largest_step = 0;  // 0: of control error duration / 20, of fixed none
  std::optional<double> tolerance;  // weighted RMS of Newton's correction: positions over the size of the model
  std::optional<double> residual_tolerance;  // residual over the size of the forces; defaults follow the step's error
  int iterations = 12;
  TangentPolicy tangent_policy = TangentPolicy::adaptive;
  std::string solver = "auto", ordering = "auto";
  std::optional<bool>
      projection;          // of velocities and accelerations onto the constraints; default: where the scheme needs it
  double output_step = 0;  // 0: every step
  double checkpoint_step = 0;  // 0: none
  int threads = 0;
};
using Analysis = std::variant<StaticAnalysis, DynamicAnalysis>;

// How constraints enter: linear ones are eliminated and the others get multipliers; all get multipliers; or linear ones
// are eliminated and the others are penalties with multiplier iteration (P4).
enum class Treatment { eliminate, lagrange, augmented };
// none, or the configuration of P0: strategy E, multipliers, Eigen's SparseLU, one tangent and factorisation a step.
enum class Preset { none, paper };

struct Model {
  std::string name = "model";
  Named<Material> materials;
  Named<Section> sections;
  Named<AnyBody> bodies;
  Named<Constraint> constraints;
  Named<Joint> joints;
  Named<SpringElement> springs;
  Named<InitialVelocity> initial_velocities;
  Named<Load> loads;
  Named<Output> outputs;
  std::string strategy = "batched";
  TangentForm tangent = TangentForm::symmetric;
  Treatment treatment = Treatment::eliminate;
  double penalty = 1e8;  // augmented
  Preset preset = Preset::none;
  Analysis analysis;
};

// Sets what model.preset stands for.
void apply_preset(Model& model);
// The flexible body of that name, or null.
const Body* flexible(const Model& model, std::string_view name);

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
struct Words<GradientRates> {
  static constexpr std::array<const char*, 2> names{"field", "zero"};
};
template <>
struct Custom<GradientRates> : CustomWords<GradientRates> {};
template <>
struct Words<Hold> {
  static constexpr std::array<const char*, 2> names{"section", "all"};
};
template <>
struct Custom<Hold> : CustomWords<Hold> {};
template <>
struct Words<MomentTurns> {
  static constexpr std::array<const char*, 2> names{"section", "gradients"};
};
template <>
struct Custom<MomentTurns> : CustomWords<MomentTurns> {};
template <>
struct Words<StaticMethod> {
  static constexpr std::array<const char*, 2> names{"newton", "arc_length"};
};
template <>
struct Custom<StaticMethod> : CustomWords<StaticMethod> {};
template <>
struct Words<OnInstability> {
  static constexpr std::array<const char*, 3> names{"warn", "error", "perturb"};
};
template <>
struct Custom<OnInstability> : CustomWords<OnInstability> {};
template <>
struct Words<TangentForm> {
  static constexpr std::array<const char*, 2> names{"symmetric", "exact"};
};
template <>
struct Custom<TangentForm> : CustomWords<TangentForm> {};
template <>
struct Words<Connect> {
  static constexpr std::array<const char*, 2> names{"nodes", "constraints"};
};
template <>
struct Custom<Connect> : CustomWords<Connect> {};
template <>
struct Words<Integrator> {
  static constexpr std::array<const char*, 5> names{"hht", "newmark", "generalized_alpha", "trapezoidal",
                                                    "backward_euler"};
};
template <>
struct Custom<Integrator> : CustomWords<Integrator> {};
template <>
struct Words<StepControl> {
  static constexpr std::array<const char*, 2> names{"fixed", "error"};
};
template <>
struct Custom<StepControl> : CustomWords<StepControl> {};
template <>
struct Words<TangentPolicy> {
  static constexpr std::array<const char*, 3> names{"adaptive", "every_step", "every_iteration"};
};
template <>
struct Custom<TangentPolicy> : CustomWords<TangentPolicy> {};
template <>
struct Words<Treatment> {
  static constexpr std::array<const char*, 3> names{"eliminate", "lagrange", "augmented"};
};
template <>
struct Custom<Treatment> : CustomWords<Treatment> {};
template <>
struct Words<Preset> {
  static constexpr std::array<const char*, 2> names{"none", "paper"};
};
template <>
struct Custom<Preset> : CustomWords<Preset> {};
template <>
struct Custom<At> {
  static constexpr bool exists = true;
  static void read(const Value& value, At& out);
  static Value write(const At& x);
};

}  // namespace lithe
