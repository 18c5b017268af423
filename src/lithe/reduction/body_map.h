// Bodies whose coordinate vectors move as fewer numbers say: rates v = T w, forces T^T f. T depends on what the body
// keeps in its slots and on nothing else, so that it stands still while a step is solved. Coordinates themselves are
// integrated in full (co-rotated and reduced bodies) or kept in shape by update() (rigid ones).
//
//   co-rotated   w: rates turned back,              v_i = R w_i
//   reduced      w: rates of the modes E,           v = R E w
//   rigid        w: of the centre, about the axes,  v_i = w_c + w_r x R (Z_i - C)
#pragma once

#include <memory>
#include <string>

#include "lithe/base/slots.h"
#include "lithe/base/small.h"
#include "lithe/reduction/shape.h"

namespace lithe {

class BodyMap {
 public:
  virtual ~BodyMap() = default;
  virtual int size() const = 0;  // numbers w
  virtual void add_slots(const double* q, Slots& slots) = 0;
  virtual void prolong(const Slots& slots, const double* w, double factor, double* rates) const = 0;  // rates += T w
  virtual void restrict(const Slots& slots, const double* forces, double* reduced) const = 0;  // reduced += T^T f
  virtual void fit(const Slots& slots, const double* rates, double* w) const = 0;  // w of the nearest rates T w
  // After a step: the slots belong to these coordinates again.
  virtual void update(double* q, Slots& slots) const = 0;

  // Numbers that move vector i of the body: from `first` on.
  struct Range {
    int first, count;
  };
  virtual Range moved_by(int /*vector*/) const { return {0, size()}; }
  // T^T of a force g on vector i alone, over moved_by(i), added to `reduced`.
  virtual void pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const = 0;
  // How much of number i moves the body by about `length`.
  virtual double scale(int /*i*/, double length) const { return length; }
  virtual std::string unknown_name(int i) const { return "coordinate " + std::to_string(i); }
};

// What the three kinds have in common: a shape, and its rotation in a slot "body/NAME/rotation".
class TurningMap : public BodyMap {
 public:
  TurningMap(std::string name, std::shared_ptr<const Shape> shape) : name_(std::move(name)), shape_(std::move(shape)) {}
  void add_slots(const double* q, Slots& slots) override;
  void update(double* q, Slots& slots) const override;
  const std::string& name() const { return name_; }
  const Shape& shape() const { return *shape_; }
  const std::shared_ptr<const Shape>& shared_shape() const { return shape_; }
  Mat3<double> rotation(const Slots& slots) const;
  void set_rotation(const Mat3<double>& R, Slots& slots) const;
  // w in a slot "body/NAME/rates": of rigid and reduced bodies, whose rounding would add up in fits of v.
  double* rates(Slots& slots) const { return slots[slot_ + 1]; }
  const double* rates(const Slots& slots) const { return slots[slot_ + 1]; }
  virtual bool keeps_rates() const { return true; }
  // Of coordinates, of their mean deformation gradient; RunError where the body is inside out.
  Mat3<double> find_rotation(const double* q) const { return rotation_from(shape_->mean_gradient(q)); }
  Mat3<double> rotation_from(const Mat3<double>& F) const;
  Vec3<double> spin(const double* q, const double* v) const;  // angular velocity of that rotation

 protected:
  std::string name_;
  std::shared_ptr<const Shape> shape_;
  int slot_ = -1;
};

class CorotatedMap final : public TurningMap {
 public:
  using TurningMap::TurningMap;
  int size() const override { return shape_->size(); }
  bool keeps_rates() const override { return false; }
  void prolong(const Slots& slots, const double* w, double factor, double* rates) const override;
  void restrict(const Slots& slots, const double* forces, double* reduced) const override;
  void fit(const Slots& slots, const double* rates, double* w) const override;
  Range moved_by(int vector) const override { return {3 * vector, 3}; }
  double scale(int i, double length) const override { return shape_->position[i / 3] ? length : 1; }
  void pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const override;
  std::string unknown_name(int i) const override;
};

class ReducedMap final : public TurningMap {
 public:
  using TurningMap::TurningMap;
  int size() const override { return shape_->base.count(); }
  void prolong(const Slots& slots, const double* w, double factor, double* rates) const override;
  void restrict(const Slots& slots, const double* forces, double* reduced) const override;
  void fit(const Slots& slots, const double* rates, double* w) const override;
  void pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const override;
  std::string unknown_name(int i) const override { return "mode " + std::to_string(i + 1); }
  // Reduced coordinates (P2 eqs. 57 and 92).
  void coordinates(const double* q, const Mat3<double>& R, double* reduced) const;
};

class RigidMap final : public TurningMap {
 public:
  using TurningMap::TurningMap;
  int size() const override { return 6; }
  void prolong(const Slots& slots, const double* w, double factor, double* rates) const override;
  void restrict(const Slots& slots, const double* forces, double* reduced) const override;
  void fit(const Slots& slots, const double* rates, double* w) const override;
  void update(double* q, Slots& slots) const override;
  void pull(const Slots& slots, int vector, const Vec3<double>& g, double* reduced) const override;
  double scale(int i, double length) const override { return i < 3 ? length : 1; }
  std::string unknown_name(int i) const override;

  Vec3<double> centre(const double* q) const;  // of mass
  void place(const Vec3<double>& centre, const Mat3<double>& R, double* q) const;
  // Rates w as `rates`, added.
  void spread(const Mat3<double>& R, const double* w, double factor, double* rates) const;
};

}  // namespace lithe
