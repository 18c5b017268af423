// lithe bench sparse: the three sparse operations of P4, table 2, on the N-four-bar mechanism.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench_commands.h"
#include "bench_linalg_twins.h"
#include "bench_machine.h"

namespace lithe::app {

namespace {

struct SparseOptions {
  int loops = 40;
  double seconds = 1;  // per implementation and operation
  std::string json;
};

struct Contender {
  std::string name;
  std::unique_ptr<SparseOperations> operations;
  double least[3] = {1e300, 1e300, 1e300};  // us
};

constexpr const char* titles[3] = {"1) J^T diag(a) J", "2) t1 M + t2 N", "3) J(q)"};

// Seconds per call, over enough calls to outlast the clock's grain.
double timed(const std::function<void()>& call) {
  for (int repeats = 1;; repeats *= 4) {
    const double start = clock_seconds(1);
    for (int r = 0; r < repeats; ++r) call();
    const double seconds = clock_seconds(1) - start;
    if (seconds > 1e-3) return seconds / repeats;
  }
}

void bench_sparse(const SparseOptions& options) {
  const int n = 2 * options.loops + 2;
  std::vector<Contender> contenders;
  for (const std::string& name : sparse_operations())
    contenders.push_back({name, make_sparse_operations(name, options.loops)});
  const std::vector<double> a(2 * options.loops + 1, 1e8), q = four_bar_position(options.loops);
  const double t2 = 0.25 * 1.25e-3 * 1.25e-3;  // P4 eq. 5
  for (int operation = 2; operation >= 0; --operation) {
    double spent = 0;
    for (int round = 0; round < 3 || spent < options.seconds * double(contenders.size()); ++round)
      for (Contender& c : contenders) {
        const double start = clock_seconds(1);
        const double seconds = timed([&] {
          if (operation == 0) c.operations->normal_product(a);
          else if (operation == 1) c.operations->sum(1, t2);
          else c.operations->jacobian(q);
        });
        c.least[operation] = std::min(c.least[operation], 1e6 * seconds);
        spent += clock_seconds(1) - start;
      }
    // The next measurement, of the sum, needs a product.
    for (Contender& c : contenders) c.operations->normal_product(a);
  }

  const Machine machine = describe_machine();
  print_machine(machine);
  fmt::print("\n{} loops, {} variables, {} constraints; us per call, best of all rounds\n", options.loops, n, n - 1);
  fmt::print("{:<20}", "");
  for (const Contender& c : contenders) fmt::print("{:>14}", c.name);
  fmt::print("{:>16}{:>16}\n", "over ublas", "over eigen");
  nlohmann::json rows;
  const auto find = [&](const std::string& name) -> const Contender& {
    return *std::find_if(contenders.begin(), contenders.end(), [&](const Contender& c) { return c.name == name; });
  };
  for (int operation = 0; operation < 3; ++operation) {
    fmt::print("{:<20}", titles[operation]);
    nlohmann::json row{{"operation", titles[operation]}};
    for (const Contender& c : contenders) {
      fmt::print("{:>14.4f}", c.least[operation]);
      row["us"][c.name] = c.least[operation];
    }
    const double ours = find("lithe").least[operation];
    row["over_ublas"] = find("ublas").least[operation] / ours;
    row["over_eigen"] = find("eigen").least[operation] / ours;
    fmt::print("{:>16.1f}{:>16.1f}\n", double(row["over_ublas"]), double(row["over_eigen"]));
    rows.push_back(row);
  }
  fmt::print("P4, table 2 (40 loops): optimised over uBLAS 269, 74, 3\n");
  if (!options.json.empty())
    write_json(options.json, {{"machine", to_json(machine)}, {"loops", options.loops}, {"operations", rows}});
}

}  // namespace

void add_bench_sparse(CLI::App& bench, int&) {
  auto options = std::make_shared<SparseOptions>();
  CLI::App* command =
      bench.add_subcommand("sparse", "pre-analysed sparse operations against Eigen and uBLAS: P4's table 2");
  command->add_option("--loops", options->loops, "loops of the N-four-bar mechanism")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "time per implementation and operation")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--json", options->json, "write the figures to this file");
  command->callback([options] {
    if (!options->json.empty()) check_writable(options->json);
    bench_sparse(*options);
  });
}

}  // namespace lithe::app
