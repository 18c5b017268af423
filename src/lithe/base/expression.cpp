#include "lithe/base/expression.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "lithe/base/elementary_functions.h"
#include "lithe/base/error.h"
#include "lithe/base/value.h"

namespace lithe {

namespace {

using Instruction = Expression::Instruction;
using Kind = Instruction::Kind;

constexpr int deepest = 200;  // brackets inside brackets: far more than anybody writes, and the stack holds them

using elementary::Function;
using elementary::functions;
constexpr std::string_view abs_name = "abs";

struct ManyFunction {
  const char* name;
  Kind kind;
};
constexpr ManyFunction many_functions[] = {
    {"min", Kind::minimum}, {"max", Kind::maximum}, {"sum", Kind::sum}, {"avg", Kind::average}};

struct Constant {
  const char* name;
  double value;
};
constexpr Constant constants[] = {{"pi", std::numbers::pi}, {"_pi", std::numbers::pi}, {"_e", std::numbers::e}};

// ---- numbers with and without derivatives ----

// What does not change has no part in a derivative, even where that is infinite.
double times(double slope, double rate) { return rate == 0 ? 0 : slope * rate; }

HyperDual chain(const HyperDual& x, double f, double f1, double f2) {
  return {f, times(f1, x.a), times(f1, x.b), times(f1, x.ab) + times(f2, x.a * x.b)};
}
bool is_fixed(const HyperDual& x) { return x.a == 0 && x.b == 0 && x.ab == 0; }

double number(double x) { return x; }
double number(const HyperDual& x) { return x.v; }
bool precedes(double x, double y) { return x < y; }
// Just after a tie the one that grows faster is the greater.
bool precedes(const HyperDual& x, const HyperDual& y) {
  if (x.v != y.v) return x.v < y.v;
  return x.a != y.a ? x.a < y.a : x.ab < y.ab;
}

double apply(const Function& function, double x) { return function.f(x, nullptr); }
HyperDual apply(const Function& function, const HyperDual& x) {
  if (function.name == abs_name) return precedes(x, HyperDual(0)) ? -x : x;
  double d[2];
  const double f = function.f(x.v, d);
  return chain(x, f, d[0], d[1]);
}

double quotient(double x, double y) { return x / y; }
HyperDual quotient(const HyperDual& x, const HyperDual& y) {
  const double r = 1 / y.v;
  HyperDual result = x * chain(y, r, -r * r, 2 * r * r * r);
  result.v = x.v / y.v;
  return result;
}

double power(double x, double y) { return std::pow(x, y); }
// x^n of a fixed n: n x^(n-1), also at and below 0; else exp(y ln x).
HyperDual power(const HyperDual& x, const HyperDual& y) {
  const double f = std::pow(x.v, y.v), n = y.v;
  if (is_fixed(y)) {
    const double f1 = n == 0 ? 0 : n * std::pow(x.v, n - 1);
    const double f2 = n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(x.v, n - 2);
    return chain(x, f, f1, f2);
  }
  const HyperDual exponent = y * chain(x, std::log(x.v), 1 / x.v, -1 / (x.v * x.v));
  return chain(exponent, f, f, f);
}

double angle(double y, double x) { return std::atan2(y, x); }
HyperDual angle(const HyperDual& y, const HyperDual& x) {
  if (is_fixed(y) && is_fixed(x)) return std::atan2(y.v, x.v);
  return atan2(y, x);
}

// ---- evaluation ----

template <class T>
T evaluate(const std::vector<Instruction>& program, std::span<const T> variables, T* stack) {
  T* top = stack;  // one past the last value
  for (std::size_t i = 0; i < program.size(); ++i) {
    const Instruction& step = program[i];
    const auto binary = [&](const T& result) {
      --top;
      top[-1] = result;
    };
    const auto truth = [&](bool result) { binary(T(result ? 1.0 : 0.0)); };
    switch (step.kind) {
      case Kind::number:
        *top++ = T(step.number);
        break;
      case Kind::variable:
        *top++ = variables[step.index];
        break;
      case Kind::add:
        binary(top[-2] + top[-1]);
        break;
      case Kind::subtract:
        binary(top[-2] - top[-1]);
        break;
      case Kind::multiply:
        binary(top[-2] * top[-1]);
        break;
      case Kind::divide:
        binary(quotient(top[-2], top[-1]));
        break;
      case Kind::power:
        binary(power(top[-2], top[-1]));
        break;
      case Kind::negate:
        top[-1] = -top[-1];
        break;
      case Kind::less:
        truth(number(top[-2]) < number(top[-1]));
        break;
      case Kind::less_equal:
        truth(number(top[-2]) <= number(top[-1]));
        break;
      case Kind::greater:
        truth(number(top[-2]) > number(top[-1]));
        break;
      case Kind::greater_equal:
        truth(number(top[-2]) >= number(top[-1]));
        break;
      case Kind::equal:
        truth(number(top[-2]) == number(top[-1]));
        break;
      case Kind::not_equal:
        truth(number(top[-2]) != number(top[-1]));
        break;
      case Kind::both:
        truth(number(top[-2]) != 0 && number(top[-1]) != 0);
        break;
      case Kind::either:
        truth(number(top[-2]) != 0 || number(top[-1]) != 0);
        break;
      case Kind::function:
        top[-1] = apply(functions[step.index], top[-1]);
        break;
      case Kind::atan2:
        binary(angle(top[-2], top[-1]));
        break;
      case Kind::minimum:
      case Kind::maximum:
      case Kind::sum:
      case Kind::average: {
        T* first = top - step.index;
        T result = *first;
        for (T* x = first + 1; x != top; ++x) {
          if (step.kind == Kind::minimum) result = precedes(*x, result) ? *x : result;
          else if (step.kind == Kind::maximum) result = precedes(result, *x) ? *x : result;
          else result = result + *x;
        }
        if (step.kind == Kind::average) result = result * T(1.0 / step.index);
        *first = result;
        top = first + 1;
        break;
      }
      case Kind::skip_unless:
        if (number(*--top) == 0) i = static_cast<std::size_t>(step.index) - 1;
        break;
      case Kind::skip:
        i = static_cast<std::size_t>(step.index) - 1;
        break;
    }
  }
  return top[-1];
}

template <class T>
T run(const std::vector<Instruction>& program, int depth, std::span<const T> variables) {
  std::array<T, 32> small;
  if (depth <= static_cast<int>(small.size())) return evaluate(program, variables, small.data());
  std::vector<T> large(depth);
  return evaluate(program, variables, large.data());
}

// ---- parsing: one function for each strength of binding ----

class Parser {
 public:
  Parser(const std::string& text, std::span<const std::string_view> variables) : text_(text), variables_(variables) {}

