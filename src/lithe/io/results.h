// Results of a run, one HDF5 file:
//
//   attributes          format (version of this layout), lithe (version), name (of the model), analysis (static,
//                       dynamic, or stages where there are several), stages (their names), stage_types (static or
//                       dynamic each), complete (0 or 1), run (differs for every file written), first_run (the same
//                       in a file and those that go on from its checkpoint)
//   /model              YAML text of the model that ran
//   /report             JSON text, written at the end; absent when the run was killed
//   /time               [step]                    s
//   /load_factor        [step]                    where a stage is static
//   /step_size          [step]                    s, where a stage is dynamic: the time step that led here
//   /stage              [step]                    number of the stage, from 0; where there are several
//   /iterations         [step]                    Newton iterations of the step
//   /residual           [step]                    relative residual of the step
//   /bodies             [body]                    names, kinds, and where each has its part of what follows, under
//   /mesh               connectivity, size, reference (result_bodies.h)
//   /fields/coordinates   [step][vector][3]       m and 1, r, r_x, ... of the nodes: all can be computed from them
//   /fields/velocities    [step][vector][3]       m/s and 1/s, where a stage is dynamic: rates of the coordinates
//   /fields/position      [step][node][3]         m
//   /fields/displacement  [step][node][3]         m
//   /fields/von_mises     [step][node]            Pa; nodes of beams, shells and bricks
//   /fields/reduced_coordinates, reduced_rates  [step][mode]  of reduced bodies, in place of the fields above
//   /fields/rotation      [step][3 body][3]       theirs, rows of R
//   /channels/NAME      [step][column]            attributes columns, units
//   /contacts/point, normal, impulse, slip  [point][3]   m, 1, N s, m/s: of all points that press, row after row, where
//   /contacts/gap, entry, pair  [point], [point][2]      the model has contacts; pair: numbers of bodies, then
//   obstacles /contacts/names     [obstacle, contact]       kind and name /contact_ends       [step] how many points
//   there are up to this row and with it /contact_checksums  [point][piece] /checksums          [step][piece] of each
//   row of each array that grows (row_checksums.h) /field_rows         [field row]               analysis.fields_every:
//   fields have rows of their own; /field_checksums    [field row][piece]        this is the number of each among the
//   steps
//
// A rigid body is one node with position and three axes, a linkage is points (one vector each) and bars between them.
// Of reduced bodies (BC-RO, BC-MODAL) the file holds a few numbers a step, and their bases once under /mesh; the fields
// are rebuilt when they are read (P2 eq. 58): q = R (Z + E reduced_coordinates), v = R E reduced_rates.
// Format 6 brought this in. Format 5, which has all fields in full, is read too; files of earlier formats are refused.
//
// The file is written in HDF5's single-writer-multiple-reader mode and flushed at the first step, every 0.2 s, at
// checkpoints and at the end, the time last: whenever the run is killed, the file reads up to its last flush. It is
// made beside its place and moved there when it can be read. Beside it lie an XDMF file (xdmf.h) for
// ParaView and, where asked for, a checkpoint (checkpoint.h).
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lithe/base/named.h"
#include "lithe/io/recorder.h"

namespace lithe {

struct Checkpoint;
class FieldRebuilder;
class ResultFile;
class RunFiles;
class SeriesSet;

class ResultWriter : public Recorder {
 public:
  // Creates the file and its companion; an existing result is replaced and its checkpoint removed. Throws RunError with
  // path and reason.
  ResultWriter(RunFiles files, const System& system, const std::string& model_yaml);
  ResultWriter(const std::string& path, const System& system, const std::string& model_yaml);
  // Goes on with the result: the rows before the checkpoint are copied, later ones dropped. Throws InputError
  // where the two do not belong together.
  ResultWriter(RunFiles files, const System& system, const std::string& model_yaml, const Checkpoint& from);
  // Everything of another result, its reduced bodies with fields in full; whole when this returns.
  ResultWriter(RunFiles files, const ResultFile& of);
  ~ResultWriter() override;  // flushes; the file stays not complete
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  void write(const OutputRow& row) override;
  void flush();  // every row so far to the file
  void checkpoint(const State& state, const StagePlace& place) override;
  void finish(const std::string& report_json) override;
  // Every row so far to the file, which is closed as it is, not complete. The run is being ended from outside.
  void abandon();

