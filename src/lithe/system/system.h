// System: what compile(Model) makes of a model, immutable. Coordinates are numbered by vectors: a coordinate vector is
// the position or one gradient of a node (three numbers), an element touches N of them. Linear constraints are
// eliminated: the unknowns z are what remains (coordinate_map.h). What remains of the constraints are rows c(q, t) = 0
// with multipliers or penalties.
//
//   q (all coordinates) --gather--> packs of elements --kernel--> forces, tangents --scatter--> f(q), K(z)
//
// Chunks of packs run on threads (chunks.h); the order of additions does not depend on their number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/base/place.h"
#include "lithe/base/team.h"
#include "lithe/constraints/part.h"
#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/cable/cable_kernel.h"
#include "lithe/elements/continuum.h"
#include "lithe/linalg/sparse.h"
#include "lithe/model/mesh.h"
#include "lithe/model/model.h"
#include "lithe/system/chunks.h"
#include "lithe/system/coordinate_map.h"
#include "lithe/system/laws.h"
#include "lithe/system/markers.h"
#include "lithe/system/moments.h"
#include "lithe/system/pressure.h"
#include "lithe/system/rows.h"
#include "lithe/system/springs.h"
#include "lithe/system/state.h"
#include "lithe/system/surface.h"

namespace lithe {

// Elements of one kind, law, rule and strategy, of one or many bodies, evaluated by one kernel.
struct Batch {
  std::vector<int> bodies;  // whose elements these are, one body after the other
  int elements = 0;
  ContinuumBatch continuum;  // reference data; of cables, rigid bodies, bars and points kind, reference and half_size
  CableBatch cable;          // cables
  std::unique_ptr<BatchKernel> kernel;     // null: mass alone (rigid bodies, bars, points)
  std::vector<std::int32_t> connectivity;  // compile() | [pack][N][W] | vector numbers, last pack padded
  std::vector<std::int32_t> targets;       // compile() | as connectivity | where forces go: vector, ~slot; or empty
  std::vector<std::int32_t> offsets;       // compile() | [pack][blocks][W] | place of a block in its columns, ~slot - 2
  std::vector<double> mass;                // compile() | [element][N(N+1)/2] | kg, compact (P0 eq. 1)
  double mass_damping = 0;                 // compile() | 1/s | force mass_damping M v
  double eta = 0;                          // compile() | s | force eta K(q) v
};

// What outputs and springs need of a joint of the model.
struct CompiledJoint {
  int owner = -1;
  Marker a, b;
  int angle = -1;                   // into System::angles and State::slots; of a universal joint about axis_a
  int second_angle = -1;            // universal: about axis_b
  std::optional<Direction> slides;  // axis of its travel, which belongs to a
  Form moves;                       // what travels along it: b - a; along a line its coordinate
  double start = 0;                 // m, axis . moves in the reference configuration
  bool rope = false;                // its one row is a rope, the multiplier the tension
  double travel(const std::vector<double>& q) const { return dot(direction_value(*slides, q), moves.value(q)) - start; }
};

// A joint along a line: its coordinate s is a vector of its own (s, 0, 0), after those of the bodies.
struct Slider {
  int joint = 0, vector = 0;
  Form point;  // what slides
  std::shared_ptr<const Track> track;
};

// Who asked for an equation.
struct ConstraintOwner {
  enum class Kind { constraint, joint, body } kind = Kind::constraint;
  int index = 0;                // in the model
  std::string text;             // "joint 'hinge'"
  std::vector<int> vectors;     // eliminated: vectors that were held or made slaves for it
  std::vector<int> rows;        // kept: rows of System::rows
  std::vector<int> eliminated;  // into System::eliminated
  int redundant = 0;            // equations that others imply: dropped
};

// The Jacobian G of the rows over the unknowns: fixed pattern by rows, and how gradients of the parts add up in it.
struct ConstraintJacobian {
  struct Term {
    std::int32_t argument;  // of the row's part
    std::int32_t vector;    // free vector
    std::int32_t element;   // of the row's track, on which it must be for this term; -1: always
    std::int32_t entry[3];  // of G, for each of its unknowns[vector].count unknowns; -1: never there
                            // mapped: the first of the numbers that move the vector
    double weight;
  };
  std::vector<std::int32_t> row_start;   // [rows + 1]
  std::vector<std::int32_t> column;      // [entry] unknown, ascending in a row
  std::vector<std::int32_t> term_start;  // [rows + 1]
  std::vector<Term> terms;
  std::vector<std::int32_t> upper;  // [entry] lagrange: place of (column, size + row) in the pattern
  std::vector<std::int32_t> lower;  // [entry] lagrange, unsymmetric: place of (size + row, column)
};

struct BodyInfo {
  std::string name;
  ElementKind kind;
  Mesh mesh;
  std::vector<Slice> slices;  // layers of a shell; one slice for anything else
  int first_vector = 0;       // vector number of node 0's position
  int node_vectors = 4;
  int batch = 0;          // of its elements; bodies of points alone: of the points
  int first_element = 0;  // in the batch
  bool mapped = false;    // moves as a BodyMap says
  // Rigid bodies: upper triangle of the compact mass matrix over the point and the three base vectors; centre of mass
  // in the frame of the shape, m.
  std::array<double, 10> rigid_mass{};
  Vec3<double> centre{};
  int elements() const { return static_cast<int>(mesh.elements.size()) / kind->nodes; }
  int vector(int node, int which) const { return first_vector + node * node_vectors + which; }
  // Coordinate vector i of an element, i from 0 to vector_count(kind) - 1.
  int element_vector(int element, int i) const {
    return vector(mesh.elements[static_cast<std::size_t>(element) * kind->nodes + i / node_vectors], i % node_vectors);
  }
  Vec3<double> half_size(int element) const {
    if (!kind->scaled()) return {{1, 1, 1}};
    return {{0.5 * mesh.size[3ul * element], 0.5 * mesh.size[3ul * element + 1], 0.5 * mesh.size[3ul * element + 2]}};
  }
};

// A place resolved to coordinate vectors: position = sum_k weight_k q[vector_k].
struct PointWeights {
  int body = 0;
  MaterialPoint point;
  std::vector<int> vectors;
  std::vector<double> weights;
};

// Point forces, line loads and gravity: f[vector] += weight * components(t) over the vectors of a form.
struct PointForces {
  Forms at;                           // [force]
  std::vector<Signals> components;    // [force]
  std::vector<std::uint8_t> gravity;  // [force] has a potential
  int count() const { return at.count(); }
};
// A change of temperature of a body, and what it does to one of its elements (temperature.cpp).
struct CompiledTemperature {
  int body = 0;
  Signal signal[3];         // change, gradients along y and z
  double expansion = 0;     // lines: of their material | 1/K
  double resultants[2][6];  // shells: N11, N22, N12, M11, M22, M12 of 1 K and of 1 K/m along z
};
struct HeatedElement {
  std::int32_t temperature = 0, element = 0;  // in its body
};

// An output of the model with its place found, so that a wrong place is an error before anything runs.
struct CompiledOutput {
  PointWeights point;   // outputs at a point; reactions: mean of the nodes that are held
  int body = -1;        // outputs of a body
  int constraint = -1;  // reactions
  int spring = -1;      // springs
  int contact = -1;     // contacts
  int joint = -1;       // into System::joints
  Marker marker;        // rotations; reactions in a frame
};

class ContactSurfaces;
// Rows that others imply and that are moved, or implied by what is moved: not solved for, but looked at in every step.
struct ImpliedRows {
  ConstraintRows rows;
  std::vector<double> allowed;      // [row] |c|
  std::vector<std::string> owners;  // [row] "joint 'a' and joint 'b'": who would contradict each other
};

class EliminatedMultipliers;

struct System {
  Model model;
  std::vector<BodyInfo> bodies;
  std::vector<Batch> batches;
  Surface surface;                                   // compile() | what contact and drawing see
  std::vector<double> q0;                            // compile() | [vector][3] | reference coordinates
  std::vector<double> q_start;                       // compile() | [vector][3] | coordinates at the start
  std::vector<double> v0;                            // compile() | [vector][3] | velocities the user gave
  CoordinateMap map;                                 // compile() | q from the unknowns, forces back
  std::vector<std::vector<int>> constraint_vectors;  // compile() | per constraint of the model | vectors it holds
  std::vector<ConstraintOwner> owners;               // compile() | constraints, joints and bodies with equations
  ConstraintRows rows;                               // compile() | multipliers or penalties
  ImpliedRows implied;                               // compile() | dropped, although drives might contradict them
  EliminatedEquations eliminated;                    // compile() | independent equations that left the unknowns
  std::vector<CompiledJoint> joints;                 // compile() | parallel to model.joints
  std::vector<Slider> sliders;                       // compile() | joints along lines
  std::vector<Angle> angles;                         // compile() | of joints, the first of State::slots
  std::vector<std::string> angle_names;              // compile() | of their slots
  ConstraintJacobian jacobian;                       // compile() | of the rows
  SparsePattern pattern;                             // compile() | of the matrix: unknowns, then multipliers (lagrange)
  bool symmetric = true;                             // upper triangle stored
  Chunks chunks;                                     // compile() | how work is spread over threads
  // Does this vector belong to a body that moves as a BodyMap says, attached already or not?
  bool will_map(int vector) const { return !to_map.empty() && to_map[vector] != 0; }
  std::vector<std::uint8_t> to_map;  // compile() | [vector], or empty
  int row_count() const { return static_cast<int>(rows.size()); }
  bool has_multipliers() const { return !rows.empty() && model.treatment != Treatment::augmented; }

