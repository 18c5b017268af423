#include "lithe/system/contact_surfaces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>

#include "lithe/base/error.h"
#include "lithe/elements/sides.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

using Weights = std::vector<std::pair<int, double>>;

// Cuts along natural coordinate `axis`: as the shape functions bend along it.
int cuts(const ElementInfo& kind, int axis) {
  if (kind.cell == Cell::tetrahedron) return kind.nodes == 10 ? 2 : 1;
  if (kind.gradients() == 0) return 1;
  return (kind.nodes >> (axis + 1)) > 0 ? 4 : 1;  // two nodes: along x, four: y too, eight: z too
}

// Corners that are one material point have the same vectors with the same weights, to rounding.
class KnownCorners {
 public:
  explicit KnownCorners(double size) : fine_(1e7 / size) {}
  template <class Make>
  int find(Weights weights, const Vec3<double>& x, Make&& make) {
    std::ranges::sort(weights);
    std::vector<int> vectors;
    for (const auto& [vector, weight] : weights) vectors.push_back(vector);
    std::vector<std::pair<Vec3<double>, int>>& same = known_[vectors];
    for (const auto& [at, corner] : same)
      if (norm(at - x) * fine_ < 1) return corner;
    same.emplace_back(x, make(weights));
    return same.back().second;
  }

 private:
  double fine_;
  std::map<std::vector<int>, std::vector<std::pair<Vec3<double>, int>>> known_;
};

}  // namespace

ContactSurfaces::ContactSurfaces(const System& system) : laws_(system.model) {
  const Model& model = system.model;
  bodies_ = static_cast<int>(model.bodies.size());
  frame_.assign(bodies_, -1);
  for (const auto& [name, obstacle] : model.obstacles.items) obstacles_.push_back(obstacle);
  for (const auto& [name, body] : model.bodies.items) names_.push_back("body '" + name + "'");
  for (const auto& [name, obstacle] : model.obstacles.items) names_.push_back("obstacle '" + name + "'");
  for (const auto& [name, contact] : model.contacts.items) first_of_.push_back(laws_.number(contact.between[0]));
  for (int b = 0; b < bodies_; ++b) {
    const AnyBody& any = model.bodies.items[b].second;
    if (const auto* rigid = std::get_if<RigidBody>(&any)) {
      if (!can_touch(model, any)) continue;
      frame_[b] = system.bodies[b].first_vector;
      add_shape(system, b, std::visit([](const auto& shape) { return ObstacleShape(shape); }, *rigid->shape));
    } else if (const auto* body = std::get_if<Body>(&any); body && can_touch(model, any)) {
      if (const double radius = radius_of_line(model, *body); radius > 0) add_line(system, b, radius);
      else add_sides(system, b);
    }
  }
  for (std::size_t o = 0; o < obstacles_.size(); ++o)
    add_shape(system, bodies_ + static_cast<int>(o), obstacles_[o].shape);
  scene_.corner.resize(start_.size() - 1);
  scene_.move.assign(start_.size() - 1, Vec3<double>{});
}

void add_contact_slots(const System& system, Slots& slots) {
  for (const auto& [name, contact] : system.model.contacts.items)
    slots.add("contact '" + name + "'", std::vector<double>(ContactSums::count, 0.0));
  slots.add("contact: impulses", {});
}

int contact_slot(const System& system, const Slots& slots, int entry) {
  return slots.count() - 1 - static_cast<int>(system.model.contacts.size()) + entry;
}

std::string ContactSurfaces::name(int surface) const { return names_[owner_[surface]]; }

// ---- making ----

int ContactSurfaces::add_surface(int owner, double radius) {
  SceneSurface surface;
  surface.first_corner = static_cast<std::int32_t>(start_.size()) - 1;
  surface.first_edge = static_cast<std::int32_t>(scene_.edge.size());
  surface.first_triangle = static_cast<std::int32_t>(scene_.triangle.size());
  surface.radius = radius;
  surface.group = owner;
  surface.is_rigid = owner >= bodies_ || frame_[owner] >= 0;
  surface.touches_itself = laws_.between(owner, owner) >= 0;
  scene_.surface.push_back(surface);
  owner_.push_back(owner);
  return static_cast<int>(scene_.surface.size()) - 1;
}

