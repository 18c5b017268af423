// lithe bench reduced: half steps of P2's rotating bar by four formulations, of many reduced bodies on one and more
// threads, and a proper orthogonal decomposition. Runs take turns; the least time of a step counts.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "commands.h"
#include "lithe/base/error.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/io/load_model.h"
#include "lithe/io/make_base.h"
#include "lithe/io/yaml.h"
#include "lithe/reduction/base_file.h"
#include "machine.h"

namespace lithe::app {

namespace {

constexpr int bar_modes = 11, array_modes = 64;
// P2's pipe: unknowns, snapshots with the rigid motions, modes.
constexpr int pod_rows = 19980, pod_columns = 106, pod_modes = 18;

Model model_of(const std::string& text) {
  Reading reading;
  return read_model(parse_yaml(text, "bench"), reading);
}

std::string body(const std::string& kinematics, const std::string& base, double y, const std::string& shape) {
  return fmt::format("{{element: hex8, material: m, kinematics: {}, {} mesh: {{type: block, corner: [0, {}, 0], {}}}}}",
                     kinematics, base.empty() ? "" : "base: " + base + ",", y, shape);
}

std::string text_of(const std::vector<std::string>& bodies, double h) {
  std::string text = "materials: {m: {E: 2e6, nu: 0.26, density: 7800}}\nbodies:\n", spins;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    text += fmt::format("  b{}: {}\n", k, bodies[k]);
    spins += fmt::format("  s{0}: {{on: b{0}, angular_velocity: [1, 0, 0], center: [0.05, 0, 0.5]}}\n", k);
  }
  return text + "initial_velocities:\n" + spins +
         fmt::format("analysis: {{type: dynamic, duration: 1, step: {}, integrator: half_step}}\n", h);
}

const std::string bar = "length: [0.1, 0, 0], width: [0, 0.1, 0], height: [0, 0, 1], elements: [2, 2, 20]";
const std::string brick = "length: [0.1, 0, 0], width: [0, 0.1, 0], height: [0, 0, 0.7], elements: [2, 2, 15]";
constexpr double bar_step = 1.0 / 256;

// A file that is gone with the object: the lowest modes of body b0.
class LowestModes {
 public:
  LowestModes(const std::string& shape, int count, bool modal)
      : path_(std::filesystem::temp_directory_path() / fmt::format("lithe_bench_{}_{}_{}.h5", getpid(), count, modal)) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    Base base =
        modal_base(model_of(text_of({body("TL", "", 0, shape)}, bar_step)), "b0", numbers, "lithe bench reduced");
    if (!modal) orthonormalise(base.vectors, static_cast<int>(base.mesh.size()));
    write_base(path_.string(), base);
  }
  ~LowestModes() { std::filesystem::remove(path_); }
  LowestModes(const LowestModes&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// A model on its way.
class Run {
 public:
  Run(std::string run_name, const std::string& text, int team)
      : name(std::move(run_name)), threads(team), system_(compile(model_of(text))), work_(system_, team) {
    const auto& options = std::get<DynamicAnalysis>(system_.model.analysis[0]);
    h_ = options.step;
    stepper_ = make_stepper(system_, options, work_);
    state_ = system_.initial_state();
    state_.v = system_.v0;
    stepper_->start(state_);
    make(3);
  }
  // Steps for about so long.
  void go(double seconds) {
    const int steps = std::max(1, static_cast<int>(1e3 * seconds / std::max(least, 1e-3)));
    const double begin = clock_seconds(threads);
    make(steps);
    least = std::min(least, 1e3 * (clock_seconds(threads) - begin) / steps);
  }

  const std::string name;
  const int threads;
  double least = 10;  // ms a step; before the first one a guess

 private:
  void make(int steps) {
    for (int k = 0; k < steps; ++k) {
      const StepReport report = stepper_->step(h_, state_);
      if (!report.ok()) throw RunError(name + ": " + report.text());
    }
  }

  const System system_;
  Workspace work_;
  State state_;
  std::unique_ptr<Stepper> stepper_;
  double h_ = 0;
};

using Runs = std::vector<std::unique_ptr<Run>>;

void take_turns(const Runs& runs, int rounds, double seconds) {
  for (int round = 0; round < rounds; ++round)
    for (const auto& run : runs) run->go(seconds);
}

Runs bars() {
  const LowestModes modal(bar, bar_modes, true), orthonormal(bar, bar_modes, false);
  Runs runs;
  for (const auto& [name, base] : {std::pair<std::string, std::string>{"TL", ""},
                                   {"BC", ""},
                                   {"BC-RO", orthonormal.path()},
                                   {"BC-MODAL", modal.path()}})
    runs.push_back(std::make_unique<Run>(name, text_of({body(name, base, 0, bar)}, bar_step), 1));
  return runs;
}

Runs arrays(const std::vector<int>& threads) {
  const LowestModes base(brick, array_modes, false);
  Runs runs;
  for (const int count : {16, 32, 64, 128})
    for (const int team : threads) {
      std::vector<std::string> bodies;
      for (int k = 0; k < count; ++k) bodies.push_back(body("BC-RO", base.path(), 0.2 * k, brick));
      runs.push_back(std::make_unique<Run>(std::to_string(count), text_of(bodies, 1e-3), team));
    }
  return runs;
}

double pod_seconds() {
  std::mt19937 random(1);
  std::vector<double> columns(static_cast<std::size_t>(pod_rows) * pod_columns);
  for (double& x : columns) x = random() / 4294967296.0 - 0.5;
  constexpr int by_the_wall = 2;  // LAPACK may have threads of its own
  const double begin = clock_seconds(by_the_wall);
  const SingularVectors found = singular_vectors(std::move(columns), pod_rows, pod_modes);
  LITHE_INVARIANT(found.values.size() == pod_columns);
  return clock_seconds(by_the_wall) - begin;
}

struct ReducedOptions {
  std::string threads = "1,2", json;
  double seconds = 0.1;
  int rounds = 10;
};

void bench_reduced(const ReducedOptions& options) {
  const std::vector<int> threads = split_numbers("--threads", options.threads);
  check_figures(options.json);
  const Machine machine = describe_machine();
  print_machine(machine);
  nlohmann::json json{
      {"machine", to_json(machine)}, {"bar", nlohmann::json::array()}, {"array", nlohmann::json::array()}};

  const Runs bar_runs = bars();
  take_turns(bar_runs, options.rounds, options.seconds);
  fmt::print("\nrotating bar, 567 unknowns, h = 1/256 s, bases of {} modes\n{:>12} {:>10} {:>10}\n", bar_modes, "",
             "ms a step", "of TL");
  for (const auto& run : bar_runs) {
    fmt::print("{:>12} {:10.4f} {:9.1f}x\n", run->name, run->least, bar_runs[0]->least / run->least);
    json["bar"].push_back({{"formulation", run->name}, {"ms", run->least}});
  }

  const Runs array_runs = arrays(threads);
  take_turns(array_runs, options.rounds, options.seconds);
  fmt::print("\nBC-RO, 432 unknowns and {} modes a body\n{:>12} {:>10} {:>10} {:>14} {:>10}\n", array_modes, "bodies",
             "threads", "ms a step", "us a body", "gain");
  double alone = 0;
  for (const auto& run : array_runs) {
    if (run->threads == threads[0]) alone = run->least;
    const int bodies = std::stoi(run->name);
    fmt::print("{:>12} {:10} {:14.4f} {:10.2f} {:9.2f}x\n", bodies, run->threads, run->least, 1e3 * run->least / bodies,
               alone / run->least);
    json["array"].push_back({{"bodies", bodies}, {"threads", run->threads}, {"ms", run->least}});
  }

  json["pod_seconds"] = pod_seconds();
  fmt::print("\nPOD of {} vectors of {} numbers: {:.2f} s\n", pod_columns, pod_rows, json["pod_seconds"].get<double>());
  if (!options.json.empty()) write_json(options.json, json);
}

}  // namespace

void add_bench_reduced(CLI::App& bench, int&) {
  const auto options = std::make_shared<ReducedOptions>();
  CLI::App* command = bench.add_subcommand("reduced", "half steps of co-rotated and reduced bodies, and a POD");
  command->add_option("--threads", options->threads, "of the arrays of bodies, the first to compare with")
      ->capture_default_str();
  command->add_option("--rounds", options->rounds, "turns of each run")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "of each turn")
      ->check(CLI::Range(1e-4, 60.0))
      ->capture_default_str();
  command->add_option("--json", options->json, "figures as JSON");
  command->callback([options] { bench_reduced(*options); });
}

}  // namespace lithe::app
