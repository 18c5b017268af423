// Longer than 500 lines: every generator of meshes, each by itself.
#include "lithe/model/mesh.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "lithe/base/small.h"
#include "lithe/elements/tet10/tet10.h"
#include "lithe/model/body_material.h"
#include "lithe/model/line_shape.h"
#include "lithe/model/mesh_file.h"
#include "lithe/model/mesh_sides.h"
#include "lithe/model/section_properties.h"
#include "lithe/model/section_shape.h"
#include "lithe/model/shape_mass.h"

namespace lithe {

namespace {

using Vector = Vec3<double>;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

struct Builder {
  const Body& body;
  const Where& said;
  const Section* section;  // null: the body has none
  const Model& model;
  MeshFiles& files;
  Mesh mesh;

  double thickness() const {
    if (const Layered* layered = std::get_if<Layered>(section)) {
      double sum = 0;
      for (const Layer& layer : layered->layers) sum += layer.thickness;
      return sum;
    }
    return std::get<Plate>(*section).thickness;
  }

  // The vectors that the kind has, of these.
  void node(const Vector& r, const Vector& x, const Vector& y, const Vector& z) { add(mesh.nodes, r, x, y, z); }
  void free_node(const Vector& r, const Vector& x, const Vector& y, const Vector& z) {
    add(mesh.free_nodes, r, x, y, z);
  }
  void add(std::vector<double>& to, const Vector& r, const Vector& x, const Vector& y, const Vector& z) const {
    const Vector* gradient[3] = {&x, &y, &z};
    for (int k = 0; k < mesh.node_vectors; ++k) {
      const int along = body.element->vectors[k].gradient;
      const Vector& a = along < 0 ? r : *gradient[along];
      to.insert(to.end(), a.a, a.a + 3);
    }
  }
  void element(std::initializer_list<int> nodes, double L, double W, double T) {
    mesh.elements.insert(mesh.elements.end(), nodes);
    mesh.size.insert(mesh.size.end(), {L, W, T});
  }
  void set(const std::string& set_name, std::vector<int> nodes) { mesh.sets.add(set_name, std::move(nodes)); }
  void point(const std::string& point_name, int e, Triple xi) { mesh.points.add(point_name, {e, xi}); }
  void side(const std::string& side_name, std::vector<Side> sides) { mesh.sides.add(side_name, std::move(sides)); }
};

std::vector<int> range(int first, int count, int stride) {
  std::vector<int> list(count);
  for (int i = 0; i < count; ++i) list[i] = first + i * stride;
  return list;
}

// Names shared by all meshes of line elements.
void name_line(Builder& b, int n) {
  b.set("start", {0});
  b.set("end", {n});
  b.set("all", range(0, n + 1, 1));
  b.point("start", 0, {-1, 0, 0});
  b.point("end", n - 1, {1, 0, 0});
  b.point("middle", n / 2, {n % 2 == 0 ? -1.0 : 0.0, 0, 0});
  std::vector<Side> top, bottom, left, right;
  if (!b.body.element->volume) return;
  for (int e = 0; e < n; ++e) {
    top.push_back({e, 2, 1});
    bottom.push_back({e, 2, -1});
    left.push_back({e, 1, 1});
    right.push_back({e, 1, -1});
  }
  b.side("top", top);
  b.side("bottom", bottom);
  b.side("left", left);
  b.side("right", right);
}

std::array<double, 2> beam_section(const Builder& b) {
  return b.section && b.body.element->volume ? section_size(b.model.sections, *b.section) : std::array{0.0, 0.0};
}

bool is_slack(const LineMesh& line) {
  return line.unstretched_length && *line.unstretched_length > norm(vec(line.to) - vec(line.from)) * (1 + 1e-9);
}

// Of the whole model, for the shape in which lines hang: at the end of statics that come first, at the start of a
// motion. Where there is none then, as it grows over the time, the last one.
Vector gravity_of(const Model& model) {
  const auto at = [&](double t) {
    Vector g{};
    for (const auto& [name, load] : model.loads.items)
      if (const auto* gravity = std::get_if<Gravity>(&load))
        for (int m = 0; m < 3; ++m) g[m] += gravity->acceleration[m](t);
    return g;
  };
  const Vector g = at(first_dynamic(model.analysis) > 0 ? duration(model.analysis[0]) : 0);
  return norm(g) > 0 ? g : at(end_of(model.analysis));
}

// v after the shortest rotation that takes the unit vector `from` to `to`.
Vector carried(const Vector& v, const Vector& from, const Vector& to) {
  const Vector axis = cross(from, to);
  const double c = dot(from, to);
  return c * v + cross(axis, v) + (dot(axis, v) / (1 + c)) * axis;
}

void generate(Builder& b, const LineMesh& line) {
  const Vector axis = vec(line.to) - vec(line.from);
  const double length = norm(axis);
  const Vector x = (1 / length) * axis;
  Vector wanted = line.width_direction ? unit(*line.width_direction) : cross(Vector{{0, 0, 1}}, x);
  if (!line.width_direction && norm(wanted) < 1e-6) wanted = Vector{{0, 1, 0}};
  const Vector y = unit(wanted - dot(wanted, x) * x);
  const auto [W, T] = beam_section(b);
  const int n = line.elements;
  const double free = line.unstretched_length.value_or(length), stretch = length / free;
  std::vector<LinePoint> curve;
  if (is_slack(line)) {
    const Vector gravity = gravity_of(b.model), down = norm(gravity) > 0 ? gravity : Vector{{0, 0, -1}};
    if (b.body.element->volume) {
      curve = bowed_line(vec(line.from), vec(line.to), free, n, down, cross(x, y));
    } else {
      const CableStiffness cable = cable_stiffness(*b.section, material_of(b.model, b.body));
      const double strain = cable.mass * norm(gravity) / cable.EA;
      curve = hanging_line(vec(line.from), vec(line.to), free, n, down, cross(x, y), strain);
    }
  }
  for (int i = 0; i <= n; ++i) {
    const double at = double(i) / n, angle = radians(line.twist[0] + at * (line.twist[1] - line.twist[0]));
    const Vector u = std::cos(angle) * y + std::sin(angle) * cross(x, y), w = cross(x, u);
    if (curve.empty()) {
      b.node(vec(line.from) + at * axis, stretch * x, u, w);
    } else {
      const Vector& t = curve[i].tangent;
      b.node(curve[i].r, t, carried(u, x, t), carried(w, x, t));
    }
    if (line.unstretched_length) b.free_node(vec(line.from) + at * free * x, x, u, w);
  }
  for (int e = 0; e < n; ++e) b.element({e, e + 1}, free / n, W, T);
  name_line(b, n);
}

void generate(Builder& b, const ArcMesh& arc) {
  const Vector normal = unit(arc.normal), start = unit(arc.start);
  const Vector u = unit(start - dot(start, normal) * normal);
  const Vector v = cross(normal, u);
  const auto [W, T] = beam_section(b);
  const int n = arc.elements;
  const double total = radians(arc.angle), length = arc.radius * total / n;
  const double free = arc.unstretched_length ? *arc.unstretched_length / n : length, stretch = length / free;
  for (int i = 0; i <= n; ++i) {
    const double angle = total * i / n, turn = radians(arc.twist) * i / n;
    const Vector radial = std::cos(angle) * u + std::sin(angle) * v;
    const Vector x = std::cos(angle) * v - std::sin(angle) * u;
    const Vector inward = -1.0 * radial;  // y, so that z starts along the normal
    const Vector y = std::cos(turn) * inward + std::sin(turn) * normal;
    b.node(vec(arc.center) + arc.radius * radial, stretch * x, y, cross(x, y));
    if (arc.unstretched_length) b.free_node(vec(arc.center) + (arc.radius / stretch) * radial, x, y, cross(x, y));
  }
  for (int e = 0; e < n; ++e) b.element({e, e + 1}, free, W, T);
  name_line(b, n);
}

// A structured surface of nx by ny elements, `place(i, j)` giving the mid-surface and its gradients at node (i, j);
// shells take it as it is, hexas put one layer of bricks around it.
struct SurfaceNode {
  Vector r, x, y, z;
};
template <class Place>
void surface(Builder& b, int nx, int ny, double L, double W, Place place, const std::array<const char*, 4>& edges) {
  const bool solid = b.body.element->dimension == 3;
  const double T = b.thickness();
  const int row = nx + 1, layer = row * (ny + 1);
  for (int k = 0; k < (solid ? 2 : 1); ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        const SurfaceNode n = place(i, j);
        b.node(solid ? n.r + (k == 0 ? -0.5 * T : 0.5 * T) * n.z : n.r, n.x, n.y, n.z);
      }
  std::array<std::vector<Side>, 4> sides;
  std::vector<Side> top, bottom, middle;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * row + i, e = j * nx + i;
      if (solid)
        b.element({a, a + 1, a + row + 1, a + row, a + layer, a + layer + 1, a + layer + row + 1, a + layer + row}, L,
                  W, T);
      else b.element({a, a + 1, a + row + 1, a + row}, L, W, T);
      if (i == 0) sides[0].push_back({e, 0, -1});
      if (i == nx - 1) sides[1].push_back({e, 0, 1});
      if (j == 0) sides[2].push_back({e, 1, -1});
      if (j == ny - 1) sides[3].push_back({e, 1, 1});
      top.push_back({e, 2, 1});
      bottom.push_back({e, 2, -1});
      middle.push_back({e, 2, 0});
    }
  auto nodes_of = [&](std::vector<int> list) {
    if (solid) {
      const std::size_t n = list.size();
      for (std::size_t i = 0; i < n; ++i) list.push_back(list[i] + layer);
    }
    return list;
  };
  const std::array<std::vector<int>, 4> sets{nodes_of(range(0, ny + 1, row)), nodes_of(range(nx, ny + 1, row)),
                                             nodes_of(range(0, nx + 1, 1)), nodes_of(range(ny * row, nx + 1, 1))};
  const double mid_x = nx % 2 == 0 ? -1 : 0, mid_y = ny % 2 == 0 ? -1 : 0;
  const int cx = nx / 2, cy = ny / 2;
  const MaterialPoint middles[4] = {{cy * nx, {-1, mid_y, 0}},
                                    {cy * nx + nx - 1, {1, mid_y, 0}},
                                    {cx, {mid_x, -1, 0}},
                                    {(ny - 1) * nx + cx, {mid_x, 1, 0}}};
  for (int s = 0; s < 4; ++s) {
    b.set(edges[s], sets[s]);
    b.side(edges[s], sides[s]);
    b.point(std::string(edges[s]) + "_middle", middles[s].element, middles[s].xi);
  }
  b.set("all", range(0, b.mesh.node_count(), 1));
  b.side("top", top);
  b.side("bottom", bottom);
  b.side("surface", middle);
  b.point("middle", cy * nx + cx, {mid_x, mid_y, 0});
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i)
      b.point(std::string(edges[i]) + "_" + edges[2 + j], j * (ny - 1) * nx + i * (nx - 1),
              {i == 0 ? -1.0 : 1.0, j == 0 ? -1.0 : 1.0, 0});
}

