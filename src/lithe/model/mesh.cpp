#include "lithe/model/mesh.h"

#include <cmath>
#include <numbers>

#include "lithe/base/small.h"

namespace lithe {

namespace {

using Vector = Vec3<double>;

Vector vector(const Triple& t) { return {{t[0], t[1], t[2]}}; }
double norm(const Vector& a) { return std::sqrt(dot(a, a)); }
double radians(double degrees) { return degrees * std::numbers::pi / 180; }

struct Builder {
  const Body& body;
  const Section* section;
  std::string name;
  Where where;
  Mesh mesh;

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(where, "body '" + name + "': " + message);
  }
  Vector unit(const Triple& t, const char* what) const {
    const double length = norm(vector(t));
    if (!(length > 0)) fail(std::string(what) + " has zero length; give a direction");
    return (1 / length) * vector(t);
  }
  template <class T>
  const T& section_as(const char* wanted) const {
    if (!section)
      fail(std::string("a ") + element_info(body.element).name + " needs a section of type " + wanted +
           "; give 'section'");
    if (const T* s = std::get_if<T>(section)) return *s;
    fail("section '" + body.section + "' has the wrong type for a " + element_info(body.element).name + "; use type " +
         wanted);
  }
  double thickness() const {
    if (body.element == ElementKind::shell3443 && section)
      if (const Layered* layered = std::get_if<Layered>(section)) {
        double sum = 0;
        for (const Layer& layer : layered->layers) sum += layer.thickness;
        if (layered->layers.empty()) fail("section '" + body.section + "' has no layers");
        return sum;
      }
    return section_as<Plate>(body.element == ElementKind::shell3443 ? "plate or layered" : "plate").thickness;
  }

