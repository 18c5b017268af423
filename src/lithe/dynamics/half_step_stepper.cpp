// Over 500 lines: a step from top to bottom, with its start and its energies.
#include "lithe/dynamics/half_step_stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/base/sums.h"
#include "lithe/dynamics/timed.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/reactions.h"

namespace lithe {

namespace {

// Rates of rows that are left, over the rates of the model; gaps, over its size.
constexpr double small_rate = 1e-11, small_gap = 1e-10;
constexpr int most_iterations = 40, most_rounds = 20;
// Where they get no smaller they may be as large as this.
constexpr double allowed_rate = 1e-2, allowed_gap = 1e-3;
// Steps from one look at the energies to the next.
constexpr long long look_every = 16;

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::fmax(most, std::fabs(a));
  return most;
}

bool finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double a) { return std::isfinite(a); });
}

// Do elements make forces of their rates? Mapped bodies aside.
bool has_damping(const System& system) {
  const auto damps = [](const auto& law) { return law.tau > 0; };
  return std::ranges::any_of(system.batches, [&](const Batch& batch) {
    return !system.bodies[batch.bodies.front()].mapped &&
           (batch.eta > 0 || batch.mass_damping > 0 || batch.cable.tau > 0 ||
            std::ranges::any_of(batch.continuum.laws, damps) || std::ranges::any_of(batch.continuum.section, damps));
  });
}

bool has_mapped_damping(const System& system) {
  return std::ranges::any_of(system.map.bodies, [](const MappedBody& body) {
    const auto* map = dynamic_cast<const TurningMap*>(body.map.get());
    return map && (map->shape().eta != 0 || !map->shape().viscosity.empty());
  });
}

}  // namespace

HalfStepStepper::HalfStepStepper(const System& system, const DynamicAnalysis& options, Workspace& work)
    : system_(system),
      options_(options),
      work_(work),
      own_(system, options, work, phases_),
      mapped_([&] {
        std::vector<std::unique_ptr<StepBlocks>> list;
        list.push_back(make_corotated_blocks(system, *work.team));
        list.push_back(make_reduced_blocks(system, *work.team));
        list.push_back(make_rigid_blocks(system, *work.team));
        std::erase_if(list, [](const auto& blocks) { return blocks->count() == 0; });
        return list;
      }()),
      kinds_([&] {
        std::vector<StepBlocks*> list{&own_};
        for (const auto& blocks : mapped_) list.push_back(blocks.get());
        return list;
      }()),
      delassus_(kinds_),
      springs_(system),
      damped_(has_damping(system)),
      mapped_damped_(has_mapped_damping(system)),
      mass_(total_mass(system)) {
  for (auto* x : {&load_, &applied_, &internal_, &last_internal_, &mean_, &moved_, &second_})
    x->resize(system.q0.size());
  for (auto* x : {&b_, &x_, &y_}) x->resize(system.map.size);
  rows_.row_start = system.jacobian.row_start;
  rows_.column = system.jacobian.column;
  rows_.compliance.assign(system.rows.size(), 0.0);
  springs_.append_to(rows_);
  rows_.value.resize(rows_.column.size());
  for (auto* x : {&rates_, &gaps_, &R_, &more_}) x->resize(rows_.count());
  row_size_.assign(rows_.count(), 1.0);
  const bool in_joints = std::ranges::any_of(system.springs.law, [](const SpringLaw& law) { return law.joint.exact; });
  if (system.contact_surfaces || in_joints)
    contacts_ = std::make_unique<ContactStep>(system, options.contact, kinds_, delassus_, *work.team);
}

// ---- the step ----

StepReport HalfStepStepper::step(double h, State& state) {
  try {
    return attempt(h, state);
  } catch (const RunError& error) {
    state = before_;
    StepReport report;
    report.reason = StepReport::Reason::no_rotation;
    report.worst = error.what();
    return report;
  }
}

