#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "lithe/base/hdf5.h"
#include "lithe/base/interrupt.h"
#include "lithe/base/version.h"
#include "lithe/io/checkpoint.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/result_bodies.h"
#include "lithe/io/results.h"
#include "lithe/io/row_checksums.h"
#include "lithe/io/run_files.h"
#include "lithe/io/series.h"
#include "lithe/io/xdmf.h"

namespace lithe {

namespace {

using Clock = std::chrono::steady_clock;

// Rows go to the file after this time or at this size, whichever comes first: what a kill can cost.
constexpr std::chrono::milliseconds flush_time{200};
constexpr std::size_t flush_bytes = 4 << 20;

void require_file_names(const std::string& what, const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (name.empty() || name == "." || name.find('/') != std::string::npos)
      throw InputError(what + " '" + name + "': results need a name that is not empty and has no '/' in it");
}

// Small rows share a chunk so that a long run does not drown in chunks.
hsize_t rows_per_chunk(std::size_t row_numbers, bool dynamic) {
  const std::size_t most = dynamic ? 1024 : 256;
  return std::clamp<hsize_t>((dynamic ? 2048 : 1024) / std::max<std::size_t>(1, row_numbers), 1, most);
}

// What of the bodies: words of analysis.fields.
std::vector<std::string> recorded(const ResultInfo& info) {
  std::vector<std::string> fields;
  if (info.position) fields.emplace_back("position");
  if (info.velocity) fields.emplace_back("velocity");
  if (std::ranges::any_of(info.bodies, &ResultBody::stress)) fields.emplace_back("stress");
  if (info.contacts) fields.emplace_back("contact");
  return fields;
}

// What a result holds once it is written again: nothing yet, and no reduced bodies.
ResultInfo expanded(ResultInfo info) {
  info.format = ResultInfo{}.format;
  info.version = version();
  info.steps = info.field_rows = 0;
  info.complete = false;
  for (ResultStage& stage : info.stages) stage.first_row = stage.rows = 0;
  for (ResultBody& body : info.bodies) {
    body.base = -1;
    body.modes = 0;
  }
  info.bases.clear();
  place_bodies(info);
  return info;
}

std::string new_run() {
  return fmt::format("{}-{}", getpid(), std::chrono::system_clock::now().time_since_epoch().count());
}

}  // namespace

struct ResultWriter::Parts {
  Parts(RunFiles own, const System& system, const std::string& model_yaml)
      : Parts(std::move(own), result_info(system, "", model_yaml), &system) {}
  Parts(RunFiles own, ResultInfo contents, const System* system) : files(std::move(own)), info(std::move(contents)) {
    info.path = files.result();
    using Rows = SeriesSet::Part;
    const auto rows = [&](Rows part) { return SeriesSet(system, info, SeriesSet::Layout::file, part); };
    tables.push_back({"checksums", rows(info.fields_apart ? Rows::channels : Rows::all)});
    if (info.fields_apart) tables.push_back({"field_checksums", rows(Rows::fields)});
    if (info.contacts) tables.push_back({"contact_checksums", rows(Rows::contacts)});
    info.run = info.first_run = new_run();
    std::vector<std::string> names;
    for (const ResultBody& body : info.bodies) names.push_back(body.name);
    require_file_names("body", names);
    names.clear();
    for (const Channel& channel : info.channels) names.push_back(channel.name);
    require_file_names("output", names);
  }

  // Arrays that grow together.
  struct Table {
    std::string sums_name;
    SeriesSet rows;                           // not in the file yet
    std::vector<hdf5::Handle> datasets = {};  // of rows.all()
    std::vector<std::size_t> columns = {};    // of the checksums: the first of each series, and how many there are
    hdf5::Handle checksums = {};              // [row][column]
    std::size_t written = 0;                  // rows in the file
  };

  RunFiles files;
  ResultInfo info;
  hdf5::Handle file;
  std::vector<Table> tables;        // the steps; fields, where they have rows of their own; points of contact
  std::vector<std::uint64_t> sums;  // of the rows that are being written
  std::vector<double> times;        // of the steps in the file
  std::vector<double> stage_of_row, field_rows, contact_ends;
  Table& with_fields() { return tables[info.fields_apart ? 1 : 0]; }
  Table* contacts() { return info.contacts ? &tables.back() : nullptr; }
  bool is_contacts(std::size_t table) const { return info.contacts && table + 1 == tables.size(); }
  Clock::time_point last_flush{}, last_companion{};

