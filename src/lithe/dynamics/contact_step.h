// Contact in a half step. Points are found in the middle, where forces are; impulses R make the relative velocities U
// of the end (over the shape of the middle) obey Signorini and Coulomb:
//
//   gap > 0     U_N >= -gap/h: in the middle of the next step, and not before, the bodies may touch
//   gap <= 0    U_N >= 0, and what they overlap is moved apart at the end, at unchanged velocities
//   impact      U_N >= -e U_N(begin) where they approach and would meet within the step (Newton's restitution)
//
// Friction and stops of joints stand beside the points as rows of the same problem (joint_contacts.h).
//
// Newton's restitution with friction can add energy; then R is cut back to R_0 + s (R_e - R_0), R_0 without rebound, s
// the largest share that does not.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/contact/contact_solver.h"
#include "lithe/contact/detection.h"
#include "lithe/dynamics/contact_rows.h"
#include "lithe/dynamics/joint_contacts.h"
#include "lithe/dynamics/stepper.h"

namespace lithe {

class ContactStep {
 public:
  ContactStep(const System& system, const ContactSettings& settings, std::vector<StepBlocks*> kinds, Delassus& rows,
              Team& team);

  // Refuses bodies that begin inside each other, where their contact says so, and joints beyond their stops.
  void check_start(const State& state);
  // Points that could touch in this step; end: the step as it would be without contact. False: none.
  bool find(const HalfStep& step, const State& begin, const State& end);
  // Their rows, W and what they do without impulses. False: there are none after all.
  bool set(const HalfStep& step, const State& end);
  // What joints hold across their lines presses on their friction: multipliers of the rows of constraints at hand.
  // True: it has changed since the last solve().
  bool press(const HalfStep& step, const std::vector<double>& multipliers);
  // Impulses at changes x of the unknowns, which hold those of the call before; their change goes into x. False: `why`.
  bool solve(std::vector<double>& x);
  // Are the laws met at these changes, to what solve() reached?
  bool met(const std::vector<double>& x);
  // Displacements y that take away what bodies overlap at the end; false: they do not.
  bool move_apart(const std::vector<double>& x, std::vector<double>& y);
  // Sums, works and what the next step remembers, into the State at the end.
  void finish(const std::vector<double>& x, State& end);

  const ContactReport& report() const { return report_; }
  int count() const { return rows_.count(); }
  int points() const { return static_cast<int>(points_.size()); }
  int cut_back() const { return cut_back_; }  // rebounds in the last solve()
  // Where the solver did not reach its tolerance: what it left, over the largest velocity; else 0.
  double left() const { return left_; }
  const std::string& why() const { return why_; }
  // The last problem that was solved, and the guess that the step began with.
  const ContactProblem& problem() const { return problem_; }
  const std::vector<double>& guess() const { return guess_; }
  // [contact][3] of the last step: impulses, relative velocities at its end, and those without impulses.
  const std::vector<double>& impulses() const { return R_; }
  const std::vector<double>& velocities() const { return U_; }
  const std::vector<double>& free_velocities() const { return free_; }

 private:
  const Contact& law(std::size_t point) const;
  void find_points(const HalfStep& step, const State& begin, const State& end);
  void add_points(const HalfStep& step);
  void add_joints(const HalfStep& step);
  Vec3<double> velocity_at_end(const HalfStep& step, const ContactSide& obstacle, const ContactSide& body) const;
  void finish_points(State& end);
  void finish_joints(State& end);
  std::string pair_of(int contact) const;
  bool is_friction(std::size_t contact) const { return problem_.cone(static_cast<int>(contact)).is_given(); }
  void recall(const Slots& slots);
  void multiply(const std::vector<double>& x, std::vector<double>& y);
  void find_velocities(const std::vector<double>& x);
  void list(const ContactPoint& point, int entry, const Vec3<double>& impulse, const Vec3<double>& slip, double gap);
  void find_bounds();
  bool solve_with(const std::vector<double>& bound);
  double gain(const std::vector<double>& R);
  void cut_back_rebound();
  void take_gain_back();

  const System& system_;
  const ContactSettings settings_;
  Team& team_;
  const ContactSurfaces* const surfaces_;  // null: only joints have friction or stops
  ContactRows rows_;
  std::optional<ContactScene> scene_;
  std::optional<ContactDetection> detection_;
  JointContacts joints_;
  std::unique_ptr<ContactSolver> solver_;
  std::vector<ContactPoint> points_;
  std::vector<int> entry_;  // [point] of model.contacts
  ContactProblem problem_, apart_;
  double h_ = 0, speed_ = 0, left_ = 0;
  // Of the beginning, over the shape of the middle; what obstacles have in them; of changes x; without impulses; as the
  // solver left them: velocities, [contact][3].
  std::vector<double> seen_, driven_, U_, free_, expected_;
  std::vector<double> R_, wanted_, more_, shift_;  // [contact][3] impulses in x, of the solver; room
  std::vector<double> gap_, restitution_;          // [contact]
  std::vector<double> closing_, rebound_;          // [contact] bounds of U_N without and with restitution
  std::vector<double> with_, up_;                  // impulses and velocities with rebounds
  std::vector<double> kept_, listed_, guess_;
  ContactReport report_;
  int cut_back_ = 0;
  std::string why_;
};

}  // namespace lithe
