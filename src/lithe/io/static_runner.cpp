#include <fmt/format.h>

#include <cmath>

#include "lithe/io/runner.h"

namespace lithe {

namespace {

class StaticRunner final : public Runner {
 public:
  explicit StaticRunner(const StaticAnalysis& options) : options_(options) {}

  RunReport run(StageRun& stage) const override {
    const StaticReport report = solve_static(
        stage.system, options_, stage.state, stage.work,
        [&](const State& reached, const StaticStep& step) {
          const RecordedStep recorded{step.step, step.iterations, step.residual, 0};
          if (step.output) stage.output(reached, recorded);
          return stage.observe(reached, recorded);
        },
        !stage.first);
    return run_report(report, stage.state);
  }

  void check(const System&, double begin, const std::string& title, CheckReport& report) const override {
    if (title.empty()) return;  // validate() has seen all of it
    report.text +=
        fmt::format("{}static: {}, from t = {:g} to {:g} s\n", title,
                    begin == 0 ? "to the full load" : "with constant loads in full", begin, begin + options_.duration);
  }

  double rows() const override {
    if (!options_.output_factors.empty()) return 2 + static_cast<double>(options_.output_factors.size());
    return 1 + std::ceil(1 / options_.largest_step);
  }

 private:
  const StaticAnalysis& options_;
};

}  // namespace

std::unique_ptr<Runner> runner_of(const StaticAnalysis& options) { return std::make_unique<StaticRunner>(options); }

}  // namespace lithe
