// How much memory a run will take, counted before it starts: better a refusal with numbers than a machine that swaps or
// a process that the kernel kills.
#pragma once

#include <string>

#include "lithe/system/system.h"

namespace lithe {

struct MemoryPlan {
  double model = 0;    // B, what compile() made; measured
  double work = 0;     // B, vectors and what elements keep for their tangents
  double matrix = 0;   // B, values, and the solver's copy of them
  double factors = 0;  // B, of the matrix, with AMD's order
  double results = 0;  // B, rows that stay in memory: of runs without a file
  double disk = 0;     // B, of the result file
  double to_come() const { return work + matrix + factors + results; }
  std::string text() const;  // "model 12 MiB, work 3 MiB, ..."
};

// in_memory: results go to no file. Orders the matrix to count its factors.
MemoryPlan plan_memory(const System& system, bool in_memory);

// Throws InputError with the numbers and a remedy where the plan does not fit in available_memory(), or the results on
// the disk of the file `result` ("": they stay in memory). `remedy` is how the user insists: "--force", "force=True".
void check_memory(const System& system, const std::string& result, const std::string& remedy);

// The same before compile(), from the number of elements alone.
void check_memory(const Model& model, const std::string& remedy);

}  // namespace lithe
