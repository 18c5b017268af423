// Damages models at random, by their structure and by their bytes. The same seed makes the same text everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lithe/base/value.h"

namespace lithe {

// Models that use every kind of body, joint, spring, load and output.
std::vector<std::string> mechanism_seeds();

class ModelMutator {
 public:
  explicit ModelMutator(const std::vector<std::string>& texts);  // models that are right
  std::string make(std::uint64_t seed) const;

 private:
  std::vector<Value> models_;
  std::vector<std::string> keys_, words_;  // of all models
};

}  // namespace lithe
