#include "lithe/io/replace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "lithe/base/error.h"

namespace lithe {

namespace {

// False with errno where it could not be done. The draft is a new file: never one that was there, nor through a link.
bool written(const std::string& draft, std::string_view bytes, bool on_disk) {
  const int file = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool ok = true;
  int error = 0;
  while (ok && !bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    else ok = n < 0 && errno == EINTR;
  }
  if (ok && on_disk) ok = fsync(file) == 0;
  if (!ok) error = errno;
  if (close(file) != 0 && ok) return false;
  errno = error;
  return ok;
}

// A new name is on the disk once its folder is; some file systems cannot, and lose the newest version then.
void synchronise_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  (void)fsync(file);
  close(file);
}

}  // namespace

std::string draft_path(const std::string& path) {
  const std::filesystem::path place(path);
  return (place.parent_path() / std::string(".").append(place.filename().string()).append(".lithe-part")).string();
}

void clear_draft(const std::string& draft) {
  if (unlink(draft.c_str()) != 0 && errno != ENOENT) throw RunError(draft + ": " + std::strerror(errno));
}

void replace_file(const std::string& path, std::string_view bytes, const std::string& what, bool on_disk) {
  const std::string draft = draft_path(path);
  const auto fail = [&](const std::string& why) { throw RunError(what + " '" + path + "' cannot be written: " + why); };
  if (unlink(draft.c_str()) != 0 && errno != ENOENT) fail(std::strerror(errno));
  if (!written(draft, bytes, on_disk) || std::rename(draft.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    unlink(draft.c_str());
    fail(why);
  }
  if (on_disk) synchronise_folder(path);
}

}  // namespace lithe