  const std::string& path() const;
  std::string companion() const;  // the XDMF file
  int reduced_bodies() const;     // that the file holds by their modes

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Where the part of a body begins in arrays that all bodies share; nodes of von_mises are counted apart. Reduced bodies
// come last, so that fields end where they begin.
struct BodyPlace {
  int node = 0, vector = 0, element = 0, index = 0, stress = 0;
  int mode = 0, rotation = 0;  // of reduced bodies: numbers, and bodies
};

// What reduced bodies deform in; bodies of one shape share it.
struct ResultBase {
  std::string kind, method, source;  // of element; pod, modal, ...; what made it
  std::vector<double> shape;  // [vector][3] Z: coordinates before the run, from the first node on and turned back
  std::vector<double> modes;  // [mode][vector][3] E
  int count() const { return shape.empty() ? 0 : static_cast<int>(modes.size() / shape.size()); }
};

struct ResultBody {
  std::string name, element;
  int nodes = 0, vectors = 0, element_nodes = 0;
  std::vector<int> connectivity;  // [element][element_nodes]
  std::vector<double> size;       // [element][3]  m
  std::vector<double> reference;  // [node][vectors][3]  m and 1
  bool stress = false;            // von_mises is there
  int base = -1;                  // of a reduced body, in ResultInfo::bases
  int modes = 0;
  BodyPlace place = {};
  bool reduced() const { return base >= 0; }
  int elements() const { return static_cast<int>(connectivity.size()) / element_nodes; }
};

struct ResultStage {
  std::string name, type;
  int first_row = 0, rows = 0;  // of the result, so far
};

struct ResultInfo {
  std::string path;  // empty: in memory
  int format = 6;
  std::string version, name, analysis, run, first_run, model_yaml, report_json;
  std::vector<ResultStage> stages;
  bool complete = false;
  bool dynamic() const { return has("dynamic"); }  // a stage is
  bool loads() const { return has("static"); }
  bool looks() const { return has("modes") || has("buckling"); }  // at a state: rows of one time
  int steps = 0;
  bool position = true, velocity = true;  // what of the bodies is there, beside ResultBody::stress
  bool fields_apart = false;              // fields have rows of their own
  int field_rows = 0;
  bool contacts = false;                        // points of contact are there
  std::size_t contact_points = 0;               // of all rows
  std::vector<std::string> obstacles, entries;  // what contact points tell by numbers; entries of model.contacts
  std::vector<ResultBody> bodies;
  std::vector<ResultBase> bases;
  BodyPlace end;      // of the last one: how long the arrays are
  BodyPlace in_full;  // of the last one that is not reduced: how long its fields are
  std::vector<Channel> channels;

 private:
  bool has(const std::string& type) const {
    for (const ResultStage& stage : stages)
      if (stage.type == type) return true;
    return false;
  }
};

struct ResultArray {
  std::vector<std::size_t> shape;
  std::shared_ptr<std::vector<double>> values;  // shared with a Recording, so that numpy sees it without a copy
};

// Rows of an array; those that are not there are left out.
struct RowRange {
  std::size_t first = 0, count = std::numeric_limits<std::size_t>::max();
};

// Where the arrays of a result come from; they have the names of the file's datasets ("time", "channels/tip"), and
// parts of a body their own ("bodies/beam/coordinates"), whether they are stored or rebuilt.
class ResultSource {
 public:
  ResultSource();
  virtual ~ResultSource() = default;
  const ResultInfo& info() const { return info_; }
  // Throws InputError for an unknown name, RunError when the file cannot be read.
  ResultArray read(const std::string& name) const { return read_rows(name, {}); }
  ResultArray read_rows(const std::string& name, RowRange rows) const;
  ResultArray read_last(const std::string& name) const;  // the last row alone, or none

 protected:
  virtual ResultArray stored(const std::string& name, RowRange rows) const = 0;
  // How many rows an array that grows has.
  std::size_t rows_of(const std::string& name) const;
  void index_bodies();

  ResultInfo info_;
  NameIndex bodies_;

 private:
  std::shared_ptr<FieldRebuilder> rebuilder_;
};

// A result file, read on demand; also one that is being written or whose run was killed. The file is open only while
// it is read, so that another run may replace it (reading then throws).
class ResultFile : public ResultSource {
 public:
  explicit ResultFile(const std::string& path);  // throws InputError: not there, not a result, damaged

 private:
  ResultArray stored(const std::string& name, RowRange rows) const override;
};

// The same in memory, for scripts that want no file.
class Recording : public ResultSource, public Recorder {
 public:
  Recording(const System& system, const std::string& model_yaml);
  ~Recording() override;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  void write(const OutputRow& row) override;
  void checkpoint(const State&, const StagePlace&) override {}
  void finish(const std::string& report_json) override;

 private:
  ResultArray stored(const std::string& name, RowRange rows) const override;
  std::unique_ptr<SeriesSet> rows_, fields_, contacts_;  // fields_: where they have rows of their own
  NameIndex in_rows_, in_fields_, in_contacts_;          // of their series
};

// First row and number of rows of each stage, from the numbers of the rows' stages.
void count_stages(const std::vector<double>& stage_of_row, ResultInfo& info);

// What a result of `system` holds before its first step.
ResultInfo result_info(const System& system, const std::string& path, const std::string& model_yaml);

// What a file holds, for `lithe info`.
std::string describe_results(const std::string& path);

// Writes the result at `path` again with all fields in full, and its companion. Throws InputError where it has no
// reduced bodies, or `to` cannot be its place.
void expand_results(const std::string& path, const std::string& to, bool force);

// Clears the mark that a killed run leaves in its file ("open for writing"), which Lithe ignores and ParaView does not.
// Refuses files that are no results of lithe, and those that a run is writing.
void repair_results(const std::string& path);

}  // namespace lithe
