#include "lithe/io/results.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lithe/base/version.h"
#include "lithe/io/hdf5.h"
#include "lithe/io/xdmf.h"

namespace lithe {

namespace {

using Clock = std::chrono::steady_clock;

// Coordinates of a body lie in one piece of q.
const double* coordinates_of(const std::vector<double>& q, const BodyInfo& body) {
  return q.data() + 3 * static_cast<std::size_t>(body.first_vector);
}

ResultInfo make_info(const System& system, const std::string& path, const std::string& model_yaml) {
  ResultInfo info;
  info.path = path;
  info.version = version();
  info.name = system.model.name;
  info.model_yaml = model_yaml;
  for (const BodyInfo& body : system.bodies) {
    const ElementInfo& element = element_info(body.kind);
    ResultBody entry{body.name,     element.name,       body.mesh.node_count(), body.node_vectors,
                     element.nodes, body.mesh.elements, body.mesh.size,         {}};
    const double* first = coordinates_of(system.q0, body);
    entry.reference.assign(first, first + 3 * entry.nodes * entry.vectors);
    info.bodies.push_back(std::move(entry));
  }
  info.channels = channels(system);
  return info;
}

void require_file_names(const std::string& what, const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (name.empty() || name == "." || name.find('/') != std::string::npos)
      throw InputError(what + " '" + name + "': results need a name that is not empty and has no '/' in it");
}

hsize_t size_of(std::size_t n) { return static_cast<hsize_t>(n); }

// Small rows share a chunk so that a long run does not drown in chunks.
hsize_t rows_per_chunk(std::size_t row_numbers) {
  return std::clamp<hsize_t>(1024 / std::max<std::size_t>(1, row_numbers), 1, 256);
}

hdf5::Handle shareable_access() {
  hdf5::Handle list = hdf5::check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  hdf5::check(H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  return list;
}

// "results 'out.h5' cannot be written: No space left on device" for whatever HDF5 throws inside.
template <class Action>
auto naming(const std::string& path, const char* verb, Action&& action) {
  const hdf5::Quiet quiet;
  try {
    return action();
  } catch (const RunError& error) {
    throw RunError("results '" + path + "' cannot be " + verb + ": " + error.what());
  }
}

// After a failed write HDF5 1.10 can neither close the file nor end the program without crashing. Let what it still
// holds go into memory that nobody reads; the file keeps what the last flush wrote.
void divert(const hdf5::Handle& file) {
  if (!file) return;
  void* descriptor = nullptr;
  const int nowhere = memfd_create("lithe_results", 0);
  if (nowhere >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0 && descriptor)
    dup2(nowhere, *static_cast<int*>(descriptor));
  if (nowhere >= 0) close(nowhere);
}

}  // namespace

// ---- writing ----

struct ResultWriter::Parts {
  const System* system;
  ResultInfo info;
  hdf5::Handle file;
  struct BodyData {
    hdf5::Handle coordinates, position, displacement, von_mises;
  };
  hdf5::Handle time, load_factor, iterations, residual;
  std::vector<BodyData> bodies;
  std::vector<hdf5::Handle> channels;

  std::vector<double> times;       // of the steps written
  std::size_t next_companion = 1;  // number of steps at which the companion is due
  Clock::time_point last_companion = Clock::now();
  std::vector<double> position, displacement;

