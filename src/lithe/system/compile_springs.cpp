// From what the user said of springs to CompiledSpring: places as forms, axes, rest lengths.
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/spring_strains.h"
#include "lithe/system/springs.h"

namespace lithe {

namespace {

using Kind = CompiledSpring::Kind;

// A place as forms: its position and, where it has them, the gradients r_x, r_y, r_z (a rigid body's axes).
struct Anchor {
  Form position;
  std::vector<Form> gradients;
  std::string text;
};

Form point_form(const PointWeights& point) { return {point.vectors, point.weights, {}}; }
Vec3<double> vec(const Triple& t) { return {{t[0], t[1], t[2]}}; }

Anchor ground_anchor(const Triple& at) {
  return {Form::fixed(vec(at)),
          {Form::fixed({{1, 0, 0}}), Form::fixed({{0, 1, 0}}), Form::fixed({{0, 0, 1}})},
          "the ground"};
}

Anchor body_anchor(const System& system, const At& at) {
  const PointWeights point = system.resolve_point(at);
  Anchor anchor{point_form(point), {}, "'" + at.text() + "'"};
  const BodyInfo& body = system.bodies[point.body];
  const ElementInfo& info = element_info(body.kind);
  if (info.node_vectors == 1) return anchor;
  const int N = vector_count(body.kind), element = point.point.element;
  const double* half = &system.batches[body.batch].continuum.half_size[3ul * element];
  double dS[96];
  shape_derivatives(body.kind, point.point.xi.data(), dS);
  for (int a = 0; a < info.node_vectors - 1; ++a) {
    Form& gradient = anchor.gradients.emplace_back();
    for (int i = 0; i < N; ++i) {
      const double weight = vector_scale(body.kind, half, i) * dS[3 * i + a] / half[a];
      if (weight == 0) continue;
      const int node = body.mesh.elements[static_cast<std::size_t>(element) * info.nodes + i / info.node_vectors];
      gradient.vectors.push_back(body.vector(node, i % info.node_vectors));
      gradient.weights.push_back(weight);
    }
  }
  return anchor;
}

int joint_number(const System& system, const std::string& name, const Where& where, const std::string& user) {
  const std::vector<std::string> names = system.model.joints.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(where, user + "joint '" + name + "' is not known" + suggestion(name, names));
  return static_cast<int>(found - names.begin());
}

void fill(CompiledSpring& out, const System& system, const Spring& spring, const Where& where,
          const std::string& user) {
  const auto anchor = [&](const At& at) {
    if (!at.is_ground()) return body_anchor(system, at).position;
    if (!at.point) throw InputError(where, user + "the ground needs a point: {body: ground, point: [x, y, z]}");
    return Form::fixed(vec(*at.point));
  };
  out.kind = Kind::length;
  out.strains = 1;
  out.arguments = {anchor(spring.b) - anchor(spring.a)};
  out.smallest_length = 1e-12 * system.length_scale;
  const Vec3<double> x = out.arguments[0].value(system.q0);
  const double length = std::sqrt(dot(x, x));
  out.rest[0] = spring.free_length.value_or(length);
  if (length < 1e-9 * system.length_scale && !(spring.free_length && *spring.free_length == 0))
    throw InputError(where, user +
                                "its points coincide in the reference configuration, so it has no direction; move one "
                                "of them, or give 'free_length: 0'");
  out.stiffness[0] = spring.stiffness;
  out.damping[0] = spring.damping;
  out.actuator = spring.force;
}

void fill(CompiledSpring& out, const System& system, const TorsionSpring& spring, const Where& where,
          const std::string& user) {
  const int joint = joint_number(system, spring.joint, where, user);
  const int angle = system.joint_angle[joint];
  if (angle < 0)
    throw InputError(where, user + "joint '" + spring.joint +
                                "' has no angle; a torsion spring needs a revolute or cylindrical joint");
  out.kind = Kind::angle;
  out.strains = 1;
  out.part = Part::angle({system.angles[angle]}, {1.0}, {angle});
  out.arguments = out.part.arguments;
  out.rest[0] = angle_value(system.angles[angle], system.q0, 0) + spring.free_angle;
  out.stiffness[0] = spring.stiffness;
  out.damping[0] = spring.damping;
  out.actuator = spring.moment;
  out.actuator_sign = -1;  // it drives b, a spring holds it back
}

// The place of one side of a bushing: as given, else at the bushing's point, else where the other side is.
Anchor side_anchor(const System& system, const Bushing& bushing, const At& at, const At& other, const Where& where,
                   const std::string& user) {
  const auto has_place = [&](const At& side) {  // a point mass is its own place
    const AnyBody* body = system.model.bodies.find(side.body);
    return side.has_place() || (body && std::holds_alternative<PointMass>(*body));
  };
  if (!at.is_ground() && has_place(at)) return body_anchor(system, at);
  Triple point;
  if (at.is_ground() && at.point) point = *at.point;
  else if (bushing.point) point = *bushing.point;
  else if (other.is_ground() && other.point) point = *other.point;
  else if (!other.is_ground() && has_place(other)) {
    const Vec3<double> x = body_anchor(system, other).position.value(system.q0);
    point = {x[0], x[1], x[2]};
  } else {
    throw InputError(where, user + "neither side says where it is; give 'point', or a place such as " +
                                (at.is_ground() ? other.body : at.body) + ".name");
  }
  if (at.is_ground()) return ground_anchor(point);
  At there = at;
  there.point = point;
  return body_anchor(system, there);
}

// Constant rotation between the Gram-Schmidt axes of an anchor and the axes X of the bushing.
Mat3<double> turn_between(const System& system, const Anchor& anchor, const Mat3<double>& X) {
  const Mat3<double> none{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Axes<double> e(anchor.gradients[0].value(system.q0), anchor.gradients[1].value(system.q0), none);
  Mat3<double> turn;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) turn[i][k] = dot(e.axis[i], column(X, k));
  return turn;
}

void fill(CompiledSpring& out, const System& system, const Bushing& bushing, const Where& where,
          const std::string& user) {
  const Anchor a = side_anchor(system, bushing, bushing.a, bushing.b, where, user);
  const Anchor b = side_anchor(system, bushing, bushing.b, bushing.a, where, user);
  bool torsion = false;
  for (int k = 0; k < 3; ++k) torsion = torsion || bushing.torsion_stiffness[k] > 0 || bushing.torsion_damping[k] > 0;
  const auto need_frame = [&](const Anchor& anchor, const char* why) {
    if (anchor.gradients.size() >= 2) return;
    throw InputError(where, user + anchor.text + " has no axes of its own, but " + why);
  };
  need_frame(a, "those of a carry the bushing; swap a and b, or use a rigid body or a body with r_x, r_y, r_z");
  if (torsion)
    need_frame(b,
               "torsion_stiffness and torsion_damping turn it; leave them out, or use a rigid body or a body with "
               "r_x, r_y, r_z");
  Vec3<double> x = vec(bushing.x_axis.value_or(Triple{1, 0, 0}));
  Vec3<double> y =
      vec(bushing.y_axis.value_or(std::abs(x[1]) < 0.9 * std::sqrt(dot(x, x)) ? Triple{0, 1, 0} : Triple{0, 0, 1}));
  const Vec3<double> z = cross(x, y);
  if (!(dot(z, z) > 1e-18 * dot(x, x) * dot(y, y)))
    throw InputError(where, user + "x_axis and y_axis must be independent vectors of nonzero length");
  const Mat3<double> none{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const Axes<double> axes(x, y, none);
  Mat3<double> X;
  for (int m = 0; m < 3; ++m)
    for (int k = 0; k < 3; ++k) X[m][k] = axes.axis[k][m];
  out.kind = Kind::frames;
  out.strains = torsion ? 6 : 3;
  out.arguments = {b.position - a.position, a.gradients[0], a.gradients[1]};
  out.turn_a = turn_between(system, a, X);
  if (torsion) {
    out.arguments.push_back(b.gradients[0]);
    out.arguments.push_back(b.gradients[1]);
    out.turn_b = turn_between(system, b, X);
  }
  const Vec3<double> gap = out.arguments[0].value(system.q0);
  for (int k = 0; k < 3; ++k) {
    out.stiffness[k] = bushing.stiffness[k];
    out.damping[k] = bushing.damping[k];
    out.rest[k] = dot(column(X, k), gap);
    out.stiffness[3 + k] = bushing.torsion_stiffness[k];
    out.damping[3 + k] = bushing.torsion_damping[k];
  }
}

// All vectors once, with their weights in every argument.
void gather_vectors(CompiledSpring& spring) {
  const std::size_t n = spring.arguments.size();
  LITHE_INVARIANT(n <= most_spring_arguments);
  for (const Form& x : spring.arguments)
    spring.vectors.insert(spring.vectors.end(), x.vectors.begin(), x.vectors.end());
  std::sort(spring.vectors.begin(), spring.vectors.end());
  spring.vectors.erase(std::unique(spring.vectors.begin(), spring.vectors.end()), spring.vectors.end());
  spring.weights.assign(spring.vectors.size() * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < spring.arguments[i].vectors.size(); ++k) {
      const auto at = std::lower_bound(spring.vectors.begin(), spring.vectors.end(), spring.arguments[i].vectors[k]);
      spring.weights[static_cast<std::size_t>(at - spring.vectors.begin()) * n + i] += spring.arguments[i].weights[k];
    }
}

}  // namespace

void compile_springs(System& system) {
  system.springs.clear();
  const auto& springs = system.model.springs;
  for (std::size_t i = 0; i < springs.size(); ++i) {
    const auto& [name, element] = springs.items[i];
    CompiledSpring& out = system.springs.emplace_back();
    std::visit([&, &n = name](const auto& s) { fill(out, system, s, springs.where[i], "spring '" + n + "': "); },
               element);
    gather_vectors(out);
    if (out.vectors.empty())
      throw InputError(springs.where[i], "spring '" + name + "': both ends are on the ground; one must be on a body");
  }
}

}  // namespace lithe
