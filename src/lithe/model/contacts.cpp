#include "lithe/model/contacts.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/mesh_sides.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(PlaneShape, "plane", "endless plane through its origin, outside on the side of its z") {}

LITHE_DESCRIBE(Obstacle, "obstacle", "a fixed or driven shape without mass") {
  visit("shape", &Obstacle::shape, Field{.help = "what it looks like", .required = true});
  visit("position", &Obstacle::position, Field{.help = "of the origin of its frame", .unit = "m"});
  visit("x_axis", &Obstacle::x_axis, Field{.help = "x of its frame in global components; default: global x"});
  visit("y_axis", &Obstacle::y_axis, Field{.help = "y of its frame (made orthogonal to x); default: global y"});
  visit("normal", &Obstacle::normal, Field{.help = "of a plane, instead of axes: points outside; default: z"});
  visit("displacement", &Obstacle::displacement,
        Field{.help = "x, y, z over time, from its position; null: stays", .unit = "m"});
  visit("angle", &Obstacle::angle, Field{.help = "over time, about 'axis' through its origin", .unit = "rad"});
  visit("axis", &Obstacle::axis, Field{.help = "of 'angle', global components"});
}

LITHE_DESCRIBE(Contact, "contact", "which bodies and obstacles touch, and by which law") {
  visit("between", &Contact::between,
        Field{.help = "[a, b]: two bodies or obstacles; [a, self]: a body with itself; [a, all]: with every other one; "
                      "all: every pair. What a joint holds together touches only where both are named",
              .required = true});
  visit("law", &Contact::law,
        Field{.help = "nonsmooth: no penetration and Coulomb friction, exactly (half_step); penalty: forces that grow "
                      "with the depth (the other integrators, statics); none: they pass through each other"});
  visit("friction", &Contact::friction, Field{.help = "Coulomb's coefficient", .allowed = not_negative});
  visit("restitution", &Contact::restitution,
        Field{.help = "Newton's: normal velocity after an impact over that before, 0 to 1",
              .allowed = {[](double x) { return x >= 0 && x <= 1; }, "from 0 to 1"}});
  visit("initial_overlap", &Contact::initial_overlap,
        Field{.help = "bodies that begin inside each other: an error, or accepted and moved apart"});
  visit("stiffness", &Contact::stiffness,
        Field{.help = "penalty: of each point of contact, normal force over depth^exponent; default: of the materials "
                      "and the sizes that meet",
              .unit = "N/m^exponent",
              .allowed = positive});
  visit("exponent", &Contact::exponent,
        Field{.help = "penalty: of the depth; 1.5: Hertz's, 1: a spring",
              .allowed = {[](double x) { return x >= 1 && x <= 3; }, "from 1 to 3"}});
  visit("damping", &Contact::damping,
        Field{.help = "penalty: the normal force times (1 + damping * rate of the depth), never pulling",
              .unit = "s/m",
              .allowed = not_negative});
  visit("tangential_stiffness", &Contact::tangential_stiffness,
        Field{.help = "penalty, of what friction holds; default: 0.82 of the normal slope where the point was pressed "
                      "most",
              .unit = "N/m",
              .allowed = positive});
  visit(
      "tangential_damping", &Contact::tangential_damping,
      Field{
          .help = "penalty: of what friction holds, over tangential_stiffness", .unit = "s", .allowed = not_negative});
}

namespace {

Triple of_unit_length(const Triple& a) { return {a[0] / norm(a), a[1] / norm(a), a[2] / norm(a)}; }

// The bodies that a joint names.
std::vector<std::string> bodies_of(const Joint& joint) {
  std::vector<std::string> names;
  std::visit(
      [&](const auto& j) {
        if constexpr (requires { j.a.body; }) names.push_back(j.a.body);
        if constexpr (requires { j.b.body; }) names.push_back(j.b.body);
        if constexpr (requires { j.line.size(); }) names.push_back(j.line);
        if constexpr (requires { j.nodes.body; }) names.push_back(j.nodes.body);
        if constexpr (requires { j.body.size(); }) names.push_back(j.body);
      },
      joint);
  return names;
}

bool is_all(const Contact& contact) { return contact.between.size() == 1; }
bool has_all(const Contact& contact) { return contact.between.back() == everything; }

}  // namespace

const std::string* first_contact(const Model& model, ContactLaw law) {
  for (const auto& [name, contact] : model.contacts.items)
    if (contact.law == law) return &name;
  return nullptr;
}

bool contacts_symmetric(const Model& model) {
  return std::ranges::none_of(model.contacts.items, [&](const auto& item) {
    const Contact& contact = item.second;
    return contact.law == ContactLaw::penalty &&
           (contact.friction > 0 || (contact.damping > 0 && model.tangent == TangentForm::exact));
  });
}