void generate(Builder& b, const PlateMesh& plate) {
  const Vector x = unit(plate.length), w = unit(plate.width);
  const int nx = plate.elements[0], ny = plate.elements[1];
  const Vector along = vec(plate.length), across = vec(plate.width), z = cross(x, w);
  surface(b, nx, ny, norm(along) / nx, norm(across) / ny,
          [&](int i, int j) {
            return SurfaceNode{vec(plate.corner) + (double(i) / nx) * along + (double(j) / ny) * across, x, w, z};
          },
          {"x_min", "x_max", "y_min", "y_max"});
}

void generate(Builder& b, const AnnularPlateMesh& ring) {
  const Vector normal = unit(ring.normal), start = unit(ring.start);
  const Vector u = unit(start - dot(start, normal) * normal);
  const Vector v = cross(normal, u);
  const int n_around = ring.elements[0], n_across = ring.elements[1];
  const double step = radians(ring.angle) / n_around, width = (ring.outer_radius - ring.inner_radius) / n_across;
  const double L = 0.5 * (ring.inner_radius + ring.outer_radius) * step;  // one reference length for all elements
  surface(b, n_around, n_across, L, width,
          [&](int i, int j) {
            const double angle = step * i, radius = ring.outer_radius - j * width;
            const Vector radial = std::cos(angle) * u + std::sin(angle) * v;
            const Vector around = std::cos(angle) * v - std::sin(angle) * u;
            return SurfaceNode{vec(ring.center) + radius * radial, (radius * step / L) * around, -1.0 * radial, normal};
          },
          {"start", "end", "outer", "inner"});
}

