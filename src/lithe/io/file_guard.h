// Nobody's file is lost: what may stand in the place where Lithe is about to write. Nothing, an empty file, or what
// Lithe wrote there before (by its contents, not by its name); with `force` any regular file. Never a folder, a
// device, a pipe or a socket, never an input of the same run, never one file for two outputs.
#pragma once

#include <string>
#include <vector>

namespace lithe {

enum class FileKind { result, companion, checkpoint, summary, trace, figures, picture };

struct PlannedFile {
  std::string path;
  FileKind kind;
  std::string asked;  // in the user's words: "-o out.h5", "the companion out.xdmf of -o out.h5"
};

// Whether the regular file at `path` was written by Lithe as this kind.
bool is_ours(const std::string& path, FileKind kind);

// Throws InputError with a remedy; `remedy` is how the user says `force`: "--force", "force=True", "" where he cannot.
void check_place(const PlannedFile& file, bool force, const std::string& remedy);

// Throws InputError where two of them, or one of them and an input, are one file: by path or by inode.
void check_distinct(const std::vector<PlannedFile>& outputs, const std::vector<std::string>& inputs);

// Throws InputError: the folder of `file` is not there, or cannot be written.
void check_folder(const PlannedFile& file);

}  // namespace lithe
