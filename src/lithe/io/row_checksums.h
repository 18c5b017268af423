// Checksums of the rows of a result, dataset `checksums` [step][piece]: a row is summed in pieces of 1024 entries (its
// first index: vectors, nodes, columns), so that a body's part is read without the rest. XXH64 of a piece's numbers as
// float64, with the number of the row as its seed; attribute `checksum_column` of a series says which column is that of
// its first piece (of a table that `checksum_table` names, where fields have rows of their own). HDF5's own Fletcher-32
// is of whole chunks: a kill while a chunk is written again would take the rows with it that were in the file before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lithe/base/hdf5.h"

namespace lithe {

constexpr std::size_t checksum_entries = 1024;

// Columns of a series whose rows have so many entries.
std::size_t checksum_columns(std::size_t entries);
// The checksums of row `number`, of as many entries as `sums` has room for.
void sum_row(const double* row, std::size_t entries, std::size_t width, std::size_t number, std::uint64_t* sums);

// Reads entries of rows of the series `name` with everything that their checksums cover. Throws RunError naming series
// and row where they do not fit, or where the file has fewer.
void read_series(hid_t file, const std::string& name, hdf5::Range rows, hdf5::Range entries, double* data);
// All entries.
void read_series(hid_t file, const std::string& name, hdf5::Range rows, double* data);

// How many steps the file has: a step counts once its time is there and fits its checksum. What follows the last one
// may be half written where the run was killed; anything else that does not fit is damage: RunError.
std::size_t whole_steps(hid_t file, const std::vector<double>& times, bool complete);

}  // namespace lithe
