// The three sparse operations of P4, table 2, on the N-four-bar mechanism with 40 loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "four_bar.h"
#include "linalg.h"
#include "linalg_twins.h"
#include "machine.h"

namespace lithe::app {

namespace {

constexpr int loops = 40;

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

}  // namespace

nlohmann::json bench_table_2(LinalgBench& bench) {
  const double seconds = bench.quick() ? 1e-3 : 0.3;  // per implementation and operation
  const int n = 2 * loops + 2;
  std::vector<Contender> contenders;
  for (const std::string& name : sparse_operations()) contenders.push_back({name, make_sparse_operations(name, loops)});
  const std::vector<double> a(2 * loops + 1, four_bar_penalty), q = four_bar_position(loops);
  const double t2 = 0.25 * four_bar_step * four_bar_step;  // P4 eq. 5
  for (int operation = 2; operation >= 0; --operation) {
    double spent = 0;
    for (int round = 0; round < 3 || spent < seconds * double(contenders.size()); ++round)
      for (Contender& c : contenders) {
        const double start = clock_seconds(1);
        const double least = timed([&] {
          if (operation == 0) c.operations->normal_product(a);
          else if (operation == 1) c.operations->sum(1, t2);
          else c.operations->jacobian(q);
        });
        c.least[operation] = std::min(c.least[operation], 1e6 * least);
        spent += clock_seconds(1) - start;
      }
    // The next measurement, of the sum, needs a product.
    for (Contender& c : contenders) c.operations->normal_product(a);
  }

  fmt::print("{} loops, {} variables, {} constraints; us per call, best of all rounds\n", loops, n, n - 1);
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
  return {{"loops", loops}, {"operations", rows}};
}

}  // namespace lithe::app
