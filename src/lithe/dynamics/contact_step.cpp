#include "lithe/dynamics/contact_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "lithe/base/error.h"
#include "lithe/contact/contact_method.h"
#include "lithe/dynamics/contact_start.h"

namespace lithe {

namespace {

// What solvers may leave where they get no further, over the largest velocity; the run tells of it.
constexpr double allowed = 1e-4;
// Overlaps that stay, over the size of the model.
constexpr double small_overlap = 1e-10;
// Energy that rounding makes, over that of the impulses.
constexpr double rounding = 1e-13;
// Numbers that the State keeps of a point: surfaces, features, force.
constexpr int remembered = 7;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

ContactStep::ContactStep(const System& system, const ContactSettings& settings, std::vector<StepBlocks*> kinds,
                         Delassus& rows, Team& team)
    : system_(system),
      settings_(settings),
      team_(team),
      surfaces_(system.contact_surfaces.get()),
      rows_(system, std::move(kinds), rows, team),
      joints_(system),
      solver_(make_contact_solver(settings.solver, &team)) {
  if (!surfaces_) return;
  scene_.emplace(surfaces_->topology());
  detection_.emplace(
      surfaces_->topology(), [this](int a, int b) { return surfaces_->may_touch(a, b); }, &team);
}

std::string ContactStep::pair_of(int c) const {
  if (c >= points()) return "the sides of '" + joints_.name(joints_.rows()[c - points()]) + "'";
  return surfaces_->name(points_[c].a.surface) + " and " + surfaces_->name(points_[c].b.surface);
}

void ContactStep::check_start(const State& state) {
  joints_.check_start(state);
  if (!surfaces_) return;
  surfaces_->place(state.q, state.v, state.t, 0, *scene_);
  scene_->before = scene_->corner;
  check_contact_start(system_, *scene_, detection_->detect(*scene_), team_);
}

bool ContactStep::find(const HalfStep& step, const State& begin, const State& end) {
  h_ = step.h;
  report_ = {};
  points_.clear();
  if (surfaces_) find_points(step, begin, end);
  if (!points_.empty() || joints_.any()) return true;
  rows_.set(step, points_);  // of no step before
  return false;
}

bool ContactStep::set(const HalfStep& step, const State& end) {
  rows_.set(step, points_);
  joints_.find(step, end.v);
  for (const JointContacts::Row& row : joints_.rows())
    rows_.add_row(step, row.is_stop ? 0 : 1, [&](auto&& add) {
      const Vec3<double>* gradient = joints_.gradient(row);
      system_.springs.for_vectors(row.spring,
                                  [&](int vector) { add(vector, (row.factor < 0 ? -1.0 : 1.0) * *gradient++); });
    });
  const std::size_t n = count();
  for (auto* x : {&R_, &wanted_, &seen_, &driven_, &U_}) x->assign(3 * n, 0.0);
  for (auto* x : {&closing_, &rebound_, &gap_, &restitution_, &problem_.friction}) x->assign(n, 0.0);
  problem_.given.assign(joints_.rows().empty() ? 0 : n, -1.0);
  guess_.clear();
  if (n == 0) return false;
  rows_.make_operator(problem_);
  add_points(step);
  add_joints(step);
  if (surfaces_) recall(step.middle.slots);
  guess_ = wanted_;
  return true;
}

void ContactStep::find_points(const HalfStep& step, const State& begin, const State& end) {
  surfaces_->place(begin.q, begin.v, begin.t, 0, *scene_);
  std::swap(scene_->corner, scene_->before);
  surfaces_->place(step.middle.q, end.v, step.middle.t, step.h, *scene_);
  const bool touching = settings_.activation == Activation::touching;
  points_ = detection_->detect(*scene_, settings_.activation, touching ? PointsOf::elements : PointsOf::features);
}

void ContactStep::add_points(const HalfStep& step) {
  entry_.resize(points_.size());
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const ContactPoint& point = points_[c];
    entry_[c] = surfaces_->entry(point.a.surface, point.b.surface);
    problem_.friction[c] = law(c).friction;
    gap_[c] = point.gap;
    restitution_[c] = law(c).restitution;
    const auto velocity = [&](const ContactSide& side) {
      return surfaces_->velocity(side, step.middle.q, step.seen, step.middle.t);
    };
    const ContactFrame& frame = rows_.frame(static_cast<int>(c));
    const Vec3<double> apart = velocity(point.a) - velocity(point.b);
    for (int d = 0; d < 3; ++d) seen_[3 * c + d] = dot(frame[d], apart);
    for (const bool is_a : {true, false}) {
      const ContactSide &side = is_a ? point.a : point.b, &other = is_a ? point.b : point.a;
      if (!surfaces_->is_obstacle(side.surface)) continue;
      const Vec3<double> here = velocity(side), end = velocity_at_end(step, side, other);
      for (int d = 0; d < 3; ++d) {
        const double sign = is_a ? 1 : -1, told = dot(frame[d], d == 0 ? here : end);
        driven_[3 * c + d] = sign * told;
        seen_[3 * c + d] += sign * (told - dot(frame[d], here));
      }
    }
  }
}

// Of an obstacle, where what touches it will be then: along the surface velocities of the end meet, and one of the
// middle would lead what sticks to a turning surface outward, by w h / 2 of its speed. A rigid body goes on as its
// centre does: its arms are those of the middle.
Vec3<double> ContactStep::velocity_at_end(const HalfStep& step, const ContactSide& obstacle,
                                          const ContactSide& body) const {
  Vec3<double> place = obstacle.point;
  if (const int frame = surfaces_->frame(body.surface); frame >= 0) {
    for (int m = 0; m < 3; ++m) place[m] += 0.5 * h_ * step.seen[3ul * frame + m];
  } else {
    for (int i = 0; i < 4 && body.corner[i] >= 0; ++i)
      place = place + 0.5 * body.weight[i] * scene_->move[body.corner[i]];
  }
  const ObstaclePose pose = surfaces_->pose_of(obstacle.surface, step.middle.t + 0.5 * h_);
  return pose.velocity + cross(pose.spin, place - pose.origin);
}

// Impulses begin with those of the last step, as forces.
void ContactStep::add_joints(const HalfStep& step) {
  std::size_t c = points_.size();
  for (const JointContacts::Row& row : joints_.rows()) {
    const std::size_t at = 3 * c + (row.is_stop ? 0 : 1);
    seen_[at] = row.seen;
    gap_[c] = row.gap;
    restitution_[c] = row.restitution;
    if (!row.is_stop) {
      problem_.friction[c] = 1;
      problem_.given[c] = 0;
    }
    const double force = step.middle.slots.values[system_.springs.law[row.spring].joint.exerted];
    wanted_[at] = -force * h_ / row.factor;
    ++c;
  }
}

bool ContactStep::press(const HalfStep& step, const std::vector<double>& multipliers) {
  bool changed = false;
  std::size_t c = points_.size();
  for (const JointContacts::Row& row : joints_.rows()) {
    if (!row.is_stop) {
      const double limit = joints_.limit(row, step, multipliers), before = std::exchange(problem_.given[c], limit);
      changed = changed || std::fabs(limit - before) > settings_.tolerance * std::fmax(limit, before);
    }
    ++c;
  }
  return changed;
}

const Contact& ContactStep::law(std::size_t point) const { return system_.model.contacts.items[entry_[point]].second; }

// Forces of the last step at points that were there, for as long as this one; both lists are in one order.
void ContactStep::recall(const Slots& slots) {
  const int slot = slots.count() - 1, kept = slots.size(slot) / remembered;  // the last one
  const double* last = slots[slot];
  const auto key_of = [](const double* p) { return std::tuple(p[0], p[1], p[2], p[3]); };
  int k = 0;
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const ContactSide &a = points_[c].a, &b = points_[c].b;
    const std::tuple key(double(a.surface), double(b.surface), double(a.feature), double(b.feature));
    while (k < kept && key_of(last + remembered * k) < key) ++k;
    if (k == kept) break;
    if (key_of(last + remembered * k) != key) continue;
    const double* at = last + remembered * k;
    const Vec3<double> impulse = h_ * Vec3<double>{{at[4], at[5], at[6]}};
    for (int d = 0; d < 3; ++d) wanted_[3 * c + d] = dot(rows_.frame(static_cast<int>(c))[d], impulse);
  }
}

