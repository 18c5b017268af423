#include "lithe/system/outputs.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/base/hyper_dual.h"
#include "lithe/base/interrupt.h"
#include "lithe/model/spot.h"
#include "lithe/system/contact_surfaces.h"
#include "lithe/system/joints.h"
#include "lithe/system/loads.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/nodal_stress.h"
#include "lithe/system/reactions.h"
#include "lithe/system/section_forces.h"
#include "lithe/system/springs.h"

namespace lithe {

void gather_element(const std::vector<double>& q, const BodyInfo& body, int element, double* e) {
  for (int i = 0; i < vector_count(body.kind); ++i)
    std::copy_n(&q[3ul * body.element_vector(element, i)], 3, e + 3 * i);
}

namespace {

Vec3<double> position(const PointWeights& point, const std::vector<double>& q) {
  Vec3<double> r{};
  for (std::size_t k = 0; k < point.vectors.size(); ++k)
    for (int m = 0; m < 3; ++m) r[m] += point.weights[k] * q[3ul * point.vectors[k] + m];
  return r;
}

// r_x, r_y, r_z at a material point: derivatives along the element's reference lengths.
Mat3<double> gradients(const System& system, const std::vector<double>& q, const PointWeights& point) {
  const BodyInfo& body = system.bodies[point.body];
  const int N = vector_count(body.kind);
  const Vec3<double> half_size = body.half_size(point.point.element);
  const double* half = half_size.a;
  double e[3 * most_vectors], dS[3 * most_vectors];
  gather_element(q, body, point.point.element, e);
  shape_derivatives(body.kind, point.point.xi.data(), dS);
  Mat3<double> G{};
  for (int i = 0; i < N; ++i)
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a)
        if (half[a] > 0) G[m][a] += vector_scale(body.kind, half, i) * dS[3 * i + a] * e[3 * i + m] / half[a];
  return G;
}

Vec3<double> vector_of(const std::vector<double>& x, int vector) {
  return {{x[3ul * vector], x[3ul * vector + 1], x[3ul * vector + 2]}};
}

void push(std::vector<double>& out, const Vec3<double>& x) { out.insert(out.end(), x.a, x.a + 3); }
// Along global axes, or along those of `marker` where a frame was given.
void push(std::vector<double>& out, const Wrench& wrench, const std::optional<At>& frame, const Marker& marker,
          const std::vector<double>& q) {
  if (!frame || frame->is_ground()) {
    push(out, wrench.force);
    push(out, wrench.torque);
    return;
  }
  const auto axes = marker_axes(marker, q);
  for (const Vec3<double>& x : {wrench.force, wrench.torque})
    for (const Vec3<double>& axis : axes) out.push_back(dot(axis, x));
}

const std::vector<std::string> xyz{"x", "y", "z"};

Channel wrench() { return {"", {"fx", "fy", "fz", "tx", "ty", "tz"}, {"N", "N", "N", "N m", "N m", "N m"}}; }

struct Columns {
  const System& system;
  const CompiledOutput& place;
  Channel operator()(const DisplacementOutput&) const { return {"", xyz, {"m", "m", "m"}}; }
  Channel operator()(const PositionOutput&) const { return {"", xyz, {"m", "m", "m"}}; }
  Channel operator()(const GradientOutput&) const {
    Channel c;
    for (const char* g : {"r_x", "r_y", "r_z"})
      for (const auto& m : xyz) {
        c.columns.push_back(std::string(g) + "." + m);
        c.units.push_back("1");
      }
    return c;
  }
  Channel operator()(const StressOutput& o) const {
    static constexpr const char *numbers[] = {"11", "22", "33", "23", "13", "12"},
                                *letters[] = {"xx", "yy", "zz", "yz", "xz", "xy"};
    const auto& material = o.axes == StressAxes::global ? letters : numbers;
    const auto& spatial = o.axes == StressAxes::element ? numbers : letters;
    Channel c;
    const auto add = [&](const std::string& column, const char* unit) {
      c.columns.push_back(column);
      c.units.push_back(unit);
    };
    for (int k = 0; k < 6; ++k) add(std::string(k < 3 ? "E" : "2E") + material[k], "1");
    for (int k = 0; k < 6; ++k) add(std::string("S") + material[k], "Pa");
    for (int k = 0; k < 6; ++k) add(std::string("sigma_") + spatial[k], "Pa");
    add("von_mises", "Pa");
    for (const char* k : {"sigma_1", "sigma_2", "sigma_3"})
      if (o.principal) add(k, "Pa");
    return c;
  }
  Channel operator()(const SectionForcesOutput&) const {
    const SectionForceColumns columns = section_force_columns(system.bodies[place.point.body].kind);
    return {"", columns.names, columns.units};
  }
  Channel operator()(const MaxVonMisesOutput&) const { return {"", {"von_mises"}, {"Pa"}}; }
  Channel operator()(const ReactionOutput&) const { return wrench(); }
  Channel operator()(const EnergyOutput&) const {
    return {"", {"kinetic", "potential", "strain", "springs", "total"}, {"J", "J", "J", "J", "J"}};
  }
  Channel operator()(const VelocityOutput&) const { return {"", xyz, {"m/s", "m/s", "m/s"}}; }
  Channel operator()(const AccelerationOutput&) const { return {"", xyz, {"m/s^2", "m/s^2", "m/s^2"}}; }
  Channel operator()(const RotationOutput&) const {
    Channel c;
    for (const char* axis : {"x_axis", "y_axis", "z_axis", "omega"})
      for (const auto& m : xyz) {
        c.columns.push_back(std::string(axis) + "." + m);
        c.units.push_back(std::string(axis) == "omega" ? "rad/s" : "1");
      }
    return c;
  }
  Channel operator()(const JointOutput&) const {
    const CompiledJoint& joint = system.joints[place.joint];
    Channel c = wrench();
    if (joint.angle >= 0) {
      c.columns.push_back(joint.second_angle >= 0 ? "angle_a" : "angle");
      c.units.push_back("rad");
    }
    if (joint.second_angle >= 0) {
      c.columns.push_back("angle_b");
      c.units.push_back("rad");
    }
    if (joint.slides) {
      c.columns.push_back("travel");
      c.units.push_back("m");
    }
    if (joint.rope) {
      c.columns.push_back("tension");
      c.units.push_back("N");
    }
    return c;
  }
  Channel operator()(const MomentumOutput&) const {
    return {"", {"px", "py", "pz", "lx", "ly", "lz"}, {"N s", "N s", "N s", "N m s", "N m s", "N m s"}};
  }
  Channel operator()(const ConstraintOutput&) const { return {"", {"position", "velocity"}, {"m", "m/s"}}; }
  Channel operator()(const SpringOutput&) const {
    const SpringColumns columns = spring_columns(system, place.spring);
    return {"", columns.names, columns.units};
  }
  Channel operator()(const ContactOutput& o) const {
    Channel c{"", {"points", "normal", "friction"}, {"1", "N", "N"}};
    if (names_one(system.model, *system.model.contacts.find(o.contact)))
      for (const char* component : {"fx", "fy", "fz"}) {
        c.columns.push_back(component);
        c.units.push_back("N");
      }
    c.columns.insert(c.columns.end(), {"gap", "work_normal", "work_friction"});
    c.units.insert(c.units.end(), {"m", "J", "J"});
    return c;
  }
};

// What an output points at.
struct Places {
  const System& system;
  const Where& where;
  CompiledOutput& out;

