#include "lithe/model/signal.h"

#include "lithe/base/describe.h"

namespace lithe {

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

const std::string& Signal::text() const { return expression_ ? expression_->text() : no_text; }

double Signal::operator()(double t) const {
  if (expression_) return expression_->value(std::span<const double>(&t, 1));
  return table_ ? table_->value(t) : constant_;
}

double Signal::rate(double t) const {
  if (expression_) return along_time(*expression_, t).a;
  return table_ ? table_->rate(t) : 0;
}

double Signal::acceleration(double t) const {
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
