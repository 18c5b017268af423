// From what the user said of springs to Springs: arguments, axes, rest lengths.
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/markers.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

using Kind = SpringLaw::Kind;

// One spring, before it goes into the arrays.
struct CompiledSpring : SpringLaw {
  std::vector<Form> arguments;
  Signal actuator, target;
  ForceLaw force_law;

  void set(const std::optional<ForceLaw>& law) {
    if (!law) return;
    force_law = *law;
    bent = true;
    viscous = !law->table();
  }
  void take(const Part& part) {
    std::copy(part.factors.begin(), part.factors.end(), factors);
    arguments = part.arguments;
  }
};

const char* needs_angle = "a torsion spring needs a revolute or cylindrical joint";

// The strain is the travel of a planar joint along an axis of its plane, or the angle that an axis of a spherical one
// has turned by.
void act_along(CompiledSpring& out, const System& system, const std::string& name, const CompiledJoint& joint,
               const Vec3<double>& axis, const Where& where, const std::string& user) {
  const Vec3<double> along = unit(axis);
  const auto direction = [&](const Marker& marker) {
    if (auto found = attached(marker, along)) return *found;
    throw InputError(where, user + ": '" + marker.text + "' of joint '" + name +
                                "' has no direction along 'axis'; use a rigid body, a beam, a shell or a hexa there");
  };
  if (std::holds_alternative<Planar>(*system.model.joints.find(name))) {
    const Form p = joint.b.position - joint.a.position;
    out.kind = Kind::travel;
    out.take(Part::dot(direction(joint.a), {Direction::Kind::plain, {p}, {}}));
    out.offset = dot(along, joint.b.start - joint.a.start);
    return;
  }
  out.kind = Kind::cone;
  out.take(Part::dot(direction(joint.a), direction(joint.b)));
}

// The strain is a coordinate of a joint; `user` says what needs an angle where there is none.
void act_on(CompiledSpring& out, const System& system, const std::string& name,
            const std::optional<JointCoordinate>& said, const Where& where, const std::string& user,
            const std::optional<Triple>& axis = {}) {
  const std::size_t number = system.model.joints.position(name);
  const CompiledJoint& joint = system.joints[number];
  out.strains = 1;
  if (axis) return act_along(out, system, name, joint, vec(*axis), where, user);
  const JointCoordinate coordinate = said.value_or(coordinates_of(system.model.joints.items[number].second).front());
  if (coordinate == JointCoordinate::travel) {
    out.kind = Kind::travel;
    out.take(Part::dot(*joint.slides, {Direction::Kind::plain, {joint.moves}, {}}));
    out.offset = joint.start;
    return;
  }
  out.angle = coordinate == JointCoordinate::angle_b ? joint.second_angle : joint.angle;
  if (out.angle < 0) throw InputError(where, user + ": joint '" + name + "' has no angle; " + needs_angle);
  out.kind = Kind::angle;
  out.take(Part::angle({system.angles[out.angle]}, {1.0}, {out.angle}));
  out.start[0] = out.rest[0] = angle_value(system.angles[out.angle], system.q0, 0);
}

void fill(CompiledSpring& out, const System& system, const Spring& spring, const Where& where,
          const std::string& user) {
  out.kind = Kind::length;
  out.strains = 1;
  out.arguments = {make_marker(system, spring.b).position - make_marker(system, spring.a).position};
  out.smallest_length = 1e-12 * system.length_scale;
  const Vec3<double> x = out.arguments[0].value(system.q0);
  const double length = std::sqrt(dot(x, x));
  out.start[0] = length;
  out.rest[0] = spring.free_length.value_or(length);
  if (length < 1e-9 * system.length_scale && !(spring.free_length && *spring.free_length == 0))
    throw InputError(where, user +
                                ": its points coincide in the reference configuration, so it has no direction; move "
                                "one of them, or give 'free_length: 0'");
  out.stiffness[0] = spring.stiffness;
  out.damping[0] = spring.damping;
  out.actuator = spring.force;
  out.set(spring.law);
}

void fill(CompiledSpring& out, const System& system, const TorsionSpring& spring, const Where& where,
          const std::string& user) {
  act_on(out, system, spring.joint, spring.coordinate, where, user);
  out.rest[0] = out.start[0] + spring.free_angle;
  out.stiffness[0] = spring.stiffness;
  out.damping[0] = spring.damping;
  out.actuator = spring.moment;
  out.actuator_sign = -1;  // it drives b, a spring holds it back
  out.set(spring.law);
}