// The six tetrahedra of a brick along its diagonal (H. Freudenthal): corner 0, one edge after the other in the order
// of `axes`, corner 7. `corner` has a bit for each axis; odd orders have two corners exchanged, so that none is
// inverted.
struct Simplex {
  int axes[3];
  int corner[4];
};
constexpr Simplex simplices[6] = {{{0, 1, 2}, {0, 1, 3, 7}}, {{1, 2, 0}, {0, 2, 6, 7}}, {{2, 0, 1}, {0, 4, 5, 7}},
                                  {{0, 2, 1}, {0, 5, 1, 7}}, {{1, 0, 2}, {0, 3, 2, 7}}, {{2, 1, 0}, {0, 6, 4, 7}}};

// Bricks in three directions over a grid: of a block, or bent into a pipe.
struct BrickGrid {
  std::array<int, 3> count;  // bricks
  std::array<std::array<const char*, 2>, 3> names;
  bool closed = false;                                          // the last bricks of the first direction meet its first
  std::function<SurfaceNode(const std::array<double, 3>&)> at;  // a place counted in bricks, and its gradients
  std::array<double, 3> size;                                   // of a brick: L, W, T
};

// Numbers of its nodes, `fine` of them to a brick's edge.
struct GridNodes {
  std::array<int, 3> grid;  // last place in each direction
  bool closed;
  GridNodes(const BrickGrid& bricks, int fine)
      : grid{fine * bricks.count[0], fine * bricks.count[1], fine * bricks.count[2]}, closed(bricks.closed) {}
  int row() const { return closed ? grid[0] : grid[0] + 1; }
  int operator()(const std::array<int, 3>& at) const {
    return (at[2] * (grid[1] + 1) + at[1]) * row() + (closed ? at[0] % grid[0] : at[0]);
  }
};

