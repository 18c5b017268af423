#include "lithe/dynamics/dense_output.h"

namespace lithe {

namespace {

void line(double s, const std::vector<double>& x0, const std::vector<double>& x1, std::vector<double>& x) {
  x.resize(x0.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = (1 - s) * x0[i] + s * x1[i];
}

}  // namespace

DenseOutput::DenseOutput(const System& system, Workspace& work) : system_(system), work_(work) {
  if (has_contact_forces(system)) contact_ = std::make_unique<ContactForces>(system, *work.team);
}

void DenseOutput::begin(const State& state) {
  first_.t = state.t;
  first_.load_factor = state.load_factor;
  first_.q = state.q;
  first_.v = state.v;
  first_.a = state.a;
  first_.lambda = state.lambda;
  first_.slots = state.slots;
  forces_known_ = false;
}

const State& DenseOutput::at(double t, const State& end) {
  if (!forces_known_) {
    for (const bool last : {false, true}) {
      const State& state = last ? end : first_;
      evaluate_internal(system_, state, work_);
      if (contact_) {
        contact_->recall(state, state.slots);
        contact_->add(state, work_.internal);
      }
      evaluate_external(system_, state, work_);
      (last ? last_internal_ : first_internal_) = work_.internal;
      (last ? last_external_ : first_external_) = work_.external;
    }
    forces_known_ = true;
  }
  const double h = end.t - first_.t, s = (t - first_.t) / h, r = 1 - s;
  between_.t = t;
  between_.load_factor = end.load_factor;
  between_.q.resize(end.q.size());
  between_.v.resize(end.q.size());
  const double q0 = r * r * (1 + 2 * s), q1 = s * s * (1 + 2 * r), v0 = h * s * r * r, v1 = -h * s * s * r;
  const double dq = 6 * s * r / h, dv0 = r * (1 - 3 * s), dv1 = s * (3 * s - 2);
  for (std::size_t i = 0; i < end.q.size(); ++i) {
    between_.q[i] = q0 * first_.q[i] + q1 * end.q[i] + v0 * first_.v[i] + v1 * end.v[i];
    between_.v[i] = dq * (end.q[i] - first_.q[i]) + dv0 * first_.v[i] + dv1 * end.v[i];
  }
  line(s, first_.a, end.a, between_.a);
  line(s, first_.lambda, end.lambda, between_.lambda);
  between_.slots = end.slots;
  for (int slot = 0; slot < end.slots.count(); ++slot)  // lists that came or went stay those of the end
    if (const int size = end.slots.size(slot); size == first_.slots.size(slot))
      for (int i = 0; i < size; ++i) between_.slots[slot][i] = (1 - s) * first_.slots[slot][i] + s * end.slots[slot][i];
  line(s, first_internal_, last_internal_, work_.internal);
  line(s, first_external_, last_external_, work_.external);
  return between_;
}

void DenseOutput::end() {
  work_.internal = last_internal_;
  work_.external = last_external_;
}

}  // namespace lithe
