// The equilibrium problem over the unknowns z and the multipliers y of the rows that constraints left,
//
//   r = restrict(f_int(q) - f_ext(q, lambda)) + G^T y = 0,   c(q, t) = 0,   [ K + (G^T y)_q   G^T ]
//                                                                          [ G               0   ]
//
// with what Newton and the arc-length method need of it: residual with its scales, factorised tangent, norms, and words
// for what went wrong. Arrays over the unknowns go on with one entry per row. The matrix is LinearSystem's affair.
//
// Norms are free of units: forces conjugate to gradients (N m) count divided by the size L of the model, corrections of
// positions divided by L, of gradients as they are; violations of rows count divided by L.
#pragma once

#include <string>
#include <vector>

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
  HostPlace place;
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
  void set_load(State& state, double share);
  void follow(State& state);
  // Angles of joints, counted on from turn to turn; once per accepted state.
  void count_turns(State& state) const;
  // Coordinates and multipliers += factor dx.
  void add(const Array& dx, double factor, State& state) const;
  // Multipliers of the motion that would begin at `state`: what a mechanism has for stiffness. False: no mass.
  bool guess_multipliers(State& state);
  ResidualSize residual(const State& state);
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
  const std::vector<double>& evaluate(const State& state);
  // Its factorisation. False: singular or not finite, see factor_report().
  bool factor();
  bool factor(const State& state) {
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

  // Free of units: [unknown] 1/L or 1.
  const std::vector<double>& correction_weight() const { return weights_.correction; }
  // Weighted RMS of a correction over the unknowns, and its inner product; of the displacement since the reference.
  double correction_norm(const Array& dz);
  double inner(const Array& a, const Array& b);
  double displacement_norm(const State& state) const;
  // Node whose gradients form a left-handed frame, as text; empty: none.
  std::string inverted_node(const State& state) const;

  // How far `state` is, in what changes: the load, or in a later stage, with all constant loads, the time.
  std::string place_text(const State& state) const;    // "load factor 0.5"
  std::string reached_text(const State& state) const;  // "load factor 0.5 of 1 reached (t = 0.5 s)"
  std::string worst() const;          // coordinate with the largest residual at the last finite evaluation
  std::string softest(const State&);  // coordinates that move most in the softest mode
  std::string solver_text() const { return linear_.text(); }

 private:
  const NormWeights weights_;
  Array force_squares_, correction_squares_;  // [unknown, row] of the weights; 0 for rows
  Array coordinate_squares_;                  // [vector][3] of those of forces
  Array forgiven_;                            // forgive_rounding() | [unknown, row] | N, N m
  bool forgives_ = false;
  Array unbalanced_;  // [vector][3]
  std::vector<double> scratch_, magnitude_;
  double scale_ = 0, largest_scale_ = 0, rounding_ = 0, external_ = 0, violation_ = 0;
  int worst_ = -1;
  Phases phases_;  // of linear_
  Equations model_;
  LinearSystem linear_;
  std::vector<double> solution_;
  std::vector<double> rates_;  // what follow() has no use for
};

}  // namespace lithe
