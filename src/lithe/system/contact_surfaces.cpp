#include "lithe/system/contact_surfaces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "lithe/base/error.h"
#include "lithe/elements/sides.h"
#include "lithe/model/section_shape.h"
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

// Has a beam an outer edge that is not the sides of its elements? General sections have none.
bool shows_edge(const Body& body, const Section* section) {
  return section && body.element->volume && body.element->dimension == 1 && !fills_its_box(*section) &&
         !std::holds_alternative<General>(*section);
}

}  // namespace

// Corners that are one material point have the same vectors with the same weights, to rounding.
class ContactSurfaces::KnownCorners {
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

ContactSurfaces::ContactSurfaces(const System& system, MeshFiles& files) : laws_(system.model) {
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
      const auto shape = std::visit([](const auto& one) { return ObstacleShape(one); }, *rigid->surface());
      add_shape(system, b, shape_meshes(shape, system.bodies[b].centre, model.bodies.where[b], files));
    } else if (const auto* body = std::get_if<Body>(&any); body && can_touch(model, any)) {
      const Section* section = body->section.empty() ? nullptr : model.sections.find(body->section);
      if (const double radius = radius_of_line(model, *body); radius > 0) add_line(system, b, *body, radius);
      else if (shows_edge(*body, section)) add_prism(system, b, *section);
      else add_sides(system, b);
    }
  }
  for (std::size_t o = 0; o < obstacles_.size(); ++o)
    add_shape(system, bodies_ + static_cast<int>(o),
              shape_meshes(obstacles_[o].shape, {}, model.obstacles.where[o], files));
  if (!scene_.covered.empty()) scene_.covered.resize(scene_.triangle.size(), 0);
  fill_cells(system);
  scene_.corner.resize(start_.size() - 1);
  // At rest: what is near itself then does not touch itself, and corners within flat faces give no points.
  place(system.q0, std::vector<double>(system.q0.size(), 0.0), 0, 0, scene_);
}

void add_contact_slots(const System& system, Slots& slots) {
  const bool penalty = first_contact(system.model, ContactLaw::penalty);
  if (penalty) slots.add("contact: pattern", {});
  slots.add("contact: points", {});
  for (const auto& [name, contact] : system.model.contacts.items)
    slots.add("contact '" + name + "'", std::vector<double>(ContactSums::count, 0.0));
  slots.add(penalty ? "contact: stretches" : "contact: impulses", {});
}

int contact_slot(const System& system, const Slots& slots, int entry) {
  return slots.count() - 1 - static_cast<int>(system.model.contacts.size()) + entry;
}

int contact_points_slot(const System& system, const Slots& slots) { return contact_slot(system, slots, 0) - 1; }

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

// The last triangle is of an element, which reaches so far behind it.
void ContactSurfaces::add_cell(int cell, double depth) {
  const std::size_t last = scene_.triangle.size() - 1;
  const auto& [a, b, c] = scene_.triangle[last];
  const std::int32_t first = scene_.surface.back().first_corner;
  scene_.cell.resize(last, -1);
  scene_.depth.resize(last);
  scene_.side.resize(last);
  scene_.cell.push_back(cell);
  scene_.depth.push_back(depth);
  scene_.side.push_back({first + a, first + b, first + c, -1});
}

// Of a rigid shape: a box is one element, of others every triangle is. Behind a triangle it goes on to the furthest
// corner.
void ContactSurfaces::add_cells(int number) {
  constexpr int of_box = 12;
  const SceneSurface& surface = scene_.surface[number];
  scene_.cell.resize(scene_.triangle.size(), -1);
  scene_.depth.resize(scene_.triangle.size());
  scene_.side.resize(scene_.triangle.size());
  for (int t = surface.first_triangle; t < surface.first_triangle + surface.triangles; ++t) {
    const auto& c = scene_.triangle[t];
    const Vec3<double>& x0 = in_frame_[c[0]];
    const Vec3<double> n = cross(in_frame_[c[1]] - x0, in_frame_[c[2]] - x0);
    double depth = 0;
    for (int k = surface.first_corner; k < surface.first_corner + surface.corners; ++k)
      depth = std::fmax(depth, -dot(in_frame_[k] - x0, n) / norm(n));
    scene_.cell[t] = surface.triangles == of_box ? 0 : t - surface.first_triangle;
    scene_.side[t] = {c[0], c[1], c[2], -1};
    scene_.depth[t] = surface.is_plane ? std::numeric_limits<double>::infinity() : depth;
  }
}

// What no element was said of: every triangle by itself, which reaches behind it as far as its longest edge.
void ContactSurfaces::fill_cells(const System& system) {
  const auto at_start = [&](int c) {
    Vec3<double> x{};
    for (int k = start_[c]; k < start_[c + 1]; ++k) x = x + weight_[k] * at(system.q0, vector_[k]);
    return x;
  };
  scene_.cell.resize(scene_.triangle.size(), -1);
  scene_.depth.resize(scene_.triangle.size());
  scene_.side.resize(scene_.triangle.size());
  for (const SceneSurface& surface : scene_.surface)
    for (int t = surface.first_triangle; t < surface.first_triangle + surface.triangles; ++t) {
      if (scene_.cell[t] >= 0) continue;
      const auto& c = scene_.triangle[t];
      scene_.cell[t] = t - surface.first_triangle;
      scene_.side[t] = {c[0], c[1], c[2], -1};
      for (int k = 0; k < 3; ++k)
        scene_.depth[t] = std::fmax(scene_.depth[t], norm(at_start(c[(k + 1) % 3]) - at_start(c[k])));
    }
}

