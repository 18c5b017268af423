#include "lithe/io/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "lithe/base/hdf5.h"
#include "lithe/base/version.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/file_guard.h"
#include "lithe/io/file_lock.h"
#include "lithe/io/rebuilt_fields.h"
#include "lithe/io/result_bodies.h"
#include "lithe/io/row_checksums.h"
#include "lithe/io/run_files.h"
#include "lithe/io/series.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {

// Reduced bodies by their base. Stages that look at a state show shapes that no motion in the span of the modes has.
void reduce_bodies(const System& system, ResultInfo& info) {
  if (info.looks() || info.loads()) return;
  std::map<const Shape*, int> known;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const ReducedMap* map = reduced_map(system, b);
    if (!map) continue;
    const Shape& shape = map->shape();
    const auto [found, fresh] = known.emplace(&shape, static_cast<int>(info.bases.size()));
    if (fresh) {
      ResultBase& base = info.bases.emplace_back();
      base.kind = shape.base.kind;
      base.method = shape.base.method;
      base.source = shape.base.source;
      base.modes = shape.base.vectors;
      for (const Vec3<double>& z : shape.Z) base.shape.insert(base.shape.end(), {z[0], z[1], z[2]});
    }
    info.bodies[b].base = found->second;
    info.bodies[b].modes = map->size();
  }
}

}  // namespace

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
  info.contacts = system.contact_surfaces && info.dynamic() && records(stages, RecordedField::contact);
  if (info.contacts) {
    info.obstacles = system.model.obstacles.names();
    info.entries = system.model.contacts.names();
  }
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
  reduce_bodies(system, info);
  place_bodies(info);
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
  const std::vector<std::string> names = texts_attribute(file, "stages"), types = texts_attribute(file, "stage_types");
  if (names.empty() || names.size() != types.size()) throw RunError("it is damaged: stages without names");
  for (std::size_t i = 0; i < names.size(); ++i) info.stages.push_back({names[i], types[i]});
  std::vector<double> stage_of_row(static_cast<std::size_t>(info.steps));
  if (names.size() > 1) read_series(file, "stage", {0, stage_of_row.size()}, stage_of_row.data());
  count_stages(stage_of_row, info);
}

// Fields with rows of their own: how many belong to steps that are there. They are in the file before their steps.
void read_field_rows(hid_t file, ResultInfo& info) {
  using namespace hdf5;
  info.fields_apart = exists(file, "field_rows");
  info.field_rows = info.steps;
  if (!info.fields_apart) return;
  std::vector<double> rows = read_array(open_dataset(file, "field_rows"));
  std::size_t count = 0;
  while (count < rows.size() && rows[count] < info.steps) ++count;
  read_series(file, "field_rows", {0, count}, rows.data());
  info.field_rows = static_cast<int>(count);
}

// Points of contact up to the last row.
void read_contacts(hid_t file, ResultInfo& info) {
  using namespace hdf5;
  info.contacts = exists(file, "contact_ends");
  if (!info.contacts) return;
  const hdf5::Table names = read_table(open_dataset(file, "contacts/names"));
  for (std::size_t i = 0; i < names.text("kind").size(); ++i)
    (names.text("kind")[i] == "obstacle" ? info.obstacles : info.entries).push_back(names.text("name")[i]);
  if (info.field_rows == 0) return;
  double end = 0;
  read_series(file, "contact_ends", {static_cast<hsize_t>(info.field_rows) - 1, 1}, &end);
  info.contact_points = static_cast<std::size_t>(end);
}

