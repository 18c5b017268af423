#include "lithe/io/run_files.h"

#include <filesystem>

#include "lithe/io/checkpoint.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/xdmf.h"

namespace lithe {

void check_run_files(const RunPaths& paths) {
  std::vector<PlannedFile> files;
  if (!paths.result.empty()) {
    const std::string asked = paths.asked.empty() ? (paths.python ? "output=" : "-o ") + paths.result : paths.asked;
    const std::string companion = companion_path(paths.result), checkpoint = checkpoint_path(paths.result);
    files = {{paths.result, FileKind::result, asked},
             {companion, FileKind::companion, "the companion " + companion + " of " + asked},
             {checkpoint, FileKind::checkpoint, "the checkpoint " + checkpoint + " of " + asked}};
  }
  const std::size_t beside = files.size();  // from here on in folders that are not made
  if (!paths.json.empty() && paths.json != "-")
    files.push_back({paths.json, FileKind::summary, "--json " + paths.json});
  if (!paths.trace.empty())
    files.push_back({paths.trace, FileKind::trace, (paths.python ? "trace=" : "--trace ") + paths.trace});
  check_distinct(files, paths.inputs);
  for (const PlannedFile& file : files)
    if (!paths.resumed || (file.kind != FileKind::result && file.kind != FileKind::checkpoint))
      check_place(file, paths.force, paths.python ? "force=True" : "--force");
  for (std::size_t i = beside; i < files.size(); ++i) check_folder(files[i]);
}

RunFiles::RunFiles(const RunPaths& paths) : paths_(paths) {
  check_run_files(paths_);
  if (paths_.result.empty()) return;
  if (const auto folder = std::filesystem::path(paths_.result).parent_path(); !folder.empty()) {
    std::error_code ignored;  // what cannot be made shows when the lock is taken
    std::filesystem::create_directories(folder, ignored);
  }
  lock_ = FileLock(paths_.result);
  // Whoever was killed while it replaced a file left a piece of the next one.
  for (const std::string& file : {companion_path(paths_.result), checkpoint_path(paths_.result)}) {
    std::error_code ignored;
    std::filesystem::remove(draft_path(file), ignored);
  }
}

}  // namespace lithe
