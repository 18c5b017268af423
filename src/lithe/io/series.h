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
  // derived: also what follows from the coordinates (position, displacement), for readers that cannot compute.
  SeriesSet(const System& system, const ResultInfo& info, bool derived);

  // A row of every series. `work.internal` and `work.external` must hold at this state.
  void add(const State& state, const RecordedStep& step, const Workspace& work);
  void clear();  // drops the rows, keeps their memory

  const std::vector<Series>& all() const { return series_; }  // the time is the last
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

  const System* system_;
  std::vector<Series> series_;
  std::vector<BodyShape> bodies_;
  bool dynamic_, derived_;
  std::size_t row_bytes_ = 0;
};

}  // namespace lithe
