// A place in a model that is being checked: "joints.hinge.axis" with the model around it. Rules that need more than one
// field stand beside their structs, check(const Spot& here, const T&), and say what is wrong there:
//
//   if (!(tube.inner_radius < tube.outer_radius)) here["outer_radius"].fail("this is ...");
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lithe/base/describe.h"
#include "lithe/model/model.h"

namespace lithe {

// What is checked: the model, the tree it was read from (null: it was made in code), and where doubts go.
struct Checking {
  const Model& model;
  const Stages& analysis;
  const Value* said;
  Reading& reading;
};

class Spot {
 public:
  explicit Spot(const Checking& all) : all_(all) {}

  Spot operator[](std::string_view key) const;
  Spot operator[](std::size_t number) const { return (*this)[std::to_string(number)]; }

  [[noreturn]] void fail(const std::string& message) const;
  void warn(const std::string& message) const;
  // What `action` refuses, it refuses here.
  template <class Action>
  void guard(Action&& action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  const Model& model() const { return all_.model; }
  const Stages& analysis() const { return all_.analysis; }
  Spot root() const { return Spot(all_); }
  const std::string& name() const { return keys_.back(); }
  // The line of these keys, or of the nearest thing around them that was said.
  Where where() const;

 private:
  const Checking& all_;
  std::vector<std::string> keys_;
};

// ---- what several rules need ----

double norm(const Triple& a);
double dot(const Triple& a, const Triple& b);
Triple cross(const Triple& a, const Triple& b);
bool parallel(const Triple& a, const Triple& b);
std::string text(const Triple& a);
std::string short_text(double x);  // four digits
std::string article(std::string_view word);
// Do places on it turn: by three gradients, or because its mesh moves as one rigid body?
bool has_axes(const AnyBody& body);

template <class Variant>
std::string type_name(const Variant& variant) {
  return std::visit([](const auto& x) { return std::string(schema(&x).name); }, variant);
}

[[noreturn]] void fail_unknown(const Spot& here, const char* kind, const char* section, const std::string& name,
                               const std::vector<std::string>& known);
// The thing of that name; `section` is where things of its kind are defined.
template <class T>
const T& existing(const Spot& here, const char* kind, const char* section, const Named<T>& named,
                  const std::string& name) {
  const T* found = named.find(name);
  if (!found) fail_unknown(here, kind, section, name, named.names());
  return *found;
}

// Names stand in places (beam.end), in paths of the results, in --set and in messages.
void check_name(const Spot& here, const std::string& name);
void check_direction(const Spot& here, const char* key, const Triple& a);
void check_axes(const Spot& here, const std::optional<Triple>& x, const std::optional<Triple>& y);
void check_strategy(const Spot& here, const std::string& name);
// A place under `key`: its body.
const AnyBody& check_place(const Spot& here, const char* key, const At& at);
// A place of a body, or the ground: its body, null for the ground.
const AnyBody* check_end(const Spot& here, const char* key, const At& at);
// A joint of that name with an angle about one axis, or with a travel.
void check_angle(const Spot& here, const std::string& joint);
void check_travel(const Spot& here, const std::string& joint);
// The coordinate that `said` means of a joint, for something with the keys `joint` and `coordinate`.
JointCoordinate check_coordinate(const Spot& here, const std::string& joint,
                                 const std::optional<JointCoordinate>& said);

void check_signal(const Spot& here, const Signal& signal);
void check_signals(const Spot& here, const Signals& signals);
// A motion enters with its rate and acceleration.
void check_drive(const Spot& here, const Drive& drive);

}  // namespace lithe
