// lithe bench ...: measurements. Each lives in its own bench_*.cpp and has one line in the list below.
#include "bench_commands.h"
#include "commands.h"

namespace lithe::app {

namespace {

using AddBench = void (*)(CLI::App& bench, int& exit_code);
constexpr std::initializer_list<AddBench> benches{add_bench_elements, add_bench_storage, add_bench_memory,
                                                  add_bench_linalg};

}  // namespace

void add_bench_commands(CLI::App& app, int& exit_code) {
  CLI::App* bench = app.add_subcommand("bench", "measure speed and storage on this machine");
  bench->require_subcommand(1);
  for (const AddBench add : benches) add(*bench, exit_code);
}

}  // namespace lithe::app
