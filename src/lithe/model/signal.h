// A number that may change with time: a constant, a table over time (twice continuously differentiable cubic spline
// between its rows, constant outside) or an expression in t such as "3*sin(2*pi*t)".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lithe/base/describe.h"

namespace lithe {

class Signal {
 public:
  Signal(double constant = 0) : constant_(constant) {}
  static Signal table(std::vector<double> times, std::vector<double> values);
  static Signal expression(const std::string& text);  // throws InputError naming what is wrong in the text

  double operator()(double t) const;
  // First and second derivative in time: of a table those of its spline, of an expression by differences.
  double rate(double t) const;
  double acceleration(double t) const;
  bool is_constant() const { return times_.empty() && text_.empty(); }
  double constant() const { return constant_; }
  const std::string& text() const { return text_; }
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }

 private:
  double constant_ = 0;
  std::vector<double> times_, values_, curvature_;
  std::string text_;
  std::shared_ptr<const void> parsed_;
};

// A number that depends on the place in the reference configuration: a constant or an expression in x, y, z.
class SpaceFunction {
 public:
  SpaceFunction(double constant = 0) : constant_(constant) {}
  static SpaceFunction expression(const std::string& text);  // throws InputError naming what is wrong in the text

  double operator()(double x, double y, double z) const;
  double constant() const { return constant_; }
  const std::string& text() const { return text_; }  // empty: constant

 private:
  double constant_ = 0;
  std::string text_;
  std::shared_ptr<const void> parsed_;
};

template <>
struct Custom<SpaceFunction> {
  static constexpr bool exists = true;
  static void read(const Value& value, SpaceFunction& out);
  static Value write(const SpaceFunction& x);
};

template <>
struct Custom<Signal> {
  static constexpr bool exists = true;
  static void read(const Value& value, Signal& out);
  static Value write(const Signal& x);
};

}  // namespace lithe
