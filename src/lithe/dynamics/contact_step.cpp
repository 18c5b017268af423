#include "lithe/dynamics/contact_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "lithe/base/error.h"

namespace lithe {

namespace {

// What solvers may leave where they get no further, over the largest velocity; the run tells of it.
constexpr double allowed = 1e-4;
// Overlaps that stay, over the size of the model.
constexpr double small_overlap = 1e-10;
// Energy that rounding makes, over that of the impulses.
constexpr double rounding = 1e-13;
// Numbers that the State keeps of a point: surfaces, features, impulse.
constexpr int remembered = 7;

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// y = W x
void multiply(const ContactProblem& problem, const std::vector<double>& x, std::vector<double>& y) {
  y.assign(3ul * problem.count(), 0.0);
  for (int c = 0; c < problem.count(); ++c)
    for (std::int32_t k = problem.row_start[c]; k < problem.row_start[c + 1]; ++k) {
      const double *W = &problem.W[9ul * k], *other = &x[3ul * problem.column[k]];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) y[3ul * c + i] += W[3 * i + j] * other[j];
    }
}

}  // namespace

ContactStep::ContactStep(const System& system, const ContactSettings& settings, std::vector<StepBlocks*> kinds,
                         Delassus& rows, Team& team)
    : system_(system),
      settings_(settings),
      surfaces_(*system.contact_surfaces),
      rows_(system, std::move(kinds), rows),
      scene_(surfaces_.topology()),
      detection_(
          surfaces_.topology(), [this](int a, int b) { return surfaces_.may_touch(a, b); }, &team),
      solver_(make_contact_solver(settings.solver, &team)) {}

std::string ContactStep::pair_of(int c) const {
  return surfaces_.name(points_[c].a.surface) + " and " + surfaces_.name(points_[c].b.surface);
}

void ContactStep::check_start(const State& state) {
  surfaces_.place(state.q, state.v, state.t, 0, scene_);
  scene_.before = scene_.corner;
  int worst = -1;
  points_ = detection_.detect(scene_);
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const Contact& contact =
        system_.model.contacts.items[surfaces_.entry(points_[c].a.surface, points_[c].b.surface)].second;
    if (contact.initial_overlap == InitialOverlap::accept || points_[c].gap >= -1e-9 * system_.length_scale) continue;
    if (worst < 0 || points_[c].gap < points_[worst].gap) worst = static_cast<int>(c);
  }
  if (worst < 0) return;
  const Vec3<double>& at = points_[worst].a.point;
  throw RunError(
      fmt::format("{} overlap by {:.3g} m at the start, at ({:.4g}, {:.4g}, {:.4g}); move them apart, or "
                  "write 'initial_overlap: accept' in their contact",
                  pair_of(worst), -points_[worst].gap, at[0], at[1], at[2]));
}

bool ContactStep::find(const HalfStep& step, const State& begin, const State& end) {
  h_ = step.h;
  report_ = {};
  surfaces_.place(begin.q, begin.v, begin.t, 0, scene_);
  std::swap(scene_.corner, scene_.before);
  surfaces_.place(step.middle.q, end.v, step.middle.t, step.h, scene_);
  const bool touching = settings_.activation == Activation::touching;
  points_ = detection_.detect(scene_, settings_.activation, touching ? PointsOf::elements : PointsOf::features);
  if (points_.empty()) rows_.set(step, points_);  // of no step before
  return !points_.empty();
}

void ContactStep::set(const HalfStep& step) {
  rows_.set(step, points_);
  const std::size_t n = points_.size();
  for (auto* x : {&R_, &wanted_, &seen_, &driven_, &U_}) x->assign(3 * n, 0.0);
  for (auto* x : {&closing_, &rebound_, &problem_.friction}) x->assign(n, 0.0);
  entry_.resize(n);
  if (n == 0) return;
  rows_.make_operator(problem_);
  for (std::size_t c = 0; c < n; ++c) {
    const ContactPoint& point = points_[c];
    entry_[c] = surfaces_.entry(point.a.surface, point.b.surface);
    problem_.friction[c] = law(c).friction;
    const Vec3<double> a = surfaces_.velocity(point.a, step.middle.q, step.seen, step.middle.t),
                       b = surfaces_.velocity(point.b, step.middle.q, step.seen, step.middle.t);
    Vec3<double> told{};
    if (surfaces_.is_obstacle(point.a.surface)) told = a;
    if (surfaces_.is_obstacle(point.b.surface)) told = told - b;
    const ContactFrame& frame = rows_.frame(static_cast<int>(c));
    for (int d = 0; d < 3; ++d) {
      seen_[3 * c + d] = dot(frame[d], a - b);
      driven_[3 * c + d] = dot(frame[d], told);
    }
  }
  recall(step.middle.slots);
}

const Contact& ContactStep::law(std::size_t contact) const {
  return system_.model.contacts.items[entry_[contact]].second;
}

// Impulses of the last step at points that were there; both lists are in one order.
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
    const Vec3<double> impulse{{at[4], at[5], at[6]}};
    for (int d = 0; d < 3; ++d) wanted_[3 * c + d] = dot(rows_.frame(static_cast<int>(c))[d], impulse);
  }
}

void ContactStep::velocities(const std::vector<double>& x) {
  U_ = seen_;
  rows_.add_velocities(x, U_);
}

// Of the velocities without impulses: how far U_N may go down, and how far up it must where there is a rebound.
void ContactStep::find_bounds() {
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const double gap = points_[c].gap, approach = seen_[3 * c];
    closing_[c] = gap > 0 ? -gap / h_ : 0;
    const bool meet = free_[3 * c] < closing_[c];
    rebound_[c] = meet && approach < 0 ? std::fmax(closing_[c], -law(c).restitution * approach) : closing_[c];
  }
}