StepReport HalfStepStepper::attempt(double h, State& state) {
  StepReport report;
  const auto fail = [&](StepReport::Reason reason) {
    state = before_;
    report.reason = reason;
    return report;
  };
  before_ = state;
  // A time moved by a rounding (to meet an output exactly) counts as another state: a restart sees no difference.
  if (forces_time_ != state.t) keep_forces(state);
  if (!set_step(h)) return fail(StepReport::Reason::singular);
  begin(h, state);
  forces();
  if (!finite(load_)) return fail(StepReport::Reason::not_finite);
  report.factorisations = system_.map.own_unknowns() > 0 ? 1 : 0;
  if (!own_.factor(step_)) {
    report.worst = own_.why();
    return fail(StepReport::Reason::singular);
  }
  {
    const Timed timed(phases_.force);
    for (StepBlocks* blocks : kinds_) blocks->right_side(step_, load_, b_);
  }
  {
    const Timed timed(phases_.solve);
    for (StepBlocks* blocks : kinds_) blocks->solve(b_, x_);
  }
  if (!factor_rows()) {
    const int row = delassus_.factor_report().column;
    if (row >= 0 && row < system_.row_count()) report.worst = system_.owners[system_.rows.owner[row]].text;
    return fail(StepReport::Reason::singular);
  }
  if (!finite(x_)) return fail(StepReport::Reason::not_finite);
  std::ranges::fill(y_, 0.0);
  std::ranges::fill(R_, 0.0);
  if (!meet_rows(state, report)) return fail(report.reason);
  if (contacts_ && !meet_contacts(state, report)) return fail(report.reason);
  state.t = before_.t + h;
  for (std::size_t i = 0; i < state.v.size(); ++i) state.a[i] = (state.v[i] - before_.v[i]) / h;
  for (std::size_t r = 0; r < system_.rows.size(); ++r) state.lambda[r] = -R_[r] / h;
  for (std::size_t i = 0; i < system_.angles.size(); ++i)
    state.slots.values[i] = angle_value(system_.angles[i], state.q, before_.slots.values[i]);
  balance(h, before_, state);
  if (contacts_ && contacts_->count() > 0) state.past.count = 0;  // what touches may jump: no line goes on over that
  bring_to_end(h, state);
  return report;
}

void HalfStepStepper::bring_to_end(double h, State& state) const {
  Past& past = state.past;
  const double share = past.count > 0 ? h / (h + past.step) : 0;
  const auto go_on = [share](std::vector<double>& now, std::vector<double>& last) {
    last.resize(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double middle = now[i];
      now[i] += share * (middle - last[i]);
      last[i] = middle;
    }
  };
  go_on(state.a, past.a[0]);
  go_on(state.lambda, past.lambda);
  past.count = 1;
  past.step = h;
}

// No line goes through a jump.
void HalfStepStepper::corner(bool jump, State& state) {
  if (jump) state.past.count = 0;
}

// Mapped bodies keep the matrix of the step that was asked for: times that meet an output differ from it in their last
// digits, and a restart must find the same matrix.
bool HalfStepStepper::set_step(double h) {
  const double of_matrix = same_size(h, options_.step) ? options_.step : h;
  if (of_matrix == h_matrix_) return true;
  const Timed timed(phases_.factorisation);
  h_matrix_ = -1;
  for (const auto& blocks : mapped_)
    if (!blocks->set_step(of_matrix)) return false;
  h_matrix_ = of_matrix;
  return true;
}

void HalfStepStepper::begin(double h, const State& state) {
  const Timed timed(phases_.rotation);
  step_.h = h;
  step_.v = state.v;
  State& middle = step_.middle;
  middle.t = state.t + 0.5 * h;
  middle.load_factor = state.load_factor;
  middle.v = state.v;
  middle.a = state.a;
  middle.lambda = state.lambda;
  middle.slots = state.slots;
  middle.q.resize(state.q.size());
  for (std::size_t i = 0; i < state.q.size(); ++i) middle.q[i] = state.q[i] + 0.5 * h * state.v[i];
  for (StepBlocks* blocks : kinds_) blocks->to_middle(state, step_);
}

void HalfStepStepper::forces() {
  const Timed timed(phases_.force);
  evaluate_unmapped_internal(system_, step_.middle, work_);
  evaluate_external(system_, step_.middle, work_);
  for (std::size_t i = 0; i < load_.size(); ++i) load_[i] = work_.external[i] - work_.internal[i];
  std::ranges::copy(work_.external, applied_.begin());
}

bool HalfStepStepper::factor_rows() {
  if (rows_.count() == 0) return true;
  const Timed timed(phases_.constraints);
  evaluate_constraints(system_, step_.middle, work_);
  std::ranges::copy(work_.G, rows_.value.begin());
  springs_.set(step_, rows_, row_size_);
  return delassus_.factor(rows_);
}