  // Runs `action` on the open file; after a failure the file is closed and the error names it.
  template <class Action>
  void guarded(Action&& action) {
    naming(info.path, "written", [&] {
      try {
        action();
      } catch (...) {
        divert(file);
        close_datasets();
        file.close();
        throw;
      }
    });
  }
  void create();
  void add(const State& state, const StaticStep& step, const Workspace& work);
  void update_companion(bool now);
  void close_datasets() {
    bodies.clear();
    channels.clear();
    for (hdf5::Handle* each : {&time, &load_factor, &iterations, &residual}) each->close();
  }
};

void ResultWriter::Parts::create() {
  using namespace hdf5;
  const Handle access = shareable_access();
  file = check(H5Fcreate(info.path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  write_attribute(file, "format", info.format);
  write_attribute(file, "lithe", info.version);
  write_attribute(file, "name", info.name);
  write_attribute(file, "run", info.run);
  write_attribute(file, "complete", 0);
  write_text(file, "model", info.model_yaml);
  time = growing(file, "time", H5T_NATIVE_DOUBLE, {}, 256);
  load_factor = growing(file, "load_factor", H5T_NATIVE_DOUBLE, {}, 256);
  iterations = growing(file, "iterations", H5T_NATIVE_INT32, {}, 256);
  residual = growing(file, "residual", H5T_NATIVE_DOUBLE, {}, 256);

  const Handle all_bodies = group(file, "bodies");
  for (const ResultBody& body : info.bodies) {
    const Handle here = group(all_bodies, body.name);
    write_attribute(here, "kind", body.element);
    const hsize_t elements = body.connectivity.size() / body.element_nodes, nodes = body.nodes, vectors = body.vectors;
    const Handle connectivity =
        dataset(here, "connectivity", H5T_NATIVE_INT32, {elements, size_of(body.element_nodes)});
    check(H5Dwrite(connectivity, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, body.connectivity.data()));
    const Handle size = dataset(here, "size", H5T_NATIVE_DOUBLE, {elements, 3});
    check(H5Dwrite(size, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, body.size.data()));
    const Handle reference = dataset(here, "reference", H5T_NATIVE_DOUBLE, {nodes, vectors, 3});
    check(H5Dwrite(reference, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, body.reference.data()));

    BodyData data;
    data.coordinates =
        growing(here, "coordinates", H5T_NATIVE_DOUBLE, {nodes, vectors, 3}, rows_per_chunk(3 * nodes * vectors));
    data.position = growing(here, "position", H5T_NATIVE_DOUBLE, {nodes, 3}, rows_per_chunk(3 * nodes));
    data.displacement = growing(here, "displacement", H5T_NATIVE_DOUBLE, {nodes, 3}, rows_per_chunk(3 * nodes));
    if (body.element != "cable")
      data.von_mises = growing(here, "von_mises", H5T_NATIVE_DOUBLE, {nodes}, rows_per_chunk(nodes));
    bodies.push_back(std::move(data));
  }

  const Handle all_channels = group(file, "channels");
  for (const Channel& channel : info.channels) {
    const hsize_t columns = channel.columns.size();
    channels.push_back(growing(all_channels, channel.name, H5T_NATIVE_DOUBLE, {columns}, rows_per_chunk(columns)));
    write_attribute(channels.back(), "columns", channel.columns);
    write_attribute(channels.back(), "units", channel.units);
  }
  check(H5Fstart_swmr_write(file));
}

void ResultWriter::Parts::add(const State& state, const StaticStep& step, const Workspace& work) {
  using namespace hdf5;
  const hsize_t row = times.size();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyInfo& body = system->bodies[b];
    const ResultBody& shape = info.bodies[b];
    const double* q = coordinates_of(state.q, body);
    append(bodies[b].coordinates, H5T_NATIVE_DOUBLE, row, q);
    position.resize(3 * static_cast<std::size_t>(shape.nodes));
    displacement.resize(position.size());
    for (int node = 0; node < shape.nodes; ++node)
      for (int k = 0; k < 3; ++k) {
        const std::size_t from = 3 * static_cast<std::size_t>(node) * shape.vectors + k, to = 3 * node + k;
        position[to] = q[from];
        displacement[to] = q[from] - shape.reference[from];
      }
    append(bodies[b].position, H5T_NATIVE_DOUBLE, row, position.data());
    append(bodies[b].displacement, H5T_NATIVE_DOUBLE, row, displacement.data());
    if (bodies[b].von_mises)
      append(bodies[b].von_mises, H5T_NATIVE_DOUBLE, row, nodal_von_mises(*system, state, static_cast<int>(b)).data());
  }
  const std::vector<double> values = channel_values(*system, state, work);
  std::size_t next = 0;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!info.channels[c].columns.empty()) append(channels[c], H5T_NATIVE_DOUBLE, row, &values[next]);
    next += info.channels[c].columns.size();
  }
  append(load_factor, H5T_NATIVE_DOUBLE, row, &state.load_factor);
  append(iterations, H5T_NATIVE_INT, row, &step.iterations);
  append(residual, H5T_NATIVE_DOUBLE, row, &step.residual);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  // Time last: a step whose time is in the file is there as a whole.
  append(time, H5T_NATIVE_DOUBLE, row, &state.t);
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  times.push_back(state.t);
  info.steps = static_cast<int>(times.size());
}

// Whole rewrites, at a number of steps that grows by a tenth and every two seconds: their total cost stays small.
void ResultWriter::Parts::update_companion(bool now) {
  if (!now && times.size() < next_companion && Clock::now() - last_companion < std::chrono::seconds(2)) return;
  write_companion(info, times);
  next_companion = times.size() + 1 + times.size() / 10;
  last_companion = Clock::now();
}

ResultWriter::ResultWriter(const std::string& path, const System& system, const std::string& model_yaml)
    : parts_(std::make_unique<Parts>()) {
  parts_->system = &system;
  parts_->info = make_info(system, path, model_yaml);
  parts_->info.run = fmt::format("{}-{}", getpid(), std::chrono::system_clock::now().time_since_epoch().count());
  std::vector<std::string> names;
  for (const auto& body : system.bodies) names.push_back(body.name);
  require_file_names("body", names);
  require_file_names("output", system.model.outputs.names());
  if (const auto folder = std::filesystem::path(path).parent_path(); !folder.empty()) {
    std::error_code ignored;  // what cannot be made shows when the file is created
    std::filesystem::create_directories(folder, ignored);
  }
  parts_->guarded([&] { parts_->create(); });
  parts_->update_companion(true);
}

ResultWriter::~ResultWriter() {
  if (!parts_) return;
  const hdf5::Quiet quiet;
  parts_.reset();
}
ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;

void ResultWriter::write(const State& state, const StaticStep& step, const Workspace& work) {
  LITHE_INVARIANT(parts_->file);
  parts_->guarded([&] { parts_->add(state, step, work); });
  parts_->update_companion(false);
}

void ResultWriter::finish(const std::string& report) {
  Parts& parts = *parts_;
  LITHE_INVARIANT(parts.file);
  parts.guarded([&] {
    using namespace hdf5;
    // The shared mode allows no new objects: close it, open again, add the report.
    check(H5Fflush(parts.file, H5F_SCOPE_GLOBAL));
    parts.close_datasets();
    if (!parts.file.close()) throw RunError(reason());
    const Handle access = shareable_access();
    parts.file = check(H5Fopen(parts.info.path.c_str(), H5F_ACC_RDWR, access), H5Fclose);
    write_text(parts.file, "report", report);
    write_attribute(parts.file, "complete", 1);
    check(H5Fflush(parts.file, H5F_SCOPE_GLOBAL));
    if (!parts.file.close()) throw RunError(reason());
  });
  parts.info.complete = true;
  parts.update_companion(true);
}

const std::string& ResultWriter::path() const { return parts_->info.path; }
std::string ResultWriter::companion() const { return companion_path(parts_->info.path); }

// ---- reading ----

namespace {

// As a file that may still be written, else as a plain one.
hdf5::Handle open_to_read(const std::string& path) {
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  if (id < 0) id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  return hdf5::check(id, H5Fclose);
}

std::vector<double> read_doubles(hid_t dataset, const hdf5::Shape& shape) {
  std::size_t count = 1;
  for (const hsize_t n : shape) count *= n;
  std::vector<double> values(count);
  if (count == 0) return values;
  const hdf5::Handle memory =
      hdf5::check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const hdf5::Handle file = hdf5::check(H5Dget_space(dataset), H5Sclose);
  const hdf5::Shape start(shape.size(), 0);
  hdf5::check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, shape.data(), nullptr));
  hdf5::check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, values.data()));
  return values;
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
  body.connectivity.resize(cells[0] * cells[1]);
  check(H5Dread(connectivity, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, body.connectivity.data()));
  body.reference = read_doubles(reference, nodes);
  body.size = read_doubles(size, shape(size));
  return body;
}

}  // namespace

