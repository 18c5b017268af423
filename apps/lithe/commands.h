// The commands of the program, one file each. A command is added with its options; its callback runs inside parse(),
// throws InputError (exit 2) or RunError (exit 1), and may set the exit code itself.
#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace lithe::app {

void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_list_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code);

// To stderr, each once.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace lithe::app
