#include "machine.h"

#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/base/simd.h"

namespace lithe::app {

namespace {

std::string cpu_field(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(key, 0) == 0) {
      const std::size_t colon = line.find(':');
      if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
    }
  return "unknown";
}

std::string first_line(const std::string& command) {
  std::string text;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 256> buffer{};
    if (std::fgets(buffer.data(), buffer.size(), pipe)) text = buffer.data();
    pclose(pipe);
  }
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// Ten chains cover the latency of two FMA units and leave registers for the factors, with AVX2 too.
template <class Vector>
double fma_chains(long rounds, double& guard) {
  constexpr int chains = 10;
  volatile double factor = 0.999999, term = 1e-6;
  Vector x[chains];
  const Vector a = Vector{} + factor, b = Vector{} + term;
  for (int c = 0; c < chains; ++c) x[c] = Vector{} + (1.0 + c);
  for (long r = 0; r < rounds; ++r)
#pragma GCC unroll 10
    for (int c = 0; c < chains; ++c) x[c] = x[c] * a + b;
  Vector sum{};
  for (int c = 0; c < chains; ++c) sum += x[c];
  guard += sum[0];
  return 2.0 * chains * rounds * (sizeof(Vector) / sizeof(double));
}

template <class Vector>
double peak_of(int threads) {
  constexpr long rounds = 400'000;
  double best = 0;
  for (int trial = 0; trial < 30; ++trial) {
    double flops = 0, guard = 0, start = 0, end = 0;
#pragma omp parallel num_threads(threads) reduction(+ : flops, guard)
    {
#pragma omp barrier
#pragma omp master
      start = clock_seconds(threads);
      flops += fma_chains<Vector>(rounds, guard);
#pragma omp barrier
#pragma omp master
      end = clock_seconds(threads);
    }
    if (guard != 0) best = std::max(best, 1e-9 * flops / (end - start));
  }
  return best;
}

}  // namespace

double clock_seconds(int threads) {
  timespec time{};
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

Machine describe_machine() {
  Machine machine;
  machine.cpu = cpu_field("model name");
  machine.cores = omp_get_num_procs();
  machine.compiler = fmt::format("GCC {}", __VERSION__);
  machine.flags = LITHE_BUILD_FLAGS;
  machine.commit = first_line("git -C '" LITHE_SOURCE_DIR "' describe --always --dirty --abbrev=12 2>/dev/null");
  if (machine.commit.empty()) machine.commit = "unknown";
  std::istringstream flags(cpu_field("flags"));
  for (std::string flag; flags >> flag;)
    if (flag == "fma" || flag == "avx" || flag == "avx2" || flag.rfind("avx512", 0) == 0)
      machine.features += (machine.features.empty() ? "" : " ") + flag;
  return machine;
}

nlohmann::json to_json(const Machine& machine) {
  return {{"cpu", machine.cpu},           {"cores", machine.cores},   {"flags", machine.flags},
          {"compiler", machine.compiler}, {"commit", machine.commit}, {"cpu_features", machine.features},
          {"simd_width", simd_width}};
}

void print_machine(const Machine& machine) {
  fmt::print("machine   {}, {} cores ({})\n", machine.cpu, machine.cores, machine.features);
  fmt::print("compiler  {}, {}\n", machine.compiler, machine.flags);
  fmt::print("commit    {}\n", machine.commit);
}

double fma_peak(int threads) {
  using Pack4 = double __attribute__((vector_size(32)));
  return std::max(peak_of<Pack4>(threads), peak_of<Pack>(threads));
}

double copy_bandwidth(int threads) {
  constexpr std::size_t length = std::size_t(24) << 20;  // doubles: 192 MiB an array
  AlignedVector<double> a(length, 1.0), b(length, 0.0);
  double best = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const double start = clock_seconds(threads);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < length; ++i) b[i] = a[i];
    const double time = clock_seconds(threads) - start;
    a[trial] += b[length - 1 - trial];
    best = std::max(best, 1e-9 * 16.0 * length / time);
  }
  return best;
}

std::size_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::size_t(usage.ru_maxrss) << 10;
}

}  // namespace lithe::app
