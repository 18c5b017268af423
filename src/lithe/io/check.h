// What can be known about a run before its first step: `lithe check` and Python's model.check().
#pragma once

#include <string>
#include <vector>

#include "lithe/model/model.h"

namespace lithe {

struct CheckReport {
  int bodies = 0;
  long long elements = 0;
  int unknowns = 0, multipliers = 0;
  std::size_t nonzeros = 0;           // of the matrix as stored
  double steps = 0;                   // dynamics: of the size that is asked for, of all stages
  std::string solver;                 // dynamics: what solves the linear systems, and why; of the last stage
  std::vector<std::string> warnings;  // of reading and compiling
  std::string text;                   // lines for people, without the warnings
};

// Goes the way of a run up to its first step, so that it throws what the run would: InputError, or RunError where there
// is no state to start from. `name` stands for the model in the text; `warnings` are those of reading it.
CheckReport check_model(const Model& model, const std::string& name, std::vector<std::string> warnings);

}  // namespace lithe