  void node(const Vector& r, const Vector& x, const Vector& y, const Vector& z) {
    for (const Vector* a : {&r, &x, &y, &z})
      for (int m = 0; m < 3; ++m) mesh.nodes.push_back((*a)[m]);
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
  if (b.body.element == ElementKind::cable) return;
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
  if (b.body.element == ElementKind::cable) return {0, 0};
  const Rectangle& rectangle = b.section_as<Rectangle>("rectangle");
  return {rectangle.width, rectangle.thickness};
}

// A cable is straight and unstretched in its reference configuration: equal unit gradients along the chord of length L.
void check_straight(const Builder& b, std::size_t element, double length) {
  const double* first = &b.mesh.nodes[12ul * b.mesh.elements[2 * element]];
  const double* second = &b.mesh.nodes[12ul * b.mesh.elements[2 * element + 1]];
  for (int m = 0; m < 3; ++m) {
    const double chord = (second[m] - first[m]) / length;
    if (std::abs(first[3 + m] - chord) > 1e-9 || std::abs(second[3 + m] - chord) > 1e-9)
      b.fail("cable element " + std::to_string(element) +
             " is curved or stretched in its reference configuration; a cable is naturally straight with r_x along it "
             "and length L: use beam3243 for a curved reference");
  }
}

void generate(Builder& b, const LineMesh& line) {
  if (element_info(b.body.element).dimension != 1)
    b.fail(std::string("a line mesh makes cable or beam3243 elements, not ") + element_info(b.body.element).name);
  const Vector axis = vector(line.to) - vector(line.from);
  const double length = norm(axis);
  if (!(length > 0)) b.fail("'from' and 'to' are the same point; a line needs a length");
  const Vector x = (1 / length) * axis;
  Vector wanted = line.width_direction ? b.unit(*line.width_direction, "width_direction") : cross(Vector{{0, 0, 1}}, x);
  if (!line.width_direction && norm(wanted) < 1e-6) wanted = Vector{{0, 1, 0}};
  Vector y = wanted - dot(wanted, x) * x;
  if (norm(y) < 1e-9) b.fail("width_direction is parallel to the line; give another direction");
  y = (1 / norm(y)) * y;
  const Vector z = cross(x, y);
  const auto [W, T] = beam_section(b);
  const int n = line.elements;
  for (int i = 0; i <= n; ++i) b.node(vector(line.from) + (double(i) / n) * axis, x, y, z);
  for (int e = 0; e < n; ++e) b.element({e, e + 1}, length / n, W, T);
  name_line(b, n);
}

void generate(Builder& b, const ArcMesh& arc) {
  if (b.body.element == ElementKind::cable)
    b.fail("a cable is naturally straight and cannot start curved; use beam3243 for a curved reference, or a line");
  if (b.body.element != ElementKind::beam3243)
    b.fail(std::string("an arc mesh makes beam3243 elements, not ") + element_info(b.body.element).name);
  const Vector normal = b.unit(arc.normal, "normal");
  Vector u = b.unit(arc.start, "start");
  u = u - dot(u, normal) * normal;
  if (norm(u) < 1e-9) b.fail("'start' is parallel to 'normal'; it must lie in the plane of the arc");
  u = (1 / norm(u)) * u;
  const Vector v = cross(normal, u);
  const auto [W, T] = beam_section(b);
  const int n = arc.elements;
  const double total = radians(arc.angle), length = arc.radius * total / n;
  for (int i = 0; i <= n; ++i) {
    const double angle = total * i / n, turn = radians(arc.twist) * i / n;
    const Vector radial = std::cos(angle) * u + std::sin(angle) * v;
    const Vector x = std::cos(angle) * v - std::sin(angle) * u;
    const Vector inward = -1.0 * radial;  // y, so that z starts along the normal
    const Vector y = std::cos(turn) * inward + std::sin(turn) * normal;
    b.node(vector(arc.center) + arc.radius * radial, x, y, cross(x, y));
  }
  for (int e = 0; e < n; ++e) b.element({e, e + 1}, length, W, T);
  name_line(b, n);
}

// A structured surface of nx by ny elements, `place(i, j)` giving the mid-surface and its gradients at node (i, j);
// shells take it as it is, hexas put one layer of bricks around it.
struct SurfaceNode {
  Vector r, x, y, z;
};
template <class Place>
void surface(Builder& b, int nx, int ny, double L, double W, Place place, const std::array<const char*, 4>& edges) {
  const bool solid = b.body.element == ElementKind::hexa3843;
  if (!solid && b.body.element != ElementKind::shell3443)
    b.fail(std::string("this mesh makes shell3443 or hexa3843 elements, not ") + element_info(b.body.element).name);
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
  const Vector x = b.unit(plate.length, "length"), w = b.unit(plate.width, "width");
  if (std::abs(dot(x, w)) > 1e-9) b.fail("'length' and 'width' must be at right angles");
  const auto [nx, ny] = plate.elements;
  const Vector along = vector(plate.length), across = vector(plate.width), z = cross(x, w);
  surface(b, nx, ny, norm(along) / nx, norm(across) / ny,
          [&](int i, int j) {
            return SurfaceNode{vector(plate.corner) + (double(i) / nx) * along + (double(j) / ny) * across, x, w, z};
          },
          {"x_min", "x_max", "y_min", "y_max"});
}

void generate(Builder& b, const AnnularPlateMesh& ring) {
  if (!(ring.outer_radius > ring.inner_radius)) b.fail("outer_radius must be larger than inner_radius");
  if (ring.angle > 360) b.fail("the angle of a ring is at most 360 deg");
  const Vector normal = b.unit(ring.normal, "normal");
  Vector u = b.unit(ring.start, "start");
  u = u - dot(u, normal) * normal;
  if (norm(u) < 1e-9) b.fail("'start' is parallel to 'normal'; it must lie in the plane of the ring");
  u = (1 / norm(u)) * u;
  const Vector v = cross(normal, u);
  const auto [n_around, n_across] = ring.elements;
  const double step = radians(ring.angle) / n_around, width = (ring.outer_radius - ring.inner_radius) / n_across;
  const double L = 0.5 * (ring.inner_radius + ring.outer_radius) * step;  // one reference length for all elements
  surface(
      b, n_around, n_across, L, width,
      [&](int i, int j) {
        const double angle = step * i, radius = ring.outer_radius - j * width;
        const Vector radial = std::cos(angle) * u + std::sin(angle) * v;
        const Vector around = std::cos(angle) * v - std::sin(angle) * u;
        return SurfaceNode{vector(ring.center) + radius * radial, (radius * step / L) * around, -1.0 * radial, normal};
      },
      {"start", "end", "outer", "inner"});
}

void generate(Builder& b, const BlockMesh& block) {
  if (b.body.element != ElementKind::hexa3843)
    b.fail(std::string("a block mesh makes hexa3843 elements, not ") + element_info(b.body.element).name);
  const Vector x = b.unit(block.length, "length"), y = b.unit(block.width, "width"), z = b.unit(block.height, "height");
  if (std::abs(dot(x, y)) > 1e-9 || std::abs(dot(x, z)) > 1e-9 || std::abs(dot(y, z)) > 1e-9)
    b.fail("'length', 'width' and 'height' must be at right angles");
  if (dot(cross(x, y), z) < 0)
    b.fail("'length', 'width' and 'height' must form a right-handed frame (elements would be inverted)");
  const auto [nx, ny, nz] = block.elements;
  const Vector edge[3] = {vector(block.length), vector(block.width), vector(block.height)};
  const int row = nx + 1, layer = row * (ny + 1);
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        b.node(
            vector(block.corner) + (double(i) / nx) * edge[0] + (double(j) / ny) * edge[1] + (double(k) / nz) * edge[2],
            x, y, z);
  static const char* const names[3][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
  std::array<std::array<std::vector<Side>, 2>, 3> sides;
  const int count[3] = {nx, ny, nz};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const int a = k * layer + j * row + i, e = (k * ny + j) * nx + i, c = a + layer;
        b.element({a, a + 1, a + row + 1, a + row, c, c + 1, c + row + 1, c + row}, norm(edge[0]) / nx,
                  norm(edge[1]) / ny, norm(edge[2]) / nz);
        const int at[3] = {i, j, k};
        for (int d = 0; d < 3; ++d) {
          if (at[d] == 0) sides[d][0].push_back({e, d, -1});
          if (at[d] == count[d] - 1) sides[d][1].push_back({e, d, 1});
        }
      }
  auto middle_of = [](int n) { return std::pair<int, double>{n / 2, n % 2 == 0 ? -1.0 : 0.0}; };
  for (int d = 0; d < 3; ++d)
    for (int s = 0; s < 2; ++s) {
      std::vector<int> nodes;
      for (int k = 0; k <= nz; ++k)
        for (int j = 0; j <= ny; ++j)
          for (int i = 0; i <= nx; ++i) {
            const int at[3] = {i, j, k};
            if (at[d] == (s == 0 ? 0 : count[d])) nodes.push_back(k * layer + j * row + i);
          }
      int cell[3];
      Triple xi;
      for (int a = 0; a < 3; ++a) std::tie(cell[a], xi[a]) = middle_of(count[a]);
      cell[d] = s == 0 ? 0 : count[d] - 1;
      xi[d] = s == 0 ? -1 : 1;
      b.set(names[d][s], nodes);
      b.side(names[d][s], sides[d][s]);
      b.point(std::string(names[d][s]) + "_middle", (cell[2] * ny + cell[1]) * nx + cell[0], xi);
    }
  b.set("all", range(0, b.mesh.node_count(), 1));
}

void generate(Builder& b, const NodeMesh& given) {
  const ElementInfo& info = element_info(b.body.element);
  const std::size_t numbers = 3 * info.node_vectors;
  const int count = static_cast<int>(given.nodes.size());
  for (int n = 0; n < count; ++n) {
    if (given.nodes[n].size() != numbers)
      b.fail("node " + std::to_string(n) + " has " + std::to_string(given.nodes[n].size()) + " numbers; a " +
             info.name + " needs " + std::to_string(numbers) + (numbers == 12 ? " (r, r_x, r_y, r_z)" : " (r, r_x)"));
    b.mesh.nodes.insert(b.mesh.nodes.end(), given.nodes[n].begin(), given.nodes[n].end());
    b.mesh.nodes.resize(12ul * (n + 1), 0.0);
  }
  if (given.elements.empty()) b.fail("the mesh has no elements");
  if (given.size.size() != 1 && given.size.size() != given.elements.size())
    b.fail("'size' has " + std::to_string(given.size.size()) + " rows; give one, or one per element (" +
           std::to_string(given.elements.size()) + ")");
  std::vector<char> used(count, 0);
  for (std::size_t e = 0; e < given.elements.size(); ++e) {
    const std::vector<int>& nodes = given.elements[e];
    if (static_cast<int>(nodes.size()) != info.nodes)
      b.fail("element " + std::to_string(e) + " has " + std::to_string(nodes.size()) + " nodes; a " + info.name +
             " has " + std::to_string(info.nodes));
    for (int n : nodes) {
      if (n < 0 || n >= count)
        b.fail("element " + std::to_string(e) + " names node " + std::to_string(n) + ", but the nodes are 0 to " +
               std::to_string(count - 1));
      used[n] = 1;
    }
    b.mesh.elements.insert(b.mesh.elements.end(), nodes.begin(), nodes.end());
    const Triple& size = given.size[given.size.size() == 1 ? 0 : e];
    for (int d = 0; d < (b.body.element == ElementKind::cable ? 1 : 3); ++d)
      if (!(size[d] > 0)) b.fail("element " + std::to_string(e) + " has zero size; L, W and T must be greater than 0");
    b.mesh.size.insert(b.mesh.size.end(), size.begin(), size.end());
    if (b.body.element == ElementKind::cable) check_straight(b, e, size[0]);
  }
  for (int n = 0; n < count; ++n)
    if (!used[n]) b.fail("node " + std::to_string(n) + " belongs to no element; remove it");
  for (const auto& [set_name, nodes] : given.sets.items) {
    for (int n : nodes)
      if (n < 0 || n >= count)
        b.fail("set '" + set_name + "' names node " + std::to_string(n) + ", but the nodes are 0 to " +
               std::to_string(count - 1));
    b.set(set_name, nodes);
  }
  if (!b.mesh.sets.find("all")) b.set("all", range(0, count, 1));
}

// Rows and columns of cables. A crossing has a node of its row and one of its column, tied in position. The set
// 'corners' has both nodes of the first corner: pinned, its tie is redundant and drops out (P3: 15 equations pin four
// corners).
void generate(Builder& b, const NetMesh& net) {
  if (b.body.element != ElementKind::cable) b.fail("a net is made of cables; use 'element: cable'");
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
    if (!(length > 0)) b.fail(std::string("'") + (direction ? "across" : "along") + "' has zero length");
    for (int line = 0; line < lines[direction]; ++line)
      for (int i = 0; i < nodes[direction]; ++i) {
        for (int m = 0; m < 3; ++m)
          b.mesh.nodes.push_back(net.corner[m] + line * other[m] + d[m] * (static_cast<double>(i) / per));
        for (int m = 0; m < 3; ++m) b.mesh.nodes.push_back(d[m] / (per * length));
        b.mesh.nodes.resize(b.mesh.nodes.size() + 6, 0.0);
        if (i == 0) continue;
        const int node = static_cast<int>(b.mesh.nodes.size() / 12) - 1;
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
    for (int k = 0; k < 12; ++k) {
      const double x = mesh.nodes[12ul * node + k];
      mesh.nodes.push_back(x);
    }
    joined.push_back({node, copy, true});
    node = copy;
  }
  mesh.ties.insert(mesh.ties.begin(), joined.begin(), joined.end());
}

Mesh rigid_mesh(const AnyBody& any, const std::string& name, const Where& where) {
  Mesh mesh;
  const auto add = [&](const Triple& r, const std::array<Triple, 3>& axes) {
    mesh.nodes.insert(mesh.nodes.end(), r.begin(), r.end());
    for (const Triple& a : axes) mesh.nodes.insert(mesh.nodes.end(), a.begin(), a.end());
  };
  const std::array<Triple, 3> none{};
  const auto fail = [&](const std::string& what) { throw InputError(where, "body '" + name + "': " + what); };
  if (const auto* rigid = std::get_if<RigidBody>(&any)) {
    const auto dot3 = [](const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    const auto scaled = [&](const Triple& a) {
      const double length = std::sqrt(dot3(a, a));
      if (!(length > 0)) fail("x_axis and y_axis must be independent vectors of nonzero length");
      return Triple{a[0] / length, a[1] / length, a[2] / length};
    };
    const Triple x = scaled(rigid->x_axis.value_or(Triple{1, 0, 0}));
    Triple y = rigid->y_axis.value_or(std::abs(x[1]) < 0.9 ? Triple{0, 1, 0} : Triple{0, 0, 1});
    y = scaled(y);
    const double along = dot3(x, y);
    if (std::abs(along) > 1 - 1e-12) fail("y_axis is parallel to x_axis; give another direction");
    y = scaled({y[0] - along * x[0], y[1] - along * x[1], y[2] - along * x[2]});
    const Triple z{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    add(rigid->position, {x, y, z});
    mesh.points.add("center", MaterialPoint{0, {0, 0, 0}});
    for (const auto& [point_name, at] : rigid->points.items) mesh.points.add(point_name, MaterialPoint{0, at});
  } else if (const auto* point = std::get_if<PointMass>(&any)) {
    add(point->position, none);
    mesh.points.add("center", MaterialPoint{0, {0, 0, 0}});
  } else {
    const Linkage& linkage = std::get<Linkage>(any);
    const int count = static_cast<int>(linkage.points.size());
    if (count == 0) fail("a linkage needs points");
    const auto check = [&](int n, const std::string& what) {
      if (n < 0 || n >= count)
        fail(what + " names point " + std::to_string(n) + ", but the points are 0 to " + std::to_string(count - 1));
    };
    for (const Triple& p : linkage.points) add(p, none);
    for (std::size_t i = 0; i < linkage.bars.size(); ++i) {
      const auto& bar = linkage.bars[i];
      for (int n : bar) check(n, "bar " + std::to_string(i));
      if (linkage.points[bar[0]] == linkage.points[bar[1]]) fail("bar " + std::to_string(i) + " has zero length");
      mesh.elements.insert(mesh.elements.end(), bar.begin(), bar.end());
    }
    for (int n : linkage.ground) check(n, "'ground'");
    for (const auto& [set_name, nodes] : linkage.sets.items) {
      for (int n : nodes) check(n, "set '" + set_name + "'");
      mesh.sets.add(set_name, nodes);
    }
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

Mesh make_mesh(const Model& model, const std::string& body_name) {
  const std::size_t position = model.bodies.position(body_name);
  const AnyBody& any = model.bodies.items[position].second;
  const Where& where = model.bodies.where[position];
  if (!std::holds_alternative<Body>(any)) return rigid_mesh(any, body_name, where);
  const Body& body = std::get<Body>(any);
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  Builder builder{body, section, body_name, where, {}};
  if (!body.section.empty() && !section)
    builder.fail("section '" + body.section + "' is not known" + suggestion(body.section, model.sections.names()));
  std::visit([&](const auto& source) { generate(builder, source); }, body.mesh);
  if (body.connect == Connect::constraints) separate_elements(builder.mesh);
  return std::move(builder.mesh);
}

}  // namespace lithe
