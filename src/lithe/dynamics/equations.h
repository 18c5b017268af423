// The equations of a model in the place where its vectors live: what a stepper asks of a System, over Arrays. Here they
// are evaluated on the host, whatever the place; where that is another one, numbers go there and back.
#pragma once

#include <memory>

#include "lithe/base/place.h"
#include "lithe/dynamics/contact_forces.h"
#include "lithe/system/mass.h"
#include "lithe/system/system.h"

namespace lithe {

// The arrays of a State in a place: views of the State's own on the host, copies elsewhere. Numbers that are no arrays
// (time, memory of steps, slots, energies) are always those of the State.
class PlacedState {
 public:
  explicit PlacedState(Place& place) : place_(place) {}
  // From now on the arrays of the place count, until fetch().
  void bring(State& state);
  // The same State again: where its memory is now.
  void attach(State& state);
  // From now on what `from` is, with `state` for what it has on the host.
  void copy(const PlacedState& from, State& state);
  void fetch(State& state) const;

  Place& place() const { return place_; }
  State& scalars() const { return *state_; }
  double& t() const { return state_->t; }
  double& load_factor() const { return state_->load_factor; }

  Array q, v, a, lambda, velocity_multipliers, acceleration_multipliers;
  Array past[2], scheme;  // of State::past

 private:
  template <class Self, class Visitor>
  static void visit(Self& self, State& state, Visitor&& visitor);

  Place& place_;
  State* state_ = nullptr;
};

class Equations {
 public:
  Equations(const System& system, Workspace& work, Place& place);

  const System& system;
  Workspace& work;
  Place& place;

  // ---- at a state ----
  // internal and external; the latter with so much of the constant loads.
  void forces(const PlacedState& state) { forces(state, state.load_factor()); }
  void forces(const PlacedState& state, double share_of_loads);
  // force += minus the derivative of the springs' forces by the load factor.
  void add_prestress(const PlacedState& state, Array& force);
  // internal alone, at other coordinates and at rest.
  void forces_at_rest(double t, const Array& q, const Slots& slots);
  // c and G of the rows.
  void constraints(const PlacedState& state);
  void constraint_rates(const PlacedState& state, Array& rates);
  void constraint_accelerations(const PlacedState& state, Array& accelerations);
  // Along q + s v + s^2 a / 2, v + s a, with the same a.
  void constraint_accelerations_after(double s, const PlacedState& state, Array& accelerations);
  // force += sum over rows of lambda_r dc_r/dq, over all coordinates.
  void add_row_forces(const PlacedState& state, Array& force);
  // Largest rate of turning of any direction, rad/s.
  double largest_turn(const PlacedState& state);
  // Angles of joints count on.
  void count_turns(const PlacedState& state);
  // The State itself, or a copy with the numbers of the place: q, v, a, lambda.
  const State& on_host(const PlacedState& state);

  // ---- constant ----
  void mass_product(const Array& x, Array& y);
  void add_transposed(const Array& jacobian, double factor, const Array& x, Array& reduced);  // += factor G^T x
  void multiply(const Array& jacobian, const Array& x, Array& rows);                          // = G x

  // ---- coordinates ----
  void restrict(const PlacedState& state, const Array& full, Array& reduced);
  void prolong(const PlacedState& state, const Array& dz, double factor, Array& x);
  void follow(double t, double t_acceleration, Array& q, Array& v, Array& a);
  void admit(const PlacedState& state, Array& rates);

  int unknowns() const { return system.map.size; }
  int rows() const { return system.row_count(); }
  Array coordinate_array() const { return {place, system.q0.size()}; }
  Array unknown_array() const { return {place, static_cast<std::size_t>(unknowns())}; }
  Array row_array() const { return {place, static_cast<std::size_t>(rows())}; }

  // Penalty contacts; null: the model has none. Their forces are among the internal ones.
  std::unique_ptr<ContactForces> contact;
  void find_contacts(const PlacedState& begin, double h) {
    if (contact) contact->find(on_host(begin), h);
  }
  // What presses in the State, at its end of a step.
  void recall_contacts(const PlacedState& state) {
    if (contact) contact->recall(on_host(state), state.scalars().slots);
  }

  Array internal, external;  // forces() | [vector][3] | N, N m
  Array c, G;                // constraints() | [row], [entry of system.jacobian]
  // Puts internal and external where outputs look for them.
  void fetch_forces();

 private:
  void publish(const std::vector<double>& numbers, Array& array);

  const MassMatrix mass_;
  std::vector<int> directions_;  // vectors that are no positions
  State copy_;                   // on_host()
  std::vector<double> room_[4];
};

}  // namespace lithe
