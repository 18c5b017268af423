#include "lithe/system/markers.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/quadrature.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

constexpr double aligned = 1e-12;  // sine of an angle that is none

Mat3<double> from_columns(const Vec3<double>& x, const Vec3<double>& y, const Vec3<double>& z) {
  Mat3<double> m;
  for (int i = 0; i < 3; ++i) {
    m[i][0] = x[i];
    m[i][1] = y[i];
    m[i][2] = z[i];
  }
  return m;
}

// r_x, r_y, r_z at a material point: derivatives along the element's reference lengths.
std::array<Form, 3> gradient_forms(const BodyInfo& body, const MaterialPoint& point, int directions) {
  const ElementInfo& element = element_info(body.kind);
  const Vec3<double> half = is_flexible(body.kind) ? body.half_size(point.element) : Vec3<double>{{1, 1, 1}};
  double dS[3 * most_vectors];
  shape_derivatives(body.kind, point.xi.data(), dS);
  std::array<Form, 3> result;
  for (int i = 0; i < vector_count(body.kind); ++i) {
    for (int a = 0; a < directions; ++a) {
      const double weight = vector_scale(body.kind, half.a, i) * dS[3 * i + a] / half[a];
      if (std::abs(weight) * (i % element.node_vectors == 0 ? half[a] : 1) < 1e-13) continue;
      result[a].vectors.push_back(body.element_vector(point.element, i));
      result[a].weights.push_back(weight);
    }
  }
  return result;
}

Marker ground_at(const Vec3<double>& x) {
  Marker m;
  m.position = Form::fixed(x);
  m.start = x;
  m.frame = from_columns({{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}});
  for (int k = 0; k < 3; ++k) m.gradient[k] = Form::fixed(column(m.frame, k));
  m.text = "ground";
  return m;
}

// Which gradients carry the rotation at a material point (docs/theory/constraints.md).
void choose_rule(const System& system, const BodyInfo& body, const MaterialPoint& point, Marker& m) {
  const int dimension = element_info(body.kind).dimension;
  if (body.kind->cell == Cell::tetrahedron) {  // its strain at the point
    m.rule = FrameRule::polar;
    m.first = 0;
    return;
  }
  bool outer[3] = {};
  for (int a = 0; dimension > 1 && a < dimension; ++a)
    outer[a] = std::abs(point.xi[a]) == 1 && is_boundary(system, m.body, point.element, a, point.xi[a]);
  const int sides = outer[0] + outer[1] + outer[2];
  const auto normal = static_cast<int>(std::find(outer, outer + 3, true) - outer);
  if (dimension == 1) {
    m.rule = FrameRule::section;
    m.first = 0;
  } else if (sides == 1) {
    m.rule = FrameRule::section;
    m.first = normal;
  } else if (dimension == 2 || sides == 2) {
    const auto director = dimension == 2 ? 2 : static_cast<int>(std::find(outer, outer + 3, false) - outer);
    m.rule = FrameRule::director;
    m.first = (director + 1) % 3;
  } else {
    m.rule = FrameRule::polar;
    m.first = 0;
  }
}

