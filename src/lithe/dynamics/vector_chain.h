// Several operations of a Place over vectors of one size, one after the other, a few thousand numbers at a time: what
// one writes the next reads while it is in the cache. The same bits as Place::combine and Place::dots.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "lithe/base/place.h"

namespace lithe {

class Team;

// y = sum of the terms, or sums[k] = sum over product k.
struct VectorStep {
  std::span<const Term> terms = {};
  Array* y = nullptr;
  std::span<const Product> products = {};
  double* sums = nullptr;
};

class VectorChain {
 public:
  VectorChain(Place& place, Team& team) : place_(place), team_(team) {}
  void run(std::span<const VectorStep> chain);
  void run(std::initializer_list<VectorStep> chain) { run(std::span(chain.begin(), chain.size())); }

 private:
  Place& place_;
  Team& team_;
  std::vector<double> partial_;  // [block][product]
};

}  // namespace lithe