// Nodes, and the sets of the six sides.
GridNodes add_nodes(Builder& b, const BrickGrid& bricks, int fine) {
  const GridNodes node(bricks, fine);
  std::array<std::array<std::vector<int>, 2>, 3> sets;
  for (int k = 0; k <= node.grid[2]; ++k)
    for (int j = 0; j <= node.grid[1]; ++j)
      for (int i = 0; i < node.row(); ++i) {
        const int at[3] = {i, j, k};
        const SurfaceNode n = bricks.at({double(i) / fine, double(j) / fine, double(k) / fine});
        for (int d = 0; d < 3; ++d)
          for (int s = 0; s < 2; ++s)
            if (at[d] == s * node.grid[d]) sets[d][s].push_back(node({i, j, k}));
        b.node(n.r, n.x, n.y, n.z);
      }
  for (int d = bricks.closed ? 1 : 0; d < 3; ++d)
    for (int s = 0; s < 2; ++s) b.set(bricks.names[d][s], sets[d][s]);
  b.set("all", range(0, b.mesh.node_count(), 1));
  return node;
}

// Sides of the grid, and the points in their middles: point(places counted in bricks, direction of the side).
template <class Point>
void name_sides_of(Builder& b, const BrickGrid& bricks, std::array<std::array<std::vector<Side>, 2>, 3>& sides,
                   Point point) {
  for (int d = bricks.closed ? 1 : 0; d < 3; ++d)
    for (int s = 0; s < 2; ++s) {
      std::array<double, 3> middle{0.5 * bricks.count[0], 0.5 * bricks.count[1], 0.5 * bricks.count[2]};
      middle[d] = s * bricks.count[d];
      const MaterialPoint at = point(middle);
      b.side(bricks.names[d][s], std::move(sides[d][s]));
      b.point(std::string(bricks.names[d][s]) + "_middle", at.element, at.xi);
    }
}

