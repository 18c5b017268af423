// Shape functions that feed the same section gradients: first_gradient .. first_gradient + gradients - 1.
#pragma once

namespace lithe {

struct ShapeGroup {
  int first_gradient;
  int gradients;
  int count;
  int member[32];
};

}  // namespace lithe
