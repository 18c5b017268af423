// Many constraint parts with their arguments as flat arrays, as a System keeps them.
#pragma once

#include <algorithm>
#include <cmath>
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
  std::vector<std::int32_t> track;              // [part] into the tracks; -1: none
  std::vector<std::int32_t> track_start{0};     // [track + 1]
  std::vector<std::int32_t> track_vector;       // [track_start]: [element][4]
  std::vector<double> track_length;             // [track] of an element

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
  // Arguments of part i at the coordinates q, and their rates there.
  void values(int i, const std::vector<double>& q, Vec3<double>* x) const {
    const FormsView forms = arguments.view();
    for (int k = argument_start[i]; k < argument_start[i + 1]; ++k) x[k - argument_start[i]] = forms.value(k, q.data());
    if (const int e = element(i, q); e >= 0) {
      x[1][0] -= e * track_length[track[i]];
      on_element(i, e, q, x);
    }
  }
  void rates(int i, const std::vector<double>& q, const std::vector<double>& v, Vec3<double>* u) const {
    const FormsView forms = arguments.view();
    for (int k = argument_start[i]; k < argument_start[i + 1]; ++k) u[k - argument_start[i]] = forms.rate(k, v.data());
    if (const int e = element(i, q); e >= 0) on_element(i, e, v, u);
  }
  // The element of its track on which it is; -1: it has none.
  int element(int i, const std::vector<double>& q) const {
    if (track[i] < 0) return -1;
    const double s = arguments.value(argument_start[i] + 1, q)[0], at = std::floor(s / track_length[track[i]]);
    return at > 0 ? static_cast<int>(std::min(at, elements(i) - 1.0)) : 0;
  }
  int elements(int i) const { return (track_start[track[i] + 1] - track_start[track[i]]) / 4; }
  const std::int32_t* element_vectors(int i, int e) const { return &track_vector[track_start[track[i]] + 4 * e]; }
  // Vectors and weights of argument k of part i, which is on element e.
  struct Terms {
    const std::int32_t* vector;
    const double* weight;
    int count;
  };
  Terms terms(int i, int k, int e) const {
    static constexpr double one = 1;
    if (e >= 0 && k >= 2) return {element_vectors(i, e) + k - 2, &one, 1};
    const int form = argument_start[i] + k, first = arguments.start[form];
    return {arguments.vector.data() + first, arguments.weight.data() + first, arguments.start[form + 1] - first};
  }
  // function(vector) for every vector of its arguments, those of all elements of its track among them.
  template <class Function>
  void for_vectors(int i, Function&& function) const {
    const int first = arguments.start[argument_start[i]], last = arguments.start[argument_start[i + 1]];
    for (int k = first; k < last; ++k) function(arguments.vector[k]);
    if (track[i] < 0) return;
    for (int k = track_start[track[i]]; k < track_start[track[i] + 1]; ++k) function(track_vector[k]);
  }

 private:
  void on_element(int i, int e, const std::vector<double>& q, Vec3<double>* x) const {
    for (int k = 0; k < 4; ++k) {
      const std::size_t at = 3ul * element_vectors(i, e)[k];
      x[2 + k] = {{q[at], q[at + 1], q[at + 2]}};
    }
  }
  std::shared_ptr<const Track> last_track_;  // that was added
};

}  // namespace lithe
