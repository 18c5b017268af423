// Numbers that change: with time (Signal: loads; Drive: motions) or with the place (SpaceFunction). Each is a constant,
// an expression such as "3*sin(2*pi*t)" with exact derivatives, or (of time) a table, see table.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/base/expression.h"
#include "lithe/model/table.h"

namespace lithe {

// Of loads: tables are straight lines between their rows unless `interpolation` says otherwise.
class Signal {
 public:
  Signal(double constant = 0) : constant_(constant) {}
  static Signal table(std::vector<double> times, std::vector<double> values,
                      std::optional<Interpolation> interpolation = std::nullopt);
  static Signal expression(const std::string& text);  // throws InputError naming what is wrong in the text
  // The integral of `rate` from 0, tabulated up to `end`.
  static Signal integral(const Signal& rate, double end);
  static Signal sine(const Signal& angle);

  double operator()(double t) const;
  // First and second derivative in time.
  double rate(double t) const;
  double acceleration(double t) const;
  bool is_constant() const { return !table_ && !expression_ && !integral_ && !sine_of_; }
  double constant() const { return constant_; }
  const Table* table() const { return table_.get(); }                            // null: none
  std::optional<Interpolation> interpolation() const { return interpolation_; }  // as the user said it
  const std::string& text() const;                                               // of an expression, else empty

 protected:
  double constant_ = 0;
  std::optional<Interpolation> interpolation_;
  std::shared_ptr<const Table> table_;
  std::shared_ptr<const Expression> expression_;
  std::shared_ptr<const class SignalIntegral> integral_;
  std::shared_ptr<const Signal> sine_of_;
};

// Of motions: tables are splines that go on at their ends, so that rates and accelerations are continuous.
class Drive : public Signal {
 public:
  Drive(double constant = 0) : Signal(constant) {}
  Drive(const Signal& signal);  // throws InputError for a table of lines or steps
};

// A number that depends on the place in the reference configuration: a constant or an expression in x, y, z.
class SpaceFunction {
 public:
  SpaceFunction(double constant = 0) : constant_(constant) {}
  static SpaceFunction expression(const std::string& text);  // throws InputError naming what is wrong in the text

  double operator()(double x, double y, double z) const;
  // Derivatives along x, y, z.
  std::array<double, 3> gradient(double x, double y, double z) const;
  double constant() const { return constant_; }
  const std::string& text() const;  // empty: constant

 private:
  double constant_ = 0;
  std::shared_ptr<const Expression> expression_;
};

template <>
struct Custom<SpaceFunction> {
  static constexpr bool exists = true;
  static constexpr const char* text = "number, or expression in x, y, z";
  static constexpr const char* annotation = "SpaceFunction";
  static void read(const Value& value, SpaceFunction& out);
  static Value write(const SpaceFunction& x);
};

template <>
struct Custom<Signal> {
  static constexpr bool exists = true;
  static constexpr const char* text =
      "number, expression in t, or {table: [[time, value], ...], interpolation: linear | spline | steps} (default: "
      "linear; constant outside its rows)";
  static constexpr const char* annotation = "Signal";
  static void read(const Value& value, Signal& out);
  static Value write(const Signal& x);
};

template <>
struct Custom<Drive> {
  static constexpr bool exists = true;
  static constexpr const char* text =
      "number, expression in t, or {table: [[time, value], ...]} (a smooth spline; goes on with its last rate)";
  static constexpr const char* annotation = "Signal";
  static void read(const Value& value, Drive& out);
  static Value write(const Drive& x) { return Custom<Signal>::write(x); }
};

}  // namespace lithe
