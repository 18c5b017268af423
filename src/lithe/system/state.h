// State: everything a restart needs and nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lithe/base/slots.h"

namespace lithe {

// Where the factorisation in use was made: a resumed run factors there again and goes on bit by bit.
struct Linearisation {
  bool valid = false;
  double t = 0, step = 0;
  double c_q = 0, c_v = 0, c_a = 0;
  bool near = false;  // another matrix that is near enough might stand for it
  std::vector<double> q, v, lambda, slots;
  std::vector<double> pivot_values;   // matrix at which the solver chose its pivots, where it keeps them, or made its
                                      // preconditioner
  std::vector<double> solver_counts;  // what it has counted since then
};

// What step control remembers.
struct StepMemory {
  double next_step = 0;    // s, proposed; 0: none yet
  double contraction = 0;  // of Newton with the factorisation in use, last measured
  double excess = 0;       // iterations spent since the factorisation beyond those a new one would have needed
  int baseline = 0;        // iterations of the step after the factorisation
  double correction = 0;   // Newton's first one in the last step; 0: none yet
  bool fresh = false;      // adaptive tangents: kept ones are put aside, new ones are cheaper here
  double kept_work = 0;    // iterations and factorisations of a step with kept tangents, mean of the last ones; 0: none
  double fresh_work = 0;   // with new ones
  long long trial = 0;     // step at which kept tangents are, or were, tried again
  int backoff = 0;         // steps from a trial that failed to the next one
  long long steps = 0;     // accepted
  long long last_rejection = -1000;
};

// Accelerations of the last steps, from which the next ones are predicted.
struct PastSteps {
  int count = 0;          // of steps of one size
  int order = 0;          // of the extrapolation that would have been best last time
  double step = 0;        // s, their size
  bool weighted = false;  // the scheme goes on with accelerations of its own instead of State::a
};
struct Past : PastSteps {
  std::vector<double> a[2];    // [vector][3]  one and two steps ago
  std::vector<double> scheme;  // [vector][3]  where `weighted`
  std::vector<double> lambda;  // [row]        of half steps: multipliers, and accelerations a[0], of the last middle
};

// The watch over the balance of energies, since the start of the run: kinetic energy gained = work of applied forces +
// work of drives + work of contacts - work against internal forces (stored or dissipated).
struct EnergyBalance {
  double kinetic_start = 0, kinetic = 0;         // J
  double internal = 0, applied = 0, drives = 0;  // J, work so far
  double contact = 0;                            // J, work of contacts: on relative motion, and of moving apart
  double stored = 0, stored_start = 0;           // J, in penalty contacts, of the work of contacts
  double size = 0;                               // J, the largest of these so far
  double available = 0;                          // J, the most so far of the start, what loads and drives brought and
                                                 // what was stored before and came out
  double lowest = 0;                             // J, the imbalance nearest to 0 of the last few steps
  double least_made = 0;                         // J, the least that contacts had made in those
  int few = 0;                                   // how many they are
  double worst = 0;                              // J, size of the largest imbalance that stayed for a few steps
  double worst_time = 0;                         // s, when
  double gain = 0, gain_time = 0;                // J, s, the largest of those that made energy
  double made = 0, made_time = 0;                // J, s, the most that contacts made and that stayed
  double largest_turn = 0;                       // rad, of any direction in one step
  double off() const { return kinetic - kinetic_start + internal - applied - drives - contact; }
  double made_by_contacts() const { return contact + stored - stored_start; }
  // What there is now, into `size` and `available`.
  void measure() {
    const double work = applied + drives;
    size = std::max({size, kinetic, std::abs(internal), std::abs(applied), std::abs(drives), std::abs(contact)});
    available = std::max(available, kinetic_start + stored_start + std::max(work, 0.0) + std::max(-internal, 0.0));
  }
  // An imbalance that stayed.
  void note(double imbalance, double made_here, double time) {
    if (std::abs(imbalance) > worst) worst = std::abs(imbalance), worst_time = time;
    if (imbalance > gain) gain = imbalance, gain_time = time;
    if (made_here > made) made = made_here, made_time = time;
  }
};

struct State {
  double t = 0;                // s
  double load_factor = 1;      // share of the constant loads that acts (statics)
  std::vector<double> q;       // [vector][3]  coordinates, m and 1
  std::vector<double> v;       // [vector][3]  their rates
  std::vector<double> a;       // [vector][3]  their second rates, at t; empty in statics
  std::vector<double> lambda;  // [row]        multipliers
  std::vector<double> velocity_multipliers, acceleration_multipliers;  // [row]  of the projections (augmented)
  Slots slots;  // of joints (angles, rad, counted on from turn to turn), bodies and contacts
  Past past;
  StepMemory memory;
  EnergyBalance energy;
  Linearisation linearisation;
};

}  // namespace lithe
