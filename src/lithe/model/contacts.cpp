#include "lithe/model/contacts.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/mesh_sides.h"
#include "lithe/model/spot.h"

namespace lithe {

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
  visit(
      "between", &Contact::between,
      Field{.help = "[a, b]: bodies, obstacles or 'groups'; [a, self]: a body with itself; [a, all]: with every other "
                    "one; all: every pair. What a joint holds together touches only where both are named",
            .required = true});
  visit("except", &Contact::except, Field{.help = "names, and pairs [a, b] of names, that this entry is not for"});
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

// Does a name match a pattern with *?
bool matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= name.size(); ++i)
    if (matches(name.substr(i), rest)) return true;
  return false;
}

std::vector<std::string> surfaces_of(const Model& model) {
  std::vector<std::string> names = model.bodies.names();
  for (const std::string& obstacle : model.obstacles.names()) names.push_back(obstacle);
  return names;
}

// Rigid bodies do not touch themselves, obstacles neither.
bool deforms(const Model& model, const std::string& name) {
  const Body* body = flexible(model, name);
  return body && body->kinematics != Kinematics::rigid;
}

bool is_self(const Contact& contact) { return contact.between.size() > 1 && contact.between[1] == itself; }

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
  if (const auto* rigid = std::get_if<RigidBody>(&any)) return rigid->surface() && has_volume(*rigid->surface());
  const auto* body = std::get_if<Body>(&any);
  return body && (body->element->volume || radius_of_line(model, *body) > 0);
}

double radius_of_line(const Model& model, const Body& body) {
  if (body.contact_radius) return *body.contact_radius;
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  const auto about_line = [&](const auto* round) { return round && round->offset == Offset{} ? round->radius : 0; };
  if (!section) return 0;
  return std::fmax(about_line(std::get_if<Circle>(section)), about_line(std::get_if<Tube>(section)));
}

std::vector<std::string> members_of(const Model& model, const ContactGroup& group) {
  std::vector<std::string> members;
  for (const std::string& name : surfaces_of(model))
    if (std::ranges::any_of(group, [&](const std::string& pattern) { return matches(name, pattern); }))
      members.push_back(name);
  return members;
}

bool names_one(const Model& model, const Contact& contact) {
  return model.bodies.find(contact.between[0]) || model.obstacles.find(contact.between[0]);
}

// ---- which law ----

ContactLaws::ContactLaws(const Model& model) : bodies_(static_cast<int>(model.bodies.size())) {
  for (const std::string& name : surfaces_of(model)) numbers_.emplace(name, static_cast<int>(numbers_.size()));
  self_.assign(numbers_.size(), -1);
  make_kinds(model);
  const int kinds = kind_.empty() ? 0 : *std::ranges::max_element(kind_) + 1;
  law_.assign(kinds, std::vector<int>(kinds, -1));
  // From those that count least to those that count most.
  std::vector<std::pair<int, int>> order;
  for (std::size_t c = 0; c < model.contacts.size(); ++c) {
    int rank = 0;
    for (const std::string& name : model.contacts.items[c].second.between) rank += meaning(model, name).rank;
    order.emplace_back(rank, static_cast<int>(c));
  }
  std::ranges::sort(order);
  for (const auto& [rank, entry] : order) apply(model, entry);
  for (const auto& [name, joint] : model.joints.items) {
    const std::vector<std::string> names = bodies_of(joint);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j)
        if (model.bodies.find(names[i]) && model.bodies.find(names[j]))
          apart_.insert(std::minmax(number(names[i]), number(names[j])));
  }
}

ContactLaws::Meaning ContactLaws::meaning(const Model& model, const std::string& name) const {
  if (name == itself) return {};
  if (name == everything) return {{}, 0, true};
  if (const int found = number(name); found >= 0) return {{found}, 2, false};
  Meaning of{{}, 1, false};
  if (const ContactGroup* group = model.groups.find(name))
    for (const std::string& member : members_of(model, *group)) of.members.push_back(number(member));
  return of;
}

