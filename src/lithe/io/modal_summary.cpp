#include "lithe/io/modal_summary.h"

#include <fmt/format.h>

#include <iterator>

#include "lithe/io/summary.h"

namespace lithe {

namespace {

using Json = nlohmann::ordered_json;

RunReport looked(const State& state, const std::string& type) {
  RunReport report;
  report.type = type;
  report.t = state.t;
  report.load_factor = state.load_factor;
  return report;
}

template <class Found>
void add_work(Found& found, RunReport& report) {
  report.solver = found.solver;
  report.factorisations = found.factorisations;
  report.steps = static_cast<long long>(found.modes.size());
  report.phases.tangent = found.seconds_matrices;
  report.phases.solve = found.seconds_total - found.seconds_matrices;
  report.phases.total = found.seconds_total;
  report.message = found.note;
  for (auto& mode : found.modes) mode.shape = {};
}

}  // namespace

RunReport run_report(Modes found, const State& state) {
  RunReport report = looked(state, "modes");
  add_work(found, report);
  for (const Mode& mode : found.modes) report.residual = std::max(report.residual, mode.residual);
  int giving_way = 0;
  // What rounding makes of rigid motions is not told as an instability.
  const double nothing = std::max(1e-6 * std::abs(found.modes.back().eigenvalue), found.rounding);
  for (const Mode& mode : found.modes)
    if (mode.eigenvalue < -nothing) ++giving_way;
  if (giving_way > 0) {
    report.stable = false;
    report.warnings.push_back(fmt::format(
        "{} mode{} of negative eigenvalue: the state is unstable and leaves along {}; frequencies below zero are rates",
        giving_way, giving_way == 1 ? " is" : "s are", giving_way == 1 ? "it" : "them"));
  }
  report.modes = std::move(found);
  return report;
}

RunReport run_report(Buckling found, const State& state) {
  RunReport report = looked(state, "buckling");
  add_work(found, report);
  for (const BucklingMode& mode : found.modes) report.residual = std::max(report.residual, mode.residual);
  report.buckling = std::move(found);
  return report;
}

std::string modes_text(const Modes& found) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (found.dense) fmt::format_to(out, "  proof    all modes of the model were computed\n");
  else
    fmt::format_to(out, "  proof    {} modes from {:.6g} to {:.6g} (rad/s)^2, counted by Sylvester's law{}\n",
                   found.counted, found.low, found.high,
                   found.missed > 0 ? fmt::format("; {} of them found in a second search", found.missed) : "");
  fmt::format_to(out, "  modes    {:>4} {:>14} {:>14}  effective mass in % of the total along x, y, z\n", "",
                 "frequency Hz", "omega^2");
  std::array<double, 3> sum{};
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const Mode& mode = found.modes[k];
    fmt::format_to(out, "           {:>4} {:>14.7g} {:>14.6g}", k + 1, mode.frequency, mode.eigenvalue);
    for (int r = 0; r < 3; ++r) {
      const double share = found.total_mass[r] > 0 ? 100 * mode.effective_mass[r] / found.total_mass[r] : 0;
      sum[r] += share;
      fmt::format_to(out, " {:>8.3f}", share);
    }
    text += '\n';
  }
  fmt::format_to(out, "           {:>4} {:>14} {:>14} {:>8.3f} {:>8.3f} {:>8.3f}\n", "sum", "", "", sum[0], sum[1],
                 sum[2]);
  return text;
}

std::string buckling_text(const Buckling& found) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (!found.dense)
    fmt::format_to(out, "  proof    {} factors from {:.6g} to {:.6g}, counted by Sylvester's law\n", found.counted,
                   found.from, found.high);
  fmt::format_to(out, "  buckling {:>4} {:>14}  of the constant loads, about load factor {:g}\n", "", "factor",
                 found.from);
  for (std::size_t k = 0; k < found.modes.size(); ++k)
    fmt::format_to(out, "           {:>4} {:>14.7g}\n", k + 1, found.modes[k].factor);
  return text;
}

Json modes_json(const Modes& found) {
  Json modes = Json::array();
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const Mode& mode = found.modes[k];
    modes.push_back({{"number", k + 1},
                     {"frequency", mode.frequency},
                     {"eigenvalue", mode.eigenvalue},
                     {"residual", mode.residual},
                     {"participation", mode.participation},
                     {"effective_mass", mode.effective_mass}});
  }
  Json proof{{"all", found.dense}};
  if (!found.dense) {
    proof["low"] = found.low;
    proof["high"] = found.high;
    proof["counted"] = found.counted;
    proof["missed_at_first"] = found.missed;
  }
  return {{"modes", std::move(modes)},
          {"directions", rigid_motions},
          {"total_mass", found.total_mass},
          {"proof", std::move(proof)},
          {"solves", found.solves}};
}

Json buckling_json(const Buckling& found) {
  Json factors = Json::array();
  for (const BucklingMode& mode : found.modes) factors.push_back(mode.factor);
  Json proof{{"all", found.dense}};
  if (!found.dense) {
    proof["low"] = found.from;
    proof["high"] = found.high;
    proof["counted"] = found.counted;
  }
  return {{"load_factor", found.from},
          {"factors", std::move(factors)},
          {"proof", std::move(proof)},
          {"solves", found.solves}};
}

}  // namespace lithe
