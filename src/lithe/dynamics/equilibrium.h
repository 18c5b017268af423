// The equilibrium problem over the unknowns z and the multipliers y of the rows that constraints left,
//
//   r = restrict(f_int(q) - f_ext(q, lambda)) + G^T y = 0,   c(q, t) = 0,   [ K + (G^T y)_q   G^T ]
//                                                                          [ G               0   ]
//
// with what Newton and the arc-length method need of it: residual with its scales, factorised tangent, norms, and words
// for what went wrong. Vectors live in the place of the Workspace; those over the unknowns go on with one entry per
// row. The matrix is LinearSystem's affair.
//
// Norms are free of units: forces conjugate to gradients (N m) count divided by the size L of the model, corrections of
// positions divided by L, of gradients as they are; violations of rows count divided by L.
#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/configuration.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/dynamics/norm_weights.h"
#include "lithe/dynamics/statics.h"
#include "lithe/dynamics/timed.h"

namespace lithe {

struct ResidualSize {
  double norm = 0;      // N
  double relative = 0;  // to the larger of internal (reactions included) and external forces
  bool finite = true;
};

class Equilibrium {
 public:
  Equilibrium(const System& system, const StaticAnalysis& options, Workspace& work, StaticReport& report);

  const System& system;
  const StaticAnalysis& options;
  Workspace& work;
  StaticReport& report;
  Place& place;
  Array r;          // residual() | [unknown, row] | N, N m; c of the rows, m
  Array reference;  // residual() of a proportional problem | [unknown, row] | df_ext/dlambda
  Array offset;     // [unknown, row], subtracted from r times offset_factor: a start out of equilibrium
  double offset_factor = 0;
  double full_load = 0;       // N, what the full load leaves unbalanced at the start
  bool driven = false;        // joints move something: forces come of that, whatever the load
  bool proportional = false;  // external = lambda times reference: arc length
  double begin = 0;           // s, time at share 0
  bool goes_on = false;       // from an equilibrium under the constant loads: they stay

  int size() const { return system.map.size + system.row_count(); }
  Array array() { return {place, static_cast<std::size_t>(size())}; }
  // Time and load factor together, and what moves with the time: 0 at the beginning, 1 at the end.
  void set_load(Configuration& state, double share);
  void follow(Configuration& state);
  // Angles of joints, counted on from turn to turn; once per accepted state.
  void count_turns(Configuration& state) { model_.count_turns(state); }
  // Penalty contacts: what the State has of them, at a start; what may press near `trial` on the way from an accepted state; do
  // others press at an equilibrium than those it was found with; and what an accepted state keeps of them.
  bool has_contacts() const { return model_.contact != nullptr; }
  void start_contacts(Configuration& state);
  void find_contacts(const Configuration& trial, const Configuration& from);
  bool same_contacts(const Configuration& state);
  void accept_contacts(Configuration& state);
  // Coordinates and multipliers += factor dx.
  void add(const Array& dx, double factor, Configuration& state);
  // Multipliers of the motion that would begin at `state`: what a mechanism has for stiffness. False: no mass.
  bool guess_multipliers(Configuration& state);
  ResidualSize residual(const Configuration& state);
  // Puts the forces of the last residual() where outputs look for them.
  void fetch_forces() { model_.fetch_forces(); }
  // The forces of an accepted step scale the residuals of later ones, so that a load that goes back to zero has a
  // scale.
  void remember_scale();

  // At the last residual(): every row holds; no load at all either.
  bool rows_hold() const { return violation_ <= 1e-14 * system.length_scale; }
  bool unloaded() const { return external_ == 0 && rows_hold(); }

  // Below the rounding error of the internal forces, as the last tangent knows it: those then are no measure of forces.
  bool tiny_load() const { return !driven && full_load > 0 && full_load <= rounding_; }
  // What the last residual() left is rounding error of an equilibrium: it is taken off from now on.
  void forgive_rounding();

  // Tangent at `state` over system.pattern, borders and penalties left out, with the rounding error of the forces
  // there.
  const std::vector<double>& evaluate(const Configuration& state);
  // Its factorisation. False: singular or not finite, see factor_report().
  bool factor();
  bool factor(const Configuration& state) {
    evaluate(state);
    return factor();
  }
  const FactorReport& factor_report() const { return linear_.factor_report(); }
  // Directions in which the last factorised tangent gives way, those of multipliers not counted; -1: not known.
  int negative_directions() const;
  // x = K^-1 b; false when no accurate solution came out.
  bool solve(const Array& b, Array& x);
  // Size of the rounding error in r at the last tangent: eps |K| |q|.
  double rounding() const { return rounding_; }

  // Free of units: [unknown, row] 1/L or 1, of rows 0; and squared.
  const Array& correction_weight() const { return correction_weight_; }
  const Array& correction_squares() const { return correction_squares_; }
  const NormWeights& weights() const { return weights_; }
  // Weighted RMS of a correction over the unknowns, and its inner product; of the displacement since the reference.
  double correction_norm(const Array& dz);
  double inner(const Array& a, const Array& b);
  double displacement_norm(const Configuration& state);
  // Node whose gradients form a left-handed frame, as text; empty: none.
  std::string inverted_node(const Configuration& state);
  // The unknown with the largest weight x, of x over [unknown, row].
  int largest_unknown(const Array& x);

  // How far `state` is, in what changes: the load, or in a later stage, with all constant loads, the time.
  std::string place_text(const Configuration& state) const;    // "load factor 0.5"
  std::string reached_text(const Configuration& state) const;  // "load factor 0.5 of 1 reached (t = 0.5 s)"
  std::string worst();                        // coordinate with the largest residual at the last finite evaluation
  std::string softest(const Configuration&);  // coordinates that move most in the softest mode
  std::string solver_text() const { return linear_.text(); }

 private:
  Array forces_of(Array& x) const { return x.part(0, system.map.size); }
  Array rows_of(Array& x) const { return x.part(system.map.size, system.rows.size()); }

  const NormWeights weights_;
  // [unknown, row] of the weights and their squares, 0 for rows; [vector][3] of squares of coordinates.
  Array force_weight_, force_squares_, correction_weight_, correction_squares_;
  Array coordinate_force_squares_, coordinate_correction_squares_;
  Array q0_;        // [vector][3] reference coordinates
  Array forgiven_;  // forgive_rounding() | [unknown, row] | N, N m
  bool forgives_ = false;
  Array finite_;      // [unknown, row] the last residual that was finite
  Array unbalanced_;  // [vector][3]
  Array scaled_;      // [unknown, row] room
  std::vector<double> magnitude_, from_, solution_, room_;
  double scale_ = 0, largest_scale_ = 0, rounding_ = 0, external_ = 0, violation_ = 0;
  double newtons_of_rows_ = 0;  // by the metre, at finite_
  bool any_finite_ = false;
  Phases phases_;  // of linear_
  Equations model_;
  LinearSystem linear_;
  Array rates_;  // what follow() has no use for
  State begin_;  // find_contacts()
};

}  // namespace lithe
