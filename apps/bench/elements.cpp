// lithe bench elements: P0 sections 5.1 and 5.2 on this machine. Exit code 0 whatever the figures are.
#include "elements.h"

#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "lithe/base/error.h"
#include "lithe/base/memory.h"
#include "lithe/io/file_guard.h"
#include "machine.h"
#include "mesh.h"

namespace lithe::app {

namespace {

struct ElementsOptions {
  std::string elements, strategies, sizes, threads = "1", layers = "1,2,4,8,16,32";
  int iterations = 100;
  double seconds = 3, memory = 0;  // s, GiB
  std::string json, picture;
};

// Shells of the layer table: enough of them that G and L read main memory at any number of layers.
constexpr int layered_elements = 256;

void make_picture(const std::string& json, const std::string& picture) {
  const std::string command =
      fmt::format("/usr/bin/python3 '{}/bench/roofline.py' '{}' -o '{}'", LITHE_SOURCE_DIR, json, picture);
  std::fflush(stdout);
  if (std::system(command.c_str()) != 0) throw RunError("the picture could not be made; try: " + command);
  fmt::print("picture   {}\n", picture);
}

void bench_elements_command(const ElementsOptions& options) {
  const std::vector<ElementKind> kinds = bench_elements(split_list(options.elements));
  const std::vector<int> sizes = split_numbers("--sizes", options.sizes);
  const std::vector<int> layers = split_numbers("--layers", options.layers);
  MeasureOptions measure;
  measure.strategies = bench_strategies(split_list(options.strategies));
  measure.threads = split_numbers("--threads", options.threads);
  measure.iterations = options.iterations;
  measure.seconds = options.seconds;
  // Never so much that the machine swaps.
  measure.memory = options.memory > 0 ? std::size_t(options.memory * (1ul << 30)) : available_memory().bytes / 10 * 7;
  require(!measure.threads.empty() && *std::ranges::max_element(measure.threads) <= 1024,
          "--threads: give at least one number, none above 1024");
  require(options.iterations > 0, "--iterations: must be positive");
  check_figures(options.json.empty() && !options.picture.empty() ? options.picture + ".json" : options.json);
  if (!options.picture.empty())
    check_place({options.picture, FileKind::picture, "--picture " + options.picture}, false, "");

  const Machine machine = describe_machine();
  print_machine(machine);
  Limits limits;
  const auto measure_peak = [&] {
    for (int threads : measure.threads)
      limits.fma_gflops[threads] = std::max(limits.fma_gflops[threads], fma_peak(threads));
    limits.fma_gflops[1] = std::max(limits.fma_gflops[1], fma_peak(1));
  };
  measure_peak();
  for (int threads : measure.threads) limits.copy_gbs[threads] = copy_bandwidth(threads);
  if (!limits.copy_gbs.count(1)) limits.copy_gbs[1] = copy_bandwidth(1);

  std::vector<Row> rows, layered;
  for (ElementKind kind : kinds) {
    for (int elements : sizes.empty() ? std::vector<int>{default_elements(kind)} : sizes)
      for (Row& row : measure_mesh(kind, elements, 1, measure)) rows.push_back(std::move(row));
    measure_peak();  // the best over the whole run: a disturbed peak would flatter the shares
  }
  if (std::ranges::find(kinds, ElementKind::shell3443) != kinds.end() && layers.size() > 1) {
    MeasureOptions part = measure;
    part.seconds = measure.seconds / 3;
    part.threads = {1};
    std::erase(part.strategies, "finite_difference");
    for (int count : layers)
      for (Row& row : measure_mesh(ElementKind::shell3443, layered_elements, count, part))
        layered.push_back(std::move(row));
  }

  for (const auto& [threads, gflops] : limits.fma_gflops)
    fmt::print("limits    {} thread{}: {:.1f} GFLOP/s of FMA, {:.1f} GB/s of copy\n", threads, threads == 1 ? "" : "s",
               gflops, limits.copy_gbs[threads]);
  const auto place = [](ElementKind kind) {
    return std::ranges::find(element_registry(), kind) - element_registry().begin();
  };
  std::ranges::stable_sort(rows, {}, [&](const Row& row) { return std::pair(place(row.kind), row.threads); });
  print_rows(rows, limits);
  const std::vector<BreakEven> points = break_even(layered);
  print_layers(layered, points);
  const std::vector<Target> targets = judge(rows, limits);
  print_targets(targets);

  nlohmann::json result;
  result["machine"] = to_json(machine);
  result["machine"]["fma_peak_gflops"] = limits.fma_gflops[1];
  result["machine"]["copy_gbs"] = limits.copy_gbs[1];
  for (const auto& [threads, gflops] : limits.fma_gflops)
    result["machine"]["by_threads"].push_back(
        {{"threads", threads}, {"fma_peak_gflops", gflops}, {"copy_gbs", limits.copy_gbs[threads]}});
  result["statistics"] =
      "force_us and tangent_us are means over the iterations, per element, by the CPU clock of the thread (one thread) "
      "or "
      "the wall clock (several); *_gflops and *_share_* use the minima";
  result["rows"] = nlohmann::json::array();
  for (const Row& row : rows) result["rows"].push_back(to_json(row, limits));
  result["layered_shells"] = nlohmann::json::array();
  for (const Row& row : layered) result["layered_shells"].push_back(to_json(row, limits));
  result["break_even"] = nlohmann::json::array();
  for (const BreakEven& point : points) result["break_even"].push_back(to_json(point));
  result["targets"] = nlohmann::json::array();
  for (const Target& target : targets) result["targets"].push_back(to_json(target));

  std::string json = options.json;
  if (json.empty() && !options.picture.empty()) json = options.picture + ".json";
  if (!json.empty()) write_json(json, result);
  if (!options.picture.empty()) make_picture(json, options.picture);
}

}  // namespace

void add_bench_elements(CLI::App& bench, int&) {
  auto options = std::make_shared<ElementsOptions>();
  CLI::App* command =
      bench.add_subcommand("elements", "time force and tangent of every strategy (P0 sections 5.1, 5.2)");
  command->add_option("--element", options->elements, "beam3243,shell3443,hexa3843,hex8,tet4,tet10; all by default");
  command->add_option("--strategy", options->strategies,
                      "names as in `lithe list strategies`, batched_exact, and section for the default formulation");
  command->add_option("--sizes", options->sizes,
                      "elements in the mesh, as 8,64,512 or 8,...,8192 (doubling); default 1024, 1024 and 512");
  command->add_option("--threads", options->threads, "numbers of threads")->capture_default_str();
  command->add_option("--layers", options->layers, "layers of the shells in the table of layers; 1: no such table")
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "random states, at most")->capture_default_str();
  command->add_option("--seconds", options->seconds, "time per strategy and mesh")->capture_default_str();
  command->add_option("--memory", options->memory, "GiB for the kernels of a mesh; default 70 % of what is free");
  command->add_option("--json", options->json, "write the figures to this file");
  command->add_option("--picture", options->picture, "write the roofline picture to this file");
  command->callback([options] { bench_elements_command(*options); });
}

}  // namespace lithe::app
