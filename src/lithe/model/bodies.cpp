// Over 500 lines: a body has more keys and rules than any other noun.
#include "lithe/model/bodies.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/body_material.h"
#include "lithe/model/fitting.h"
#include "lithe/model/length_field.h"
#include "lithe/model/node_mesh.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {
constexpr int most_spheres = 10000;  // of an element
constexpr const char* start_help =
    "where it starts; default: in its reference configuration, where joints are measured";
}  // namespace

LITHE_DESCRIBE(Body, "flexible", "elements of one kind, material and section") {
  visit("element", &Body::element, Field{.help = "element kind", .required = true});
  visit("material", &Body::material,
        Field{.help = "name of a material; not needed where the section says stiffness and mass (general, bar)"});
  visit("section", &Body::section, Field{.help = "name of a section (not for blocks)"});
  visit("mesh", &Body::mesh, Field{.help = "where its nodes and elements come from", .required = true});
  visit("formulation", &Body::formulation,
        Field{.help = "section: strains and stiffness of the section, right on coarse meshes (default of beam3243 and "
                      "shell3443); continuum: strains at points of the volume, as published (P0)"});
  visit(
      "quadrature", &Body::quadrature,
      Field{
          .help =
              "continuum: Gauss points per direction; default: cable [5, 3], beam [3, 2, 2], shell [4, 4, 2] a layer, "
              "hexa [4, 4, 4], hex8 [2, 2, 2]; tetrahedra [1] or [4] points in all",
          .allowed = positive});
  visit("poisson_quadrature", &Body::poisson_quadrature,
        Field{.help = "beam: Gauss points of the Poisson part; default [n, 1, 1]", .allowed = positive});
  visit("material_axes", &Body::material_axes,
        Field{.help =
                  "axes of the law: of the body at each point, or global (P0 gives its beams' law along global axes)"});
  visit("connect", &Body::connect,
        Field{.help = "elements share nodes, or have their own and are joined by constraints (P1)"});
  visit("strategy", &Body::strategy, Field{.help = "how forces are computed; default: the model's"});
  visit("mass", &Body::mass,
        Field{.help =
                  "consistent: as the shape functions spread it; lumped: at the nodes alone (default of hex8, tet4 and "
                  "tet10)"});
  visit("damping", &Body::damping, Field{.help = "Rayleigh damping, beside the damping of its materials"});
  visit("eta", &Body::eta,
        Field{.help = "damping force eta K(q) v with the stiffness of the present shape (P2), beside all others",
              .unit = "s",
              .allowed = not_negative});
  visit(
      "kinematics", &Body::kinematics,
      Field{.help = "TL: any deformation; BC: small strains about the rotation of the body; BC-RO, BC-MODAL: the modes "
                    "of a base about it; rigid: none. All but TL need the integrator half_step"});
  visit("base", &Body::base, Field{.help = "BC-RO, BC-MODAL: file of the modes, made by 'lithe reduce'"});
  visit("start", &Body::start, Field{.help = start_help});
  visit(
      "contact_radius", &Body::contact_radius,
      Field{.help = "cables: radius of the string that others touch; default: that of a section of type circle or tube",
            .unit = "m",
            .allowed = positive});
  visit("contact_as", &Body::contact_as,
        Field{.help = "cables: string: round and without gaps; spheres: balls along it (P1), for comparison"});
  visit("contact_spheres", &Body::contact_spheres,
        Field{.help = "contact_as: spheres: balls of each element, evenly along it", .allowed = positive});
}

LITHE_DESCRIBE(Start, "start", "a start turned about a point and then displaced from the reference configuration") {
  visit("displacement", &Start::displacement, Field{.help = "from the reference configuration", .unit = "m"});
  visit("axis", &Start::axis, Field{.help = "of the rotation"});
  visit("angle", &Start::angle, Field{.help = "of the rotation, right-handed", .unit = "deg"});
  visit("center", &Start::center, Field{.help = "point that the rotation leaves where it is", .unit = "m"});
}

LITHE_DESCRIBE(Rayleigh, "rayleigh",
               "forces mass M v + stiffness K v: a mode has the ratio mass/(2 omega) + stiffness omega/2") {
  visit("mass", &Rayleigh::mass,
        Field{.help = "share of the mass matrix; also slows rigid motions", .unit = "1/s", .allowed = not_negative});
  visit("stiffness", &Rayleigh::stiffness,
        Field{.help = "share of the stiffness, added to 'damping' of every material",
              .unit = "s",
              .allowed = not_negative});
}

