// lithe bench memory: how much memory a large model takes: compile a line of cables, evaluate force and tangent into
// the pattern, and hold the peak against a limit. Exit code 1 beyond it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "../lithe/program.h"
#include "commands.h"
#include "lithe/base/error.h"
#include "machine.h"
#include "mesh.h"

namespace lithe::app {

namespace {

struct MemoryOptions {
  int elements = 1'000'000, threads = 0;
  double limit = 4;  // GiB
  std::string json;
};

int bench_memory_command(const MemoryOptions& options) {
  require(options.elements > 0, "--elements: must be positive");
  check_figures(options.json);
  const Machine machine = describe_machine();
  print_machine(machine);
  nlohmann::json result{{"machine", to_json(machine)}, {"elements", options.elements}, {"limit_gib", options.limit}};
  auto start = std::chrono::steady_clock::now();
  const auto report = [&](const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start).count();
    const double gib = double(peak_memory()) / (1ul << 30);
    fmt::print("{:<10}{:>9.2f} s   peak {:.2f} GiB\n", stage, seconds, gib);
    std::fflush(stdout);
    result["stages"].push_back({{"stage", stage}, {"seconds", seconds}, {"peak_gib", gib}});
    start = now;
    return gib;
  };

  Model model;
  model.materials.add("steel", Isotropic{2.1e11, 0.3, 7810, 1e-3});
  model.sections.add("wire", Circle{0.005});
  Body body;
  body.element = ElementKind::cable;
  body.material = "steel";
  body.section = "wire";
  body.mesh = LineMesh{{0, 0, 0}, {0.1 * options.elements, 0, 0}, options.elements, {}};
  model.bodies.add("line", body);
  const System system = compile(model);
  report("compile");

  const State state = system.initial_state();
  Workspace work(system, options.threads);
  evaluate_internal(system, state, work);
  report("force");
  std::vector<double> values;
  evaluate_tangent(system, state, 1.0, 0.0, work, values);
  const double peak = report("tangent");

  const bool within = peak <= options.limit;
  fmt::print("{} cable elements, {} unknowns, {} nonzeros: peak {:.2f} GiB, {} {:g} GiB\n", options.elements,
             system.map.size, values.size(), peak, within ? "within" : "BEYOND", options.limit);
  result["unknowns"] = system.map.size;
  result["nonzeros"] = values.size();
  result["peak_gib"] = peak;
  result["within"] = within;
  if (!options.json.empty()) write_json(options.json, result);
  return within ? done : run_failed;
}

}  // namespace

void add_bench_memory(CLI::App& bench, int& exit_code) {
  auto options = std::make_shared<MemoryOptions>();
  CLI::App* command = bench.add_subcommand("memory", "compile and evaluate a large model; exit 1 beyond the limit");
  command->add_option("--elements", options->elements, "cables in a line")->capture_default_str();
  command->add_option("--threads", options->threads, "0: all cores")->capture_default_str();
  command->add_option("--limit", options->limit, "GiB")->capture_default_str();
  command->add_option("--json", options->json, "write the figures to this file");
  command->callback([options, &exit_code] { exit_code = bench_memory_command(*options); });
}

}  // namespace lithe::app
