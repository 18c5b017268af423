// The measurements behind `lithe bench`, one file each, and what they share of the command line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lithe::app {

void add_bench_elements(CLI::App& bench, int& exit_code);
void add_bench_storage(CLI::App& bench, int& exit_code);
void add_bench_memory(CLI::App& bench, int& exit_code);
void add_bench_linalg(CLI::App& bench, int& exit_code);
void add_bench_reduced(CLI::App& bench, int& exit_code);
void add_bench_contact(CLI::App& bench, int& exit_code);

// "a,b" -> a, b; empty parts are dropped.
std::vector<std::string> split_list(const std::string& text);
// "8,...,64,100" -> 8, 16, 32, 64, 100; throws InputError naming the option unless all are positive whole numbers.
std::vector<int> split_numbers(const std::string& option, const std::string& text);

// Of --json. Throws InputError if the file cannot be written, or is there and no report of ours: better before a long
// measurement than after.
void check_figures(const std::string& file);
void write_json(const std::string& file, const nlohmann::json& json);

}  // namespace lithe::app