  PointForces forces;
  Moments moments;
  PressureSides pressure_sides;
  std::vector<CompiledTemperature> temperatures;
  std::vector<HeatedElement> heated;
  Springs springs;                                           // compile() | parallel to model.springs
  std::vector<CompiledOutput> outputs;                       // compile() | parallel to model.outputs
  std::shared_ptr<const EliminatedMultipliers> multipliers;  // compile() | where outputs ask for reactions
  std::shared_ptr<const ContactSurfaces> contact_surfaces;   // compile() | null: nothing touches
  std::vector<std::string> warnings;
  double settling_operations = 0;  // compile() | floating-point | of settling rows and start (redundancy.h), a bound

  double length_scale = 1;  // m, size of the model
  int vectors() const { return map.vectors(); }
  State initial_state() const;
  // What slides along a line and has passed its end: "joint 'ring' ..."; empty: nothing has.
  std::string past_an_end(const State& state) const;
  // Rows of `implied` that do not hold: who contradict each other, and by how much; empty: none do.
  std::string contradiction(const State& state) const;
  // Number in State::slots of the force across the line on what joint `joint` lets slide.
  int pressed_slot(int joint) const;
  // "body 'beam', node 20, position z" for unknown number i.
  std::string unknown_name(int i) const;
  int body_at(int vector) const;  // whose vector it is, -1: of a joint
  PointWeights resolve_point(const At& at) const;
  std::vector<int> resolve_nodes(const At& at, int& body) const;

