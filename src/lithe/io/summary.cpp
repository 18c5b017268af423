#include "lithe/io/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lithe/base/version.h"
#include "lithe/dynamics/contact_forces.h"
#include "lithe/io/modal_summary.h"

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

const char* word(StaticReport::Reason reason) {
  using Reason = StaticReport::Reason;
  switch (reason) {
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
    case Reason::unstable:
      return "unstable";
    case Reason::past_end:
      return "past_end";
    case Reason::contradiction:
      return "contradiction";
    default:
      return "stopped";
  }
}

const char* word(DynamicReport::Reason reason) {
  using Reason = DynamicReport::Reason;
  switch (reason) {
    case Reason::done:
      return "done";
    case Reason::step_too_small:
      return "step_too_small";
    case Reason::not_finite:
      return "not_finite";
    case Reason::singular:
      return "singular";
    case Reason::past_end:
      return "past_end";
    case Reason::contradiction:
      return "contradiction";
    default:
      return "stopped";
  }
}

// All warnings from reading to the last step, each once: as they are printed, counted and written.
std::vector<std::string> told_warnings(const RunSummary& s) {
  std::vector<std::string> told;
  for (const auto* list : {&s.warnings, &s.report.warnings})
    for (const std::string& text : *list)
      if (std::ranges::find(told, text) == told.end()) told.push_back(text);
  return told;
}

struct Phase {
  const char* name;
  double seconds;
};

// The rows of the table; "other" is what no phase claims.
std::vector<Phase> table(const RunReport& report) {
  const Phases& p = report.phases;
  std::vector<Phase> rows{{"force", p.force}, {"tangent", p.tangent}};
  if (report.dynamic) rows.push_back({"assembly", p.assembly});
  for (const Phase& row : {Phase{"factorisation", p.factorisation}, {"solve", p.solve}}) rows.push_back(row);
  if (report.dynamic) {
    if (p.rotation > 0 || p.constraints > 0) {
      rows.push_back({"rotation", p.rotation});
      rows.push_back({"constraints", p.constraints});
    } else {
      rows.push_back({"projection", p.projection});
    }
    if (p.detection > 0) {
      rows.push_back({"detection", p.detection});
      if (p.contact_operator > 0) rows.push_back({"contact_operator", p.contact_operator});
      rows.push_back({"contact", p.contact});
    }
    rows.push_back({"watch", p.watch});
  }
  rows.push_back({"output", p.output});
  double other = p.total;
  for (const Phase& row : rows) other -= row.seconds;
  rows.push_back({"other", std::max(0.0, other)});
  return rows;
}

}  // namespace

RunReport run_report(const StaticReport& from, const State& state) {
  RunReport to;
  to.ok = from.ok();
  to.reason = word(from.reason);
  to.message = from.message;
  to.worst = from.worst;
  to.solver = from.solver;
  to.steps = from.steps;
  to.rejected = from.cut_backs;
  to.iterations = from.iterations;
  to.factorisations = from.factorisations;
  to.t = state.t;
  to.load_factor = from.load_factor;
  to.residual = from.residual;
  to.stable = from.stable;
  to.warnings = from.warnings;
  if (from.ok() && from.stable == false) std::swap(to.warnings.emplace_back(), to.message);
  to.phases = {.force = from.seconds_force,
               .tangent = from.seconds_tangent,
               .factorisation = from.seconds_factor,
               .solve = from.seconds_solve,
               .output = from.seconds_output,
               .total = from.seconds_total};
  return to;
}

RunReport run_report(const DynamicReport& from) {
  RunReport to;
  to.type = "dynamic";
  to.dynamic = true;
  to.ok = from.ok();
  to.reason = word(from.reason);
  to.message = from.message;
  to.worst = from.worst;
  to.solver = from.solver;
  to.steps = from.steps;
  to.rejected = from.rejected;
  to.iterations = from.iterations;
  to.factorisations = from.linear.factorisations;
  to.krylov_iterations = from.linear.iterations;
  to.products = from.linear.products;
  to.updates = from.linear.updates;
  to.preconditioner = from.linear.figures;
  to.t = from.t;
  to.residual = from.residual;
  to.simulated = from.simulated;
  to.smallest_step = from.smallest_step;
  to.largest_step = from.largest_step;
  to.real_time_factor = from.real_time_factor();
  to.warnings = from.warnings;
  to.fallbacks = from.fallbacks;
  to.energy = from.energy;
  to.contacts = from.contacts;
  to.phases = from.phases;
  return to;
}

