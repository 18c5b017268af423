#include "lithe/dynamics/step_start.h"

#include <algorithm>
#include <cmath>

#include "lithe/dynamics/start_failure.h"

namespace lithe {

namespace {

constexpr int most = 50;
constexpr double exact = 1e-13;
// Penalties hold constraints that depend on each other somehow: what they leave of the first gap tells, or of rates.
constexpr double met_of_gap = 1e-6, met_of_rates = 1e-9;
// Share of a step over which rates of accelerations are measured.
constexpr double probe = 1.0 / 64;

}  // namespace

StepStart::StepStart(StepData& data)
    : data_(data),
      jerk_(data.model.coordinate_array()),
      wanted_v_(data.model.coordinate_array()),
      mu_(data.model.row_array()),
      third_(data.model.row_array()) {}

bool StepStart::settle() {
  data_.place.copy(data_.now.v, wanted_v_);
  return find();
}

bool StepStart::begin() {
  PlacedState& now = data_.now;
  data_.place.copy(now.v, wanted_v_);
  data_.model.admit(now, now.v);
  data_.model.follow(now.t(), now.t(), now.q, now.v, now.a);
  return find();
}

bool StepStart::find() {
  StepData& d = data_;
  d.have_last = false;
  d.model.constraints(d.now);
  if (d.system.map.size > 0 && !d.linear.factor(d.model.on_host(d.now), 0, 0, 1, 1, false, true)) {
    const FactorReport report = d.linear.factor_report();
    failure_ =
        start_failure(d.system, d.linear.evaluate(d.model.on_host(d.now), 0, 0, 1, 1, false), report, d.linear.why());
    return false;
  }
  const bool found = settle_velocities() && settle_accelerations();
  if (found) probe_jerk();
  d.linear.forget();
  d.point.valid = false;
  if (!found) return false;
  if (std::isfinite(d.place.largest(d.now.a)) && std::isfinite(d.place.largest(d.now.v))) return true;
  failure_ = "the accelerations at the start are not finite; check loads and masses";
  return false;
}

// M (v - wanted) + G^T mu = 0, G v = rates of the drives; eliminated constraints are met by the unknowns themselves.
bool StepStart::settle_velocities() {
  StepData& d = data_;
  d.place.fill(0, mu_);
  double first = 0;
  for (int k = 0; k < most && d.system.map.size > 0; ++k) {
    d.place.combine({{1, d.now.v}, {-1, wanted_v_}}, d.scratch);
    d.model.constraint_rates(d.now, d.rates);
    const double rates = d.place.largest(d.rates), size = d.place.largest(d.now.v);
    if (k == 0) first = rates;
    if (std::max(d.place.largest(d.scratch), rates) <= exact * size) break;
    d.model.mass_product(d.scratch, d.inertia);
    d.model.restrict(d.now, d.inertia, d.residual);
    d.model.add_transposed(d.model.G, 1, mu_, d.residual);
    if (!d.linear.correct(d.residual, d.rates, exact * rates, d.dz, d.d_lambda)) {
      failure_ = "no velocities satisfy the constraints at the start";
      return false;
    }
    d.model.prolong(d.now, d.dz, 1, d.now.v);
    d.place.combine({{1, mu_}, {1, d.d_lambda}}, mu_);
    if (d.place.largest(d.dz) <= exact * d.place.largest(d.now.v)) break;
  }
  d.model.constraint_rates(d.now, d.rates);
  return constraints_met("velocity", met_of_gap * first + met_of_rates * d.place.largest(d.now.v));
}

// Is what data_.rates tells of the constraints within `limit`?
bool StepStart::constraints_met(const char* what, double limit) {
  StepData& d = data_;
  if (!(d.place.largest(d.rates) > limit)) return true;
  std::vector<double> room;
  const HostReading rates(d.rates, room);
  int worst = 0;
  for (int r = 0; r < d.system.row_count(); ++r)
    if (std::abs(rates[r]) > std::abs(rates[worst])) worst = r;
  failure_ = dependent_at_start(std::string("no ") + what + " there satisfies " +
                                d.system.owners[d.system.rows.owner[worst]].text + " and the others");
  return false;
}

bool StepStart::settle_accelerations() {
  StepData& d = data_;
  d.model.forces(d.now);
  double first = 0;
  for (int k = 0; k < most && d.system.map.size > 0; ++k) {
    d.model.mass_product(d.now.a, d.inertia);
    d.place.combine({{1, d.model.internal}, {-1, d.model.external}, {1, d.inertia}}, d.scratch);
    d.model.restrict(d.now, d.scratch, d.residual);
    d.model.add_transposed(d.model.G, 1, d.now.lambda, d.residual);
    d.model.constraint_accelerations(d.now, d.rates);
    const double rates = d.place.largest(d.rates);
    if (k == 0) first = rates;
    if (!d.linear.correct(d.residual, d.rates, exact * rates, d.dz, d.d_lambda)) {
      failure_ = "no accelerations at the start";
      return false;
    }
    d.model.prolong(d.now, d.dz, 1, d.now.a);
    d.place.combine({{1, d.now.lambda}, {1, d.d_lambda}}, d.now.lambda);
    if (d.place.largest(d.dz) <= exact * d.place.largest(d.now.a)) break;
  }
  d.model.constraint_accelerations(d.now, d.rates);
  return constraints_met("acceleration", met_of_gap * first + met_of_rates * d.place.largest(d.now.a));
}

// Rates of the accelerations across the constraints, into jerk_: G j = -d3c/dt3 at j = 0, M j + G^T mu = 0. Schemes
// begin with what they have to do there (scheme.h). Along the constraints that costs no order, and there stiff parts
// make rates of accelerations that a step does not see.
void StepStart::probe_jerk() {
  StepData& d = data_;
  d.place.fill(0, jerk_);
  if (d.system.rows.empty() || d.system.map.size == 0 || d.projects) return;
  const double e = probe * d.options.step;
  d.model.constraint_accelerations(d.now, d.rates);
  d.place.combine({{-3, d.rates}}, third_);
  for (const double k : {1.0, 2.0}) {  // (-3 f(0) + 4 f(e) - f(2 e)) / 2 e: signals need not exist before the start
    d.model.constraint_accelerations_after(k * e, d.now, d.rates);
    d.place.combine({{1, third_}, {k == 1 ? 4.0 : -1.0, d.rates}}, third_);
  }
  d.place.combine({{1 / (2 * e), third_}}, third_);
  d.place.fill(0, d.residual);
  if (d.linear.correct(d.residual, third_, exact * d.place.largest(third_), d.dz, d.d_lambda))
    d.model.prolong(d.now, d.dz, 1, jerk_);
}

void StepStart::seed_past(double h) {
  Past& past = data_.now.scalars().past;
  past.count = past.order = 0;
  past.step = h;
  past.weighted = false;
  data_.place.combine({{1, data_.now.a}, {-h, jerk_}}, data_.now.past[0]);
}

}  // namespace lithe
