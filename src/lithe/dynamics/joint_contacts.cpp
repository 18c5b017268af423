#include "lithe/dynamics/joint_contacts.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/reactions.h"

namespace lithe {

namespace {

constexpr double farther = 2;                // than rates would close a stop: other impulses may change them
constexpr double beyond_by_rounding = 1e-9;  // of the size of the model: what is not beyond a stop

}  // namespace

JointContacts::JointContacts(const System& system) : system_(system) {
  for (int s = 0; s < system.springs.count(); ++s)
    if (system.springs.law[s].joint.exact) springs_.push_back(s);
}

double JointContacts::length_of(int spring) const {
  return system_.springs.law[spring].kind == SpringLaw::Kind::travel ? 1 : system_.length_scale;
}

void JointContacts::check_start(const State& state) {
  for (const int s : springs_) {
    const JointForces& joint = system_.springs.law[s].joint;
    spring_slopes(system_.springs, s, state, slopes_);
    const double value = slopes_.value[0];
    const bool above = value - joint.upper > joint.lower - value;
    const double limit = above ? joint.upper : joint.lower, beyond = std::fabs(value - limit);
    if (!(value > joint.upper || value < joint.lower) ||
        beyond * length_of(s) <= beyond_by_rounding * system_.length_scale)
      continue;
    const auto& [name, item] = system_.model.springs.items[s];
    const auto& places = system_.model.springs.where;
    const Where said = static_cast<std::size_t>(s) < places.size() ? places[s] : Where{};
    const auto* stop = std::get_if<Stop>(&item);
    const bool travels = system_.springs.law[s].kind == SpringLaw::Kind::travel;
    throw InputError(
        Where{said.file, said.line, "springs." + name},
        fmt::format("joint '{}' begins with the {} {:.6g} {}, beyond the limit {} = {:.6g} of this rigid stop; "
                    "begin within it, move the limit, or give 'stiffness', which pushes back",
                    stop->joint, travels ? "travel" : "angle", value, travels ? "m" : "rad", above ? "upper" : "lower",
                    limit));
  }
}

void JointContacts::find(const HalfStep& step, const std::vector<double>& free) {
  rows_.clear();
  gradients_.clear();
  held_ = step.middle;
  for (const int s : springs_) {
    const JointForces& joint = system_.springs.law[s].joint;
    spring_slopes(system_.springs, s, step.middle, slopes_);
    const auto first = static_cast<std::int32_t>(gradients_.size());
    const double c = length_of(s);
    double seen = 0, without = 0;
    int v = 0;
    system_.springs.for_vectors(s, [&](int vector) {
      const Vec3<double> g = slopes_.gradient[v++];
      gradients_.push_back(c * g);
      for (int m = 0; m < 3; ++m) {
        seen += c * g[m] * step.seen[3ul * vector + m];
        without += c * g[m] * free[3ul * vector + m];
      }
    });
    if (joint.friction > 0 || joint.coefficient > 0) rows_.push_back({s, false, c, 0, 0, seen, first});
    const double reach = farther * step.h * (std::fabs(seen) + std::fabs(without));
    for (const double sign : {-1.0, 1.0}) {
      const double limit = sign < 0 ? joint.upper : joint.lower;
      if (std::isinf(limit)) continue;
      const double gap = sign * c * (slopes_.value[0] - limit);
      if (gap <= reach) rows_.push_back({s, true, sign * c, gap, joint.restitution, sign * seen, first});
    }
  }
}

double JointContacts::limit(const Row& row, const HalfStep& step, const std::vector<double>& multipliers) {
  const JointForces& joint = system_.springs.law[row.spring].joint;
  const double pressed = joint.coefficient > 0 ? joint.coefficient * across(row.spring, multipliers) : 0;
  return (joint.friction + pressed) * step.h / std::fabs(row.factor);
}

double JointContacts::across(int spring, const std::vector<double>& multipliers) {
  const int number = system_.springs.law[spring].joint.held_by;
  held_.lambda = multipliers;
  const Vec3<double> force = joint_reaction(system_, held_, number, {}).force,
                     along = direction_value(*system_.joints[number].slides, held_.q);
  const Vec3<double> line = unit(along);
  return norm(force - dot(force, line) * line);
}

}  // namespace lithe
