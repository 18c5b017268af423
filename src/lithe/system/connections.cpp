// Connections of nodes with a rigid body or the ground, side a. With its point P, its axes f_k and material coordinates
// X of the nodes in them,
//
//   rigid          r_i = P + sum_k X_ik f_k for every node, and its gradients as a clamp holds them, in the frame of a
//   distributing   the mean R = int r dA of the nodes' sides stays where it is in a, and so does their mean rotation:
//                  of all rotations that of a fits int |r - R - sum_k x_k f_k|^2 dA best, x = X - mean of X. With
//                  y_k = int x_k r dA this is f_i . y_j = f_j . y_i, three rows that are bilinear in a and the nodes.
//
// A force F on a becomes a uniform traction F/A then, a moment one that is linear in x.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "lithe/elements/quadrature.h"
#include "lithe/system/held_gradients.h"
#include "lithe/system/joint_rows.h"

namespace lithe {

namespace {

// What stays with a ground or rigid marker: a point, a vector; given in the reference configuration.
Form carried(const Marker& a, const Vec3<double>& d) {
  Form x;
  for (int k = 0; k < 3; ++k) {
    const double share = dot(column(a.frame, k), d);
    if (std::abs(share) > 1e-14 * norm(d)) x = combine(1, x, share, a.gradient[k]);
  }
  return x;
}
Form carried_point(const Marker& a, const Vec3<double>& x) {
  return combine(1, a.position, 1, carried(a, x - a.start));
}

Vec3<double> value(const System& system, int vector) {
  return {{system.q0[3ul * vector], system.q0[3ul * vector + 1], system.q0[3ul * vector + 2]}};
}

// A point of the body with its share of the mean.
struct Sample {
  double weight = 0;
  Vec3<double> x{};  // in the reference configuration
  std::vector<int> vectors;
  std::vector<double> S;
};

// The samples of a set of nodes: Gauss points of the elements all of whose nodes are in it; else of such sides, those
// of the boundary where there are some; else none.
class SampledSides {
 public:
  SampledSides(const System& system, int b, const std::vector<int>& nodes)
      : system_(system), body_(system.bodies[b]), info_(element_info(body_.kind)), number_(b) {
    in_set_.assign(body_.mesh.node_count(), 0);
    for (int node : nodes) in_set_[node] = 1;
    for (int e = 0; e < body_.elements(); ++e)
      if (holds(e, -1, 0)) add_element(e);
    if (!samples.empty()) return;
    for (const bool boundary : {true, false}) {
      std::set<std::vector<int>> seen;
      for (int e = 0; e < body_.elements(); ++e)
        for (int side = 0; side < info_.sides(); ++side) {
          const int axis = info_.side_axis(side);
          const double at = info_.side_at(side);
          std::vector<int> own = nodes_of(e, axis, at);
          if (own.empty() || !holds(e, axis, at)) continue;
          if (is_boundary(system, b, e, axis, at) != boundary) continue;
          std::ranges::sort(own);
          if (seen.insert(own).second) add_side(e, axis, at);
        }
      if (!samples.empty()) return;
    }
  }

  std::vector<Sample> samples;

 private:
  static constexpr int points = 4;

