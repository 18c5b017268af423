#include "lithe/base/hdf5.h"

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

namespace {

template <class Column>
const Column& column(const std::vector<std::pair<std::string, Column>>& list, const std::string& name) {
  for (const auto& [known, values] : list)
    if (known == name) return values;
  throw RunError("it is damaged: a table has no '" + name + "'");
}

}  // namespace

const std::vector<std::string>& Table::text(const std::string& name) const { return column(texts, name); }
const std::vector<std::int32_t>& Table::number(const std::string& name) const { return column(numbers, name); }

void write_table(hid_t parent, const std::string& name, const Table& table) {
  struct Member {
    const std::string* name;
    std::size_t offset, bytes;
    Handle type;
  };
  std::vector<Member> members;
  std::size_t width = 0;
  for (const auto& [title, texts] : table.texts) {
    std::size_t longest = 0;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    members.push_back({&title, width, longest + 1, text_type(longest)});
    width += longest + 1;
  }
  for (const auto& [title, numbers] : table.numbers) {
    members.push_back({&title, width, sizeof(std::int32_t), check(H5Tcopy(H5T_NATIVE_INT32), H5Tclose)});
    width += sizeof(std::int32_t);
  }
  const Handle type = check(H5Tcreate(H5T_COMPOUND, width), H5Tclose);
  for (const Member& member : members) check(H5Tinsert(type, member.name->c_str(), member.offset, member.type));

  const hsize_t rows = table.texts.front().second.size();
  std::string bytes(rows * width, '\0');
  for (std::size_t k = 0; k < members.size(); ++k)
    for (std::size_t row = 0; row < rows; ++row) {
      char* place = &bytes[row * width + members[k].offset];
      if (k < table.texts.size()) table.texts[k].second[row].copy(place, members[k].bytes);
      else std::memcpy(place, &table.numbers[k - table.texts.size()].second[row], members[k].bytes);
    }
  const Handle space = check(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const Handle list = check(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = std::clamp<hsize_t>((1 << 20) / width, 1, std::max<hsize_t>(1, rows));
  check(H5Pset_chunk(list, 1, &chunk));
  check(H5Pset_fletcher32(list));
  const Handle data = check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
  if (rows > 0) check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  write_attribute(data, "xxh64", xxh64(bytes.data(), bytes.size()));
}

Table read_table(hid_t dataset) {
  const Handle type = check(H5Dget_type(dataset), H5Tclose);
  const Shape size = shape(dataset);
  if (H5Tget_class(type) != H5T_COMPOUND || size.size() != 1) throw RunError("it is damaged: this is not a table");
  const std::size_t width = H5Tget_size(type), rows = size[0];
  std::string bytes(rows * width, '\0');
  if (rows > 0) check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  check_digest(dataset, bytes.data(), bytes.size());
  Table table;
  const int members = H5Tget_nmembers(type);
  for (unsigned k = 0; k < static_cast<unsigned>(std::max(0, members)); ++k) {
    const Handle member = check(H5Tget_member_type(type, k), H5Tclose);
    char* title = H5Tget_member_name(type, k);
    const std::string name = title ? title : "";
    H5free_memory(title);
    const std::size_t offset = H5Tget_member_offset(type, k), length = H5Tget_size(member);
    const auto each = [&](auto&& take) {
      for (std::size_t row = 0; row < rows; ++row) take(&bytes[row * width + offset]);
    };
    if (H5Tget_class(member) == H5T_STRING && H5Tis_variable_str(member) <= 0) {
      std::vector<std::string>& texts = table.texts.emplace_back(name, std::vector<std::string>()).second;
      each([&](const char* text) { texts.emplace_back(text, strnlen(text, length)); });
    } else if (H5Tequal(member, H5T_NATIVE_INT32) > 0) {
      std::vector<std::int32_t>& numbers = table.numbers.emplace_back(name, std::vector<std::int32_t>()).second;
      each([&](const char* number) { std::memcpy(&numbers.emplace_back(), number, sizeof(std::int32_t)); });
    }
  }
  return table;
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
  // Rows beyond 512 KiB are cut into chunks of equal length.
  std::size_t width = 1;
  for (const hsize_t n : row) width *= n;
  if (const hsize_t pieces = (width + (1 << 16) - 1) >> 16; pieces > 1) chunk[1] = (row[0] + pieces - 1) / pieces;
  const int rank = static_cast<int>(now.size());
  const Handle space = check(H5Screate_simple(rank, now.data(), most.data()), H5Sclose);
  const Handle list = check(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(list, rank, chunk.data()));
  const double nothing = never_written();
  if (H5Tequal(type, H5T_NATIVE_DOUBLE) > 0) check(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nothing));
  return check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
}

namespace {

// Memory and file spaces of some entries of some rows of a dataset.
std::pair<Handle, Handle> part_of(hid_t dataset, Range rows, Range entries) {
  Handle file = check(H5Dget_space(dataset), H5Sclose);
  Shape count = shape(dataset), start(count.size(), 0);
  start[0] = rows.first;
  count[0] = rows.count;
  if (count.size() > 1) {
    start[1] = entries.first;
    count[1] = entries.count;
  }
  check(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
  return {check(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose), std::move(file)};
}

void append(hid_t dataset, hsize_t first, hsize_t count, hid_t type, const void* data) {
  Shape size = shape(dataset);
  size[0] = first + count;
  check(H5Dset_extent(dataset, size.data()));
  if (std::find(size.begin(), size.end(), 0) != size.end()) return;
  const auto [memory, file] = part_of(dataset, {first, count}, {0, entries(dataset)});
  check(H5Dwrite(dataset, type, memory, file, H5P_DEFAULT, data));
}

void read_rows(hid_t dataset, Range rows, Range entries, hid_t type, void* data) {
  if (rows.count == 0 || entries.count == 0) return;
  const auto [memory, file] = part_of(dataset, rows, entries);
  check(H5Dread(dataset, type, memory, file, H5P_DEFAULT, data));
}

}  // namespace

void append(hid_t dataset, hsize_t first, hsize_t count, const double* data) {
  append(dataset, first, count, H5T_NATIVE_DOUBLE, data);
}
void append(hid_t dataset, hsize_t first, hsize_t count, const std::uint64_t* data) {
  append(dataset, first, count, H5T_NATIVE_UINT64, data);
}

hsize_t entries(hid_t dataset) {
  const Shape size = shape(dataset);
  return size.size() > 1 ? size[1] : 1;
}

void read_rows(hid_t dataset, Range rows, Range entries, double* data) {
  read_rows(dataset, rows, entries, H5T_NATIVE_DOUBLE, data);
}
void read_rows(hid_t dataset, Range rows, Range entries, std::uint64_t* data) {
  read_rows(dataset, rows, entries, H5T_NATIVE_UINT64, data);
}

Handle open_growing(hid_t parent, const std::string& name) {
  const Handle list = check(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  check(H5Pset_chunk_cache(list, 0, 0, 0));
  return check(H5Dopen2(parent, name.c_str(), list), H5Dclose);
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
  if (H5Tis_variable_str(stored) > 0) throw RunError("'" + name + "' is a text of variable length");
  const std::size_t length = H5Tget_size(stored);
  std::string data(count * length + 1, '\0');
  check(H5Aread(attribute, stored, data.data()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.emplace_back(data, i * length, strnlen(&data[i * length], length));
  return texts;
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
  const Handle stored = check(H5Dget_type(data), H5Tclose);
  if (H5Tis_variable_str(stored) > 0) throw RunError("'" + name + "' is a text of variable length");
  std::string text(H5Tget_size(stored), '\0');
  check(H5Dread(data, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  if (!text.empty()) text.pop_back();  // the zero at its end
  check_digest(data, text.data(), text.size());
  return text;
}

}  // namespace lithe::hdf5