// What of the bodies is there.
void read_recorded(hid_t file, ResultInfo& info) {
  if (info.format < 6) {
    info.position = hdf5::exists(file, "fields/coordinates");
    info.velocity = hdf5::exists(file, "fields/velocities");
    return;
  }
  const std::vector<std::string> recorded = hdf5::texts_attribute(file, "recorded");
  info.position = std::count(recorded.begin(), recorded.end(), "position") > 0;
  info.velocity = std::count(recorded.begin(), recorded.end(), "velocity") > 0;
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
    constexpr int oldest = 5;
    if (info_.format < oldest || info_.format > ResultInfo{}.format)
      throw InputError(fmt::format("results '{}' have format {}, but this lithe ({}) reads formats {} to {}; {}", path,
                                   info_.format, version(), oldest, ResultInfo{}.format,
                                   info_.format > ResultInfo{}.format
                                       ? "use a newer lithe"
                                       : "run the model again, or read them with the lithe that wrote them"));
    info_.version = text_attribute(file, "lithe");
    info_.name = text_attribute(file, "name");
    info_.run = text_attribute(file, "run");
    info_.analysis = text_attribute(file, "analysis");
    info_.first_run = text_attribute(file, "first_run");
    info_.complete = number_attribute(file, "complete") != 0;
    info_.model_yaml = read_text(file, "model");
    if (exists(file, "report")) info_.report_json = read_text(file, "report");
    read_bodies(file, info_);
    index_bodies();
    for (const auto& name : children(file, "channels")) {
      const Handle channel = open_dataset(file, "channels/" + name);
      info_.channels.push_back({name, texts_attribute(channel, "columns"), texts_attribute(channel, "units")});
    }
    info_.steps = static_cast<int>(whole_steps(file, read_array(open_dataset(file, "time")), info_.complete));
    read_stages(file, info_);
    read_field_rows(file, info_);
    read_recorded(file, info_);
    read_contacts(file, info_);
  } catch (const RunError& error) {
    throw InputError("results '" + path + "' cannot be read: " + error.what());
  }
}

namespace {

std::size_t product(const std::vector<std::size_t>& sizes) {
  std::size_t count = 1;
  for (const std::size_t n : sizes) count *= n;
  return count;
}

// "bodies/beam/coordinates": the second and the third word, or none.
std::pair<std::string, std::string> words_of_part(const std::string& name) {
  constexpr std::string_view group = "bodies/";
  const std::size_t slash = name.find('/', group.size());
  if (!name.starts_with(group) || slash == std::string::npos) return {};
  return {name.substr(group.size(), slash - group.size()), name.substr(slash + 1)};
}

ResultArray array_of(std::vector<std::size_t> shape) {
  const std::size_t count = product(shape);
  return {std::move(shape), std::make_shared<std::vector<double>>(count)};
}

hdf5::Range clipped(RowRange rows, std::size_t there) {
  const std::size_t first = std::min(rows.first, there);
  return {first, std::min(rows.count, there - first)};
}

// What of a body does not grow.
std::optional<ResultArray> fixed_part(const ResultBody& body, const std::string& field) {
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t elements = count(body.elements());
  const auto array = [](std::vector<std::size_t> shape, const auto& values) {
    return ResultArray{std::move(shape), std::make_shared<std::vector<double>>(values.begin(), values.end())};
  };
  if (field == "connectivity") return array({elements, count(body.element_nodes)}, body.connectivity);
  if (field == "size") return array({elements, 3}, body.size);
  if (field == "reference") return array({count(body.nodes), count(body.vectors), 3}, body.reference);
  return {};
}

bool has_dataset(hid_t file, const std::string& name) {
  for (std::size_t slash = name.find('/');; slash = name.find('/', slash + 1)) {
    if (!hdf5::exists(file, name.substr(0, slash))) return false;
    if (slash == std::string::npos) return true;
  }
}

}  // namespace

ResultSource::ResultSource() : rebuilder_(std::make_shared<FieldRebuilder>()) {}

void ResultSource::index_bodies() {
  for (std::size_t b = 0; b < info_.bodies.size(); ++b) bodies_.add(info_.bodies[b].name, b);
}

std::size_t ResultSource::rows_of(const std::string& name) const {
  if (name.starts_with("contacts/")) return info_.contact_points;
  const bool of_field = info_.fields_apart && (name == "field_rows" || name == "contact_ends" ||
                                               name.starts_with("fields/") || name.starts_with("bodies/"));
  return static_cast<std::size_t>(of_field ? info_.field_rows : info_.steps);
}

ResultArray ResultSource::read_last(const std::string& name) const {
  const std::size_t rows = rows_of(name);
  return read_rows(name, {rows > 0 ? rows - 1 : 0, 1});
}