RunSummary summarise(const System& system, const State& state, Workspace& work, const RunReport& report) {
  RunSummary s;
  s.name = system.model.name;
  s.bodies = static_cast<int>(system.bodies.size());
  for (const Batch& batch : system.batches) s.elements += batch.elements;
  s.unknowns = system.map.size;
  s.multipliers = system.has_multipliers() ? system.row_count() : 0;
  s.nonzeros = system.pattern.nonzeros();
  s.symmetric = system.symmetric;
  s.threads = 1 + work.team->started();  // small models start none
  s.report = report;
  s.channels = channels(system);
  if (!s.channels.empty()) {
    evaluate_internal(system, state, work);
    add_contact_forces(system, state, work);
    evaluate_external(system, state, work);
    s.final_values = channel_values(system, state, work);
  }
  return s;
}

namespace {

// What a stage did.
std::string steps_text(const RunReport& r) {
  if (r.modes) return modes_text(*r.modes);
  if (r.buckling) return buckling_text(*r.buckling);
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  steps    {}, {}, {}, {}; ", plural(r.steps, "step", "steps"),
                 plural(r.iterations, "iteration", "iterations"),
                 r.dynamic ? grouped(static_cast<unsigned long long>(r.rejected)) + " rejected"
                           : plural(r.rejected, "cut-back", "cut-backs"),
                 plural(r.factorisations, "factorisation", "factorisations"));
  if (!r.dynamic) {
    fmt::format_to(out, "load factor {:.6g}, residual {:.2g}\n", r.load_factor, r.residual);
  } else {
    fmt::format_to(out, "t = {:.6g} s, ", r.t);
    if (r.smallest_step < (1 - 1e-9) * r.largest_step)
      fmt::format_to(out, "h = {:.3g} to {:.3g} s\n", r.smallest_step, r.largest_step);
    else fmt::format_to(out, "h = {:.6g} s\n", r.largest_step);
    fmt::format_to(out, "  speed    {:.6g} s simulated in {}: real-time factor {:.3g}, {:.3g} steps/s\n", r.simulated,
                   seconds(r.phases.total), r.real_time_factor,
                   r.phases.total > 0 ? static_cast<double>(r.steps) / r.phases.total : 0.0);
    fmt::format_to(out, "  energy   balance off by {:.2g} % at most, of {:.3g} J\n",
                   r.energy.size > 0 ? 100 * r.energy.worst / r.energy.size : 0.0, r.energy.size);
    if (const ContactCounts& c = r.contacts; c.steps > 0) {
      fmt::format_to(out, "  contact  in {}: {:.3g} points (at most {})", plural(c.steps, "step", "steps"),
                     static_cast<double>(c.points) / static_cast<double>(c.steps), c.most);
      if (c.iterations > 0)
        fmt::format_to(out, ", {:.3g} iterations in the mean",
                       static_cast<double>(c.iterations) / static_cast<double>(c.steps));
      if (c.patterns > 0)
        fmt::format_to(out, ", {} of the matrix", plural(c.patterns, "further pattern", "further patterns"));
      if (c.cut_back > 0) fmt::format_to(out, "; {} cut back", plural(c.cut_back, "rebound", "rebounds"));
      text += '\n';
    }
  }
  return text;
}

}  // namespace

