#include "lithe/model/spot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lithe/model/fitting.h"
#include "lithe/model/validate.h"

namespace lithe {

namespace {

const Value* item_of(const Value& value, const std::string& key, std::size_t position) {
  if (position < value.fields.size() && value.fields[position].first == key) return &value.fields[position].second;
  if (const Value* found = value.find(key)) return found;
  if (value.kind != Value::Kind::list || key.find_first_not_of("0123456789") != std::string::npos) return nullptr;
  const std::size_t i = std::stoul(key);
  return i < value.items.size() ? &value.items[i] : nullptr;
}

// Named things of the model under that key; null: none have that key.
const Member* named_member(const std::string& key) {
  for (const Member& member : schema(static_cast<const Model*>(nullptr)).members)
    if (key == member.key) return member.type->kind == Type::Kind::named ? &member : nullptr;
  return nullptr;
}

void check_finite(const Spot& here, const Signal& signal, const char* what, double x, double t) {
  const std::string name = signal.table() ? "this table" : "'" + signal.text() + "'";
  if (!(std::abs(x) <= largest_number))
    here.fail(what + name + " is " + number_text(x) + " at t = " + short_text(t) +
              " s; it must be a finite number of at most " + number_text(largest_number) + " in size from 0 to " +
              short_text(end_of(here.analysis())) + " s");
}

void check_overshoot(const Spot& here, const Table& table) {
  const Table::Overshoot worst = table.overshoot();
  const auto [low, high] = std::ranges::minmax(table.values());
  if (worst.share > 0.05)
    here.warn("the spline through this table reaches " + short_text(worst.value) + " at t = " + short_text(worst.time) +
              " s, but its rows lie between " + short_text(low) + " and " + short_text(high) +
              "; add rows there if it should not");
}

}  // namespace

Spot Spot::operator[](std::string_view key) const {
  Spot inside = *this;
  inside.keys_.emplace_back(key);
  return inside;
}

Where Spot::where() const {
  // A named thing is found by its place among the others: a model may have many of them, each with a warning.
  const Member* member = keys_.empty() ? nullptr : named_member(keys_[0]);
  const void* named = member ? member->in(static_cast<const void*>(&all_.model)) : nullptr;
  const std::size_t position =
      named && keys_.size() > 1 ? member->type->named.position(named, keys_[1]) : NameIndex::none;
  Where place;
  if (all_.said) {
    const Value* value = all_.said;
    place = value->where;
    for (std::size_t k = 0; k < keys_.size() && value; ++k) {
      value = item_of(*value, keys_[k], k == 1 ? position : NameIndex::none);
      if (value) place = value->where;
    }
  } else if (position != NameIndex::none) {
    if (const Where* said = member->type->named.where(named, position); said && !said->file.empty()) place = *said;
  }
  if (place.file.rfind("--set", 0) == 0) return place;
  place.path.clear();
  for (const std::string& key : keys_) place.path += (place.path.empty() ? "" : ".") + key;
  return place;
}

void Spot::fail(const std::string& message) const { throw InputError(where(), message); }
void Spot::warn(const std::string& message) const {
  all_.reading.warnings.push_back(InputError(where(), message).what());
}

double norm(const Triple& a) { return std::sqrt(dot(a, a)); }
double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool parallel(const Triple& a, const Triple& b) { return norm(cross(a, b)) < 1e-9 * norm(a) * norm(b); }
std::string text(const Triple& a) {
  return "[" + number_text(a[0]) + ", " + number_text(a[1]) + ", " + number_text(a[2]) + "]";
}
std::string short_text(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x);
  return buffer;
}
bool has_axes(const AnyBody& body) {
  const Body* flexible = std::get_if<Body>(&body);
  return body_kind(body)->gradients() == 3 ||
         (flexible && flexible->element->volume && flexible->kinematics == Kinematics::rigid);
}

std::string article(std::string_view word) {
  return (std::string_view("aeiou").find(word[0]) != std::string_view::npos ? "an " : "a ") + std::string(word);
}

void fail_unknown(const Spot& here, const char* kind, const char* section, const std::string& name,
                  const std::vector<std::string>& known) {
  if (known.empty())
    here.fail(std::string(kind) + " '" + name + "' is not known: the model has no '" + section + "'; define it there");
  here.fail(std::string(kind) + " '" + name + "' is not known" + suggestion(name, known));
}

void check_name(const Spot& here, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    here.fail("the name '" + name.substr(0, 60) + "' " + why + ", so use letters, digits and _");
  };
  if (name.empty()) refuse("is empty");
  if (name.size() > longest_name)
    refuse("has " + std::to_string(name.size()) + " characters; " + std::to_string(longest_name) + " are the most");
  if (name.find('.') != std::string::npos) refuse("contains a dot; dots separate a body from its places (beam.end)");
  if (name.find('/') != std::string::npos) refuse("contains a '/', which separates names in the results");
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) refuse("contains a control character");
}

void check_direction(const Spot& here, const char* key, const Triple& a) {
  if (!(norm(a) > 0))
    here[key].fail("this is " + text(a) + ", which has no direction; give a vector of nonzero length");
}

