// What can touch in a System, as a scene of corners, edges and triangles (contact/scene.h), and how its corners follow
// from coordinates: x = sum_i w_i q_i, those of obstacles from their own motion. A point of contact is a weighted sum
// of corners; of a rigid body it is a point of the body's frame, so that a ball is turned by friction at its radius.
//
// Solids, shells and beams show the sides of their elements, cut into triangles with corners where the shape functions
// are: along coordinates that they are cubic in four cuts, quadratic in two. Cables, and beams with a round section,
// are chains of round rods. Boxes are eight corners, balls one with a radius, capsules an edge with a radius; cylinders
// and tubes are prisms of `facets` sides whose corners lie on the circle (inside it by 0.12 % of the radius midway).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/base/slots.h"
#include "lithe/base/small.h"
#include "lithe/contact/scene.h"
#include "lithe/model/contacts.h"
#include "lithe/reduction/rotation.h"

namespace lithe {

struct System;
struct State;

// Where an obstacle is at a time, and how it moves there.
struct ObstaclePose {
  Vec3<double> origin{}, velocity{}, spin{};
  Mat3<double> frame = unit_matrix;
};

// What a State carries of each entry of model.contacts, in a slot of its own; a last slot has the impulses of all
// points (dynamics/contact_step.h). Forces are means over the last step.
struct ContactSums {
  enum : int { points, normal, friction, force, gap = force + 3, work_normal, work_friction, count };
};
void add_contact_slots(const System& system, Slots& slots);
int contact_slot(const System& system, const Slots& slots, int entry);

class ContactSurfaces {
 public:
  static constexpr int facets = 64;

  explicit ContactSurfaces(const System& system);

  const ContactScene& topology() const { return scene_; }
  // Corners at coordinates q and time t, and how far they go with rates v within h.
  void place(const std::vector<double>& q, const std::vector<double>& v, double t, double h, ContactScene& scene) const;
  // The entry of model.contacts for two surfaces, -1: they do not touch.
  int entry(int a, int b) const { return laws_.between(owner_[a], owner_[b]); }
  // Groups of surfaces: bodies, then obstacles.
  bool may_touch(int group, int other) const { return laws_.between(group, other) >= 0; }
  // "body 'ball'", "obstacle 'floor'".
  std::string name(int surface) const;
  // 1: the first one that an entry names is a, -1: b, 0: it names none.
  int side_of(int entry, int a, int b) const {
    const int first = first_of_[entry];
    return first < 0 ? 0 : owner_[a] == first ? 1 : owner_[b] == first ? -1 : 0;
  }
  bool is_obstacle(int surface) const { return owner_[surface] >= bodies_; }
  // A point of contact over coordinate vectors, action(vector, weight) for each; vectors may come twice. Obstacles have
  // none.
  template <class Action>
  void for_vectors(const ContactSide& side, const std::vector<double>& q, Action&& action) const {
    const int owner = owner_[side.surface];
    if (owner >= bodies_) return;
    if (const int first = frame_[owner]; first >= 0) {
      const Vec3<double> from = side.point - at(q, first);
      action(first, 1.0);
      for (int k = 1; k < 4; ++k) action(first + k, dot(from, at(q, first + k)));
      return;
    }
    for (int c = 0; c < 4 && side.corner[c] >= 0; ++c)
      for (int k = start_[side.corner[c]]; k < start_[side.corner[c] + 1]; ++k)
        action(vector_[k], side.weight[c] * weight_[k]);
  }
  // Velocity of a point of contact at rates v; of an obstacle at time t.
  Vec3<double> velocity(const ContactSide& side, const std::vector<double>& q, const std::vector<double>& v,
                        double t) const;

 private:
  static Vec3<double> at(const std::vector<double>& q, int vector) {
    return {{q[3ul * vector], q[3ul * vector + 1], q[3ul * vector + 2]}};
  }
  ObstaclePose pose(int obstacle, double t) const;
  int add_surface(int owner, double radius);
  int add_corner(const std::vector<std::pair<int, double>>& weights, const Vec3<double>& in_frame);
  void add_edges(int surface);
  void add_cells(int surface);
  void add_shape(const System& system, int owner, const ObstacleShape& shape);
  void add_sides(const System& system, int body);
  void add_line(const System& system, int body, double radius);

  ContactScene scene_;
  ContactLaws laws_;
  std::vector<Obstacle> obstacles_;
  std::vector<std::string> names_;  // [owner]
  int bodies_ = 0;
  std::vector<int> first_of_;           // [entry] body or obstacle that it names first, -1: all
  std::vector<int> owner_;              // [surface] body, or bodies + obstacle
  std::vector<int> frame_;              // [body] first vector of a rigid body's four, -1: not one
  std::vector<std::int32_t> start_{0};  // [corner + 1]
  std::vector<std::int32_t> vector_;    // [start]
  std::vector<double> weight_;          // [start]
  std::vector<Vec3<double>> in_frame_;  // [corner] of obstacles
};

}  // namespace lithe
