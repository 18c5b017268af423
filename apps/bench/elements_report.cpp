#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "elements.h"

namespace lithe::app {

namespace {

const char* name_of(ElementKind kind) { return element_info(kind).name; }

const Row* find_row(const std::vector<Row>& rows, ElementKind kind, const std::string& strategy, int elements) {
  for (const Row& row : rows)
    if (row.kind == kind && row.strategy == strategy && row.threads == 1 && row.elements == elements) return &row;
  return nullptr;
}

// Least value over the rows that sum over points.
template <class Value>
std::optional<double> best_of_cde(const std::vector<Row>& rows, ElementKind kind, int elements, Value value) {
  std::optional<double> best;
  for (const char* strategy : {"C", "D", "E"})
    if (const Row* row = find_row(rows, kind, strategy, elements)) best = std::min(best.value_or(1e300), value(*row));
  return best;
}

}  // namespace

nlohmann::json to_json(const Row& row, const Limits& limits) {
  const double peak = limits.fma_gflops.at(row.threads), copy = limits.copy_gbs.at(row.threads);
  return {{"element", name_of(row.kind)},
          {"strategy", row.strategy},
          {"threads", row.threads},
          {"elements", row.elements},
          {"layers", row.layers},
          {"iterations", row.force.count},
          {"force_us", row.force.mean()},
          {"force_min_us", row.force.least},
          {"force_max_us", row.force.most},
          {"tangent_us", row.tangent.mean()},
          {"tangent_min_us", row.tangent.least},
          {"tangent_max_us", row.tangent.most},
          {"bytes_per_element", row.bytes_per_element},
          {"force_flops", row.force_flops},
          {"tangent_flops", row.tangent_flops},
          {"force_bytes", row.force_bytes},
          {"tangent_bytes", row.tangent_bytes},
          {"force_gflops", row.force_gflops()},
          {"tangent_gflops", row.tangent_gflops()},
          {"peak_share_force", row.force_gflops() / peak},
          {"peak_share_tangent", row.tangent_gflops() / peak},
          {"bandwidth_share_force", 1e-3 * row.force_bytes / row.force.least / copy},
          {"bandwidth_share_tangent", 1e-3 * row.tangent_bytes / row.tangent.least / copy},
          {"setup_us", row.setup_us}};
}

void print_rows(const std::vector<Row>& rows, const Limits& limits) {
  const Row* last = nullptr;
  for (const Row& row : rows) {
    if (!last || last->kind != row.kind || last->threads != row.threads || last->layers != row.layers) {
      fmt::print("\n{}, {} thread{}{}: us per element\n", name_of(row.kind), row.threads, row.threads == 1 ? "" : "s",
                 row.layers > 1 ? fmt::format(", {} layers", row.layers) : "");
      fmt::print("  {:<18}{:>6}  {:^26}  {:^29}  {:^22}  {:^22}  {:>10}\n", "", "", "force", "tangent", "force at best",
                 "tangent at best", "bytes");
      fmt::print("  {:<18}{:>6}  {:>8} {:>8} {:>8}  {:>9} {:>9} {:>9}  {:>8} {:>6} {:>6}  {:>8} {:>6} {:>6}  {:>10}\n",
                 "strategy", "mesh", "mean", "min", "max", "mean", "min", "max", "GFLOP/s", "peak", "copy", "GFLOP/s",
                 "peak", "copy", "an element");
    }
    last = &row;
    const double peak = limits.fma_gflops.at(row.threads), copy = limits.copy_gbs.at(row.threads);
    const auto share = [](double x) { return fmt::format("{:.0f}%", 100 * x); };
    fmt::print(
        "  {:<18}{:>6}  {:>8.3f} {:>8.3f} {:>8.3f}  {:>9.3f} {:>9.3f} {:>9.3f}  {:>8.2f} {:>6} {:>6}  {:>8.2f} {:>6} "
        "{:>6}  {:>10.0f}\n",
        row.strategy, row.elements, row.force.mean(), row.force.least, row.force.most, row.tangent.mean(),
        row.tangent.least, row.tangent.most, row.force_gflops(), share(row.force_gflops() / peak),
        share(1e-3 * row.force_bytes / row.force.least / copy), row.tangent_gflops(),
        share(row.tangent_gflops() / peak), share(1e-3 * row.tangent_bytes / row.tangent.least / copy),
        row.bytes_per_element);
  }
}

// The default formulation beside `batched`, of the published element: no slower by more than a fifth (beams have fewer
// points: faster), and no more bytes.
void judge_section(const Row& batched, const Row& section, std::vector<Target>& targets) {
  const double least = batched.kind == ElementKind::beam3243 ? 1.0 : 1 / 1.2;
  const auto faster = [&](const char* quantity, Times Row::*times) {
    targets.push_back({batched.kind, quantity, (batched.*times).mean() / (section.*times).mean(),
                       (batched.*times).least / (section.*times).least, least});
  };
  faster("force: batched over section", &Row::force);
  faster("tangent: batched over section", &Row::tangent);
  const double bytes = batched.bytes_per_element / section.bytes_per_element;
  targets.push_back({batched.kind, "bytes: batched over section", bytes, bytes, 1.0});
}

std::vector<Target> judge(const std::vector<Row>& rows, const Limits& limits) {
  std::vector<Target> targets;
  for (const ElementKind kind : element_registry()) {
    // P0's mesh if it was measured, else the largest.
    const int wanted = kind == ElementKind::hexa3843 ? 512 : 1024;
    int elements = 0;
    for (const Row& row : rows)
      if (row.kind == kind && row.strategy == "batched" && row.threads == 1 && elements != wanted)
        elements = row.elements == wanted ? wanted : std::max(elements, row.elements);
    const Row* batched = find_row(rows, kind, "batched", elements);
    if (!batched) continue;
    const bool beam = kind == ElementKind::beam3243;
    const auto ratio = [&](const std::string& quantity, double target, Times Row::*times) {
      const auto mean = best_of_cde(rows, kind, elements, [&](const Row& row) { return (row.*times).mean(); });
      const auto least = best_of_cde(rows, kind, elements, [&](const Row& row) { return (row.*times).least; });
      if (mean)
        targets.push_back({kind, quantity, *mean / (batched->*times).mean(), *least / (batched->*times).least, target});
    };
    const bool solid = !kind->every_strategy;
    const char* others = solid ? "C" : "best of C, D, E";
    ratio(fmt::format("force: {} over batched", others), beam || solid ? 2.0 : 3.0, &Row::force);
    ratio(fmt::format("tangent: {} over batched", others), beam ? 1.8 : 3.0, &Row::tangent);
    if (!beam && !solid) {
      const double peak = limits.fma_gflops.at(1);
      targets.push_back({kind, "tangent: batched's share of the FMA peak",
                         1e-3 * batched->tangent_flops / batched->tangent.mean() / peak,
                         batched->tangent_gflops() / peak, 0.55});
    }
    if (const Row* C = find_row(rows, kind, "C", elements)) {
      const double times = C->bytes_per_element / batched->bytes_per_element;
      targets.push_back({kind, "bytes: C over batched", times, times, 1.0});
    }
    if (const Row* section = find_row(rows, kind, "section", elements)) judge_section(*batched, *section, targets);
  }
  return targets;
}

nlohmann::json to_json(const Target& target) {
  return {{"element", name_of(target.kind)}, {"quantity", target.quantity}, {"by_mean", target.by_mean},
          {"by_minimum", target.by_minimum}, {"target", target.target},     {"met", target.met()}};
}

void print_targets(const std::vector<Target>& targets) {
  if (targets.empty()) return;
  fmt::print("\nbatched and section (symmetric tangents) on one thread; met: by mean and by minimum\n");
  fmt::print("  {:<12}{:<44}{:>9}{:>11}{:>9}\n", "element", "", "by mean", "by minimum", "target");
  for (const Target& t : targets)
    fmt::print("  {:<12}{:<44}{:>9.2f}{:>11.2f}{:>9.2f}  {}\n", name_of(t.kind), t.quantity, t.by_mean, t.by_minimum,
               t.target, t.met() ? "met" : "FALLS SHORT");
}

std::vector<BreakEven> break_even(const std::vector<Row>& rows) {
  struct Cost {
    const char* name;
    double forces, tangents;
  };
  // 1:1 is a full Newton method; 7.5:1 is what P0 saw in its simulation with one Jacobian a step.
  static constexpr Cost costs[] = {
      {"force", 1, 0}, {"tangent", 0, 1}, {"1 force + 1 tangent", 1, 1}, {"7.5 forces + 1 tangent", 7.5, 1}};
  std::map<std::string, std::map<int, const Row*>> by_layers;
  for (const Row& row : rows)
    if (row.threads == 1) by_layers[row.strategy][row.layers] = &row;
  std::vector<BreakEven> points;
  for (const char* integrated : {"G", "L"})
    for (const char* summed : {"C", "D", "E", "batched"})
      for (const Cost& cost : costs) {
        // Difference summed - integrated over the layers; its first change of sign.
        std::vector<std::pair<double, double>> difference;
        const auto time = [&](const Row& row) {
          return cost.forces * row.force.least + cost.tangents * row.tangent.least;
        };
        for (const auto& [layers, row] : by_layers[integrated])
          if (const auto other = by_layers[summed].find(layers); other != by_layers[summed].end())
            difference.emplace_back(layers, time(*other->second) - time(*row));
        if (difference.size() < 2) continue;
        BreakEven point{integrated, summed, cost.name, 0, true};
        if (difference.front().second >= 0) {
          point.layers = difference.front().first;
        } else {
          std::size_t k = 1;
          while (k + 1 < difference.size() && difference[k].second < 0) ++k;
          const auto [x0, y0] = difference[k - 1];
          const auto [x1, y1] = difference[k];
          point.measured = y1 >= 0;
          // Beyond the last count the slope over the whole range is steadier than that of the last piece.
          const double slope = point.measured ? (y1 - y0) / (x1 - x0)
                                              : (y1 - difference.front().second) / (x1 - difference.front().first);
          point.layers = slope > 0 ? x1 - y1 / slope : -1;  // -1: never
        }
        points.push_back(point);
      }
  return points;
}

nlohmann::json to_json(const BreakEven& point) {
  return {{"integrated", point.integrated},
          {"summed", point.summed},
          {"quantity", point.quantity},
          {"layers", point.layers < 0 ? nlohmann::json(nullptr) : nlohmann::json(point.layers)},
          {"extrapolated", !point.measured}};
}

void print_layers(const std::vector<Row>& rows, const std::vector<BreakEven>& points) {
  if (rows.empty()) return;
  std::set<int> layers;
  std::vector<std::string> strategies;
  for (const Row& row : rows) {
    layers.insert(row.layers);
    if (std::find(strategies.begin(), strategies.end(), row.strategy) == strategies.end())
      strategies.push_back(row.strategy);
  }
  for (const auto& [title, times] : {std::pair{"force", &Row::force}, std::pair{"tangent", &Row::tangent}}) {
    fmt::print("\nshell3443 of many layers, {} elements, 1 thread, {}: minimum us per element\n  {:<18}",
               rows.front().elements, title, "layers");
    for (int l : layers) fmt::print("{:>10}", l);
    fmt::print("\n");
    for (const std::string& strategy : strategies) {
      fmt::print("  {:<18}", strategy);
      for (int l : layers)
        for (const Row& row : rows)
          if (row.strategy == strategy && row.layers == l && row.threads == 1)
            fmt::print("{:>10.2f}", (row.*times).least);
      fmt::print("\n");
    }
  }
  if (points.empty()) return;
  fmt::print("\nlayers from which on G and L are the faster ones (~ extrapolated)\n");
  std::string heading;
  for (const BreakEven& p : points) {
    const std::string line = fmt::format("  {} against {:<8}", p.integrated, p.summed);
    if (line != heading) fmt::print("{}{}", heading.empty() ? "" : "\n", line);
    heading = line;
    fmt::print("   {}: {}{}", p.quantity, p.measured ? "" : "~",
               p.layers < 0 ? "never" : fmt::format("{:.1f}", p.layers));
  }
  fmt::print("\n");
}

}  // namespace lithe::app