  // Runs `action` on the open file; after a failure the file is closed and the error names it.
  template <class Action>
  void guarded(Action&& action) {
    hdf5::naming(info.path, "written", [&] {
      try {
        action();
      } catch (...) {
        hdf5::divert(file);
        close();
        throw;
      }
    });
  }
  bool close() {
    for (Table& table : tables) {
      table.datasets.clear();
      table.checksums.close();
    }
    return file.close();
  }
  // Its file, wherever that is by now.
  struct stat own_file() const {
    void* descriptor = nullptr;
    struct stat status {};
    hdf5::check(H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor));
    if (fstat(*static_cast<int*>(descriptor), &status) != 0) throw RunError(std::strerror(errno));
    return status;
  }
  void open(const Checkpoint* from);
  void create(const std::string& draft);
  void create(Table& table);
  void copy_rows(Table& table, hid_t old, hsize_t count);
  void take_rows(const ResultFile& from);
  void sum_up(const Table& table, std::size_t count);
  void flush();
  void flush(Table& table);
  void count_rows(std::size_t first);
  void update_companion();
};

void ResultWriter::Parts::create(const std::string& draft) {
  using namespace hdf5;
  const Handle access = shareable_access(), list = check(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // All of the top group in one block, with room for the report: adding it later is a single write.
  check(H5Pset_link_phase_change(list, 64, 32));
  check(H5Pset_est_link_info(list, 24, 16));
  file = check(H5Fcreate(draft.c_str(), H5F_ACC_EXCL, list, access), H5Fclose);
  write_attribute(file, "format", info.format);
  write_attribute(file, "lithe", info.version);
  write_attribute(file, "name", info.name);
  write_attribute(file, "analysis", info.analysis);
  std::vector<std::string> names, types;
  for (const ResultStage& stage : info.stages) {
    names.push_back(stage.name);
    types.push_back(stage.type);
  }
  write_attribute(file, "stages", names);
  write_attribute(file, "stage_types", types);
  write_attribute(file, "recorded", recorded(info));
  write_attribute(file, "run", info.run);
  write_attribute(file, "first_run", info.first_run);
  write_attribute(file, "complete", 0);
  write_text(file, "model", info.model_yaml);

  write_bodies(file, info);
  const Handle fields = group(file, "fields"), all_channels = group(file, "channels");
  if (info.contacts) {
    const Handle contacts = group(file, "contacts");
    std::vector<std::string> kinds(info.obstacles.size(), "obstacle"), called = info.obstacles;
    kinds.resize(kinds.size() + info.entries.size(), "contact");
    called.insert(called.end(), info.entries.begin(), info.entries.end());
    write_table(contacts, "names", {{{"kind", kinds}, {"name", called}}, {}});
  }
  for (Table& table : tables) create(table);
  for (const Channel& channel : info.channels) {
    const Handle here = open_dataset(all_channels, channel.name);
    write_attribute(here, "columns", channel.columns);
    write_attribute(here, "units", channel.units);
  }
}

void ResultWriter::Parts::create(Table& table) {
  using namespace hdf5;
  table.columns = {0};
  for (const Series& series : table.rows.all()) {
    table.datasets.push_back(growing(file, series.name, series.whole ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE,
                                     {series.row.begin(), series.row.end()},
                                     rows_per_chunk(series.width, info.dynamic())));
    const Handle& made = table.datasets.back();
    write_attribute(made, "checksum_column", static_cast<std::int32_t>(table.columns.back()));
    if (&table != &tables.front()) write_attribute(made, "checksum_table", table.sums_name);
    table.columns.push_back(table.columns.back() + checksum_columns(series.entries()));
  }
  table.checksums = growing(file, table.sums_name, H5T_NATIVE_UINT64, {table.columns.back()},
                            rows_per_chunk(table.columns.back(), info.dynamic()));
}

// The first rows of the old result into the new file.
void ResultWriter::Parts::copy_rows(Table& table, hid_t old, hsize_t count) {
  using namespace hdf5;
  std::vector<double> block;
  // By so many rows of so many numbers.
  const auto piecewise = [count](std::size_t width, auto&& copy) {
    const hsize_t at_once = std::max<std::size_t>(1, flush_bytes / sizeof(double) / std::max<std::size_t>(1, width));
    for (hsize_t first = 0; first < count; first += at_once) {
      copy(Range{first, std::min(at_once, count - first)});
      check_interrupt();
    }
  };
  for (std::size_t k = 0; k < table.datasets.size(); ++k) {
    const Series& series = table.rows.all()[k];
    std::vector<double>* kept = series.name == "time"           ? &times
                                : series.name == "stage"        ? &stage_of_row
                                : series.name == "field_rows"   ? &field_rows
                                : series.name == "contact_ends" ? &contact_ends
                                                                : nullptr;
    piecewise(series.width, [&](Range rows) {
      block.resize(rows.count * series.width);
      read_series(old, series.name, rows, {0, series.entries()}, block.data());
      append(table.datasets[k], rows.first, rows.count, block.data());
      if (kept) kept->insert(kept->end(), block.begin(), block.end());
    });
  }
  const hsize_t columns = table.columns.back();
  const Handle source = open_dataset(old, table.sums_name);
  if (entries(source) != columns) throw RunError("it is damaged: checksums of another shape");
  piecewise(columns, [&](Range rows) {
    sums.resize(rows.count * columns);
    read_rows(source, rows, {0, columns}, sums.data());
    append(table.checksums, rows.first, rows.count, sums.data());
  });
  table.written = count;
}

// All rows of another result, whoever keeps or makes them: some at a time, fields before their steps.
void ResultWriter::Parts::take_rows(const ResultFile& from) {
  for (std::size_t k = tables.size(); k-- > 0;) {
    Table& table = tables[k];
    const auto count = is_contacts(k) ? from.info().contact_points
                                      : static_cast<std::size_t>(k > 0 ? from.info().field_rows : from.info().steps);
    const std::size_t at_once =
        std::max<std::size_t>(1, flush_bytes / std::max<std::size_t>(1, table.rows.row_bytes()));
    for (std::size_t first = 0; first < count; first += at_once) {
      const RowRange rows{first, std::min(at_once, count - first)};
      for (const Series& series : table.rows.all()) {
        if (!series.name.starts_with("fields/")) {
          *series.values = *from.read_rows(series.name, rows).values;
          continue;
        }
        const std::string field = series.name.substr(7);
        const std::size_t width = series.width / series.entries();
        series.values->resize(rows.count * series.width);
        for (const ResultBody& body : info.bodies) {
          const FieldPart part = field_part(body, field);
          if (part.dataset.empty()) continue;
          const ResultArray own = from.read_rows("bodies/" + body.name + "/" + field, rows);
          const std::size_t numbers = part.entries() * width;
          for (std::size_t row = 0; row < rows.count; ++row)
            std::copy_n(own.values->data() + row * numbers, numbers,
                        series.values->data() + row * series.width + part.first * width);
        }
      }
      guarded([&] { flush(table); });
      check_interrupt();
    }
  }
  count_rows(0);
}

// The file is made beside its place and moved there once it can be read, whatever happens.
void ResultWriter::Parts::open(const Checkpoint* from) {
  const std::string draft = draft_path(info.path);
  guarded([&] {
    try {
      clear_draft(draft);
      create(draft);
      if (from) {
        const hdf5::Handle old = hdf5::open_to_read(info.path);
        copy_rows(tables[0], old, static_cast<hsize_t>(from->rows));
        if (info.fields_apart) copy_rows(tables[1], old, static_cast<hsize_t>(from->field_rows));
        if (info.contacts) {
          const std::size_t points = contact_ends.empty() ? 0 : static_cast<std::size_t>(contact_ends.back());
          copy_rows(*contacts(), old, points);
          with_fields().rows.count_points(points);
        }
        count_rows(0);
      }
      hdf5::check(H5Fstart_swmr_write(file));
      hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL));
      // The companion first: a result is never without one.
      update_companion();
      if (!from) std::remove(checkpoint_path(info.path).c_str());
      if (std::rename(draft.c_str(), info.path.c_str()) != 0) throw RunError(std::strerror(errno));
    } catch (...) {
      std::remove(draft.c_str());
      throw;
    }
  });
}

