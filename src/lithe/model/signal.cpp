#include "lithe/model/signal.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"

namespace lithe {

// The integral of a rate: sums over equal parts of the run, as many as leave no error of note, and five Gauss points in
// the part that t lies in.
class SignalIntegral {
 public:
  SignalIntegral(const Signal& rate, double end) : rate_(rate), end_(end > 0 ? end : 1) {
    fill(64);
    for (int parts = 128; parts <= 1 << 16; parts *= 2) {
      const std::vector<double> before = sums_;
      fill(parts);
      double change = 0, size = 0;
      for (std::size_t i = 0; i < before.size(); ++i) {
        change = std::max(change, std::abs(sums_[2 * i] - before[i]));
        size = std::max(size, std::abs(before[i]));
      }
      if (!(change > 1e-13 * size)) return;
    }
  }
  double operator()(double t) const {
    const auto parts = static_cast<double>(sums_.size() - 1);
    const double i = std::clamp(std::floor(t / end_ * parts), 0.0, parts - 1), from = end_ * i / parts;
    return sums_[static_cast<std::size_t>(i)] + over(from, t);
  }
  const Signal& rate() const { return rate_; }

 private:
  void fill(int parts) {
    sums_.assign(1, 0.0);
    for (int i = 0; i < parts; ++i) sums_.push_back(sums_.back() + over(end_ * i / parts, end_ * (i + 1) / parts));
  }
  double over(double from, double to) const {
    constexpr double x[] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
    constexpr double w[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                            0.2369268850561891};
    double sum = 0;
    for (int k = 0; k < 5; ++k) sum += w[k] * rate_(0.5 * (from + to) + 0.5 * (to - from) * x[k]);
    return 0.5 * (to - from) * sum;
  }

  Signal rate_;
  double end_;
  std::vector<double> sums_;  // [part + 1]
};

namespace {

const std::string no_text;

HyperDual along_time(const Expression& expression, double t) {
  const HyperDual variable(t, 1, 1);
  return expression.value(std::span(&variable, 1));
}

// Adds the place where a value was said, unless the message has one.
template <class Action>
void placed(const Value& value, Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (!value.where.file.empty() && message.find(value.where.file) == 0) throw;
    if (!value.where.path.empty() && message.find(value.where.path) == 0) throw;
    throw InputError(value.where, message);
  }
}

Signal read_table(const Value& value) {
  const Value* table = value.find("table");
  const Value* between = value.find("interpolation");
  if (!table || value.fields.size() != (between ? 2 : 1))
    throw InputError(value.where,
                     "a number, an expression in t or {table: [[time, value], ...], interpolation: linear | spline | "
                     "steps} is expected");
  std::vector<std::array<double, 2>> rows;
  Reading reading;
  read_value(*table, rows, Field{}, reading);
  std::optional<Interpolation> interpolation;
  if (between) read_value(*between, interpolation.emplace(), Field{}, reading);
  std::vector<double> times, values;
  for (const auto& row : rows) {
    times.push_back(row[0]);
    values.push_back(row[1]);
  }
  return Signal::table(std::move(times), std::move(values), interpolation);
}

}  // namespace

Signal Signal::table(std::vector<double> times, std::vector<double> values,
                     std::optional<Interpolation> interpolation) {
  Signal s;
  s.interpolation_ = interpolation;
  s.table_ = std::make_shared<const Table>(std::move(times), std::move(values),
                                           interpolation.value_or(Interpolation::linear), false);
  return s;
}

Signal Signal::expression(const std::string& text) {
  Signal s;
  s.expression_ = std::make_shared<const Expression>(text, std::initializer_list<std::string_view>{"t"});
  return s;
}

Signal Signal::integral(const Signal& rate, double end) {
  Signal s;
  s.integral_ = std::make_shared<const SignalIntegral>(rate, end);
  return s;
}

Signal Signal::sine(const Signal& angle) {
  Signal s;
  s.sine_of_ = std::make_shared<const Signal>(angle);
  return s;
}

const std::string& Signal::text() const { return expression_ ? expression_->text() : no_text; }

