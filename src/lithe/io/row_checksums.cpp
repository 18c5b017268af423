#include "lithe/io/row_checksums.h"

#include <bit>
#include <cmath>

#include "lithe/base/digest.h"

namespace lithe {

namespace {

[[noreturn]] void damaged(const std::string& name, std::size_t row) {
  throw RunError("it is damaged or was cut short: the checksum of '" + name + "' does not fit at row " +
                 std::to_string(row));
}

bool is_missing(double time) {
  return std::bit_cast<std::uint64_t>(time) == std::bit_cast<std::uint64_t>(hdf5::never_written());
}

}  // namespace

std::uint64_t row_checksum(const double* row, std::size_t width, std::size_t number) {
  return xxh64(row, sizeof(double) * width, number);
}

std::vector<std::uint64_t> row_checksums(hid_t file, const std::string& name, std::size_t first, std::size_t count) {
  const hdf5::Handle series = hdf5::open_dataset(file, name);
  if (H5Aexists(series, "checksum_column") <= 0) return {};
  const bool apart = H5Aexists(series, "checksum_table") > 0;
  const hdf5::Handle table =
      hdf5::open_dataset(file, apart ? hdf5::text_attribute(series, "checksum_table") : "checksums");
  std::vector<std::uint64_t> sums(count);
  if (count > 0)
    hdf5::read_column(table, static_cast<hsize_t>(hdf5::number_attribute(series, "checksum_column")), first, count,
                      sums.data());
  return sums;
}

void check_rows(hid_t file, const std::string& name, std::size_t first, std::size_t count, std::size_t width,
                const double* rows) {
  const std::vector<std::uint64_t> sums = row_checksums(file, name, first, count);
  for (std::size_t k = 0; k < sums.size(); ++k)
    if (sums[k] != row_checksum(rows + k * width, width, first + k)) damaged(name, first + k);
}

std::size_t whole_steps(hid_t file, const std::vector<double>& times, bool complete) {
  std::size_t stored = times.size();
  const bool summed = H5Aexists(hdf5::open_dataset(file, "time"), "checksum_column") > 0;
  if (!summed) {  // formats 1 and 2
    std::size_t steps = 0;
    while (steps < stored && !std::isnan(times[steps])) ++steps;
    return steps;
  }
  while (!complete && stored > 0 && is_missing(times[stored - 1])) --stored;
  const std::vector<std::uint64_t> sums = row_checksums(file, "time", 0, stored);
  std::size_t steps = 0, last = stored;
  while (steps < stored && sums[steps] == row_checksum(&times[steps], 1, steps)) ++steps;
  while (last > steps && sums[last - 1] != row_checksum(&times[last - 1], 1, last - 1)) --last;
  if (steps < last || (complete && steps < stored)) damaged("time", steps);
  return steps;
}

}  // namespace lithe
