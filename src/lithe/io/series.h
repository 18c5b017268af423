// The arrays of a result that grow by one row a step, by their names in the file. The file's writer keeps rows here
// until it flushes them, a recording in memory keeps all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lithe/io/results.h"
#include "lithe/reduction/body_map.h"

namespace lithe {

struct Series {
  std::string name;              // "fields/coordinates", "bodies/beam/coordinates"
  std::vector<std::size_t> row;  // shape of a row; empty: one number
  std::size_t width = 1;         // numbers in a row
  bool whole = false;            // whole numbers
  std::shared_ptr<std::vector<double>> values = std::make_shared<std::vector<double>>();
  std::size_t entries() const { return row.empty() ? 1 : row.front(); }
};

// Of a reduced body; null: it is another.
const ReducedMap* reduced_map(const System& system, std::size_t body);

class SeriesSet {
 public:
  // Fields have a row each time, or rows of their own (analysis.fields_every): then they are a set apart.
  // Points of contact are a set of their own: as many rows as there are points.
  enum class Part { all, channels, fields, contacts };
  // The file has one series of a field of all bodies, in the order of their places, and also what follows from the
  // coordinates (position, displacement), for readers that cannot compute. Memory has a series for each body.
  enum class Layout { file, memory };
  // Without a system rows are not added: who has them puts them into the series.
  SeriesSet(const System* system, const ResultInfo& info, Layout layout, Part part);

  // A row of every series; `number` is that of the row in the result.
  void add(const OutputRow& row, std::size_t number);
  void clear();  // drops the rows, keeps their memory
  // Points of contact of rows that are there already.
  void count_points(std::size_t points) { points_ = points; }

  const std::vector<Series>& all() const {
    return series_;
  }  // the time is the last, of fields apart their row's number, of contacts the gap
  std::size_t rows() const { return series_.back().values->size(); }
  std::size_t row_bytes() const { return row_bytes_; }

 private:
  struct BodyShape {
    int number;  // of the body
    std::size_t first, nodes, vectors;
    const std::vector<double>* reference;
    bool stress;
    const ReducedMap* reduced;  // null: fields are those of the state
  };
  void start_fields(const ResultInfo& info);
  void start(const std::string& name, std::vector<std::size_t> row, bool whole = false);
  void put(const double* data);
  // Adds the rows of all bodies to a field: put(shape, values).
  template <class Put>
  void put_field(Put&& put);
  void add_fields(const OutputRow& row);
  void add_reduced(const OutputRow& row);
  void add_channels(const OutputRow& row);
  void add_points(const OutputRow& row);
  std::size_t points_of(const OutputRow& row) const;

  const System* system_;
  std::vector<Series> series_;
  std::vector<BodyShape> bodies_;
  std::size_t channels_ = 0, next_ = 0;
  bool loads_, moves_, staged_, position_, velocity_, stress_ = false, by_body_;
  bool full_ = true, reduced_ = false;                   // bodies of either sort are recorded
  std::vector<double> coordinates_, rates_, rotations_;  // of the reduced bodies at the row at hand
  bool contacts_;
  std::size_t points_ = 0;  // of contact, up to the last row
  Part part_;
  std::size_t row_bytes_ = 0;
};

}  // namespace lithe
