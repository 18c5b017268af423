#include "lithe/model/validate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "lithe/base/describe.h"
#include "lithe/linalg/linear_solver.h"
#include "lithe/model/fitting.h"
#include "lithe/model/mesh.h"

namespace lithe {

namespace {

using Keys = std::vector<std::string>;

double norm(const Triple& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
bool parallel(const Triple& a, const Triple& b) { return norm(cross(a, b)) < 1e-9 * norm(a) * norm(b); }
std::string text(const Triple& a) {
  return "[" + number_text(a[0]) + ", " + number_text(a[1]) + ", " + number_text(a[2]) + "]";
}
std::string short_text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}
std::string article(std::string_view word) {
  return (std::string_view("aeiou").find(word[0]) != std::string_view::npos ? "an " : "a ") + std::string(word);
}

template <class Variant>
std::string type_name(const Variant& variant) {
  return std::visit([](const auto& x) { return std::string(schema(&x).name); }, variant);
}

class Validator {
 public:
  Validator(const Model& model, const Value& said, Reading& reading) : model_(model), said_(said), reading_(reading) {}

  void all() {
    if (model_.bodies.size() == 0)
      fail({"bodies"}, "the model has no bodies; name at least one, with its element, material and mesh");
    unique("materials", model_.materials);
    unique("sections", model_.sections);
    unique("bodies", model_.bodies);
    unique("constraints", model_.constraints);
    unique("joints", model_.joints);
    unique("springs", model_.springs);
    unique("initial_velocities", model_.initial_velocities);
    unique("loads", model_.loads);
    unique("outputs", model_.outputs);
    strategy_known({"strategy"}, model_.strategy);
    for (const auto& [name, material] : model_.materials.items) check_material(name, material);
    for (const auto& [name, section] : model_.sections.items) check_section(name, section);
    for (const auto& [name, body] : model_.bodies.items) {
      if (name == "ground")
        fail({"bodies", name}, "the name 'ground' stands for what does not move; give the body another name");
      std::visit([&, &n = name](const auto& b) { check_body(n, b); }, body);
    }
    for (const auto& [name, constraint] : model_.constraints.items) check_constraint(name, constraint);
    for (const auto& [name, joint] : model_.joints.items)
      std::visit([&, &n = name](const auto& j) { check_joint(n, j); }, joint);
    for (const auto& [name, spring] : model_.springs.items)
      std::visit([&, &n = name](const auto& s) { check_spring(n, s); }, spring);
    for (const auto& [name, velocity] : model_.initial_velocities.items) check_initial_velocity(name, velocity);
    for (const auto& [name, load] : model_.loads.items) check_load(name, load);
    for (const auto& [name, output] : model_.outputs.items) check_output(name, output);
    std::visit([&](const auto& analysis) { check_analysis(analysis); }, model_.analysis);
  }

 private:
  // Where these keys were said, or the nearest thing around them that was.
  Where where(const Keys& keys) const {
    const Value* value = &said_;
    Where place = said_.where;
    for (const std::string& key : keys) {
      if (!value) break;
      const Value* next = value->find(key);
      if (!next && value->kind == Value::Kind::list && key.find_first_not_of("0123456789") == std::string::npos &&
          std::stoul(key) < value->items.size())
        next = &value->items[std::stoul(key)];
      value = next;
      if (value) place = value->where;
    }
    if (place.file.rfind("--set", 0) == 0) return place;
    place.path.clear();
    for (const std::string& key : keys) place.path += (place.path.empty() ? "" : ".") + key;
    return place;
  }
  [[noreturn]] void fail(const Keys& keys, const std::string& message) const { throw InputError(where(keys), message); }
  void warn(const Keys& keys, const std::string& message) {
    reading_.warnings.push_back(InputError(where(keys), message).what());
  }

  // Names stand in places (beam.end), in paths of the results and in messages.
  void check_name(const Keys& keys, const std::string& name) const {
    const auto refuse = [&](const std::string& why) {
      fail(keys, "the name '" + name.substr(0, 60) + "' " + why + ", so use letters, digits and _");
    };
    if (name.empty()) refuse("is empty");
    if (name.size() > longest_name)
      refuse("has " + std::to_string(name.size()) + " characters; " + std::to_string(longest_name) + " are the most");
    if (name.find('.') != std::string::npos) refuse("contains a dot; dots separate a body from its places (beam.end)");
    if (name.find('/') != std::string::npos) refuse("contains a '/', which separates names in the results");
    for (const char c : name)
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) refuse("contains a control character");
  }
  // What `action` refuses, with the place.
  template <class Action>
  void at(const Keys& keys, Action&& action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(keys, error.what());
    }
  }