// y = W x
void ContactStep::multiply(const std::vector<double>& x, std::vector<double>& y) {
  y.assign(3ul * problem_.count(), 0.0);
  over_contacts(&team_, problem_.count(), [&](int first, int last) {
    for (int c = first; c < last; ++c)
      for (std::int32_t k = problem_.row_start[c]; k < problem_.row_start[c + 1]; ++k) {
        const double *W = &problem_.W[9ul * k], *other = &x[3ul * problem_.column[k]];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) y[3ul * c + i] += W[3 * i + j] * other[j];
      }
  });
}

void ContactStep::find_velocities(const std::vector<double>& x) {
  U_ = seen_;
  rows_.add_velocities(x, U_);
}

// Of the velocities without impulses: how far U_N may go down, and how far up it must where there is a rebound.
void ContactStep::find_bounds() {
  for (std::size_t c = 0; c < gap_.size(); ++c) {
    const double gap = gap_[c], approach = seen_[3 * c];
    closing_[c] = gap > 0 ? -gap / h_ : 0;
    const bool meet = free_[3 * c] < closing_[c];
    rebound_[c] =
        meet && approach < 0 && restitution_[c] > 0 ? std::fmax(closing_[c], -restitution_[c] * approach) : closing_[c];
  }
}

bool ContactStep::solve(std::vector<double>& x) {
  find_velocities(x);
  multiply(R_, free_);
  for (std::size_t i = 0; i < U_.size(); ++i) free_[i] = U_[i] - free_[i];
  find_bounds();
  cut_back_ = 0;
  speed_ = 0;
  for (const auto* u : {&seen_, &U_, &free_, &driven_})
    for (const double a : *u) speed_ = std::fmax(speed_, std::fabs(a));
  if (!solve_with(rebound_)) return false;
  if (closing_ == rebound_) take_gain_back();
  else if (gain(wanted_) > 0) cut_back_rebound();
  more_.resize(R_.size());
  for (std::size_t i = 0; i < R_.size(); ++i) more_[i] = wanted_[i] - R_[i];
  rows_.add(more_, x);
  R_ = wanted_;
  return true;
}

