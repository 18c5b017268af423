// Section threads of `lithe bench linalg`: what Krylov methods are made of, on one thread and on several: products by
// rows, block Jacobi, sweeps over the factors of SPIKE. Bits of the results are the same whatever the number.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>

#include "linalg.h"
#include "lithe/base/error.h"
#include "lithe/base/team.h"
#include "lithe/linalg/krylov/preconditioner.h"
#include "machine.h"
#include "step_matrices.h"

namespace lithe::app {

namespace {

using Map = std::function<void(std::span<const double> x, std::span<double> y)>;

// One thing to time, with a team of each size.
struct Contender {
  int threads;
  std::unique_ptr<Team> team;
  std::unique_ptr<Preconditioner> preconditioner;
  Map map;
  std::vector<double> result;
  double seconds = 1e300;  // of one application, the least of all rounds
};

std::vector<int> team_sizes(bool quick) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<int> sizes{1, 2};
  for (int size = 4; !quick && size <= cores && size <= 16; size *= 2) sizes.push_back(size);
  return sizes;
}

// Wall times: other threads are waited for. All in turns, so that what else the machine does hits all alike.
void measure(std::vector<Contender>& all, std::span<const double> x, bool quick) {
  const int rounds = quick ? 2 : 15;
  const double enough = quick ? 1e-4 : 1e-2;
  for (Contender& one : all) {
    one.result.assign(x.size(), 0.0);
    one.map(x, one.result);
  }
  for (int round = 0; round < rounds; ++round)
    for (Contender& one : all) {
      const double start = clock_seconds(2);
      double now = start;
      int count = 0;
      for (; count == 0 || now - start < enough; ++count, now = clock_seconds(2)) one.map(x, one.result);
      one.seconds = std::min(one.seconds, (now - start) / count);
    }
}

class ThreadsReport {
 public:
  explicit ThreadsReport(bool quick) : quick_(quick), sizes_(team_sizes(quick)) {
    fmt::print("wall times in ms, the least of several rounds in turns; in brackets the gain over one thread\n");
    fmt::print("{:<18}{:>9}  {:<16}{:>9}", "", "unknowns", "", "MB read");
    for (const int size : sizes_) fmt::print("{:>11} thr.", size);
    fmt::print("\n");
  }
  void products(const StepMatrix& matrix) {
    RowMatrix rows(matrix.pattern);
    rows.gather(matrix.values);
    std::vector<Contender> all;
    for (const int size : sizes_) {
      Contender& one = all.emplace_back(size, std::make_unique<Team>(size));
      one.map = [&rows, team = one.team.get()](auto x, auto y) { rows.multiply(x, y, team); };
    }
    run(matrix, "products", 12 * static_cast<double>(rows.pattern.nonzeros()), all);
  }
  void preconditioner(const StepMatrix& matrix, KrylovMethod method, PreconditionerKind kind, double number_bytes) {
    RowMatrix rows(matrix.pattern);
    rows.gather(matrix.values);
    std::vector<Contender> all;
    double numbers = 0;
    for (const int size : sizes_) {
      Contender& one = all.emplace_back(size, std::make_unique<Team>(size));
      PreconditionerCase of{.method = method, .kind = matrix.kind, .multipliers = matrix.multipliers};
      of.options.preconditioner = kind;
      of.team = one.team.get();
      one.preconditioner = make_preconditioner(of, matrix.pattern, rows);
      const FactorReport made = one.preconditioner->make(rows, matrix.values);
      if (!made.ok()) throw RunError(std::string(word(kind)) + " of " + matrix.family + ": " + made.text());
      one.map = [map = one.preconditioner.get()](auto x, auto y) { map->apply(x, y, false); };
      numbers = one.preconditioner->nonzeros();
    }
    run(matrix, word(kind), number_bytes * numbers, all);
  }
  nlohmann::json rows() const { return rows_; }

 private:
  void run(const StepMatrix& matrix, const std::string& what, double bytes, std::vector<Contender>& all) {
    std::vector<double> x(matrix.pattern.size);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i % 17) / 17;
    measure(all, x, quick_);
    fmt::print("{:<18}{:>9}  {:<16}{:>9.1f}", matrix.family, matrix.pattern.size, what, 1e-6 * bytes);
    for (const Contender& one : all) {
      fmt::print("{:>9.3f} ({:.2f})", 1e3 * one.seconds, all[0].seconds / one.seconds);
      rows_.push_back({{"family", matrix.family},
                       {"unknowns", matrix.pattern.size},
                       {"what", what},
                       {"bytes", bytes},
                       {"threads", one.threads},
                       {"seconds", one.seconds},
                       {"gain", all[0].seconds / one.seconds},
                       {"same_bits", one.result == all[0].result}});
    }
    fmt::print("\n");
    std::fflush(stdout);
  }

  bool quick_;
  std::vector<int> sizes_;
  nlohmann::json rows_;
};

}  // namespace

nlohmann::json bench_threads(LinalgBench& bench) {
  const bool quick = bench.quick();
  ThreadsReport report(quick);
  const StepMatrix net = net_matrix(quick ? 8 : 80, false), joined = net_matrix(quick ? 12 : 40, true),
                   block = block_matrix(quick ? 6 : 24);
  for (const StepMatrix* matrix : {&net, &joined, &block}) report.products(*matrix);
  for (const StepMatrix* matrix : {&net, &block})
    report.preconditioner(*matrix, KrylovMethod::cg, PreconditionerKind::block_jacobi, sizeof(double));
  report.preconditioner(joined, KrylovMethod::bicgstab2, PreconditionerKind::spike, sizeof(float));
  return {{"rows", report.rows()}};
}

}  // namespace lithe::app
