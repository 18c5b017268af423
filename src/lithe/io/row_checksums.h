// Checksums of the rows of a result, dataset `checksums` [step][series]: XXH64 of a row's numbers as float64, with the
// number of the row as its seed; attribute `checksum_column` of a series says which column is its own (of a table that
// `checksum_table` names, where fields have rows of their own). HDF5's own
// Fletcher-32 is of whole chunks: a kill while a chunk is written again would take the rows with it that were in the
// file before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lithe/io/hdf5.h"

namespace lithe {

std::uint64_t row_checksum(const double* row, std::size_t width, std::size_t number);

// Of rows first to first + count - 1 of the series `name`; empty: the file has none (formats 1 and 2).
std::vector<std::uint64_t> row_checksums(hid_t file, const std::string& name, std::size_t first, std::size_t count);

// Throws RunError naming series and row where these rows do not fit their checksums.
void check_rows(hid_t file, const std::string& name, std::size_t first, std::size_t count, std::size_t width,
                const double* rows);

// How many steps the file has: a step counts once its time is there and fits its checksum. What follows the last one
// may be half written where the run was killed; anything else that does not fit is damage: RunError.
std::size_t whole_steps(hid_t file, const std::vector<double>& times, bool complete);

}  // namespace lithe
