// lithe check FILE: everything that is looked at before a run, without the run.
#include "lithe/io/check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "lithe/io/load_model.h"

namespace lithe::app {

namespace {

struct CheckOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool quiet = false;
};

void check(const CheckOptions& options) {
  Reading reading;
  const Model model = load_model(options.file, options.overrides, reading);
  print_warnings(reading.warnings);
  const CheckReport report = check_model(model, options.file, reading.warnings);
  print_warnings(
      {report.warnings.begin() + static_cast<std::ptrdiff_t>(reading.warnings.size()), report.warnings.end()});
  if (!options.quiet) fmt::print("{}", report.text);
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
