// State: everything a restart needs and nothing else.
#pragma once

#include <vector>

namespace lithe {

struct State {
  double t = 0;            // s
  double load_factor = 1;  // share of the constant loads that acts (statics)
  std::vector<double> q;   // [vector][3]  coordinates, m and 1
  std::vector<double> v;   // [vector][3]  their rates
};

}  // namespace lithe