ResultArray ResultSource::read_rows(const std::string& name, RowRange rows) const {
  if (const auto [body_name, field] = words_of_part(name); !field.empty())
    if (const std::size_t b = bodies_.find(body_name); b != NameIndex::none)
      if (const ResultBody& body = info_.bodies[b]; FieldRebuilder::makes(info_, body, field))
        return rebuilder_->make(*this, body, field, rows);
  return stored(name, rows);
}

ResultArray ResultFile::stored(const std::string& name, RowRange rows) const {
  return hdf5::naming(info_.path, "read", [&] {
    const hdf5::Handle file = hdf5::open_to_read(info_.path);
    if (hdf5::text_attribute(file, "run") != info_.run)
      throw RunError("another run has replaced the file since it was opened; open it again");
    const auto missing = [&] { return InputError("results '" + info_.path + "' have no '" + name + "'"); };
    FieldPart part{name, 0, {}};
    bool whole = true;
    if (const auto [body_name, field] = words_of_part(name); !field.empty()) {
      const std::size_t b = bodies_.find(body_name);
      if (b == NameIndex::none) throw missing();
      if (const auto fixed = fixed_part(info_.bodies[b], field)) return *fixed;
      part = field_part(info_.bodies[b], field);
      whole = false;
    }
    if (part.dataset.empty() || !has_dataset(file, part.dataset)) throw missing();
    const hdf5::Handle data = hdf5::open_dataset(file, part.dataset);
    const hdf5::Shape stored = hdf5::shape(data);
    if (!hdf5::grows(data)) {
      if (part.dataset == "bodies" || part.dataset == "contacts/names") throw missing();
      return ResultArray{{stored.begin(), stored.end()}, std::make_shared<std::vector<double>>(hdf5::read_array(data))};
    }
    if (whole) part.row.assign(stored.begin() + 1, stored.end());
    const hdf5::Range some = clipped(rows, rows_of(part.dataset));
    std::vector<std::size_t> shape = part.row;
    shape.insert(shape.begin(), some.count);
    ResultArray array = array_of(std::move(shape));
    read_series(file, part.dataset, some, {part.first, whole ? hdf5::entries(data) : part.entries()},
                array.values->data());
    return array;
  });
}

// ---- in memory ----

Recording::Recording(const System& system, const std::string& model_yaml) {
  info_ = result_info(system, "", model_yaml);
  index_bodies();
  const auto set = [&](SeriesSet::Part part, NameIndex& names) {
    auto made = std::make_unique<SeriesSet>(&system, info_, SeriesSet::Layout::memory, part);
    for (std::size_t k = 0; k < made->all().size(); ++k) names.add(made->all()[k].name, k);
    return made;
  };
  rows_ = set(info_.fields_apart ? SeriesSet::Part::channels : SeriesSet::Part::all, in_rows_);
  if (info_.fields_apart) fields_ = set(SeriesSet::Part::fields, in_fields_);
  if (info_.contacts) contacts_ = set(SeriesSet::Part::contacts, in_contacts_);
}
Recording::~Recording() = default;

void Recording::write(const OutputRow& row) {
  const auto number = static_cast<std::size_t>(info_.steps);
  rows_->add(row, number);
  if (fields_ && row.fields) fields_->add(row, number);
  if (contacts_ && (row.fields || !fields_)) contacts_->add(row, number);
  if (contacts_) info_.contact_points = contacts_->rows();
  ResultStage& stage = info_.stages[static_cast<std::size_t>(row.step.stage)];
  if (stage.rows++ == 0) stage.first_row = info_.steps;
  ++info_.steps;
  info_.field_rows += row.fields || !fields_;
}

void Recording::finish(const std::string& report) {
  info_.report_json = report;
  info_.complete = true;
}

