// lithe reduce pod RESULT, lithe reduce modal MODEL: bases for reduced bodies.
#include <fmt/format.h>

#include "commands.h"
#include "lithe/io/load_model.h"
#include "lithe/io/make_base.h"
#include "lithe/reduction/base_file.h"

namespace lithe::app {

void reduce_pod(const ReduceOptions& options) {
  const std::string command =
      fmt::format("lithe reduce pod {} --body {} --count {}", options.file, options.body, options.count);
  const Base base = pod_base(options.file, options.body, options.count, command);
  write_base(options.out, base);
  fmt::print("{}base '{}'\n", base_text(base), options.out);
}

void reduce_modal(const ReduceOptions& options) {
  Reading reading;
  const Model model = load_model(options.file, options.overrides, reading);
  print_warnings(reading.warnings);
  const std::string command =
      fmt::format("lithe reduce modal {} --body {} --modes {}", options.file, options.body, options.modes);
  const Base base = modal_base(model, options.body, read_mode_numbers(options.modes), command);
  write_base(options.out, base);
  fmt::print("{}base '{}'\n", base_text(base), options.out);
}

void reduce_craig_bampton(const ReduceOptions& options) {
  Reading reading;
  const Model model = load_model(options.file, options.overrides, reading);
  print_warnings(reading.warnings);
  std::string list;
  for (const std::string& set : options.interfaces) list += " " + set;
  const std::string command = fmt::format("lithe reduce craig_bampton {} --body {} --interface{} --count {}", options.file,
                                          options.body, list, options.count);
  const Base base = craig_bampton_base(model, options.body, options.interfaces, options.count, command);
  write_base(options.out, base);
  fmt::print("{}base '{}'\n", base_text(base), options.out);
}

}  // namespace lithe::app
