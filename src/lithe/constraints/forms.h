// Many forms (form.h) as flat arrays, as a System keeps them: x_i(q) = constant_i + sum_k weight_k q[vector_k] over k
// from start_i to start_(i + 1). Their arithmetic is that of the view, plain pointers that may point into a device.
#pragma once

#include <cstdint>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/constraints/form.h"

namespace lithe {

struct FormsView {
  const std::int32_t *start, *vector;
  const double* weight;
  const Vec3<double>* constant;

  LITHE_HD Vec3<double> value(int i, const double* q) const { return constant[i] + rate(i, q); }
  LITHE_HD Vec3<double> rate(int i, const double* v) const {
    Vec3<double> x{};
    for (std::int32_t k = start[i]; k < start[i + 1]; ++k)
      for (int m = 0; m < 3; ++m) x[m] += weight[k] * v[3l * vector[k] + m];
    return x;
  }
};

struct Forms {
  std::vector<std::int32_t> start{0};  // [form + 1]
  std::vector<std::int32_t> vector;    // [start]
  std::vector<double> weight;          // [start]
  std::vector<Vec3<double>> constant;  // [form]

  int count() const { return static_cast<int>(constant.size()); }
  void add(const Form& x) {
    vector.insert(vector.end(), x.vectors.begin(), x.vectors.end());
    weight.insert(weight.end(), x.weights.begin(), x.weights.end());
    start.push_back(static_cast<std::int32_t>(vector.size()));
    constant.push_back(x.constant);
  }
  FormsView view() const { return {start.data(), vector.data(), weight.data(), constant.data()}; }
  Vec3<double> value(int i, const std::vector<double>& q) const { return view().value(i, q.data()); }
  Vec3<double> rate(int i, const std::vector<double>& v) const { return view().rate(i, v.data()); }
};

}  // namespace lithe