// Of a rigid body or an obstacle.
void ContactSurfaces::add_shape(const System& system, int owner, const std::vector<ShapeMesh>& meshes) {
  for (const ShapeMesh& mesh : meshes) {
    const int number = add_surface(owner, mesh.radius);
    scene_.surface[number].is_plane = mesh.is_plane;
    scene_.surface[number].flat_ends = mesh.flat_ends;
    scene_.surface[number].is_core = mesh.is_core;
    scene_.surface[number].wall = mesh.wall;
    for (const Vec3<double>& x : mesh.corners) {
      Weights weights;
      if (owner < bodies_) {
        const int first = system.bodies[owner].first_vector;
        weights = {{first, 1.0}, {first + 1, x[0]}, {first + 2, x[1]}, {first + 3, x[2]}};
      }
      add_corner(weights, x);
    }
    const std::int32_t first = scene_.surface[number].first_corner;
    for (const auto& [a, b] : mesh.rods) scene_.edge.push_back({{first + a, first + b}, {-1, -1}});
    for (const auto& [a, b, c] : mesh.triangles) scene_.triangle.push_back({a, b, c});
    add_edges(number);
    add_cells(number);
    if (mesh.covered.empty()) continue;
    scene_.covered.resize(scene_.surface[number].first_triangle, 0);
    scene_.covered.insert(scene_.covered.end(), mesh.covered.begin(), mesh.covered.end());
  }
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
      add_cell(face.element, depth);
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
        const std::size_t first = scene_.triangle.size();
        triangle(a, b, c);
        triangle(a, c, d);
        if (scene_.triangle.size() == first + 2)
          scene_.side[first] =
              scene_.side[first + 1] = {first_corner + a, first_corner + b, first_corner + c, first_corner + d};
      }
  }
  add_edges(surface);
}

// A point of an element, in its natural coordinates, as a corner of the last surface.
int ContactSurfaces::add_point(const System& system, const BodyInfo& info, int element, const Vec3<double>& xi,
                               KnownCorners& known) {
  const Vec3<double> half = info.half_size(element);
  double S[most_vectors];
  shape_functions(info.kind, xi.a, S);
  Weights weights;
  Vec3<double> x{};
  for (int i = 0; i < vector_count(info.kind); ++i) {
    const double weight = vector_scale(info.kind, half.a, i) * S[i];
    if (weight == 0) continue;
    const int vector = info.element_vector(element, i), same = system.map.representative[vector];
    weights.emplace_back(same < 0 ? vector : same, weight);
    x = x + weight * at(system.q0, vector);
  }
  return known.find(std::move(weights), x, [&](const Weights& w) { return add_corner(w, {}); });
}

void ContactSurfaces::add_line(const System& system, int body, const Body& said, double radius) {
  constexpr int pieces = 4;
  const int number = add_surface(body, radius);
  const BodyInfo& info = system.bodies[body];
  KnownCorners known(system.length_scale);
  const std::int32_t first = scene_.surface[number].first_corner;
  for (int e = 0; e < info.elements(); ++e) {
    if (said.contact_as == ContactAs::spheres) {
      for (int k = 0; k < said.contact_spheres; ++k)
        add_point(system, info, e, {{(2.0 * k + 1) / said.contact_spheres - 1, 0, 0}}, known);
      continue;
    }
    int last = -1;
    for (int k = 0; k <= pieces; ++k) {
      const int now = first + add_point(system, info, e, {{2.0 * k / pieces - 1, 0, 0}}, known);
      if (k > 0) scene_.edge.push_back({{last, now}, {-1, -1}});
      last = now;
    }
  }
  scene_.surface[number].edges = static_cast<std::int32_t>(scene_.edge.size()) - scene_.surface[number].first_edge;
}

// The outer edge of a section along the line of a beam, closed where the line ends.
void ContactSurfaces::add_prism(const System& system, int body, const Section& section) {
  constexpr int pieces = 4;
  struct End {
    std::vector<int> ring;
    SectionLoop edge;
    bool start;
  };
  const int number = add_surface(body, 0);
  const BodyInfo& info = system.bodies[body];
  KnownCorners known(system.length_scale);
  std::map<std::vector<int>, std::vector<End>> ends;  // of elements, by their corners: two where the line goes on
  for (int e = 0; e < info.elements(); ++e) {
    const Vec3<double> half = info.half_size(e);
    std::vector<int> last;
    for (int k = 0; k <= pieces; ++k) {
      const double along = static_cast<double>(k) / pieces;
      SectionLoop edge = section_edge(system.model.sections, section, (e + along) / info.elements(), ShapeMesh::facets);
      std::vector<int> ring;
      for (const SectionPoint& p : edge)
        ring.push_back(add_point(system, info, e, {{2 * along - 1, p[0] / half[1], p[1] / half[2]}}, known));
      const std::size_t n = ring.size();
      for (std::size_t i = 0; i < n && k > 0; ++i) {
        const std::size_t j = (i + 1) % n;
        scene_.triangle.push_back({last[i], last[j], ring[j]});
        scene_.triangle.push_back({last[i], ring[j], ring[i]});
      }
      last = ring;
      if (k > 0 && k < pieces) continue;
      std::vector<int> key = ring;
      std::ranges::sort(key);
      ends[key].push_back({std::move(ring), std::move(edge), k == 0});
    }
  }
  for (const auto& [key, at_ends] : ends) {
    if (at_ends.size() > 1) continue;
    const End& end = at_ends.front();
    for (const auto& [a, b, c] : triangles_of(end.edge)) {
      const int second = end.start ? c : b, third = end.start ? b : c;
      scene_.triangle.push_back({end.ring[a], end.ring[second], end.ring[third]});
    }
  }
  add_edges(number);
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
