// Modes of a model about a state: K z = omega^2 M z among the motions that the rows allow, G z = 0
// (docs/theory/modes.md). K has geometric and load stiffness and that of the multipliers, (G^T lambda)_q, of the state;
// of an unsymmetric K the symmetric part (modal_matrices.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/modal_matrices.h"

namespace lithe {

struct ProvedPairs;  // linalg/eigenpairs.h

// Translations along x, y, z, then rotations about them through the origin.
inline constexpr std::array<const char*, 6> rigid_motions{"x", "y", "z", "rx", "ry", "rz"};

struct Mode {
  double eigenvalue = 0;  // (rad/s)^2
  double frequency = 0;   // Hz; negative: the state gives way along it, at this rate
  double residual = 0;    // how far an iteration still turns it
  // Of the modal mass 1 kg: of the rigid motions. Effective masses: kg, then kg m^2.
  std::array<double, 6> participation{}, effective_mass{};
  std::vector<double> shape;  // [vector][3], modal mass 1 kg
};

struct Modes {
  std::vector<Mode> modes;             // ascending
  std::array<double, 6> total_mass{};  // kg, then kg m^2: what effective masses of all modes come to, where nothing
                                       // with mass is held
  double low = 0, high = 0;            // (rad/s)^2, where eigenvalues were counted
  double rounding = 0;                 // (rad/s)^2, what it makes of an eigenvalue of zero
  int counted = 0;                     // there
  bool dense = false;                  // all modes of the model were computed
  int missed = 0;                      // by the first search, found later
  int unknowns = 0, rows = 0;
  long long factorisations = 0, solves = 0;
  std::string solver;
  double seconds_matrices = 0, seconds_total = 0;
  std::string note;  // what is doubtful
};

struct ModesRequest {
  int count = 10;
  std::optional<double> near;  // Hz; none: the lowest
};

// What a model is to be asked for instead of its own analysis: modes at rest, or after the static stages that it begins
// with (all loads at once where it has none).
Stages modes_stages(const Model& model, const ModesRequest& request, bool at_equilibrium);

// Reference configuration, constant loads away, at rest.
State state_at_rest(const System& system);
// The same coordinates and loads without rates.
void bring_to_rest(const System& system, State& state);
// After the static stages of the model, up to the first of another kind; RunError where one fails.
State state_at_equilibrium(const System& system, Workspace& work);

// InputError: nothing moves, no mass, more modes than there are. RunError: not found, or no proof.
Modes find_modes(const System& system, const State& state, Workspace& work, const ModesRequest& request);

// The lowest modes of matrices over any pattern, its six rigid motions among them; vectors have x^T M x = 1.
ProvedPairs lowest_modes(SparsePattern pattern, std::vector<double> K, std::vector<double> M, int count);

}  // namespace lithe
