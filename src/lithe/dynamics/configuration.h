// A State in a place that can be copied, as a search for equilibrium needs many. Time, load factor and slots stand on
// the host, coordinates and multipliers in the place.
#pragma once

#include "lithe/dynamics/equations.h"

namespace lithe {

class Configuration : public PlacedState {
 public:
  Configuration(Place& place, const State& state) : PlacedState(place), own_(state) { bring(own_); }
  Configuration(const Configuration& other) : PlacedState(other.place()) { copy(other, own_); }
  Configuration& operator=(const Configuration& other) {
    if (this != &other) copy(other, own_);
    return *this;
  }
  // All of it, to a State of the host's.
  void fetch(State& state) const {
    state = own_;
    PlacedState::fetch(state);
  }

 private:
  State own_;
};

}  // namespace lithe
