#include "lithe/constraints/part.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lithe/base/error.h"
#include "lithe/constraints/parts.h"

namespace lithe {

Form combine(double a, const Form& x, double b, const Form& y) {
  Form z;
  z.constant = a * x.constant + b * y.constant;
  const auto add = [&](double factor, const Form& f) {
    for (std::size_t k = 0; k < f.vectors.size(); ++k) {
      const auto found = std::find(z.vectors.begin(), z.vectors.end(), f.vectors[k]);
      if (found != z.vectors.end()) {
        z.weights[found - z.vectors.begin()] += factor * f.weights[k];
      } else {
        z.vectors.push_back(f.vectors[k]);
        z.weights.push_back(factor * f.weights[k]);
      }
    }
  };
  add(a, x);
  add(b, y);
  return z;
}

Part Part::linear(const Vec3<double>& along, Form x) {
  Part p;
  p.kind = Kind::linear;
  p.along = along;
  p.arguments = {std::move(x)};
  return p;
}

Part Part::distance(Form difference, double length) {
  Part p;
  p.kind = Kind::distance;
  p.length = length;
  p.arguments = {std::move(difference)};
  return p;
}

void Part::add(const Direction& factor) {
  factors.push_back(factor.shape());
  arguments.insert(arguments.end(), factor.arguments.begin(), factor.arguments.end());
}

Part Part::dot(const Direction& a, const Direction& b) {
  Part p;
  p.kind = Kind::dot;
  p.add(a);
  p.add(b);
  return p;
}

Part Part::angle(const std::vector<Angle>& thetas, const std::vector<double>& ratios, const std::vector<int>& numbers) {
  Part p;
  p.kind = Kind::angle;
  p.ratios = ratios;
  p.angles = numbers;
  for (const Angle& theta : thetas)
    for (const Direction* d : {&theta.a1, &theta.a2, &theta.b}) p.add(*d);
  LITHE_INVARIANT(p.count() <= largest_argument_count);
  return p;
}

Part Part::advance(const Direction& a, const Direction& b, const Angle& theta, double ratio, int number) {
  Part p = dot(a, b);
  p.kind = Kind::advance;
  p.ratios = {ratio};
  p.angles = {number};
  for (const Direction* d : {&theta.a1, &theta.a2, &theta.b}) p.add(*d);
  LITHE_INVARIANT(p.count() <= largest_argument_count);
  return p;
}

Part Part::on_line(const Vec3<double>& along, Form point, Form s, const std::vector<Form>& element, double length) {
  Part p;
  p.kind = Kind::on_line;
  p.along = along;
  p.length = length;
  p.arguments = {std::move(point), std::move(s)};
  p.arguments.insert(p.arguments.end(), element.begin(), element.end());
  return p;
}

Part Part::on_line(const Vec3<double>& along, Form point, Form s, std::shared_ptr<const Track> track) {
  Part p = on_line(along, std::move(point), std::move(s), std::vector<Form>(4), track->length);
  p.track = std::move(track);
  return p;
}

Part Part::lengths(const std::vector<Form>& between, const std::vector<double>& times, double smallest) {
  Part p;
  p.kind = Kind::lengths;
  p.length = smallest;
  p.arguments = between;
  p.ratios = times;
  p.angles.assign(times.size(), -1);
  LITHE_INVARIANT(p.count() <= largest_argument_count && between.size() == times.size());
  return p;
}

Part Part::skew(Form a, Form b, Form c, Form d) {
  Part p;
  p.kind = Kind::skew;
  p.arguments = {std::move(a), std::move(b), std::move(c), std::move(d)};
  return p;
}

// What a device copies byte by byte.
static_assert(std::is_trivially_copyable_v<PartView> && std::is_trivially_copyable_v<DirectionShape>);

void Parts::add(const Part& part) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  kind.push_back(part.kind);
  length.push_back(part.length);
  along.push_back(part.along);
  for (const Form& x : part.arguments) arguments.add(x);
  argument_start.push_back(arguments.count());
  append(factors, part.factors);
  factor_start.push_back(static_cast<std::int32_t>(factors.size()));
  append(ratios, part.ratios);
  append(angles, part.angles);
  if (!part.track) {
    track.push_back(-1);
  } else {  // that of the row before, or one more
    if (!part.track->vector.empty() && part.track != last_track_) {
      track_length.push_back(part.track->length);
      append(track_vector, part.track->vector);
      track_start.push_back(static_cast<std::int32_t>(track_vector.size()));
      last_track_ = part.track;
    }
    track.push_back(static_cast<std::int32_t>(track_length.size()) - 1);
  }
  theta_start.push_back(static_cast<std::int32_t>(ratios.size()));
}

Vec3<double> direction_value(const Direction& direction, const std::vector<double>& q) {
  Vec3<double> x[most_frame_arguments];
  for (std::size_t i = 0; i < direction.arguments.size(); ++i) x[i] = direction.arguments[i].value(q);
  return direction_of(direction.shape(), x);
}

double angle_value(const Angle& angle, const std::vector<double>& q, double near) {
  const Vec3<double> b = direction_value(angle.b, q);
  const double theta = std::atan2(dot(b, direction_value(angle.a2, q)), dot(b, direction_value(angle.a1, q)));
  return theta + full_turns(near, theta);
}

}  // namespace lithe
