#include "lithe/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

namespace lithe {

namespace {

// A number in a file of the kernel; false where there is none ("max").
bool number_in(const std::string& path, std::size_t& number) { return bool(std::ifstream(path) >> number); }

void lower(AvailableMemory& memory, std::size_t limit, std::size_t used, const char* what) {
  const std::size_t left = limit > used ? limit - used : 0;
  if (left < memory.bytes) memory = {left, what};
}

// A line of /proc/self/status or /proc/meminfo, in bytes.
std::size_t kernel_line(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::size_t kibibytes = 0;
    if (line.starts_with(key + ":") && std::sscanf(line.c_str() + key.size() + 1, "%zu", &kibibytes) == 1)
      return kibibytes << 10;
  }
  return 0;
}

// Control groups count the cache of files, which gives way: what is inactive of it does not count as used.
std::size_t inactive_files(const std::string& stat_file, const std::string& key) {
  std::ifstream file(stat_file);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t bytes = 0;
    if (words >> name >> bytes && name == key) return bytes;
  }
  return 0;
}

void lower_by_control_groups(AvailableMemory& memory) {
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const bool second = line.starts_with("0::");
    const std::size_t first_version = line.find(":memory:");
    if (!second && first_version == std::string::npos) continue;
    const std::string root = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    std::string group = second ? line.substr(3) : line.substr(first_version + 8);
    // The limits of all groups above hold too. In a container the path may be one of outside: then its root.
    for (;; group = group.substr(0, group.rfind('/'))) {
      const std::string folder = root + (group == "/" ? "" : group) + "/";
      std::size_t limit = 0, used = 0;
      if (number_in(folder + (second ? "memory.max" : "memory.limit_in_bytes"), limit) &&
          number_in(folder + (second ? "memory.current" : "memory.usage_in_bytes"), used)) {
        const std::size_t cache =
            inactive_files(folder + "memory.stat", second ? "inactive_file" : "total_inactive_file");
        lower(memory, limit, used > cache ? used - cache : 0, "limit of the control group");
      }
      if (group.empty() || group == "/") break;
    }
  }
}

}  // namespace

AvailableMemory available_memory() {
  AvailableMemory memory{std::numeric_limits<std::size_t>::max(), "nothing"};
  if (const std::size_t free = kernel_line("/proc/meminfo", "MemAvailable")) memory = {free, "memory that is free"};
  lower_by_control_groups(memory);
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    lower(memory, limit.rlim_cur, kernel_line("/proc/self/status", "VmSize"), "limit of this shell, ulimit -v");
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    lower(memory, limit.rlim_cur, kernel_line("/proc/self/status", "VmData"), "limit of this shell, ulimit -d");
  return memory;
}

std::string memory_text(double bytes) {
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < 1000) break;
    bytes /= 1024;
    unit = larger;
  }
  char text[32];
  std::snprintf(text, sizeof text, bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, unit);
  return text;
}

}  // namespace lithe
