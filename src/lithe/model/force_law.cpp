#include "lithe/model/force_law.h"

#include <algorithm>
#include <array>

#include "lithe/base/describe.h"
#include "lithe/base/error.h"

namespace lithe {

namespace {

const std::string no_text;

// Three points: exact for polynomials of degree 5.
constexpr double gauss_x[] = {-0.7745966692414834, 0, 0.7745966692414834};
constexpr double gauss_w[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
constexpr int equal_parts = 64;

}  // namespace

ForceLaw ForceLaw::expression(const std::string& text) {
  ForceLaw law;
  law.expression_ = std::make_shared<const Expression>(text, std::initializer_list<std::string_view>{"x", "v", "t"});
  return law;
}

ForceLaw ForceLaw::table(std::vector<double> stretches, std::vector<double> forces,
                         std::optional<Interpolation> interpolation) {
  if (interpolation == Interpolation::steps)
    throw InputError("interpolation: steps does not fit a spring: its force would jump; use linear or spline");
  require(stretches.size() == forces.size() && stretches.size() >= 2,
          "a force law needs at least two rows [stretch, force]");
  for (std::size_t i = 1; i < stretches.size(); ++i)
    require(stretches[i] > stretches[i - 1], "stretches of a force law must increase: " + number_text(stretches[i]) +
                                                 " follows " + number_text(stretches[i - 1]));
  ForceLaw law;
  law.interpolation_ = interpolation;
  law.table_ = std::make_shared<const Table>(std::move(stretches), std::move(forces),
                                             interpolation.value_or(Interpolation::linear), false);
  return law;
}

const std::string& ForceLaw::text() const { return expression_ ? expression_->text() : no_text; }

ForceLaw::Point ForceLaw::operator()(double x, double v, double t) const {
  if (expression_) {
    const HyperDual variables[] = {HyperDual(x, 1, 0), HyperDual(v, 0, 1), HyperDual(t)};
    const HyperDual f = expression_->value(std::span<const HyperDual>(variables));
    return {f.v, f.a, f.b};
  }
  if (!table_) return {};
  const double inside = std::clamp(x, table_->times().front(), table_->times().back()), slope = table_->rate(inside);
  return {table_->value(inside) + slope * (x - inside), slope, 0};
}

double ForceLaw::energy(double x, double t) const {
  const auto over = [&](double from, double to) {
    const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += gauss_w[k] * (*this)(middle + half * gauss_x[k], 0, t).force;
    return half * sum;
  };
  double sum = 0, from = 0;
  if (!table_) {
    for (int i = 1; i <= equal_parts; ++i) {
      const double to = x * i / equal_parts;
      sum += over(from, to);
      from = to;
    }
    return sum;
  }
  const double low = std::min(0.0, x), high = std::max(0.0, x);
  from = low;
  for (const double row : table_->times())
    if (row > low && row < high) {
      sum += over(from, row);
      from = row;
    }
  sum += over(from, high);
  return x < 0 ? -sum : sum;
}

void Custom<ForceLaw>::read(const Value& value, ForceLaw& out) {
  const auto placed = [&](auto&& action) {
    try {
      action();
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (!value.where.file.empty() && message.find(value.where.file) == 0) throw;
      if (!value.where.path.empty() && message.find(value.where.path) == 0) throw;
      throw InputError(value.where, message);
    }
  };
  if (value.kind != Value::Kind::map) return placed([&] { out = ForceLaw::expression(to_string(value)); });
  const Value *rows = value.find("table"), *between = value.find("interpolation");
  if (!rows || value.fields.size() != (between ? 2 : 1))
    throw InputError(value.where,
                     "an expression in x, v and t or {table: [[stretch, force], ...], interpolation: linear | spline} "
                     "is expected");
  placed([&] {
    std::vector<std::array<double, 2>> pairs;
    Reading reading;
    read_value(*rows, pairs, Field{}, reading);
    std::optional<Interpolation> interpolation;
    if (between) read_value(*between, interpolation.emplace(), Field{}, reading);
    std::vector<double> stretches, forces;
    for (const auto& [stretch, force] : pairs) {
      stretches.push_back(stretch);
      forces.push_back(force);
    }
    out = ForceLaw::table(std::move(stretches), std::move(forces), interpolation);
  });
}

Value Custom<ForceLaw>::write(const ForceLaw& x) {
  if (!x.table()) {
    Value v = Value::scalar(x.text().empty() ? "0" : x.text());
    v.quoted = true;
    return v;
  }
  std::vector<std::array<double, 2>> rows;
  for (std::size_t i = 0; i < x.table()->times().size(); ++i)
    rows.push_back({x.table()->times()[i], x.table()->values()[i]});
  Value v = Value::map();
  v.set("table", write_value(rows));
  if (x.interpolation()) v.set("interpolation", write_value(*x.interpolation()));
  return v;
}

}  // namespace lithe
