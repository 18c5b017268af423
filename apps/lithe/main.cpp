// lithe: run, check and inspect models from the command line. Exit codes: 0 done, 1 the run failed (the reason is
// printed, results up to there are kept), 2 bad input or wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "lithe/base/version.h"

namespace lithe::app {

void print_warnings(const std::vector<std::string>& warnings) {
  std::vector<std::string> told;
  for (const std::string& warning : warnings) {
    if (std::find(told.begin(), told.end(), warning) != told.end()) continue;
    fmt::print(stderr, "warning: {}\n", warning);
    told.push_back(warning);
  }
}

}  // namespace lithe::app

int main(int argc, char** argv) {
  using namespace lithe;
  app::prepare_process();
  int exit_code = app::done;
  CLI::App program{"lithe: flexible multibody dynamics", "lithe"};
  program.set_version_flag("--version", std::string("lithe ") + version());
  program.require_subcommand(1);
  program.footer(
      "Exit codes: 0 done; 1 the run failed or was stopped (results up to there are kept); 2 bad input.\n"
      "Start with: lithe run examples/cantilever.yaml");
  app::add_run_command(program, exit_code);
  app::add_check_command(program, exit_code);
  app::add_list_command(program, exit_code);
  app::add_info_command(program, exit_code);
  app::add_bench_command(program, exit_code);
  return app::run_program(program, "lithe", argc, argv, exit_code);
}
