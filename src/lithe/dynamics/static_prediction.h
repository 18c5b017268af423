// Where the next equilibrium may lie: the polynomial through the last accepted ones over their parameter s.
#pragma once

#include <vector>

#include "lithe/dynamics/equilibrium.h"

namespace lithe {

class StaticPrediction {
 public:
  explicit StaticPrediction(Equilibrium& problem) : problem_(problem) {}
  // An equilibrium that was accepted.
  void remember(double s, const Configuration& state);
  void forget() { past_.clear(); }
  // `trial`, with its load set for s, goes to the polynomial of the degree that leaves the smallest residual, or stays.
  void predict(Configuration& trial, double s);

 private:
  struct Past {
    double s;
    Array q, lambda;
  };
  Array copy_of(const Array& x);

  Equilibrium& problem_;
  std::vector<Past> past_;
};

}  // namespace lithe
