// Points and directions that are linear in the coordinate vectors: x(q) = constant + sum_k weight_k q[vector_k].
// The position of a node, of any material point and of any point of a rigid body has this form, and so have the base
// vectors of a rigid body and the gradients at a material point; the ground is a constant.
#pragma once

#include <cstddef>
#include <vector>

#include "lithe/base/small.h"

namespace lithe {

struct Form {
  std::vector<int> vectors;
  std::vector<double> weights;
  Vec3<double> constant{};

  static Form fixed(const Vec3<double>& x) { return {{}, {}, x}; }
  // Of a coordinate array [vector][3].
  Vec3<double> value(const std::vector<double>& q) const { return constant + rate(q); }
  Vec3<double> rate(const std::vector<double>& v) const {
    Vec3<double> x{};
    for (std::size_t k = 0; k < vectors.size(); ++k)
      for (int m = 0; m < 3; ++m) x[m] += weights[k] * v[3ul * vectors[k] + m];
    return x;
  }
};

// a x + b y.
Form combine(double a, const Form& x, double b, const Form& y);
inline Form operator-(const Form& x, const Form& y) { return combine(1, x, -1, y); }

}  // namespace lithe
