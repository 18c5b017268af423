// What can touch in a System, as a scene of corners, edges and triangles (contact/scene.h), and how its corners follow
// from coordinates: x = sum_i w_i q_i, those of obstacles from their own motion. A point of contact is a weighted sum
// of corners; of a rigid body it is a point of the body's frame, so that a ball is turned by friction at its radius.
//
// Solids, shells and beams show the sides of their elements, cut into triangles with corners where the shape functions
// are: along coordinates that they are cubic in four cuts, quadratic in two; beams whose section is no full rectangle
// its outer edge along their line, filled. Cables, and beams with a round section about their line, are chains of round
// rods, cables on request of balls. Shapes of rigid bodies and obstacles: shape_mesh.h.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/base/slots.h"
#include "lithe/base/small.h"
#include "lithe/contact/scene.h"
#include "lithe/model/contacts.h"
#include "lithe/model/sections.h"
#include "lithe/reduction/rotation.h"
#include "lithe/system/shape_mesh.h"

namespace lithe {

struct System;
struct State;
struct BodyInfo;

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
// Penalty: one more before these has the pairs of vectors that the matrix has beside the System's, and the last one the
// points that press (dynamics/contact_forces.h).
void add_contact_slots(const System& system, Slots& slots);
int contact_slot(const System& system, const Slots& slots, int entry);
// A first slot lists the points that press, for the results: what each is made of, in this order.
struct ContactRecord {
  enum : int {
    first,  // bodies, or obstacles counted on from them: a and b
    second,
    entry,                 // of model.contacts
    point,                 // m, where it is in the middle of the step, between the two surfaces
    normal = point + 3,    // from b to a
    impulse = normal + 3,  // N s, on a, of the whole step
    slip = impulse + 3,    // m/s, velocity of a against b along the surface, at the end of the step
    gap = slip + 3,        // m, at the end of the step
    count
  };
};
int contact_points_slot(const System& system, const Slots& slots);

class ContactSurfaces {
 public:
  ContactSurfaces(const System& system, MeshFiles& files);

  const ContactScene& topology() const { return scene_; }
  // Corners at coordinates q and time t, and how far they go with rates v within h.
  void place(const std::vector<double>& q, const std::vector<double>& v, double t, double h, ContactScene& scene) const;
  // The entry of model.contacts for two surfaces, -1: they do not touch.
  int entry(int a, int b) const { return laws_.between(owner_[a], owner_[b]); }
  // Groups of surfaces: bodies, then obstacles.
  bool may_touch(int group, int other) const { return entry_of(group, other) >= 0; }
  int entry_of(int group, int other) const { return laws_.between(group, other); }
  // "body 'ball'", "obstacle 'floor'".
  std::string name(int surface) const;
  // Body, or obstacle counted on from the bodies.
  int owner(int surface) const { return owner_[surface]; }
  // 1: the first one that an entry names is a, -1: b, 0: it names none.
  int side_of(int entry, int a, int b) const {
    const int first = first_of_[entry];
    return first < 0 ? 0 : owner_[a] == first ? 1 : owner_[b] == first ? -1 : 0;
  }
  bool is_obstacle(int surface) const { return owner_[surface] >= bodies_; }
  int bodies() const { return bodies_; }
  // First of the four vectors of the rigid body whose surface this is; -1: not one.
  int frame(int surface) const { return is_obstacle(surface) ? -1 : frame_[owner_[surface]]; }
  // A corner in the frame of its rigid body or obstacle; else its vectors, action(vector, weight).
  const Vec3<double>& in_frame(int corner) const { return in_frame_[corner]; }
  template <class Action>
  void for_corner(int corner, Action&& action) const {
    for (int k = start_[corner]; k < start_[corner + 1]; ++k) action(vector_[k], weight_[k]);
  }
  // Of the obstacle whose surface this is.
  ObstaclePose pose_of(int surface, double t) const { return pose(owner_[surface] - bodies_, t); }
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
  class KnownCorners;
  int add_point(const System& system, const BodyInfo& info, int element, const Vec3<double>& xi, KnownCorners& known);
  void add_edges(int surface);
  void add_cell(int cell, double depth);
  void add_cells(int surface);
  void fill_cells(const System& system);
  void add_shape(const System& system, int owner, const std::vector<ShapeMesh>& meshes);
  void add_sides(const System& system, int body);
  void add_prism(const System& system, int body, const Section& section);
  void add_line(const System& system, int body, const Body& said, double radius);

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
  std::vector<Vec3<double>> in_frame_;  // [corner] of rigid bodies and obstacles
};

}  // namespace lithe