void ResultWriter::Parts::sum_up(const Table& table, std::size_t count) {
  const std::size_t columns = table.columns.back();
  sums.resize(count * columns);
  for (std::size_t k = 0; k < table.datasets.size(); ++k) {
    const Series& series = table.rows.all()[k];
    const std::size_t entries = series.entries();
    for (std::size_t row = 0; row < count && entries > 0; ++row)
      sum_row(series.values->data() + row * series.width, entries, series.width / entries, table.written + row,
              &sums[row * columns + table.columns[k]]);
  }
}

// What is known of the rows in the file, from number `first` on.
void ResultWriter::Parts::count_rows(std::size_t first) {
  info.steps = static_cast<int>(times.size());
  info.field_rows = info.fields_apart ? static_cast<int>(field_rows.size()) : info.steps;
  info.contact_points = contact_ends.empty() ? 0 : static_cast<std::size_t>(contact_ends.back());
  for (std::size_t row = first; row < times.size(); ++row) {
    ResultStage& stage = info.stages[info.stages.size() > 1 ? static_cast<std::size_t>(stage_of_row[row]) : 0];
    if (stage.rows++ == 0) stage.first_row = static_cast<int>(row);
  }
}

void ResultWriter::Parts::flush(Table& table) {
  const std::size_t count = table.rows.rows();
  if (count == 0) return;
  sum_up(table, count);
  hdf5::append(table.checksums, table.written, count, sums.data());
  for (std::size_t k = 0; k < table.datasets.size(); ++k) {
    // Time last: a step whose time is in the file is there as a whole.
    if (k + 1 == table.datasets.size()) hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL));
    hdf5::append(table.datasets[k], table.written, count, table.rows.all()[k].values->data());
  }
  hdf5::check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  for (const Series& series : table.rows.all()) {
    const auto keep = [&](const char* name, std::vector<double>& kept) {
      if (series.name == name) kept.insert(kept.end(), series.values->begin(), series.values->end());
    };
    keep("time", times);
    keep("stage", stage_of_row);
    keep("field_rows", field_rows);
    keep("contact_ends", contact_ends);
  }
  table.written += count;
  table.rows.clear();
}

