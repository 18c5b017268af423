// lithe: run, check and inspect models from the command line. Exit codes: 0 done, 1 the run failed (the reason is
// printed, results up to there are kept), 2 bad input or wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "options.h"

namespace lithe::app {

void print_warnings(const std::vector<std::string>& warnings, const std::vector<std::string>& before) {
  std::vector<std::string> told = before;
  for (const std::string& warning : warnings) {
    if (std::find(told.begin(), told.end(), warning) != told.end()) continue;
    fmt::print(stderr, "warning: {}\n", warning);
    told.push_back(warning);
  }
}

}  // namespace lithe::app

int main(int argc, char** argv) {
  lithe::app::prepare_process();
  const int exit_code = lithe::app::read_and_run(argc, argv);
  lithe::app::end_process(exit_code);
  return exit_code;
}
