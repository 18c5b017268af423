// From what the user points at (At) to nodes and material points.
#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/elements/continuum.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

void check_node(const BodyInfo& body, const At& at) {
  if (*at.node < 0 || *at.node >= body.mesh.node_count())
    throw InputError(at.where, "body '" + at.body + "' has no node " + std::to_string(*at.node) +
                                   "; its nodes are 0 to " + std::to_string(body.mesh.node_count() - 1));
}

// Elements in which a place may be sought; points without bars are in none.
int element_count(const System& system, int b) {
  if (const auto* linkage = std::get_if<Linkage>(&system.model.bodies.items[b].second))
    return static_cast<int>(linkage->bars.size());
  return system.bodies[b].elements();
}

// Reference position and its derivatives at a material point.
void reference_point(const BodyInfo& body, const MaterialPoint& p, Vec3<double>& r, Mat3<double>& J) {
  const int N = vector_count(body.kind);
  const Vec3<double> half = body.half_size(p.element);
  double S[most_vectors], dS[3 * most_vectors];
  shape_functions(body.kind, p.xi.data(), S);
  shape_derivatives(body.kind, p.xi.data(), dS);
  r = {};
  J = {};
  for (int i = 0; i < N; ++i) {
    const double scale = vector_scale(body.kind, half.a, i);
    const double* e = &body.mesh.nodes[3ul * (body.element_vector(p.element, i) - body.first_vector)];
    for (int m = 0; m < 3; ++m) {
      r[m] += scale * S[i] * e[m];
      for (int a = 0; a < 3; ++a) J[m][a] += scale * dS[3 * i + a] * e[m];
    }
  }
}