void ResultWriter::Parts::flush() {
  const std::size_t before = times.size();
  if (tables[0].rows.rows() > 0)
    guarded([&] {
      if (own_file().st_nlink == 0) throw RunError("the file was removed while the run went on; run the model again");
      for (std::size_t k = tables.size(); k-- > 0;) flush(tables[k]);  // the steps after their fields
    });
  count_rows(before);
  last_flush = Clock::now();
  if (last_flush - last_companion > std::chrono::seconds(2)) update_companion();
}

void ResultWriter::Parts::update_companion() {
  write_companion(info, times, field_rows, contact_ends);
  last_companion = Clock::now();
}

ResultWriter::ResultWriter(RunFiles files, const System& system, const std::string& model_yaml)
    : parts_(std::make_unique<Parts>(std::move(files), system, model_yaml)) {
  parts_->open(nullptr);
}

ResultWriter::ResultWriter(const std::string& path, const System& system, const std::string& model_yaml)
    : ResultWriter(RunFiles({.result = path}), system, model_yaml) {}

ResultWriter::ResultWriter(RunFiles files, const System& system, const std::string& model_yaml, const Checkpoint& from)
    : parts_(std::make_unique<Parts>(std::move(files), system, model_yaml)) {
  const std::string& path = parts_->info.path;
  const ResultFile old(path);
  const std::string what = "results '" + path + "' and their checkpoint '" + checkpoint_path(path) + "' ";
  if (old.info().first_run != from.first_run) throw InputError(what + "are of different runs; run the model again");
  if (old.info().fields_apart != parts_->info.fields_apart || old.info().contacts != parts_->info.contacts)
    throw InputError(what + "differ in their fields; run the model again");
  for (std::size_t b = 0; b < parts_->info.bodies.size(); ++b)
    if (b >= old.info().bodies.size() || old.info().bodies[b].modes != parts_->info.bodies[b].modes)
      throw InputError(
          fmt::format("{}cannot go on: the file has other fields of body '{}' than this lithe writes (format "
                      "{}, now {}); run the model again",
                      what, parts_->info.bodies[b].name, old.info().format, parts_->info.format));
  if (old.info().steps < from.rows || old.info().field_rows < from.field_rows)
    throw InputError(fmt::format("{}do not fit: {} steps and {}; the results were cut or replaced, run the model again",
                                 what, old.info().steps, from.rows));
  parts_->info.first_run = from.first_run;
  parts_->open(&from);
}

