// The force of a spring over its stretch and rate: an expression in x, v and t, or a table [stretch, force] that goes
// on with the slopes of its ends. Derivatives are exact.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/base/described.h"
#include "lithe/base/expression.h"
#include "lithe/model/table.h"

namespace lithe {

class ForceLaw {
 public:
  ForceLaw() = default;                                 // no force
  static ForceLaw expression(const std::string& text);  // throws InputError naming what is wrong in the text
  // Straight lines between the rows unless told otherwise; throws InputError for `steps`.
  static ForceLaw table(std::vector<double> stretches, std::vector<double> forces,
                        std::optional<Interpolation> interpolation = std::nullopt);

  struct Point {
    double force = 0, stiffness = 0, damping = 0;  // the last two: derivatives by x and v
  };
  Point operator()(double x, double v, double t) const;
  // Work from x = 0 without rate, by Gauss points between rows (of expressions: on equal parts).
  double energy(double x, double t) const;
  const Table* table() const { return table_.get(); }                            // null: none
  std::optional<Interpolation> interpolation() const { return interpolation_; }  // as the user said it
  const std::string& text() const;                                               // of an expression, else empty

 private:
  std::shared_ptr<const Expression> expression_;
  std::shared_ptr<const Table> table_;
  std::optional<Interpolation> interpolation_;
};

template <>
struct Custom<ForceLaw> {
  static constexpr bool exists = true;
  static constexpr const char* text =
      "expression in x (stretch), v (its rate) and t, or {table: [[stretch, force], ...], interpolation: linear | "
      "spline} (default: linear; goes on with the slopes of its ends)";
  static constexpr const char* annotation = "Signal";
  static void read(const Value& value, ForceLaw& out);
  static Value write(const ForceLaw& x);
};

}  // namespace lithe
