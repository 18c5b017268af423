// Bores of tubes and what is round: balls, rods, cylinders, other tubes. With the bore's radius b about its axis from
// c_0 to c_1, and a point at the height u along it and `side` from it,
//
//   its side, from within     along any direction d square to the axis nothing reaches beyond b:
//                             gap = b - side . d - r of a ball or the end of a rod, r with it in the rim of a flat end
//   a rim                     points c_k + b d, of which each is met by the nearest point of a rod or a ball, n from
//                             it to there, towards the axis or out of the bore
//
// Both are least somewhere, where they touch. In a narrow bore a step can close gaps all around: there the directions
// at every 60 degrees count too, all of them tangents of the circle from outside, so that they never hinder what fits.
// What a wall is passed by in a step goes by where it was at its begin, as everywhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "lithe/contact/narrow_phase.h"

namespace lithe {
namespace {

constexpr int bore_directions = 6;      // directions at most, beside those where they are nearest
constexpr double one_direction = 0.9;   // cosine of the angle between directions that are one
constexpr double rim_slack = 1e-2;      // cosine to the side up to which a rim is touched from there
constexpr double no_direction = 1e-12;  // of the radius: no direction

// Features of a bore carry the number of their direction.
constexpr int direction_bits = 16;

struct BoreAxis {
  Vec3<double> from, along;
  double length;
  Vec3<double> side(const Vec3<double>& x) const { return x - from - dot(x - from, along) * along; }
  double height(const Vec3<double>& x) const { return dot(x - from, along); }
};

// Square to `along`; where `wish` leads nowhere another one.
Vec3<double> square_to_bore(const Vec3<double>& along, const Vec3<double>& wish, double least) {
  const Vec3<double> d = wish - dot(wish, along) * along;
  if (norm(d) > least) return unit(d);
  const Vec3<double> other = std::abs(along[0]) < 0.6 ? Vec3<double>{{1, 0, 0}} : Vec3<double>{{0, 1, 0}};
  return unit(cross(along, other));
}

// The best directions first, then what is left of six around.
struct BoreDirections {
  std::array<Vec3<double>, 2 + bore_directions> d;
  int count = 0;
  void add(const Vec3<double>& direction) {
    for (int i = 0; i < count; ++i)
      if (dot(d[i], direction) > one_direction) return;
    if (count < static_cast<int>(d.size())) d[count++] = direction;
  }
  void add_around(const Vec3<double>& along) {
    const Vec3<double> first = d[0], across = cross(along, first);
    for (int k = 1; k < bore_directions; ++k) {
      const double angle = 2 * std::numbers::pi * k / bore_directions;
      add(std::cos(angle) * first + std::sin(angle) * across);
    }
  }
};

}  // namespace

void NarrowPhase::bore_meets(const Segment& bore, const Segment& round, std::vector<Candidate>& found) const {
  const int ends = round.edge < 0 ? 1 : 2;
  for (int end = 0; end < ends; ++end)
    if (owns(round, end)) bore_around(bore, round, end, found);
  for (int end = 0; end < 2; ++end) bore_rim_meets(bore, end, round, found);
}

// Nearer to the axis than the middle of the wall, now or at the begin of the step, between the ends.
bool NarrowPhase::is_within(const Segment& bore, const Spot& spot) const {
  const double middle = -radius_of(bore) + 0.5 * topology_.surface[bore.surface].wall;
  const auto within = [&](double instant) {
    const Vec3<double> from = at(bore.corner[0], instant), d = at(bore.corner[1], instant) - from;
    const BoreAxis axis{from, unit(d), norm(d)};
    const Vec3<double> x = at(spot, instant);
    const double up = axis.height(x);
    return up >= 0 && up <= axis.length && norm(axis.side(x)) < middle;
  };
  return within(0) || (!scene_->before.empty() && within(-1));
}

// The end of a rod, or a ball, within.
void NarrowPhase::bore_around(const Segment& bore, const Segment& round, int end, std::vector<Candidate>& found) const {
  const Vec3<double>&from = scene_->corner[bore.corner[0]], d = scene_->corner[bore.corner[1]] - from;
  const BoreAxis axis{from, unit(d), norm(d)};
  const double b = -radius_of(bore), r = radius_of(round);
  if (r > b + 0.5 * topology_.surface[bore.surface].wall) return;
  const std::int32_t corner = round.corner[end];
  const Spot middle = corner_spot(round.surface, corner);
  if (!is_within(bore, middle)) return;
  const Vec3<double>& x = scene_->corner[corner];
  const bool flat = topology_.surface[round.surface].flat_ends;
  const Vec3<double> a = flat ? end_axis(corner) : Vec3<double>{};
  // What reaches furthest along a direction.
  const auto furthest = [&](const Vec3<double>& direction) {
    Spot spot = middle;
    if (flat) spot.on_rim = rim_towards(corner, direction, spot.rim);
    return spot;
  };
  BoreDirections directions;
  const auto climb = [&](Vec3<double> direction) {
    constexpr int turns = 100;
    for (int i = 0; flat && i < turns; ++i) {
      const Vec3<double> next = square_to_bore(axis.along, axis.side(at(furthest(direction), 0)), no_direction * b);
      const double change = norm(next - direction);
      direction = next;
      if (change < closest::zero) break;
    }
    return direction;
  };
  const Vec3<double> beside = axis.side(x);
  Vec3<double> best = climb(square_to_bore(axis.along, beside, no_direction * b));
  if (flat)
    if (const Vec3<double> lean = cross(axis.along, a); norm(lean) > closest::zero) {
      const auto reach = [&](const Vec3<double>& way) { return dot(axis.side(at(furthest(way), 0)), way); };
      const Vec3<double> one = climb(unit(lean)), other = climb(-1. * unit(lean));
      for (const Vec3<double>& way : {one, other})
        if (reach(way) > reach(best)) best = way;
      directions.add(best);
      directions.add(one);
      directions.add(other);
    }
  directions.add(best);
  directions.add_around(axis.along);
  const Travel moves = travel(round.surface, {1, {corner, corner, corner}}, bore.surface, bore.corners());
  for (int k = 0; k < directions.count; ++k) {
    const Vec3<double>& way = directions.d[k];
    const Spot touching = furthest(way);
    if (flat && (!touching.on_rim || !end_meets(corner, -1. * way, moves.margin))) continue;
    const double up = axis.height(at(touching, 0)) / axis.length;
    if (!(up >= 0 && up <= 1)) continue;
    // Both corners, also at an end: there it is none.
    const Spot wall{bore.surface,
                    {bore.corner[0], bore.corner[1], -1},
                    {1 - up, up, 0},
                    topology_.feature(FeatureKind::edge, bore.surface, bore.edge) | static_cast<std::uint64_t>(k)
                                                                                        << direction_bits};
    add({touching, wall, -1. * way, moves.margin}, found);
  }
}

// The rim at an end and what goes through it, or lies upon it.
void NarrowPhase::bore_rim_meets(const Segment& bore, int end, const Segment& round,
                                 std::vector<Candidate>& found) const {
  constexpr int samples = 24, halvings = 60;
  const Vec3<double> centre = scene_->corner[bore.corner[end]], a = end_axis(bore.corner[end]);
  const double b = -radius_of(bore);
  const Vec3<double> first = square_to_bore(a, scene_->corner[round.corner[0]] - centre, no_direction * b),
                     second = cross(a, first);
  const auto direction = [&](double angle) { return std::cos(angle) * first + std::sin(angle) * second; };
  const auto nearest = [&](const Vec3<double>& way) {
    const double t = round.edge < 0 ? 0
                                    : closest::along(centre + b * way, scene_->corner[round.corner[0]],
                                                     scene_->corner[round.corner[1]]);
    return std::clamp(t, 0.0, 1.0);
  };
  const auto apart = [&](double angle) {
    const Vec3<double> way = direction(angle);
    return norm(at(segment_spot(round, nearest(way)), 0) - centre - b * way);
  };
  // All minima of the distance: two at most for a line.
  std::array<double, samples> distance;
  for (int i = 0; i < samples; ++i) distance[i] = apart(2 * std::numbers::pi * i / samples);
  const Travel moves = travel(round.surface, round.corners(), bore.surface, bore.corners());
  if (*std::ranges::min_element(distance) - radius_of(round) - b * std::numbers::pi / samples > moves.margin) return;
  BoreDirections directions;
  double least = -1;
  std::array<std::pair<double, Vec3<double>>, samples> minima;
  int count = 0;
  for (int i = 0; i < samples; ++i) {
    const double before = distance[(i + samples - 1) % samples], after = distance[(i + 1) % samples];
    if (!(distance[i] <= before && distance[i] < after)) continue;
    double low = 2 * std::numbers::pi * (i - 1) / samples, high = 2 * std::numbers::pi * (i + 1) / samples;
    constexpr double golden = 0.6180339887498949;
    for (int k = 0; k < halvings; ++k) {
      const double p = high - golden * (high - low), q = low + golden * (high - low);
      (apart(p) < apart(q) ? high : low) = apart(p) < apart(q) ? q : p;
    }
    const double angle = 0.5 * (low + high), value = apart(angle);
    minima[count++] = {value, direction(angle)};
    if (least < 0 || value < least) least = value;
  }
  if (count == 0) minima[count++] = {distance[0], first};  // on the axis: all are one
  std::sort(minima.begin(), minima.begin() + count, [](const auto& p, const auto& q) { return p.first < q.first; });
  for (int i = 0; i < count; ++i) directions.add(minima[i].second);
  directions.add_around(a);
  for (int k = 0; k < directions.count; ++k) {
    const Vec3<double>& way = directions.d[k];
    const double t = nearest(way);
    if (!owns(round, t)) continue;
    if (topology_.surface[round.surface].flat_ends && (t == 0 || t == 1)) continue;  // rims, or a disc: the meshes'
    const Spot on_round = segment_spot(round, t);
    Spot rim = corner_spot(bore.surface, bore.corner[end]);
    rim.rim = b * way;
    rim.on_rim = true;
    rim.feature |= static_cast<std::uint64_t>(k) << direction_bits;
    const Vec3<double> d = at(on_round, 0) - at(rim, 0);
    const double length = norm(d);
    if (!(length > 0)) continue;
    const Vec3<double> n = (1 / length) * d;
    if (dot(n, a) < -rim_slack || dot(n, way) > rim_slack) continue;
    add({on_round, rim, n, moves.margin}, found);
  }
}

}  // namespace lithe
