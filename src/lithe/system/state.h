// State: everything a restart needs and nothing else.
#pragma once

#include <vector>

namespace lithe {

// Where the factorisation in use was made: a resumed run factors there again and goes on bit by bit.
struct Linearisation {
  bool valid = false;
  double t = 0, step = 0;
  double c_q = 0, c_v = 0, c_a = 0;
  std::vector<double> q, v, lambda;
  std::vector<double> pivot_values;  // matrix at which the solver chose its pivots, where it keeps them
};

// What step control remembers.
struct StepMemory {
  double next_step = 0;    // s, proposed; 0: none yet
  double contraction = 0;  // of Newton with the factorisation in use, last measured
  double excess = 0;       // iterations spent since the factorisation beyond those a new one would have needed
  int baseline = 0;        // iterations of the step after the factorisation
  double force_scale = 0;  // N, largest forces of accepted steps
  long long steps = 0;     // accepted
  long long last_rejection = -1000;
  int output = 0;  // outputs written: the next one is due at output * output_step
};

// Accelerations of the last steps, from which the next ones are predicted.
struct Past {
  int count = 0;             // of steps of one size
  int order = 0;             // of the extrapolation that would have been best last time
  double step = 0;           // s, their size
  double lag = 0;            // of State::a in steps: schemes that weigh forces have it at t - lag * step
  std::vector<double> a[2];  // one and two steps ago
};

struct State {
  double t = 0;                // s
  double load_factor = 1;      // share of the constant loads that acts (statics)
  std::vector<double> q;       // [vector][3]  coordinates, m and 1
  std::vector<double> v;       // [vector][3]  their rates
  std::vector<double> a;       // [vector][3]  their second rates; empty in statics
  std::vector<double> lambda;  // [row]        multipliers
  std::vector<double> velocity_multipliers, acceleration_multipliers;  // [row]  of the projections (augmented)
  std::vector<double> angles;                                          // [angle]      rad, counted on from turn to turn
  Past past;
  StepMemory memory;
  Linearisation linearisation;
};

}  // namespace lithe
