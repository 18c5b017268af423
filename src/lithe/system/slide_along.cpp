#include "lithe/system/slide_along.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"

namespace lithe {

Track make_track(const BodyInfo& line) {
  Track track;
  track.length = line.mesh.size[0];
  const int second = line.node_vectors;
  for (int e = 0; e < line.elements(); ++e)
    for (const int i : {0, 1, second, second + 1}) track.vector.push_back(line.element_vector(e, i));
  return track;
}

int TrackPlace::element(const Track& track, double s) {
  return static_cast<int>(std::clamp(std::floor(s / track.length), 0.0, track.elements() - 1.0));
}

TrackPlace::TrackPlace(const Track& track, double s)
    : vector(&track.vector[4ul * element(track, s)]), slopes(s - element(track, s) * track.length, track.length) {
  line_weights(s - element(track, s) * track.length, track.length, weight);
}

Vec3<double> TrackPlace::sum(const std::vector<double>& q, const double* w) const {
  Vec3<double> x{};
  for (int k = 0; k < 4; ++k)
    for (int m = 0; m < 3; ++m) x[m] += w[k] * q[3ul * vector[k] + m];
  return x;
}

double nearest_place(const Track& track, const std::vector<double>& q, const Vec3<double>& point) {
  constexpr int samples = 8;  // of an element
  double best = 0, least = 1e300;
  for (int i = 0; i <= samples * track.elements(); ++i) {
    const double s = track.length * i / samples, apart = norm(point - TrackPlace(track, s).value(q));
    if (apart >= least) continue;
    best = s;
    least = apart;
  }
  for (int round = 0; round < 30; ++round) {  // Gauss-Newton: quadratic where the point is on the line
    const TrackPlace place(track, best);
    const Vec3<double> t = place.slope(q);
    best = std::clamp(best + dot(t, point - place.value(q)) / dot(t, t), 0.0, track.total());
  }
  return best;
}

std::string rope_at_sheave(const System& system, const State& state) {
  constexpr double close = 0.01;
  const auto met = [&](const Forms& points, int first, int end, const std::string& who) -> std::string {
    for (int k = first; k < end; ++k) {
      const double start = norm(points.value(k, system.q0)), now = norm(points.value(k, state.q));
      if (now >= close * start) continue;
      return fmt::format(
          "at t = {:.6g} s points {} and {} of {} were {:.2g} m apart, which started with {:.4g} m: a rope without "
          "length has no direction, and what runs into its sheave sticks there; end the run before, or hold it off by "
          "a spring of 'type: stop' or 'type: spring' with a law",
          state.t, k - first, k - first + 1, who, now, start);
    }
    return "";
  };
  const Parts& parts = system.rows.parts;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (parts.kind[r] != PartKind::lengths) continue;
    const std::string& who = system.owners[system.rows.owner[r]].text;
    if (std::string said = met(parts.arguments, parts.argument_start[r], parts.argument_start[r + 1], who);
        !said.empty())
      return said;
  }
  const Springs& springs = system.springs;
  for (int i = 0; i < springs.count(); ++i) {
    if (springs.law[i].kind != SpringLaw::Kind::lengths) continue;
    const std::string who = "spring '" + system.model.springs.items[i].first + "'";
    if (std::string said = met(springs.arguments, springs.argument_start[i], springs.argument_start[i + 1], who);
        !said.empty())
      return said;
  }
  return "";
}

void start_sliders(System& system) {
  for (const Slider& slider : system.sliders) {
    const TrackPlace place(*slider.track, system.q_start[3ul * slider.vector]);
    const Vec3<double> t = place.slope(system.q_start);
    system.v0[3ul * slider.vector] = dot(t, slider.point.rate(system.v0) - place.value(system.v0)) / dot(t, t);
  }
}

int System::pressed_slot(int joint) const {
  const auto at = std::ranges::find(sliders, joint, &Slider::joint);
  LITHE_INVARIANT(at != sliders.end());
  return static_cast<int>(angles.size()) + static_cast<int>(at - sliders.begin());
}

void press(const System& system, const State& state, std::vector<double>& slots) {
  for (const Slider& slider : system.sliders) {
    Vec3<double> force{};
    for (const int r : system.owners[system.joints[slider.joint].owner].rows)
      if (system.rows.parts.kind[r] == PartKind::on_line) force = force + state.lambda[r] * system.rows.parts.along[r];
    const Vec3<double> t = TrackPlace(*slider.track, state.q[3ul * slider.vector]).slope(state.q);
    slots[system.pressed_slot(slider.joint)] = norm(force - (dot(force, t) / dot(t, t)) * t);
  }
}

std::string System::past_an_end(const State& state) const {
  constexpr double allowed = 1e-2;  // of the line: what a stop at its end may give way
  for (const Slider& slider : sliders) {
    const double s = state.q[3ul * slider.vector], total = slider.track->total();
    if (s >= -allowed * total && s <= (1 + allowed) * total) continue;
    const auto& [name, joint] = model.joints.items[slider.joint];
    return fmt::format(
        "joint '{}' has slid past the {} of '{}', whose length is {:.6g} m; make the line longer, end the run before, "
        "or "
        "hold it by a spring of 'type: stop' with joint '{}' and limits of its travel from {:.6g} to {:.6g} m",
        name, s < 0 ? "start" : "end", std::get<SlideAlong>(joint).line, total, name, -joints[slider.joint].start,
        total - joints[slider.joint].start);
  }
  return "";
}

}  // namespace lithe