int ContactSurfaces::add_corner(const Weights& weights, const Vec3<double>& in_frame) {
  for (const auto& [vector, weight] : weights) {
    vector_.push_back(vector);
    weight_.push_back(weight);
  }
  start_.push_back(static_cast<std::int32_t>(vector_.size()));
  in_frame_.push_back(in_frame);
  const int surface = static_cast<int>(scene_.surface.size()) - 1;
  scene_.corner_surface.push_back(surface);
  return scene_.surface[surface].corners++;
}

// Of the triangles of a surface, whose corners are counted from its first.
void ContactSurfaces::add_edges(int number) {
  SceneSurface& surface = scene_.surface[number];
  surface.triangles = static_cast<std::int32_t>(scene_.triangle.size()) - surface.first_triangle;
  std::map<std::pair<int, int>, int> known;
  for (int t = surface.first_triangle; t < static_cast<int>(scene_.triangle.size()); ++t) {
    for (std::int32_t& corner : scene_.triangle[t]) corner += surface.first_corner;
    for (int k = 0; k < 3; ++k) {
      const int a = scene_.triangle[t][k], b = scene_.triangle[t][(k + 1) % 3];
      const auto [found, fresh] =
          known.emplace(std::pair(std::min(a, b), std::max(a, b)), static_cast<int>(scene_.edge.size()));
      if (fresh) scene_.edge.push_back({{a, b}, {t, -1}});
      else scene_.edge[found->second].triangle[1] = t;
    }
  }
  surface.edges = static_cast<std::int32_t>(scene_.edge.size()) - surface.first_edge;
}

// One element for all of a rigid shape; behind a triangle it goes on to the furthest corner.
void ContactSurfaces::add_cells(int number) {
  const SceneSurface& surface = scene_.surface[number];
  for (int t = surface.first_triangle; t < surface.first_triangle + surface.triangles; ++t) {
    const auto& c = scene_.triangle[t];
    const Vec3<double>& x0 = in_frame_[c[0]];
    const Vec3<double> n = cross(in_frame_[c[1]] - x0, in_frame_[c[2]] - x0);
    double depth = 0;
    for (int k = surface.first_corner; k < surface.first_corner + surface.corners; ++k)
      depth = std::fmax(depth, -dot(in_frame_[k] - x0, n) / norm(n));
    scene_.cell.push_back(0);
    scene_.side.push_back({c[0], c[1], c[2], -1});
    scene_.depth.push_back(surface.is_plane ? std::numeric_limits<double>::infinity() : depth);
  }
}

// Of a rigid body or an obstacle, in its frame.
void ContactSurfaces::add_shape(const System& system, int owner, const ObstacleShape& shape) {
  const auto corner = [&](double x, double y, double z) {
    Weights weights;
    if (owner < bodies_) {
      const int first = system.bodies[owner].first_vector;
      weights = {{first, 1.0}, {first + 1, x}, {first + 2, y}, {first + 3, z}};
    }
    return add_corner(weights, {{x, y, z}});
  };
  const auto quad = [&](int a, int b, int c, int d) {
    scene_.triangle.push_back({a, b, c});
    scene_.triangle.push_back({a, c, d});
  };
  const auto rings = [&](double inner, double outer, double length) {
    // Rings of corners: outer below, outer above, and of tubes inner below, inner above.
    for (const double radius : {outer, inner})
      for (const double z : {-0.5 * length, 0.5 * length})
        for (int k = 0; radius > 0 && k < facets; ++k) {
          const double angle = 2 * std::numbers::pi * k / facets;
          corner(radius * std::cos(angle), radius * std::sin(angle), z);
        }
    const int below = inner > 0 ? 0 : corner(0, 0, -0.5 * length), above = inner > 0 ? 0 : corner(0, 0, 0.5 * length);
    for (int k = 0; k < facets; ++k) {
      const int l = (k + 1) % facets, up = facets, in = 2 * facets;
      quad(k, l, up + l, up + k);
      if (inner > 0) {
        quad(in + l, in + k, in + up + k, in + up + l);
        quad(in + k, in + l, l, k);
        quad(in + up + l, in + up + k, up + k, up + l);
      } else {
        scene_.triangle.push_back({below, l, k});
        scene_.triangle.push_back({above, up + k, up + l});
      }
    }
  };
  int surface = -1;
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    surface = add_surface(owner, 0);
    for (int k = 0; k < 8; ++k)
      corner((k & 1 ? 0.5 : -0.5) * box->size[0], (k & 2 ? 0.5 : -0.5) * box->size[1],
             (k & 4 ? 0.5 : -0.5) * box->size[2]);
    quad(0, 2, 3, 1);
    quad(4, 5, 7, 6);
    quad(0, 1, 5, 4);
    quad(2, 6, 7, 3);
    quad(0, 4, 6, 2);
    quad(1, 3, 7, 5);
  } else if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    surface = add_surface(owner, sphere->radius);
    corner(0, 0, 0);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    surface = add_surface(owner, capsule->radius);
    const int a = corner(0, 0, -0.5 * capsule->length), b = corner(0, 0, 0.5 * capsule->length);
    const std::int32_t first = scene_.surface[surface].first_corner;
    scene_.edge.push_back({{first + a, first + b}, {-1, -1}});
    scene_.surface[surface].edges = 1;
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    surface = add_surface(owner, 0);
    rings(0, cylinder->radius, cylinder->length);
  } else if (const auto* tube = std::get_if<TubeShape>(&shape)) {
    surface = add_surface(owner, 0);
    rings(tube->inner_radius, tube->outer_radius, tube->length);
  } else {
    surface = add_surface(owner, 0);
    scene_.surface[surface].is_plane = true;
    scene_.triangle.push_back({corner(0, 0, 0), corner(1, 0, 0), corner(0, 1, 0)});
  }
  if (static_cast<int>(scene_.triangle.size()) > scene_.surface[surface].first_triangle) add_edges(surface);
  add_cells(surface);
}

