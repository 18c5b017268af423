// lithe info OUT: what a result file holds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "lithe/io/results.h"

namespace lithe::app {

void add_info_command(CLI::App& app, int&) {
  auto file = std::make_shared<std::string>();
  auto repair = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("info", "show what a result file holds");
  command->add_option("OUT", *file, "result (HDF5)")->required();
  command->add_flag("--repair", *repair, "clear the mark of a killed run first, so that other programs open the file");
  command->callback([file, repair] {
    if (*repair) repair_results(*file);
    fmt::print("{}", describe_results(*file));
  });
}

}  // namespace lithe::app