ResultFile::ResultFile(const std::string& path) {
  const hdf5::Quiet quiet;
  if (!std::filesystem::exists(path)) throw InputError("results '" + path + "': there is no such file");
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
    info_.complete = number_attribute(file, "complete") != 0;
    info_.model_yaml = read_text(file, "model");
    if (exists(file, "report")) info_.report_json = read_text(file, "report");
    for (const auto& name : children(file, "bodies")) info_.bodies.push_back(read_body(file, name));
    for (const auto& name : children(file, "channels")) {
      const Handle channel = open_dataset(file, "channels/" + name);
      info_.channels.push_back({name, texts_attribute(channel, "columns"), texts_attribute(channel, "units")});
    }
    // A step counts once its time is there.
    const Handle time = open_dataset(file, "time");
    const std::vector<double> times = read_doubles(time, shape(time));
    const auto missing = std::find_if(times.begin(), times.end(), [](double t) { return std::isnan(t); });
    info_.steps = static_cast<int>(missing - times.begin());
  } catch (const RunError& error) {
    throw InputError("results '" + path + "' cannot be read: " + error.what());
  }
}

ResultArray ResultFile::read(const std::string& name) const {
  return naming(info_.path, "read", [&] {
    const hdf5::Handle file = open_to_read(info_.path);
    if (hdf5::text_attribute(file, "run") != info_.run)
      throw RunError("another run has replaced the file since it was opened; open it again");
    for (std::size_t slash = name.find('/');; slash = name.find('/', slash + 1)) {
      if (!hdf5::exists(file, name.substr(0, slash)))
        throw InputError("results '" + info_.path + "' have no '" + name + "'");
      if (slash == std::string::npos) break;
    }
    const hdf5::Handle data = hdf5::open_dataset(file, name);
    hdf5::Shape shape = hdf5::shape(data);
    const hdf5::Handle list = hdf5::check(H5Dget_create_plist(data), H5Pclose);
    if (H5Pget_layout(list) == H5D_CHUNKED) shape[0] = std::min<hsize_t>(shape[0], info_.steps);
    return ResultArray{{shape.begin(), shape.end()}, std::make_shared<std::vector<double>>(read_doubles(data, shape))};
  });
}