void ContactSurfaces::add_sides(const System& system, int body) {
  const int surface = add_surface(body, 0);
  const ElementInfo& kind = element_info(system.bodies[body].kind);
  KnownCorners known(system.length_scale);
  const auto corner = [&](const Face& face, const std::array<double, 2>& xi) {
    const FaceWeights on = face_weights(system, face, xi);
    double largest = 0;
    for (int i = 0; i < on.count; ++i) largest = std::fmax(largest, std::fabs(on.weights[i]));
    Weights weights;
    Vec3<double> x{};
    for (int i = 0; i < on.count; ++i) {
      if (std::fabs(on.weights[i]) < 1e-12 * largest) continue;
      const int vector = system.map.representative[on.vectors[i]];
      weights.emplace_back(vector < 0 ? on.vectors[i] : vector, on.weights[i]);
      x = x + on.weights[i] * at(system.q0, on.vectors[i]);
    }
    return known.find(std::move(weights), x, [&](const Weights& w) { return add_corner(w, {}); });
  };
  const BodyInfo& info = system.bodies[body];
  const int first_corner = scene_.surface[surface].first_corner;
  const auto at_start = [&](int c) {
    Vec3<double> x{};
    for (int k = start_[first_corner + c]; k < start_[first_corner + c + 1]; ++k)
      x = x + weight_[k] * at(system.q0, vector_[k]);
    return x;
  };
  for (const Face& face : system.surface.of(body)) {
    const bool flip = face.at < 0;
    const auto triangle = [&](int a, int b, int c) {
      if (a == b || b == c || c == a) return;
      if (flip) std::swap(b, c);
      scene_.triangle.push_back({a, b, c});
      const Vec3<double> x0 = at_start(a), n = cross(at_start(b) - x0, at_start(c) - x0);
      double depth = 0;
      for (int i = 0; i < kind.nodes; ++i) {
        const Vec3<double> x = at(system.q0, info.element_vector(face.element, i * info.node_vectors));
        depth = std::fmax(depth, -dot(x - x0, n) / norm(n));
      }
      scene_.cell.push_back(face.element);
      scene_.depth.push_back(depth);
      scene_.side.push_back({first_corner + a, first_corner + b, first_corner + c, -1});
    };
    if (kind.cell == Cell::tetrahedron) {
      const int n = cuts(kind, 0);
      const auto at_cut = [&](int i, int j) {  // along the two coordinates of the triangle
        const double p = static_cast<double>(i) / n, q = static_cast<double>(j) / n;
        return corner(face, {2 * p - 1, i == n ? 0.0 : 2 * q / (1 - p) - 1});
      };
      for (int i = 0; i < n; ++i)
        for (int j = 0; i + j < n; ++j) {
          triangle(at_cut(i, j), at_cut(i + 1, j), at_cut(i, j + 1));
          if (i + j + 1 < n) triangle(at_cut(i + 1, j), at_cut(i + 1, j + 1), at_cut(i, j + 1));
        }
      continue;
    }
    const int n = cuts(kind, (face.axis + 1) % 3), m = cuts(kind, (face.axis + 2) % 3);
    const auto at_cut = [&](int i, int j) { return corner(face, {2.0 * i / n - 1, 2.0 * j / m - 1}); };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        const int a = at_cut(i, j), b = at_cut(i + 1, j), c = at_cut(i + 1, j + 1), d = at_cut(i, j + 1);
        const std::size_t first = scene_.side.size();
        triangle(a, b, c);
        triangle(a, c, d);
        if (scene_.side.size() == first + 2)
          scene_.side[first] =
              scene_.side[first + 1] = {first_corner + a, first_corner + b, first_corner + c, first_corner + d};
      }
  }
  add_edges(surface);
}

