// Penalty contacts as forces of the model: which points may press, their forces in the residual, their tangent in the
// matrix, what they remember.
//
// Points are found at the begin of a step, wide enough for all that it may bring, and stay its points: each is a pair
// of features (contact/penalty_pair.h) whose geometry follows the coordinates, so that forces are smooth within the
// step and Newton's method has their exact tangent. At its end those that press are written into the State with their
// stretch, and read again from there: a resumed run goes on from the same numbers.
//
// Work is that of the trapezoidal rule, as for all other forces, over the local vectors of both sides: what obstacles
// have in it is the work of their drives.
#pragma once

#include <string>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/detection.h"
#include "lithe/contact/penalty_pair.h"
#include "lithe/dynamics/contact_pattern.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/system/contact_stiffness.h"
#include "lithe/system/contact_surfaces.h"
#include "lithe/system/pattern.h"

namespace lithe {

// Is there a penalty contact in the model?
inline bool has_contact_forces(const System& system) {
  return first_contact(system.model, ContactLaw::penalty) != nullptr;
}

class ContactForces {
 public:
  ContactForces(const System& system, Team& team);

  // Refuses bodies that begin inside each other, where their contact says so.
  void check_start(const State& state);
  // What may press while the state goes on from `begin` for h.
  void find(const State& begin, double h);
  // The same at a start, where nobody knows what presses already.
  void find_first(const State& begin, double h);
  // What may press near `state`, where nothing moves further than `reach`, m, on the way from `begin`. Statics.
  void find_near(const State& state, const State& begin, double reach);
  // Are the features that press at `state`, as they would be found there, those that press now, and does friction know
  // its stiffness at all of them?
  bool same_features(const State& state);
  // What presses in the State, `from` with its slots.
  void recall(const State& state, const Slots& from);
  // The same in a restart, with the pattern.
  void resume(const State& state);
  bool empty() const { return points_.empty(); }
  int count() const { return static_cast<int>(points_.size()); }

  // internal -= forces at `state`.
  void add(const State& state, std::vector<double>& internal);
  // An end of a step or a start: sums and what is remembered, into the slots; `state` is `to`, or where its vectors
  // are.
  void keep(const State& state, State& to);
  // The same with the work since the begin of the step, into the balance of energies.
  void accept(const State& state, State& to);

  // What is stored in depth and stretch of what presses, J, at the last keep().
  double stored() const { return stored_; }
  // Impacts that the last step was too long for.
  const CoarseImpacts& coarse() const { return coarse_; }

  // Tangents c_q df/dq + c_v df/dv of -forces at `state`; then their sum over pattern().
  void linearise(const State& state, double c_q, double c_v);
  void add_tangent(std::vector<double>& values);
  const ContactPattern& pattern() const { return pattern_; }

 private:
  struct Point {
    std::int32_t surface[2], corner[2][3];
    double feature[2];
    int entry;
    PenaltyPair pair;
    PenaltyLaw law;
    PenaltyHistory history;
    Vec3<double> rim;  // the point of a cylinder's end as it was found, in its frame
    Vec3<double> begin[most_penalty_vectors];
    double approach = 0;  // m/s, at the begin of the step, of what was apart then
    // At the last evaluation.
    Vec3<double> x[most_penalty_vectors], v[most_penalty_vectors];
    PenaltyForces<double> forces;
    bool presses() const { return forces.normal > 0; }
  };

  const Contact& contact_of(int entry) const { return system_.model.contacts.items[entry].second; }
  void place_obstacles(double t);
  void gather(const State& state, const Point& point, Vec3<double>* x, Vec3<double>* v) const;
  void evaluate(const State& state);
  void look_ahead(const State& begin, double h);
  void set_points(const State& here, const State& begin, double margin);
  Point make_point(const ContactPoint& found, const State& here) const;
  void choose_kind(const ContactPoint& found, Point& point) const;
  void set_side(Point& point, int s) const;
  bool is_end(const Point& point, int s) const;
  int triangle_of(const ContactSide& side, const Vec3<double>& normal) const;
  void set_law(Point& point) const;
  double tangential_slope(const Point& point) const;
  double energy_of(const Point& point) const;
  double inverse_mass(const Point& point, int side, const Vec3<double>& n) const;
  void look_at_impacts(double h);
  void list(const Point& point);
  int pattern_slot(const Slots& slots) const { return contact_points_slot(system_, slots) - 1; }
  void remember_stretches(const Slots& slots);
  void cover();
  void write(const Point& point, std::vector<double>& to) const;
  Point read(const double* from) const;
  template <int N>
  void make_tangent(const Point& point, double c_q, double c_v, double* K) const;
  // action(local vector, first of its scalars among those that move) for all that coordinates move.
  template <class Action>
  void for_moving(const Point& point, Action&& action) const;
  // action(vector, weight) of a local vector over vectors with unknowns of their own.
  template <class Action>
  void for_vectors(const Point& point, int local, Action&& action) const;
  // Side of a local vector, and its number there.
  static int side_of(const Point& point, int local) { return local < point.pair.side[0].vectors() ? 0 : 1; }

  static constexpr int remembered = 28;  // numbers that the State keeps of a point

  const System& system_;
  const ContactSurfaces& surfaces_;
  Team& team_;
  const ContactStiffness stiffness_;
  ContactPattern pattern_;
  ContactScene scene_;
  ContactDetection detection_;
  CornerLists triangles_;                      // [corner] of the scene around it
  std::vector<Point> points_, last_;           // of this step; what pressed at its begin, evaluated there
  bool recalled_ = false, evaluated_ = false;  // points_ are those of the State; they have their forces
  std::vector<ObstaclePose> pose_;             // [surface] of obstacles
  std::vector<double> mass_;                   // [vector] diagonal of the mass matrix
  std::vector<double> rates_, kept_, listed_;
  double stored_ = 0;
  CoarseImpacts coarse_;
  double h_ = 0;                            // s, of the step; 1 in statics, where impulses are forces
  std::vector<std::size_t> tangent_start_;  // [point + 1] into tangent_, of those that press
  std::vector<double> tangent_;             // dense, over the scalars that move
  // Room of add_tangent().
  std::vector<std::int32_t> vectors_;
  std::vector<double> weights_;       // [vector][local]
  std::vector<Mat3<double>> spread_;  // [local][vector]
};

template <class Action>
void ContactForces::for_moving(const Point& point, Action&& action) const {
  int local = 0, scalar = 0;
  for (int s = 0; s < 2; ++s)
    for (int k = 0; k < point.pair.side[s].vectors(); ++k, ++local)
      if (!surfaces_.is_obstacle(point.surface[s])) {
        action(local, scalar);
        scalar += 3;
      }
}

template <class Action>
void ContactForces::for_vectors(const Point& point, int local, Action&& action) const {
  const int s = side_of(point, local), k = s == 0 ? local : local - point.pair.side[0].vectors();
  const auto masters = [&](int vector, double weight) {
    for_masters(system_, vector, [&](int own, double share) { action(own, weight * share); });
  };
  if (point.pair.side[s].framed) return masters(surfaces_.frame(point.surface[s]) + k, 1.0);
  surfaces_.for_corner(point.corner[s][k], masters);
}

// work.internal -= forces of what presses in a State, where the model has penalty contacts: for a look at one.
void add_contact_forces(const System& system, const State& state, Workspace& work);

}  // namespace lithe
