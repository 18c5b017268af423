#include "lithe/io/run_files.h"

#include <filesystem>

#include "lithe/io/checkpoint.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/xdmf.h"

namespace lithe {

void check_run_files(const RunPaths& paths) {
  const std::string asked = paths.asked.empty() ? (paths.python ? "output=" : "-o ") + paths.result : paths.asked;
  const std::string companion = companion_path(paths.result), checkpoint = checkpoint_path(paths.result);
  std::vector<PlannedFile> files{
      {paths.result, FileKind::result, asked},
      {companion, FileKind::companion, "the companion " + companion + " of " + asked},
      {checkpoint, FileKind::checkpoint, "the checkpoint " + checkpoint + " of " + asked},
  };
  if (!paths.json.empty() && paths.json != "-")
    files.push_back({paths.json, FileKind::summary, "--json " + paths.json});
  check_distinct(files, paths.inputs);
  for (const PlannedFile& file : files)
    if (!paths.resumed || (file.kind != FileKind::result && file.kind != FileKind::checkpoint))
      check_place(file, paths.force, paths.python ? "force=True" : "--force");
  if (files.back().kind == FileKind::summary) check_folder(files.back());
}

RunFiles::RunFiles(const RunPaths& paths) : result_(paths.result) {
  check_run_files(paths);
  if (const auto folder = std::filesystem::path(result_).parent_path(); !folder.empty()) {
    std::error_code ignored;  // what cannot be made shows when the lock is taken
    std::filesystem::create_directories(folder, ignored);
  }
  lock_ = FileLock(result_);
  // Whoever was killed while it replaced a file left a piece of the next one.
  for (const std::string& file : {companion_path(result_), checkpoint_path(result_)}) {
    std::error_code ignored;
    std::filesystem::remove(draft_path(file), ignored);
  }
}

}  // namespace lithe