// Each brick as six tetrahedra; with middle nodes on a grid twice as fine.
void add_tetrahedra(Builder& b, const BrickGrid& bricks) {
  const bool quadratic = b.body.element->nodes == 10;
  const int fine = quadratic ? 2 : 1;
  const std::array<int, 3>& count = bricks.count;
  const GridNodes node = add_nodes(b, bricks, fine);
  std::array<std::array<std::vector<Side>, 2>, 3> sides;
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i)
        for (int s = 0; s < 6; ++s) {
          const int brick[3] = {i, j, k}, e = static_cast<int>(b.mesh.size.size() / 3);
          std::array<int, 3> at[4];
          for (int c = 0; c < 4; ++c)
            for (int d = 0; d < 3; ++d) at[c][d] = fine * (brick[d] + (simplices[s].corner[c] >> d & 1));
          for (const auto& corner : at) b.mesh.elements.push_back(node(corner));
          for (int m = 0; quadratic && m < 6; ++m) {
            const auto &from = at[Tet10::edge(m, 0)], &to = at[Tet10::edge(m, 1)];
            b.mesh.elements.push_back(node({(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2}));
          }
          b.mesh.size.insert(b.mesh.size.end(), {0, 0, 0});
          for (int d = 0; d < 3; ++d)
            for (int end = 0; end < 2; ++end)
              for (int opposite = 0; opposite < 4; ++opposite) {  // the side without this corner
                bool all = true;
                for (int c = 0; c < 4; ++c) all = all && (c == opposite || at[c][d] == end * node.grid[d]);
                if (all) sides[d][end].push_back({e, opposite == 0 ? 3 : opposite - 1, opposite == 0 ? 1.0 : -1.0});
              }
        }
  // The tetrahedron of a point given in bricks, and its natural coordinates there.
  name_sides_of(b, bricks, sides, [&](const std::array<double, 3>& at) {
    int brick[3];
    double u[3];
    for (int d = 0; d < 3; ++d) {
      brick[d] = std::min(static_cast<int>(at[d]), count[d] - 1);
      u[d] = at[d] - brick[d];
    }
    for (int s = 0; s < 6; ++s) {
      const auto [first, second, third] = simplices[s].axes;
      if (u[first] < u[second] || u[second] < u[third]) continue;
      Triple xi{u[first] - u[second], u[second] - u[third], u[third]};
      if (s >= 3) std::swap(xi[0], xi[1]);
      return MaterialPoint{6 * ((brick[2] * count[1] + brick[1]) * count[0] + brick[0]) + s, xi};
    }
    return MaterialPoint{};
  });
}

void add_bricks(Builder& b, const BrickGrid& bricks) {
  if (b.body.element->cell == Cell::tetrahedron) return add_tetrahedra(b, bricks);
  const auto [nx, ny, nz] = bricks.count;
  const GridNodes node = add_nodes(b, bricks, 1);
  std::array<std::array<std::vector<Side>, 2>, 3> sides;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const int e = (k * ny + j) * nx + i, at[3] = {i, j, k};
        const auto corner = [&](int x, int y, int z) { return node({i + x, j + y, k + z}); };
        b.element({corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0), corner(0, 0, 1), corner(1, 0, 1),
                   corner(1, 1, 1), corner(0, 1, 1)},
                  bricks.size[0], bricks.size[1], bricks.size[2]);
        for (int d = 0; d < 3; ++d) {
          if (at[d] == 0) sides[d][0].push_back({e, d, -1});
          if (at[d] == bricks.count[d] - 1) sides[d][1].push_back({e, d, 1});
        }
      }
  name_sides_of(b, bricks, sides, [&](const std::array<double, 3>& at) {
    int brick[3];
    Triple xi;
    for (int d = 0; d < 3; ++d) {
      brick[d] = std::min(static_cast<int>(at[d]), bricks.count[d] - 1);
      xi[d] = 2 * (at[d] - brick[d]) - 1;
    }
    return MaterialPoint{(brick[2] * ny + brick[1]) * nx + brick[0], xi};
  });
}