// The material point whose reference position is x: Newton in each element, nearest centres first would be faster, but
// this runs once per named point.
bool locate(const BodyInfo& body, int elements, const Triple& x, double tolerance, MaterialPoint& found) {
  for (int e = 0; e < elements; ++e) {
    MaterialPoint p{e, {0, 0, 0}};
    Vec3<double> r;
    Mat3<double> J;
    for (int iteration = 0; iteration < 20; ++iteration) {
      reference_point(body, p, r, J);
      const Vec3<double> d{{x[0] - r[0], x[1] - r[1], x[2] - r[2]}};
      if (body.kind->coordinates == 0) break;
      if (body.kind->coordinates == 1) {
        const Vec3<double> t = column(J, 0);
        p.xi[0] += dot(t, d) / dot(t, t);
      } else {
        const Vec3<double> step = inverse(J) * d;
        for (int a = 0; a < 3; ++a) p.xi[a] += step[a];
      }
      if (is_flexible(body.kind))
        for (double& a : p.xi) a = std::clamp(a, -3.0, 3.0);
    }
    reference_point(body, p, r, J);
    const Vec3<double> d{{x[0] - r[0], x[1] - r[1], x[2] - r[2]}};
    bool inside = std::sqrt(dot(d, d)) <= tolerance;
    if (body.kind->cell == Cell::tetrahedron) {
      double sum = 0;
      for (double& a : p.xi) {
        inside = inside && a >= -1e-6;
        for (const double corner : {0.0, 0.5, 1.0})
          if (std::abs(a - corner) < 1e-9) a = corner;
        sum += a;
      }
      inside = inside && sum <= 1 + 1e-6;
    } else if (body.kind != ElementKind::rigid)  // any point may be fixed to a rigid body
      for (double& a : p.xi) {
        inside = inside && std::abs(a) <= 1 + 1e-6;
        a = std::clamp(a, -1.0, 1.0);
        for (double corner : {-1.0, 0.0, 1.0})  // a node is meant where one is
          if (std::abs(a - corner) < 1e-9) a = corner;
      }
    if (inside) {
      found = p;
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<int> System::resolve_nodes(const At& at, int& b) const {
  b = body_index(model, at);
  const BodyInfo& body = bodies[b];
  if (at.node) {
    check_node(body, at);
    return {*at.node};
  }
  if (at.element || at.point)
    throw InputError(at.where, "nodes are needed here; give {body: " + at.body + ", node: number} or a named set" +
                                   suggestion("", body.mesh.sets.names()));
  const std::string wanted = at.name.empty() ? "all" : at.name;
  const std::vector<int>* nodes = body.mesh.sets.find(wanted);
  if (!nodes)
    throw InputError(at.where, "body '" + at.body + "' has no set of nodes '" + wanted + "'" +
                                   suggestion(wanted, body.mesh.sets.names()));
  return *nodes;
}

PointWeights System::resolve_point(const At& at) const {
  PointWeights result;
  result.body = body_index(model, at);
  const BodyInfo& body = bodies[result.body];
  const int elements = element_count(*this, result.body);
  const ElementInfo& element = element_info(body.kind);
  auto node_point = [&](int node) {
    for (int e = 0; e < elements; ++e)
      for (int n = 0; n < element.nodes; ++n)
        if (body.mesh.elements[static_cast<std::size_t>(e) * element.nodes + n] == node) {
          const auto c = element_corner(body.kind, n);
          return MaterialPoint{e, c};
        }
    throw InputError(at.where, "node " + std::to_string(node) + " of body '" + at.body + "' belongs to no element");
  };
  if (!is_flexible(body.kind) && body.node_vectors == 1 && (at.node || !at.element)) {  // a node, in a bar or not
    int node = -1;
    if (at.node) {
      check_node(body, at);
      node = *at.node;
    } else if (at.point) {
      for (int n = 0; n < body.mesh.node_count() && node < 0; ++n) {
        const double* r = body.mesh.vector(n);
        const Vec3<double> d{{(*at.point)[0] - r[0], (*at.point)[1] - r[1], (*at.point)[2] - r[2]}};
        if (std::sqrt(dot(d, d)) <= 1e-9 * length_scale) node = n;
      }
    } else if (const std::vector<int>* nodes = body.mesh.sets.find(at.name.empty() ? "all" : at.name);
               nodes && nodes->size() == 1) {
      node = nodes->front();
    }
    if (node >= 0) {
      result.vectors = {body.vector(node, 0)};
      result.weights = {1.0};
      return result;
    }
  }
  if (at.node) {
    check_node(body, at);
    result.point = node_point(*at.node);
  } else if (at.element) {
    if (*at.element < 0 || *at.element >= elements)
      throw InputError(at.where, "body '" + at.body + "' has no element " + std::to_string(*at.element) +
                                     "; its elements are 0 to " + std::to_string(elements - 1));
    if (const auto& xi = *at.xi;
        body.kind->cell == Cell::tetrahedron && (std::ranges::min(xi) < 0 || xi[0] + xi[1] + xi[2] > 1))
      throw InputError(at.where, "xi of a tetrahedron must not be negative, and add up to at most 1");
    for (double x : *at.xi)
      if (std::abs(x) > 1 && body.kind != ElementKind::rigid)
        throw InputError(at.where, "xi is " + number_text(x) + ", but it must lie between -1 and 1");
    result.point = {*at.element, *at.xi};
  } else if (at.point) {
    if (!locate(body, elements, *at.point, 1e-9 * length_scale, result.point))
      throw InputError(at.where, "no material point of body '" + at.body + "' lies at (" + number_text((*at.point)[0]) +
                                     ", " + number_text((*at.point)[1]) + ", " + number_text((*at.point)[2]) +
                                     ") in the reference configuration");
  } else if (at.name.empty() && body.mesh.points.find("center") && !is_flexible(body.kind)) {
    result.point = *body.mesh.points.find("center");
  } else if (const MaterialPoint* point = body.mesh.points.find(at.name)) {
    result.point = *point;
  } else if (const std::vector<int>* nodes = body.mesh.sets.find(at.name); nodes && nodes->size() == 1) {
    result.point = node_point(nodes->front());
  } else {
    const std::string middle = at.name + "_middle";
    if (body.mesh.points.find(middle))
      throw InputError(at.where, "'" + at.text() +
                                     "' is a set of nodes, but a single point is needed; its middle is '" + at.body +
                                     "." + middle + "'");
    throw InputError(at.where, "body '" + at.body + "' has no point '" + at.name + "'" +
                                   suggestion(at.name, body.mesh.points.names()));
  }
  const int N = vector_count(body.kind);
  const Vec3<double> half = body.half_size(result.point.element);
  double S[most_vectors];
  shape_functions(body.kind, result.point.xi.data(), S);
  for (int i = 0; i < N; ++i) {
    const double weight = vector_scale(body.kind, half.a, i) * S[i];
    if (weight == 0) continue;
    result.vectors.push_back(body.element_vector(result.point.element, i));
    result.weights.push_back(weight);
  }
  return result;
}

}  // namespace lithe
