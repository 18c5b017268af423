// Why a dynamic run has no accelerations at its start: the matrix of masses and constraints could not be factored.
#pragma once

#include <string>
#include <vector>

#include "lithe/linalg/linear_solver.h"
#include "lithe/system/system.h"

namespace lithe {

// `mass` is the matrix of masses over system.pattern, `why` what its factorisation said.
std::string start_failure(const System& system, const std::vector<double>& mass, const FactorReport& report,
                          const std::string& why);
// The constraints cannot all hold there; why: what shows it, a clause.
std::string dependent_at_start(const std::string& why);

}  // namespace lithe
