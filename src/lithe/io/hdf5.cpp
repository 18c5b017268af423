#include "lithe/io/hdf5.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "lithe/base/digest.h"

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

// Fixed length, ended by a zero.
Handle text_type(std::size_t length) {
  Handle type = check(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, length + 1));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void check_digest(hid_t dataset, const void* data, std::size_t bytes) {
  if (H5Aexists(dataset, "xxh64") <= 0) return;
  const Handle attribute = check(H5Aopen(dataset, "xxh64", H5P_DEFAULT), H5Aclose);
  std::uint64_t digest = 0;
  check(H5Aread(attribute, H5T_NATIVE_UINT64, &digest));
  if (digest != xxh64(data, bytes)) throw RunError("it is damaged or was cut short: a checksum does not fit");
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
  // While a run writes, a piece of its file may have to be read again. HDF5 waits 1, 2, 4, ... ns in between, and gives
  // up after 100 times: centuries. 25 times are 0.03 s.
  const Handle access = check(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_metadata_read_attempts(access, 25));
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
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

void write_array(hid_t parent, const std::string& name, hid_t type, const Shape& shape,
                 const std::vector<double>& data) {
  const int rank = static_cast<int>(shape.size());
  const Handle space = check(H5Screate_simple(rank, shape.data(), nullptr), H5Sclose);
  const Handle list = check(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (!data.empty()) {
    Shape chunk = shape;
    constexpr std::size_t numbers = 1 << 17;  // 1 MiB
    chunk[0] = std::clamp<hsize_t>(numbers * shape[0] / data.size(), 1, shape[0]);
    check(H5Pset_chunk(list, rank, chunk.data()));
    check(H5Pset_fletcher32(list));
  }
  const Handle array = check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
  if (!data.empty()) check(H5Dwrite(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()));
  write_attribute(array, "xxh64", xxh64(data.data(), sizeof(double) * data.size()));
}

std::vector<double> read_array(hid_t dataset) {
  std::size_t count = 1;
  for (const hsize_t n : shape(dataset)) count *= n;
  std::vector<double> data(count);
  if (count > 0) check(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()));
  check_digest(dataset, data.data(), sizeof(double) * count);
  return data;
}

bool grows(hid_t dataset) {
  const Handle space = check(H5Dget_space(dataset), H5Sclose);
  Shape most(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (most.empty()) return false;
  check(H5Sget_simple_extent_dims(space, nullptr, most.data()));
  return most[0] == H5S_UNLIMITED;
}

// Not the usual NaN, which one flipped bit makes of 1.5.
double never_written() { return std::bit_cast<double>(std::uint64_t{0x7ff86c6974686521}); }

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
  const double nothing = never_written();
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0) check(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nothing));
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

namespace {

void append(hid_t dataset, hsize_t first, hsize_t count, hid_t type, const void* data) {
  Shape size = shape(dataset);
  size[0] = first + count;
  check(H5Dset_extent(dataset, size.data()));
  if (std::find(size.begin(), size.end(), 0) != size.end()) return;
  const auto [memory, file] = rows_of(dataset, first, count);
  check(H5Dwrite(dataset, type, memory, file, H5P_DEFAULT, data));
}

}  // namespace

void append(hid_t dataset, hsize_t first, hsize_t count, const double* data) {
  append(dataset, first, count, H5T_NATIVE_DOUBLE, data);
}
void append(hid_t dataset, hsize_t first, hsize_t count, const std::uint64_t* data) {
  append(dataset, first, count, H5T_NATIVE_UINT64, data);
}

void read_rows(hid_t dataset, hsize_t first, hsize_t count, double* data) {
  const auto [memory, file] = rows_of(dataset, first, count);
  check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, file, H5P_DEFAULT, data));
}

void read_column(hid_t dataset, hsize_t column, hsize_t first, hsize_t count, std::uint64_t* data) {
  const Handle file = check(H5Dget_space(dataset), H5Sclose),
               memory = check(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const hsize_t start[2] = {first, column}, size[2] = {count, 1};
  check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, size, nullptr));
  check(H5Dread(dataset, H5T_NATIVE_UINT64, memory, file, H5P_DEFAULT, data));
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

bool exists(hid_t parent, const std::string& name) {
  const htri_t found = H5Lexists(parent, name.c_str(), H5P_DEFAULT);
  check(static_cast<herr_t>(found));
  return found > 0;
}

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
  const Handle type = text_type(text.size()), space = check(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute = check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, type, text.c_str()));
}

void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  const hsize_t count = texts.size();
  std::size_t longest = 0;
  for (const auto& text : texts) longest = std::max(longest, text.size());
  const Handle type = text_type(longest), space = check(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute = check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  std::string data(count * (longest + 1), '\0');
  for (std::size_t i = 0; i < count; ++i) data.replace(i * (longest + 1), texts[i].size(), texts[i]);
  if (count > 0) check(H5Awrite(attribute, type, data.data()));
}

void write_attribute(hid_t object, const std::string& name, std::uint64_t number) {
  const Handle space = check(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute =
      check(H5Acreate2(object, name.c_str(), H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_UINT64, &number));
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
  const Handle stored = check(H5Aget_type(attribute), H5Tclose), space = check(H5Aget_space(attribute), H5Sclose);
  const std::size_t count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  if (count == 0) return {};
  if (H5Tis_variable_str(stored) <= 0) {
    const std::size_t length = H5Tget_size(stored);
    std::string data(count * length + 1, '\0');
    check(H5Aread(attribute, stored, data.data()));
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) texts.emplace_back(data, i * length, strnlen(&data[i * length], length));
    return texts;
  }
  const Handle type = text_type();  // formats 1 and 2
  std::vector<char*> raw(count, nullptr);
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
  const Handle data = unnamed_text(parent, text);
  check(H5Olink(data, parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

Handle unnamed_text(hid_t file, const std::string& text) {
  const Handle type = text_type(text.size()), space = check(H5Screate(H5S_SCALAR), H5Sclose);
  Handle data = check(H5Dcreate_anon(file, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
  write_attribute(data, "xxh64", xxh64(text.data(), text.size()));
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
  if (!text.empty()) text.pop_back();  // the zero at its end
  check_digest(data, text.data(), text.size());
  return text;
}

}  // namespace lithe::hdf5
