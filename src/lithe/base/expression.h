// Expressions of named variables, such as "3*sin(2*pi*t)": parsed once into a list of instructions, evaluated with
// numbers or, for exact derivatives, with hyper-dual numbers. Immutable once made: any number of threads may evaluate
// one at the same time.
//
//   operators   + - * / ^ (binds to the right, and before a sign: -2^2 = -4), < <= > >= == !=, && ||, if ? then : else
//   functions   abs acos acosh asin asinh atan atan2 atanh avg cos cosh exp ln log log10 log2 max min rint sign sin
//               sinh sqrt sum tan tanh; log is the natural one; avg, max, min and sum take any number of arguments
//   constants   pi, _pi, _e
//
// What has a kink (abs, min, max) has the derivative of what comes just after it in the direction that is asked for;
// steps (sign, rint, comparisons) have none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/base/hyper_dual.h"

namespace lithe {

class Expression {
 public:
  // Throws InputError naming what is wrong in the text.
  Expression(std::string text, std::initializer_list<std::string_view> variables);

  const std::string& text() const { return text_; }
  // Values of the variables in the order of the constructor.
  double value(std::span<const double> variables) const;
  // The same with the derivatives that go with the variables' own.
  HyperDual value(std::span<const HyperDual> variables) const;

  struct Instruction;

 private:
  std::string text_;
  std::vector<Instruction> program_;
  int depth_ = 0;  // of the stack
};

struct Expression::Instruction {
  enum class Kind : std::int8_t {
    number,
    variable,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    both,
    either,
    function,  // of one argument, `index` in the table of functions
    atan2,
    minimum,  // of `index` arguments, and so on
    maximum,
    sum,
    average,
    skip_unless,  // takes a condition; goes on at `index` where it is zero
    skip,         // goes on at `index`
  } kind = Kind::number;
  int index = 0;
  double number = 0;
};

}  // namespace lithe