  void operator()(const DisplacementOutput& o) const { out.point = system.resolve_point(o.at); }
  void operator()(const PositionOutput& o) const { out.point = system.resolve_point(o.at); }
  void operator()(const GradientOutput& o) const { out.point = system.resolve_point(o.at); }
  void operator()(const StressOutput& o) const {
    out.point = system.resolve_point(o.at);
    check_stress(out.point.body);
    check_stress_place(system, out.point.body, out.point.point, where);
  }
  void operator()(const SectionForcesOutput& o) const { out.point = system.resolve_point(o.at); }
  void operator()(const MaxVonMisesOutput& o) const {
    out.body = index(o.body, system.model.bodies);
    check_stress(out.body);
    check_largest_stress(system, out.body, where);
  }
  void operator()(const ReactionOutput& o) const {
    out.constraint = index(o.constraint, system.model.constraints);
    const std::vector<Form> points = std::visit([&](const auto& x) { return held_points(system, x); },
                                                system.model.constraints.items[out.constraint].second);
    for (const Form& point : points)
      for (std::size_t k = 0; k < point.vectors.size(); ++k) {
        out.point.vectors.push_back(point.vectors[k]);
        out.point.weights.push_back(point.weights[k] / static_cast<double>(points.size()));
      }
    find_frame(o.frame);
  }
  void operator()(const VelocityOutput& o) const { out.point = system.resolve_point(o.at); }
  void operator()(const AccelerationOutput& o) const { out.point = system.resolve_point(o.at); }
  void operator()(const RotationOutput& o) const {
    At at;
    if (o.at) at = *o.at;
    else at.body = o.body;
    at.where = where;
    out.marker = make_marker(system, at);
  }
  void operator()(const JointOutput& o) const {
    out.joint = index(o.joint, system.model.joints);
    find_frame(o.frame);
  }
  void operator()(const EnergyOutput&) const {}
  void operator()(const MomentumOutput&) const {}
  void operator()(const ConstraintOutput&) const {}
  void operator()(const SpringOutput& o) const { out.spring = index(o.spring, system.model.springs); }
  void operator()(const ContactOutput& o) const { out.contact = index(o.contact, system.model.contacts); }

