// Many constraint parts with their arguments as flat arrays, as a System keeps them.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/constraints/forms.h"
#include "lithe/constraints/part.h"

namespace lithe {

struct Parts {
  std::vector<PartKind> kind;                   // [part]
  std::vector<double> length;                   // [part]
  std::vector<Vec3<double>> along;              // [part]
  std::vector<std::int32_t> argument_start{0};  // [part + 1]
  Forms arguments;                              // [argument_start]
  std::vector<std::int32_t> factor_start{0};    // [part + 1]
  std::vector<DirectionShape> factors;          // [factor_start]
  std::vector<std::int32_t> theta_start{0};     // [part + 1]
  std::vector<double> ratios;                   // [theta_start]
  std::vector<std::int32_t> angles;             // [theta_start]

  std::size_t size() const { return kind.size(); }
  void add(const Part& part);
  PartView operator[](int i) const {
    return {kind[i],
            argument_start[i + 1] - argument_start[i],
            theta_start[i + 1] - theta_start[i],
            length[i],
            along[i],
            factors.data() + factor_start[i],
            ratios.data() + theta_start[i],
            angles.data() + theta_start[i]};
  }
  // Arguments of part i at the coordinates q, and their rates.
  void values(int i, const std::vector<double>& q, Vec3<double>* x) const {
    const FormsView forms = arguments.view();
    for (int k = argument_start[i]; k < argument_start[i + 1]; ++k) *x++ = forms.value(k, q.data());
  }
  void rates(int i, const std::vector<double>& v, Vec3<double>* u) const {
    const FormsView forms = arguments.view();
    for (int k = argument_start[i]; k < argument_start[i + 1]; ++k) *u++ = forms.rate(k, v.data());
  }
  // function(vector) for every vector of its arguments.
  template <class Function>
  void for_vectors(int i, Function&& function) const {
    const int first = arguments.start[argument_start[i]], last = arguments.start[argument_start[i + 1]];
    for (int k = first; k < last; ++k) function(arguments.vector[k]);
  }
};

}  // namespace lithe
