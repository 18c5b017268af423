// lithe expand OUT -o FULL: a result with reduced bodies again, its fields in full.
#include <fmt/format.h>

#include "commands.h"
#include "lithe/io/results.h"
#include "lithe/io/xdmf.h"

namespace lithe::app {

void expand(const ExpandOptions& options) {
  expand_results(options.file, options.out, options.force);
  fmt::print("{} (ParaView: {})\n", options.out, companion_path(options.out));
}

}  // namespace lithe::app
