#include "lithe/model/initial_velocity.h"

#include "lithe/base/describe.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(InitialVelocity, "initial_velocity", "velocities at the start; several add up") {
  visit("on", &InitialVelocity::on, Field{.help = "body, set of nodes or node", .required = true});
  visit("velocity", &InitialVelocity::velocity,
        Field{.help = "components: numbers or expressions of x, y, z (reference position)", .unit = "m/s"});
  visit("gradient_rates", &InitialVelocity::gradient_rates,
        Field{.help = "of the nodes' gradients under 'velocity': field (its derivatives) or zero"});
  visit("angular_velocity", &InitialVelocity::angular_velocity,
        Field{.help = "rigid rotation in addition, gradients turn too", .unit = "rad/s"});
  visit("center", &InitialVelocity::center, Field{.help = "of that rotation", .unit = "m"});
}

// ---- rules ----

void check(const Spot& here, const InitialVelocity& velocity) {
  if (velocity.on.is_ground()) here["on"].fail("the ground does not move; name a body");
  check_place(here, "on", velocity.on);
  if (velocity.on.element || velocity.on.point)
    here["on"].fail("velocities are given to nodes; name a body, a set of nodes or {body: " + velocity.on.body +
                    ", node: number}");
}

}  // namespace lithe
