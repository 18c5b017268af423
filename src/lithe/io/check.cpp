#include "lithe/io/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/base/memory.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/runner.h"

namespace lithe {

namespace {

// What became of the constraints, where there are any.
std::string constraints_text(const System& system) {
  if (system.owners.empty()) return "";
  int held = 0, aliases = 0;
  for (int v = 0; v < system.vectors(); ++v) {
    const VectorUnknowns& unknowns = system.map.unknowns[v];
    if (unknowns.slave < 0) held += 3 - unknowns.count;
    if (unknowns.slave < 0 && system.map.representative[v] != v) ++aliases;
  }
  int redundant = 0;
  for (const ConstraintOwner& owner : system.owners) redundant += owner.redundant;
  return fmt::format(
      "constraints: {} held coordinates, {} vectors equal to others, {} vectors given by others, {} rows {}; {} "
      "redundant equations dropped\n",
      held, aliases, system.map.slaves.count(), system.row_count(),
      system.model.treatment == Treatment::augmented ? "with penalties" : "with multipliers", redundant);
}

}  // namespace

CheckReport check_model(const Model& model, const std::string& name, std::vector<std::string> warnings) {
  CheckReport report;
  report.warnings = std::move(warnings);
  check_memory(model, "lithe run --force");
  const System system = compile(model);
  require_solver(system);
  check_memory(system, model.name + ".h5", "lithe run --force");
  report.warnings.insert(report.warnings.end(), system.warnings.begin(), system.warnings.end());
  report.bodies = static_cast<int>(system.bodies.size());
  for (const Batch& batch : system.batches) report.elements += batch.elements;
  report.unknowns = system.map.size;
  report.multipliers = system.has_multipliers() ? system.row_count() : 0;
  report.nonzeros = system.pattern.nonzeros();
  const auto count = [](auto n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  report.text = fmt::format("{}: can be run{}; {}, {}, {} unknowns, {} nonzeros\n", name,
                            report.warnings.empty() ? "" : ", see the warnings", count(report.bodies, "body", "bodies"),
                            count(report.elements, "element", "elements"), report.unknowns, report.nonzeros);
  report.text += constraints_text(system);
  const Stages& stages = system.model.analysis;
  for (std::size_t i = 0; i < stages.size(); ++i)
    make_runner(stages[i])->check(system, begin_of(stages, i),
                                  stages.size() > 1 ? "stage '" + stage_name(stages, i) + "': " : "", report);
  const MemoryPlan plan = plan_memory(system, false);
  report.text += fmt::format("memory: about {} more to run ({}), {} available; result file about {}\n",
                             memory_text(plan.to_come()), plan.text(),
                             memory_text(static_cast<double>(available_memory().bytes)), memory_text(plan.disk));
  return report;
}

}  // namespace lithe