// Bodies are of one kind where the same names of entries, in `between` and in `except`, mean them. Entries that name
// two bodies need none: they are in named_.
void ContactLaws::make_kinds(const Model& model) {
  std::map<std::string, Meaning> names;
  const auto take = [&](const std::string& name) { names.emplace(name, meaning(model, name)); };
  for (const auto& [entry, contact] : model.contacts.items) {
    const auto& between = contact.between;
    if (!is_self(contact) && !(between.size() == 2 && number(between[0]) >= 0 && number(between[1]) >= 0))
      for (const std::string& name : between) take(name);
    for (const auto& item : contact.except)
      for (const std::string& name : item) take(name);
  }
  std::vector<std::vector<int>> in(numbers_.size());  // [body or obstacle] names that mean it
  int k = 0;
  for (const auto& [name, of] : names) {
    for (const int member : of.members) in[member].push_back(k);
    ++k;
  }
  std::map<std::vector<int>, int> known;
  for (const std::vector<int>& list : in)
    kind_.push_back(known.emplace(list, static_cast<int>(known.size())).first->second);
}

std::vector<int> ContactLaws::kinds_of(const Meaning& meaning) const {
  std::vector<int> kinds;
  for (std::size_t i = 0; meaning.all && i < law_.size(); ++i) kinds.push_back(static_cast<int>(i));
  for (const int member : meaning.members) kinds.push_back(kind_[member]);
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

void ContactLaws::apply(const Model& model, int entry) {
  const Contact& contact = model.contacts.items[entry].second;
  const int law = contact.law == ContactLaw::none ? -1 : entry;
  const Meaning first = meaning(model, contact.between[0]),
                second = contact.between.size() > 1 ? meaning(model, contact.between[1]) : first;
  if (is_self(contact)) {
    std::vector<int> members = first.members;
    for (const auto& item : contact.except)
      for (const int out : meaning(model, item[0]).members) std::erase(members, out);
    for (const int member : members) self_[member] = law;
    return;
  }
  if (first.rank == 2 && second.rank == 2) {
    named_[std::minmax(first.members[0], second.members[0])] = law;
    return;
  }
  std::set<std::pair<int, int>> out;
  for (const auto& item : contact.except) {
    const Meaning a = meaning(model, item[0]), b = item.size() > 1 ? meaning(model, item[1]) : Meaning{{}, 0, true};
    for (const int i : kinds_of(a))
      for (const int j : kinds_of(b)) out.insert(std::minmax(i, j));
  }
  for (const int i : kinds_of(first))
    for (const int j : kinds_of(second))
      if (out.empty() || !out.contains(std::minmax(i, j))) law_[i][j] = law_[j][i] = law;
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

// What a name of an entry may be.
[[noreturn]] void fail_name(const Spot& here, const std::string& name) {
  std::vector<std::string> known = surfaces_of(here.model());
  for (const std::string& group : here.model().groups.names()) known.push_back(group);
  known.insert(known.end(), {everything, itself});
  fail_unknown(here, "body, obstacle or group", "bodies', 'obstacles' or 'groups", name, known);
}

// Why nothing can touch a body, with what to do; empty: it can be touched.
std::string why_untouched(const Model& model, const std::string& name) {
  const AnyBody* any = model.bodies.find(name);
  if (!any || can_touch(model, *any)) return "";
  if (const auto* rigid = std::get_if<RigidBody>(any))
    return "rigid body '" + name + "' has no shape" + (rigid->surface() ? " with a volume" : "") +
           ", so nothing can touch it; give it a 'contact_shape'";
  if (std::holds_alternative<Body>(*any))
    return "body '" + name +
           "' is a line without thickness, so nothing can touch it; give it 'contact_radius', or a section of type "
           "circle";
  return "body '" + name + "' is " + article(type_name(*any)) + ", which has no surface; use a rigid body with a shape";
}

void check_surface(const Spot& here, const std::string& name) {
  const Model& model = here.model();
  if (model.obstacles.find(name)) return;
  if (const ContactGroup* group = model.groups.find(name)) {
    for (const std::string& member : members_of(model, *group))
      if (const std::string why = why_untouched(model, member); !why.empty())
        here.fail("of group '" + name + "', " + why);
    return;
  }
  if (!model.bodies.find(name)) fail_name(here, name);
  if (const std::string why = why_untouched(model, name); !why.empty()) here.fail(why);
}

void check_except(const Spot& here, const Contact& contact) {
  for (std::size_t i = 0; i < contact.except.size(); ++i) {
    const auto& item = contact.except[i];
    const Spot there = here["except"][i];
    if (item.size() == 0 || item.size() > 2)
      there.fail("this names " + std::to_string(item.size()) + ", but an exception is a name or a pair [a, b]");
    if (item.size() == 2 && is_self(contact)) there.fail("this entry is for bodies with themselves; name one");
    for (const std::string& name : item.items) {
      const Model& model = here.model();
      if (!model.bodies.find(name) && !model.obstacles.find(name) && !model.groups.find(name)) fail_name(there, name);
    }
  }
  const auto& names = contact.between.items;
  const bool pair = names.size() == 2 && names_one(here.model(), contact) &&
                    (here.model().bodies.find(names[1]) || here.model().obstacles.find(names[1]) || names[1] == itself);
  if (pair && !contact.except.empty())
    here["except"].fail("this entry is for one pair alone; remove this key, or the entry");
}

// Of all bodies those that nothing can touch are left out, and told.
void warn_of_untouched(const Spot& here, const Contact& contact) {
  const Model& model = here.model();
  if (std::ranges::find(contact.between.items, everything) == contact.between.items.end() ||
      contact.law == ContactLaw::none)
    return;
  for (const auto& [name, any] : model.bodies.items) {
    if (!std::holds_alternative<Body>(any) || can_touch(model, any)) continue;
    const bool said = std::ranges::any_of(contact.except, [&](const auto& item) {
      if (item.size() != 1) return false;
      const ContactGroup* group = model.groups.find(item[0]);
      return item[0] == name || (group && std::ranges::count(members_of(model, *group), name) > 0);
    });
    if (!said) here.warn(why_untouched(model, name) + ", or name it in 'except'");
  }
}

}  // namespace

void check(const Spot& here, const ContactGroup& group) {
  const Model& model = here.model();
  if (here.name() == everything || here.name() == itself || model.bodies.find(here.name()) ||
      model.obstacles.find(here.name()))
    here.fail("the name '" + here.name() + "' has a meaning in 'between' already; give the group another name");
  if (group.empty()) here.fail("this group is empty; name bodies or obstacles, or remove it");
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (members_of(model, {group[i]}).empty()) {
      if (group[i].find('*') != std::string::npos)
        here[i].fail("no body and no obstacle has a name like '" + group[i] + "'");
      fail_unknown(here[i], "body or obstacle", "bodies' or 'obstacles", group[i], surfaces_of(model));
    }
  }
}

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
  check_obstacle(here["shape"], obstacle.shape);
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
  if (contact.law == ContactLaw::none)
    for (const auto& [key, given] : {std::pair{"friction", contact.friction != 0},
                                     {"restitution", contact.restitution != 0},
                                     {"initial_overlap", contact.initial_overlap != usual.initial_overlap}})
      if (given) here[key].fail("the law is none, so nothing touches; remove this key, or the law");
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
  check_except(here, contact);
  warn_of_untouched(here, contact);
  if (names.size() == 1) return;
  for (std::size_t i = 0; i < 2; ++i) {
    if (names[i] == everything || names[i] == itself) {
      if (i == 0) between.fail("'" + names[0] + "' stands second, after the name of a body");
      continue;
    }
    check_surface(between, names[i]);
  }
  const Model& model = here.model();
  if (names[0] == names[1] && !model.groups.find(names[0]))
    between.fail("this names '" + names[0] + "' twice; " +
                 (deforms(model, names[0]) ? "write [" + names[0] + ", self]" : "name another body or an obstacle"));
  if (names[1] == itself) {
    std::vector<std::string> members = {names[0]};
    if (const ContactGroup* group = model.groups.find(names[0])) members = members_of(model, *group);
    for (const std::string& member : members)
      if (!deforms(model, member))
        between.fail("'" + member + "' does not deform, so it cannot touch itself; remove " +
                     (member == names[0] ? "this entry" : "it from group '" + names[0] + "'"));
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
