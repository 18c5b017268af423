// Moments at points of bodies, and forces that turn with them.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/model/loads.h"
#include "lithe/system/chunks.h"
#include "lithe/system/moment_view.h"
#include "lithe/system/state.h"

namespace lithe {

// Of a model, flat arrays. Signals are evaluated on the host.
struct Moments {
  std::vector<MomentLaw> law;                   // [moment]
  std::vector<Signals> moment;                  // [moment] N m; of a force N
  std::vector<std::int32_t> vector_start{0};    // [moment + 1]
  std::vector<std::int32_t> vector;             // [vector_start]
  std::vector<Vec3<double>> gradient;           // [vector_start] as in MomentView
  std::vector<double> force_weight;             // [vector_start]
  std::vector<std::int32_t> argument_start{0};  // [moment + 1]
  Forms arguments;                              // [argument_start]
  std::vector<std::int32_t> weight_start{0};    // [moment + 1]
  std::vector<double> weight;                   // [weight_start][vector][argument]

  int count() const { return static_cast<int>(law.size()); }
  MomentView operator[](int i) const;
  // function(vector) for all that moment i acts on.
  template <class Function>
  void for_vectors(int i, Function&& function) const {
    for (int k = vector_start[i]; k < vector_start[i + 1]; ++k) function(vector[k]);
  }
};

void compile_moment(System& system, const PointMoment& load);
void compile_follower(System& system, const PointForce& load);
// What a moment does to the coordinates, and -c_q times its derivative.
void add_moment_force(const Moments& moments, int moment, const State& state, const ForceSink& sink);
void add_moment_tangent(const Moments& moments, int moment, const State& state, double c_q, const TangentSink& sink);

}  // namespace lithe
