#include "lithe/io/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "lithe/base/version.h"
#include "lithe/io/hdf5.h"
#include "lithe/system/state_fields.h"

namespace lithe {

namespace {

constexpr int format = 1;

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
std::vector<char> image(const Checkpoint& checkpoint) {
  using namespace hdf5;
  const Handle access = check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access, 1 << 20, false));
  const Handle file = check(H5Fcreate("checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  write_attribute(file, "checkpoint", format);
  write_attribute(file, "lithe", std::string(version()));
  write_attribute(file, "first_run", checkpoint.first_run);
  write_text(file, "model", checkpoint.model_yaml);
  FieldWriter{file}("rows", checkpoint.rows);
  const Handle state = group(file, "state");
  for (const char* part : {"past", "memory", "energy", "linearisation"}) group(state, part);
  visit_state(checkpoint.state, FieldWriter{state});
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw RunError(reason());
  std::vector<char> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) < 0) throw RunError(reason());
  return bytes;
}

// False with errno where it could not be done.
bool written_and_synchronised(const std::string& path, const std::vector<char>& bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return false;
  std::size_t done = 0;
  bool ok = true;
  while (ok && done < bytes.size()) {
    const ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
    if (n > 0) done += static_cast<std::size_t>(n);
    else ok = n < 0 && errno == EINTR;
  }
  ok = ok && fsync(file) == 0;
  const int error = errno;
  ok = close(file) == 0 && ok;
  if (error) errno = error;
  return ok;
}

// A new name is on the disk once its folder is; some file systems cannot, and lose the newest checkpoint then.
void synchronise_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  (void)fsync(file);
  close(file);
}

}  // namespace

std::string checkpoint_path(const std::string& results_path) {
  return std::filesystem::path(results_path).replace_extension(".checkpoint.h5").string();
}

void write_checkpoint(const std::string& results_path, const Checkpoint& checkpoint) {
  const std::string path = checkpoint_path(results_path), draft = path + ".part";
  const hdf5::Quiet quiet;
  const std::vector<char> bytes = image(checkpoint);
  errno = 0;
  if (!written_and_synchronised(draft, bytes) || std::rename(draft.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    std::remove(draft.c_str());
    throw RunError("checkpoint '" + path + "' cannot be written: " + why);
  }
  synchronise_folder(path);
}

Checkpoint read_checkpoint(const std::string& results_path) {
  const std::string path = checkpoint_path(results_path);
  const hdf5::Quiet quiet;
  if (!std::filesystem::exists(path))
    throw InputError("results '" + results_path + "' have no checkpoint '" + path +
                     "'; runs write one with --checkpoint-every (analysis.checkpoint_step)");
  try {
    using namespace hdf5;
    if (H5Fis_hdf5(path.c_str()) <= 0) throw RunError("this is not an HDF5 file (or it was cut short)");
    const Handle file = check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    if (H5Aexists(file, "checkpoint") <= 0) throw RunError("this HDF5 file is not a checkpoint of lithe");
    const int found = number_attribute(file, "checkpoint");
    if (found != format)
      throw RunError("it has format " + std::to_string(found) + " (lithe " + text_attribute(file, "lithe") +
                     "), but this lithe (" + version() + ") goes on from format " + std::to_string(format) + " alone");
    Checkpoint checkpoint;
    checkpoint.first_run = text_attribute(file, "first_run");
    checkpoint.model_yaml = read_text(file, "model");
    FieldReader{file}("rows", checkpoint.rows);
    const Handle state = check(H5Gopen2(file, "state", H5P_DEFAULT), H5Gclose);
    visit_state(checkpoint.state, FieldReader{state});
    return checkpoint;
  } catch (const RunError& error) {
    throw InputError("checkpoint '" + path + "' cannot be read: " + error.what());
  }
}

}  // namespace lithe
