#include "lithe/io/file_lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "lithe/base/error.h"

namespace lithe {

namespace {

constexpr const char* mark = "lithe process ";

std::string host() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string contents(int file) {
  char text[512] = "";
  const ssize_t n = pread(file, text, sizeof text - 1, 0);
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "";
}

[[noreturn]] void refuse(const std::string& results, const std::string& holder) {
  const std::string who = holder.starts_with(mark)
                              ? "process " + holder.substr(std::strlen(mark), holder.find('\n') - std::strlen(mark))
                              : "another process";
  throw InputError("results '" + results + "' are being written by " + who +
                   "; wait for it, stop it, or give the result another name");
}

// Where the file system knows no locks: whether the process that the file names still lives on this machine.
bool holder_lives(const std::string& holder) {
  if (!holder.starts_with(mark) || holder.find(" on " + host() + "\n") == std::string::npos) return false;
  const long process = std::atol(holder.c_str() + std::strlen(mark));
  return process > 0 && process != getpid() && (kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM);
}

}  // namespace

std::string lock_path(const std::string& results_path) {
  const std::filesystem::path path(results_path);
  return (path.parent_path() / std::string(".").append(path.stem().string()).append(".lithe-lock")).string();
}

FileLock::FileLock(const std::string& results_path) : path_(lock_path(results_path)) {
  for (;;) {
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0 && errno == ENAMETOOLONG)
      throw InputError("results '" + results_path + "': the name is too long for a file; give a shorter one");
    if (file_ < 0) throw RunError("results '" + results_path + "' cannot be written: " + std::strerror(errno));
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      const std::string holder = contents(file_);
      if (error == EINTR) {
        close(file_);
        continue;
      }
      if (error == EWOULDBLOCK || holder_lives(holder)) {
        close(std::exchange(file_, -1));
        refuse(results_path, holder);
      }
    }
    // The one before may have removed the file between our opening and locking it.
    struct stat ours {
    }, there{};
    if (fstat(file_, &ours) == 0 && stat(path_.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
        ours.st_dev == there.st_dev)
      break;
    close(file_);
  }
  if (const std::string before = contents(file_); !before.empty() && !before.starts_with(mark)) {
    close(std::exchange(file_, -1));
    throw InputError("'" + path_ + "' is where lithe locks results, but this file is not its own; remove it");
  }
  const std::string text = mark + std::to_string(getpid()) + " on " + host() + "\n";
  if (ftruncate(file_, 0) != 0 || pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    const std::string why = std::strerror(errno);
    unlink(path_.c_str());
    close(std::exchange(file_, -1));
    throw RunError("results '" + results_path + "' cannot be written: " + why);
  }
}

FileLock::~FileLock() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

FileLock::FileLock(FileLock&& other) noexcept : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  return *this;
}

}  // namespace lithe
