// lithe: run, check and inspect models from the command line. Exit codes: 0 done, 1 the run failed (the reason is
// printed, results up to there are kept), 2 bad input or wrong usage.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <system_error>

#include "commands.h"
#include "lithe/base/error.h"
#include "lithe/base/standard_streams.h"
#include "lithe/base/version.h"

namespace lithe::app {

void print_warnings(const std::vector<std::string>& warnings) {
  std::vector<std::string> told;
  for (const std::string& warning : warnings) {
    if (std::find(told.begin(), told.end(), warning) != told.end()) continue;
    fmt::print(stderr, "warning: {}\n", warning);
    told.push_back(warning);
  }
}

namespace {

int fail(ExitCode code, const std::string& message) {
  std::fflush(stdout);
  std::fputs(("error: " + message + "\n").c_str(), stderr);  // nobody may be there to read it
  return code;
}

// `lithe model.yaml`, `lithe rnu model.yaml`: say what was probably meant.
std::string usage_hint(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return "";
    names.push_back(command->get_name());
  }
  const bool file = word.size() > 5 && (word.ends_with(".yaml") || word.ends_with(".yml"));
  if (file) return "'" + word + "' is not a command; did you mean 'lithe run " + word + "'?";
  return "'" + word + "' is not a command" + suggestion(word, names);
}

int run_program(int argc, char** argv) {
  int exit_code = done;
  CLI::App app{"lithe: flexible multibody dynamics", "lithe"};
  app.set_version_flag("--version", std::string("lithe ") + version());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the run failed or was stopped (results up to there are kept); 2 bad input.\n"
      "Start with: lithe run examples/cantilever.yaml");
  add_run_command(app, exit_code);
  add_check_command(app, exit_code);
  add_list_command(app, exit_code);
  add_info_command(app, exit_code);
  add_bench_commands(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      fmt::print("{}", app.help());
      return bad_input;
    }
    const std::string hint = usage_hint(app, argc, argv);
    const std::string command = hint.empty() && argv[1][0] != '-' ? std::string(argv[1]) + " " : "";
    return fail(bad_input, (hint.empty() ? error.what() : hint) + std::string("\n`lithe ") + command +
                               "--help` shows what can be given");
  } catch (const InputError& error) {
    return fail(bad_input, error.what());
  } catch (const RunError& error) {
    return fail(run_failed, error.what());
  } catch (const std::system_error& error) {
    return fail(run_failed, std::string("the system refused: ") + error.what());
  } catch (const std::bad_alloc&) {
    return fail(run_failed, "there is not enough memory; use fewer elements or a machine with more");
  } catch (const std::exception& error) {
    return fail(run_failed, std::string(error.what()) + " (this is unexpected: please report it with the model)");
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) return fail(run_failed, "the output could not be written");
  return exit_code;
}

}  // namespace

}  // namespace lithe::app

int main(int argc, char** argv) {
  lithe::open_closed_streams();
  // At exit HDF5 would close once more the files that a full disk kept from closing, and crash. Ours are closed by
  // then.
  H5dont_atexit();
  return lithe::app::run_program(argc, argv);
}
