#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace lithe::app {

namespace {

void write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// 0: no terminal that can move its cursor.
int columns() {
  const char* kind = std::getenv("TERM");
  if (!isatty(STDERR_FILENO) || (kind && std::string_view(kind) == "dumb")) return 0;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;  // it does not tell
}

}  // namespace

Progress::Progress(bool quiet, const Stages& stages, double begin)
    : quiet_(quiet), line_({write, columns}, stages, begin) {}

}  // namespace lithe::app