  System();  // compiled once, as those of Model
  System(System&&) noexcept;
  System& operator=(System&&) noexcept;
  ~System();
};

System compile(const Model& model);

// What evaluation needs beside System and State: disposable, one per run.
struct Workspace {
  explicit Workspace(const System& system, int threads = 0);
  std::unique_ptr<Team> team;
  std::unique_ptr<Place> place;  // where vectors of steps live; the host where nobody says otherwise
  int threads() const { return team->size(); }
  std::vector<double> internal, external;      // [vector][3]  N and N m
  std::vector<double> force_slots;             // [slot][3] of system.chunks
  std::vector<double> block_slots;             // [slot][3][3]
  AlignedVector<double> saved;                 // per batch, what force() leaves for tangent()
  std::vector<std::size_t> saved_start;        // [batch]
  std::vector<double> saved_q, saved_v;        // state at which `saved` holds
  std::vector<AlignedVector<double>> scratch;  // [thread]
  std::vector<AlignedVector<double>> damping;  // [thread] of one pack, where a batch has eta
  std::vector<AlignedVector<double>> mapped;   // [thread] of one mapped body
  std::vector<double> c;                       // evaluate_constraints() | [row]
  std::vector<double> G;                       // evaluate_constraints() | [entry of system.jacobian]
  std::vector<double> plain_mass;              // [nonzero] mass of batches without kernel, over the pattern
};

// internal = f_int(q, v), all coordinates.
void evaluate_internal(const System& system, const State& state, Workspace& work);
// The same without the elastic forces of mapped bodies.
void evaluate_unmapped_internal(const System& system, const State& state, Workspace& work);
// Nor those of springs.
void evaluate_elements(const System& system, const State& state, Workspace& work);
// external = applied loads at state.t and state.load_factor.
void evaluate_external(const System& system, const State& state, Workspace& work);
// K over system.pattern: c_q df/dq + c_v df/dv of internal minus applied forces, plus c_a M. Entries of multipliers
// stay 0.
void evaluate_tangent(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                      std::vector<double>& values, double c_a = 0);
// The same without what kernels make: springs, moments, pressure, temperatures, masses that have no kernel.
void evaluate_other_tangent(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                            std::vector<double>& values, double c_a = 0);
// What kernels make, times x, over all coordinates: the exact tangent whatever the form of the assembled one. Kernels
// must have products.
void evaluate_tangent_product(const System& system, const State& state, std::span<const double> x, double c_q,
                              double c_v, double c_a, Workspace& work, std::vector<double>& product);

// c(q, t) of one row.
double constraint_gap(const ConstraintRows& rows, int row, const State& state);
// c(q, t) and G at `state`.
void evaluate_constraints(const System& system, const State& state, Workspace& work);
// dc/dt and d2c/dt2 along the rates of `state`.
void constraint_rates(const System& system, const State& state, std::span<double> rates);
double constraint_rate(const System& system, const State& state, int row);
void constraint_accelerations(const System& system, const State& state, std::span<double> accelerations);
inline void constraint_rates(const System& system, const State& state, std::vector<double>& rates) {
  rates.resize(system.rows.size());
  constraint_rates(system, state, std::span(rates));
}
inline void constraint_accelerations(const System& system, const State& state, std::vector<double>& accelerations) {
  accelerations.resize(system.rows.size());
  constraint_accelerations(system, state, std::span(accelerations));
}
// reduced += factor G^T x, x over the rows; G usually work.G.
void add_transposed(const System& system, std::span<const double> G, double factor, std::span<const double> x,
                    std::span<double> reduced);
// values += factor (G^T x)_q, over the unknowns of system.pattern.
void add_constraint_stiffness(const System& system, const State& state, double factor, std::span<const double> x,
                              Workspace& work, std::vector<double>& values);
// The same of row number `row`, times its factor.
void add_row_stiffness(const System& system, int row, const State& state, double factor, const TangentSink& sink);
// Lagrange: values of G and G^T, times factor, into the borders of the matrix.
void set_borders(const System& system, const Workspace& work, double factor, std::vector<double>& values);
// force += sum over rows of x_r dc_r/dq over all coordinates: what multipliers do to every vector, slaves included.
void add_row_forces(const System& system, const State& state, std::span<const double> x, std::span<double> force);

double strain_energy(const System& system, const State& state, Workspace& work);
double kinetic_energy(const System& system, const State& state, Team& team);
double strain_energy(const System& system, const State& state);  // on one thread, to the same bits
double kinetic_energy(const System& system, const State& state);
double total_mass(const System& system);

}  // namespace lithe