void ContactSurfaces::add_line(const System& system, int body, double radius) {
  constexpr int pieces = 4;
  const int number = add_surface(body, radius);
  const BodyInfo& info = system.bodies[body];
  KnownCorners known(system.length_scale);
  for (int e = 0; e < info.elements(); ++e) {
    int last = -1;
    const Vec3<double> half = info.half_size(e);
    for (int k = 0; k <= pieces; ++k) {
      const double xi[3] = {2.0 * k / pieces - 1, 0, 0};
      double S[most_vectors];
      shape_functions(info.kind, xi, S);
      Weights weights;
      Vec3<double> x{};
      for (int i = 0; i < vector_count(info.kind); ++i) {
        const double weight = vector_scale(info.kind, half.a, i) * S[i];
        if (weight == 0) continue;
        const int vector = info.element_vector(e, i), same = system.map.representative[vector];
        weights.emplace_back(same < 0 ? vector : same, weight);
        x = x + weight * at(system.q0, vector);
      }
      const int first = scene_.surface[number].first_corner;
      const int now = first + known.find(std::move(weights), x, [&](const Weights& w) { return add_corner(w, {}); });
      if (k > 0) scene_.edge.push_back({{last, now}, {-1, -1}});
      last = now;
    }
  }
  scene_.surface[number].edges = static_cast<std::int32_t>(scene_.edge.size()) - scene_.surface[number].first_edge;
}

// ---- moving ----

ObstaclePose ContactSurfaces::pose(int number, double t) const {
  const Obstacle& obstacle = obstacles_[number];
  const std::array<Triple, 3> axes = frame_of(obstacle);
  ObstaclePose pose;
  pose.origin = vec(obstacle.position);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.frame[i][j] = axes[j][i];
    if (!obstacle.displacement[i]) continue;
    pose.origin[i] += (*obstacle.displacement[i])(t);
    pose.velocity[i] = obstacle.displacement[i]->rate(t);
  }
  if (obstacle.angle) {
    const Vec3<double> axis = unit(obstacle.axis);
    pose.frame = rotation_of((*obstacle.angle)(t)*axis) * pose.frame;
    pose.spin = obstacle.angle->rate(t) * axis;
  }
  return pose;
}

void ContactSurfaces::place(const std::vector<double>& q, const std::vector<double>& v, double t, double h,
                            ContactScene& scene) const {
  scene.corner.resize(scene_.corner.size());
  scene.move.resize(scene_.corner.size());
  for (std::size_t s = 0; s < owner_.size(); ++s) {
    const SceneSurface& surface = scene_.surface[s];
    const bool obstacle = owner_[s] >= bodies_;
    const ObstaclePose pose = obstacle ? this->pose(owner_[s] - bodies_, t) : ObstaclePose{};
    for (int c = surface.first_corner; c < surface.first_corner + surface.corners; ++c) {
      Vec3<double> x{}, rate{};
      if (obstacle) {
        const Vec3<double> from = pose.frame * in_frame_[c];
        x = pose.origin + from;
        rate = pose.velocity + cross(pose.spin, from);
      } else {
        for (int k = start_[c]; k < start_[c + 1]; ++k) {
          x = x + weight_[k] * at(q, vector_[k]);
          rate = rate + weight_[k] * at(v, vector_[k]);
        }
      }
      scene.corner[c] = x;
      scene.move[c] = h * rate;
    }
  }
}

Vec3<double> ContactSurfaces::velocity(const ContactSide& side, const std::vector<double>& q,
                                       const std::vector<double>& v, double t) const {
  if (is_obstacle(side.surface)) {
    const ObstaclePose pose = this->pose(owner_[side.surface] - bodies_, t);
    return pose.velocity + cross(pose.spin, side.point - pose.origin);
  }
  Vec3<double> rate{};
  for_vectors(side, q, [&](int vector, double weight) { rate = rate + weight * at(v, vector); });
  return rate;
}

}  // namespace lithe
