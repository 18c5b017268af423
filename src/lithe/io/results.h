// Results of a run, one HDF5 file:
//
//   attributes          format (version of this layout), lithe (version), name (of the model), complete (0 or 1)
//   /model              YAML text of the model that ran
//   /report             JSON text, written at the end; absent when the run was killed
//   /time               [step]                    s
//   /load_factor        [step]
//   /iterations         [step]                    Newton iterations of the step
//   /residual           [step]                    relative residual of the step
//   /bodies/NAME        attribute kind
//     connectivity      [element][nodes]          node numbers
//     size              [element][3]              m, L, W, T: lengths over which the gradients run
//     reference         [node][vectors][3]        m and 1, coordinates before the run
//     coordinates       [step][node][vectors][3]  m and 1, r, r_x, ...: everything can be computed again from them
//     position          [step][node][3]           m
//     displacement      [step][node][3]           m
//     von_mises         [step][node]              Pa, not for cables
//   /channels/NAME      [step][column]            attributes columns, units
//
// The file is written in HDF5's single-writer-multiple-reader mode and flushed at every step: a killed run leaves a file
// that reads up to its last step. Beside it lies an XDMF file (xdmf.h) for ParaView.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lithe/dynamics/statics.h"
#include "lithe/system/outputs.h"
#include "lithe/system/system.h"

namespace lithe {

class ResultWriter {
 public:
  // Creates the file and its companion (an existing result is replaced). Throws RunError with path and reason.
  ResultWriter(const std::string& path, const System& system, const std::string& model_yaml);
  ~ResultWriter();
  ResultWriter(ResultWriter&&) noexcept;
  ResultWriter& operator=(ResultWriter&&) noexcept;

  // Adds a step. `work.internal` and `work.external` must hold at this state (channels need them).
  void write(const State& state, const StaticStep& step, const Workspace& work);
  // Adds the report and marks the file complete; nothing can be written afterwards.
  void finish(const std::string& report_json);

  const std::string& path() const;
  std::string companion() const;  // the XDMF file

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct ResultBody {
  std::string name, element;
  int nodes = 0, vectors = 0, element_nodes = 0;
  std::vector<int> connectivity;  // [element][element_nodes]
  std::vector<double> size;       // [element][3]  m
  std::vector<double> reference;  // [node][vectors][3]  m and 1
};

struct ResultInfo {
  std::string path;               // empty: in memory
  int format = 1;
  std::string version, name, model_yaml, report_json;
  bool complete = false;
  int steps = 0;
  std::vector<ResultBody> bodies;
  std::vector<Channel> channels;
};

struct ResultArray {
  std::vector<std::size_t> shape;
  std::shared_ptr<std::vector<double>> values;  // shared with a Recording, so that numpy sees it without a copy
};

// Where the arrays of a result come from; they have the names of the file's datasets ("bodies/beam/coordinates").
class ResultSource {
 public:
  virtual ~ResultSource() = default;
  const ResultInfo& info() const { return info_; }
  // Throws InputError for an unknown name, RunError when the file cannot be read.
  virtual ResultArray read(const std::string& name) const = 0;

 protected:
  ResultInfo info_;
};

// A result file, read on demand; also one that is being written or whose run was killed.
class ResultFile : public ResultSource {
 public:
  explicit ResultFile(const std::string& path);  // throws InputError: not there, not a result, damaged
  ~ResultFile() override;
  ResultArray read(const std::string& name) const override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The same in memory, for scripts that want no file.
class Recording : public ResultSource {
 public:
  Recording(const System& system, const std::string& model_yaml);
  void write(const State& state, const StaticStep& step, const Workspace& work);
  void finish(const std::string& report_json);
  ResultArray read(const std::string& name) const override;

 private:
  const System* system_;
  std::map<std::string, ResultArray> arrays_;  // by the names of the file's datasets
};

// What a file holds, for `lithe info`.
std::string describe_results(const std::string& path);

// Clears the mark that a killed run leaves in its file ("open for writing"), which Lithe ignores and ParaView does not.
// Only for a file that no run is writing any more.
void repair_results(const std::string& path);

}  // namespace lithe