bool HalfStepStepper::meet_rows(State& state, StepReport& report) {
  double gap = finish(state);
  if (rows_.count() == 0) return finite(state.v) || (report.reason = StepReport::Reason::not_finite, false);
  double speed = largest(step_.v);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0;; ++k) {
    speed = std::fmax(speed, largest(state.v));
    double rate = 0;
    for (int r = 0; r < rows_.count(); ++r) rate = std::fmax(rate, std::fabs(rates_[r]) / row_size_[r]);
    report.violation = gap;
    report.iterations = k;
    if (!std::isfinite(rate) || !std::isfinite(gap)) {
      report.reason = StepReport::Reason::not_finite;
      return false;
    }
    // Off by so much, in units of what is allowed; rounding ends the way down.
    const double off =
        std::fmax(rate / (small_rate * std::fmax(speed, 1e-300)), gap / (small_gap * system_.length_scale));
    if (off <= 1 || (k > 3 && off > 0.5 * last && off < 1e3)) break;
    // Rows that a reduced body cannot meet: as near as it gets; the report says how near.
    if (k > 6 && off > 0.9 * last && rate < allowed_rate * speed && gap < allowed_gap * system_.length_scale) break;
    if (k == most_iterations || (k > 8 && off > 2 * last)) {
      report.reason = StepReport::Reason::unmet_rows;
      report.worst = worst_row(speed);
      return false;
    }
    last = off;
    {
      const Timed timed(phases_.constraints);
      delassus_.solve(rates_, more_);
      delassus_.add(more_, x_);
      for (std::size_t r = 0; r < R_.size(); ++r) R_[r] += more_[r];
      if (gap > small_gap * system_.length_scale) {
        delassus_.solve(gaps_, more_);
        delassus_.add(more_, y_);
      }
    }
    gap = finish(state);
  }
  return true;
}

// Contacts see rows as they are at the middle, rows are met at the end: a second round sees to the difference.
bool HalfStepStepper::meet_contacts(State& state, StepReport& report) {
  bool some;
  {
    const Timed timed(phases_.detection);
    some = contacts_->find(step_, before_, state);
  }
  if (some) {
    const Timed timed(phases_.contact_operator);
    step_.seen = step_.v;
    for (StepBlocks* blocks : kinds_) blocks->see(step_);
    some = contacts_->set(step_, state);
  }
  const auto take_turns = [&](int first) {
    for (int round = first; round < most_rounds; ++round) {
      {
        const Timed timed(phases_.contact);
        for (std::size_t r = 0; r < system_.rows.size(); ++r) step_.middle.lambda[r] = -R_[r] / step_.h;
        const bool pressed = contacts_->press(step_, step_.middle.lambda);
        if (round > 0 && !pressed && contacts_->met(x_)) return true;
        if (!contacts_->solve(x_)) {
          report.reason = StepReport::Reason::no_contact_forces;
          report.worst = contacts_->why();
          return false;
        }
      }
      report.contact_iterations += contacts_->report().iterations;
      report.cut_back += contacts_->cut_back();
      report.contact_left = contacts_->left();
      if (!meet_rows(state, report)) return false;
    }
    return true;
  };
  if (some && !take_turns(0)) return false;
  if (some && !move_apart(state, report)) return false;
  if (some && rows_.count() > 0 && !take_turns(1)) return false;  // where bodies have moved rows take other rates
  report.contacts = contacts_->points();
  contacts_->finish(x_, state);
  return true;
}

// What bodies overlap, at unchanged velocities; the work of that is contact's.
bool HalfStepStepper::move_apart(State& state, StepReport& report) {
  last_y_ = y_;
  if (!contacts_->move_apart(x_, y_)) return true;
  const auto stored = [&] { return strain_energy(system_, state, work_) + spring_energy(system_, state); };
  state.energy.contact -= stored();
  if (!meet_rows(state, report)) return false;
  state.energy.contact += stored();
  for (std::size_t i = 0; i < y_.size(); ++i) b_[i] = y_[i] - last_y_[i];
  std::ranges::fill(moved_, 0.0);
  system_.map.prolong(step_.middle.slots, b_, 1, moved_);
  for (std::size_t i = 0; i < moved_.size(); ++i) state.energy.contact -= applied_[i] * moved_[i];
  return true;
}