void fill(CompiledSpring& out, const System& system, const TravelSpring& spring, const Where& where,
          const std::string& user) {
  act_on(out, system, spring.joint, JointCoordinate::travel, where, user, spring.axis);
  out.rest[0] = spring.free_travel;
  out.stiffness[0] = spring.stiffness;
  out.damping[0] = spring.damping;
  out.actuator = spring.force;
  out.actuator_sign = -1;
  out.set(spring.law);
}

void fill(CompiledSpring& out, const System& system, const Friction& friction, const Where& where,
          const std::string& user) {
  act_on(out, system, friction.joint, friction.coordinate, where, user, friction.axis);
  out.joint.friction = friction.force.value_or(0);
  out.joint.coefficient = friction.coefficient.value_or(0);
  const int joint = static_cast<int>(system.model.joints.position(friction.joint));
  if (sticks(system.model, friction)) {
    out.joint.exact = true;
    out.joint.held_by = joint;
    return;
  }
  out.joint.slow = friction.slow.value_or(default_slow);
  if (friction.coefficient) out.joint.pressed = system.pressed_slot(joint);
  out.bent = out.viscous = true;
}

void fill(CompiledSpring& out, const System& system, const Stop& stop, const Where& where, const std::string& user) {
  act_on(out, system, stop.joint, stop.coordinate, where, user, stop.axis);
  JointForces& joint = out.joint;
  joint.lower = stop.lower.value_or(joint.lower);
  joint.upper = stop.upper.value_or(joint.upper);
  if (!stop.stiffness) {
    joint.exact = true;
    joint.restitution = stop.restitution;
    return;
  }
  joint.stop = *stop.stiffness;
  joint.bump = stop.damping;
  const double alone = out.kind == Kind::travel ? 1e-3 * system.length_scale : 0.01;
  joint.width = stop.width.value_or(stop.lower && stop.upper ? 0.01 * (joint.upper - joint.lower) : alone);
  out.bent = true;
  out.viscous = stop.damping > 0;
}

void fill(CompiledSpring& out, const System& system, const PdDrive& pd, const Where& where, const std::string& user) {
  act_on(out, system, pd.joint, pd.coordinate, where, user, pd.axis);
  out.joint.kp = pd.kp;
  out.joint.kd = pd.kd;
  out.joint.limit = pd.limit.value_or(JointForces::none);
  out.target = pd.target;
  out.bent = true;
  out.viscous = pd.kd > 0;
}

void fill(CompiledSpring& out, const System& system, const Rope& rope, const Where& where, const std::string& user) {
  out.kind = Kind::lengths;
  out.strains = 1;
  out.arguments = rope_parts(system, rope.points);
  out.smallest_length = 1e-12 * system.length_scale;
  for (std::size_t k = 0; k < out.arguments.size(); ++k) {
    out.falls[k] = rope.falls.empty() ? 1 : rope.falls[k];
    const double length = norm(out.arguments[k].value(system.q0));
    if (length < 1e-9 * system.length_scale)
      throw InputError(where, user + ": its points " + std::to_string(k) + " and " + std::to_string(k + 1) +
                                  " coincide in the reference configuration, so that the rope has no direction there; "
                                  "move one of them");
    out.start[0] += out.falls[k] * length;
  }
  out.rest[0] = out.start[0];
  if (rope.length && rope.length->is_constant()) out.rest[0] = rope.length->constant();
  else if (rope.length) out.target = *rope.length;
  out.EA = rope.EA;
  out.rope_damping = rope.damping;
  out.driven = rope.length && !rope.length->is_constant();
  out.bent = true;
  out.viscous = rope.damping > 0;
}