std::array<Triple, 3> frame_of(const Obstacle& obstacle) {
  if (obstacle.normal) {
    const Triple z = of_unit_length(*obstacle.normal);
    const Triple x = of_unit_length(cross(std::abs(z[1]) < 0.9 ? Triple{0, 1, 0} : Triple{0, 0, 1}, z));
    return {x, cross(z, x), z};
  }
  RigidBody axes;
  axes.x_axis = obstacle.x_axis;
  axes.y_axis = obstacle.y_axis;
  return frame_of(axes);
}

bool can_touch(const Model& model, const AnyBody& any) {
  if (const auto* rigid = std::get_if<RigidBody>(&any)) return rigid->shape.has_value();
  const auto* body = std::get_if<Body>(&any);
  return body && (body->element->volume || radius_of_line(model, *body) > 0);
}

double radius_of_line(const Model& model, const Body& body) {
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  if (const auto* circle = section ? std::get_if<Circle>(section) : nullptr) return circle->radius;
  return 0;
}

// ---- which law ----

ContactLaws::ContactLaws(const Model& model) : bodies_(static_cast<int>(model.bodies.size())) {
  const int count = bodies_ + static_cast<int>(model.obstacles.size());
  for (const std::string& name : model.bodies.names()) numbers_.emplace(name, static_cast<int>(numbers_.size()));
  for (const std::string& name : model.obstacles.names()) numbers_.emplace(name, static_cast<int>(numbers_.size()));
  const auto pair = [](int a, int b) { return std::pair(std::min(a, b), std::max(a, b)); };
  // Bodies that [a, all] names are kinds of their own; 0: all others.
  kind_.assign(count, 0);
  self_.assign(count, -1);
  int kinds = 1;
  for (const auto& [name, contact] : model.contacts.items)
    if (!is_all(contact) && has_all(contact))
      if (int& kind = kind_[number(contact.between[0])]; kind == 0) kind = kinds++;
  law_.assign(kinds, std::vector<int>(kinds, -1));
  for (int pass = 0; pass < 2; ++pass)  // `all`, then what names one
    for (std::size_t c = 0; c < model.contacts.size(); ++c) {
      const Contact& contact = model.contacts.items[c].second;
      const int entry = contact.law == ContactLaw::none ? -1 : static_cast<int>(c);
      if (is_all(contact) && pass == 0)
        for (std::vector<int>& row : law_) std::ranges::fill(row, entry);
      if (!is_all(contact) && has_all(contact) && pass == 1) {
        const int k = kind_[number(contact.between[0])];
        for (int other = 0; other < kinds; ++other) law_[k][other] = law_[other][k] = entry;
      }
    }
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    const Contact& contact = model.contacts.items[c].second;
    if (is_all(contact) || has_all(contact)) continue;
    const int a = number(contact.between[0]), entry = contact.law == ContactLaw::none ? -1 : static_cast<int>(c);
    if (contact.between[1] == itself) self_[a] = entry;
    else named_[pair(a, number(contact.between[1]))] = entry;
  }
  for (const auto& [name, joint] : model.joints.items) {
    const std::vector<std::string> names = bodies_of(joint);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j)
        if (model.bodies.find(names[i]) && model.bodies.find(names[j]))
          apart_.insert(pair(number(names[i]), number(names[j])));
  }
}

int ContactLaws::number(const std::string& name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

int ContactLaws::between(int a, int b) const {
  if (a == b) return self_[a];
  if (a >= bodies_ && b >= bodies_) return -1;
  const std::pair<int, int> key(std::min(a, b), std::max(a, b));
  if (!named_.empty())
    if (const auto found = named_.find(key); found != named_.end()) return found->second;
  if (!apart_.empty() && apart_.contains(key)) return -1;
  return law_[kind_[a]][kind_[b]];
}

// ---- rules ----

namespace {

void check_surface(const Spot& here, const std::string& name) {
  const Model& model = here.model();
  if (model.obstacles.find(name)) return;
  const AnyBody* any = model.bodies.find(name);
  if (!any) {
    std::vector<std::string> known = model.bodies.names();
    for (const std::string& obstacle : model.obstacles.names()) known.push_back(obstacle);
    known.insert(known.end(), {everything, itself});
    fail_unknown(here, "body or obstacle", "bodies' or 'obstacles", name, known);
  }
  if (can_touch(model, *any)) return;
  if (const auto* rigid = std::get_if<RigidBody>(any); rigid)
    here.fail("rigid body '" + name + "' has no shape, so nothing can touch it; give it one, with 'mass' or 'density'");
  if (const auto* body = std::get_if<Body>(any); body)
    here.fail("body '" + name +
              "' is a line without thickness, so nothing can touch it; give it a section of type circle");
  here.fail("body '" + name + "' is " + article(type_name(*any)) +
            ", which has no surface; use a rigid body with a shape");
}

}  // namespace

void check(const Spot& here, const Obstacle& obstacle) {
  if (here.name() == everything || here.name() == itself)
    here.fail("the name '" + here.name() + "' has a meaning in 'between'; give the obstacle another name");
  if (here.model().bodies.find(here.name()))
    here.fail("a body has the name '" + here.name() + "', too; contacts name both, so give the obstacle another name");
  if (obstacle.normal) {
    if (!std::holds_alternative<PlaneShape>(obstacle.shape))
      here["normal"].fail("a normal belongs to a plane, and this is " + article(type_name(obstacle.shape)) +
                          "; use x_axis and y_axis");
    if (obstacle.x_axis || obstacle.y_axis)
      here[obstacle.x_axis ? "x_axis" : "y_axis"].fail("'normal' gives the frame already; remove one of them");
    check_direction(here, "normal", *obstacle.normal);
  }
  check_axes(here, obstacle.x_axis, obstacle.y_axis);
  check_direction(here, "axis", obstacle.axis);
  for (std::size_t m = 0; m < 3; ++m)
    if (obstacle.displacement[m]) check_drive(here["displacement"][m], *obstacle.displacement[m]);
  if (obstacle.angle) check_drive(here["angle"], *obstacle.angle);
  std::visit(
      [&](const auto& shape) {
        using T = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<T, BoxShape>) {
          for (std::size_t m = 0; m < 3; ++m)
            if (!(shape.size[m] > 0)) here["shape"]["size"].fail("an edge is 0, but an obstacle needs a volume");
        } else if constexpr (std::is_same_v<T, CylinderShape>) {
          if (!(shape.radius > 0 && shape.length > 0))
            here["shape"].fail("a radius or length is 0, but an obstacle needs a volume");
        } else if constexpr (std::is_same_v<T, TubeShape>) {
          if (!(shape.inner_radius < shape.outer_radius))
            here["shape"]["outer_radius"].fail("this must be larger than inner_radius");
        }
      },
      obstacle.shape);
}

