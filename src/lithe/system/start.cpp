#include "lithe/system/start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/system/redundancy.h"
#include "lithe/system/slide_along.h"

namespace lithe {

namespace {

const std::optional<Start>& start_of(const AnyBody& any) {
  static const std::optional<Start> none;
  if (const Body* body = std::get_if<Body>(&any)) return body->start;
  if (const RigidBody* body = std::get_if<RigidBody>(&any)) return body->start;
  if (const PointMass* body = std::get_if<PointMass>(&any)) return body->start;
  return none;
}

// Rodrigues' formula.
Vec3<double> turned(const Vec3<double>& x, const Vec3<double>& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return c * x + s * cross(axis, x) + ((1 - c) * dot(axis, x)) * axis;
}

void move(const BodyInfo& body, const Start& start, std::vector<double>& q) {
  const Vec3<double> axis = unit(start.axis), center = vec(start.center);
  const double angle = start.angle * std::numbers::pi / 180;
  for (int n = 0; n < body.mesh.node_count(); ++n)
    for (int k = 0; k < body.node_vectors; ++k) {
      double* x = &q[3ul * body.vector(n, k)];
      const Vec3<double> old{{x[0], x[1], x[2]}};
      const Vec3<double> now =
          k == 0 ? center + turned(old - center, axis, angle) + vec(start.displacement) : turned(old, axis, angle);
      for (int m = 0; m < 3; ++m) x[m] = now[m];
    }
}

// What is held stays where the reference configuration has it.
void check_held(const System& system) {
  std::vector<double> wanted(system.q0.size()), z;
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = system.q_start[i] - system.q0[i];
  std::vector<double> allowed = wanted;
  system.map.admit(system.initial_state().slots, allowed, z);
  for (int v = 0; v < system.vectors(); ++v)  // rows hold mapped bodies
    if (system.map.body_of(v) >= 0) std::copy_n(&wanted[3ul * v], 3, &allowed[3ul * v]);
  int worst = -1;
  double most = 1e-9 * std::max(1.0, system.length_scale);
  for (int v = 0; v < system.vectors(); ++v)
    for (int m = 0; m < 3; ++m)
      if (const double off = std::abs(wanted[3ul * v + m] - allowed[3ul * v + m]); off > most) {
        most = off;
        worst = v;
      }
  if (worst < 0) return;
  std::size_t b = 0;
  while (b + 1 < system.bodies.size() && system.bodies[b + 1].first_vector <= worst) ++b;
  std::string others;
  for (const ConstraintOwner& owner : system.owners)
    if (std::ranges::count(owner.vectors, worst) > 0) others += (others.empty() ? "" : " and ") + owner.text;
  throw InputError(system.model.bodies.where[b],
                   "body '" + system.bodies[b].name + "': its start does not fit " +
                       (others.empty() ? "what holds it" : others) + ", which is off by " + number_text(most) +
                       " there; turn it about a point that is held, or move what it is joined to as well");
}

}  // namespace

void compile_start(System& system, ConstraintEquations& equations) {
  system.q_start = system.q0;
  bool any = false;
  for (std::size_t b = 0; b < system.bodies.size(); ++b)
    if (const std::optional<Start>& start = start_of(system.model.bodies.items[b].second)) {
      move(system.bodies[b], *start, system.q_start);
      any = true;
    }
  if (!any) return;
  for (const Slider& slider : system.sliders)  // where what slides is now, along the line as it is now
    system.q_start[3ul * slider.vector] =
        nearest_place(*slider.track, system.q_start, slider.point.value(system.q_start));
  check_held(system);
  settle_start(system, equations);
}

}  // namespace lithe
