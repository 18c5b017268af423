// lithe info OUT: what a result file holds.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "lithe/io/results.h"

namespace lithe::app {

void add_info_command(CLI::App& app, int&) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("info", "show what a result file holds");
  command->add_option("OUT", *file, "result (HDF5)")->required();
  command->callback([file] { fmt::print("{}", describe_results(*file)); });
}

}  // namespace lithe::app