  void find_frame(const std::optional<At>& frame) const {
    if (frame && !frame->is_ground()) out.marker = make_marker(system, *frame);
  }
  template <class T>
  static int index(const std::string& name, const Named<T>& things) {
    return static_cast<int>(things.position(name));
  }
  void check_stress(int body) const {
    if (!has_nodal_stress(system.bodies[body].kind))
      throw InputError(where, "body '" + system.bodies[body].name + "' is a " +
                                  element_info(system.bodies[body].kind).name +
                                  ", which has no stress at a point; ask for energy or use beam3243");
  }
};

struct Values {
  const System& system;
  const State& state;
  const Workspace& work;
  const CompiledOutput& place;
  const std::vector<double>& mu;  // multipliers of eliminated equations
  std::vector<double>& out;

  void operator()(const DisplacementOutput&) const {
    push(out, position(place.point, state.q) - position(place.point, system.q0));
  }
  void operator()(const PositionOutput&) const { push(out, position(place.point, state.q)); }
  void operator()(const GradientOutput&) const {
    const Mat3<double> G = gradients(system, state.q, place.point);
    for (int a = 0; a < 3; ++a) push(out, column(G, a));
  }
  void operator()(const StressOutput& o) const {
    PointStress s = stress_at(system, state, place.point.body, place.point.point);
    if (o.axes) turn_stress(system, state, place.point.body, place.point.point, *o.axes, s);
    out.insert(out.end(), s.green_lagrange, s.green_lagrange + 6);
    out.insert(out.end(), s.second_piola, s.second_piola + 6);
    out.insert(out.end(), s.cauchy, s.cauchy + 6);
    out.push_back(s.von_mises);
    if (!o.principal) return;
    const std::array<double, 3> values = principal_values(s.cauchy);
    out.insert(out.end(), values.begin(), values.end());
  }
  void operator()(const SectionForcesOutput&) const {
    const std::vector<double> values = section_forces(system, state, place.point.body, place.point.point);
    out.insert(out.end(), values.begin(), values.end());
  }
  void operator()(const MaxVonMisesOutput& o) const {
    out.push_back(max_von_mises(system, state, place.body, o.samples));
  }
  void operator()(const ReactionOutput& o) const {
    push(out, constraint_reaction(system, state, place.constraint, position(place.point, state.q), mu), o.frame,
         place.marker, state.q);
  }
  void operator()(const EnergyOutput&) const {
    const double kinetic = kinetic_energy(system, state, *work.team), potential = gravity_potential(system, state),
                 strain = strain_energy(system, state), springs = spring_energy(system, state);
    out.insert(out.end(), {kinetic, potential, strain, springs, kinetic + potential + strain + springs});
  }
  void operator()(const VelocityOutput&) const { push(out, position(place.point, state.v)); }
  void operator()(const AccelerationOutput&) const {
    push(out, state.a.empty() ? Vec3<double>{} : position(place.point, state.a));  // statics: none
  }
  void operator()(const RotationOutput&) const {
    // omega x e = de/dt for the three axes: omega = sum e x de/dt / 2.
    const Marker& marker = place.marker;
    Vec3<double> axis[3], rate[3], omega{};
    if (marker.kind == Marker::Kind::rigid) {
      for (int k = 0; k < 3; ++k) {
        axis[k] = marker.gradient[k].value(state.q);
        rate[k] = marker.gradient[k].rate(state.v);
      }
    } else {
      const std::vector<Form> arguments = marker.frame_arguments();
      Vec3<HyperDual> x[most_frame_arguments], e[3];
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Vec3<double> value = arguments[i].value(state.q), along = arguments[i].rate(state.v);
        for (int m = 0; m < 3; ++m) x[i][m] = HyperDual(value[m], along[m]);
      }
      frame_axes(marker.rule, x, e);
      for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m) {
          axis[marker.axis(k)][m] = e[k][m].v;
          rate[marker.axis(k)][m] = e[k][m].a;
        }
    }
    for (int k = 0; k < 3; ++k) {
      push(out, axis[k]);
      omega = omega + 0.5 * cross(axis[k], rate[k]);
    }
    push(out, omega);
  }
  void operator()(const JointOutput& o) const {
    const CompiledJoint& joint = system.joints[place.joint];
    push(out, joint_reaction(system, state, place.joint, mu), o.frame, place.marker, state.q);
    for (const int angle : {joint.angle, joint.second_angle})
      if (angle >= 0) out.push_back(angle_value(system.angles[angle], state.q, state.slots.values[angle]));
    if (joint.slides) out.push_back(joint.travel(state.q));
    if (joint.rope) {
      const std::vector<int>& rows = system.owners[joint.owner].rows;
      out.push_back(rows.empty() ? 0 : state.lambda[rows.front()]);  // empty: redundant, and dropped
    }
  }
  void operator()(const MomentumOutput&) const {
    // A translation moves positions alone, a rotation turns every vector.
    std::vector<double> p(state.v.size(), 0.0);
    add_inertia(system, state.v, p);
    Vec3<double> linear{}, angular{};
    for (const BodyInfo& body : system.bodies)
      for (int n = 0; n < body.mesh.node_count(); ++n)
        for (int k = 0; k < body.node_vectors; ++k) {
          const Vec3<double> of_vector = vector_of(p, body.vector(n, k));
          if (k == 0) linear = linear + of_vector;
          angular = angular + cross(vector_of(state.q, body.vector(n, k)), of_vector);
        }
    push(out, linear);
    push(out, angular);
  }
  void operator()(const ConstraintOutput&) const {
    std::vector<double> rates;
    constraint_rates(system, state, rates);
    double position = 0, velocity = 0;
    Vec3<double> x[largest_argument_count];
    const ConstraintRows& rows = system.rows;
    for (int r = 0; r < system.row_count(); ++r) {
      rows.parts.values(r, state.q, x);
      const double c =
          part_value(rows.parts[r], x, state.slots.values.data()) - rows.constant[r] - rows.target[r](state.t);
      position = std::max(position, std::abs(c));
      velocity = std::max(velocity, std::abs(rates[r]));
    }
    out.insert(out.end(), {position, velocity});
  }
  void operator()(const SpringOutput&) const {
    const std::vector<double> values = spring_values(system, state, place.spring);
    out.insert(out.end(), values.begin(), values.end());
  }
  void operator()(const ContactOutput&) const {
    const double* sums = state.slots[contact_slot(system, state.slots, place.contact)];
    const bool one = names_one(system.model, system.model.contacts.items[place.contact].second);
    for (int k = 0; k < ContactSums::count; ++k)
      if (one || k < ContactSums::force || k >= ContactSums::gap) out.push_back(sums[k]);
  }
};

}  // namespace

