// System: what compile(Model) makes of a model, immutable. Coordinates are numbered by vectors: a coordinate vector is
// the position or one gradient of a node (three numbers), an element touches N of them. Fixed coordinates are
// eliminated: the unknowns z are what remains, three or fewer per vector, in a turned basis where the user held a
// direction that is not an axis.
//
//   q (all coordinates) --gather--> packs of elements --kernel--> forces, tangents --scatter--> f(q), K(z)
//
// Packs of one colour share no coordinate vector, so threads may add into f and K without locks, and the order of
// additions does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/cable_kernel.h"
#include "lithe/elements/continuum.h"
#include "lithe/linalg/sparse.h"
#include "lithe/model/mesh.h"
#include "lithe/model/model.h"
#include "lithe/system/laws.h"
#include "lithe/system/state.h"

namespace lithe {

// Elements of one body, evaluated by one kernel.
struct Batch {
  int body = 0;
  int elements = 0;
  ContinuumBatch continuum;  // reference data; of cables kind, reference and half_size alone
  CableBatch cable;          // cables
  std::unique_ptr<BatchKernel> kernel;
  std::vector<std::int32_t> connectivity;  // compile() | [pack][N][W] | vector numbers, last pack padded
  std::vector<int> colour_start;           // compile() | [colours + 1] | into colour_packs
  std::vector<int> colour_packs;           // compile() | packs sorted by colour
  std::vector<std::int32_t> offsets;       // compile() | [pack][blocks][W] | place of a block in its columns
  std::vector<double> mass;                // compile() | [element][N(N+1)/2] | kg, compact (P0 eq. 1)
};

// How the three numbers of a coordinate vector become unknowns.
struct VectorUnknowns {
  std::int32_t first = 0;                // first unknown
  std::int32_t basis = -1;               // index into System::bases, -1: global axes
  std::int8_t count = 3;                 // 0..3
  std::int8_t component[3] = {0, 1, 2};  // which components (in the vector's basis) are free, ascending
};

struct BodyInfo {
  std::string name;
  ElementKind kind;
  Mesh mesh;
  std::vector<Slice> slices;  // layers of a shell; one slice for anything else
  int first_vector = 0;       // vector number of node 0's position
  int node_vectors = 4;
  int batch = 0;
  int vector(int node, int which) const { return first_vector + node * node_vectors + which; }
};

// A place resolved to coordinate vectors: position = sum_k weight_k q[vector_k].
struct PointWeights {
  int body = 0;
  MaterialPoint point;
  std::vector<int> vectors;
  std::vector<double> weights;
};

struct CompiledForce {
  std::vector<int> vectors;
  std::vector<double> weights;  // f[vector] += weight * components(t)
  Signals components;
};
struct CompiledMoment {  // f_i = M x h_i / 2, h_i = J^-T grad S_i, J = sum_i q_i (x) grad S_i
  std::vector<int> vectors;
  std::vector<Vec3<double>> gradient;  // of S_i, in the element's natural coordinates
  Signals moment;
};
struct CompiledPressure {  // one side of one element, with its quadrature
  std::vector<int> vectors;
  std::vector<double> S;           // [point][N]
  std::vector<double> dS_a, dS_b;  // [point][N], derivatives along the side's two axes; a x b points outward
  std::vector<double> weight;      // [point]
  Signal pressure;
};

// An output of the model with its place found, so that a wrong place is an error before anything runs.
struct CompiledOutput {
  PointWeights point;   // outputs at a point
  int body = -1;        // outputs of a body
  int constraint = -1;  // reactions
};

struct System {
  Model model;
  std::vector<BodyInfo> bodies;
  std::vector<Batch> batches;
  std::vector<double> q0;                            // compile() | [vector][3] | reference coordinates
  std::vector<VectorUnknowns> unknowns;              // compile() | [vector]
  std::vector<Mat3<double>> bases;                   // compile() | columns are the directions of the unknowns
  std::vector<std::vector<int>> constraint_vectors;  // compile() | per constraint of the model | vectors it holds
  SparsePattern pattern;                             // compile() | of K over the unknowns
  bool symmetric = true;                             // upper triangle stored
  int size = 0;                                      // number of unknowns

  std::vector<CompiledForce> forces;  // point forces, line loads and gravity
  std::vector<CompiledMoment> moments;
  std::vector<CompiledPressure> pressure_sides;
  std::vector<CompiledOutput> outputs;  // compile() | parallel to model.outputs
  std::vector<std::string> warnings;

  double length_scale = 1;  // m, size of the model
  int vectors() const { return static_cast<int>(unknowns.size()); }
  State initial_state() const;
  // "body 'beam', node 20, position z" for unknown number i.
  std::string unknown_name(int i) const;
  PointWeights resolve_point(const At& at) const;
  std::vector<int> resolve_nodes(const At& at, int& body) const;
};

System compile(const Model& model);

// What evaluation needs beside System and State: disposable, one per run.
struct Workspace {
  explicit Workspace(const System& system, int threads = 0);
  int threads = 1;
  std::vector<double> internal, external;      // [vector][3]  N and N m
  AlignedVector<double> saved;                 // per batch, what force() leaves for tangent()
  std::vector<std::size_t> saved_start;        // [batch]
  std::vector<double> saved_q, saved_v;        // state at which `saved` holds
  std::vector<AlignedVector<double>> scratch;  // [thread]
};

// internal = f_int(q, v), all coordinates.
void evaluate_internal(const System& system, const State& state, Workspace& work);
// external = applied loads at state.t and state.load_factor.
void evaluate_external(const System& system, const State& state, Workspace& work);
// reduced[i] = (x in the unknowns' basis): restriction of a force over all coordinates to the unknowns.
void restrict_to_unknowns(const System& system, const std::vector<double>& full, std::vector<double>& reduced);
// q += prolongation of dz.
void add_unknowns(const System& system, const std::vector<double>& dz, double factor, std::vector<double>& q);
// K over system.pattern: c_q df/dq + c_v df/dv of internal minus applied forces.
void evaluate_tangent(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                      std::vector<double>& values);

double strain_energy(const System& system, const State& state);
double kinetic_energy(const System& system, const State& state);
double total_mass(const System& system);

}  // namespace lithe
