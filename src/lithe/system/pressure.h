// Sides of elements under pressure, which follows the surface.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/model/signal.h"
#include "lithe/system/chunks.h"
#include "lithe/system/state.h"

namespace lithe {

struct PressureSide;

// Of a model, flat arrays. Signals are evaluated on the host.
struct PressureSides {
  std::vector<Signal> pressure;               // [load] Pa
  std::vector<std::int32_t> load;             // [side]
  std::vector<std::int32_t> vector_start{0};  // [side + 1]
  std::vector<std::int32_t> vector;           // [vector_start]
  std::vector<double> S, slope_a, slope_b;    // [vector_start * pressure_points][point][vector]
  std::vector<double> weight;                 // [side][point]

  int count() const { return static_cast<int>(load.size()); }
  PressureSide operator[](int i) const;
  // function(vector) for all that side i acts on.
  template <class Function>
  void for_vectors(int i, Function&& function) const {
    for (int k = vector_start[i]; k < vector_start[i + 1]; ++k) function(vector[k]);
  }
};

void add_pressure_force(const PressureSides& sides, int side, const State& state, const ForceSink& sink);
// -c_q times its derivative.
void add_pressure_tangent(const System& system, int side, const State& state, double c_q, const TangentSink& sink);

}  // namespace lithe
