// The machine a measurement ran on, and its two limits: FMA peak and copy bandwidth, measured, not looked up.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lithe::app {

struct Machine {
  std::string cpu;  // model name
  int cores = 1;
  std::string compiler, flags, commit, features;  // features: the vector instruction sets of the CPU
};

Machine describe_machine();
nlohmann::json to_json(const Machine& machine);
void print_machine(const Machine& machine);

// Seconds from which to take differences. One thread is timed by its own CPU clock, which stands still while other
// programs have the core; several threads by the wall clock. On a quiet machine the two agree.
double clock_seconds(int threads);

// GFLOP/s of independent chains of fused multiply-adds, two flops each; best of several trials.
double fma_peak(int threads);

// GB/s (1e9 bytes, read plus written) of b = a over arrays far larger than the caches, as in STREAM; best of several.
double copy_bandwidth(int threads);

// Peak resident set of this process, bytes.
std::size_t peak_memory();

}  // namespace lithe::app
