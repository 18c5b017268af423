// The commands of the program, one file each: what each is asked for, and what it does. The command line is read in
// options.cpp, which alone knows the library for that. A command throws InputError (exit 2) or RunError (exit 1).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program.h"

namespace lithe {
struct Model;
}

namespace lithe::app {

struct RunOptions {
  std::string file, out, json, trace, resume;
  std::vector<std::string> overrides;
  double checkpoint_every = 0;  // s of simulated time
  std::optional<int> threads;   // not given: the model's
  bool quiet = false, force = false;
  std::function<void(Model&)> edit;  // of the model as read; none: as it is
};
void run(const RunOptions& options, int& exit_code);

// The run of another analysis than the model's own: its result and summary are those of a run.
struct ModesOptions {
  RunOptions run;  // without out: no result
  int count = 10;
  std::optional<double> near;  // Hz
  std::string at = "rest";     // or equilibrium
};
void modes(ModesOptions& options, int& exit_code);

// The summary to options.json; "-" is the standard output.
void write_json(const RunOptions& options, const std::string& text);

struct CheckOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool quiet = false;
};
void check(const CheckOptions& options);

struct ListOptions {
  std::string kind, name;
  bool verbose = false, json = false;
};
void list(const ListOptions& options);

struct InfoOptions {
  std::string file;
  bool repair = false;
};
void info(const InfoOptions& options);

struct ExpandOptions {
  std::string file, out;
  bool force = false;
};
void expand(const ExpandOptions& options);

struct ReduceOptions {
  std::string file, body, out, modes;
  std::vector<std::string> interfaces;
  int count = 0;
  std::vector<std::string> overrides;
};
void reduce_pod(const ReduceOptions& options);
void reduce_modal(const ReduceOptions& options);
void reduce_craig_bampton(const ReduceOptions& options);

// Becomes `lithe-bench` with these words.
[[noreturn]] void bench(const std::vector<std::string>& words);

// To stderr, each once.
void print_warnings(const std::vector<std::string>& warnings, const std::vector<std::string>& told = {});

}  // namespace lithe::app