bool ContactStep::solve(std::vector<double>& x) {
  velocities(x);
  multiply(problem_, R_, free_);
  for (std::size_t i = 0; i < U_.size(); ++i) free_[i] = U_[i] - free_[i];
  find_bounds();
  cut_back_ = 0;
  speed_ = 0;
  for (const auto* u : {&seen_, &U_, &free_, &driven_})
    for (const double a : *u) speed_ = std::fmax(speed_, std::fabs(a));
  if (!solve_with(rebound_)) return false;
  if (closing_ != rebound_ && gain(wanted_) > 0) cut_back_rebound();
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
  multiply(problem_, R, more_);
  const double free = product(R, free_), own = 0.5 * product(R, more_);
  return free + own > rounding * (std::fabs(free) + own) ? free + own : 0;
}

void ContactStep::cut_back_rebound() {
  const std::vector<double> with = wanted_, up = expected_;
  if (!solve_with(closing_)) {  // then there is none to compare with: as it was
    wanted_ = with;
    expected_ = up;
    return;
  }
  // gain(R_0 + s D) = c + b s + a s^2, c <= 0 < a + b + c.
  std::vector<double> D(with.size());
  for (std::size_t i = 0; i < D.size(); ++i) D[i] = with[i] - wanted_[i];
  multiply(problem_, wanted_, more_);
  const double c = std::fmin(0.0, product(wanted_, free_) + 0.5 * product(wanted_, more_));
  const double b = product(D, free_) + product(D, more_);
  multiply(problem_, D, more_);
  const double a = 0.5 * product(D, more_);
  const double root = std::sqrt(std::fmax(0.0, b * b - 4 * a * c));
  const double s = b > 0 ? -2 * c / (b + root) : a > 0 ? (root - b) / (2 * a) : 0;
  for (std::size_t i = 0; i < D.size(); ++i) {
    wanted_[i] += s * D[i];
    expected_[i] += s * (up[i] - expected_[i]);
  }
  ++cut_back_;
}

bool ContactStep::met(const std::vector<double>& x) {
  velocities(x);
  double off = 0;
  for (std::size_t i = 0; i < U_.size(); ++i) off = std::fmax(off, std::fabs(U_[i] - expected_[i]));
  return off <= settings_.tolerance * speed_;
}

// The laws of normal directions once more, over displacements instead of velocities: gaps at the end must not be
// negative.
bool ContactStep::move_apart(const std::vector<double>& x, std::vector<double>& y) {
  if (!settings_.move_apart) return false;
  velocities(x);
  double worst = 0;
  apart_ = problem_;
  apart_.B.assign(3 * points_.size(), 0.0);
  std::ranges::fill(apart_.friction, 0.0);
  for (std::size_t c = 0; c < points_.size(); ++c) {
    apart_.B[3 * c] = points_[c].gap + 0.5 * h_ * U_[3 * c];
    worst = std::fmin(worst, apart_.B[3 * c]);
  }
  if (worst > -small_overlap * system_.length_scale) return false;
  shift_.assign(3 * points_.size(), 0.0);
  const ContactReport report = solver_->solve(apart_, {.tolerance = 1e-6, .speed = -worst}, shift_, more_);
  if (report.reason == ContactReport::Reason::not_finite) return false;
  rows_.add(shift_, y);
  return true;
}

void ContactStep::finish(const std::vector<double>& x, State& end) {
  Slots& slots = end.slots;
  const int first = contact_slot(system_, slots, 0), last = slots.count() - 1;
  for (int slot = first; slot < last; ++slot) {
    double* sums = slots[slot];
    std::fill(sums, sums + ContactSums::work_normal, 0.0);
    sums[ContactSums::gap] = std::numeric_limits<double>::quiet_NaN();
  }
  velocities(x);
  kept_.clear();
  for (std::size_t c = 0; c < points_.size(); ++c) {
    const ContactPoint& point = points_[c];
    const ContactFrame& frame = rows_.frame(static_cast<int>(c));
    const double *R = &R_[3 * c], *U = &U_[3 * c], *begin = &seen_[3 * c];
    double* sums = slots[first + entry_[c]];
    sums[ContactSums::gap] = std::fmin(sums[ContactSums::gap], point.gap + 0.5 * h_ * U[0]);
    if (R[0] <= 0) continue;
    const Vec3<double> impulse = R[0] * frame[0] + R[1] * frame[1] + R[2] * frame[2];
    const double normal = 0.5 * R[0] * (begin[0] + U[0]),
                 friction = 0.5 * (R[1] * (begin[1] + U[1]) + R[2] * (begin[2] + U[2]));
    sums[ContactSums::points] += 1;
    sums[ContactSums::normal] += R[0] / h_;
    sums[ContactSums::friction] += std::hypot(R[1], R[2]) / h_;
    const double sign = surfaces_.side_of(entry_[c], point.a.surface, point.b.surface);
    for (int m = 0; m < 3; ++m) sums[ContactSums::force + m] += sign * impulse[m] / h_;
    sums[ContactSums::work_normal] += normal;
    sums[ContactSums::work_friction] += friction;
    end.energy.contact += normal + friction;
    for (int d = 0; d < 3; ++d) end.energy.drives -= R[d] * driven_[3 * c + d];
    for (const double number : {double(point.a.surface), double(point.b.surface), double(point.a.feature),
                                double(point.b.feature), impulse[0], impulse[1], impulse[2]})
      kept_.push_back(number);
  }
  slots.resize(last, static_cast<int>(kept_.size()));
  std::ranges::copy(kept_, slots[last]);
}

}  // namespace lithe