// On a side of a shell or hexa with the normal `axis`: its tangents and a shell's director, averaged over the side of
// the element. A tangent is the slope of the plane that fits the side best, int s r / int s^2: a moment on it is a
// linear traction, as in a beam, where one on the tangent of a single point would warp the side. With as many points as
// the element has along the side, so that its own stresses balance it.
std::array<Form, 3> side_forms(const BodyInfo& body, const MaterialPoint& point, int axis, Formulation formulation) {
  const ElementInfo& info = element_info(body.kind);
  const int N = vector_count(body.kind), dimension = info.dimension;
  const Vec3<double> half = body.half_size(point.element);
  const GaussRule rule = gauss_rule(formulation == Formulation::section ? 2 : 4);
  std::array<Form, 3> result = gradient_forms(body, point, 3);
  double S[most_vectors], dS[3 * most_vectors], sum[3][most_vectors] = {};
  const int first = (axis + 1) % 3, second = (axis + 2) % 3, count = static_cast<int>(rule.x.size());
  for (int p = 0; p < count; ++p)
    for (int q = 0; q < count; ++q) {
      double xi[3];
      xi[axis] = point.xi[axis];
      xi[first] = first < dimension ? rule.x[p] : 0;
      xi[second] = second < dimension ? rule.x[q] : 0;
      shape_functions(body.kind, xi, S);
      shape_derivatives(body.kind, xi, dS);
      const double weight = rule.w[p] * rule.w[q] / 4;
      for (int i = 0; i < N; ++i)
        for (int k : {first, second})
          sum[k][i] += weight * vector_scale(body.kind, half.a, i) / half[k] *
                       (k < dimension ? 3 * xi[k] * S[i] : dS[3 * i + k]);
    }
  for (int k : {first, second}) {
    result[k] = {};
    for (int i = 0; i < N; ++i) {
      const bool is_position = i % info.node_vectors == 0;
      if (std::abs(sum[k][i]) * (is_position ? half[k] : 1) < 1e-13) continue;
      result[k].vectors.push_back(body.element_vector(point.element, i));
      result[k].weights.push_back(sum[k][i]);
    }
  }
  return result;
}

// Orthonormal axes in the reference configuration that need no gradient but those of the rule, and their images
// x_k = F e_k = sum_j (G0^-1 E)_jk r_j, E = (e_1, e_2, e_3), G0 = (r_x, r_y, r_z) there.
void attach_gradients(const System& system, const BodyInfo& body, const MaterialPoint& point, Marker& m) {
  choose_rule(system, body, point, m);
  const bool of_side = m.rule == FrameRule::section && element_info(body.kind).dimension > 1;
  const Body& of = std::get<Body>(system.model.bodies.items[static_cast<std::size_t>(m.body)].second);
  const std::array<Form, 3> r =
      of_side ? side_forms(body, point, m.first, formulation_of(system.model, of)) : gradient_forms(body, point, 3);
  Vec3<double> g[3], e[3];
  for (int k = 0; k < 3; ++k) g[k] = r[k].value(system.q0);
  const int i = m.axis(0), j = m.axis(1), k = m.axis(2);
  if (m.rule == FrameRule::section) {
    e[i] = unit(cross(g[j], g[k]));
    e[j] = unit(g[j]);
    e[k] = cross(e[i], e[j]);
  } else {
    const int held = m.rule == FrameRule::director ? k : i, next = (held + 1) % 3;
    e[held] = unit(g[held]);
    e[next] = unit(g[next] - dot(g[next], e[held]) * e[held]);
    e[(held + 2) % 3] = cross(e[held], e[next]);
  }
  m.frame = from_columns(e[0], e[1], e[2]);
  const Mat3<double> share = inverse(from_columns(g[0], g[1], g[2])) * m.frame;
  for (int a = 0; a < 3; ++a) {
    m.gradient[a] = {};
    for (int b = 0; b < 3; ++b)
      if (std::abs(share[b][a]) * norm(g[b]) > aligned) m.gradient[a] = combine(1, m.gradient[a], share[b][a], r[b]);
  }
}

// Does a mesh of nodes with positions alone move as one rigid body? Then it has directions all the same.
bool is_rigid_mesh(const System& system, const BodyInfo& body) {
  if (body.kind->gradients() != 0 || !is_flexible(body.kind)) return false;
  const auto* of = std::get_if<Body>(system.model.bodies.find(body.name));
  return of && of->kinematics == Kinematics::rigid;
}

