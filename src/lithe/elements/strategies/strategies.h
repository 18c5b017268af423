// The strategies of the continuum elements by name: the one list that the model's switch, `lithe list strategies`, the
// benchmarks and the tests walk.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "lithe/elements/continuum.h"

namespace lithe {

struct Strategy {
  const char* name;
  const char* description;
  std::unique_ptr<BatchKernel> (*make)(const ContinuumBatch&, TangentForm);
};

std::span<const Strategy> strategies();

}  // namespace lithe
