// Constraint parts (part_view.h) as joints make them, one by one, with their arguments.
#pragma once

#include <memory>
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

// Elements of one length one after the other, along which a point slides: of an on_line part x_3 to x_6 are the vectors
// of the element on which it is, and s counts from the start of the line.
struct Track {
  double length = 0;                 // of an element | m
  std::vector<std::int32_t> vector;  // [element][4]: r, r_x at its start and at its end
  int elements() const { return static_cast<int>(vector.size() / 4); }
  double total() const { return length * elements(); }
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
  std::vector<Form> arguments;              // all, in order
  std::shared_ptr<const Track> track = {};  // on_line: where x_3 to x_6 come from; null: from `arguments`

  static Part linear(const Vec3<double>& along, Form x);
  static Part distance(Form difference, double length);
  static Part dot(const Direction& a, const Direction& b);
  static Part angle(const std::vector<Angle>& thetas, const std::vector<double>& ratios,
                    const std::vector<int>& numbers);
  static Part on_line(const Vec3<double>& along, Form point, Form s, std::shared_ptr<const Track> track);
  // Of one element alone: r, r_x at its start and at its end.
  static Part on_line(const Vec3<double>& along, Form point, Form s, const std::vector<Form>& element, double length);
  static Part lengths(const std::vector<Form>& between, const std::vector<double>& times, double smallest);
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