// The global axes as they turn with the body: sums of the distances between four of its nodes that lie well apart.
std::array<Form, 3> axes_of_nodes(const System& system, const BodyInfo& body) {
  const auto at = [&](int node) {
    const std::size_t v = 3ul * body.vector(node, 0);
    return Vec3<double>{{system.q0[v], system.q0[v + 1], system.q0[v + 2]}};
  };
  const int nodes = body.mesh.node_count();
  int chosen[4] = {};
  const Vec3<double> origin = at(0);
  Vec3<double> along{}, normal{};
  for (int step = 1; step < 4; ++step) {  // farthest from the point, from the line, from the plane of those before
    double most = -1;
    for (int node = 0; node < nodes; ++node) {
      const Vec3<double> d = at(node) - origin;
      const double apart = step == 1 ? norm(d) : step == 2 ? norm(cross(along, d)) : std::abs(dot(normal, d));
      if (!(apart > most)) continue;
      most = apart;
      chosen[step] = node;
    }
    if (step == 1) along = unit(at(chosen[1]) - origin);
    if (step == 2) normal = unit(cross(along, at(chosen[2]) - origin));
  }
  const Mat3<double> share =
      inverse(from_columns(at(chosen[1]) - origin, at(chosen[2]) - origin, at(chosen[3]) - origin));
  std::array<Form, 3> axes;
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
      axes[k].vectors.push_back(body.vector(chosen[j + 1], 0));
      axes[k].weights.push_back(share[j][k]);
      sum += share[j][k];
    }
    axes[k].vectors.push_back(body.vector(chosen[0], 0));
    axes[k].weights.push_back(-sum);
  }
  return axes;
}

// A point mass is its own place.
bool has_place(const System& system, const At& at) {
  if (at.is_ground()) return at.point.has_value();
  const AnyBody* body = system.model.bodies.find(at.body);
  return at.has_place() || (body && std::holds_alternative<PointMass>(*body));
}

Marker at_point(const System& system, const At& at, const Vec3<double>& x) {
  if (at.is_ground()) return ground_at(x);
  At there = at;
  there.point = Triple{x[0], x[1], x[2]};
  Marker m = make_marker(system, there);
  m.text = at.text();
  return m;
}

}  // namespace

Marker make_marker(const System& system, const At& at) {
  if (at.is_ground()) return ground_at(vec(at.point.value()));
  const PointWeights point = system.resolve_point(at);
  const BodyInfo& body = system.bodies[point.body];
  Marker m;
  m.body = point.body;
  m.text = at.text();
  for (std::size_t k = 0; k < point.vectors.size(); ++k)
    if (std::abs(point.weights[k]) > 1e-14 * system.length_scale) {
      m.position.vectors.push_back(point.vectors[k]);
      m.position.weights.push_back(point.weights[k]);
    }
  m.start = m.position.value(system.q0);
  const int gradients = body.kind->gradients();
  m.kind = body.kind == ElementKind::rigid ? Marker::Kind::rigid
           : gradients == 3                ? Marker::Kind::gradients
           : gradients == 1                ? Marker::Kind::tangent
                                           : Marker::Kind::point;
  m.frame = from_columns({{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}});
  if (m.kind == Marker::Kind::point) {
    if (!is_rigid_mesh(system, body)) return m;
    m.kind = Marker::Kind::rigid;
    m.gradient = axes_of_nodes(system, body);
    return m;
  }
  if (m.kind == Marker::Kind::gradients) {
    attach_gradients(system, body, point.point, m);
  } else if (m.kind == Marker::Kind::rigid) {
    m.gradient = gradient_forms(body, point.point, 3);
    m.frame =
        from_columns(m.gradient[0].value(system.q0), m.gradient[1].value(system.q0), m.gradient[2].value(system.q0));
  } else {
    m.gradient = gradient_forms(body, point.point, 1);
    const Vec3<double> e1 = unit(m.gradient[0].value(system.q0));
    const auto [n1, n2] = normals(e1, m.frame);
    m.frame = from_columns(e1, n1, n2);
  }
  return m;
}

std::vector<Form> rope_parts(const System& system, const std::vector<At>& points) {
  std::vector<Form> between;
  for (std::size_t k = 1; k < points.size(); ++k)
    between.push_back(make_marker(system, points[k]).position - make_marker(system, points[k - 1]).position);
  return between;
}

std::vector<Form> Marker::frame_arguments() const {
  std::vector<Form> list;
  for (int k = 3 - frame_argument_count(rule); k < 3; ++k) list.push_back(gradient[axis(k)]);
  return list;
}

