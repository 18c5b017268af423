#include "lithe/model/signal.h"

#include <muParser.h>

#include <algorithm>
#include <mutex>
#include <numbers>

namespace lithe {

namespace {

// muParser evaluates through a bound variable, so one evaluation at a time.
struct Parsed {
  mutable double t = 0;
  mutable std::mutex guard;
  mu::Parser parser;
};
struct ParsedInSpace {
  mutable double x = 0, y = 0, z = 0;
  mutable std::mutex guard;
  mu::Parser parser;
};

// Steps of the differences that differentiate expressions: with stencils of sixth order the first derivative of a
// 50 Hz sine is right to 1e-9 of its size, the second to 1e-7, and rounding stays below that for slow ones.
constexpr double rate_step = 2e-4, acceleration_step = 5e-4;  // s

// Second derivatives of the natural cubic spline.
std::vector<double> spline_curvature(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t n = x.size();
  std::vector<double> m(n, 0.0), c(n, 0.0), d(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double a = x[i] - x[i - 1], b = x[i + 1] - x[i];
    const double r = 6 * ((y[i + 1] - y[i]) / b - (y[i] - y[i - 1]) / a);
    const double w = 2 * (a + b) - a * c[i - 1];
    c[i] = b / w;
    d[i] = (r - a * d[i - 1]) / w;
  }
  for (std::size_t i = n - 1; i-- > 1;) m[i] = d[i] - c[i] * m[i + 1];
  return m;
}

}  // namespace

Signal Signal::table(std::vector<double> times, std::vector<double> values) {
  require(times.size() == values.size() && times.size() >= 2, "a table needs at least two rows [time, value]");
  for (std::size_t i = 1; i < times.size(); ++i)
    require(times[i] > times[i - 1],
            "times of a table must increase: " + number_text(times[i]) + " follows " + number_text(times[i - 1]));
  Signal s;
  s.curvature_ = spline_curvature(times, values);
  s.times_ = std::move(times);
  s.values_ = std::move(values);
  return s;
}

Signal Signal::expression(const std::string& text) {
  auto parsed = std::make_shared<Parsed>();
  try {
    parsed->parser.DefineVar("t", &parsed->t);
    parsed->parser.DefineConst("pi", std::numbers::pi);
    parsed->parser.SetExpr(text);
    parsed->parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw InputError("the expression '" + text + "' cannot be read: " + error.GetMsg() +
                     " (the variable is t; sin, cos, exp, min, max, if-else by ?: are known)");
  }
  Signal s;
  s.text_ = text;
  s.parsed_ = parsed;
  return s;
}

double Signal::operator()(double t) const {
  if (!text_.empty()) {
    const auto& parsed = *static_cast<const Parsed*>(parsed_.get());
    const std::lock_guard lock(parsed.guard);
    parsed.t = t;
    return parsed.parser.Eval();
  }
  if (times_.empty()) return constant_;
  if (t <= times_.front()) return values_.front();
  if (t >= times_.back()) return values_.back();
  const std::size_t i = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  const double h = times_[i] - times_[i - 1], a = (times_[i] - t) / h, b = 1 - a;
  return a * values_[i - 1] + b * values_[i] +
         ((a * a * a - a) * curvature_[i - 1] + (b * b * b - b) * curvature_[i]) * h * h / 6;
}

double Signal::rate(double t) const {
  if (!text_.empty()) {
    const double h = rate_step;
    const auto d = [&](int k) { return (*this)(t + k * h) - (*this)(t - k * h); };
    return (45 * d(1) - 9 * d(2) + d(3)) / (60 * h);
  }
  if (times_.empty() || t <= times_.front() || t >= times_.back()) return 0;
  const std::size_t i = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  const double h = times_[i] - times_[i - 1], a = (times_[i] - t) / h, b = 1 - a;
  return (values_[i] - values_[i - 1]) / h +
         ((3 * b * b - 1) * curvature_[i] - (3 * a * a - 1) * curvature_[i - 1]) * h / 6;
}

double Signal::acceleration(double t) const {
  if (!text_.empty()) {
    const double h = acceleration_step, middle = 2 * (*this)(t);
    const auto d = [&](int k) { return (*this)(t + k * h) + (*this)(t - k * h) - middle; };
    return (270 * d(1) - 27 * d(2) + 2 * d(3)) / (180 * h * h);
  }
  if (times_.empty() || t <= times_.front() || t >= times_.back()) return 0;
  const std::size_t i = std::upper_bound(times_.begin(), times_.end(), t) - times_.begin();
  const double a = (times_[i] - t) / (times_[i] - times_[i - 1]);
  return a * curvature_[i - 1] + (1 - a) * curvature_[i];
}

SpaceFunction SpaceFunction::expression(const std::string& text) {
  auto parsed = std::make_shared<ParsedInSpace>();
  try {
    parsed->parser.DefineVar("x", &parsed->x);
    parsed->parser.DefineVar("y", &parsed->y);
    parsed->parser.DefineVar("z", &parsed->z);
    parsed->parser.DefineConst("pi", std::numbers::pi);
    parsed->parser.SetExpr(text);
    parsed->parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw InputError("the expression '" + text + "' cannot be read: " + error.GetMsg() +
                     " (the variables are x, y, z; sin, cos, exp, min, max, if-else by ?: are known)");
  }
  SpaceFunction f;
  f.text_ = text;
  f.parsed_ = parsed;
  return f;
}

double SpaceFunction::operator()(double x, double y, double z) const {
  if (text_.empty()) return constant_;
  const auto& parsed = *static_cast<const ParsedInSpace*>(parsed_.get());
  const std::lock_guard lock(parsed.guard);
  parsed.x = x;
  parsed.y = y;
  parsed.z = z;
  return parsed.parser.Eval();
}

void Custom<SpaceFunction>::read(const Value& value, SpaceFunction& out) {
  if (value.kind == Value::Kind::scalar && !value.quoted && value.text.find_first_of("(*/xyz") == std::string::npos) {
    out = SpaceFunction(to_double(value));
    return;
  }
  try {
    out = SpaceFunction::expression(to_string(value));
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (!value.where.file.empty() && message.find(value.where.file) == 0) throw;
    throw InputError(value.where, message);
  }
}

Value Custom<SpaceFunction>::write(const SpaceFunction& x) {
  if (x.text().empty()) return Value::scalar(number_text(x.constant()));
  Value v = Value::scalar(x.text());
  v.quoted = true;
  return v;
}

void Custom<Signal>::read(const Value& value, Signal& out) {
  try {
    if (value.kind == Value::Kind::map) {
      const Value* table = value.find("table");
      if (!table || value.fields.size() != 1)
        throw InputError(value.where, "a number, an expression in t or {table: [[time, value], ...]} is expected");
      std::vector<std::array<double, 2>> rows;
      Reading reading;
      read_value(*table, rows, Field{}, reading);
      std::vector<double> times, values;
      for (const auto& row : rows) {
        times.push_back(row[0]);
        values.push_back(row[1]);
      }
      out = Signal::table(std::move(times), std::move(values));
      return;
    }
    if (value.kind == Value::Kind::scalar && !value.quoted) {
      const bool word = value.text.find_first_of("(*/t") != std::string::npos;
      if (!word) {
        out = Signal(to_double(value));
        return;
      }
    }
    out = Signal::expression(to_string(value));
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (!value.where.file.empty() && message.find(value.where.file) == 0) throw;
    if (!value.where.path.empty() && message.find(value.where.path) == 0) throw;
    throw InputError(value.where, message);
  }
}

Value Custom<Signal>::write(const Signal& x) {
  if (x.is_constant()) return Value::scalar(number_text(x.constant()));
  if (!x.text().empty()) {
    Value v = Value::scalar(x.text());
    v.quoted = true;
    return v;
  }
  Value rows = Value::list();
  for (std::size_t i = 0; i < x.times().size(); ++i)
    rows.items.push_back(write_value(std::array<double, 2>{x.times()[i], x.values()[i]}));
  Value v = Value::map();
  v.set("table", std::move(rows));
  return v;
}

}  // namespace lithe
