#include "lithe/io/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lithe/base/version.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/file_guard.h"
#include "lithe/io/file_lock.h"
#include "lithe/io/hdf5.h"
#include "lithe/io/row_checksums.h"
#include "lithe/io/series.h"
#include "lithe/model/spot.h"

namespace lithe {

ResultInfo result_info(const System& system, const std::string& path, const std::string& model_yaml) {
  ResultInfo info;
  info.path = path;
  info.version = version();
  info.name = system.model.name;
  const Stages& stages = system.model.analysis;
  for (std::size_t i = 0; i < stages.size(); ++i) info.stages.push_back({stage_name(stages, i), type_name(stages[i])});
  info.analysis = stages.size() > 1 ? "stages" : info.stages.front().type;
  info.position = records(stages, RecordedField::position);
  info.velocity = info.dynamic() && records(stages, RecordedField::velocity);
  info.fields_apart = thins_fields(stages);
  info.model_yaml = model_yaml;
  for (const BodyInfo& body : system.bodies) {
    const ElementInfo& element = element_info(body.kind);
    // A linkage without bars is points.
    const auto* linkage = std::get_if<Linkage>(system.model.bodies.find(body.name));
    ResultBody entry;
    entry.name = body.name;
    entry.element = element.name;
    entry.nodes = body.mesh.node_count();
    entry.vectors = body.node_vectors;
    entry.element_nodes = linkage && linkage->bars.empty() ? 1 : element.nodes;
    entry.connectivity = body.mesh.elements;
    entry.size = body.mesh.size;
    entry.size.resize(3 * entry.connectivity.size() / entry.element_nodes);
    const auto first = system.q0.begin() + 3 * body.first_vector;
    entry.reference.assign(first, first + 3 * entry.nodes * entry.vectors);
    entry.stress = has_nodal_stress(body.kind) && records(stages, RecordedField::stress);
    info.bodies.push_back(std::move(entry));
  }
  info.channels = channels(system);
  return info;
}

void count_stages(const std::vector<double>& stage_of_row, ResultInfo& info) {
  for (ResultStage& stage : info.stages) stage.first_row = stage.rows = 0;
  for (std::size_t row = 0; row < stage_of_row.size(); ++row) {
    const auto i = static_cast<std::size_t>(stage_of_row[row]);
    if (!(stage_of_row[row] >= 0) || i >= info.stages.size())
      throw RunError("it is damaged: row " + std::to_string(row) + " belongs to a stage that there is not");
    if (info.stages[i].rows++ == 0) info.stages[i].first_row = static_cast<int>(row);
  }
}

// ---- reading ----

namespace {

void read_stages(hid_t file, ResultInfo& info) {
  using namespace hdf5;
  if (info.format < 4) {
    info.stages = {{default_stage_name(0), info.analysis, 0, info.steps}};
    return;
  }
  const std::vector<std::string> names = texts_attribute(file, "stages"), types = texts_attribute(file, "stage_types");
  if (names.empty() || names.size() != types.size()) throw RunError("it is damaged: stages without names");
  for (std::size_t i = 0; i < names.size(); ++i) info.stages.push_back({names[i], types[i]});
  std::vector<double> stage_of_row(static_cast<std::size_t>(info.steps));
  if (names.size() > 1 && info.steps > 0) {
    read_rows(open_dataset(file, "stage"), 0, stage_of_row.size(), stage_of_row.data());
    check_rows(file, "stage", 0, stage_of_row.size(), 1, stage_of_row.data());
  }
  count_stages(stage_of_row, info);
}

// Fields with rows of their own: how many belong to steps that are there. They are in the file before their steps.
void read_field_rows(hid_t file, ResultInfo& info) {
  using namespace hdf5;
  info.fields_apart = exists(file, "field_rows");
  info.field_rows = info.steps;
  if (!info.fields_apart) return;
  const Handle data = open_dataset(file, "field_rows");
  std::vector<double> rows(shape(data).at(0));
  if (!rows.empty()) read_rows(data, 0, rows.size(), rows.data());
  std::size_t count = 0;
  while (count < rows.size() && rows[count] < info.steps) ++count;
  check_rows(file, "field_rows", 0, count, 1, rows.data());
  info.field_rows = static_cast<int>(count);
}

ResultBody read_body(hid_t file, const std::string& name) {
  using namespace hdf5;
  const std::string place = "bodies/" + name;
  const Handle here = check(H5Gopen2(file, place.c_str(), H5P_DEFAULT), H5Gclose);
  ResultBody body;
  body.name = name;
  body.element = text_attribute(here, "kind");
  const Handle connectivity = open_dataset(here, "connectivity"), reference = open_dataset(here, "reference"),
               size = open_dataset(here, "size");
  const Shape cells = shape(connectivity), nodes = shape(reference);
  if (cells.size() != 2 || nodes.size() != 3) throw RunError("body '" + name + "' has arrays of another shape");
  body.element_nodes = static_cast<int>(cells[1]);
  body.nodes = static_cast<int>(nodes[0]);
  body.vectors = static_cast<int>(nodes[1]);
  for (const double node : read_array(connectivity)) body.connectivity.push_back(static_cast<int>(node));
  body.reference = read_array(reference);
  body.size = read_array(size);
  body.stress = exists(here, "von_mises");
  return body;
}

void require_file(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  const auto fail = [&](const std::string& why) { throw InputError("results '" + path + "': " + why); };
  if (type == std::filesystem::file_type::not_found) fail("there is no such file");
  if (error) fail("the file cannot be looked at: " + error.message());
  if (type == std::filesystem::file_type::directory) fail("this is a folder; name a result in it");
}

}  // namespace

ResultFile::ResultFile(const std::string& path) {
  const hdf5::Quiet quiet;
  require_file(path);
  if (H5Fis_hdf5(path.c_str()) <= 0)
    throw InputError("results '" + path + "': this is not an HDF5 file (or it was cut short)");
  try {
    using namespace hdf5;
    const Handle file = open_to_read(path);
    if (H5Aexists(file, "format") <= 0 || H5Aexists(file, "lithe") <= 0)
      throw InputError("results '" + path + "': this HDF5 file was not written by lithe");
    info_.path = path;
    info_.format = number_attribute(file, "format");
    if (info_.format > ResultInfo{}.format)
      throw InputError("results '" + path + "' have format " + std::to_string(info_.format) + ", but this lithe (" +
                       version() + ") knows up to " + std::to_string(ResultInfo{}.format) + "; use a newer lithe");
    info_.version = text_attribute(file, "lithe");
    info_.name = text_attribute(file, "name");
    info_.run = text_attribute(file, "run");
    info_.analysis = info_.format == 1 ? "static" : text_attribute(file, "analysis");
    info_.first_run = info_.format == 1 ? info_.run : text_attribute(file, "first_run");
    info_.complete = number_attribute(file, "complete") != 0;
    info_.model_yaml = read_text(file, "model");
    if (exists(file, "report")) info_.report_json = read_text(file, "report");
    for (const auto& name : children(file, "bodies")) info_.bodies.push_back(read_body(file, name));
    for (const auto& name : children(file, "channels")) {
      const Handle channel = open_dataset(file, "channels/" + name);
      info_.channels.push_back({name, texts_attribute(channel, "columns"), texts_attribute(channel, "units")});
    }
    info_.steps = static_cast<int>(whole_steps(file, read_array(open_dataset(file, "time")), info_.complete));
    read_stages(file, info_);
    read_field_rows(file, info_);
    info_.position = info_.velocity = false;
    for (const ResultBody& body : info_.bodies) {
      info_.position = info_.position || exists(file, "bodies/" + body.name + "/coordinates");
      info_.velocity = info_.velocity || exists(file, "bodies/" + body.name + "/velocities");
    }
  } catch (const RunError& error) {
    throw InputError("results '" + path + "' cannot be read: " + error.what());
  }
}

ResultArray ResultFile::read(const std::string& name) const {
  return hdf5::naming(info_.path, "read", [&] {
    const hdf5::Handle file = hdf5::open_to_read(info_.path);
    if (hdf5::text_attribute(file, "run") != info_.run)
      throw RunError("another run has replaced the file since it was opened; open it again");
    for (std::size_t slash = name.find('/');; slash = name.find('/', slash + 1)) {
      if (!hdf5::exists(file, name.substr(0, slash)))
        throw InputError("results '" + info_.path + "' have no '" + name + "'");
      if (slash == std::string::npos) break;
    }
    const hdf5::Handle data = hdf5::open_dataset(file, name);
    const hdf5::Shape whole = hdf5::shape(data);
    ResultArray array{{whole.begin(), whole.end()}, std::make_shared<std::vector<double>>()};
    if (!hdf5::grows(data)) {
      *array.values = hdf5::read_array(data);
      return array;
    }
    std::size_t width = 1;
    for (std::size_t k = 1; k < whole.size(); ++k) width *= whole[k];
    const bool of_field = info_.fields_apart && (name == "field_rows" || name.starts_with("bodies/"));
    const std::size_t steps = static_cast<std::size_t>(of_field ? info_.field_rows : info_.steps);
    if (whole[0] < steps) throw RunError("it is damaged: '" + name + "' has fewer rows than there are steps");
    array.shape[0] = steps;
    array.values->resize(steps * width);
    if (!array.values->empty()) hdf5::read_rows(data, 0, steps, array.values->data());
    check_rows(file, name, 0, steps, width, array.values->data());
    return array;
  });
}

// ---- in memory ----

Recording::Recording(const System& system, const std::string& model_yaml) {
  info_ = result_info(system, "", model_yaml);
  rows_ = std::make_unique<SeriesSet>(system, info_, false,
                                      info_.fields_apart ? SeriesSet::Part::channels : SeriesSet::Part::all);
  if (info_.fields_apart) fields_ = std::make_unique<SeriesSet>(system, info_, false, SeriesSet::Part::fields);
}
Recording::~Recording() = default;

void Recording::write(const OutputRow& row) {
  const auto number = static_cast<std::size_t>(info_.steps);
  rows_->add(row, number);
  if (fields_ && row.fields) fields_->add(row, number);
  ResultStage& stage = info_.stages[static_cast<std::size_t>(row.step.stage)];
  if (stage.rows++ == 0) stage.first_row = info_.steps;
  ++info_.steps;
  info_.field_rows += row.fields || !fields_;
}

void Recording::finish(const std::string& report) {
  info_.report_json = report;
  info_.complete = true;
}

ResultArray Recording::read(const std::string& name) const {
  for (const SeriesSet* set : {rows_.get(), fields_.get()})
    for (std::size_t k = 0; set && k < set->all().size(); ++k) {
      const Series& series = set->all()[k];
      if (series.name != name) continue;
      ResultArray array{series.row, series.values};
      array.shape.insert(array.shape.begin(), set->rows());
      return array;
    }
  throw InputError("the results have no '" + name + "'");
}

// ---- words ----

namespace {

std::string describe_stage(const ResultFile& file, std::size_t i) {
  const ResultInfo& info = file.info();
  const ResultStage& stage = info.stages[i];
  const std::string title = info.stages.size() > 1 ? fmt::format("stage '{}', {}", stage.name, stage.type) : stage.type;
  if (stage.rows == 0) return title + ": not reached\n";
  const auto first = static_cast<std::size_t>(stage.first_row), last = first + static_cast<std::size_t>(stage.rows) - 1;
  const bool dynamic = stage.type == "dynamic";
  const std::vector<double> time = *file.read("time").values,
                            second = *file.read(dynamic ? "step_size" : "load_factor").values;
  std::string text = fmt::format("{}: {} {}{}, time {:g} to {:g} s, ", title, stage.rows, dynamic ? "output" : "step",
                                 stage.rows == 1 ? "" : "s", time[first], time[last]);
  text += dynamic ? fmt::format("step at the end {:g} s\n", second[last])
                  : fmt::format("load factor {:g} to {:g}\n", second[first], second[last]);
  return text;
}

}  // namespace

std::string describe_results(const std::string& path) {
  const ResultFile file(path);
  const ResultInfo& info = file.info();
  std::string text = fmt::format("{}: model '{}', written by lithe {} (format {}{})\n", path, info.name, info.version,
                                 info.format, info.format < 3 ? ", without checksums: damage is not noticed" : "");
  auto out = std::back_inserter(text);
  if (info.steps == 0) text += "no steps\n";
  else
    for (std::size_t i = 0; i < info.stages.size(); ++i) text += describe_stage(file, i);
  if (!info.complete) {
    text += "not complete: the run is still going on, or it was killed; the steps above are readable\n";
    if (std::filesystem::exists(checkpoint_path(path)))
      fmt::format_to(out, "(to go on: lithe run --resume {})\n", path);
    fmt::format_to(out, "(to open a killed run in ParaView: lithe info --repair {})\n", path);
  } else if (const auto report = nlohmann::json::parse(info.report_json, nullptr, false); report.is_object()) {
    const std::string message = report.value("message", "");
    fmt::format_to(out, "{}{}{}\n", report.value("reason", "complete"), message.empty() ? "" : ": ", message);
  }
  for (const ResultBody& body : info.bodies) {
    fmt::format_to(out, "body '{}': {}, {} elements, {} nodes", body.name, body.element,
                   body.connectivity.size() / static_cast<std::size_t>(body.element_nodes), body.nodes);
    if (info.field_rows > 0 && body.stress) {
      const std::vector<double> stress = *file.read("bodies/" + body.name + "/von_mises").values;
      fmt::format_to(out, ", von Mises at the nodes up to {:.4g} Pa at the end",
                     *std::max_element(stress.end() - body.nodes, stress.end()));
    }
    text += "\n";
  }
  if (info.fields_apart) fmt::format_to(out, "fields of bodies at {} of {} outputs\n", info.field_rows, info.steps);
  for (const Channel& channel : info.channels) {
    const std::vector<double> values = *file.read("channels/" + channel.name).values;
    fmt::format_to(out, "channel '{}' at the end:", channel.name);
    const std::size_t columns = channel.columns.size();
    for (std::size_t i = 0; i < columns && values.size() >= columns; ++i) {
      const std::string unit = i < channel.units.size() ? channel.units[i] : "";
      fmt::format_to(out, "{} {} = {:.6g}{}{}", i ? "," : "", channel.columns[i], values[values.size() - columns + i],
                     unit.empty() ? "" : " ", unit);
    }
    text += "\n";
  }
  return text;
}

void repair_results(const std::string& path) {
  require_file(path);
  if (!is_ours(path, FileKind::result))
    throw InputError("results '" + path + "': this is not a result of lithe, or it is damaged; nothing was changed");
  const FileLock alone(path);
  hdf5::naming(path, "repaired", [&] {
    using namespace hdf5;
    const Handle access = shareable_access();
    // What the program h5clear does; the property has no public name.
    const hbool_t clear = true;
    check(H5Pset(access, "clear_status_flags", &clear));
    Handle file = check(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose);
    if (!file.close()) throw RunError(reason());
  });
}

}  // namespace lithe