bool ContactStep::solve_with(const std::vector<double>& bound) {
  problem_.B = free_;
  for (std::size_t c = 0; c < bound.size(); ++c) problem_.B[3 * c] -= bound[c];
  report_ =
      solver_->solve(problem_, {.tolerance = settings_.tolerance, .speed = speed_, .iterations = settings_.iterations},
                     wanted_, expected_);
  for (std::size_t c = 0; c < bound.size(); ++c) expected_[3 * c] += bound[c];
  left_ = report_.ok() || !(speed_ > 0) ? 0 : report_.residual / speed_;
  using enum ContactReport::Reason;
  if (report_.ok() || ((report_.reason == not_converged || report_.reason == stagnated) && left_ <= allowed))
    return true;
  why_ = report_.text() + (report_.worst >= 0 ? " between " + pair_of(report_.worst) : std::string());
  return false;
}

// What the step gains over one without contact, in the metric of A: R . B + R . W R / 2.
double ContactStep::gain(const std::vector<double>& R) {
  multiply(R, more_);
  const double free = product(R, free_), own = 0.5 * product(R, more_);
  return free + own > rounding * (std::fabs(free) + own) ? free + own : 0;
}

// Without rebounds R . U <= 0, which solvers meet to their residual: the share of R that meets it exactly, where that
// changes velocities by no more than what they left.
void ContactStep::take_gain_back() {
  multiply(wanted_, more_);
  const double free = product(wanted_, free_), own = product(wanted_, more_);
  if (!(free + own > 0) || !(free < 0)) return;
  const double less = 1 + free / own;
  double most = 0;
  for (const double u : more_) most = std::fmax(most, std::fabs(u));
  if (less * most > std::fmax(report_.residual, settings_.tolerance * speed_)) return;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    wanted_[i] -= less * wanted_[i];
    expected_[i] -= less * more_[i];
  }
}

void ContactStep::cut_back_rebound() {
  with_ = wanted_;
  up_ = expected_;
  if (!solve_with(closing_)) {  // then there is none to compare with: as it was
    wanted_ = with_;
    expected_ = up_;
    return;
  }
  // gain(R_0 + s D) = c + b s + a s^2, c <= 0 < a + b + c.
  std::vector<double>& D = with_;
  for (std::size_t i = 0; i < D.size(); ++i) D[i] -= wanted_[i];
  multiply(wanted_, more_);
  const double c = std::fmin(0.0, product(wanted_, free_) + 0.5 * product(wanted_, more_));
  const double b = product(D, free_) + product(D, more_);
  multiply(D, more_);
  const double a = 0.5 * product(D, more_);
  const double root = std::sqrt(std::fmax(0.0, b * b - 4 * a * c));
  const double s = b > 0 ? -2 * c / (b + root) : a > 0 ? (root - b) / (2 * a) : 0;
  for (std::size_t i = 0; i < D.size(); ++i) {
    wanted_[i] += s * D[i];
    expected_[i] += s * (up_[i] - expected_[i]);
  }
  ++cut_back_;
}

bool ContactStep::met(const std::vector<double>& x) {
  find_velocities(x);
  double off = 0;
  for (std::size_t i = 0; i < U_.size(); ++i) off = std::fmax(off, std::fabs(U_[i] - expected_[i]));
  return off <= settings_.tolerance * speed_;
}