  template <class T>
  void unique(const char* kind, const Named<T>& named) const {
    std::vector<std::string> names = named.names();
    for (const auto& name : names) check_name({kind, name}, name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail({kind, *twice}, "the name '" + *twice + "' is used twice; names must be unique");
  }
  template <class T>
  const T& existing(const Keys& keys, const char* kind, const char* section, const Named<T>& named,
                    const std::string& name) const {
    if (const T* found = named.find(name)) return *found;
    if (named.size() == 0)
      fail(keys,
           std::string(kind) + " '" + name + "' is not known: the model has no '" + section + "'; define it there");
    fail(keys, std::string(kind) + " '" + name + "' is not known" + suggestion(name, named.names()));
  }
  void strategy_known(const Keys& keys, const std::string& name) const {
    const std::vector<std::string> names = strategy_names();
    if (std::ranges::find(names, name) == names.end())
      fail(keys, "strategy '" + name + "' is not known" + suggestion(name, names));
  }
  void direction(Keys keys, const char* key, const Triple& a) const {
    keys.push_back(key);
    if (!(norm(a) > 0)) fail(keys, "this is " + text(a) + ", which has no direction; give a vector of nonzero length");
  }

  // ---- materials and sections ----

  void check_material(const std::string& name, const Material& material) const {
    const Orthotropic* m = std::get_if<Orthotropic>(&material);
    if (!m) return;
    // Positive definite compliance: nu_ij^2 < E_i/E_j for each pair, and its determinant (times E1 E2 E3) positive.
    const struct {
      const char* key;
      double nu, a, b;
      const char* ratio;
    } pairs[] = {{"nu12", m->nu12, m->E1, m->E2, "E1/E2"},
                 {"nu13", m->nu13, m->E1, m->E3, "E1/E3"},
                 {"nu23", m->nu23, m->E2, m->E3, "E2/E3"}};
    for (const auto& p : pairs)
      if (!(p.nu * p.nu < p.a / p.b))
        fail({"materials", name, p.key}, "this is " + number_text(p.nu) + ", but it must be below sqrt(" + p.ratio +
                                             ") = " + short_text(std::sqrt(p.a / p.b)) +
                                             " in size, or the material would release energy when strained");
    const double n12 = m->nu12 * m->nu12 * m->E2 / m->E1, n13 = m->nu13 * m->nu13 * m->E3 / m->E1,
                 n23 = m->nu23 * m->nu23 * m->E3 / m->E2;
    const double rest = 1 - n12 - n13 - n23 - 2 * m->nu12 * m->nu13 * m->nu23 * m->E3 / m->E1;
    if (!(rest > 0))
      fail({"materials", name},
           "nu12, nu13 and nu23 are too large together: 1 - nu12^2 E2/E1 - nu13^2 E3/E1 - nu23^2 E3/E2 - "
           "2 nu12 nu13 nu23 E3/E1 is " +
               short_text(rest) + ", but it must be greater than 0; reduce one of them");
  }

  void check_section(const std::string& name, const Section& section) const {
    const Layered* layered = std::get_if<Layered>(&section);
    if (!layered) return;
    if (layered->layers.empty())
      fail({"sections", name, "layers"}, "the list of layers is empty; give at least one {thickness, angle, material}");
    for (std::size_t i = 0; i < layered->layers.size(); ++i)
      if (const std::string& material = layered->layers[i].material; !material.empty())
        existing({"sections", name, "layers", std::to_string(i), "material"}, "material", "materials", model_.materials,
                 material);
  }

  // ---- bodies ----

  void check_body(const std::string& name, const Body& body) const {
    const auto key = [&](const char* k) { return Keys{"bodies", name, k}; };
    const std::string element = element_info(body.element).name;
    const Material& material = existing(key("material"), "material", "materials", model_.materials, body.material);
    if (body.element == ElementKind::cable && !std::holds_alternative<Isotropic>(material))
      fail(key("material"), "material '" + body.material + "' is " + type_name(material) +
                                ", but a cable takes one Young's modulus; use a material of type isotropic");
    check_mesh_kind(name, body, element);
    check_body_section(name, body, element);
    std::visit([&](const auto& mesh) { check_mesh({"bodies", name, "mesh"}, mesh); }, body.mesh);

    const std::size_t wanted = element_info(body.element).quadrature.size();
    check_rule(key("quadrature"), body.quadrature, wanted, element);
    if (!body.poisson_quadrature.empty() && body.element != ElementKind::beam3243)
      fail(key("poisson_quadrature"),
           "only beam3243 has a separate rule for the Poisson part, not " + element + "; remove this key");
    check_rule(key("poisson_quadrature"), body.poisson_quadrature, 3, element);

    const std::string strategy = body.strategy.value_or(model_.strategy);
    const Keys strategy_keys = body.strategy ? key("strategy") : Keys{"strategy"};
    strategy_known(strategy_keys, strategy);
    const std::vector<std::string> offered = fitting_strategies(body.element);
    if (std::ranges::find(offered, strategy) == offered.end()) {
      std::string list;
      for (const auto& s : offered) list += (list.empty() ? "'" : ", '") + s + "'";
      fail(strategy_keys, "strategy '" + strategy + "' is not for " + element + " (body '" + name +
                              "'), which has only " + list + "; set 'strategy: " + offered.front() + "' in that body");
    }
  }

  void check_body(const std::string& name, const RigidBody& body) const {
    const auto key = [&](const char* k) { return Keys{"bodies", name, k}; };
    if (body.shape) {
      if (body.mass || body.inertia)
        fail(key(body.mass ? "mass" : "inertia"),
             "a shape with its density gives mass and inertia; remove this key, or 'shape' and 'density'");
      if (!(body.density > 0))
        fail(key("density"), "the density is " + number_text(body.density) +
                                 ", but a shape needs one greater than 0; give 'density' in kg/m^3");
      if (const auto* tube = std::get_if<TubeShape>(&*body.shape); tube && !(tube->inner_radius < tube->outer_radius))
        fail({"bodies", name, "shape", "outer_radius"},
             "this is " + number_text(tube->outer_radius) +
                 " m, but it must be larger than inner_radius = " + number_text(tube->inner_radius) + " m");
    } else {
      if (body.density > 0) fail(key("density"), "a density belongs to a shape; give 'shape', or remove this key");
      if (!body.mass || !body.inertia)
        fail({"bodies", name}, std::string("'") + (body.mass ? "inertia" : "mass") +
                                   "' is missing: a rigid body needs 'mass' and 'inertia', or 'shape' and 'density'");
      const std::vector<double>& I = *body.inertia;
      if (I.size() != 3 && I.size() != 6)
        fail(key("inertia"), "this is a list of " + std::to_string(I.size()) +
                                 ", but inertia is [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
      for (int m = 0; m < 3; ++m)
        if (!(I[m] >= 0))
          fail({"bodies", name, "inertia", std::to_string(m)},
               "this is " + number_text(I[m]) + " kg m^2, but a moment of inertia must not be negative");
    }
    check_axes({"bodies", name}, body.x_axis, body.y_axis);
    if (body.points.find("center"))
      fail({"bodies", name, "points", "center"}, "'center' is the centre of mass already; choose another name");
  }

  void check_body(const std::string&, const PointMass&) const {}

  void check_body(const std::string& name, const Linkage& body) const {
    const auto key = [&](const char* k) { return Keys{"bodies", name, k}; };
    const int count = static_cast<int>(body.points.size());
    if (count == 0) fail(key("points"), "the list of points is empty; give at least one [x, y, z]");
    const auto check_point = [&](const Keys& keys, int n) {
      if (n >= count || n < 0)
        fail(keys, "there is no point " + std::to_string(n) + "; the points are 0 to " + std::to_string(count - 1));
    };
    for (std::size_t i = 0; i < body.bars.size(); ++i) {
      const Keys keys{"bodies", name, "bars", std::to_string(i)};
      const auto [from, to] = body.bars[i];
      check_point(keys, from);
      check_point(keys, to);
      const Triple &a = body.points[from], &b = body.points[to];
      if (!(norm({b[0] - a[0], b[1] - a[1], b[2] - a[2]}) > 1e-12 * std::max(norm(a), norm(b))))
        fail(keys, "this bar has zero length: points " + std::to_string(from) + " and " + std::to_string(to) +
                       " are both at " + text(a) + "; move one of them");
    }
    const auto check_count = [&](const char* k, std::size_t given, std::size_t wanted, const char* of) {
      if (given != 0 && given != wanted)
        fail(key(k), "this is a list of " + std::to_string(given) + ", but there are " + std::to_string(wanted) + " " +
                         of + "; give one mass for each");
    };
    check_count("bar_masses", body.bar_masses.size(), body.bars.size(), "bars");
    check_count("point_masses", body.point_masses.size(), body.points.size(), "points");
    if (!body.bar_masses.empty() && body.bar_mass > 0)
      fail(key("bar_mass"), "'bar_mass' and 'bar_masses' are both given; remove one");
    for (std::size_t i = 0; i < body.ground.size(); ++i)
      check_point({"bodies", name, "ground", std::to_string(i)}, body.ground[i]);
    if (body.plane) direction({"bodies", name}, "plane", *body.plane);
    for (const auto& [set, nodes] : body.sets.items)
      for (const int n : nodes) check_point({"bodies", name, "sets", set}, n);
  }

  void check_axes(const Keys& keys, const std::optional<Triple>& x, const std::optional<Triple>& y) const {
    if (x) direction(keys, "x_axis", *x);
    if (y) direction(keys, "y_axis", *y);
    Keys second = keys;
    second.push_back("y_axis");
    if (y && parallel(*y, x.value_or(Triple{1, 0, 0})))
      fail(second, "this is " + text(*y) + ", parallel to x_axis = " + text(x.value_or(Triple{1, 0, 0})) +
                       "; give another direction");
  }

  void check_rule(const Keys& keys, const std::vector<int>& rule, std::size_t wanted,
                  const std::string& element) const {
    if (rule.empty()) return;
    if (rule.size() != wanted)
      fail(keys, "this is a list of " + std::to_string(rule.size()) + ", but " + element + " takes " +
                     std::to_string(wanted) +
                     (element == "cable" ? " numbers of Gauss points: [axial, bending]"
                                         : " numbers of Gauss points, along xi, eta and zeta"));
    for (const int n : rule)
      if (n > 64) fail(keys, "a rule of " + std::to_string(n) + " points is far more than needed; use at most 64");
    double points = 1;
    for (const int n : rule) points *= n;
    if (points > most_points)
      fail(keys, "this rule has " + short_text(points) + " points an element, far more than needed; use at most " +
                     short_text(most_points));
  }

  void check_mesh_kind(const std::string& name, const Body& body, const std::string& element) const {
    const std::vector<std::string> fitting = fitting_meshes(body.element);
    const std::string type = type_name(body.mesh);
    if (std::ranges::find(fitting, type) != fitting.end()) return;
    const Keys keys{"bodies", name, "mesh"};
    if (body.element == ElementKind::cable && type == "arc")
      fail(keys,
           "a cable is naturally straight and cannot follow an arc; use 'element: beam3243' for a curved body, or "
           "'type: line'");
    std::string list;
    for (const auto& f : fitting) list += (list.empty() ? "" : ", ") + f;
    fail(keys, article(type) + " mesh does not fit " + element + "; use one of: " + list);
  }

  void check_body_section(const std::string& name, const Body& body, const std::string& element) const {
    const Keys keys{"bodies", name, "section"};
    const std::vector<std::string> fitting = fitting_sections(
        body.element, std::holds_alternative<BlockMesh>(body.mesh) || std::holds_alternative<NodeMesh>(body.mesh));
    std::string list;
    for (const auto& f : fitting) list += (list.empty() ? "" : " or ") + f;
    if (fitting.empty()) {
      if (!body.section.empty())
        fail(keys, "this body has its dimensions from its mesh and takes no section; remove this key");
      return;
    }
    if (body.section.empty())
      fail(keys, "'section' is missing: " + element + " needs a section of type " + list +
                     "; define one under 'sections' and name it here");
    const Section& section = existing(keys, "section", "sections", model_.sections, body.section);
    const std::string type = type_name(section);
    if (std::ranges::find(fitting, type) == fitting.end())
      fail(keys, "section '" + body.section + "' is of type " + type + ", but " + element + " needs type " + list);
  }

  // ---- meshes ----

  void count(Keys keys, double elements) const {
    keys.push_back("elements");
    if (elements > largest_element_count)
      fail(keys, "the mesh would have " + short_text(elements) + " elements; at most " +
                     short_text(largest_element_count) + " are allowed in a body");
  }
  // An edge divided into n elements, at coordinates of size `around`: are the elements longer than rounding?
  void edge(Keys keys, const char* key, double length, int n, double around) const {
    keys.push_back(key);
    if (!(length / n > 1e-12 * around))
      fail(keys, "the elements would have a length of " + short_text(length / n) +
                     " m, which is zero to rounding; give a longer edge or fewer elements");
  }
  void right_angle(Keys keys, const char* key, const Triple& a, const char* other, const Triple& b) const {
    keys.push_back(key);
    if (parallel(a, b))
      fail(keys, "this is parallel to '" + std::string(other) + "', so the elements would be flat; turn it");
    if (std::abs(dot(a, b)) > 1e-9 * norm(a) * norm(b))
      fail(keys, "this is " + text(a) + ", but it must be at a right angle to '" + other + "' = " + text(b));
  }

  void check_mesh(const Keys& keys, const LineMesh& m) const {
    const Triple axis{m.to[0] - m.from[0], m.to[1] - m.from[1], m.to[2] - m.from[2]};
    count(keys, m.elements);
    if (norm(axis) == 0) {
      Keys to = keys;
      to.push_back("to");
      fail(to, "'from' and 'to' are both " + text(m.to) + ", so the elements have zero length; move one of them");
    }
    edge(keys, "to", norm(axis), m.elements, std::max(norm(m.from), norm(m.to)));
    if (!m.width_direction) return;
    direction(keys, "width_direction", *m.width_direction);
    if (parallel(*m.width_direction, axis)) {
      Keys width = keys;
      width.push_back("width_direction");
      fail(width, "this is " + text(*m.width_direction) + ", along the line itself; give a direction across it");
    }
  }
  template <class Ring>
  void check_ring(const Keys& keys, const Ring& m, int around) const {
    direction(keys, "normal", m.normal);
    direction(keys, "start", m.start);
    Keys start = keys, angle = keys, elements = keys;
    start.push_back("start");
    angle.push_back("angle");
    elements.push_back("elements");
    if (parallel(m.start, m.normal))
      fail(start, "this is parallel to 'normal' = " + text(m.normal) + "; give a direction in the plane of the circle");
    if (m.angle > 360)
      fail(angle, "this is " + number_text(m.angle) + " deg, but it must be at most 360 (a full circle)");
    if (m.angle / around >= 180)
      fail(elements, std::to_string(around) + " element" + (around == 1 ? "" : "s") + " around " +
                         number_text(m.angle) + " deg would each span " + short_text(m.angle / around) +
                         " deg, but must span less than 180; use more elements");
  }
  void check_mesh(const Keys& keys, const ArcMesh& m) const {
    count(keys, m.elements);
    check_ring(keys, m, m.elements);
    edge(keys, "radius", m.radius * m.angle * 0.0175, m.elements, norm(m.center) + m.radius);
  }
  void check_mesh(const Keys& keys, const AnnularPlateMesh& m) const {
    count(keys, double(m.elements[0]) * m.elements[1]);
    check_ring(keys, m, m.elements[0]);
    if (!(m.inner_radius < m.outer_radius)) {
      Keys outer = keys;
      outer.push_back("outer_radius");
      fail(outer, "this is " + number_text(m.outer_radius) + " m, but it must be larger than inner_radius = " +
                      number_text(m.inner_radius) + " m (elements would be inverted)");
    }
    edge(keys, "outer_radius", m.outer_radius - m.inner_radius, m.elements[1], norm(m.center) + m.outer_radius);
  }
  void check_mesh(const Keys& keys, const PlateMesh& m) const {
    count(keys, double(m.elements[0]) * m.elements[1]);
    direction(keys, "length", m.length);
    direction(keys, "width", m.width);
    edge(keys, "length", norm(m.length), m.elements[0], norm(m.corner));
    edge(keys, "width", norm(m.width), m.elements[1], norm(m.corner));
    right_angle(keys, "width", m.width, "length", m.length);
  }
  void check_mesh(const Keys& keys, const BlockMesh& m) const {
    count(keys, double(m.elements[0]) * m.elements[1] * m.elements[2]);
    direction(keys, "length", m.length);
    direction(keys, "width", m.width);
    direction(keys, "height", m.height);
    edge(keys, "length", norm(m.length), m.elements[0], norm(m.corner));
    edge(keys, "width", norm(m.width), m.elements[1], norm(m.corner));
    edge(keys, "height", norm(m.height), m.elements[2], norm(m.corner));
    right_angle(keys, "width", m.width, "length", m.length);
    right_angle(keys, "height", m.height, "length", m.length);
    right_angle(keys, "height", m.height, "width", m.width);
    if (dot(cross(m.length, m.width), m.height) < 0) {
      Keys height = keys;
      height.push_back("height");
      fail(height, "this is " + text(m.height) +
                       ", so length, width and height are left-handed and every element would " +
                       "be inverted; swap 'length' and 'width' or turn 'height' round");
    }
  }

  void check_mesh(const Keys& keys, const NetMesh& m) const {
    count(keys, 2.0 * (m.cells[0] + 1.0) * (m.cells[1] + 1.0) * m.elements);
    direction(keys, "along", m.along);
    direction(keys, "across", m.across);
    edge(keys, "along", norm(m.along), m.elements, norm(m.corner));
    edge(keys, "across", norm(m.across), m.elements, norm(m.corner));
    Keys across = keys;
    across.push_back("across");
    if (parallel(m.along, m.across)) fail(across, "this is parallel to 'along', so the net would be a line; turn it");
  }
  void check_mesh(const Keys& keys, const NodeMesh& m) const {  // numbers of nodes are checked by make_mesh()
    count(keys, static_cast<double>(m.elements.size()));
    for (std::size_t i = 0; i < m.size.size(); ++i)
      if (!(m.size[i][0] > 0)) {
        Keys size = keys;
        size.push_back("size");
        size.push_back(std::to_string(i));
        fail(size, "L is " + number_text(m.size[i][0]) + ", so the element has zero length; give L > 0");
      }
  }

  // ---- places, constraints, loads, outputs ----

  const AnyBody& check_place(Keys keys, const char* key, const At& at) const {
    keys.push_back(key);
    const AnyBody& body = existing(keys, "body", "bodies", model_.bodies, at.body);
    if (at.xi && !std::holds_alternative<RigidBody>(body))
      for (const double x : *at.xi)
        if (!(std::abs(x) <= 1))
          fail(keys, "xi is " + text(*at.xi) + ", but material coordinates lie between -1 and 1");
    return body;
  }
  void check_signals(Keys keys, const char* key, const Signals& signals) {
    keys.push_back(key);
    for (std::size_t i = 0; i < 3; ++i) {
      Keys component = keys;
      component.push_back(std::to_string(i));
      check_signal(component, signals[i]);
    }
  }
  void check_signal(const Keys& keys, const Signal& signal) {
    if (const auto* statics = std::get_if<StaticAnalysis>(&model_.analysis);
        statics && statics->method == StaticMethod::arc_length && !signal.is_constant())
      fail(keys,
           "arc_length scales all loads by one factor, so each must be a constant number; use 'method: newton' for "
           "tables and expressions");
    for (int i = 0; i <= 8; ++i) {
      const double t = duration() * i / 8;
      finite(keys, signal, "", signal(t), t);
    }
    if (signal.table()) check_overshoot(keys, *signal.table());
  }
  // A motion enters with its rate and acceleration.
  void check_drive(const Keys& keys, const Drive& drive) {
    check_signal(keys, drive);
    for (int i = 0; i <= 8; ++i) {
      const double t = duration() * i / 8;
      finite(keys, drive, "the rate of ", drive.rate(t), t);
      finite(keys, drive, "the acceleration of ", drive.acceleration(t), t);
    }
    const Table* table = drive.table();
    if (!table || !(duration() > table->times().back())) return;
    const double end = table->times().back(), rate = table->rate(end), last = table->values().back();
    const auto [low, high] = std::ranges::minmax(table->values());
    if (std::abs(rate) * (duration() - end) > 1e-6 * std::max(high - low, std::abs(last)))
      warn(keys, "the table ends at t = " + short_text(end) + " s with a rate of " + short_text(rate) +
                     " and goes on with it, to " + short_text(drive(duration())) + " at t = " + short_text(duration()) +
                     " s; add rows if it should stop");
  }
  void finite(const Keys& keys, const Signal& signal, const char* what, double x, double t) const {
    if (!std::isfinite(x))
      fail(keys, what + ("'" + signal.text()) + "' is " + number_text(x) + " at t = " + short_text(t) +
                     " s; it must be a finite number from 0 to " + short_text(duration()) + " s");
  }
  void check_overshoot(const Keys& keys, const Table& table) {
    const Table::Overshoot worst = table.overshoot();
    const auto [low, high] = std::ranges::minmax(table.values());
    if (worst.share > 0.05)
      warn(keys, "the spline through this table reaches " + short_text(worst.value) +
                     " at t = " + short_text(worst.time) + " s, but its rows lie between " + short_text(low) + " and " +
                     short_text(high) + "; add rows there if it should not");
  }

  void check_constraint(const std::string& name, const Constraint& constraint) const {
    const Keys here{"constraints", name};
    if (const Clamp* clamp = std::get_if<Clamp>(&constraint)) {
      check_place(here, "at", clamp->at);
      return;
    }
    const Fix& fix = std::get<Fix>(constraint);
    const AnyBody& body = check_place(here, "at", fix.at);
    if (fix.coordinates.empty())
      fail({"constraints", name, "coordinates"},
           "the list is empty, so nothing would be held; name some of position, x_gradient, y_gradient, z_gradient");
    for (const Coordinate c : fix.coordinates)
      if (static_cast<int>(c) >= element_info(body_kind(body)).node_vectors)
        fail({"constraints", name, "coordinates"}, "'" + std::string(word(c)) + "' is not a coordinate of a " +
                                                       element_info(body_kind(body)).name +
                                                       " node; it has position and x_gradient");
    for (std::size_t i = 0; i < fix.along.size(); ++i) {
      const Keys keys{"constraints", name, "along", std::to_string(i)};
      const Triple& a = fix.along[i];
      if (!(norm(a) > 0))
        fail(keys, "this is " + text(a) + ", which has no direction; give a vector of nonzero length");
      for (std::size_t j = 0; j < i; ++j)
        if (parallel(a, fix.along[j]))
          fail(keys, "this is " + text(a) + ", the same direction as entry " + std::to_string(j) + "; remove one");
    }
    const bool flat = fix.along.size() == 3 && std::abs(dot(cross(fix.along[0], fix.along[1]), fix.along[2])) <
                                                   1e-9 * norm(fix.along[0]) * norm(fix.along[1]) * norm(fix.along[2]);
    if (fix.along.size() > 3 || flat)
      fail({"constraints", name, "along"},
           "there are " + std::to_string(fix.along.size()) +
               " directions, but they must be independent (at most three); leave 'along' "
               "out to hold all directions");
  }

  // ---- joints ----

  // Joints with two places; `name` of a direction they need, null where they need none.
  template <class J>
  void check_joint(const std::string& name, const J& joint) {
    const Keys here{"joints", name};
    const AnyBody *a = check_end(here, "a", joint.a), *b = check_end(here, "b", joint.b);
    if (!a && !b) fail({"joints", name, "b"}, "both places are on the ground; one must be on a body");
    if (a == b) check_one_body(name, joint.a, joint.b, *a);
    if constexpr (requires { joint.axis; }) direction(here, "axis", joint.axis);
    if constexpr (requires { joint.normal; }) direction(here, "normal", joint.normal);
    if constexpr (requires { joint.axis_a; }) {
      direction(here, "axis_a", joint.axis_a);
      direction(here, "axis_b", joint.axis_b);
      if (const double cosine = dot(joint.axis_a, joint.axis_b) / (norm(joint.axis_a) * norm(joint.axis_b));
          std::abs(cosine) > 1e-6)
        fail({"joints", name, "axis_b"}, "this is " + text(joint.axis_b) +
                                             ", but it must be at a right angle to axis_a = " + text(joint.axis_a) +
                                             " (the cosine is " + short_text(cosine) + ")");
    }
    if constexpr (requires { joint.distance; }) {
      for (const auto& [key, at] : {std::pair{"a", &joint.a}, {"b", &joint.b}})
        if (at->is_ground() && !at->point)
          fail({"joints", name, key}, "the ground needs a point: {body: ground, point: [x, y, z]}");
      if (joint.distance) {
        check_drive({"joints", name, "distance"}, *joint.distance);
        for (int i = 0; i <= 8; ++i) {
          const double t = duration() * i / 8, x = (*joint.distance)(t);
          if (!(x > 0))
            fail({"joints", name, "distance"}, "the distance is " + short_text(x) + " m at t = " + short_text(t) +
                                                   " s, but it must be greater than 0; use 'spherical' to join points");
        }
      }
    } else {
      // Weld and prismatic do not care where on a rigid body they are.
      constexpr bool anywhere = std::is_same_v<J, Weld> || std::is_same_v<J, Prismatic>;
      const auto itself = [&](const AnyBody* body) {
        return body &&
               (std::holds_alternative<PointMass>(*body) || (anywhere && std::holds_alternative<RigidBody>(*body)));
      };
      const auto placed = [&](const At& at) { return at.is_ground() ? at.point.has_value() : at.has_place(); };
      if (!joint.point && !placed(joint.a) && !placed(joint.b) && !itself(a) && !itself(b))
        fail(here, "neither '" + joint.a.text() + "' nor '" + joint.b.text() +
                       "' says where the joint is; give 'point: [x, y, z]', or a place such as " +
                       (a ? joint.a.body : joint.b.body) + ".name");
      // What must have directions: both sides, of a line and of a plane a alone.
      constexpr bool needs_b = std::is_same_v<J, Weld> || requires { joint.axis_b; }
      || std::is_same_v<J, Revolute> || std::is_same_v<J, Cylindrical> || std::is_same_v<J, Prismatic>;
      constexpr bool needs_a = needs_b || requires { joint.normal; }
      || std::is_same_v<J, PointOnLine>;
      const auto no_directions = [&](const char* key, const AnyBody* body, const At& at) {
        if (!body || is_flexible(body_kind(*body)) || std::holds_alternative<RigidBody>(*body)) return;
        fail({"joints", name, key}, "'" + at.text() + "' is a point of a " + type_name(*body) +
                                        " and has no directions, which this joint needs; use a spherical joint" +
                                        (needs_b ? "" : ", or swap a and b"));
      };
      if (needs_a) no_directions("a", a, joint.a);
      if (needs_b) no_directions("b", b, joint.b);
    }
  }
  // Both places on one body: of a flexible body or linkage two places may be joined, the rest cannot move.
  void check_one_body(const std::string& name, const At& a, const At& b, const AnyBody& body) const {
    const bool stiff = std::holds_alternative<RigidBody>(body) || std::holds_alternative<PointMass>(body);
    if (stiff || a.text() == b.text())
      fail({"joints", name, "b"},
           "the joint is from body '" + a.body + "' to itself, " +
               (stiff ? "whose places do not move against each other" : "with the same place on both sides") +
               "; name another body, or 'ground'");
  }
  void check_joint(const std::string& name, const Gear& gear) {
    check_angle({"joints", name, "joint_a"}, gear.joint_a);
    check_angle({"joints", name, "joint_b"}, gear.joint_b);
    if (gear.joint_a == gear.joint_b)
      fail({"joints", name, "joint_b"}, "this is joint_a again; a gear couples the angles of two joints");
    if (gear.ratio == 0)
      fail({"joints", name, "ratio"}, "a ratio of 0 would hold joint_b; use 'type: turn' with 'angle: 0' for that");
  }
  void check_joint(const std::string& name, const Turn& turn) {
    check_angle({"joints", name, "joint"}, turn.joint);
    check_drive({"joints", name, "angle"}, turn.angle);
  }
  void check_joint(const std::string& name, const Slide& slide) {
    const Keys keys{"joints", name, "joint"};
    const Joint& joint = existing(keys, "joint", "joints", model_.joints, slide.joint);
    if (!std::holds_alternative<Prismatic>(joint) && !std::holds_alternative<Cylindrical>(joint) &&
        !std::holds_alternative<PointOnLine>(joint))
      fail(keys, "joint '" + slide.joint + "' is of type " + type_name(joint) +
                     ", which has no travel; name a prismatic or cylindrical joint");
    check_drive({"joints", name, "travel"}, slide.travel);
  }
  void check_joint(const std::string& name, const Motion& motion) {
    const Keys here{"joints", name};
    if (motion.at.is_ground()) fail({"joints", name, "at"}, "the ground does not move; name a place on a body");
    check_place(here, "at", motion.at);
    bool any = false;
    for (std::size_t k = 0; k < 3; ++k)
      if (motion.displacement[k]) {
        check_drive({"joints", name, "displacement", std::to_string(k)}, *motion.displacement[k]);
        any = true;
      }
    if (!any)
      fail({"joints", name, "displacement"}, "all three are null, so nothing moves; give a number or expression");
  }
  void check_angle(const Keys& keys, const std::string& name) const {
    const Joint& joint = existing(keys, "joint", "joints", model_.joints, name);
    if (!std::holds_alternative<Revolute>(joint) && !std::holds_alternative<Cylindrical>(joint))
      fail(keys, "joint '" + name + "' is of type " + type_name(joint) +
                     ", which has no angle; name a revolute or cylindrical joint");
  }
  double duration() const {
    return std::visit([](const auto& analysis) { return analysis.duration; }, model_.analysis);
  }

  // ---- springs and velocities ----

  // An end of a spring: a place of a body, or the ground. Returns the body, null for the ground.
  const AnyBody* check_end(const Keys& here, const char* key, const At& at) const {
    if (!at.is_ground()) return &check_place(here, key, at);
    Keys keys = here;
    keys.push_back(key);
    if (!at.name.empty() || at.node || at.element)
      fail(keys, "the ground has no names, nodes or elements; write {body: ground, point: [x, y, z]}");
    return nullptr;
  }
  void check_ends(const Keys& here, const At& a, const At& b) const {
    const AnyBody *first = check_end(here, "a", a), *second = check_end(here, "b", b);
    Keys keys = here;
    keys.push_back("b");
    if (!first && !second) fail(keys, "both ends are on the ground; one must be on a body");
  }
  static bool none(const Triple& t) { return t[0] == 0 && t[1] == 0 && t[2] == 0; }
  static bool none(const Signal& s) { return s.is_constant() && s.constant() == 0; }

  void check_spring(const std::string& name, const Spring& spring) {
    const Keys here{"springs", name};
    check_ends(here, spring.a, spring.b);
    for (const auto& [key, at] : {std::pair{"a", &spring.a}, {"b", &spring.b}})
      if (at->is_ground() && !at->point)
        fail({"springs", name, key}, "the ground needs a point: {body: ground, point: [x, y, z]}");
    check_signal({"springs", name, "force"}, spring.force);
    if (spring.stiffness == 0 && spring.damping == 0 && none(spring.force))
      warn(here, "spring '" + name + "' has no stiffness, damping or force, so it does nothing; give one of them");
  }
  void check_spring(const std::string& name, const TorsionSpring& spring) {
    check_angle({"springs", name, "joint"}, spring.joint);
    check_signal({"springs", name, "moment"}, spring.moment);
    if (spring.stiffness == 0 && spring.damping == 0 && none(spring.moment))
      warn({"springs", name},
           "spring '" + name + "' has no stiffness, damping or moment, so it does nothing; give one of them");
  }
  void check_spring(const std::string& name, const Bushing& bushing) {
    const Keys here{"springs", name};
    check_ends(here, bushing.a, bushing.b);
    check_axes(here, bushing.x_axis, bushing.y_axis);
    const auto placed = [&](const At& at) {  // a point mass is its own place
      const AnyBody* body = model_.bodies.find(at.body);
      return at.has_place() || (body && std::holds_alternative<PointMass>(*body));
    };
    if (!bushing.point && !placed(bushing.a) && !placed(bushing.b))
      fail(here, "neither side says where it is; give 'point', or a place such as " +
                     (bushing.a.is_ground() ? bushing.b.body : bushing.a.body) + ".name");
    if (none(bushing.stiffness) && none(bushing.damping) && none(bushing.torsion_stiffness) &&
        none(bushing.torsion_damping))
      warn(here, "bushing '" + name + "' has no stiffness or damping, so it does nothing; give one of them");
  }

  void check_initial_velocity(const std::string& name, const InitialVelocity& velocity) const {
    const Keys here{"initial_velocities", name};
    if (velocity.on.is_ground()) fail({"initial_velocities", name, "on"}, "the ground does not move; name a body");
    check_place(here, "on", velocity.on);
    if (velocity.on.element || velocity.on.point)
      fail({"initial_velocities", name, "on"}, "velocities are given to nodes; name a body, a set of nodes or {body: " +
                                                   velocity.on.body + ", node: number}");
  }

  void check_load(const std::string& name, const Load& load) {
    const Keys here{"loads", name};
    if (const auto* force = std::get_if<PointForce>(&load)) {
      check_place(here, "at", force->at);
      check_signals(here, "force", force->force);
    } else if (const auto* moment = std::get_if<PointMoment>(&load)) {
      const AnyBody& body = check_place(here, "at", moment->at);
      if (element_info(body_kind(body)).node_vectors < 4)
        fail({"loads", name, "at"}, "a moment needs full gradients, and a " +
                                        std::string(element_info(body_kind(body)).name) +
                                        " has only r_x; use two forces, or beam3243");
      check_signals(here, "moment", moment->moment);
    } else if (const auto* line = std::get_if<LineLoad>(&load)) {
      check_place(here, "on", line->on);
      check_signals(here, "force", line->force);
    } else if (const auto* pressure = std::get_if<Pressure>(&load)) {
      const AnyBody& body = check_place(here, "on", pressure->on);
      if (body_kind(body) == ElementKind::cable)
        fail({"loads", name, "on"}, "a pressure needs a surface, and a cable has none; use a line_load");
      check_signal({"loads", name, "pressure"}, pressure->pressure);
    } else if (const auto* gravity = std::get_if<Gravity>(&load)) {
      check_signals(here, "acceleration", gravity->acceleration);
      for (const auto& [body_name, any] : model_.bodies.items) {
        const Body* body = std::get_if<Body>(&any);
        const Material* material = body ? model_.materials.find(body->material) : nullptr;
        if (material && std::visit([](const auto& m) { return m.density; }, *material) == 0)
          warn(here, "gravity does not act on body '" + body_name + "': its material '" + body->material +
                         "' has density 0; give 'density'");
      }
    }
  }

  void check_output(const std::string& name, const Output& output) const {
    const Keys here{"outputs", name};
    std::visit(
        [&](const auto& x) {
          using T = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<T, MaxVonMisesOutput>)
            existing({"outputs", name, "body"}, "body", "bodies", model_.bodies, x.body);
          else if constexpr (std::is_same_v<T, ReactionOutput>)
            existing({"outputs", name, "constraint"}, "constraint", "constraints", model_.constraints, x.constraint);
          else if constexpr (std::is_same_v<T, JointOutput>)
            existing({"outputs", name, "joint"}, "joint", "joints", model_.joints, x.joint);
          else if constexpr (std::is_same_v<T, RotationOutput>) {
            if (x.at.has_value() == !x.body.empty())
              fail(here, "give 'body' (a rigid one) or 'at' (a place on a body), one of them");
            if (x.at) {
              const AnyBody& body = check_place(here, "at", *x.at);
              if (element_info(body_kind(body)).node_vectors < 4)
                fail({"outputs", name, "at"}, "a " + std::string(element_info(body_kind(body)).name) +
                                                  " has no section that turns; ask for a gradient");
              return;
            }
            const AnyBody& body = existing({"outputs", name, "body"}, "body", "bodies", model_.bodies, x.body);
            if (!std::holds_alternative<RigidBody>(body))
              fail({"outputs", name, "body"},
                   "body '" + x.body + "' is " + article(type_name(body)) +
                       " body, but a rotation belongs to a rigid one" +
                       (std::holds_alternative<Body>(body) ? ", or to a place: give 'at' instead of 'body'" : ""));
          } else if constexpr (std::is_same_v<T, SpringOutput>)
            existing({"outputs", name, "spring"}, "spring", "springs", model_.springs, x.spring);
          else if constexpr (requires { x.at; }) check_place(here, "at", x.at);
        },
        output);
  }

  // ---- analysis ----

  void check_analysis(const StaticAnalysis& a) {
    if (a.first_step > 1)
      fail({"analysis", "first_step"},
           "this is " + number_text(a.first_step) + ", but a load step is a share of the full load: at most 1");
    if (a.smallest_step > a.first_step)
      fail({"analysis", "smallest_step"}, "this is " + number_text(a.smallest_step) +
                                              ", but it must not exceed first_step = " + number_text(a.first_step));
    if (a.largest_step < a.first_step)
      fail({"analysis", "largest_step"}, "this is " + number_text(a.largest_step) +
                                             ", but it must be at least first_step = " + number_text(a.first_step));
    if (model_.loads.size() == 0 && !is_driven())
      warn({"loads"}, "the model has no loads, so nothing will move; add some under 'loads'");
    for (const auto& [name, body] : model_.bodies.items)
      if (!is_held(name, body))
        warn({"bodies", name}, "no constraint holds body '" + name +
                                   "', so it can move freely and a static run will probably fail; clamp or fix it");
  }

  // Does a joint or a spring move something although no load acts?
  bool is_driven() const {
    bool driven = false;
    const auto moves = [&](const Signal& signal) {
      driven = driven || !signal.is_constant() || signal.constant() != 0;
    };
    const auto ask = [&](const auto& x) {
      if constexpr (requires { x.displacement; })
        for (const auto& component : x.displacement)
          if (component) moves(*component);
      if constexpr (requires { x.angle.is_constant(); }) moves(x.angle);
      if constexpr (requires { x.travel.is_constant(); }) moves(x.travel);
      if constexpr (requires { x.force.is_constant(); }) moves(x.force);
      if constexpr (requires { x.moment.is_constant(); }) moves(x.moment);
      if constexpr (requires { x.distance.has_value(); }) driven = driven || x.distance.has_value();
      if constexpr (requires { x.free_length.has_value(); }) driven = driven || x.free_length.has_value();
      if constexpr (requires { x.free_angle; }) driven = driven || x.free_angle != 0;
    };
    for (const auto& joint : model_.joints.items) std::visit(ask, joint.second);
    for (const auto& spring : model_.springs.items) std::visit(ask, spring.second);
    return driven;
  }

  // Does a constraint, a joint or a spring name the body?
  bool is_held(const std::string& name, const AnyBody& body) const {
    const auto* linkage = std::get_if<Linkage>(&body);
    bool held = linkage && !linkage->ground.empty();
    const auto ask = [&](const auto& x) {
      if constexpr (requires { x.at; }) held = held || x.at.body == name;
      if constexpr (requires { x.a; }) held = held || x.a.body == name || x.b.body == name;
    };
    for (const auto& constraint : model_.constraints.items) std::visit(ask, constraint.second);
    for (const auto& joint : model_.joints.items) std::visit(ask, joint.second);
    for (const auto& spring : model_.springs.items) std::visit(ask, spring.second);
    return held;
  }

  void check_analysis(const DynamicAnalysis& a) {
    const auto key = [](const char* k) { return Keys{"analysis", k}; };
    if (!(a.alpha >= -1.0 / 3 && a.alpha <= 0))
      fail(key("alpha"), "this is " + number_text(a.alpha) +
                             ", but HHT is stable from -1/3 (most damping) to 0 (none) only; -0.1 is usual");
    if (a.spectral_radius > 1)
      fail(key("spectral_radius"), "this is " + number_text(a.spectral_radius) +
                                       ", but it must lie between 0 (most damping) and 1 (none); 0.8 is usual");
    if (a.integrator == Integrator::newmark) {
      if (a.gamma < 0.5)
        warn(key("gamma"), "gamma is " + number_text(a.gamma) +
                               ": below 1/2 Newmark's method adds energy and the run will blow up; use at least 0.5");
      else if (a.beta < 0.25 * (a.gamma + 0.5) * (a.gamma + 0.5))
        warn(key("beta"), "beta is " + number_text(a.beta) +
                              ", below (gamma + 1/2)^2 / 4 = " + short_text(0.25 * (a.gamma + 0.5) * (a.gamma + 0.5)) +
                              ": the step is then limited by the highest frequency; raise beta");
    }
    if (a.smallest_step > a.step)
      fail(key("smallest_step"), "this is " + number_text(a.smallest_step) +
                                     " s, but it must not exceed step = " + number_text(a.step) + " s");
    if (a.largest_step > 0 && a.largest_step < a.smallest_step)
      fail(key("largest_step"), "this is " + number_text(a.largest_step) +
                                    " s, but it must be at least smallest_step = " + number_text(a.smallest_step) +
                                    " s; 0 leaves it open");
    const SolverInfo* solver = nullptr;  // auto: chosen when the matrix is known
    at(key("solver"), [&] { solver = a.solver == "auto" ? nullptr : &find_linear_solver(a.solver); });
    at(key("ordering"), [&] {
      const Ordering ordering = a.ordering == "auto" ? Ordering::automatic : ordering_named(a.ordering);
      if (solver) require_ordering(*solver, ordering);
    });
    if (a.duration / a.step > most_steps)
      fail(key("step"), "this is " + number_text(a.step) + " s, which makes " + short_text(a.duration / a.step) +
                            " steps of a duration of " + number_text(a.duration) + " s; at most " +
                            short_text(most_steps) + " are allowed: give a larger step or a shorter duration");
    if (a.step > a.duration)
      fail(key("step"), "this is " + number_text(a.step) + " s, longer than the run: duration = " +
                            number_text(a.duration) + " s; give a smaller step");
  }

  const Model& model_;
  const Value& said_;
  Reading& reading_;
};

}  // namespace

void validate(const Model& model, const Value& said, Reading& reading) { Validator(model, said, reading).all(); }

void validate(const Model& model, Reading& reading) {
  check_fields(type_of<Model>(), &model, reading);
  validate(model, Value::map(), reading);
}

}  // namespace lithe
