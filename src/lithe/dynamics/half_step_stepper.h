// P2's linearly implicit scheme, for total Lagrangian, co-rotated, reduced and rigid bodies in one step:
//
//   q1 = q + h/2 v,    A dv = h (f_ext - f_int)(q1, v, t + h/2) + H(q1)^T R,    v' = v + dv,    q' = q1 + h/2 v',
//
// A = M + h/2 C + h^2/4 K by blocks (blocks/step_blocks.h). The impulses R make the rows of the constraints hold at the
// end, in rates and in positions: c(q', t + h) = 0 by displacements A^-1 H^T m on top, dc/dt(q', v', t + h) = 0 by R. H
// in the middle and rows at the end keep the scheme at second order; both are met by a few iterations with one W.
// Accelerations (v' - v)/h and multipliers -R/h are those of the middle; a line through the last two brings them to t.
// Springs between blocks are rows that give way (spring_rows.h), contacts cones over the same W (contact_step.h).
#pragma once

#include "lithe/dynamics/blocks/own_blocks.h"
#include "lithe/dynamics/contact_step.h"
#include "lithe/dynamics/delassus.h"
#include "lithe/dynamics/spring_rows.h"
#include "lithe/dynamics/stepper.h"

namespace lithe {

class HalfStepStepper final : public Stepper {
 public:
  HalfStepStepper(const System& system, const DynamicAnalysis& options, Workspace& work);

  void start(State& state) override;
  void resume(State& state) override;
  void save(State& state) override { fetch(state); }
  void fetch(State& state) override;
  StepReport step(double h, State& state) override;
  void corner(bool jump, State& state) override;
  int order() const override { return 2; }
  const Phases& phases() const override { return phases_; }
  std::string solver_text() const override;
  LinearReport linear() const override { return own_.report(); }
  // Null: nothing touches.
  const ContactStep* contacts() const { return contacts_.get(); }

 private:
  StepReport attempt(double h, State& state);
  bool set_step(double h);
  void begin(double h, const State& state);          // the middle of the step
  void forces();                                     // load_ at the middle
  bool factor_rows();                                // H at the middle and W
  bool meet_rows(State& state, StepReport& report);  // x_, y_ and the end of the step
  bool meet_contacts(State& state, StepReport& report);
  bool move_apart(State& state, StepReport& report);
  double finish(State& state);  // from x_ and y_; the largest gap
  void settle_velocities(State& state);
  void settle_accelerations(State& state);
  void bring_to_end(double h, State& state) const;  // accelerations and multipliers
  std::string worst_row(double speed) const;
  double damping_work(double h, const State& end);
  void balance(double h, const State& begin, State& end);
  void keep_forces(const State& state);
  void look(State& state);
  double work_of_driven(const State& begin, const State& end);
  double turning_rate(const State& state) const;  // largest of any direction, rad/s

  const System& system_;
  const DynamicAnalysis& options_;
  Workspace& work_;
  Phases phases_;
  OwnBlocks own_;
  std::vector<std::unique_ptr<StepBlocks>> mapped_;
  std::vector<StepBlocks*> kinds_;
  Delassus delassus_;
  SpringRows springs_;
  BlockRows rows_;                         // of constraints, then of springs
  std::unique_ptr<ContactStep> contacts_;  // null: nothing touches
  HalfStep step_;
  State before_;
  std::vector<double> load_, applied_;                      // [vector][3] forces in the middle; of loads alone
  std::vector<double> internal_, last_internal_;            // [vector][3] forces at ends of steps
  std::vector<double> mean_, moved_, second_;               // room
  State mean_rates_;                                        // the middle of a step with the mean of its rates
  std::vector<double> b_, x_, y_, last_y_;                  // [unknown]
  std::vector<double> rates_, gaps_, R_, more_, row_size_;  // [row]
  double h_matrix_ = -1;                                    // of the mapped bodies' matrices
  bool damped_ = false, mapped_damped_ = false;             // elements, mapped bodies make forces of their rates
  double forces_time_ = 0;                                  // s, of internal_
  double stored_ = 0;                                       // J, by elements, when last looked at
  double mass_ = 0;                                         // kg, of all bodies
};

}  // namespace lithe
