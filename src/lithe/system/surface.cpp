#include "lithe/system/surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "lithe/elements/sides.h"
#include "lithe/model/mesh_sides.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

using std::numbers::pi;

double radius_of(const Model& model, const Body& body) {
  const Section* section = model.sections.find(body.section);
  if (const auto* circle = std::get_if<Circle>(section)) return circle->radius;
  const auto* bar = std::get_if<Bar>(section);
  return bar ? std::sqrt(bar->area / pi) : 0;  // a circle of that area
}

struct ShapeFaces {
  int body;
  std::vector<Face>& faces;

  // What a thin shape leaves without area is no face.
  void add(Face::Form form, int axis, double at, double first, double second) const {
    const bool flat = form == Face::Form::plane || form == Face::Form::cylinder;
    if ((flat && (first == 0 || second == 0)) || (form == Face::Form::disc && second == 0)) return;
    faces.push_back({form, body, 0, axis, at, {first, second}});
  }
  void operator()(const BoxShape& box) const {
    for (int axis = 0; axis < 3; ++axis)
      for (const double sign : {-0.5, 0.5})
        add(Face::Form::plane, axis, sign * box.size[axis], 0.5 * box.size[(axis + 1) % 3],
            0.5 * box.size[(axis + 2) % 3]);
  }
  void operator()(const SphereShape& sphere) const { add(Face::Form::sphere, 0, 0, sphere.radius, 0); }
  void operator()(const CylinderShape& cylinder) const { hollow(0, cylinder.radius, cylinder.length); }
  void operator()(const CapsuleShape& capsule) const {
    add(Face::Form::cylinder, 2, 1, capsule.radius, 0.5 * capsule.length);
    for (const double sign : {-0.5, 0.5}) add(Face::Form::dome, 2, sign * capsule.length, capsule.radius, 0);
  }
  void operator()(const TubeShape& tube) const { hollow(tube.inner_radius, tube.outer_radius, tube.length); }
  // Those are triangles, which contact makes of all shapes (shape_mesh.h).
  void operator()(const MeshShape&) const {}
  void operator()(const CompoundShape&) const {}
  void hollow(double inner, double outer, double length) const {
    add(Face::Form::cylinder, 2, 1, outer, 0.5 * length);
    if (inner > 0) add(Face::Form::cylinder, 2, -1, inner, 0.5 * length);
    for (const double sign : {-0.5, 0.5}) add(Face::Form::disc, 2, sign * length, inner, outer);
  }
};

// Of a side (axis >= 0) or of a line, xi[0] along the first natural coordinate.
void element_weights(const BodyInfo& body, const Face& face, const std::array<double, 2>& xi, FaceWeights& out) {
  const bool side = face.form == Face::Form::side;
  SidePoint at;
  if (side) {
    at = side_point(element_info(body.kind), face.axis, face.at, xi);
  } else {
    at.xi[0] = xi[0];
    at.along[0][0] = 1;
  }
  double S[most_vectors], dS[3 * most_vectors];
  shape_functions(body.kind, at.xi, S);
  shape_derivatives(body.kind, at.xi, dS);
  const Vec3<double> half = body.half_size(face.element);
  out.count = vector_count(body.kind);
  out.sign = face.at < 0 ? -1 : 1;
  for (int i = 0; i < out.count; ++i) {
    const double scale = vector_scale(body.kind, half.a, i);
    out.vectors[i] = body.element_vector(face.element, i);
    out.weights[i] = scale * S[i];
    for (int d = 0; d < 2; ++d)
      out.slopes[d][i] =
          scale * (dS[3 * i] * at.along[d][0] + dS[3 * i + 1] * at.along[d][1] + dS[3 * i + 2] * at.along[d][2]);
  }
}