ResultArray Recording::stored(const std::string& name, RowRange rows) const {
  const auto find = [&](const SeriesSet* set, const NameIndex& names) -> std::optional<ResultArray> {
    const std::size_t k = names.find(name);
    if (k == NameIndex::none) return {};
    const Series& series = set->all()[k];
    ResultArray array{series.row, series.values};
    const hdf5::Range some = clipped(rows, set->rows());
    array.shape.insert(array.shape.begin(), some.count);
    if (some.count < set->rows()) {
      const auto first = series.values->begin() + static_cast<std::ptrdiff_t>(some.first * series.width);
      const auto last = first + static_cast<std::ptrdiff_t>(some.count * series.width);
      array.values = std::make_shared<std::vector<double>>(first, last);
    }
    return array;
  };
  if (const auto found = find(rows_.get(), in_rows_)) return *found;
  if (const auto found = find(fields_.get(), in_fields_)) return *found;
  if (const auto found = find(contacts_.get(), in_contacts_)) return *found;
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

// A line for each body; of very many the rest are counted.
std::string describe_bodies(const ResultFile& file) {
  constexpr std::size_t most = 50;
  const ResultInfo& info = file.info();
  std::string text;
  auto out = std::back_inserter(text);
  const std::size_t shown = info.bodies.size() > most + 1 ? most : info.bodies.size();
  for (std::size_t b = 0; b < shown; ++b) {
    const ResultBody& body = info.bodies[b];
    fmt::format_to(out, "body '{}': {}, {} elements, {} nodes", body.name, body.element, body.elements(), body.nodes);
    if (body.reduced()) {
      const ResultBase& base = info.bases[static_cast<std::size_t>(body.base)];
      fmt::format_to(out, ", reduced to {} modes ({})", body.modes, base.method);
    } else if (info.field_rows > 0 && body.stress) {
      const std::vector<double> stress = *file.read_last("bodies/" + body.name + "/von_mises").values;
      fmt::format_to(out, ", von Mises at the nodes up to {:.4g} Pa at the end",
                     *std::max_element(stress.begin(), stress.end()));
    }
    text += "\n";
  }
  std::map<std::string, int> rest;
  for (std::size_t b = shown; b < info.bodies.size(); ++b) ++rest[info.bodies[b].element];
  if (!rest.empty()) fmt::format_to(out, "and {} more bodies:", info.bodies.size() - shown);
  for (const auto& [kind, count] : rest)
    fmt::format_to(out, " {} {}{}", count, kind, kind == rest.rbegin()->first ? "\n" : ",");
  const bool any = info.position || info.velocity || info.end.stress > 0;
  if (!info.bases.empty() && any)
    fmt::format_to(
        out, "{} reduced {} {}: fields are rebuilt where they are read (for ParaView: lithe expand {} -o FULL.h5)\n",
        info.end.rotation, info.end.rotation == 1 ? "body" : "bodies",
        info.bases.size() == 1 ? "of one base" : fmt::format("of {} bases", info.bases.size()), info.path);
  return text;
}

}  // namespace

std::string describe_results(const std::string& path) {
  const ResultFile file(path);
  const ResultInfo& info = file.info();
  std::string text =
      fmt::format("{}: model '{}', written by lithe {} (format {})\n", path, info.name, info.version, info.format);
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
  text += describe_bodies(file);
  if (info.contacts) {
    const std::vector<double> ends = *file.read("contact_ends").values;
    const double last = ends.size() > 1 ? ends[ends.size() - 2] : 0;
    fmt::format_to(out, "contacts: {} points that press in {} outputs, {} in the last one\n", info.contact_points,
                   ends.size(), static_cast<double>(info.contact_points) - last);
  }
  if (info.fields_apart) fmt::format_to(out, "fields of bodies at {} of {} outputs\n", info.field_rows, info.steps);
  for (const Channel& channel : info.channels) {
    const std::vector<double> values = *file.read_last("channels/" + channel.name).values;
    fmt::format_to(out, "channel '{}' at the end:", channel.name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string unit = i < channel.units.size() ? channel.units[i] : "";
      fmt::format_to(out, "{} {} = {:.6g}{}{}", i ? "," : "", channel.columns[i], values[i], unit.empty() ? "" : " ",
                     unit);
    }
    text += "\n";
  }
  return text;
}

void expand_results(const std::string& path, const std::string& to, bool force) {
  const ResultFile from(path);
  if (from.info().bases.empty())
    throw InputError("results '" + path + "' have no reduced bodies: their fields are there in full already");
  ResultWriter(RunFiles({.result = to, .inputs = {path}, .force = force}), from);
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