namespace {

// What only one law has.
void check_law(const Spot& here, const Contact& contact) {
  const Model& model = here.model();
  const Contact usual;
  const bool penalty = contact.law == ContactLaw::penalty;
  const auto belongs = [&](const char* key, bool given) {
    if (given && !penalty)
      here[key].fail("this belongs to 'law: penalty', but the law is " + std::string(word(contact.law)) +
                     "; remove this key, or set the law");
  };
  belongs("stiffness", contact.stiffness.has_value());
  belongs("exponent", contact.exponent != usual.exponent);
  belongs("damping", contact.damping != 0);
  belongs("tangential_stiffness", contact.tangential_stiffness.has_value());
  belongs("tangential_damping", contact.tangential_damping != 0);
  if (!penalty) return;
  if (contact.restitution != 0)
    here["restitution"].fail(
        "a penalty law has no restitution of its own; use 'damping', in s/m: about (1 - e) / (0.67 v) "
        "for a restitution of e at an impact with v");
  if (const std::string* other = first_contact(model, ContactLaw::nonsmooth))
    here["law"].fail("this is penalty, but contact '" + *other +
                     "' is nonsmooth, and a run goes by one of them; give all contacts the same law");
}

}  // namespace

void check(const Spot& here, const Contact& contact) {
  check_law(here, contact);
  if (here.model().treatment == Treatment::augmented && contact.law == ContactLaw::nonsmooth)
    here.root()["treatment"].fail("this is augmented, but contact '" + here.name() +
                                  "' goes by half steps, whose constraints need multipliers; remove this key");
  const Spot between = here["between"];
  const auto& names = contact.between.items;
  if (names.size() == 1 && names[0] != everything)
    between.fail("this names '" + names[0] + "' alone; write [" + names[0] + ", other], [" + names[0] + ", self], [" +
                 names[0] + ", all], or all");
  if (names.size() > 2)
    between.fail("this names " + std::to_string(names.size()) +
                 ", but an entry is for a pair; write one entry for each pair, or [a, all]");
  if (names.size() == 1) return;
  for (std::size_t i = 0; i < 2; ++i) {
    if (names[i] == everything || names[i] == itself) {
      if (i == 0) between.fail("'" + names[0] + "' stands second, after the name of a body");
      continue;
    }
    check_surface(between, names[i]);
  }
  if (names[0] == names[1]) between.fail("this names '" + names[0] + "' twice; write [" + names[0] + ", self]");
  const Model& model = here.model();
  if (names[1] == itself) {
    const auto* body = flexible(model, names[0]);
    if (!body || body->kinematics == Kinematics::rigid)
      between.fail("'" + names[0] + "' does not deform, so it cannot touch itself; remove this entry");
  }
  if (model.obstacles.find(names[0]) && model.obstacles.find(names[1]))
    between.fail("both are obstacles, which move as they are told; name a body");
  for (const auto& [name, other] : model.contacts.items) {
    if (name == here.name()) break;
    auto a = names, b = other.between.items;
    std::ranges::sort(a);
    std::ranges::sort(b);
    if (a == b) between.fail("contact '" + name + "' is for the same pair; remove one of them");
  }
}

}  // namespace lithe
