// Joints along lines: the elements of a line as a track, places on it, what becomes of those that slide, and ropes that
// have run out.
#pragma once

#include <string>

#include "lithe/system/system.h"

namespace lithe {

Track make_track(const BodyInfo& line);

// A place on a track: r(s) = sum_k weight_k q[vector_k].
struct TrackPlace {
  const std::int32_t* vector;
  double weight[4];
  LineSlopes slopes;
  TrackPlace(const Track& track, double s);
  Vec3<double> value(const std::vector<double>& q) const { return sum(q, weight); }
  Vec3<double> slope(const std::vector<double>& q) const { return sum(q, slopes.first); }

 private:
  Vec3<double> sum(const std::vector<double>& q, const double* w) const;
  static int element(const Track& track, double s);
};

// s of the place nearest to a point that lies on the line or close to it.
double nearest_place(const Track& track, const std::vector<double>& q, const Vec3<double>& point);

// Forces across the lines, from the multipliers, to their slots.
void press(const System& system, const State& state, std::vector<double>& slots);

// A sentence on the first rope two points of which have come closer than a hundredth of where they started: what runs
// into its sheave sticks there. Empty: none has.
std::string rope_at_sheave(const System& system, const State& state);

// Rates of the coordinates of all sliders from the velocities at the start; part of compile(), after those are there.
void start_sliders(System& system);

}  // namespace lithe
