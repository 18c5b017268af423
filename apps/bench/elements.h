// What `lithe bench elements` says about its rows: tables, the targets and where pre-integration breaks even.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "measure.h"

namespace lithe::app {

// Limits of the machine by number of threads.
struct Limits {
  std::map<int, double> fma_gflops, copy_gbs;
};

nlohmann::json to_json(const Row& row, const Limits& limits);
void print_rows(const std::vector<Row>& rows, const Limits& limits);

// Batched against the best of C, D and E on one thread, with what we aim at.
struct Target {
  ElementKind kind;
  std::string quantity;  // "force ratio", "tangent ratio", "tangent share of peak", "bytes against C"
  double by_mean = 0, by_minimum = 0, target = 0;
  bool met() const { return by_mean >= target && by_minimum >= target; }
};
std::vector<Target> judge(const std::vector<Row>& rows, const Limits& limits);
nlohmann::json to_json(const Target& target);
void print_targets(const std::vector<Target>& targets);

// Layers from which on a pre-integrated strategy (G or L) beats one that sums over points, by the minima.
struct BreakEven {
  std::string integrated, summed, quantity;  // quantity: "force", "tangent", "1 force + 1 tangent", ...
  double layers = 0;                         // interpolated; beyond the last measured count: extrapolated
  bool measured = true;                      // false: extrapolated
};
std::vector<BreakEven> break_even(const std::vector<Row>& rows);
nlohmann::json to_json(const BreakEven& point);
void print_layers(const std::vector<Row>& rows, const std::vector<BreakEven>& points);

}  // namespace lithe::app