LITHE_DESCRIBE(RigidBody, "rigid", "rigid body; mass and inertia given, or from a shape and density") {
  visit("position", &RigidBody::position,
        Field{.help = "of its origin: the centre of mass, unless 'origin' says otherwise", .unit = "m"});
  visit("x_axis", &RigidBody::x_axis, Field{.help = "x of its frame in global components; default: global x"});
  visit("y_axis", &RigidBody::y_axis, Field{.help = "y of its frame (made orthogonal to x); default: global y"});
  visit("orientation", &RigidBody::orientation,
        Field{.help = "of its frame as a quaternion [w, x, y, z], instead of x_axis and y_axis; made of unit length"});
  visit("mass", &RigidBody::mass,
        Field{.help = "mass, with inertia, or with a shape instead of its density; 0: a massless point or lever, which "
                      "others carry",
              .unit = "kg",
              .allowed = not_negative});
  visit("inertia", &RigidBody::inertia,
        Field{.help = "about the centre along the frame: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] (entries "
                      "of the tensor)",
              .unit = "kg m^2"});
  visit("inertia_point", &RigidBody::inertia_point,
        Field{.help = "point of its frame that 'inertia' is about; default: the centre of mass", .unit = "m"});
  visit("shape", &RigidBody::shape, Field{.help = "solid that gives the inertia, with density or mass"});
  visit("density", &RigidBody::density,
        Field{.help = "mass density of the shape", .unit = "kg/m^3", .allowed = not_negative});
  visit("velocity", &RigidBody::velocity, Field{.help = "of the centre at the start", .unit = "m/s"});
  visit("angular_velocity", &RigidBody::angular_velocity,
        Field{.help = "at the start, global components", .unit = "rad/s"});
  visit("points", &RigidBody::points, Field{.help = "named places in the body's frame, from its origin", .unit = "m"});
  visit("origin", &RigidBody::origin,
        Field{.help =
                  "what 'position' and 'points' count from: the centre of mass, or the origin of the frame of 'shape', "
                  "such as that of a CAD file"});
  visit("contact_shape", &RigidBody::contact_shape,
        Field{.help =
                  "what others touch; default: 'shape', and in its frame (without 'shape': from the centre of mass)"});
  visit("start", &RigidBody::start, Field{.help = start_help});
}

LITHE_DESCRIBE(PointMass, "point_mass", "a mass without extent") {
  visit("mass", &PointMass::mass, Field{.help = "mass", .unit = "kg", .required = true, .allowed = positive});
  visit("position", &PointMass::position, Field{.help = "in the reference configuration", .unit = "m"});
  visit("velocity", &PointMass::velocity, Field{.help = "at the start", .unit = "m/s"});
  visit("start", &PointMass::start, Field{.help = start_help});
}

LITHE_DESCRIBE(Linkage, "linkage", "points joined by thin rigid bars (natural coordinates, P4)") {
  visit("points", &Linkage::points, Field{.help = "the points", .unit = "m", .required = true});
  visit("bars", &Linkage::bars, Field{.help = "pairs of points, from 0", .allowed = not_negative});
  visit("bar_mass", &Linkage::bar_mass, Field{.help = "mass of every bar", .unit = "kg", .allowed = not_negative});
  visit("bar_masses", &Linkage::bar_masses,
        Field{.help = "one per bar instead", .unit = "kg", .allowed = not_negative});
  visit("point_masses", &Linkage::point_masses,
        Field{.help = "one per point in addition", .unit = "kg", .allowed = not_negative});
  visit("plane", &Linkage::plane, Field{.help = "normal of the plane in which the points stay; default: none"});
  visit("ground", &Linkage::ground, Field{.help = "points that do not move", .allowed = not_negative});
  visit("sets", &Linkage::sets, Field{.help = "named lists of points", .allowed = not_negative});
}

std::vector<const char*> Words<ElementKind>::list() {
  std::vector<const char*> names;
  for (const ElementKind kind : element_registry()) names.push_back(kind->name);
  return names;
}

// ---- rules ----