void generate(Builder& b, const BlockMesh& block) {
  const Vector x = unit(block.length), y = unit(block.width), z = unit(block.height);
  const Vector edge[3] = {vec(block.length), vec(block.width), vec(block.height)};
  const std::array<int, 3>& n = block.elements;
  add_bricks(b, {.count = n,
                 .names = {{{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}}},
                 .at =
                     [&](const std::array<double, 3>& at) {
                       Vector r = vec(block.corner);
                       for (int d = 0; d < 3; ++d) r = r + (at[d] / n[d]) * edge[d];
                       return SurfaceNode{r, x, y, z};
                     },
                 .size = {norm(edge[0]) / n[0], norm(edge[1]) / n[1], norm(edge[2]) / n[2]}});
}

// Bricks around, from the outside inwards, and along the axis: a ring like that of an annular plate, drawn out.
void generate(Builder& b, const PipeMesh& pipe) {
  const Vector axis = vec(pipe.to) - vec(pipe.from), along = (1 / norm(axis)) * axis;
  Vector wanted = pipe.start ? unit(*pipe.start) : cross(Vector{{0, 0, 1}}, along);
  if (!pipe.start && norm(wanted) < 1e-6) wanted = Vector{{1, 0, 0}};
  const Vector u = unit(wanted - dot(wanted, along) * along), v = cross(along, u);
  const auto [n_along, n_around, n_across] = pipe.elements;
  const double step = radians(pipe.angle) / n_around, width = (pipe.outer_radius - pipe.inner_radius) / n_across;
  const double L = 0.5 * (pipe.inner_radius + pipe.outer_radius) * step;  // one reference length for all elements
  add_bricks(b, {.count = {n_around, n_across, n_along},
                 .names = {{{"first", "last"}, {"outer", "inner"}, {"start", "end"}}},
                 .closed = pipe.angle == 360,
                 .at =
                     [&, n = n_along](const std::array<double, 3>& at) {
                       const double angle = step * at[0], radius = pipe.outer_radius - at[1] * width;
                       const Vector radial = std::cos(angle) * u + std::sin(angle) * v;
                       const Vector around = std::cos(angle) * v - std::sin(angle) * u;
                       return SurfaceNode{vec(pipe.from) + (at[2] / n) * axis + radius * radial,
                                          (radius * step / L) * around, -1.0 * radial, along};
                     },
                 .size = {L, width, norm(axis) / n_along}});
}

void generate(Builder& b, const NodeMesh& given) {
  for (const std::vector<double>& node : given.nodes) b.mesh.nodes.insert(b.mesh.nodes.end(), node.begin(), node.end());
  for (std::size_t e = 0; e < given.elements.size(); ++e) {
    b.mesh.elements.insert(b.mesh.elements.end(), given.elements[e].begin(), given.elements[e].end());
    const Triple size = given.size.empty() ? Triple{0, 0, 0} : given.size[given.size.size() == 1 ? 0 : e];
    b.mesh.size.insert(b.mesh.size.end(), size.begin(), size.end());
  }
  for (const auto& [set_name, nodes] : given.sets.items) b.set(set_name, nodes);
  if (!b.mesh.sets.find("all")) b.set("all", range(0, b.mesh.node_count(), 1));
  name_sides(b.mesh, element_info(b.body.element), given.sides);
}