bool has_nodal_stress(ElementKind kind) { return kind->flexible && kind->volume; }

void compile_outputs(System& system) {
  const auto& outputs = system.model.outputs;
  system.outputs.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    std::visit(Places{system, outputs.where[i], system.outputs[i]}, outputs.items[i].second);
  std::vector<int> owners;
  for (const CompiledOutput& output : system.outputs) {
    if (output.joint >= 0) owners.push_back(system.joints[output.joint].owner);
    for (std::size_t o = 0; output.constraint >= 0 && o < system.owners.size(); ++o)
      if (system.owners[o].kind == ConstraintOwner::Kind::constraint && system.owners[o].index == output.constraint)
        owners.push_back(static_cast<int>(o));
  }
  if (!owners.empty()) system.multipliers = std::make_shared<EliminatedMultipliers>(system, owners);
}

std::vector<Channel> channels(const System& system) {
  std::vector<Channel> list;
  for (std::size_t i = 0; i < system.outputs.size(); ++i) {
    const auto& [name, output] = system.model.outputs.items[i];
    list.push_back(std::visit(Columns{system, system.outputs[i]}, output));
    list.back().name = name;
  }
  return list;
}

std::vector<double> channel_values(const System& system, const State& state, const Workspace& work) {
  std::vector<double> values;
  std::vector<double> left_over, mu;
  if (system.multipliers) {
    forces_left_over(system, state, work, left_over);
    system.multipliers->solve(system, left_over, mu);
  }
  for (std::size_t i = 0; i < system.outputs.size(); ++i)
    std::visit(Values{system, state, work, system.outputs[i], mu, values}, system.model.outputs.items[i].second);
  return values;
}

std::vector<double> nodal_von_mises(const System& system, const State& state, int body) {
  Team alone(1);
  return NodalStress(system).von_mises(body, state, alone);
}

}  // namespace lithe
