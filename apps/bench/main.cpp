// lithe-bench, or `lithe bench ...`: measurements. Each lives in a file of its own and has one line in the list below.
#include <CLI/CLI.hpp>

#include "../lithe/program.h"
#include "commands.h"

int main(int argc, char** argv) {
  using namespace lithe;
  app::prepare_process();
  int exit_code = app::done;
  CLI::App program{"measure speed and storage on this machine", "lithe bench"};
  program.require_subcommand(1);
  app::add_bench_elements(program, exit_code);
  app::add_bench_storage(program, exit_code);
  app::add_bench_memory(program, exit_code);
  app::add_bench_linalg(program, exit_code);
  app::add_bench_reduced(program, exit_code);
  app::add_bench_contact(program, exit_code);
  return app::run_program(program, "lithe bench", argc, argv, exit_code);
}
