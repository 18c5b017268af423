// lithe check FILE: everything that is looked at before a run, without the run.
#include "lithe/io/check.h"

#include <fmt/format.h>

#include "commands.h"
#include "lithe/io/load_model.h"

namespace lithe::app {

void check(const CheckOptions& options) {
  Reading reading;
  const Model model = load_model(options.file, options.overrides, reading);
  print_warnings(reading.warnings);
  const CheckReport report = check_model(model, options.file, reading.warnings);
  print_warnings(
      {report.warnings.begin() + static_cast<std::ptrdiff_t>(reading.warnings.size()), report.warnings.end()});
  if (!options.quiet) fmt::print("{}", report.text);
}

}  // namespace lithe::app
