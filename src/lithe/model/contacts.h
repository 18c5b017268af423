// What may touch: obstacles, which are there and have no mass, and the law of each pair of bodies.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/base/one_or_more.h"
#include "lithe/model/bodies.h"
#include "lithe/model/signal.h"

namespace lithe {

struct Model;

// A fixed or driven shape without mass.
struct Obstacle {
  ObstacleShape shape;
  Triple position{0, 0, 0};
  std::optional<Triple> x_axis, y_axis;                   // of its frame; default: global axes
  std::optional<Triple> normal;                           // instead, of a plane: its z
  std::array<std::optional<Drive>, 3> displacement = {};  // m, from `position`; none: 0
  std::optional<Drive> angle = {};                        // rad, about `axis` through its origin
  Triple axis{0, 0, 1};                                   // global
  bool moves() const { return displacement[0] || displacement[1] || displacement[2] || angle; }
};
const Schema& schema(const Obstacle*);

// Unit vectors of its frame.
std::array<Triple, 3> frame_of(const Obstacle& obstacle);

// Signorini's and Coulomb's laws as they are; forces that grow with the depth; or none: these pass through each other.
enum class ContactLaw { nonsmooth, penalty, none };
template <>
struct Words<ContactLaw> {
  static constexpr std::array<const char*, 3> names{"nonsmooth", "penalty", "none"};
};

// Where a run begins with bodies inside each other.
enum class InitialOverlap { error, accept };
template <>
struct Words<InitialOverlap> {
  static constexpr std::array<const char*, 2> names{"error", "accept"};
};

struct Contact {
  OneOrMore<std::string> between;  // [a, b]: bodies, obstacles or groups; [a, self]; [a, all]; all
  ContactLaw law = ContactLaw::nonsmooth;
  double friction = 0, restitution = 0;
  InitialOverlap initial_overlap = InitialOverlap::error;
  std::vector<OneOrMore<std::string>> except = {};  // names, and pairs of them, that it is not for
  // penalty: normal force stiffness d^exponent (1 + damping d') of the depth d, tangential stiffness of what sticks.
  std::optional<double> stiffness;             // N/m^exponent; default: of materials and sizes
  double exponent = 1.5, damping = 0;          // 1; s/m
  std::optional<double> tangential_stiffness;  // N/m; default: of the normal one where the point was pressed most
  double tangential_damping = 0;               // s, over the tangential stiffness
};
const Schema& schema(const Contact*);

inline constexpr const char *everything = "all", *itself = "self";

// Bodies and obstacles by the names and patterns ("brick*") of a group.
using ContactGroup = std::vector<std::string>;
void check(const Spot& here, const ContactGroup& group);
std::vector<std::string> members_of(const Model& model, const ContactGroup& group);
// Does `between` begin with a body or an obstacle, so that there is a force on it?
bool names_one(const Model& model, const Contact& contact);

// Is there an entry of this law? And the first one's name.
const std::string* first_contact(const Model& model, ContactLaw law);

// Does the law of every contact have a symmetric tangent (up to the symmetric part that damping is given by default)?
bool contacts_symmetric(const Model& model);

// Of the round string that a cable is, or a beam with a round section; 0: it is none.
double radius_of_line(const Model& model, const Body& body);
// Can it touch: a rigid body with a shape, elements with a volume, cables with a thickness?
bool can_touch(const Model& model, const AnyBody& body);

// The law of every pair of bodies and obstacles, numbered: bodies, then obstacles, each as in the model. Each side of
// an entry counts 2 where the name is that of the body itself, 1 where it is that of a group, 0 for `all`; the entry
// with the largest sum holds, of equals the later one. What a joint holds together touches only where an entry names
// both bodies themselves.
class ContactLaws {
 public:
  explicit ContactLaws(const Model& model);
  // The entry of model.contacts for a pair, or for a body with itself; -1: they do not touch.
  int between(int a, int b) const;
  // Of a body or obstacle; -1: neither.
  int number(const std::string& name) const;

 private:
  // What a name of an entry means: bodies and obstacles, and how much it counts.
  struct Meaning {
    std::vector<int> members;
    int rank = 0;
    bool all = false;
  };
  Meaning meaning(const Model& model, const std::string& name) const;
  void make_kinds(const Model& model);
  std::vector<int> kinds_of(const Meaning& meaning) const;
  void apply(const Model& model, int entry);

  std::map<std::string, int> numbers_;
  int bodies_ = 0;
  std::vector<int> kind_;                     // [body or obstacle] those of one kind are in the same names of entries
  std::vector<std::vector<int>> law_;         // [kind][kind]
  std::vector<int> self_;                     // [body or obstacle]
  std::set<std::pair<int, int>> apart_;       // held together by a joint; smaller number first
  std::map<std::pair<int, int>, int> named_;  // pairs that an entry names; smaller number first
};

void check(const Spot& here, const Obstacle& obstacle);
void check(const Spot& here, const Contact& contact);

}  // namespace lithe