std::string HalfStepStepper::worst_row(double speed) const {
  int worst = -1;
  double most = 0;
  for (int r = 0; r < system_.row_count(); ++r) {
    const double off = std::fmax(std::fabs(rates_[r]) / (row_size_[r] * small_rate * speed),
                                 std::fabs(gaps_[r]) / (small_gap * system_.length_scale));
    if (off <= most) continue;
    most = off;
    worst = r;
  }
  return worst < 0 ? "springs between bodies" : system_.owners[system_.rows.owner[worst]].text;
}

double HalfStepStepper::finish(State& state) {
  {
    const Timed timed(phases_.rotation);
    for (StepBlocks* blocks : kinds_) blocks->finish(step_, x_, y_, state);
  }
  if (rows_.count() == 0) return 0;
  state.t = step_.middle.t + 0.5 * step_.h;
  const Timed timed(phases_.constraints);
  constraint_rates(system_, state, std::span(rates_));
  springs_.find_rates(step_.v, state.v, R_, rates_);
  evaluate_constraints(system_, state, work_);
  std::ranges::copy(work_.c, gaps_.begin());
  return largest(gaps_);
}

// ---- beginnings ----

void HalfStepStepper::start(State& state) {
  const std::size_t n = state.q.size();
  state.a.assign(n, 0.0);
  state.lambda.assign(system_.rows.size(), 0.0);
  state.linearisation = {};
  state.past = {};
  const System& s = system_;
  s.map.follow(s.q0, state.t, state.t, state.q, state.v, state.a);
  s.map.update(state.q, state.slots);
  s.map.admit(state.slots, state.v, b_);
  b_.resize(s.map.size);
  s.map.follow(s.q0, state.t, state.t, state.q, state.v, state.a);
  for (const auto& blocks : mapped_)
    if (!blocks->set_step(0)) throw RunError("a body has no mass; half_step needs one everywhere");
  h_matrix_ = -1;
  begin(0, state);
  if (!own_.factor(step_))
    throw RunError("no motion can start: " + own_.why() + "; half_step needs mass everywhere, take another integrator");
  if (!factor_rows()) {
    const int row = delassus_.factor_report().column;
    throw RunError("no motion can start: the constraints depend on each other" +
                   (row >= 0 && row < s.row_count() ? " at " + s.owners[s.rows.owner[row]].text : std::string()));
  }
  settle_velocities(state);
  settle_accelerations(state);
  if (contacts_) contacts_->check_start(state);
  state.energy = {};
  state.energy.kinetic_start = state.energy.kinetic = kinetic_energy(s, state);
  state.energy.measure();
  stored_ = strain_energy(s, state);
  forces_time_ = std::numeric_limits<double>::quiet_NaN();
}

void HalfStepStepper::settle_velocities(State& state) {
  for (int k = 0; k < 3 && rows_.count() > 0; ++k) {
    std::fill(rates_.begin() + system_.row_count(), rates_.end(), 0.0);
    constraint_rates(system_, state, std::span(rates_));
    delassus_.solve(rates_, more_);
    std::ranges::fill(x_, 0.0);
    delassus_.add(more_, x_);
    system_.map.prolong(state.slots, x_, 1, state.v);
    system_.map.follow(system_.q0, state.t, state.t, state.q, state.v, state.a);
  }
  for (const MappedBody& body : system_.map.bodies)
    if (const auto* map = dynamic_cast<const TurningMap*>(body.map.get()); map && map->keeps_rates())
      map->fit(state.slots, &state.v[3ul * body.first_vector], map->rates(state.slots));
  if (!finite(state.v)) throw RunError("no velocities satisfy the constraints at the start");
}