void generate(Builder& b, const FileMesh& given) {
  const std::string path = mesh_file_path(given, b.said);
  b.files.check(path, given.digest, b.said);
  const ElementInfo& info = element_info(b.body.element);
  const BodyMesh body = select(b.files.file(path), b.body.element, given.instance, given.group);
  for (const Triple& r : body.nodes) b.mesh.nodes.insert(b.mesh.nodes.end(), r.begin(), r.end());
  b.mesh.elements = body.elements;
  b.mesh.size.assign(3 * (body.elements.size() / info.nodes), 0.0);
  b.mesh.notes = body.notes;
  for (const auto& [name, nodes] : body.sets.items) b.set(name, nodes);
  if (!b.mesh.sets.find("all")) b.set("all", range(0, b.mesh.node_count(), 1));
  for (const auto& [name, sides] : body.sides.items) {
    std::vector<Side> list;
    for (const BodyMesh::Side& side : sides)
      list.push_back({side.element, info.side_axis(side.side), info.side_at(side.side)});
    b.side(name, std::move(list));
  }
  if (!b.mesh.sides.find("boundary")) b.side("boundary", boundary_sides(b.mesh, info));
}

// Rows and columns of cables. A crossing has a node of its row and one of its column, tied in position. The set
// 'corners' has both nodes of the first corner: pinned, its tie is redundant and drops out (P3: 15 equations pin four
// corners).
void generate(Builder& b, const NetMesh& net) {
  const auto cable = [](const Triple& cell, int n) {
    return std::sqrt(cell[0] * cell[0] + cell[1] * cell[1] + cell[2] * cell[2]) / n;
  };
  const int per = net.elements;
  const int lines[2] = {net.cells[1] + 1, net.cells[0] + 1};  // rows, columns
  const int nodes[2] = {net.cells[0] * per + 1, net.cells[1] * per + 1};
  const Triple* step[2] = {&net.along, &net.across};
  for (int direction : {0, 1}) {
    const Triple &d = *step[direction], &other = *step[1 - direction];
    const double length = cable(d, per);
    for (int line = 0; line < lines[direction]; ++line)
      for (int i = 0; i < nodes[direction]; ++i) {
        Vector r, x;
        for (int m = 0; m < 3; ++m) {
          r[m] = net.corner[m] + line * other[m] + d[m] * (static_cast<double>(i) / per);
          x[m] = d[m] / (per * length);
        }
        b.node(r, x, {}, {});
        if (i == 0) continue;
        const int node = b.mesh.node_count() - 1;
        b.mesh.elements.insert(b.mesh.elements.end(), {node - 1, node});
        b.mesh.size.insert(b.mesh.size.end(), {length, 0, 0});
      }
  }
  const auto row_node = [&](int i, int j) { return j * nodes[0] + i * per; };  // crossing (i, j)
  const auto column_node = [&](int i, int j) { return lines[0] * nodes[0] + i * nodes[1] + j * per; };
  for (int j = 0; j < lines[0]; ++j)
    for (int i = 0; i < lines[1]; ++i) b.mesh.ties.push_back({row_node(i, j), column_node(i, j), false});
  const int last_i = net.cells[0], last_j = net.cells[1];
  b.set("corners",
        {row_node(0, 0), column_node(0, 0), row_node(last_i, 0), row_node(0, last_j), row_node(last_i, last_j)});
  b.set("center", {row_node(last_i / 2, last_j / 2)});
  b.set("all", range(0, b.mesh.node_count(), 1));
}

// P1's constraint-based mesh: every element has nodes of its own, tied to those of the elements before it. Sets and
// ties keep the first of the copies.
void separate_elements(Mesh& mesh) {
  const int nodes = mesh.node_count();
  std::vector<char> used(nodes, 0);
  std::vector<MeshTie> joined;
  for (int& node : mesh.elements) {
    if (!used[node]) {
      used[node] = 1;
      continue;
    }
    const int copy = mesh.node_count();
    const std::size_t first = 3ul * static_cast<std::size_t>(node) * mesh.node_vectors;
    for (std::vector<double>* all : {&mesh.nodes, &mesh.free_nodes})
      for (int k = 0; k < 3 * mesh.node_vectors && !all->empty(); ++k) {
        const double x = (*all)[first + k];
        all->push_back(x);
      }
    joined.push_back({node, copy, true});
    node = copy;
  }
  mesh.ties.insert(mesh.ties.begin(), joined.begin(), joined.end());
}