ResultWriter::ResultWriter(RunFiles files, const ResultFile& of)
    : parts_(std::make_unique<Parts>(std::move(files), expanded(of.info()), nullptr)) {
  parts_->open(nullptr);
  try {
    parts_->take_rows(of);
    parts_->update_companion();
    if (of.info().complete) finish(of.info().report_json);
    else abandon();
  } catch (...) {  // no half of it is left
    parts_->close();
    std::remove(path().c_str());
    std::remove(companion().c_str());
    throw;
  }
}

ResultWriter::~ResultWriter() { abandon(); }

void ResultWriter::abandon() {
  if (!parts_->file) return;
  try {
    parts_->flush();
  } catch (const RunError&) {  // the run ends by another error already, or by this one at its last flush
  }
  const hdf5::Quiet quiet;
  parts_->close();
}

void ResultWriter::write(const OutputRow& row) {
  Parts& parts = *parts_;
  LITHE_INVARIANT(parts.file);
  const std::size_t number = parts.tables[0].written + parts.tables[0].rows.rows();
  parts.tables[0].rows.add(row, number);
  if (parts.info.fields_apart && row.fields) parts.tables[1].rows.add(row, number);
  if (parts.contacts() && (row.fields || !parts.info.fields_apart)) parts.contacts()->rows.add(row, number);
  std::size_t bytes = 0;
  for (const Parts::Table& table : parts.tables) bytes += table.rows.rows() * table.rows.row_bytes();
  const bool full = bytes >= flush_bytes;
  if (full || Clock::now() - parts.last_flush >= flush_time) parts.flush();
}

void ResultWriter::flush() { parts_->flush(); }

void ResultWriter::checkpoint(const State& state, const StagePlace& place) {
  Parts& parts = *parts_;
  LITHE_INVARIANT(parts.file);
  parts.flush();
  parts.guarded([&] { hdf5::synchronise(parts.file); });  // never a checkpoint of rows that a power cut takes away
  write_checkpoint(parts.info.path, {.first_run = parts.info.first_run,
                                     .rows = parts.info.steps,
                                     .model_yaml = parts.info.model_yaml,
                                     .state = state,
                                     .place = place,
                                     .field_rows = parts.info.field_rows});
}

void ResultWriter::finish(const std::string& report) {
  Parts& parts = *parts_;
  LITHE_INVARIANT(parts.file);
  parts.flush();
  struct stat own {
  }, there{};
  parts.guarded([&] {
    using namespace hdf5;
    own = parts.own_file();
    // The report is there as a whole before its name and the mark appear, which are one block.
    Handle text = unnamed_text(parts.file, report);
    check(H5Fflush(parts.file, H5F_SCOPE_GLOBAL));
    check(H5Olink(text, parts.file, "report", H5P_DEFAULT, H5P_DEFAULT));
    write_attribute(parts.file, "complete", 1);
    check(H5Fflush(parts.file, H5F_SCOPE_GLOBAL));
    if (!text.close() || !parts.close()) throw RunError(reason());
  });
  if (stat(parts.info.path.c_str(), &there) != 0 || there.st_ino != own.st_ino || there.st_dev != own.st_dev)
    throw RunError("results '" + parts.info.path + "' are not there: the file was " +
                   (own.st_nlink == 0 ? "removed" : "moved") + " while the run went on");
  parts.info.complete = true;
  parts.update_companion();
}

int ResultWriter::reduced_bodies() const { return parts_->info.end.rotation; }
const std::string& ResultWriter::path() const { return parts_->info.path; }
std::string ResultWriter::companion() const { return companion_path(parts_->info.path); }

}  // namespace lithe
