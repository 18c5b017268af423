// lithe bench ...: measurements. They are a program of their own beside this one, apps/bench, so that who runs models
// need not build it.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "commands.h"
#include "lithe/base/error.h"

namespace lithe::app {

void bench(const std::vector<std::string>& words) {
  const std::string program = (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "lithe-bench").string();
  std::vector<char*> arguments{const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(stdout);
  execv(program.c_str(), arguments.data());
  if (errno == ENOENT) throw InputError("the measurements are not built (" + program + "); build them with: make all");
  throw RunError(program + " could not be started: " + std::strerror(errno));
}

}  // namespace lithe::app