// Point x of a rigid shape in the body's frame, its derivatives and its normal there.
void shape_weights(const BodyInfo& body, const Face& face, const std::array<double, 2>& xi, FaceWeights& out) {
  Vec3<double> x{}, slope[2]{}, normal{};
  const double sign = face.at < 0 ? -1 : 1;
  if (face.form == Face::Form::plane) {
    const int a = (face.axis + 1) % 3, b = (face.axis + 2) % 3;
    x[face.axis] = face.at;
    x[a] = face.size[0] * xi[0];
    x[b] = face.size[1] * xi[1];
    slope[0][a] = face.size[0];
    slope[1][b] = face.size[1];
    normal[face.axis] = sign;
  } else if (face.form == Face::Form::disc) {
    const double across = 0.5 * (face.size[1] - face.size[0]), radius = face.size[0] + across * (1 + xi[0]);
    const double c = std::cos(pi * xi[1]), s = std::sin(pi * xi[1]);
    x = {{radius * c, radius * s, face.at}};
    slope[0] = {{across * c, across * s, 0}};
    slope[1] = {{-pi * radius * s, pi * radius * c, 0}};
    normal[2] = sign;
  } else if (face.form == Face::Form::cylinder) {
    const double c = std::cos(pi * xi[0]), s = std::sin(pi * xi[0]), radius = face.size[0];
    x = {{radius * c, radius * s, face.size[1] * xi[1]}};
    slope[0] = {{-pi * radius * s, pi * radius * c, 0}};
    slope[1] = {{0, 0, face.size[1]}};
    normal = {{sign * c, sign * s, 0}};
  } else {
    const bool dome = face.form == Face::Form::dome;
    const double per = dome ? 0.25 * sign * pi : 0.5 * pi;  // of the latitude, over xi[1]
    const double around = pi * xi[0], up = dome ? per * (1 + xi[1]) : per * xi[1], radius = face.size[0];
    const double c = std::cos(around), s = std::sin(around), cu = std::cos(up), su = std::sin(up);
    normal = {{cu * c, cu * s, su}};
    x = radius * normal;
    x[2] += face.at;
    slope[0] = (pi * radius) * Vec3<double>{{-cu * s, cu * c, 0}};
    slope[1] = (per * radius) * Vec3<double>{{-su * c, -su * s, cu}};
  }
  out.count = 4;
  out.sign = sign;
  out.own_normal = true;
  out.normal = normal;
  for (int i = 0; i < 4; ++i) {
    out.vectors[i] = body.vector(0, i);
    out.weights[i] = i == 0 ? 1.0 : x[i - 1];
    for (int d = 0; d < 2; ++d) out.slopes[d][i] = i == 0 ? 0.0 : slope[d][i - 1];
  }
}

}  // namespace

Surface make_surface(const System& system) {
  Surface surface;
  surface.first.push_back(0);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const BodyInfo& body = system.bodies[b];
    const AnyBody& said = system.model.bodies.items[b].second;
    const int number = static_cast<int>(b);
    if (const auto* rigid = std::get_if<RigidBody>(&said)) {
      if (rigid->shape) std::visit(ShapeFaces{number, surface.faces}, *rigid->shape);
    } else if (body.kind->flexible && body.kind->volume) {
      for (const Side& side : boundary_sides(body.mesh, element_info(body.kind)))
        surface.faces.push_back(face_of(number, side));
    } else if (const auto* flexible = std::get_if<Body>(&said)) {
      const double radius = radius_of(system.model, *flexible);
      for (int e = 0; e < body.elements(); ++e)
        surface.faces.push_back({Face::Form::line, number, e, 0, 0, {radius, 0}});
    }
    surface.first.push_back(static_cast<int>(surface.faces.size()));
  }
  return surface;
}

bool is_boundary(const System& system, int body, int element, int axis, double at) {
  const std::span<const Face> faces = system.surface.of(body);
  const auto key = std::tuple(element, axis, at);
  const auto found = std::lower_bound(faces.begin(), faces.end(), key, [](const Face& face, const auto& wanted) {
    return std::tuple(face.element, face.axis, face.at) < wanted;
  });
  return found != faces.end() && std::tuple(found->element, found->axis, found->at) == key;
}

Face face_of(int body, const Side& side) { return {Face::Form::side, body, side.element, side.axis, side.at, {}}; }

FaceWeights face_weights(const System& system, const Face& face, const std::array<double, 2>& xi) {
  FaceWeights out;
  const BodyInfo& body = system.bodies[face.body];
  const bool of_element = face.form == Face::Form::side || face.form == Face::Form::line;
  (of_element ? element_weights : shape_weights)(body, face, xi, out);
  return out;
}

SurfacePoint surface_point(const System& system, const Face& face, const std::array<double, 2>& xi,
                           const std::vector<double>& q) {
  const FaceWeights on = face_weights(system, face, xi);
  SurfacePoint point;
  point.count = on.count;
  for (int i = 0; i < on.count; ++i) {
    const double* x = &q[3ul * on.vectors[i]];
    point.vectors[i] = on.vectors[i];
    point.weights[i] = on.weights[i];
    for (int m = 0; m < 3; ++m) {
      point.position[m] += on.weights[i] * x[m];
      for (int d = 0; d < 2; ++d) point.slope[d][m] += on.slopes[d][i] * x[m];
      if (on.own_normal && i > 0) point.normal[m] += on.normal[i - 1] * x[m];
    }
  }
  if (face.form == Face::Form::line) {
    point.radius = face.size[0];
    return point;
  }
  if (!on.own_normal) point.normal = on.sign * cross(point.slope[0], point.slope[1]);
  point.normal = (1 / std::sqrt(dot(point.normal, point.normal))) * point.normal;
  return point;
}

}  // namespace lithe
