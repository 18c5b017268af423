// One run at a time writes a result. The lock is the kernel's (flock) on a small file beside the result, so that it
// ends with its process however that ends; the file says which process it is.
#pragma once

#include <string>

namespace lithe {

class FileLock {
 public:
  FileLock() = default;  // holds nothing
  // Of a result and what lies beside it. Throws InputError with the number of the process that holds it, RunError where
  // the folder cannot be written.
  explicit FileLock(const std::string& results_path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

 private:
  std::string path_;
  int file_ = -1;
};

// .OUT.lithe-lock for OUT.h5: also for OUT.hdf5, whose companion and checkpoint have the same names.
std::string lock_path(const std::string& results_path);

}  // namespace lithe
