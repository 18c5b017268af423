// lithe check FILE: everything that is looked at before a run, without the run.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.h"
#include "lithe/base/memory.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/io/load_model.h"
#include "lithe/io/memory_plan.h"

namespace lithe::app {

namespace {

struct CheckOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool quiet = false;
};

// What became of the constraints, where there are any.
void print_constraints(const System& system) {
  if (system.owners.empty()) return;
  int held = 0, aliases = 0;
  for (int v = 0; v < system.vectors(); ++v) {
    const VectorUnknowns& unknowns = system.unknowns[v];
    if (unknowns.slave < 0) held += 3 - unknowns.count;
    if (unknowns.slave < 0 && system.representative[v] != v) ++aliases;
  }
  int redundant = 0;
  for (const ConstraintOwner& owner : system.owners) redundant += owner.redundant;
  fmt::print(
      "constraints: {} held coordinates, {} vectors equal to others, {} vectors given by others, {} rows {}; {} "
      "redundant equations dropped\n",
      held, aliases, system.slaves.size(), system.row_count(),
      system.model.treatment == Treatment::augmented ? "with penalties" : "with multipliers", redundant);
}

void check(const CheckOptions& options) {
  Reading reading;
  const Model model = load_model(options.file, options.overrides, reading);
  print_warnings(reading.warnings);
  check_memory(model, "lithe run --force");
  const System system = compile(model);
  print_warnings(system.warnings);
  check_memory(system, false, "lithe run --force");
  if (options.quiet) return;
  const MemoryPlan plan = plan_memory(system, false);
  long long elements = 0;
  for (const Batch& batch : system.batches) elements += batch.elements;
  const std::size_t doubts = reading.warnings.size() + system.warnings.size();
  fmt::print("{}: can be run{}; {} {}, {} {}, {} unknowns, {} nonzeros\n", options.file,
             doubts ? ", see the warnings" : "", system.bodies.size(), system.bodies.size() == 1 ? "body" : "bodies",
             elements, elements == 1 ? "element" : "elements", system.size, system.pattern.nonzeros());
  print_constraints(system);
  if (const auto* dynamic = std::get_if<DynamicAnalysis>(&system.model.analysis)) {
    Workspace work(system, 1);
    fmt::print("dynamic: {} steps of {:g} s{}; solver {}\n", std::ceil(dynamic->duration / dynamic->step - 1e-9),
               dynamic->step, dynamic->control == StepControl::error ? " at first, then by the estimated error" : "",
               make_stepper(system, *dynamic, work)->solver_text());
  }
  fmt::print("memory: about {} more to run ({}), {} available; result file about {}\n", memory_text(plan.to_come()),
             plan.text(), memory_text(static_cast<double>(available_memory().bytes)), memory_text(plan.disk));
}

}  // namespace

void add_check_command(CLI::App& app, int&) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "check a model without running it");
  command->add_option("FILE", options->file, "model (YAML)")->required();
  command->add_option("--set", options->overrides, "change a value: bodies.beam.mesh.elements=40 (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_flag("-q,--quiet", options->quiet, "print nothing but warnings and errors");
  command->callback([options] { check(*options); });
}

}  // namespace lithe::app
