#include "program.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <system_error>

#include "lithe/base/error.h"
#include "lithe/base/standard_streams.h"

namespace lithe::app {

namespace {

// `lithe model.yaml`, `lithe rnu model.yaml`: say what was probably meant.
std::string usage_hint(const CLI::App& app, const std::string& name, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == word) return "";
    names.push_back(command->get_name());
  }
  const bool file = word.size() > 5 && (word.ends_with(".yaml") || word.ends_with(".yml"));
  if (file && name == "lithe") return "'" + word + "' is not a command; did you mean 'lithe run " + word + "'?";
  return "'" + word + "' is not a command" + suggestion(word, names);
}

}  // namespace

int fail(ExitCode code, const std::string& message) {
  std::fflush(stdout);
  std::fputs(("error: " + message + "\n").c_str(), stderr);  // nobody may be there to read it
  return code;
}

void prepare_process() {
  open_closed_streams();
  // At exit HDF5 would close once more the files that a full disk kept from closing, and crash. Ours are closed by
  // then.
  H5dont_atexit();
}

void end_process(int exit_code) {
  // Where the memory is limited, a thread of OpenBLAS may be asking for its buffer without end, and would keep the
  // library from closing. Our files are closed by now.
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  std::fflush(nullptr);
  _exit(exit_code);
}

int run_program(CLI::App& app, const std::string& name, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
  } catch (const CLI::ParseError& error) {
    if (argc < 2) {
      fmt::print("{}", app.help());
      return bad_input;
    }
    const std::string hint = usage_hint(app, name, argc, argv);
    const std::string command = hint.empty() && argv[1][0] != '-' ? std::string(argv[1]) + " " : "";
    return fail(bad_input, fmt::format("{}\n`{} {}--help` shows what can be given", hint.empty() ? error.what() : hint,
                                       name, command));
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

}  // namespace lithe::app
