#include "lithe/io/hdf5.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

namespace lithe::hdf5 {

namespace {

// The stack of errors runs from the public call down to the system call that failed; the latter says it best.
herr_t collect(unsigned, const H5E_error2_t* error, void* data) {
  auto& best = *static_cast<std::string*>(data);
  const std::string text = error->desc ? error->desc : "";
  const std::string mark = "error message = '";
  const std::size_t start = text.find(mark);
  if (start != std::string::npos) {
    const std::size_t first = start + mark.size();
    best = text.substr(first, text.find('\'', first) - first);
    return 1;
  }
  if (!text.empty()) best = text;
  return 0;
}

Handle text_type() {
  Handle type = check(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

std::vector<std::string> take_texts(hid_t type, hid_t space, std::vector<char*>& raw) {
  std::vector<std::string> texts;
  for (const char* text : raw) texts.emplace_back(text ? text : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
  return texts;
}

}  // namespace

Quiet::Quiet() {
  static std::recursive_mutex one_at_a_time;
  alone_ = std::unique_lock(one_at_a_time);
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &text);
  return text.empty() ? "HDF5 gives no reason" : text;
}

Handle check(hid_t id, herr_t (*close)(hid_t)) {
  if (id < 0) throw RunError(reason());
  return {id, close};
}
void check(herr_t status) {
  if (status < 0) throw RunError(reason());
}

Handle shareable_access() {
  Handle list = check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  return list;
}

Handle open_to_read(const std::string& path) {
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
  if (id < 0) id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  return check(id, H5Fclose);
}

namespace {

int* descriptor_of(const Handle& file) {
  void* descriptor = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor) >= 0 ? static_cast<int*>(descriptor) : nullptr;
}

}  // namespace

void synchronise(const Handle& file) {
  const int* descriptor = descriptor_of(file);
  if (descriptor && fdatasync(*descriptor) != 0 && errno != EINVAL) throw RunError(std::strerror(errno));
}

void divert(const Handle& file) {
  if (!file) return;
  int* descriptor = descriptor_of(file);
  const int nowhere = memfd_create("lithe_results", 0);
  if (nowhere >= 0 && descriptor) dup2(nowhere, *descriptor);
  if (nowhere >= 0) close(nowhere);
}

Handle group(hid_t parent, const std::string& name) {
  const Handle list = check(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  check(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return check(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, list, H5P_DEFAULT), H5Gclose);
}

Handle dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape) {
  const Handle space = check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  return check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
}

Handle growing(hid_t parent, const std::string& name, hid_t type, const Shape& row, hsize_t rows) {
  Shape now{0}, most{H5S_UNLIMITED}, chunk{rows};
  for (const hsize_t n : row) {
    now.push_back(n);
    most.push_back(n);
    chunk.push_back(std::max<hsize_t>(1, n));
  }
  const int rank = static_cast<int>(now.size());
  const Handle space = check(H5Screate_simple(rank, now.data(), most.data()), H5Sclose);
  const Handle list = check(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(list, rank, chunk.data()));
  // Steps that were never written (a killed run) read as NaN, which no result contains.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0) check(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nan));
  return check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
}

namespace {

// Memory and file spaces of some rows of a dataset.
std::pair<Handle, Handle> rows_of(hid_t dataset, hsize_t first, hsize_t rows) {
  Handle file = check(H5Dget_space(dataset), H5Sclose);
  Shape count = shape(dataset), start(count.size(), 0);
  start[0] = first;
  count[0] = rows;
  check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  return {check(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose), std::move(file)};
}

}  // namespace

void append(hid_t dataset, hsize_t first, hsize_t count, const double* data) {
  Shape size = shape(dataset);
  size[0] = first + count;
  check(H5Dset_extent(dataset, size.data()));
  if (std::find(size.begin(), size.end(), 0) != size.end()) return;
  const auto [memory, file] = rows_of(dataset, first, count);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, data));
}

void read_rows(hid_t dataset, hsize_t first, hsize_t count, double* data) {
  const auto [memory, file] = rows_of(dataset, first, count);
  check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, data));
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return check(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose);
}

Shape shape(hid_t dataset) {
  const Handle space = check(H5Dget_space(dataset), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  check(rank);
  Shape size(static_cast<std::size_t>(rank));
  if (rank > 0) check(H5Sget_simple_extent_dims(space, size.data(), nullptr));
  return size;
}

bool exists(hid_t parent, const std::string& name) { return H5Lexists(parent, name.c_str(), H5P_DEFAULT) > 0; }

std::vector<std::string> children(hid_t parent, const std::string& name) {
  const Handle group = check(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose);
  std::vector<std::string> names;
  auto visit = [](hid_t, const char* child, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(child);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, visit, &names));
  return names;
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(), space = check(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute = check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* data = text.c_str();
  check(H5Awrite(attribute, type, &data));
}

void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  const hsize_t count = texts.size();
  const Handle type = text_type(), space = check(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute = check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  std::vector<const char*> data;
  for (const auto& text : texts) data.push_back(text.c_str());
  if (!data.empty()) check(H5Awrite(attribute, type, data.data()));
}

void write_attribute(hid_t object, const std::string& name, std::int32_t number) {
  Handle attribute;
  if (H5Aexists(object, name.c_str()) > 0) {
    attribute = check(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  } else {
    const Handle space = check(H5Screate(H5S_SCALAR), H5Sclose);
    attribute = check(H5Acreate2(object, name.c_str(), H5T_NATIVE_INT32, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  }
  check(H5Awrite(attribute, H5T_NATIVE_INT32, &number));
}

std::vector<std::string> texts_attribute(hid_t object, const std::string& name) {
  const Handle attribute = check(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle type = text_type(), space = check(H5Aget_space(attribute), H5Sclose);
  std::vector<char*> raw(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), nullptr);
  if (raw.empty()) return {};
  check(H5Aread(attribute, type, raw.data()));
  return take_texts(type, space, raw);
}

std::string text_attribute(hid_t object, const std::string& name) {
  const auto texts = texts_attribute(object, name);
  return texts.empty() ? "" : texts.front();
}

std::int32_t number_attribute(hid_t object, const std::string& name) {
  const Handle attribute = check(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  std::int32_t number = 0;
  check(H5Aread(attribute, H5T_NATIVE_INT32, &number));
  return number;
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  const Handle type = text_type(), space = check(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle data =
      check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const char* pointer = text.c_str();
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer));
}

Handle unnamed_text(hid_t file, const std::string& text) {
  const Handle type = check(H5Tcopy(H5T_C_S1), H5Tclose), space = check(H5Screate(H5S_SCALAR), H5Sclose);
  check(H5Tset_size(type, text.size() + 1));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  Handle data = check(H5Dcreate_anon(file, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
  return data;
}

std::string read_text(hid_t parent, const std::string& name) {
  const Handle data = open_dataset(parent, name);
  const Handle stored = check(H5Dget_type(data), H5Tclose), space = check(H5Dget_space(data), H5Sclose);
  if (H5Tis_variable_str(stored) > 0) {
    const Handle type = text_type();
    std::vector<char*> raw(1, nullptr);
    check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()));
    return take_texts(type, space, raw).front();
  }
  std::string text(H5Tget_size(stored), '\0');
  check(H5Dread(data, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  return text.c_str();
}

}  // namespace lithe::hdf5