Mesh rigid_mesh(const AnyBody& any, const Where& said, MeshFiles& files) {
  Mesh mesh;
  mesh.node_vectors = body_kind(any)->node_vectors;
  const auto add = [&](const Triple& a) { mesh.nodes.insert(mesh.nodes.end(), a.begin(), a.end()); };
  if (const auto* rigid = std::get_if<RigidBody>(&any)) {
    const std::array<Triple, 3> axes = frame_of(*rigid);
    Triple position = rigid->position;
    Vec3<double> centre{};
    if (rigid->origin == BodyOrigin::shape) {
      centre = solid_mass(*rigid, said, files).centre;
      for (int m = 0; m < 3; ++m)
        for (int k = 0; k < 3; ++k) position[m] += centre[k] * axes[k][m];
    }
    for (const Triple& a : {position, axes[0], axes[1], axes[2]}) add(a);
    mesh.points.add("center", MaterialPoint{0, {0, 0, 0}});
    for (const auto& [point_name, at] : rigid->points.items)
      mesh.points.add(point_name, MaterialPoint{0, {at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]}});
    if (rigid->shape)
      for_files(*rigid->shape, [&](const MeshShape& shape) {
        const std::vector<std::string>& notes = mesh_of(shape, said, files).surface.notes;
        mesh.notes.insert(mesh.notes.end(), notes.begin(), notes.end());
      });
  } else if (const auto* point = std::get_if<PointMass>(&any)) {
    add(point->position);
    mesh.points.add("center", MaterialPoint{0, {0, 0, 0}});
  } else {
    const Linkage& linkage = std::get<Linkage>(any);
    for (const Triple& p : linkage.points) add(p);
    for (const auto& bar : linkage.bars) mesh.elements.insert(mesh.elements.end(), bar.begin(), bar.end());
    for (const auto& [set_name, nodes] : linkage.sets.items) mesh.sets.add(set_name, nodes);
  }
  if (mesh.elements.empty())
    for (int n = 0; n < mesh.node_count(); ++n) mesh.elements.push_back(n);
  mesh.size.assign(3 * mesh.elements.size(), 0.0);
  if (!mesh.sets.find("all")) {
    std::vector<int> all(mesh.node_count());
    for (int n = 0; n < mesh.node_count(); ++n) all[n] = n;
    mesh.sets.add("all", all);
  }
  return mesh;
}

}  // namespace

ElementKind body_kind(const AnyBody& body) {
  if (const auto* flexible = std::get_if<Body>(&body)) return flexible->element;
  if (std::holds_alternative<RigidBody>(body)) return ElementKind::rigid;
  const auto* linkage = std::get_if<Linkage>(&body);
  return linkage && !linkage->bars.empty() ? ElementKind::bar : ElementKind::point;
}

bool starts_hanging(const Model& model) {
  if (norm(gravity_of(model)) == 0) return false;
  for (const auto& [name, any] : model.bodies.items)
    if (const auto* body = std::get_if<Body>(&any); body && !body->element->volume)
      if (const auto* line = std::get_if<LineMesh>(&body->mesh); line && is_slack(*line)) return true;
  return false;
}

Mesh make_mesh(const Model& model, const std::string& body_name) {
  MeshFiles files;
  return make_mesh(model, body_name, files);
}

Mesh make_mesh(const Model& model, const std::string& body_name, MeshFiles& files) {
  const AnyBody& any = *model.bodies.find(body_name);
  if (!std::holds_alternative<Body>(any))
    return rigid_mesh(any, model.bodies.where[model.bodies.position(body_name)], files);
  const Body& body = std::get<Body>(any);
  Builder builder{body,
                  model.bodies.where[model.bodies.position(body_name)],
                  body.section.empty() ? nullptr : model.sections.find(body.section),
                  model,
                  files,
                  {}};
  builder.mesh.node_vectors = body.element->node_vectors;
  std::visit([&](const auto& source) { generate(builder, source); }, body.mesh);
  if (body.connect == Connect::constraints) separate_elements(builder.mesh);
  return std::move(builder.mesh);
}

}  // namespace lithe