  std::vector<int> nodes_of(int e, int axis, double at) const {
    std::vector<int> own;
    for (int n = 0; n < info_.nodes; ++n)
      if (axis < 0 || info_.on_side(n, info_.side_number(axis, at)))
        own.push_back(body_.mesh.elements[static_cast<std::size_t>(e) * info_.nodes + n]);
    return own;
  }
  bool holds(int e, int axis, double at) const {
    return std::ranges::all_of(nodes_of(e, axis, at), [&](int node) { return in_set_[node] != 0; });
  }
  void add(double weight, const std::vector<int>& vectors, const std::vector<double>& S) {
    Sample& sample = samples.emplace_back(Sample{weight, {}, vectors, S});
    for (std::size_t i = 0; i < vectors.size(); ++i) sample.x = sample.x + S[i] * value(system_, vectors[i]);
  }
  void add_side(int e, int axis, double at) {
    const GaussRule rule = gauss_rule(points);
    const Face face{Face::Form::side, number_, e, axis, at, {}};
    for (int p = 0; p < points; ++p)
      for (int q = 0; q < points; ++q) {
        const FaceWeights on = face_weights(system_, face, {rule.x[p], rule.x[q]});
        Vec3<double> slope[2]{};
        for (int i = 0; i < on.count; ++i)
          for (int d = 0; d < 2; ++d) slope[d] = slope[d] + on.slopes[d][i] * value(system_, on.vectors[i]);
        add(rule.w[p] * rule.w[q] * norm(cross(slope[0], slope[1])), {on.vectors, on.vectors + on.count},
            {on.weights, on.weights + on.count});
      }
  }
  void add_element(int e) {
    std::vector<QuadraturePoint> rule;
    if (info_.cell == Cell::tetrahedron) {
      const TetrahedronRule of = collapsed_rule(points);
      for (std::size_t p = 0; p < of.x.size(); ++p) rule.push_back({of.x[p], of.w[p], 0, 0});
    } else {
      const GaussRule gauss = gauss_rule(points);
      for (int p = 0; p < points * points * points; ++p) {
        const int at[3] = {p % points, p / points % points, p / points / points};
        rule.push_back(
            {{gauss.x[at[0]], gauss.x[at[1]], gauss.x[at[2]]}, gauss.w[at[0]] * gauss.w[at[1]] * gauss.w[at[2]], 0, 0});
      }
    }
    const int N = vector_count(body_.kind);
    const Vec3<double> half = body_.half_size(e);
    std::vector<int> vectors(N);
    std::vector<double> S(N), dS(3ul * N);
    for (int i = 0; i < N; ++i) vectors[i] = body_.element_vector(e, i);
    for (const QuadraturePoint& point : rule) {
      shape_functions(body_.kind, point.xi.data(), S.data());
      shape_derivatives(body_.kind, point.xi.data(), dS.data());
      Vec3<double> slope[3]{};
      for (int i = 0; i < N; ++i) {
        const double scale = vector_scale(body_.kind, half.a, i);
        S[i] *= scale;
        for (int d = 0; d < 3; ++d) slope[d] = slope[d] + scale * dS[3ul * i + d] * value(system_, vectors[i]);
      }
      add(point.weight * dot(slope[0], cross(slope[1], slope[2])), vectors, S);
    }
  }

