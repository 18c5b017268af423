// Constraint parts (part_view.h) as joints make them, one by one, with their arguments.
#pragma once

#include <vector>

#include "lithe/base/small.h"
#include "lithe/constraints/form.h"
#include "lithe/constraints/part_view.h"

namespace lithe {

struct Direction {
  using Kind = DirectionShape::Kind;
  Kind kind = Kind::plain;
  std::vector<Form> arguments;
  Vec3<double> share{};
  FrameRule rule = FrameRule::section;
  DirectionShape shape() const { return {kind, rule, static_cast<std::int32_t>(arguments.size()), share}; }
};

// theta = atan2(b . a2, b . a1), counted on from turn to turn.
struct Angle {
  Direction a1, a2, b;
};

// As in PartView.
struct Part {
  using Kind = PartKind;
  Kind kind = Kind::linear;
  Vec3<double> along{};
  double length = 0;
  std::vector<DirectionShape> factors;
  std::vector<double> ratios;
  std::vector<std::int32_t> angles;
  std::vector<Form> arguments;  // all, in order

  static Part linear(const Vec3<double>& along, Form x);
  static Part distance(Form difference, double length);
  static Part dot(const Direction& a, const Direction& b);
  static Part angle(const std::vector<Angle>& thetas, const std::vector<double>& ratios,
                    const std::vector<int>& numbers);
  static Part skew(Form a, Form b, Form c, Form d);  // a . b - c . d
  static Part advance(const Direction& a, const Direction& b, const Angle& theta, double ratio, int number);

  int count() const { return static_cast<int>(arguments.size()); }
  bool is_linear() const { return kind == Kind::linear; }
  operator PartView() const {
    return {kind,          count(),      static_cast<std::int32_t>(ratios.size()), length, along, factors.data(),
            ratios.data(), angles.data()};
  }

 private:
  void add(const Direction& factor);
};

// The angle itself, the turn nearest to `near`.
double angle_value(const Angle& angle, const std::vector<double>& q, double near);
Vec3<double> direction_value(const Direction& direction, const std::vector<double>& q);

}  // namespace lithe