std::string summary_text(const RunSummary& s) {
  std::string text;
  const auto out = std::back_inserter(text);
  const RunReport& r = s.report;
  fmt::format_to(out, "{}: {}{}", s.name, r.ok ? "done" : "FAILED (" + r.reason + ")",
                 r.ok && r.stable == false ? ", but the equilibrium is UNSTABLE" : "");
  if (r.fallbacks > 0)
    fmt::format_to(out, ", {} of {} by backward Euler", grouped(static_cast<unsigned long long>(r.fallbacks)),
                   plural(r.steps, "step", "steps"));
  if (const std::vector<std::string> warnings = told_warnings(s); !warnings.empty())
    fmt::format_to(out, ", {}", plural(static_cast<long long>(warnings.size()), "warning", "warnings"));
  text += '\n';
  fmt::format_to(out, "  model    {}, {}, {}{}, {}{}\n", plural(s.bodies, "body", "bodies"),
                 plural(s.elements, "element", "elements"), plural(s.unknowns, "unknown", "unknowns"),
                 s.multipliers ? " and " + plural(s.multipliers, "multiplier", "multipliers") : "",
                 plural(static_cast<long long>(s.nonzeros), "nonzero", "nonzeros"),
                 s.symmetric ? " (upper triangle)" : "");
  if (!r.solver.empty()) fmt::format_to(out, "  solver   {}\n", r.solver);
  if (s.resumed_at >= 0)
    fmt::format_to(out, "  resumed  at t = {:.6g} s; what follows is of this run alone\n", s.resumed_at);
  if (r.stages.empty()) text += steps_text(r);
  for (const RunReport& stage : r.stages) {
    fmt::format_to(out, "  stage    '{}', {}{}\n", stage.stage, stage.type,
                   stage.ok ? "" : ": FAILED (" + stage.reason + ")");
    text += steps_text(stage);
  }
  fmt::format_to(out, "  time     {:<13} {:>9}  on {}\n", "total", seconds(r.phases.total),
                 plural(s.threads, "thread", "threads"));
  for (const Phase& row : table(r))
    fmt::format_to(out, "           {:<13} {:>9} {:>5.1f} %\n", row.name, seconds(row.seconds),
                   r.phases.total > 0 ? 100 * row.seconds / r.phases.total : 0.0);
  fmt::format_to(out, "           {:<13} {:>9}  before that: reading {}, compiling {}\n", "set-up",
                 seconds(s.seconds_load + s.seconds_compile), seconds(s.seconds_load), seconds(s.seconds_compile));
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
  if (!s.result.empty() && s.reduced > 0)
    fmt::format_to(out,
                   "           {} by modes, not shown in ParaView; with fields in full: lithe expand {} -o FULL.h5\n",
                   plural(s.reduced, "body", "bodies"), s.result);
  while (text.find(" \n") != std::string::npos) text.erase(text.find(" \n"), 1);
  return text;
}

namespace {

void add_outcome(const RunReport& r, Json& json) {
  json["ok"] = r.ok;
  json["reason"] = r.reason;
  json["message"] = r.message;
}

void add_counts(const RunReport& r, Json& json) {
  json["steps"] = r.steps;
  json["iterations"] = r.iterations;
  json[r.dynamic || !r.stages.empty() ? "rejected" : "cut_backs"] = r.rejected;
  json["factorisations"] = r.factorisations;
  if (r.dynamic || !r.stages.empty()) {
    json["krylov_iterations"] = r.krylov_iterations;
    json["products"] = r.products;
    json["updates"] = r.updates;
  }
  json["t"] = r.t;
}

// What one analysis did.
void add_steps(const RunReport& r, Json& json) {
  add_counts(r, json);
  if (r.modes) return json.update(modes_json(*r.modes));
  if (r.buckling) return json.update(buckling_json(*r.buckling));
  if (r.dynamic) {
    json["simulated"] = r.simulated;
    json["smallest_step"] = r.smallest_step;
    json["largest_step"] = r.largest_step;
    json["real_time_factor"] = r.real_time_factor;
    if (!r.preconditioner.empty()) {
      Json& told = json["preconditioner"] = Json::object();
      for (const auto& [name, value] : r.preconditioner) told[name] = value;
    }
    json["fallbacks"] = r.fallbacks;
    const EnergyBalance& e = r.energy;
    json["energy_balance"] = {{"largest_imbalance", e.worst}, {"at", e.worst_time},
                              {"largest_energy", e.size},     {"kinetic_gained", e.kinetic - e.kinetic_start},
                              {"internal_work", e.internal},  {"applied_work", e.applied},
                              {"drive_work", e.drives},       {"contact_work", e.contact}};
    if (const ContactCounts& c = r.contacts; c.steps > 0)
      json["contacts"] = {{"steps", c.steps},           {"points", c.points},        {"most", c.most},
                          {"iterations", c.iterations}, {"patterns", c.patterns},    {"rebounds_cut_back", c.cut_back},
                          {"loose_steps", c.loose},     {"largest_residual", c.left}};
    json["largest_turn"] = e.largest_turn;
  } else {
    json["load_factor"] = r.load_factor;
  }
  json["stable"] = r.stable ? Json(*r.stable) : Json();
  json["residual"] = r.residual;
  json["worst"] = r.worst;
}

Json seconds_of(const RunReport& r) {
  Json seconds = Json::object();
  for (const Phase& row : table(r)) seconds[row.name] = row.seconds;
  seconds["total"] = r.phases.total;
  return seconds;
}

}  // namespace

