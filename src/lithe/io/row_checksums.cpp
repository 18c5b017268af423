#include "lithe/io/row_checksums.h"

#include <algorithm>
#include <bit>

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

// The table of a series and its first column there.
struct SumPlace {
  hdf5::Handle table;
  std::size_t column = 0;
};

SumPlace sums_of(hid_t file, hid_t series) {
  const bool apart = H5Aexists(series, "checksum_table") > 0;
  return {hdf5::open_growing(file, apart ? hdf5::text_attribute(series, "checksum_table") : "checksums"),
          static_cast<std::size_t>(hdf5::number_attribute(series, "checksum_column"))};
}

}  // namespace

std::size_t checksum_columns(std::size_t entries) { return (entries + checksum_entries - 1) / checksum_entries; }

void sum_row(const double* row, std::size_t entries, std::size_t width, std::size_t number, std::uint64_t* sums) {
  for (std::size_t first = 0; first < entries; first += checksum_entries)
    *sums++ = xxh64(row + first * width, sizeof(double) * width * std::min(checksum_entries, entries - first), number);
}

void read_series(hid_t file, const std::string& name, hdf5::Range rows, hdf5::Range wanted, double* data) {
  const hdf5::Handle series = hdf5::open_growing(file, name);
  const hdf5::Shape whole = hdf5::shape(series);
  const hsize_t all = hdf5::entries(series);
  if (whole.empty() || rows.end() > whole[0] || wanted.end() > all)
    throw RunError("it is damaged: '" + name + "' is shorter than it should be");
  std::size_t width = 1;  // of an entry
  for (std::size_t k = 2; k < whole.size(); ++k) width *= whole[k];
  const SumPlace place = sums_of(file, series);
  // Whole pieces, some rows at a time.
  const hsize_t piece = checksum_entries, first = wanted.first / piece * piece;
  const hdf5::Range covered{first, std::min(all, (wanted.end() + piece - 1) / piece * piece) - first};
  const std::size_t columns = checksum_columns(covered.count), row_numbers = covered.count * width;
  if (columns == 0) return;
  const hsize_t at_once = std::max<hsize_t>(1, (1 << 17) / row_numbers);
  std::vector<double> block;
  std::vector<std::uint64_t> sums, found(columns);
  for (hsize_t row = rows.first; row < rows.end(); row += at_once) {
    const hdf5::Range some{row, std::min(at_once, rows.end() - row)};
    block.resize(some.count * row_numbers);
    sums.resize(some.count * columns);
    hdf5::read_rows(series, some, covered, block.data());
    hdf5::read_rows(place.table, some, {place.column + first / piece, columns}, sums.data());
    for (hsize_t k = 0; k < some.count; ++k) {
      const double* numbers = &block[k * row_numbers];
      sum_row(numbers, covered.count, width, row + k, found.data());
      if (!std::equal(found.begin(), found.end(), &sums[k * columns])) damaged(name, row + k);
      numbers += (wanted.first - first) * width;
      data = std::copy(numbers, numbers + wanted.count * width, data);
    }
  }
}

void read_series(hid_t file, const std::string& name, hdf5::Range rows, double* data) {
  read_series(file, name, rows, {0, hdf5::entries(hdf5::open_dataset(file, name))}, data);
}

std::size_t whole_steps(hid_t file, const std::vector<double>& times, bool complete) {
  std::size_t stored = times.size();
  while (!complete && stored > 0 && is_missing(times[stored - 1])) --stored;
  const SumPlace place = sums_of(file, hdf5::open_dataset(file, "time"));
  std::vector<std::uint64_t> sums(stored);
  hdf5::read_rows(place.table, {0, stored}, {place.column, 1}, sums.data());
  const auto fits = [&](std::size_t row) {
    std::uint64_t sum = 0;
    sum_row(&times[row], 1, 1, row, &sum);
    return sum == sums[row];
  };
  std::size_t steps = 0, last = stored;
  while (steps < stored && fits(steps)) ++steps;
  while (last > steps && !fits(last - 1)) --last;
  if (steps < last || (complete && steps < stored)) damaged("time", steps);
  return steps;
}

}  // namespace lithe
