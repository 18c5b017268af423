#include "lithe/dynamics/equations.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/slide_along.h"
#include "lithe/system/springs.h"

namespace lithe {

// ---- PlacedState ----

template <class Self, class Visitor>
void PlacedState::visit(Self& self, State& state, Visitor&& visitor) {
  visitor(state.q, self.q);
  visitor(state.v, self.v);
  visitor(state.a, self.a);
  visitor(state.lambda, self.lambda);
  visitor(state.velocity_multipliers, self.velocity_multipliers);
  visitor(state.acceleration_multipliers, self.acceleration_multipliers);
  visitor(state.past.a[0], self.past[0]);
  visitor(state.past.a[1], self.past[1]);
  visitor(state.past.scheme, self.scheme);
}

void PlacedState::bring(State& state) {
  state_ = &state;
  if (place_.on_host()) return attach(state);
  visit(*this, state, [&](std::vector<double>& numbers, Array& array) {
    if (array.size() != numbers.size()) array = Array(place_, numbers.size());
    if (!numbers.empty()) place_.upload(numbers, array);
  });
}

void PlacedState::attach(State& state) {
  LITHE_INVARIANT(state_ != nullptr);
  state_ = &state;
  if (!place_.on_host()) return;
  visit(*this, state, [&](std::vector<double>& numbers, Array& array) { array = Array::view(place_, numbers); });
}

void PlacedState::copy(const PlacedState& from, State& state) {
  state = *from.state_;
  state_ = &state;
  if (place_.on_host()) return attach(state);
  std::vector<const Array*> arrays;
  visit(from, state, [&](std::vector<double>&, const Array& array) { arrays.push_back(&array); });
  auto next = arrays.begin();
  visit(*this, state, [&](std::vector<double>&, Array& array) {
    const Array& other = **next++;
    if (array.size() != other.size()) array = Array(place_, other.size());
    if (!other.empty()) place_.copy(other, array);
  });
}

void PlacedState::fetch(State& state) const {
  if (place_.on_host()) return;
  visit(*this, state, [&](std::vector<double>& numbers, const Array& array) {
    numbers.resize(array.size());
    if (!numbers.empty()) place_.download(array, numbers);
  });
}

// ---- Equations ----

Equations::Equations(const System& s, Workspace& w, Place& p) : system(s), work(w), place(p), mass_(s) {
  work.c.resize(s.rows.size());
  work.G.resize(s.jacobian.column.size());
  const auto home = [&](std::vector<double>& numbers) {
    return place.on_host() ? Array::view(place, numbers) : Array(place, numbers.size());
  };
  if (has_contact_forces(s)) contact = std::make_unique<ContactForces>(s, *w.team);
  internal = home(work.internal);
  external = home(work.external);
  c = home(work.c);
  G = home(work.G);
  for (const BodyInfo& body : s.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node)
      for (int k = 1; k < body.node_vectors; ++k) directions_.push_back(body.vector(node, k));
}

void Equations::publish(const std::vector<double>& numbers, Array& array) {
  if (!place.on_host() && !array.empty()) place.upload(numbers, array);
}

const State& Equations::on_host(const PlacedState& state) {
  if (place.on_host()) return state.scalars();
  const State& from = state.scalars();
  copy_.t = from.t;
  copy_.load_factor = from.load_factor;
  copy_.slots = from.slots;
  const auto copy = [&](const Array& array, std::vector<double>& numbers) {
    numbers.resize(array.size());
    if (!array.empty()) place.download(array, numbers);
  };
  copy(state.q, copy_.q);
  copy(state.v, copy_.v);
  copy(state.a, copy_.a);
  copy(state.lambda, copy_.lambda);
  return copy_;
}

void Equations::forces(const PlacedState& state, double share_of_loads) {
  const State& here = on_host(state);
  evaluate_internal(system, here, work);
  if (share_of_loads == here.load_factor) {
    evaluate_external(system, here, work);
  } else {
    State loaded = here;
    loaded.load_factor = share_of_loads;
    evaluate_external(system, loaded, work);
  }
  if (contact) contact->add(here, work.internal);
  publish(work.internal, internal);
  publish(work.external, external);
}

void Equations::add_prestress(const PlacedState& state, Array& force) {
  if (system.springs.count() == 0) return;
  room_[0].resize(force.size());
  place.download(force, room_[0]);
  lithe::add_prestress(system, on_host(state), room_[0]);
  place.upload(room_[0], force);
}

void Equations::forces_at_rest(double t, const Array& q, const Slots& slots) {
  State rest;
  rest.slots = slots;
  rest.t = t;
  rest.q.resize(q.size());
  place.download(q, rest.q);
  rest.v.assign(q.size(), 0.0);
  evaluate_internal(system, rest, work);
  if (contact) contact->add(rest, work.internal);
  publish(work.internal, internal);
}

void Equations::constraints(const PlacedState& state) {
  if (system.rows.empty()) return;
  evaluate_constraints(system, on_host(state), work);
  publish(work.c, c);
  publish(work.G, G);
}

void Equations::constraint_rates(const PlacedState& state, Array& rates) {
  if (system.rows.empty()) return;
  const HostWriting out(rates, room_[0], HostWriting::Old::blank);
  lithe::constraint_rates(system, on_host(state), std::span<double>(out));
}

void Equations::constraint_accelerations(const PlacedState& state, Array& accelerations) {
  if (system.rows.empty()) return;
  const HostWriting out(accelerations, room_[0], HostWriting::Old::blank);
  lithe::constraint_accelerations(system, on_host(state), std::span<double>(out));
}

void Equations::constraint_accelerations_after(double s, const PlacedState& state, Array& accelerations) {
  State moved = on_host(state);
  moved.t += s;
  for (std::size_t i = 0; i < moved.q.size(); ++i) {
    moved.q[i] += s * moved.v[i] + 0.5 * s * s * moved.a[i];
    moved.v[i] += s * moved.a[i];
  }
  const HostWriting out(accelerations, room_[0], HostWriting::Old::blank);
  lithe::constraint_accelerations(system, moved, std::span<double>(out));
}

void Equations::add_row_forces(const PlacedState& state, Array& force) {
  if (system.rows.empty()) return;
  const State& here = on_host(state);
  const HostWriting out(force, room_[0]);
  lithe::add_row_forces(system, here, here.lambda, out);
}

double Equations::largest_turn(const PlacedState& state) {
  const HostReading q(state.q, room_[0]), v(state.v, room_[1]);
  double turn = 0;
  for (const int d : directions_) {
    const std::size_t i = 3ul * d;
    const double size = q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2];
    turn = std::max(turn, (v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]) / size);
  }
  return std::sqrt(turn);
}