  std::vector<Instruction> program;
  int depth = 0;

  void all() {
    skip_blanks();
    if (at_end()) fail("it is empty");
    choice();
    if (at_end()) return;
    if (text_[at_] == ',')
      fail("a comma" + place() + " stands outside of a function's arguments; decimals take a point");
    if (text_[at_] == '=') fail("one '='" + place() + " assigns, which has no meaning here; '==' compares");
    if (text_[at_] == ')') fail("a ')'" + place() + " has no '('");
    if (text_[at_] == ':') fail("a ':'" + place() + " has no '?'");
    fail("an operator is missing before " + quoted_rest() + place());
  }

 private:
  // condition ? this : that
  void choice() {
    const Nesting nesting(*this);
    disjunction();
    if (!take("?")) return;
    const std::size_t unless = emit(Kind::skip_unless, -1);
    choice();
    if (!take(":")) fail("'? ... :' has no ':'" + place());
    const std::size_t skip = emit(Kind::skip, 0);
    program[unless].index = static_cast<int>(program.size());
    --height_;  // only one of the two values is there
    choice();
    program[skip].index = static_cast<int>(program.size());
  }
  void disjunction() {
    conjunction();
    while (take("||")) {
      conjunction();
      emit(Kind::either, -1);
    }
  }
  void conjunction() {
    comparison();
    while (take("&&")) {
      comparison();
      emit(Kind::both, -1);
    }
  }
  void comparison() {
    addition();
    for (;;) {
      Kind kind;
      if (take("<=")) kind = Kind::less_equal;
      else if (take(">=")) kind = Kind::greater_equal;
      else if (take("==")) kind = Kind::equal;
      else if (take("!=")) kind = Kind::not_equal;
      else if (take("<")) kind = Kind::less;
      else if (take(">")) kind = Kind::greater;
      else return;
      addition();
      emit(kind, -1);
    }
  }
  void addition() {
    product();
    for (;;) {
      const bool plus = take("+");
      if (!plus && !take("-")) return;
      product();
      emit(plus ? Kind::add : Kind::subtract, -1);
    }
  }
  void product() {
    sign();
    for (;;) {
      const bool star = take("*");
      if (!star && !take("/")) return;
      sign();
      emit(star ? Kind::multiply : Kind::divide, -1);
    }
  }
  void sign() {
    const Nesting nesting(*this);
    if (take("-")) {
      sign();
      emit(Kind::negate, 0);
    } else if (take("+")) {
      sign();
    } else {
      raising();
    }
  }
  void raising() {
    operand();
    if (!take("^")) return;
    sign();
    emit(Kind::power, -1);
  }

