// The arrays of a result that grow by one row a step, by their names in the file. The file's writer keeps rows here
// until it flushes them, a recording in memory keeps all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lithe/io/results.h"

namespace lithe {

struct Series {
  std::string name;              // "bodies/beam/coordinates"
  std::vector<std::size_t> row;  // shape of a row; empty: one number
  std::size_t width = 1;         // numbers in a row
  bool whole = false;            // whole numbers
  std::shared_ptr<std::vector<double>> values = std::make_shared<std::vector<double>>();
};

class SeriesSet {
 public:
  // Fields have a row each time, or rows of their own (analysis.fields_every): then they are a set apart.
  enum class Part { all, channels, fields };
  // derived: also what follows from the coordinates (position, displacement), for readers that cannot compute.
  SeriesSet(const System& system, const ResultInfo& info, bool derived, Part part);

  // A row of every series; `number` is that of the row in the result.
  void add(const OutputRow& row, std::size_t number);
  void clear();  // drops the rows, keeps their memory

  const std::vector<Series>& all() const {
    return series_;
  }  // the time is the last, of fields apart their row's number
  std::size_t rows() const { return series_.back().values->size(); }
  std::size_t row_bytes() const { return row_bytes_; }

 private:
  struct BodyShape {
    const BodyInfo* body;
    std::size_t nodes, vectors;
    const std::vector<double>* reference;
    bool stress;
  };
  void start(const std::string& name, std::vector<std::size_t> row, bool whole = false);
  void put(const double* data);
  void put_positions(const BodyShape& shape, const double* q, const double* origin);
  void add_fields(const OutputRow& row);
  void add_channels(const OutputRow& row);

  std::vector<Series> series_;
  std::vector<BodyShape> bodies_;
  std::size_t channels_ = 0, next_ = 0;
  bool loads_, moves_, staged_, position_, velocity_, derived_;
  Part part_;
  std::size_t row_bytes_ = 0;
};

}  // namespace lithe
