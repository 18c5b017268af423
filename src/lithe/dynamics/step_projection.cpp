#include "lithe/dynamics/step_projection.h"

#include "lithe/dynamics/timed.h"

namespace lithe {

int StepProjection::run(double h) {
  StepData& d = data_;
  PlacedState& now = d.now;
  int factorisations = 0;
  const double gap = 0.1 * newton_.wanted(h).gap;
  const auto onto = [&](double exactness, Array& mu, Array& x) {
    bool done = d.linear.project(d.rates, exactness, d.dz, mu);
    if (!done) {
      d.place.fill(0, mu);
      ++factorisations;
      done = newton_.factor(h) && d.linear.project(d.rates, exactness, d.dz, mu);
    }
    if (done) d.model.prolong(now, d.dz, 1, x);
    else d.place.fill(0, mu);
    return done;
  };
  {
    const Timed timed(d.phases.projection);
    d.model.constraint_rates(now, d.rates);
  }
  onto(gap / h, now.velocity_multipliers, now.v);
  {
    const Timed timed(d.phases.projection);
    d.model.constraint_accelerations(now, d.rates);
  }
  if (onto(gap / (h * h), now.acceleration_multipliers, now.a) && now.scalars().past.weighted)
    d.model.prolong(now, d.dz, (1 - d.scheme.f) / (1 - d.scheme.m), now.scheme);
  // The equation of motion goes on to hold: c_a M dz = -c_g G^T mu, up to the stiffness in the matrix.
  const double share = d.scheme.c_q() / d.scheme.c_a(h);
  d.place.combine({{1, now.lambda}, {share, now.acceleration_multipliers}}, now.lambda);
  return factorisations;
}

}  // namespace lithe