  void operand() {
    if (at_end()) fail("it ends where a value is expected");
    const char c = text_[at_];
    if (take("(")) {
      choice();
      close();
    } else if (is_digit(c) || c == '.') {
      read_number();
    } else if (is_letter(c)) {
      read_name();
    } else {
      fail("a value is expected at " + quoted_rest() + place());
    }
  }
  void read_number() {
    double value = 0;
    const char* first = text_.data() + at_;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("this is no number: " + quoted_rest() + place());
    at_ += last - first;
    skip_blanks();
    emit(Kind::number, 1, 0, value);
  }
  void read_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = std::string_view(text_).substr(start, at_ - start);
    const std::string where = " (character " + std::to_string(start + 1) + ")";
    skip_blanks();
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (variables_[i] == name) return void(emit(Kind::variable, 1, static_cast<int>(i)));
    for (const Constant& constant : constants)
      if (constant.name == name) return void(emit(Kind::number, 1, 0, constant.value));
    for (std::size_t i = 0; i < std::size(functions); ++i)
      if (functions[i].name == name) {
        arguments(name, where, 1, 1);
        return void(emit(Kind::function, 0, static_cast<int>(i)));
      }
    if (name == "atan2") {
      arguments(name, where, 2, 2);
      return void(emit(Kind::atan2, -1));
    }
    for (const ManyFunction& function : many_functions)
      if (function.name == name) {
        const int count = arguments(name, where, 1, 1 << 20);
        return void(emit(function.kind, 1 - count, count));
      }
    std::vector<std::string> known(variables_.begin(), variables_.end());
    for (const Constant& constant : constants) known.emplace_back(constant.name);
    for (const Function& function : functions) known.emplace_back(function.name);
    for (const ManyFunction& function : many_functions) known.emplace_back(function.name);
    known.emplace_back("atan2");
    fail("the name '" + std::string(name) + "'" + where + " is not known" + suggestion(std::string(name), known));
  }
  int arguments(std::string_view name, const std::string& where, int least, int most) {
    if (!take("(")) fail("the function '" + std::string(name) + "'" + where + " has no '(' after it");
    int count = 0;
    if (!take(")")) {
      do {
        choice();
        ++count;
      } while (take(","));
      close();
    }
    if (count < least || count > most)
      fail("the function '" + std::string(name) + "'" + where + " takes " + std::to_string(least) +
           (most > least ? " or more" : "") + " argument" + (least > 1 ? "s" : "") + ", not " + std::to_string(count));
    return count;
  }
  void close() {
    if (take(")")) return;
    fail(at_end() ? "a ')' is missing at its end" : "')' or an operator is expected at " + quoted_rest() + place());
  }

  // Adds an instruction that makes the stack higher by `more`; returns its number.
  std::size_t emit(Kind kind, int more, int index = 0, double value = 0) {
    program.push_back({kind, index, value});
    height_ += more;
    depth = std::max(depth, height_);
    return program.size() - 1;
  }

  struct Nesting {
    explicit Nesting(Parser& parser) : level(parser.level_) {
      if (++level > 2 * deepest) parser.fail("it is nested more than " + std::to_string(deepest) + " deep");
    }
    ~Nesting() { --level; }
    int& level;
  };

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  bool at_end() const { return at_ >= text_.size(); }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(std::string_view token) {
    if (std::string_view(text_).substr(at_, token.size()) != token) return false;
    at_ += token.size();
    skip_blanks();
    return true;
  }
  std::string quoted_rest() const {
    return fmt::format("'{}{}'", text_.substr(at_, 12), text_.size() > at_ + 12 ? "..." : "");
  }
  std::string place() const { return " (character " + std::to_string(at_ + 1) + ")"; }

  [[noreturn]] void fail(const std::string& what) const {
    std::string names;
    for (const std::string_view name : variables_) names += (names.empty() ? "" : ", ") + std::string(name);
    throw InputError("the expression '" + text_ + "' cannot be read: " + what + " (the variable" +
                     (variables_.size() > 1 ? "s are " : " is ") + names +
                     "; sin, cos, exp, min, max, if-else by ?: are known)");
  }

  const std::string& text_;
  std::span<const std::string_view> variables_;
  std::size_t at_ = 0;
  int height_ = 0, level_ = 0;
};

}  // namespace

Expression::Expression(std::string text, std::initializer_list<std::string_view> variables) : text_(std::move(text)) {
  Parser parser(text_, {variables.begin(), variables.size()});
  parser.all();
  program_ = std::move(parser.program);
  depth_ = parser.depth;
}

double Expression::value(std::span<const double> variables) const { return run(program_, depth_, variables); }
HyperDual Expression::value(std::span<const HyperDual> variables) const { return run(program_, depth_, variables); }

}  // namespace lithe