double Signal::operator()(double t) const {
  if (sine_of_) return std::sin((*sine_of_)(t));
  if (integral_) return (*integral_)(t);
  if (expression_) return expression_->value(std::span<const double>(&t, 1));
  return table_ ? table_->value(t) : constant_;
}

double Signal::rate(double t) const {
  if (sine_of_) return std::cos((*sine_of_)(t)) * sine_of_->rate(t);
  if (integral_) return integral_->rate()(t);
  if (expression_) return along_time(*expression_, t).a;
  return table_ ? table_->rate(t) : 0;
}

double Signal::acceleration(double t) const {
  if (sine_of_) {
    const double angle = (*sine_of_)(t), rate = sine_of_->rate(t);
    return std::cos(angle) * sine_of_->acceleration(t) - std::sin(angle) * rate * rate;
  }
  if (integral_) return integral_->rate().rate(t);
  if (expression_) return along_time(*expression_, t).ab;
  return table_ ? table_->acceleration(t) : 0;
}

Drive::Drive(const Signal& signal) : Signal(signal) {
  if (!table_) return;
  if (const Interpolation said = interpolation_.value_or(Interpolation::spline); said != Interpolation::spline)
    throw InputError(
        std::string("interpolation: ") + word(said) +
        " does not fit a motion: its velocity would jump at every row; remove the key (the table is then a "
        "spline), or give rows that are closer where the motion should be sharp");
  table_ = std::make_shared<const Table>(table_->times(), table_->values(), Interpolation::spline, true);
}

SpaceFunction SpaceFunction::expression(const std::string& text) {
  SpaceFunction f;
  f.expression_ = std::make_shared<const Expression>(text, std::initializer_list<std::string_view>{"x", "y", "z"});
  return f;
}

const std::string& SpaceFunction::text() const { return expression_ ? expression_->text() : no_text; }

double SpaceFunction::operator()(double x, double y, double z) const {
  const double place[] = {x, y, z};
  return expression_ ? expression_->value(std::span<const double>(place)) : constant_;
}

std::array<double, 3> SpaceFunction::gradient(double x, double y, double z) const {
  std::array<double, 3> result{};
  if (!expression_) return result;
  for (int k = 0; k < 3; ++k) {
    HyperDual place[] = {x, y, z};
    place[k].a = 1;
    result[k] = expression_->value(std::span<const HyperDual>(place)).a;
  }
  return result;
}

void Custom<SpaceFunction>::read(const Value& value, SpaceFunction& out) {
  if (value.kind == Value::Kind::scalar && !value.quoted && value.text.find_first_of("(*/xyz") == std::string::npos) {
    out = SpaceFunction(to_double(value));
    return;
  }
  placed(value, [&] { out = SpaceFunction::expression(to_string(value)); });
}

Value Custom<SpaceFunction>::write(const SpaceFunction& x) {
  if (x.text().empty()) return Value::scalar(number_text(x.constant()));
  Value v = Value::scalar(x.text());
  v.quoted = true;
  return v;
}

void Custom<Signal>::read(const Value& value, Signal& out) {
  placed(value, [&] {
    if (value.kind == Value::Kind::map) {
      out = read_table(value);
    } else if (value.kind == Value::Kind::scalar && !value.quoted &&
               value.text.find_first_of("(*/t") == std::string::npos) {
      out = Signal(to_double(value));
    } else {
      out = Signal::expression(to_string(value));
    }
  });
}

void Custom<Drive>::read(const Value& value, Drive& out) {
  placed(value, [&] {
    Signal signal;
    Custom<Signal>::read(value, signal);
    out = Drive(signal);
  });
}

Value Custom<Signal>::write(const Signal& x) {
  if (x.is_constant()) return Value::scalar(number_text(x.constant()));
  if (!x.text().empty()) {
    Value v = Value::scalar(x.text());
    v.quoted = true;
    return v;
  }
  std::vector<std::array<double, 2>> rows;
  const Table& table = *x.table();
  for (std::size_t i = 0; i < table.times().size(); ++i) rows.push_back({table.times()[i], table.values()[i]});
  Value v = Value::map();
  v.set("table", write_value(rows));
  if (x.interpolation()) v.set("interpolation", write_value(*x.interpolation()));
  return v;
}

}  // namespace lithe
