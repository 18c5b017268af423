#include "lithe/io/checkpoint.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/base/digest.h"
#include "lithe/base/hdf5.h"
#include "lithe/base/version.h"
#include "lithe/io/replace_file.h"
#include "lithe/system/state_fields.h"

namespace lithe {

namespace {

// 3: with a digest, slots and the stage.
constexpr int format = 5;

// The last line of the file.
constexpr const char* seal_mark = "lithe xxh64 ";
std::string seal(std::string_view bytes) {
  return fmt::format("{}{:016x}\n", seal_mark, xxh64(bytes.data(), bytes.size()));
}
constexpr std::size_t seal_size = 29;

hid_t type_of(double) { return H5T_NATIVE_DOUBLE; }
hid_t type_of(int) { return H5T_NATIVE_INT32; }
hid_t type_of(long long) { return H5T_NATIVE_INT64; }

struct FieldWriter {
  hid_t place;
  template <class T>
  void operator()(const std::string& name, const T& field) const {
    const hdf5::Handle space = hdf5::check(H5Screate(H5S_SCALAR), H5Sclose);
    put(name, type_of(field), space, &field);
  }
  void operator()(const std::string& name, const std::string& field) const { hdf5::write_text(place, name, field); }
  void operator()(const std::string& name, const bool& field) const { (*this)(name, static_cast<int>(field)); }
  void operator()(const std::string& name, const std::vector<double>& field) const {
    const hsize_t count = field.size();
    const hdf5::Handle space = hdf5::check(H5Screate_simple(1, &count, nullptr), H5Sclose);
    put(name, H5T_NATIVE_DOUBLE, space, count ? field.data() : nullptr);
  }
  void put(const std::string& name, hid_t type, hid_t space, const void* data) const {
    const hdf5::Handle dataset =
        hdf5::check(H5Dcreate2(place, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (data) hdf5::check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  }
};

struct FieldReader {
  hid_t place;
  template <class T>
  void operator()(const std::string& name, T& field) const {
    const hdf5::Handle dataset = hdf5::open_dataset(place, name);
    hdf5::check(H5Dread(dataset, type_of(field), H5S_ALL, H5S_ALL, H5P_DEFAULT, &field));
  }
  void operator()(const std::string& name, std::string& field) const { field = hdf5::read_text(place, name); }
  void operator()(const std::string& name, bool& field) const {
    int number = 0;
    (*this)(name, number);
    field = number != 0;
  }
  void operator()(const std::string& name, std::vector<double>& field) const {
    const hdf5::Handle dataset = hdf5::open_dataset(place, name);
    field.resize(hdf5::shape(dataset).at(0));
    if (!field.empty()) hdf5::check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, field.data()));
  }
};

// Built in memory, so that a full disk meets plain calls that can say so.
std::string image(const Checkpoint& checkpoint) {
  using namespace hdf5;
  const Handle access = check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, 1 << 20, false));
  // In HDF5's oldest format: HDF5 1.10 spoils the checksums of newer ones when it takes an image. The seal does for
  // all.
  const Handle file = check(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  write_attribute(file, "checkpoint", format);
  write_attribute(file, "lithe", std::string(version()));
  write_attribute(file, "first_run", checkpoint.first_run);
  write_text(file, "model", checkpoint.model_yaml);
  FieldWriter{file}("rows", checkpoint.rows);
  FieldWriter{file}("field_rows", checkpoint.field_rows);
  FieldWriter{file}("stage", checkpoint.place.stage);
  FieldWriter{file}("stage_rows", checkpoint.place.rows);
  FieldWriter{file}("field_intervals", checkpoint.place.intervals);
  const Handle state = group(file, "state");
  for (const char* part : {"slots", "past", "memory", "energy", "linearisation"}) group(state, part);
  visit_state(checkpoint.state, FieldWriter{state});
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw RunError(reason());
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) < 0) throw RunError(reason());
  return bytes;
}

// The bytes that the seal vouches for. Throws RunError.
std::string sealed_bytes(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  std::string bytes = std::move(all).str();
  if (!bytes.starts_with("\x89HDF\r\n\x1a\n")) throw RunError("this is not an HDF5 file");
  const std::string last = bytes.size() < seal_size ? "" : bytes.substr(bytes.size() - seal_size);
  if (!last.starts_with(seal_mark))
    throw RunError("this is not a checkpoint of lithe with a checksum at its end, or it was cut short");
  bytes.resize(bytes.size() - seal_size);
  if (seal(bytes) != last) throw RunError("it is damaged: its checksum does not fit; run the model again");
  return bytes;
}

}  // namespace

std::string checkpoint_path(const std::string& results_path) {
  return std::filesystem::path(results_path).replace_extension(".checkpoint.h5").string();
}

void write_checkpoint(const std::string& results_path, const Checkpoint& checkpoint) {
  const hdf5::Quiet quiet;
  std::string bytes = image(checkpoint);
  bytes += seal(bytes);
  replace_file(checkpoint_path(results_path), bytes, "checkpoint", true);
}

Checkpoint read_checkpoint(const std::string& results_path) {
  const std::string path = checkpoint_path(results_path);
  const hdf5::Quiet quiet;
  if (!std::filesystem::exists(path))
    throw InputError("results '" + results_path + "' have no checkpoint '" + path +
                     "'; runs write one with --checkpoint-every (analysis.checkpoint_step)");
  try {
    using namespace hdf5;
    std::string bytes = sealed_bytes(path);
    const Handle access = check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(H5Pset_fapl_core(access, 1 << 20, false));
    check(H5Pset_file_image(access, bytes.data(), bytes.size()));
    const Handle file = check(H5Fopen("checkpoint", H5F_ACC_RDONLY, access), H5Fclose);
    if (H5Aexists(file, "checkpoint") <= 0) throw RunError("this HDF5 file is not a checkpoint of lithe");
    const int found = number_attribute(file, "checkpoint");
    if (found != format)
      throw RunError("it has format " + std::to_string(found) + " (lithe " + text_attribute(file, "lithe") +
                     "), but this lithe (" + version() + ") goes on from format " + std::to_string(format) + " alone");
    Checkpoint checkpoint;
    checkpoint.version = text_attribute(file, "lithe");
    checkpoint.first_run = text_attribute(file, "first_run");
    checkpoint.model_yaml = read_text(file, "model");
    FieldReader{file}("rows", checkpoint.rows);
    FieldReader{file}("field_rows", checkpoint.field_rows);
    FieldReader{file}("stage", checkpoint.place.stage);
    FieldReader{file}("stage_rows", checkpoint.place.rows);
    FieldReader{file}("field_intervals", checkpoint.place.intervals);
    const Handle state = check(H5Gopen2(file, "state", H5P_DEFAULT), H5Gclose);
    visit_state(checkpoint.state, FieldReader{state});
    return checkpoint;
  } catch (const RunError& error) {
    throw InputError("checkpoint '" + path + "' cannot be read: " + error.what());
  }
}

}  // namespace lithe