void Equations::count_turns(const PlacedState& state) {
  if (system.angles.empty() && system.sliders.empty()) return;
  const State& here = on_host(state);
  std::vector<double>& slots = state.scalars().slots.values;
  for (std::size_t i = 0; i < system.angles.size(); ++i) slots[i] = angle_value(system.angles[i], here.q, slots[i]);
  press(system, here, slots);
}

void Equations::mass_product(const Array& x, Array& y) {
  const HostReading from(x, room_[0]);
  const HostWriting to(y, room_[1], HostWriting::Old::blank);
  mass_.multiply(from, to, *work.team);
}

void Equations::add_transposed(const Array& jacobian, double factor, const Array& x, Array& reduced) {
  if (system.rows.empty()) return;
  const HostReading values(jacobian, room_[0]), from(x, room_[1]);
  const HostWriting to(reduced, room_[2]);
  lithe::add_transposed(system, values, factor, from, to);
}

void Equations::multiply(const Array& jacobian, const Array& x, Array& rows) {
  const HostReading values(jacobian, room_[0]), from(x, room_[1]);
  const HostWriting to(rows, room_[2], HostWriting::Old::blank);
  const ConstraintJacobian& J = system.jacobian;
  for (int r = 0; r < system.row_count(); ++r) {
    double sum = 0;
    for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) sum += values[e] * from[J.column[e]];
    to[r] = sum;
  }
}

void Equations::restrict(const PlacedState& state, const Array& full, Array& reduced) {
  const HostReading from(full, room_[0]);
  const HostWriting to(reduced, room_[1], HostWriting::Old::blank);
  system.map.restrict(state.scalars().slots, from, std::span<double>(to));
}

void Equations::prolong(const PlacedState& state, const Array& dz, double factor, Array& x) {
  const HostReading from(dz, room_[0]);
  const HostWriting to(x, room_[1]);
  system.map.prolong(state.scalars().slots, from, factor, to);
}

void Equations::follow(double t, double t_acceleration, Array& q, Array& v, Array& a) {
  if (!system.map.follows_time()) return;
  const HostWriting to_q(q, room_[0]), to_v(v, room_[1]), to_a(a, room_[2]);
  system.map.follow(system.q0, t, t_acceleration, to_q, to_v, to_a);
}

void Equations::admit(const PlacedState& state, Array& rates) {
  const HostWriting to(rates, room_[0]);
  system.map.admit(state.scalars().slots, to, room_[1]);
}

void Equations::fetch_forces() {
  if (place.on_host()) return;
  place.download(internal, work.internal);
  place.download(external, work.external);
}

}  // namespace lithe