void check_axes(const Spot& here, const std::optional<Triple>& x, const std::optional<Triple>& y) {
  if (x) check_direction(here, "x_axis", *x);
  if (y) check_direction(here, "y_axis", *y);
  if (y && parallel(*y, x.value_or(Triple{1, 0, 0})))
    here["y_axis"].fail("this is " + text(*y) + ", parallel to x_axis = " + text(x.value_or(Triple{1, 0, 0})) +
                        "; give another direction");
}

void check_strategy(const Spot& here, const std::string& name) {
  const std::vector<std::string> names = strategy_names();
  if (std::ranges::find(names, name) == names.end())
    here.fail("strategy '" + name + "' is not known" + suggestion(name, names));
}

const AnyBody& check_place(const Spot& here, const char* key, const At& at) {
  const AnyBody* body = here.model().bodies.find(at.body);
  if (!body) existing(here[key], "body", "bodies", here.model().bodies, at.body);
  if (at.xi && !std::holds_alternative<RigidBody>(*body))
    for (const double x : *at.xi)
      if (!(std::abs(x) <= 1))
        here[key].fail("xi is " + text(*at.xi) + ", but material coordinates lie between -1 and 1");
  return *body;
}

const AnyBody* check_end(const Spot& here, const char* key, const At& at) {
  if (!at.is_ground()) return &check_place(here, key, at);
  if (!at.name.empty() || at.node || at.element)
    here[key].fail("the ground has no names, nodes or elements; write {body: ground, point: [x, y, z]}");
  return nullptr;
}

void check_angle(const Spot& here, const std::string& name) {
  const Joint& joint = existing(here, "joint", "joints", here.model().joints, name);
  if (std::ranges::count(coordinates_of(joint), JointCoordinate::angle) == 0)
    here.fail("joint '" + name + "' is of type " + type_name(joint) +
              ", which has no angle; name a revolute, cylindrical, screw or planar joint");
}

void check_travel(const Spot& here, const std::string& name) {
  const Joint& joint = existing(here, "joint", "joints", here.model().joints, name);
  if (std::ranges::count(coordinates_of(joint), JointCoordinate::travel) == 0)
    here.fail(
        "joint '" + name + "' is of type " + type_name(joint) +
        ", which has no travel; name a prismatic, cylindrical, screw, planar, point_on_line or slide_along joint");
}

JointCoordinate check_coordinate(const Spot& here, const std::string& name,
                                 const std::optional<JointCoordinate>& said) {
  const Joint& joint = existing(here["joint"], "joint", "joints", here.model().joints, name);
  const std::vector<JointCoordinate> known = coordinates_of(joint);
  if (known.empty())
    here["joint"].fail("joint '" + name + "' is of type " + type_name(joint) +
                       ", which has no angle and no travel; name a revolute, cylindrical, prismatic, screw, planar or "
                       "universal joint");
  if (!said) return known.front();
  if (std::ranges::count(known, *said) > 0) return *said;
  std::string list;
  for (const JointCoordinate c : known) list += (list.empty() ? "'" : " and '") + std::string(word(c)) + "'";
  here["coordinate"].fail(std::string("'") + word(*said) + "' is no coordinate of joint '" + name +
                          "', which is of type " + type_name(joint) + " and has " + list);
}

void check_signal(const Spot& here, const Signal& signal) {
  for (const Analysis& stage : here.analysis())
    if (const auto* statics = std::get_if<StaticAnalysis>(&stage);
        statics && statics->method == StaticMethod::arc_length && !signal.is_constant())
      here.fail(
          "arc_length scales all loads by one factor, so each must be a constant number; use 'method: newton' for "
          "tables and expressions");
  for (int i = 0; i <= 8; ++i) {
    const double t = end_of(here.analysis()) * i / 8;
    check_finite(here, signal, "", signal(t), t);
  }
  if (signal.table()) check_overshoot(here, *signal.table());
}

void check_signals(const Spot& here, const Signals& signals) {
  for (std::size_t i = 0; i < signals.size(); ++i) check_signal(here[i], signals[i]);
}

void check_drive(const Spot& here, const Drive& drive) {
  const double end_of_run = end_of(here.analysis());
  check_signal(here, drive);
  for (int i = 0; i <= 8; ++i) {
    const double t = end_of_run * i / 8;
    check_finite(here, drive, "the rate of ", drive.rate(t), t);
    check_finite(here, drive, "the acceleration of ", drive.acceleration(t), t);
  }
  const Table* table = drive.table();
  if (!table || !(end_of_run > table->times().back())) return;
  const double end = table->times().back(), rate = table->rate(end), last = table->values().back();
  const auto [low, high] = std::ranges::minmax(table->values());
  if (std::abs(rate) * (end_of_run - end) > 1e-6 * std::max(high - low, std::abs(last)))
    here.warn("the table ends at t = " + short_text(end) + " s with a rate of " + short_text(rate) +
              " and goes on with it, to " + short_text(drive(end_of_run)) + " at t = " + short_text(end_of_run) +
              " s; add rows if it should stop");
}

}  // namespace lithe
