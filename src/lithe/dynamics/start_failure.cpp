#include "lithe/dynamics/start_failure.h"

namespace lithe {

namespace {

// An unknown that nothing gives a mass; -1: there is none.
int massless(const System& system, const std::vector<double>& mass) {
  const SparsePattern& pattern = system.pattern;
  for (int j = 0; j < system.map.size; ++j) {
    double own = 0;
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) own = mass[p];
    if (own == 0) return j;
  }
  return -1;
}

}  // namespace

std::string dependent_at_start(const std::string& why) {
  return "the constraints depend on each other at the start (" + why +
         "): joints repeat each other there, or a mechanism stands at a dead centre, where what drives it has no "
         "hold; begin a little beyond it, or remove a joint";
}

std::string start_failure(const System& system, const std::vector<double>& mass, const FactorReport& report,
                          const std::string& why) {
  if (report.reason == FactorReport::Reason::out_of_memory)
    return "there is not enough memory to factor the matrix of masses and constraints at the start (" + why +
           "); use fewer elements, another 'solver', or a machine with more";
  if (report.reason == FactorReport::Reason::not_finite)
    return "masses or constraints at the start are not finite (" + why + "); look for numbers of extreme size";
  if (const int j = massless(system, mass); j >= 0)
    return "the mass matrix is singular: nothing gives " + system.unknown_name(j) +
           " a mass; give it a density or a mass, or hold it";
  if (!system.rows.empty()) return dependent_at_start(why);
  return "the mass matrix is singular to rounding (" + why + "): masses differ too much; look for one that is tiny";
}

}  // namespace lithe
