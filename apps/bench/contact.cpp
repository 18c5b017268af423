// lithe bench contact: contact problems of scenes, each solved by each solver to 1e-4, 1e-6 and 1e-8 from the guess
// that the step had. Processor time of one thread, the least of some repetitions. Or, with --balls, the steps of balls
// that settle in a box: steps/s by the processor time of one thread, by the wall clock of several; phases by the wall
// clock.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "contact_scenes.h"
#include "lithe/base/error.h"
#include "lithe/contact/contact_solver.h"
#include "lithe/contact/fclib_file.h"
#include "lithe/dynamics/half_step_stepper.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"
#include "machine.h"

namespace lithe::app {

namespace {

struct ContactBenchOptions {
  bool quick = false, cold = false;
  int balls = 0, threads = 2, steps = 200;
  double seconds = 0.05;
  std::string json, save;
  std::vector<std::string> read;
};

struct Result {
  ContactReport report;
  double seconds = 0;
};

Result measure(const SavedProblem& saved, const std::string& solver, double tolerance,
               const ContactBenchOptions& options) {
  const std::unique_ptr<ContactSolver> own = make_contact_solver(solver);
  Result result;
  result.seconds = std::numeric_limits<double>::infinity();
  std::vector<double> R, U;
  double spent = 0;
  for (int k = 0; k < 1 || (spent < options.seconds && k < 1000); ++k) {
    R = options.cold ? std::vector<double>() : saved.guess;
    const double begin = clock_seconds(1);
    result.report = own->solve(saved.problem, {.tolerance = tolerance}, R, U);
    const double took = clock_seconds(1) - begin;
    result.seconds = std::min(result.seconds, took);
    spent += took;
  }
  return result;
}

const char* word_of(ContactReport::Reason reason) {
  constexpr const char* words[] = {"done", "not_converged", "stagnated", "not_finite", "singular"};
  return words[static_cast<int>(reason)];
}

// Over the set: `auto` against the solver that is best of all over it, and against the best for each problem.
nlohmann::json judge_auto(const nlohmann::json& rows) {
  std::map<std::string, double> seconds;
  std::map<std::string, int> solved;
  std::map<std::pair<std::string, double>, double> best;
  int cases = 0;
  for (const auto& row : rows) {
    const std::string solver = row["solver"];
    const bool done = row["reason"] == "done";
    seconds[solver] += row["seconds"].get<double>();
    solved[solver] += done ? 1 : 0;
    if (solver == "auto") {
      ++cases;
      continue;
    }
    const std::pair key{row["problem"].get<std::string>(), row["tolerance"].get<double>()};
    if (done && (!best.count(key) || row["seconds"] < best[key])) best[key] = row["seconds"];
  }
  double best_each = 0, auto_there = 0;
  for (const auto& [key, value] : best) best_each += value;
  for (const auto& row : rows)
    if (row["solver"] == "auto" && best.count({row["problem"], row["tolerance"]}))
      auto_there += row["seconds"].get<double>();
  std::vector<nlohmann::json> singles;
  for (const auto& [solver, took] : seconds)
    if (solver != "auto") singles.push_back({{"solver", solver}, {"seconds", took}, {"solved", solved[solver]}});
  std::ranges::sort(singles, {}, [](const nlohmann::json& one) {
    return std::pair(-one["solved"].get<int>(), one["seconds"].get<double>());
  });
  return {{"cases", cases},
          {"solved", solved["auto"]},
          {"seconds", seconds["auto"]},
          {"single", singles},
          {"best_each_seconds", best_each},
          {"ratio_to_best_each", best_each > 0 ? auto_there / best_each : 0.0},
          {"ratio_to_best_single", seconds["auto"] / singles[0]["seconds"].get<double>()}};
}

// Steps of h = 2 ms at a tolerance of 1e-4, in ten parts.
nlohmann::json settle(const ContactBenchOptions& options) {
  constexpr double h = 0.002, tolerance = 1e-4;
  Reading reading;
  const System system = compile(read_model(parse_yaml(settling_balls(options.balls, h, tolerance), "balls"), reading));
  Workspace work(system, options.threads);
  HalfStepStepper stepper(system, std::get<DynamicAnalysis>(system.model.analysis[0]), work);
  State state = system.initial_state();
  state.v = system.v0;
  stepper.start(state);
  nlohmann::json rows = nlohmann::json::array();
  fmt::print("\n{} balls, {} threads\n{:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", options.balls,
             options.threads, "t", "contacts", "iterations", "left", "steps/s", "detection", "contact", "others");
  constexpr int parts = 10;
  for (int part = 0; part < parts; ++part) {
    const Phases before = stepper.phases();
    const double begin = clock_seconds(options.threads), wall = clock_seconds(2);
    double iterations = 0, left = 0;
    StepReport report;
    const int steps = std::max(1, options.steps / parts);
    for (int k = 0; k < steps; ++k) {
      report = stepper.step(h, state);
      if (!report.ok()) throw RunError(fmt::format("at {:.4g} s: {}", state.t, report.text()));
      ++state.memory.steps;
      iterations += report.contact_iterations;
      left = std::max(left, report.contact_left);
    }
    const double took = (clock_seconds(options.threads) - begin) / steps, passed = (clock_seconds(2) - wall) / steps;
    const double detection = (stepper.phases().detection - before.detection) / steps,
                 contact = (stepper.phases().contact - before.contact) / steps;
    fmt::print("{:8.3f} {:10} {:10.1f} {:10.1e} {:10.2f} {:7.1f} ms {:7.1f} ms {:7.1f} ms\n", state.t, report.contacts,
               iterations / steps, left, 1 / took, 1e3 * detection, 1e3 * contact,
               1e3 * (passed - detection - contact));
    rows.push_back({{"t", state.t},
                    {"contacts", report.contacts},
                    {"iterations", iterations / steps},
                    {"left", left},
                    {"steps_per_s", 1 / took},
                    {"detection_s", detection},
                    {"contact_s", contact}});
  }
  return {
      {"balls", options.balls}, {"threads", options.threads}, {"step", h}, {"tolerance", tolerance}, {"rows", rows}};
}

void bench_contact(const ContactBenchOptions& options) {
  check_figures(options.json);
  const Machine machine = describe_machine();
  print_machine(machine);
  if (options.balls > 0) {
    const nlohmann::json settled = settle(options);
    if (!options.json.empty()) write_json(options.json, {{"machine", to_json(machine)}, {"settling", settled}});
    return;
  }
  std::vector<SavedProblem> problems;
  for (const std::string& file : options.read) {
    ContactFile one = read_fclib(file);
    problems.push_back({std::filesystem::path(file).stem().string(), std::move(one.problem), std::move(one.guess)});
  }
  if (problems.empty()) problems = problems_of_scenes(options.quick);
  if (!options.save.empty()) {
    std::filesystem::create_directories(options.save);
    for (const SavedProblem& saved : problems) {
      std::string name = saved.name;
      for (char& c : name)
        if (c == ' ' || c == ',' || c == ':' || c == '+') c = '_';
      ContactFile file{saved.problem, saved.guess, {}, {}, saved.name};
      std::vector<double> R = saved.guess, U;
      // A solution as near as it gets, where one is found to 1e-8 at least.
      for (double tolerance = 1e-8;
           make_contact_solver("auto")->solve(saved.problem, {.tolerance = tolerance}, R, U).ok(); tolerance *= 0.1) {
        file.solution_R = R;
        file.solution_U = U;
        if (tolerance < 1e-11) break;
      }
      write_fclib((std::filesystem::path(options.save) / (name + ".hdf5")).string(), file);
    }
  }

  std::vector<std::string> names;
  for (const ContactSolverInfo& info : contact_solvers()) names.push_back(info.name);
  nlohmann::json rows = nlohmann::json::array();
  for (const SavedProblem& saved : problems) {
    fmt::print("\n{}: {} contacts\n{:>10} {:>10} {:>12} {:>10} {:>12}  {}\n", saved.name, saved.problem.count(),
               "tolerance", "solver", "ms", "iterations", "residual", "");
    for (const double tolerance : {1e-4, 1e-6, 1e-8})
      for (const std::string& name : names) {
        const Result result = measure(saved, name, tolerance, options);
        fmt::print("{:10.0e} {:>10} {:12.4f} {:10} {:12.2e}  {}\n", tolerance, name, 1e3 * result.seconds,
                   result.report.iterations, result.report.residual,
                   result.report.ok() ? (name == "auto" ? result.report.solver : "") : result.report.text());
        rows.push_back({{"problem", saved.name},
                        {"contacts", saved.problem.count()},
                        {"solver", name},
                        {"tolerance", tolerance},
                        {"seconds", result.seconds},
                        {"iterations", result.report.iterations},
                        {"residual", result.report.residual},
                        {"reason", word_of(result.report.reason)}});
      }
  }
  const nlohmann::json judged = judge_auto(rows);
  fmt::print("\n{:>10} {:>10} {:>12}\n{:>10} {:>7}/{:<2} {:12.3f}\n", "solver", "solved", "s", "auto",
             judged["solved"].get<int>(), judged["cases"].get<int>(), judged["seconds"].get<double>());
  for (const auto& one : judged["single"])
    fmt::print("{:>10} {:>7}/{:<2} {:12.3f}\n", one["solver"].get<std::string>(), one["solved"].get<int>(),
               judged["cases"].get<int>(), one["seconds"].get<double>());
  fmt::print("auto takes {:.2f} times the best single solver, {:.2f} times the best for each problem\n",
             judged["ratio_to_best_single"].get<double>(), judged["ratio_to_best_each"].get<double>());
  if (!options.json.empty())
    write_json(options.json, {{"machine", to_json(machine)}, {"rows", rows}, {"auto", judged}});
}

}  // namespace

void add_bench_contact(CLI::App& bench, int&) {
  const auto options = std::make_shared<ContactBenchOptions>();
  CLI::App* command = bench.add_subcommand("contact", "contact problems of scenes by every contact solver");
  command->add_flag("--quick", options->quick, "small scenes");
  command->add_flag("--cold", options->cold, "from no impulses, not from those of the step before");
  command->add_option("--seconds", options->seconds, "of repetitions of each solve")
      ->check(CLI::Range(0.0, 60.0))
      ->capture_default_str();
  command->add_option("--read", options->read, "problems in FCLIB's form instead of the scenes");
  command->add_option("--save", options->save, "folder that gets the problems in FCLIB's form");
  command->add_option("--balls", options->balls, "instead: steps of so many balls that settle in a box")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--steps", options->steps, "of --balls")->check(CLI::Range(1, 1'000'000))->capture_default_str();
  command->add_option("--threads", options->threads, "of --balls")->check(CLI::Range(1, 1024))->capture_default_str();
  command->add_option("--json", options->json, "figures as JSON");
  command->callback([options] { bench_contact(*options); });
}

}  // namespace lithe::app