void HalfStepStepper::settle_accelerations(State& state) {
  fetch(state);
  for (std::size_t i = 0; i < load_.size(); ++i) load_[i] = work_.external[i] - work_.internal[i];
  system_.map.restrict(state.slots, load_, b_);
  for (const MappedBody& body : system_.map.bodies) {
    const auto* map = dynamic_cast<const RigidMap*>(body.map.get());
    if (!map) continue;
    double w[6];
    map->fit(state.slots, &state.v[3ul * body.first_vector], w);
    const Vec3<double> turn{{w[3], w[4], w[5]}};
    const Mat3<double> R = map->rotation(state.slots);
    const Vec3<double> gyroscopic = cross(turn, R * (map->shape().inertia * (transpose(R) * turn)));
    for (int m = 0; m < 3; ++m) b_[body.first + 3 + m] -= gyroscopic[m];
    const double only_turn[6] = {0, 0, 0, w[3], w[4], w[5]};
    std::vector<double> rates(map->shape().size(), 0.0);
    map->spread(R, only_turn, 1, rates.data());
    for (int i = 0; i < map->shape().vectors(); ++i) {
      const Vec3<double> a = cross(turn, Vec3<double>{{rates[3ul * i], rates[3ul * i + 1], rates[3ul * i + 2]}});
      for (int m = 0; m < 3; ++m) state.a[3ul * body.first_vector + 3ul * i + m] = a[m];
    }
  }
  for (const MappedBody& body : system_.map.bodies) {
    const auto* map = dynamic_cast<const ReducedMap*>(body.map.get());
    if (!map) continue;
    // v = R E w turns with the body, which the balance of its modes feels.
    const std::size_t first = 3ul * body.first_vector;
    const Vec3<double> spin = map->spin(&state.q[first], &state.v[first]);
    const int n = map->shape().size();
    std::vector<double> turning(n), momentum(n);
    for (int i = 0; i < n / 3; ++i) {
      const Vec3<double> a = cross(spin, vector_at(&state.v[first], i));
      for (int m = 0; m < 3; ++m) turning[3 * i + m] = -a[m];
    }
    map->shape().multiply_mass(turning.data(), momentum.data());
    map->restrict(state.slots, momentum.data(), &b_[body.first]);
    for (int i = 0; i < n; ++i) state.a[first + i] = -turning[i];
  }
  for (StepBlocks* blocks : kinds_) blocks->solve(b_, x_);
  system_.map.prolong(state.slots, x_, 1, state.a);
  system_.map.follow(system_.q0, state.t, state.t, state.q, state.v, state.a);
  if (rows_.count() > 0) {
    constraint_accelerations(system_, state, std::span(rates_));
    std::fill(rates_.begin() + system_.row_count(), rates_.end(), 0.0);
    delassus_.solve(rates_, more_);
    std::ranges::fill(x_, 0.0);
    delassus_.add(more_, x_);
    system_.map.prolong(state.slots, x_, 1, state.a);
    system_.map.follow(system_.q0, state.t, state.t, state.q, state.v, state.a);
    for (std::size_t r = 0; r < system_.rows.size(); ++r) state.lambda[r] = -more_[r];
  }
  if (!finite(state.a)) throw RunError("the accelerations at the start are not finite; check loads and masses");
}

void HalfStepStepper::resume(State& state) {
  h_matrix_ = -1;
  forces_time_ = std::numeric_limits<double>::quiet_NaN();
  stored_ = strain_energy(system_, state, work_);
}

void HalfStepStepper::fetch(State& state) {
  const Timed timed(phases_.output);
  evaluate_internal(system_, state, work_);
  evaluate_external(system_, state, work_);
  look(state);
}

// ---- energies ----

// Forces at the end of a step of which the work is summed up where directions are driven.
void HalfStepStepper::keep_forces(const State& state) {
  forces_time_ = state.t;
  if (system_.map.driven.empty()) return;
  evaluate_internal(system_, state, work_);
  std::ranges::copy(work_.internal, internal_.begin());
}

// What the rates of elements take, as they acted: at the shape of the middle and the mean rates of the step.
double HalfStepStepper::damping_work(double h, const State& end) {
  if (!damped_ && !mapped_damped_) return 0;
  mean_rates_.q = step_.middle.q;
  mean_rates_.v.resize(end.v.size());
  for (std::size_t i = 0; i < end.v.size(); ++i) mean_rates_.v[i] = 0.5 * (step_.v[i] + end.v[i]);
  const auto power = [&] {
    return lane_sum(moved_.size(), [&](std::size_t i) { return work_.internal[i] * moved_[i]; });
  };
  std::ranges::copy(mean_rates_.v, moved_.begin());
  double work = 0;
  if (mapped_damped_) {
    std::ranges::fill(work_.internal, 0.0);
    add_mapped_forces(system_, mean_rates_, work_, MappedForces::viscous);
    work += power();
  }
  if (damped_) {
    evaluate_elements(system_, mean_rates_, work_);
    work += power();
    std::ranges::fill(mean_rates_.v, 0.0);
    evaluate_elements(system_, mean_rates_, work_);
    work -= power();
  }
  return h * work;
}

