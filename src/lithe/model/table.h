// Rows (time, value) and what lies between them.
//
//   linear   straight lines
//   steps    each value from its row to the next one
//   spline   twice continuously differentiable: the natural cubic spline, which gives way to a quintic where it would
//            leave its rows (table.cpp): between rows that rise or fall it rises or falls, at a peak it exceeds them by
//            a quarter of the smaller change next to it at most
//
// Outside its rows a table of loads stays at its first and its last value. A table that drives a motion (`continued`)
// is a spline whose position, rate and acceleration are continuous at its ends too: after its last row it goes on with
// the rate it has there; before its first row likewise, unless that lies after t = 0: then it rests until then and
// starts from rest.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "lithe/base/described.h"

namespace lithe {

enum class Interpolation { linear, spline, steps };

template <>
struct Words<Interpolation> {
  static constexpr std::array<const char*, 3> names{"linear", "spline", "steps"};
};

class Table {
 public:
  Table(std::vector<double> times, std::vector<double> values, Interpolation interpolation, bool continued);

  double value(double t) const;
  double rate(double t) const;
  double acceleration(double t) const;

  // The first row of a step of time, t to t + h, at which it should end: a jump, at its end too; or, inside of it, a
  // row where the table leaves the straight line from the step's start to its end by more than a fiftieth of its range.
  struct Row {
    double time = std::numeric_limits<double>::infinity();  // none
    bool jump = false;
  };
  Row row_inside(double t, double h) const;

  // Where a spline goes farthest beyond all of its rows.
  struct Overshoot {
    double time = 0, value = 0;
    double share = 0;  // of the range of the rows
  };
  Overshoot overshoot() const;

  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }
  Interpolation interpolation() const { return interpolation_; }

 private:
  struct Point {
    double value, rate, acceleration;
  };
  Point at(double t) const;
  Point between(std::size_t row, double t) const;
  void make_spline();
  bool leaves_rows(std::size_t row) const;

  std::vector<double> times_, values_;
  std::vector<double> rate_, acceleration_;  // spline: at the rows
  Interpolation interpolation_;
  bool continued_;
};

}  // namespace lithe