  const System& system_;
  const BodyInfo& body_;
  const ElementInfo& info_;
  int number_;
  std::vector<char> in_set_;
};

// sum over the samples of weight * factor(x) * r as a form; weights that are rounding of `size` (times the length
// `extent` for gradients) are left out.
template <class Factor>
Form sum(const BodyInfo& body, const std::vector<Sample>& samples, double size, double extent, Factor&& factor) {
  std::map<int, double> total;
  for (const Sample& sample : samples)
    for (std::size_t i = 0; i < sample.vectors.size(); ++i)
      total[sample.vectors[i]] += sample.weight * factor(sample.x) * sample.S[i];
  Form form;
  for (const auto& [vector, weight] : total) {
    const bool position = (vector - body.first_vector) % body.node_vectors == 0;
    if (std::abs(weight) < 1e-13 * size * (position ? 1 : extent)) continue;
    form.vectors.push_back(vector);
    form.weights.push_back(weight);
  }
  return form;
}

}  // namespace

Marker JointRows::reference(const At& a, const Vec3<double>& x) const {
  At at = a;
  if (a.is_ground() && !a.point) at.point = Triple{x[0], x[1], x[2]};
  return make_marker(system_, at);
}

void JointRows::connect(const RigidConnection& connection) {
  int b = 0;
  const std::vector<int> nodes = system_.resolve_nodes(connection.nodes, b);
  const BodyInfo& body = system_.bodies[b];
  const Marker a = reference(connection.a, value(system_, body.vector(nodes.front(), 0)));
  joint_.a = joint_.b = a;
  const auto follow = [&](int vector, const Form& as, std::vector<Bearing> bearings) {
    const Form x = combine(1, Form{{vector}, {1.0}, {}}, -1, as);
    equations_.ties.push_back({{x.vectors, x.weights, {}}, x.rate(system_.q0), joint_.owner, std::move(bearings)});
  };
  const auto edges = edges_between(body, nodes);
  for (int node : nodes) {
    const int position = body.vector(node, 0);
    const Form r{{position}, {1.0}, {}};
    follow(position, carried_point(a, value(system_, position)),
           {{0, true, 1, {}}, {0, false, 1, combine(1, r, -1, a.position)}});
    for (const HeldGradient& held : held_gradients(system_, body, node, connection.hold, edges[node])) {
      const Form g{{held.vector}, {1.0}, {}};
      if (held.all) follow(held.vector, carried(a, value(system_, held.vector)), {{0, false, 1, g}});
      for (const Vec3<double>& along : held.along) right_angle(plain(carried(a, along)), plain(g));
    }
  }
}

void JointRows::connect(const DistributingConnection& connection) {
  int b = 0;
  const std::vector<int> nodes = system_.resolve_nodes(connection.nodes, b);
  const BodyInfo& body = system_.bodies[b];
  std::vector<Sample> samples;
  if (connection.mean == MeanOver::nodes) {
    for (int node : nodes) samples.push_back({1, value(system_, body.vector(node, 0)), {body.vector(node, 0)}, {1.0}});
  } else if (body.kind->volume) {
    samples = SampledSides(system_, b, nodes).samples;
  }
  if (samples.empty())
    fail("the nodes '" + connection.nodes.text() +
         "' span no side of an element, so there is nothing to take a mean over; name all nodes of a side, or give "
         "'mean: nodes'");
  double total = 0;
  Vec3<double> center{};
  for (const Sample& sample : samples) {
    total += sample.weight;
    center = center + sample.weight * sample.x;
  }
  center = (1 / total) * center;
  const Marker a = reference(connection.a, center);
  joint_.a = joint_.b = a;

  // Second moments along the axes of a; a line has none about itself.
  Mat3<double> J{};
  for (Sample& sample : samples) {
    sample.weight /= total;
    const Vec3<double> x = transpose(a.frame) * (sample.x - center);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J[i][j] += sample.weight * x[i] * x[j];
  }
  const double trace = J[0][0] + J[1][1] + J[2][2], extent = std::sqrt(trace);
  const auto about = [&](int i, int j) { return (i == j ? trace : 0) - J[i][j]; };
  const double determinant = about(0, 0) * (about(1, 1) * about(2, 2) - about(1, 2) * about(2, 1)) -
                             about(0, 1) * (about(1, 0) * about(2, 2) - about(1, 2) * about(2, 0)) +
                             about(0, 2) * (about(1, 0) * about(2, 1) - about(1, 1) * about(2, 0));
  if (!(trace > 0 && determinant > 1e-16 * trace * trace * trace))
    fail("the nodes '" + connection.nodes.text() +
         "' lie on a line and have no mean rotation about it; name nodes beside it" +
         (connection.mean == MeanOver::nodes ? ", leave out 'mean: nodes'," : "") + " or use a rigid_connection");

  const Form mean = sum(body, samples, 1, extent, [](const Vec3<double>&) { return 1.0; });
  const Form p = combine(1, mean, -1, carried_point(a, center));
  equations_.ties.push_back({{p.vectors, p.weights, {}},
                             p.rate(system_.q0),
                             joint_.owner,
                             {{0, true, 1, {}}, {0, false, 1, combine(1, mean, -1, a.position)}}});
  for (const auto& [i, j] : {std::pair{1, 2}, {2, 0}, {0, 1}}) {
    const double scale = 1 / (J[i][i] + J[j][j]);  // so that the row is an angle, and its multiplier a moment
    const auto moment = [&](int k) {
      return sum(body, samples, scale * extent, extent, [&](const Vec3<double>& x) {
        const double along = dot(column(a.frame, k), x - center);
        return std::abs(along) < 1e-12 * extent ? 0 : scale * along;
      });
    };
    const Form y_i = moment(i), y_j = moment(j);
    add_zero(Part::skew(a.gradient[i], y_j, a.gradient[j], y_i), {{1, false, 1, y_j}, {3, false, 1, y_i}});
  }
}

}  // namespace lithe