std::pair<Marker, Marker> make_markers(const System& system, const At& a, const At& b,
                                       const std::optional<Triple>& point, const Where& where,
                                       const std::string& user) {
  const bool placed_a = has_place(system, a), placed_b = has_place(system, b);
  if (point) {
    const Vec3<double> x = vec(*point);
    std::pair<Marker, Marker> both{placed_a ? make_marker(system, a) : at_point(system, a, x),
                                   placed_b ? make_marker(system, b) : at_point(system, b, x)};
    if (placed_a && placed_b)
      for (const Marker* m : {&both.first, &both.second})
        if (norm(m->start - x) > 1e-6 * system.length_scale)
          throw InputError(where, user + ": 'point' is " + point_text(x) + ", but " + m->text + " is at " +
                                      point_text(m->start) +
                                      "; 'point' is for a body given without a place, so remove it");
    return both;
  }
  if (placed_a && placed_b) return {make_marker(system, a), make_marker(system, b)};
  if (placed_a) {
    Marker m = make_marker(system, a);
    return {m, at_point(system, b, m.start)};
  }
  if (placed_b) {
    Marker m = make_marker(system, b);
    return {at_point(system, a, m.start), m};
  }
  // Neither says where: the centre of a rigid body will do.
  const AnyBody* body = system.model.bodies.find(b.body);
  const bool of_b = body && std::holds_alternative<RigidBody>(*body);
  Marker m = make_marker(system, of_b ? b : a);
  return of_b ? std::pair{at_point(system, a, m.start), m} : std::pair{m, at_point(system, b, m.start)};
}

std::optional<Direction> attached(const Marker& marker, const Vec3<double>& d) {
  const Vec3<double> share = transpose(marker.frame) * d;
  switch (marker.kind) {
    case Marker::Kind::ground:
      return Direction{Direction::Kind::plain, {Form::fixed(d)}, {}};
    case Marker::Kind::rigid: {
      Form x;
      for (int k = 0; k < 3; ++k)
        if (std::abs(share[k]) > aligned * norm(d)) x = combine(1, x, share[k], marker.gradient[k]);
      return Direction{Direction::Kind::plain, {x}, {}};
    }
    case Marker::Kind::gradients:
      return Direction{Direction::Kind::frame, marker.frame_arguments(), marker.to_rule(share), marker.rule};
    case Marker::Kind::tangent:
      if (share[0] > 0 && norm(d - share[0] * column(marker.frame, 0)) < 1e-9 * norm(d))
        return Direction{Direction::Kind::tangent, {marker.gradient[0]}, {}};
      return {};
    case Marker::Kind::point:
      break;
  }
  return {};
}

std::array<Vec3<double>, 3> marker_axes(const Marker& marker, const std::vector<double>& q) {
  std::array<Vec3<double>, 3> axes;
  if (marker.kind != Marker::Kind::gradients) {
    for (int k = 0; k < 3; ++k) axes[k] = marker.gradient[k].value(q);
    return axes;
  }
  const std::vector<Form> arguments = marker.frame_arguments();
  Vec3<double> x[most_frame_arguments], e[3];
  for (std::size_t i = 0; i < arguments.size(); ++i) x[i] = arguments[i].value(q);
  frame_axes(marker.rule, x, e);
  for (int k = 0; k < 3; ++k) axes[marker.axis(k)] = e[k];
  return axes;
}

std::string point_text(const Vec3<double>& x) {
  std::string text = "(";
  for (int m = 0; m < 3; ++m) text += (m > 0 ? ", " : "") + number_text(x[m]);
  return text + ")";
}

std::pair<Vec3<double>, Vec3<double>> normals(const Vec3<double>& axis, const Mat3<double>& frame) {
  int best = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(dot(column(frame, k), axis)) < std::abs(dot(column(frame, best), axis)) - 1e-9) best = k;
  const Vec3<double> e = column(frame, best);
  const Vec3<double> n1 = unit(e - dot(e, axis) * axis);
  return {n1, cross(axis, n1)};
}

}  // namespace lithe