// Elements store what their energy says. Other work is that over the step, by the trapezoidal rule of forces at its
// ends, which knows nothing of the matrix that made it; of damping, loads and rows as they acted in the middle. Now and
// then what became of all.
void HalfStepStepper::balance(double h, const State& begin, State& end) {
  const Timed timed(phases_.watch);
  EnergyBalance& energy = end.energy;
  std::ranges::copy(internal_, last_internal_.begin());
  keep_forces(end);
  energy.internal += damping_work(h, end);
  energy.applied += lane_sum(end.q.size(), [&](std::size_t i) { return applied_[i] * (end.q[i] - begin.q[i]); });
  for (int s = 0; s < system_.springs.count(); ++s) energy.internal += spring_work(system_.springs, s, begin, end);
  for (int r = 0; r < system_.row_count(); ++r) {
    const Signal& target = system_.rows.target[r];
    if (!target.is_constant()) energy.drives -= end.lambda[r] * (target(end.t) - target(begin.t));
  }
  if (!system_.map.driven.empty()) energy.drives += work_of_driven(begin, end);
  const double turn = h * turning_rate(end);
  energy.largest_turn = std::max(energy.largest_turn, turn);
  if (end.memory.steps % look_every != 0) return;
  look(end);
}

void HalfStepStepper::look(State& state) {
  EnergyBalance& energy = state.energy;
  energy.kinetic = kinetic_energy(system_, state, *work_.team);
  const double stored = strain_energy(system_, state, work_);
  energy.internal += stored - stored_;
  stored_ = stored;
  energy.measure();
  // Rows are met to some digits; what moves as little as that is at rest.
  const double slow = small_gap * system_.length_scale / options_.step;
  if (std::abs(energy.off()) > mass_ * slow * slow) energy.note(energy.off(), 0, state.t);
}

// Driven directions: what inertia and all other forces leave over there, M a + f_int - f_ext + G^T lambda, times the
// way that the drives alone make.
double HalfStepStepper::work_of_driven(const State& begin, const State& end) {
  for (std::size_t i = 0; i < mean_.size(); ++i) mean_[i] = 0.5 * (last_internal_[i] + internal_[i]) - applied_[i];
  add_inertia(system_, end.a, mean_);
  add_row_forces(system_, step_.middle, end.lambda, mean_);
  std::ranges::copy(begin.q, moved_.begin());
  std::ranges::copy(begin.v, load_.begin());  // room
  system_.map.follow(system_.q0, end.t, end.t, moved_, load_, second_);
  double work = 0;
  for (std::size_t i = 0; i < moved_.size(); ++i) work += mean_[i] * (moved_[i] - begin.q[i]);
  return work;
}

double HalfStepStepper::turning_rate(const State& state) const {
  double most = 0;
  for (const BodyInfo& body : system_.bodies) {
    if (body.node_vectors < 2) continue;
    for (int node = 0; node < body.mesh.node_count(); ++node)
      for (int k = 1; k < body.node_vectors; ++k) {
        const std::size_t at = 3ul * body.vector(node, k);
        const Vec3<double> x{{state.q[at], state.q[at + 1], state.q[at + 2]}},
            v{{state.v[at], state.v[at + 1], state.v[at + 2]}};
        most = std::max(most, dot(v, v) / dot(x, x));
      }
  }
  return std::sqrt(most);
}

std::string HalfStepStepper::solver_text() const {
  std::string text = system_.map.own_unknowns() > 0 ? own_.report().text() : "";
  const int bodies = static_cast<int>(system_.map.bodies.size());
  if (bodies > 0)
    text += fmt::format("{}{} bod{} with a matrix of {} own, factored once", text.empty() ? "" : "; ", bodies,
                        bodies == 1 ? "y" : "ies", bodies == 1 ? "its" : "their");
  if (rows_.count() > 0)
    text += fmt::format("; {} rows of constraints by {}", rows_.count(), delassus_.report().text());
  return text;
}

}  // namespace lithe
