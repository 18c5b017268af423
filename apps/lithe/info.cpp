// lithe info OUT: what a result file holds.
#include <fmt/format.h>

#include "commands.h"
#include "lithe/io/results.h"

namespace lithe::app {

void info(const InfoOptions& options) {
  if (options.repair) repair_results(options.file);
  fmt::print("{}", describe_results(options.file));
}

}  // namespace lithe::app