std::string summary_json(const RunSummary& s) {
  const RunReport& r = s.report;
  Json channels = Json::object();
  std::size_t k = 0;
  for (const Channel& channel : s.channels) {
    Json values = Json::array(), most = Json::array(), most_at = Json::array(), least = Json::array(),
         least_at = Json::array();
    for (std::size_t i = 0; i < channel.columns.size() && k < s.final_values.size(); ++i, ++k) {
      values.push_back(s.final_values[k]);
      if (k >= r.extremes.size()) continue;
      most.push_back(r.extremes[k].max);
      most_at.push_back(r.extremes[k].max_time);
      least.push_back(r.extremes[k].min);
      least_at.push_back(r.extremes[k].min_time);
    }
    channels[channel.name] = {{"columns", channel.columns},     {"units", channel.units},
                              {"final", std::move(values)},     {"max", std::move(most)},
                              {"max_time", std::move(most_at)}, {"min", std::move(least)},
                              {"min_time", std::move(least_at)}};
  }
  Json json{{"name", s.name}, {"version", version()}, {"analysis", r.stages.empty() ? r.type : "stages"}};
  add_outcome(r, json);
  json["bodies"] = s.bodies;
  json["elements"] = s.elements;
  json["unknowns"] = s.unknowns;
  json["multipliers"] = s.multipliers;
  json["nonzeros"] = s.nonzeros;
  json["threads"] = s.threads;
  json["solver"] = r.solver;
  if (r.stages.empty()) {
    add_steps(r, json);
  } else {
    add_counts(r, json);
    json["residual"] = r.residual;
    json["worst"] = r.worst;
    Json stages = Json::array();
    for (const RunReport& report : r.stages) {
      Json stage{{"name", report.stage}, {"analysis", report.type}};
      add_outcome(report, stage);
      stage["solver"] = report.solver;
      add_steps(report, stage);
      stage["seconds"] = seconds_of(report);
      stage["warnings"] = report.warnings;
      stages.push_back(std::move(stage));
    }
    json["stages"] = std::move(stages);
  }
  if (r.dynamic) json["resumed_at"] = s.resumed_at < 0 ? Json() : Json(s.resumed_at);
  Json seconds{{"load", s.seconds_load}, {"compile", s.seconds_compile}};
  seconds.update(seconds_of(r));
  json["seconds"] = std::move(seconds);
  json["warnings"] = told_warnings(s);
  json["channels"] = std::move(channels);
  json["result"] = s.result;
  return dump(json);
}

std::string failure_json(const std::string& name, const std::string& reason, const std::string& message) {
  return dump(Json{
      {"name", name}, {"version", version()}, {"ok", false}, {"reason", reason}, {"message", message}, {"result", ""}});
}

}  // namespace lithe
