#include "lithe/io/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lithe/base/version.h"

namespace lithe {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

// 15240 -> "15 240"
std::string grouped(unsigned long long n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string plural(long long n, const char* one, const char* many) {
  return grouped(static_cast<unsigned long long>(n)) + " " + (n == 1 ? one : many);
}

std::string seconds(double s) {
  if (s >= 100) return fmt::format("{:.0f} s", s);
  if (s >= 1) return fmt::format("{:.2f} s", s);
  return fmt::format("{:.3g} ms", 1e3 * s);
}

}  // namespace

std::string reason_text(const StaticReport& report) {
  using Reason = StaticReport::Reason;
  switch (report.reason) {
    case Reason::done:
      return "done";
    case Reason::not_converged:
      return "not_converged";
    case Reason::step_too_small:
      return "step_too_small";
    case Reason::too_many_steps:
      return "too_many_steps";
    case Reason::singular:
      return "singular";
    default:
      return "stopped";
  }
}

RunSummary summarise(const System& system, const State& state, Workspace& work, const StaticReport& report) {
  RunSummary s;
  s.name = system.model.name;
  s.bodies = static_cast<int>(system.bodies.size());
  for (const Batch& batch : system.batches) s.elements += batch.elements;
  s.unknowns = system.size;
  s.nonzeros = system.pattern.nonzeros();
  s.symmetric = system.symmetric;
  s.threads = work.threads;
  s.report = report;
  s.channels = channels(system);
  if (!s.channels.empty()) {
    evaluate_internal(system, state, work);
    evaluate_external(system, state, work);
    s.final_values = channel_values(system, state, work);
  }
  return s;
}

std::string summary_text(const RunSummary& s) {
  std::string text;
  const auto out = std::back_inserter(text);
  const StaticReport& r = s.report;
  fmt::format_to(out, "{}: {}\n", s.name, r.ok() ? "done" : "FAILED (" + reason_text(r) + ")");
  fmt::format_to(out, "  model    {}, {}, {}, {}{}\n", plural(s.bodies, "body", "bodies"),
                 plural(s.elements, "element", "elements"), plural(s.unknowns, "unknown", "unknowns"),
                 plural(static_cast<long long>(s.nonzeros), "nonzero", "nonzeros"),
                 s.symmetric ? " (upper triangle)" : "");
  if (!r.solver.empty()) fmt::format_to(out, "  solver   {}\n", r.solver);
  fmt::format_to(out, "  steps    {}, {}, {}, {}; load factor {:.6g}, residual {:.2g}\n",
                 plural(r.steps, "step", "steps"), plural(r.iterations, "iteration", "iterations"),
                 plural(r.cut_backs, "cut-back", "cut-backs"),
                 plural(r.factorisations, "factorisation", "factorisations"), r.load_factor, r.residual);
  fmt::format_to(out, "  time     {} on {}: force {}, tangent {}, factorisation {}, solve {}, output {}\n",
                 seconds(r.seconds_total), plural(s.threads, "thread", "threads"), seconds(r.seconds_force),
                 seconds(r.seconds_tangent), seconds(r.seconds_factor), seconds(r.seconds_solve),
                 seconds(r.seconds_output));
  std::size_t name_width = 0, column_width = 0;
  for (const Channel& channel : s.channels) {
    name_width = std::max(name_width, channel.name.size());
    for (const auto& column : channel.columns) column_width = std::max(column_width, column.size());
  }
  std::size_t k = 0;
  for (std::size_t c = 0; c < s.channels.size(); ++c) {
    const Channel& channel = s.channels[c];
    for (std::size_t i = 0; i < channel.columns.size() && k < s.final_values.size(); ++i, ++k)
      fmt::format_to(out, "  {:<8} {:<{}}  {:<{}}  {:>14.7g} {}\n", c == 0 && i == 0 ? "channels" : "",
                     i == 0 ? channel.name : "", name_width, channel.columns[i], column_width, s.final_values[k],
                     i < channel.units.size() ? channel.units[i] : "");
  }
  if (!s.result.empty())
    fmt::format_to(out, "  result   {}{}\n", s.result, s.companion.empty() ? "" : " (ParaView: " + s.companion + ")");
  while (text.find(" \n") != std::string::npos) text.erase(text.find(" \n"), 1);
  return text;
}

std::string summary_json(const RunSummary& s) {
  const StaticReport& r = s.report;
  Json channels = Json::object();
  std::size_t k = 0;
  for (const Channel& channel : s.channels) {
    Json values = Json::array();
    for (std::size_t i = 0; i < channel.columns.size() && k < s.final_values.size(); ++i, ++k)
      values.push_back(s.final_values[k]);
    channels[channel.name] = {{"columns", channel.columns}, {"units", channel.units}, {"final", std::move(values)}};
  }
  return dump(Json{{"name", s.name},
                   {"version", version()},
                   {"ok", r.ok()},
                   {"reason", reason_text(r)},
                   {"message", r.message},
                   {"bodies", s.bodies},
                   {"elements", s.elements},
                   {"unknowns", s.unknowns},
                   {"nonzeros", s.nonzeros},
                   {"threads", s.threads},
                   {"solver", r.solver},
                   {"steps", r.steps},
                   {"iterations", r.iterations},
                   {"cut_backs", r.cut_backs},
                   {"factorisations", r.factorisations},
                   {"load_factor", r.load_factor},
                   {"residual", r.residual},
                   {"worst", r.worst},
                   {"seconds",
                    {{"load", s.seconds_load},
                     {"compile", s.seconds_compile},
                     {"force", r.seconds_force},
                     {"tangent", r.seconds_tangent},
                     {"factor", r.seconds_factor},
                     {"solve", r.seconds_solve},
                     {"output", r.seconds_output},
                     {"total", r.seconds_total}}},
                   {"warnings", s.warnings},
                   {"channels", std::move(channels)},
                   {"result", s.result}});
}

std::string failure_json(const std::string& name, const std::string& reason, const std::string& message) {
  return dump(Json{
      {"name", name}, {"version", version()}, {"ok", false}, {"reason", reason}, {"message", message}, {"result", ""}});
}

}  // namespace lithe
