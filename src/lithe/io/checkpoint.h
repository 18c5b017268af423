// A checkpoint: the whole State of a dynamic run, bit by bit, with the model and the number of rows of the result that
// belong to it. It lies beside the result as OUT.checkpoint.h5 and is replaced in one go, so that a kill leaves the old
// one or the new one. A run that goes on from it ends with the same bits as one that was never stopped. The file is
// HDF5 with one line after its end, the XXH64 of all bytes before: a damaged one is found before anything of it is
// believed.
#pragma once

#include <string>

#include "lithe/io/recorder.h"
#include "lithe/system/state.h"

namespace lithe {

struct Checkpoint {
  std::string first_run;   // of the result it belongs to
  long long rows = 0;      // of the result when it was made
  std::string model_yaml;  // the model that ran
  State state;
  std::string version = {};  // of the lithe that wrote it
  StagePlace place = {};     // where in the list of stages
  long long field_rows = 0;  // of the result, where fields have rows of their own
};

// OUT.checkpoint.h5 for OUT.h5.
std::string checkpoint_path(const std::string& results_path);

// Replaces the checkpoint of a result, on the disk when it returns. Throws RunError.
void write_checkpoint(const std::string& results_path, const Checkpoint& checkpoint);
// Throws InputError: not there, not a checkpoint, damaged, of another format.
Checkpoint read_checkpoint(const std::string& results_path);

}  // namespace lithe