namespace {

void check_rule(const Spot& here, const std::vector<int>& rule, ElementKind kind) {
  if (kind->cell == Cell::tetrahedron) {
    if (rule.size() != 1 || (rule[0] != 1 && rule[0] != 4))
      here.fail(std::string(kind->name) + " has a rule of 1 point or of 4; write [1] or [4]");
    return;
  }
  const std::size_t wanted = kind->quadrature.size();
  if (rule.size() != wanted)
    here.fail("this is a list of " + std::to_string(rule.size()) + ", but " + kind->name + " takes " +
              std::to_string(wanted) +
              (kind->volume ? " numbers of Gauss points, along xi, eta and zeta"
                            : " numbers of Gauss points: [axial, bending]"));
  for (const int n : rule)
    if (n > 64) here.fail("a rule of " + std::to_string(n) + " points is far more than needed; use at most 64");
  double points = 1;
  for (const int n : rule) points *= n;
  if (points > most_points)
    here.fail("this rule has " + short_text(points) + " points an element, far more than needed; use at most " +
              short_text(most_points));
}

void check_mesh_kind(const Spot& here, const Body& body, const std::string& element) {
  const std::string type = type_name(body.mesh);
  if (fits(body.element->meshes, type)) return;
  const Spot keys = here["mesh"];
  if (body.element->straight && type == "arc")
    keys.fail(article(element) +
              " is naturally straight and cannot follow an arc; use 'element: beam3243' for a curved body, or "
              "'type: line'");
  std::string list;
  for (const char* f : body.element->meshes) list += (list.empty() ? "" : ", ") + std::string(f);
  keys.fail(article(type) + " mesh does not fit " + element + "; use one of: " + list);
}

void check_body_section(const Spot& here, const Body& body, const std::string& element) {
  const Spot keys = here["section"];
  const TypeNames fitting = fitting_sections(
      body.element, std::holds_alternative<BlockMesh>(body.mesh) || std::holds_alternative<PipeMesh>(body.mesh) ||
                        std::holds_alternative<NodeMesh>(body.mesh) || std::holds_alternative<FileMesh>(body.mesh));
  std::string list;
  for (const char* f : fitting) list += (list.empty() ? "" : " or ") + std::string(f);
  if (fitting.empty()) {
    if (!body.section.empty())
      keys.fail("this body has its dimensions from its mesh and takes no section; remove this key");
    return;
  }
  if (body.section.empty())
    keys.fail("'section' is missing: " + element + " needs a section of type " + list +
              "; define one under 'sections' and name it here");
  const Section& section = existing(keys, "section", "sections", here.model().sections, body.section);
  const std::string type = type_name(section);
  if (!fits(fitting, type))
    keys.fail("section '" + body.section + "' is of type " + type + ", but " + element + " needs type " + list);
  if (body.element->split_law && formulation_of(here.model(), body) == Formulation::continuum && type != "rectangle")
    keys.fail("section '" + body.section + "' is of type " + type + ", but formulation 'continuum' of " + element +
              " has points over a rectangle; use type rectangle, or 'formulation: section'");
}

double density(const Material& material) {
  return std::visit([](const auto& m) { return m.density; }, material);
}

// What moves in time has a mass; one layer of several may go without.
void check_density(const Spot& here, const Body& body) {
  if (!needs_mass(here.analysis())) return;
  const Named<Material>& materials = here.model().materials;
  if (mass_of_section(here.model(), body)) return;  // the section's own rules
  std::string name = body.material;
  double largest = density(material_of(here.model(), body));
  const Section* section = body.section.empty() ? nullptr : here.model().sections.find(body.section);
  if (const auto* layered = section ? std::get_if<Layered>(section) : nullptr) {
    largest = 0;
    for (const Layer& layer : layered->layers) {
      const std::string& own = layer.material.empty() ? body.material : layer.material;
      if (const Material* material = materials.find(own); material && density(*material) >= largest) {
        largest = density(*material);
        name = own;
      }
    }
  }
  if (!(largest > 0))
    here.root()["materials"][name]["density"].fail(
        "this is 0, so body '" + here.name() +
        "' has no mass and no motion in time; give 'density' in kg/m^3, or use 'analysis: {type: static}'");
}

void check_start(const Spot& here, const std::optional<Start>& start) {
  if (start) check_direction(here["start"], "axis", start->axis);
}

// A massless body moves as others say.
void check_massless(const Spot& here, const RigidBody& body) {
  for (const auto& [key, given] : {std::pair{"inertia", body.inertia.has_value()},
                                   {"shape", body.shape.has_value()},
                                   {"density", body.density > 0}})
    if (given) here[key].fail("a body of 'mass: 0' has no inertia; remove this key, or give a mass");
  for (const auto& [name, any] : here.model().joints.items)
    if (std::visit(
            [&](const auto& j) {
              if constexpr (requires { j.a; }) {
                if (j.a.body == here.name()) return true;
              }
              if constexpr (requires { j.b; }) {
                if (j.b.body == here.name()) return true;
              }
              if constexpr (requires { j.at; }) {
                if (j.at.body == here.name()) return true;
              }
              if constexpr (requires { j.points.front().body; })
                return std::ranges::any_of(j.points, [&](const At& point) { return point.body == here.name(); });
              return false;
            },
            any))
      return;
  here["mass"].fail(
      "this is 0, so others must carry the body, and no joint names it; join it to nodes with a "
      "rigid_connection or distributing_connection, or weld it to a body");
}

// Bodies that are not total Lagrangian move by half steps alone.
void check_kinematics(const Spot& here, const Body& body) {
  const bool reduced = body.kinematics == Kinematics::reduced || body.kinematics == Kinematics::modal;
  if (!body.base.empty() && !reduced)
    here["base"].fail(std::string("kinematics '") + word(body.kinematics) +
                      "' has no base; remove this key, or set 'kinematics: BC-RO' or 'BC-MODAL'");
  if (body.kinematics == Kinematics::total) return;
  const Spot spot = here["kinematics"];
  const std::string name = word(body.kinematics);
  if (!body.element->volume)
    spot.fail("this is " + name + ", but " + article(body.element->name) +
              " has no volume whose rotation it could follow; remove this key, or take beam3243");
  if (reduced && body.base.empty())
    spot.fail("this is " + name + ", which needs 'base: FILE' with its modes; make one with 'lithe reduce " +
              (body.kinematics == Kinematics::modal ? "modal'" : "pod'"));
  if (body.connect == Connect::constraints)
    here["connect"].fail(
        "elements joined by constraints move with all of their coordinates; remove this key, or set "
        "'kinematics: TL'");
  if (body.damping.mass > 0)
    here["damping"]["mass"].fail(
        "mass-proportional damping is for 'kinematics: TL' alone; use 'eta' or the material's "
        "damping");
  if (body.kinematics == Kinematics::rigid && body.eta > 0)
    here["eta"].fail("a rigid body does not deform, so that nothing is damped; remove this key");
  if (here.model().treatment == Treatment::augmented)
    here.root()["treatment"].fail("body '" + here.name() + "' is " + name +
                                  ", whose constraints need multipliers; remove 'treatment: augmented', or set "
                                  "'kinematics: TL' there");
}

// Elements whose displacements are linear along each direction cannot keep their volume and bend at once.
void warn_of_locking(const Spot& here, const Body& body, const Material& material) {
  constexpr double nearly_incompressible = 0.45;
  const auto* isotropic = std::get_if<Isotropic>(&material);
  const bool linear = body.element == ElementKind::hex8 || body.element == ElementKind::tet4;
  if (linear && isotropic && isotropic->nu > nearly_incompressible && body.kinematics != Kinematics::rigid)
    here["element"].warn("body '" + here.name() + "' of " + body.element->name +
                         " locks (is far too stiff) with nu = " + number_text(isotropic->nu) +
                         "; use tet10 or hexa3843, which do not");
}

void check_body(const Spot& here, const Body& body) {
  check_start(here, body.start);
  check_kinematics(here, body);
  const std::string element = body.element->name;
  if (body.material.empty() && !needs_no_material(here.model(), body))
    here.fail(
        "'material' is missing (name of a material; a section of type general, or a bar with EA and mass, needs none)");
  const Material& material = body.material.empty() ? material_of(here.model(), body)
                                                   : existing(here["material"], "material", "materials",
                                                              here.model().materials, body.material);
  if (!fits(body.element->materials, type_name(material))) {
    std::string list;
    for (const char* f : body.element->materials) list += (list.empty() ? "" : " or ") + std::string(f);
    here["material"].fail("material '" + body.material + "' is " + type_name(material) + ", but " + article(element) +
                          (list == "isotropic" ? " takes one Young's modulus" : " cannot have it") +
                          "; use a material of type " + list);
  }
  warn_of_locking(here, body, material);
  check_mesh_kind(here, body, element);
  check_body_section(here, body, element);
  check_density(here, body);
  check(here["mesh"], body.mesh);
  if (const auto* line = std::get_if<LineMesh>(&body.mesh);
      line && !body.element->volume && (line->twist[0] != 0 || line->twist[1] != 0))
    here["mesh"]["twist"].fail(article(element) + " has no section that could be turned; remove this key");
  if (const auto* given = std::get_if<NodeMesh>(&body.mesh)) check_nodes(here["mesh"], body, *given);
  if (body.element->volume) {
    if (body.contact_radius)
      here["contact_radius"].fail(article(element) + " touches with the sides that it has; remove this key");
    if (body.contact_as != ContactAs::string)
      here["contact_as"].fail(article(element) + " touches with the sides that it has; remove this key");
  }
  if (body.contact_spheres > most_spheres)
    here["contact_spheres"].fail("this is " + std::to_string(body.contact_spheres) + ", but at most " +
                                 std::to_string(most_spheres) + " balls of an element are taken");

  const bool by_section = formulation_of(here.model(), body) == Formulation::section;
  if (by_section && !body.element->section_form) {
    std::string list;
    for (const ElementKind kind : element_registry())
      if (kind->section_form) list += (list.empty() ? "" : " and ") + std::string(kind->name);
    here["formulation"].fail("only " + list + " have a formulation by their section, not " + element +
                             "; remove this key");
  }
  for (const char* key : {"quadrature", "poisson_quadrature"})
    if (by_section && !(key == std::string("quadrature") ? body.quadrature : body.poisson_quadrature).empty())
      here[key].fail("formulation 'section' has points of its own; remove this key, or set 'formulation: continuum'");
  if (!body.quadrature.empty()) check_rule(here["quadrature"], body.quadrature, body.element);
  if (!body.poisson_quadrature.empty() && !body.element->split_law) {
    std::string list;
    for (const ElementKind kind : element_registry())
      if (kind->split_law) list += (list.empty() ? "" : " and ") + std::string(kind->name);
    here["poisson_quadrature"].fail("only " + list + " has a separate rule for the Poisson part, not " + element +
                                    "; remove this key");
  }
  if (!body.poisson_quadrature.empty()) check_rule(here["poisson_quadrature"], body.poisson_quadrature, body.element);

  const std::string strategy = body.strategy.value_or(here.model().strategy);
  const Spot said = (body.strategy ? here : here.root())["strategy"];
  check_strategy(said, strategy);
  if (by_section && strategy != "batched" && body.element->every_strategy)
    said.fail("strategy '" + strategy + "' is for the elements as published; set 'formulation: continuum' in body '" +
              here.name() + "', or leave the strategy out");
  const std::vector<std::string> offered = fitting_strategies(body.element);
  if (std::ranges::find(offered, strategy) == offered.end()) {
    std::string list;
    for (const auto& s : offered) list += (list.empty() ? "'" : ", '") + s + "'";
    said.fail("strategy '" + strategy + "' is not for " + element + " (body '" + here.name() + "'), which has only " +
              list + "; set 'strategy: " + offered.front() + "' in that body");
  }
}

void check_body(const Spot& here, const RigidBody& body) {
  check_start(here, body.start);
  if (body.is_massless()) {
    check_massless(here, body);
  } else if (body.shape) {
    if (body.inertia) here["inertia"].fail("a shape gives the inertia; remove this key, or 'shape'");
    if (body.mass && body.density > 0)
      here["mass"].fail("a shape with its density gives mass and inertia; remove this key, or 'density'");
    if (!body.mass && !(body.density > 0) && !has_densities(*body.shape))
      here["density"].fail("the density is " + number_text(body.density) +
                           ", but a shape needs one greater than 0; give 'density' in kg/m^3, or 'mass'");
    check(here["shape"], *body.shape, body.mass ? ShapeUse::mass : ShapeUse::density);
  } else {
    if (body.density > 0) here["density"].fail("a density belongs to a shape; give 'shape', or remove this key");
    if (!body.mass || !body.inertia)
      here.fail(std::string("'") + (body.mass ? "inertia" : "mass") +
                "' is missing: a rigid body needs 'mass' and 'inertia', or 'shape' and 'density'");
    const std::vector<double>& I = *body.inertia;
    if (I.size() != 3 && I.size() != 6)
      here["inertia"].fail("this is a list of " + std::to_string(I.size()) +
                           ", but inertia is [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
    for (int m = 0; m < 3; ++m)
      if (!(I[m] >= 0))
        here["inertia"][static_cast<std::size_t>(m)].fail("this is " + number_text(I[m]) +
                                                          " kg m^2, but a moment of inertia must not be negative");
  }
  if (body.contact_shape) check(here["contact_shape"], *body.contact_shape, ShapeUse::touching);
  if (body.origin == BodyOrigin::shape && !body.shape)
    here["origin"].fail("this body has no 'shape' whose frame could count; remove this key");
  check_frame(here, body.x_axis, body.y_axis, body.orientation);
  if (body.inertia_point && !body.inertia)
    here["inertia_point"].fail("this is the point that 'inertia' is about, and there is no 'inertia'; remove this key");
  if (body.points.find("center"))
    here["points"]["center"].fail("'center' is the centre of mass already; choose another name");
}

void check_body(const Spot& here, const PointMass& body) { check_start(here, body.start); }

void check_body(const Spot& here, const Linkage& body) {
  const int count = static_cast<int>(body.points.size());
  if (count == 0) here["points"].fail("the list of points is empty; give at least one [x, y, z]");
  const auto check_point = [&](const char* key, auto entry, int n) {
    if (n >= count || n < 0)
      here[key][entry].fail("there is no point " + std::to_string(n) + "; the points are 0 to " +
                            std::to_string(count - 1));
  };
  for (std::size_t i = 0; i < body.bars.size(); ++i) {
    const auto [from, to] = body.bars[i];
    check_point("bars", i, from);
    check_point("bars", i, to);
    const Triple &a = body.points[from], &b = body.points[to];
    if (!(norm(vec(b) - vec(a)) > 1e-12 * std::max(norm(a), norm(b))))
      here["bars"][i].fail("this bar has zero length: points " + std::to_string(from) + " and " + std::to_string(to) +
                           " are both at " + text(a) + "; move one of them");
  }
  const auto check_count = [&](const char* k, std::size_t given, std::size_t wanted, const char* of) {
    if (given != 0 && given != wanted)
      here[k].fail("this is a list of " + std::to_string(given) + ", but there are " + std::to_string(wanted) + " " +
                   of + "; give one mass for each");
  };
  check_count("bar_masses", body.bar_masses.size(), body.bars.size(), "bars");
  check_count("point_masses", body.point_masses.size(), body.points.size(), "points");
  if (!body.bar_masses.empty() && body.bar_mass > 0)
    here["bar_mass"].fail("'bar_mass' and 'bar_masses' are both given; remove one");
  for (std::size_t i = 0; i < body.ground.size(); ++i) check_point("ground", i, body.ground[i]);
  if (body.plane) check_direction(here, "plane", *body.plane);
  for (const auto& [set, nodes] : body.sets.items)
    for (const int n : nodes) check_point("sets", std::string_view(set), n);
}

}  // namespace

std::optional<double> mass_of_section(const Model& model, const Body& body) {
  const auto given = [&](const std::string& name) -> std::optional<double> {
    const Section* section = name.empty() ? nullptr : model.sections.find(name);
    if (const auto* general = section ? std::get_if<General>(section) : nullptr) return general->mass;
    if (const auto* bar = section ? std::get_if<Bar>(section) : nullptr; bar && bar->mass > 0) return bar->mass;
    return {};
  };
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  const auto* tapered = section ? std::get_if<Tapered>(section) : nullptr;
  if (!tapered) return given(body.section);
  const std::optional<double> from = given(tapered->from), to = given(tapered->to);
  return from && to ? std::optional(std::max(*from, *to)) : std::nullopt;
}

std::array<Triple, 3> frame_of(const RigidBody& body) { return frame_of(body.x_axis, body.y_axis, body.orientation); }

void check(const Spot& here, const AnyBody& body) {
  if (here.name() == "ground") here.fail("the name 'ground' stands for what does not move; give the body another name");
  std::visit([&](const auto& b) { check_body(here, b); }, body);
}

}  // namespace lithe
