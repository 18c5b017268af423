// What every program of the project does around its commands: standard streams that are closed, exit codes, messages.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace lithe::app {

enum ExitCode { done = 0, run_failed = 1, bad_input = 2 };

// Prints "error: ..." to stderr and returns the code.
int fail(ExitCode code, const std::string& message);

// First and last thing in main.
void prepare_process();
void end_process(int exit_code);

// Parses and runs; `exit_code` is what the command left. `name` is how the user calls the program: "lithe bench".
int run_program(CLI::App& app, const std::string& name, int argc, char** argv, const int& exit_code);

}  // namespace lithe::app
