// The files that a run writes: looked at before anything is computed, and the run's alone while this lives.
#pragma once

#include <string>
#include <vector>

#include "lithe/io/file_guard.h"
#include "lithe/io/file_lock.h"

namespace lithe {

struct RunPaths {
  std::string result = {};               // OUT.h5; companion and checkpoint lie beside it; empty: in memory
  std::string json = {};                 // summary; empty or "-": no file
  std::string trace = {};                // CSV of the steps; empty: none
  std::vector<std::string> inputs = {};  // the model
  bool force = false;                    // foreign regular files may be replaced
  bool python = false;                   // messages speak of output=, trace= and force=True
  std::string asked = {};                // how the user named the result; empty: with -o or output=
  bool resumed = false;  // result and checkpoint are inputs too: who reads them says what is wrong with them
};

// Throws InputError with a remedy (file_guard.h). Writes nothing.
void check_run_files(const RunPaths& paths);

class RunFiles {
 public:
  // Checks, makes the folder and takes the lock. Throws InputError, and RunError where the folder cannot be written.
  explicit RunFiles(const RunPaths& paths);
  const std::string& result() const { return paths_.result; }
  const RunPaths& paths() const { return paths_; }

 private:
  RunPaths paths_;
  FileLock lock_;
};

}  // namespace lithe