// The laws of normal directions once more, over displacements instead of velocities: gaps at the end must not be
// negative.
bool ContactStep::move_apart(const std::vector<double>& x, std::vector<double>& y) {
  if (!settings_.move_apart) return false;
  find_velocities(x);
  double worst = 0;
  apart_.friction.assign(gap_.size(), 0.0);
  apart_.B.assign(3 * gap_.size(), 0.0);
  for (std::size_t c = 0; c < gap_.size(); ++c) {
    if (is_friction(c)) continue;
    apart_.B[3 * c] = gap_[c] + 0.5 * h_ * U_[3 * c];
    worst = std::fmin(worst, apart_.B[3 * c]);
  }
  if (worst > -small_overlap * system_.length_scale) return false;
  shift_.assign(3 * gap_.size(), 0.0);
  const auto lend_operator = [&] {
    std::swap(apart_.row_start, problem_.row_start);
    std::swap(apart_.column, problem_.column);
    std::swap(apart_.W, problem_.W);
  };
  lend_operator();
  const ContactReport report =
      solver_->solve(apart_, {.tolerance = std::fmax(1e-6, settings_.tolerance), .speed = -worst}, shift_, more_);
  lend_operator();
  if (report.reason == ContactReport::Reason::not_finite) return false;
  rows_.add(shift_, y);
  return true;
}

// For the results (ContactRecord).
void ContactStep::list(const ContactPoint& point, int entry, const Vec3<double>& impulse, const Vec3<double>& slip,
                       double gap) {
  const Vec3<double> middle = 0.5 * (point.a.point + point.b.point);
  for (const int number : {surfaces_->owner(point.a.surface), surfaces_->owner(point.b.surface), entry})
    listed_.push_back(number);
  for (const Vec3<double>& part : {middle, point.normal, impulse, slip})
    listed_.insert(listed_.end(), part.a, part.a + 3);
  listed_.push_back(gap);
}

void ContactStep::finish(const std::vector<double>& x, State& end) {
  find_velocities(x);
  if (surfaces_) finish_points(end);
  finish_joints(end);
}

void ContactStep::finish_joints(State& end) {
  double* slots = end.slots.values.data();
  for (int s = 0; s < system_.springs.count(); ++s)
    if (const JointForces& joint = system_.springs.law[s].joint; joint.exact) slots[joint.exerted] = 0;
  std::size_t c = points_.size();
  for (const JointContacts::Row& row : joints_.rows()) {
    const std::size_t at = 3 * c++ + (row.is_stop ? 0 : 1);
    slots[system_.springs.law[row.spring].joint.exerted] -= row.factor * R_[at] / h_;
    end.energy.internal -= 0.5 * R_[at] * (seen_[at] + U_[at]);
  }
}

void ContactStep::finish_points(State& end) {
  Slots& slots = end.slots;
  const int first = contact_slot(system_, slots, 0), last = slots.count() - 1;
  for (int slot = first; slot < last; ++slot) {
    double* sums = slots[slot];
    std::fill(sums, sums + ContactSums::work_normal, 0.0);
    sums[ContactSums::gap] = std::numeric_limits<double>::quiet_NaN();
  }
  kept_.clear();
  listed_.clear();
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const ContactPoint& point = points_[c];
    const ContactFrame& frame = rows_.frame(static_cast<int>(c));
    const double *R = &R_[3 * c], *U = &U_[3 * c], *begin = &seen_[3 * c];
    double* sums = slots[first + entry_[c]];
    sums[ContactSums::gap] = std::fmin(sums[ContactSums::gap], point.gap + 0.5 * h_ * U[0]);
    if (R[0] <= 0) continue;
    const Vec3<double> impulse = R[0] * frame[0] + R[1] * frame[1] + R[2] * frame[2];
    list(point, entry_[c], impulse, U[1] * frame[1] + U[2] * frame[2], point.gap + 0.5 * h_ * U[0]);
    const double normal = 0.5 * R[0] * (begin[0] + U[0]),
                 friction = 0.5 * (R[1] * (begin[1] + U[1]) + R[2] * (begin[2] + U[2]));
    sums[ContactSums::points] += 1;
    sums[ContactSums::normal] += R[0] / h_;
    sums[ContactSums::friction] += std::hypot(R[1], R[2]) / h_;
    const double sign = surfaces_->side_of(entry_[c], point.a.surface, point.b.surface);
    for (int m = 0; m < 3; ++m) sums[ContactSums::force + m] += sign * impulse[m] / h_;
    sums[ContactSums::work_normal] += normal;
    sums[ContactSums::work_friction] += friction;
    end.energy.contact += normal + friction;
    for (int d = 0; d < 3; ++d) end.energy.drives -= R[d] * driven_[3 * c + d];
    for (const double number : {double(point.a.surface), double(point.b.surface), double(point.a.feature),
                                double(point.b.feature), impulse[0] / h_, impulse[1] / h_, impulse[2] / h_})
      kept_.push_back(number);
  }
  const int points = contact_points_slot(system_, slots);
  slots.resize(points, static_cast<int>(listed_.size()));
  std::ranges::copy(listed_, slots[points]);
  slots.resize(last, static_cast<int>(kept_.size()));
  std::ranges::copy(kept_, slots[last]);
}

}  // namespace lithe