// ---- in memory ----

Recording::Recording(const System& system, const std::string& model_yaml) : system_(&system) {
  info_ = make_info(system, "", model_yaml);
  auto start = [&](const std::string& name, std::vector<std::size_t> row) {
    row.insert(row.begin(), 0);
    arrays_[name] = {std::move(row), std::make_shared<std::vector<double>>()};
  };
  for (const char* name : {"time", "load_factor", "iterations", "residual"}) start(name, {});
  for (const Channel& channel : info_.channels) start("channels/" + channel.name, {channel.columns.size()});
  for (const ResultBody& body : info_.bodies) {
    const std::size_t nodes = static_cast<std::size_t>(body.nodes), vectors = static_cast<std::size_t>(body.vectors);
    start("bodies/" + body.name + "/coordinates", {nodes, vectors, 3});
    if (body.element != "cable") start("bodies/" + body.name + "/von_mises", {nodes});
  }
}

void Recording::write(const State& state, const StaticStep& step, const Workspace& work) {
  auto add = [&](const std::string& name, const double* data, std::size_t count) {
    ResultArray& array = arrays_.at(name);
    array.values->insert(array.values->end(), data, data + count);
    ++array.shape[0];
  };
  for (std::size_t b = 0; b < info_.bodies.size(); ++b) {
    const ResultBody& body = info_.bodies[b];
    add("bodies/" + body.name + "/coordinates", coordinates_of(state.q, system_->bodies[b]), body.reference.size());
    if (body.element == "cable") continue;
    const std::vector<double> stress = nodal_von_mises(*system_, state, static_cast<int>(b));
    add("bodies/" + body.name + "/von_mises", stress.data(), stress.size());
  }
  const std::vector<double> values = channel_values(*system_, state, work);
  std::size_t next = 0;
  for (const Channel& channel : info_.channels) {
    add("channels/" + channel.name, values.data() + next, channel.columns.size());
    next += channel.columns.size();
  }
  const double iterations = step.iterations;
  add("time", &state.t, 1);
  add("load_factor", &state.load_factor, 1);
  add("iterations", &iterations, 1);
  add("residual", &step.residual, 1);
  ++info_.steps;
}

void Recording::finish(const std::string& report) {
  info_.report_json = report;
  info_.complete = true;
  system_ = nullptr;
}

ResultArray Recording::read(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw InputError("the results have no '" + name + "'");
  return found->second;
}

// ---- words ----

std::string describe_results(const std::string& path) {
  const ResultFile file(path);
  const ResultInfo& info = file.info();
  std::string text =
      fmt::format("{}: model '{}', written by lithe {} (format {})\n", path, info.name, info.version, info.format);
  auto out = std::back_inserter(text);
  const std::vector<double> time = *file.read("time").values, load = *file.read("load_factor").values;
  if (info.steps == 0) text += "no steps\n";
  else
    fmt::format_to(out, "{} step{}, time {:g} to {:g} s, load factor {:g} to {:g}\n", info.steps,
                   info.steps == 1 ? "" : "s", time.front(), time.back(), load.front(), load.back());
  if (!info.complete) {
    text += "not complete: the run is still going on, or it was stopped; the steps above are readable\n";
    fmt::format_to(out, "(to open a stopped run in ParaView: lithe info --repair {})\n", path);
  } else if (const auto report = nlohmann::json::parse(info.report_json, nullptr, false); report.is_object()) {
    const std::string message = report.value("message", "");
    fmt::format_to(out, "{}{}{}\n", report.value("reason", "complete"), message.empty() ? "" : ": ", message);
  }
  for (const ResultBody& body : info.bodies) {
    fmt::format_to(out, "body '{}': {}, {} elements, {} nodes", body.name, body.element,
                   body.connectivity.size() / static_cast<std::size_t>(body.element_nodes), body.nodes);
    if (info.steps > 0 && body.element != "cable") {
      const std::vector<double> stress = *file.read("bodies/" + body.name + "/von_mises").values;
      fmt::format_to(out, ", von Mises at the nodes up to {:.4g} Pa at the end",
                     *std::max_element(stress.end() - body.nodes, stress.end()));
    }
    text += "\n";
  }
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
  if (!std::filesystem::exists(path)) throw InputError("results '" + path + "': there is no such file");
  naming(path, "repaired", [&] {
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
