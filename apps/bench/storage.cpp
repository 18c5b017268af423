// lithe bench storage: P0's tables 4 to 9 for every strategy, published values beside ours, and what it costs to build
// each kernel.
//   table 4  bytes one more element takes: precomputed data and what the force keeps for the tangent; the mass matrix
//            by itself
//   table 5  elements in 16 GiB, mass matrix included
//   table 6  kFLOP of a force            table 7  kFLOP of a tangent
//   table 8  table 6 over bytes moved: data, e, v and f
//   table 9  table 7 over bytes moved: data, mass matrix, e, v and the tangent
// Bytes are those the kernels hold, flops what they count (P0 section 4.2). L's force reads one of its two matrices and
// its tangent the other, so half its data counts in tables 8 and 9: that is how P0's printed ratios come about.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "machine.h"
#include "mesh.h"

namespace lithe::app {

namespace {

constexpr ElementKind kinds[] = {ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843};
constexpr const char* titles[] = {"bytes per element",  "elements in 16 GiB",         "kFLOP of a force",
                                  "kFLOP of a tangent", "force: FLOP per byte moved", "tangent: FLOP per byte moved"};
constexpr int first_table = 4, tables = 6;

// P0, by table, strategy and element (beam, shell, hexa).
std::optional<double> published(int table, const std::string& strategy, int element) {
  using Line = std::array<double, 3>;
  static const std::map<std::pair<int, std::string>, Line> values{
      {{4, "mass"}, {288, 1088, 4224}},
      {{4, "C"}, {3000, 12544, 49664}},
      {{4, "D"}, {3000, 12544, 49664}},
      {{4, "E"}, {5880, 18688, 61952}},
      {{4, "G"}, {27648, 315392, 4472832}},
      {{4, "L"}, {66560, 1052672, 16793600}},
      {{5, "C"}, {5225021, 1260260, 318806}},
      {{5, "D"}, {5225021, 1260260, 318806}},
      {{5, "E"}, {2785322, 868723, 259608}},
      {{5, "G"}, {614972, 54284, 3837}},
      {{5, "L"}, {256999, 16303, 1022}},
      {{6, "C"}, {8.2, 34, 123}},
      {{6, "D"}, {8.2, 34, 123}},
      {{6, "E"}, {8.2, 34, 123}},
      {{6, "G"}, {20.7, 252, 3539}},
      {{6, "L"}, {8.9, 134, 2109}},
      {{7, "C"}, {112, 1014, 7664}},
      {{7, "D"}, {112, 1014, 7664}},
      {{7, "E"}, {106, 990, 7581}},
      {{7, "G"}, {47, 633, 9247}},
      {{7, "L"}, {74, 1181, 18878}},
      {{7, "finite_difference"}, {403, 3294, 23781}},
      {{8, "C"}, {2.28, 2.47, 2.37}},
      {{8, "D"}, {2.28, 2.47, 2.37}},
      {{8, "E"}, {1.26, 1.71, 1.91}},
      {{8, "G"}, {0.74, 0.80, 0.79}},
      {{8, "L"}, {0.26, 0.25, 0.25}},
      {{9, "C"}, {13.51, 30.87, 59.34}},
      {{9, "D"}, {13.51, 30.87, 59.34}},
      {{9, "E"}, {9.54, 25.41, 53.60}},
      {{9, "G"}, {1.42, 1.88, 2.03}},
      {{9, "L"}, {1.92, 2.16, 2.23}},
  };
  const auto found = values.find({table, strategy});
  if (found == values.end()) return {};
  return found->second[element];
}

struct Entry {
  int table;
  std::string strategy;
  int element;  // index into kinds
  double computed;
};

struct Setup {
  std::string strategy;
  int element, elements;
  double seconds;     // per element
  double shared = 0;  // bytes that the batch holds once
};

// All figures of one strategy on one mesh.
void account(const System& system, const std::string& strategy, int element, std::vector<Entry>& entries,
             std::vector<Setup>& setups) {
  // As many elements as the mesh has, unless that is much memory for a table.
  constexpr int few = 8;
  constexpr double much = 64e6;  // bytes
  const int all = system.batches[0].elements;
  const double guess = Driver(system, strategy, few, 1).bytes_per_element();
  const int elements = guess * all < much ? all : few;
  const Driver half(system, strategy, elements / 2, 1);
  double setup = 1e300;
  std::unique_ptr<Driver> driver;
  for (int trial = 0; trial < 3; ++trial) {
    driver = std::make_unique<Driver>(system, strategy, elements, 1);
    setup = std::min(setup, driver->setup_seconds());
  }
  setups.push_back({strategy, element, elements, setup / elements, 0});

  const BatchKernel& kernel = driver->kernel();
  const double mass = 8.0 * system.batches[0].mass.size() / all;
  // What one more element takes; the rest is held once per batch.
  const double bytes = 2 * driver->bytes_per_element() - half.bytes_per_element();
  setups.back().shared = (driver->bytes_per_element() - bytes) * elements;
  const double values[tables] = {bytes,
                                 std::floor((16.0 * (1ul << 30)) / (bytes + mass)),
                                 1e-3 * kernel.force_flops(),
                                 1e-3 * kernel.tangent_flops(),
                                 kernel.force_flops() / touched_force_bytes(strategy, kernel, bytes),
                                 kernel.tangent_flops() / (touched_tangent_bytes(strategy, kernel, bytes) + mass)};
  for (int t = 0; t < tables; ++t) entries.push_back({first_table + t, strategy, element, values[t]});
}

std::string number(int table, double x) {
  if (table <= 5) return fmt::format("{:.0f}", x);
  return fmt::format("{:.{}f}", x, x < 100 ? 2 : 1);
}

void print_table(int table, const std::vector<Entry>& entries, const std::vector<std::string>& lines) {
  fmt::print("\nTable {}: {}\n  {:<18}", table, titles[table - first_table], "");
  for (ElementKind kind : kinds) fmt::print("  {:^30}", element_info(kind).name);
  fmt::print("\n  {:<18}", "strategy");
  for (int k = 0; k < 3; ++k) fmt::print("  {:>11}{:>11}{:>8}", "computed", "P0", "off by");
  fmt::print("\n");
  for (const std::string& line : lines) {
    bool any = false;
    std::string text = fmt::format("  {:<18}", line);
    for (int k = 0; k < 3; ++k)
      for (const Entry& entry : entries) {
        if (entry.table != table || entry.strategy != line || entry.element != k) continue;
        any = true;
        const auto printed = published(table, line, k);
        text +=
            fmt::format("  {:>11}{:>11}{:>8}", number(table, entry.computed), printed ? number(table, *printed) : "-",
                        printed ? fmt::format("{:.1f}%", 100 * (entry.computed / *printed - 1)) : "");
      }
    if (any) fmt::print("{}\n", text);
  }
}

void print_setup(const std::vector<Setup>& setups, const std::vector<std::string>& lines) {
  fmt::print("\nSet-up: us per element to build the kernel (best of 3), and bytes held once per batch\n  {:<18}",
             "strategy");
  for (ElementKind kind : kinds) fmt::print("  {:>22}", element_info(kind).name);
  fmt::print("\n");
  for (const std::string& line : lines) {
    if (line == "mass") continue;
    fmt::print("  {:<18}", line);
    for (const Setup& setup : setups)
      if (setup.strategy == line) fmt::print("  {:>12.2f}{:>10.0f}", 1e6 * setup.seconds, setup.shared);
    fmt::print("\n");
  }
}

void bench_storage_command(const std::string& file) {
  check_figures(file);
  const Machine machine = describe_machine();
  print_machine(machine);
  std::vector<std::string> lines{"mass"};
  for (const std::string& strategy : bench_strategies({})) lines.push_back(strategy);
  std::vector<Entry> entries;
  std::vector<Setup> setups;
  for (int k = 0; k < 3; ++k) {
    const System system = straight_mesh(kinds[k], default_elements(kinds[k]));
    entries.push_back({4, "mass", k, 8.0 * system.batches[0].mass.size() / system.batches[0].elements});
    for (const std::string& strategy : bench_strategies({})) account(system, strategy, k, entries, setups);
  }
  for (int t = 0; t < tables; ++t) print_table(first_table + t, entries, lines);
  print_setup(setups, lines);

  nlohmann::json result{
      {"machine", to_json(machine)}, {"tables", nlohmann::json::array()}, {"setup", nlohmann::json::array()}};
  for (const Entry& entry : entries) {
    nlohmann::json item{{"table", entry.table},
                        {"quantity", titles[entry.table - first_table]},
                        {"element", element_info(kinds[entry.element]).name},
                        {"strategy", entry.strategy},
                        {"computed", entry.computed},
                        {"published", nullptr},
                        {"relative_error", nullptr}};
    if (const auto printed = published(entry.table, entry.strategy, entry.element)) {
      item["published"] = *printed;
      item["relative_error"] = entry.computed / *printed - 1;
    }
    result["tables"].push_back(item);
  }
  for (const Setup& setup : setups)
    result["setup"].push_back({{"element", element_info(kinds[setup.element]).name},
                               {"strategy", setup.strategy},
                               {"elements", setup.elements},
                               {"seconds_per_element", setup.seconds},
                               {"shared_bytes", setup.shared}});
  if (!file.empty()) write_json(file, result);
}

}  // namespace

void add_bench_storage(CLI::App& bench, int&) {
  auto file = std::make_shared<std::string>();
  CLI::App* command =
      bench.add_subcommand("storage", "bytes, counted flops and set-up of every strategy (P0 tables 4-9)");
  command->add_option("--json", *file, "write the figures to this file");
  command->callback([file] { bench_storage_command(*file); });
}

}  // namespace lithe::app