void fill(CompiledSpring& out, const System& system, const Bushing& bushing, const Where& where,
          const std::string& user) {
  const auto [a, b] = make_markers(system, bushing.a, bushing.b, bushing.point, where, user);
  bool torsion = false;
  for (int k = 0; k < 3; ++k) torsion = torsion || bushing.torsion_stiffness[k] > 0 || bushing.torsion_damping[k] > 0;
  const auto need_axes = [&](const Marker& marker, const char* why) {
    if (!marker.has_directions())
      throw InputError(where, user + ": '" + marker.text + "' has no axes of its own, but " + why);
  };
  need_axes(a, "those of a carry the bushing; swap a and b, or use a rigid body or a body with r_x, r_y, r_z");
  if (torsion)
    need_axes(b,
              "torsion_stiffness and torsion_damping act on them; leave them out, or use a rigid body or a body with "
              "r_x, r_y, r_z");
  const Vec3<double> x = vec(bushing.x_axis.value_or(Triple{1, 0, 0}));
  const bool along_y = std::abs(x[1]) > 0.9 * std::sqrt(dot(x, x));
  const Vec3<double> y = vec(bushing.y_axis.value_or(along_y ? Triple{0, 0, 1} : Triple{0, 1, 0})), z = cross(x, y);
  const auto unit = [](const Vec3<double>& d) { return (1 / std::sqrt(dot(d, d))) * d; };
  const Vec3<double> axes[3] = {unit(x), cross(unit(z), unit(x)), unit(z)};
  Mat3<double> X;
  for (int m = 0; m < 3; ++m)
    for (int k = 0; k < 3; ++k) X[m][k] = axes[k][m];
  out.kind = Kind::frames;
  out.strains = torsion ? 6 : 3;
  out.arguments = {b.position - a.position};
  const auto turn_with = [&](const Marker& marker) {
    for (const Form& argument : marker.frame_arguments()) out.arguments.push_back(argument);
    Mat3<double> turn;
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> share = marker.to_rule(transpose(marker.frame) * axes[k]);
      for (int m = 0; m < 3; ++m) turn[m][k] = share[m];
    }
    return TurnedFrame{marker.rule, turn};
  };
  out.frame_a = turn_with(a);
  if (torsion) out.frame_b = turn_with(b);
  const Vec3<double> gap = out.arguments[0].value(system.q0);
  for (int k = 0; k < 3; ++k) {
    out.stiffness[k] = bushing.stiffness[k];
    out.damping[k] = bushing.damping[k];
    out.start[k] = out.rest[k] = dot(column(X, k), gap);
    out.stiffness[3 + k] = bushing.torsion_stiffness[k];
    out.damping[3 + k] = bushing.torsion_damping[k];
  }
}

// To the arrays: all vectors once, with their weights in every argument.
void add(Springs& springs, const CompiledSpring& spring) {
  const std::size_t n = spring.arguments.size();
  LITHE_INVARIANT(n <= most_spring_arguments);
  springs.law.push_back(spring);
  springs.actuator.push_back(spring.actuator);
  springs.bent.push_back(spring.force_law);
  springs.target.push_back(spring.target);
  std::vector<int> vectors;
  for (const Form& x : spring.arguments) {
    springs.arguments.add(x);
    vectors.insert(vectors.end(), x.vectors.begin(), x.vectors.end());
  }
  springs.argument_start.push_back(springs.arguments.count());
  std::sort(vectors.begin(), vectors.end());
  vectors.erase(std::unique(vectors.begin(), vectors.end()), vectors.end());
  springs.vector.insert(springs.vector.end(), vectors.begin(), vectors.end());
  springs.vector_start.push_back(static_cast<std::int32_t>(springs.vector.size()));
  const std::size_t first = springs.weight.size();
  springs.weight.resize(first + vectors.size() * n, 0.0);
  springs.weight_start.push_back(static_cast<std::int32_t>(springs.weight.size()));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < spring.arguments[i].vectors.size(); ++k) {
      const auto at = std::lower_bound(vectors.begin(), vectors.end(), spring.arguments[i].vectors[k]);
      springs.weight[first + static_cast<std::size_t>(at - vectors.begin()) * n + i] += spring.arguments[i].weights[k];
    }
}

}  // namespace

void compile_springs(System& system) {
  const auto& springs = system.model.springs;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const auto& [name, element] = springs.items[i];
    CompiledSpring out;
    std::visit([&, &n = name](const auto& s) { fill(out, system, s, springs.where[i], "spring '" + n + "'"); },
               element);
    add(system.springs, out);
  }
  // Slots begin with angles and forces across lines; then these (System::initial_state).
  auto slot = static_cast<std::int32_t>(system.angles.size() + system.sliders.size());
  for (SpringLaw& law : system.springs.law)
    if (law.joint.exact) law.joint.exerted = slot++;
  for (int i = 0; i < system.springs.count(); ++i) {
    bool meets = false;
    system.springs.for_vectors(i, [&](int v) { meets = meets || system.will_map(v); });
    if (!meets) continue;
    system.springs.mapped.resize(system.springs.count(), 0);
    system.springs.mapped[i] = 1;
  }
}

}  // namespace lithe
