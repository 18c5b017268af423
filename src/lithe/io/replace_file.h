// A file that is replaced in one go: readers, kills and full disks meet the old one or the new one, never a piece.
#pragma once

#include <string>
#include <string_view>

namespace lithe {

// Where the next version of a file is made: beside it, in a name that nobody else gives.
std::string draft_path(const std::string& path);

// Removes what a killed run may have left there. Throws RunError where it cannot.
void clear_draft(const std::string& draft);

// "checkpoint" (what) 'a.h5' cannot be written: No space left on device. on_disk: it survives a power cut, too.
void replace_file(const std::string& path, std::string_view bytes, const std::string& what, bool on_disk = false);

}  // namespace lithe
