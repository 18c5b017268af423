// The little of HDF5's C interface that results need, with handles that close themselves and errors that say why.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lithe/base/error.h"

namespace lithe::hdf5 {

// An identifier of HDF5 with the function that closes it.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*closing)(hid_t)) : id_(id), close_(closing) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }
  // Closes now; false when HDF5 could not (what was still to be written is lost).
  bool close() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }
  operator hid_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// While one lives, HDF5 does not print its own stack of errors on the terminal, and other threads wait for it: the
// library is not made for two of them.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> alone_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// Why the last call failed: the operating system's words where it has any ("No space left on device").
std::string reason();

using Shape = std::vector<hsize_t>;

// Each throws RunError("reason") without naming the file; callers add it.
Handle check(hid_t id, herr_t (*close)(hid_t));
void check(herr_t status);

// "results 'out.h5' cannot be written: No space left on device" for whatever is thrown inside.
template <class Action>
auto naming(const std::string& path, const char* verb, Action&& action) {
  const Quiet quiet;
  try {
    return action();
  } catch (const RunError& error) {
    throw RunError("results '" + path + "' cannot be " + verb + ": " + error.what());
  }
}

// For files that are read while they are written.
Handle shareable_access();
// Opens to read a file that may still be written, or whose writer was killed. Damage is an error within a second.
Handle open_to_read(const std::string& path);
// What was flushed is on the disk when it returns, not with the operating system alone.
void synchronise(const Handle& file);
// After a failed write HDF5 1.10 can neither close the file nor end the program without crashing. What it still holds
// goes into memory that nobody reads; the file keeps what the last flush wrote.
void divert(const Handle& file);

Handle group(hid_t parent, const std::string& name);
// An array as a whole, with HDF5's Fletcher-32 for every reader and a digest of ours (attribute xxh64, of the numbers
// as float64): zeros in place of what was cut off pass the former.
void write_array(hid_t parent, const std::string& name, hid_t type, const Shape& shape,
                 const std::vector<double>& data);
// Throws RunError where the digest does not fit.
std::vector<double> read_array(hid_t dataset);

// Columns of texts and of whole numbers, stored as rows of a compound type without gaps; the digest is of its bytes.
struct Table {
  std::vector<std::pair<std::string, std::vector<std::string>>> texts;
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> numbers;
  // Throw RunError where there is no such column.
  const std::vector<std::string>& text(const std::string& name) const;
  const std::vector<std::int32_t>& number(const std::string& name) const;
};
void write_table(hid_t parent, const std::string& name, const Table& table);
Table read_table(hid_t dataset);

bool grows(hid_t dataset);
// Rows that were never written (a killed run) read as this number, which no result contains: a NaN.
double never_written();
// A dataset that grows along its first index from 0; `row` is the shape of one step, `rows` steps form a chunk.
Handle growing(hid_t parent, const std::string& name, hid_t type, const Shape& row, hsize_t rows);
// Writes rows number `first` to first + count - 1 of a growing dataset, extending it.
void append(hid_t dataset, hsize_t first, hsize_t count, const double* data);
void append(hid_t dataset, hsize_t first, hsize_t count, const std::uint64_t* data);
// A range of rows, or of a row's entries (its first index).
struct Range {
  hsize_t first = 0, count = 0;
  hsize_t end() const { return first + count; }
};
// Entries of a row; a row that is one number is one.
hsize_t entries(hid_t dataset);
void read_rows(hid_t dataset, Range rows, Range entries, double* data);
void read_rows(hid_t dataset, Range rows, Range entries, std::uint64_t* data);
Handle open_dataset(hid_t parent, const std::string& name);
// For reading parts of a dataset that grows: whole chunks are not fetched for them.
Handle open_growing(hid_t parent, const std::string& name);
Shape shape(hid_t dataset);
bool exists(hid_t parent, const std::string& name);
std::vector<std::string> children(hid_t parent, const std::string& name);

void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);
void write_attribute(hid_t object, const std::string& name, std::int32_t number);
void write_attribute(hid_t object, const std::string& name, std::uint64_t number);
std::string text_attribute(hid_t object, const std::string& name);
std::vector<std::string> texts_attribute(hid_t object, const std::string& name);
std::int32_t number_attribute(hid_t object, const std::string& name);
// A text of fixed length with its digest: HDF5 checks nothing of what texts of variable length are stored in.
void write_text(hid_t parent, const std::string& name, const std::string& text);
// Without a name yet, which H5Olink gives: complete before anything points at it.
Handle unnamed_text(hid_t file, const std::string& text);
std::string read_text(hid_t parent, const std::string& name);

}  // namespace lithe::hdf5
