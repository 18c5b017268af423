// Figure 2 and section 4.3 of P4: the same steps on every BLAS and LAPACK that is installed.
//
// Debian keeps the implementations of libblas.so.3 and liblapack.so.3 as alternatives in folders beside each other.
// They are found from the library that this process has loaded. Which one a process gets is settled when it starts, so
// each is measured by a child, this program again with LD_PRELOAD, which says what it really had.
#include <dlfcn.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "four_bar.h"
#include "linalg.h"
#include "lithe/base/error.h"

namespace lithe::app {

namespace {

namespace fs = std::filesystem;

// The library that defines a routine in this process, links followed.
fs::path library_of(const char* routine) {
  Dl_info info{};
  void* address = dlsym(RTLD_DEFAULT, routine);
  if (!address || !dladdr(address, &info) || !info.dli_fname) return {};
  std::error_code error;
  const fs::path path = fs::canonical(info.dli_fname, error);
  return error ? fs::path(info.dli_fname) : path;
}

// "openblas-pthread" -> "openblas"; Debian's names of the reference implementations are "blas" and "lapack".
std::string implementation(const std::string& folder) {
  if (folder == "blas" || folder == "lapack") return "reference";
  return folder.substr(0, folder.find('-'));
}
constexpr const char* expected[] = {"reference", "openblas", "blis", "atlas"};

struct Pair {
  fs::path blas, lapack;  // libraries to load
  std::string name() const {
    return implementation(blas.parent_path().filename()) + " + " + implementation(lapack.parent_path().filename());
  }
};

// BLAS with its own LAPACK where it has one, and with the reference one.
std::vector<Pair> installed_pairs() {
  const fs::path folder = library_of("dgemm_").parent_path();
  std::vector<Pair> pairs;
  for (const fs::path& parent : {folder.parent_path(), folder}) {
    const fs::path reference = parent / "lapack" / "liblapack.so.3";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
      const fs::path blas = entry.path() / "libblas.so.3", own = entry.path() / "liblapack.so.3";
      if (!fs::exists(blas, error)) continue;
      if (fs::exists(own, error)) pairs.push_back({blas, own});
      if (fs::exists(reference, error)) pairs.push_back({blas, reference});
    }
    if (!pairs.empty()) break;
  }
  std::ranges::sort(pairs, {}, [](const Pair& p) { return p.name(); });
  return pairs;
}

// Exit code of this program with other arguments and variables; its output goes nowhere.
int run_self(const std::vector<std::string>& arguments, const std::vector<std::string>& variables) {
  std::vector<std::string> texts = variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const auto same_name = [&](const std::string& v) { return text.starts_with(v.substr(0, v.find('=') + 1)); };
    if (std::ranges::none_of(variables, same_name)) texts.push_back(text);
  }
  std::vector<char*> environment, command;
  for (std::string& text : texts) environment.push_back(text.data());
  environment.push_back(nullptr);
  std::vector<std::string> words = arguments;
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, command.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

nlohmann::json measure_pair(const Pair& pair, bool quick) {
  nlohmann::json result{{"name", pair.name()}};
  std::string file = (fs::temp_directory_path() / "lithe_blas_XXXXXX").string();
  const int descriptor = mkstemp(file.data());
  if (descriptor < 0) throw RunError("no temporary file can be made in " + fs::temp_directory_path().string());
  close(descriptor);
  std::vector<std::string> arguments{"lithe-bench", "linalg", "--loaded-blas", file};
  if (quick) arguments.emplace_back("--quick");
  const char* already = std::getenv("LD_PRELOAD");  // a sanitizer's runtime, say, which has to stay the first
  const std::string preload =
      fmt::format("LD_PRELOAD={}:{}:{}", already ? already : "", pair.blas.string(), pair.lapack.string());
  const int code = run_self(arguments, {preload, "OPENBLAS_NUM_THREADS=1", "BLIS_NUM_THREADS=1", "OMP_NUM_THREADS=1"});
  if (code == 0) result.update(nlohmann::json::parse(std::ifstream(file)));
  fs::remove(file);
  const std::string wanted = pair.blas.parent_path().filename();
  if (code != 0) result["failure"] = fmt::format("the child process ended with {}", code);
  else if (result["blas"] != wanted) result["failure"] = fmt::format("{} was loaded", std::string(result["blas"]));
  return result;
}

double time_of(const nlohmann::json& rows, const std::string& solver, int variables) {
  for (const nlohmann::json& row : rows)
    if (row["solver"] == solver && row["variables"] == variables) return row["us_per_step"];
  return 0;
}

void print_absent(const nlohmann::json& all) {
  for (const char* name : expected)
    if (std::ranges::none_of(all, [&](const nlohmann::json& one) {
          return std::string(one["name"]).starts_with(name) && !one.contains("failure");
        }))
      fmt::print("{} is not installed, or could not be loaded\n", name);
  for (const nlohmann::json& one : all)
    if (one.contains("failure")) fmt::print("{}: {}\n", std::string(one["name"]), std::string(one["failure"]));
}

}  // namespace

nlohmann::json measure_loaded_blas(bool quick) {
  const auto folder = [](const char* routine) { return library_of(routine).parent_path().filename().string(); };
  nlohmann::json result{{"blas", folder("dgemm_")}, {"lapack", folder("dpotrf_")}};
  const auto measure = [&](const char* key, const std::vector<int>& loops, auto takes, const char* ordering) {
    for (int n : loops) {
      const FourBar mechanism(n);
      nlohmann::json rows;
      const int steps = four_bar_steps(2 * n + 2, quick);
      for (int round = 0; round < (quick ? 1 : 5); ++round) {
        std::size_t k = 0;
        for (const SolverInfo& info : linear_solvers()) {
          if (!takes(info)) continue;
          const FourBarRun run = mechanism.run(info.name, ordering, steps);
          if (round == 0)
            rows.push_back({{"solver", info.name},
                            {"variables", 2 * n + 2},
                            {"us_per_step", run.microseconds},
                            {"x", run.x},
                            {"y", run.y},
                            {"failure", run.failure}});
          else if (run.microseconds < rows[k]["us_per_step"]) rows[k]["us_per_step"] = run.microseconds;
          ++k;
        }
      }
      for (const nlohmann::json& row : rows) result[key].push_back(row);
    }
  };
  std::vector<int> small;
  for (int n = 1; n <= 20; n += quick ? 9 : 1) small.push_back(n);
  measure(
      "dense", small, [](const SolverInfo& info) { return info.name.starts_with("lapack"); }, "auto");
  measure(
      "sparse", quick ? std::vector{10} : std::vector{40, 150, 500},
      [](const SolverInfo& info) {
        return !info.iterative && info.name != "components" && !info.name.starts_with("lapack");
      },
      "amd");
  return result;
}

nlohmann::json measure_all_blas(bool quick) {
  nlohmann::json all = nlohmann::json::array();
  for (const Pair& pair : installed_pairs()) all.push_back(measure_pair(pair, quick));
  return all;
}

nlohmann::json bench_figure_2(LinalgBench& bench) {
  const nlohmann::json& all = bench.blas();
  fmt::print("us per step, lapack_cholesky; names are BLAS + LAPACK\n{:<14}", "variables");
  for (const nlohmann::json& one : all) fmt::print("{:>24}", std::string(one["name"]));
  fmt::print("\n");
  nlohmann::json rows;
  std::vector<int> sizes;
  for (const nlohmann::json& one : all)
    if (!one.contains("failure"))
      for (const nlohmann::json& row : one["dense"]) {
        if (std::ranges::find(sizes, int(row["variables"])) == sizes.end()) sizes.push_back(row["variables"]);
        rows.push_back(row);
        rows.back()["blas"] = one["name"];
      }
  for (int size : sizes) {
    fmt::print("{:<14}", size);
    for (const nlohmann::json& one : all)
      fmt::print("{:>24.2f}", one.contains("failure") ? 0.0 : time_of(one["dense"], "lapack_cholesky", size));
    fmt::print("\n");
  }
  for (const char* solver : {"lapack_ldl", "lapack_lu"}) {
    fmt::print("{} over lapack_cholesky, {} variables:", solver, sizes.empty() ? 0 : sizes.back());
    for (const nlohmann::json& one : all)
      if (!one.contains("failure"))
        fmt::print(" {:.2f}", time_of(one["dense"], solver, sizes.back()) /
                                  time_of(one["dense"], "lapack_cholesky", sizes.back()));
    fmt::print("\n");
  }
  print_absent(all);
  fmt::print(
      "P4, figure 2: Ref.+Ref. best up to 10 variables, then ACML and GotoBLAS (Ref. at 70-80 %), ATLAS last; "
      "general solvers take 15 % more\n");
  return rows;
}

nlohmann::json bench_section_4_3(LinalgBench& bench) {
  const nlohmann::json& all = bench.blas();
  nlohmann::json rows;
  fmt::print("us per step, ordering amd; BLAS + LAPACK\n{:<32}", "");
  for (const nlohmann::json& one : all) fmt::print("{:>24}", std::string(one["name"]));
  fmt::print("\n");
  std::vector<std::pair<int, std::string>> lines;
  for (const nlohmann::json& one : all)
    if (!one.contains("failure"))
      for (const nlohmann::json& row : one["sparse"]) {
        const std::pair<int, std::string> line{row["variables"], row["solver"]};
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
        rows.push_back(row);
        rows.back()["blas"] = one["name"];
      }
  for (const auto& [variables, solver] : lines) {
    fmt::print("{:<32}", fmt::format("{} variables, {}", variables, solver));
    for (const nlohmann::json& one : all)
      fmt::print("{:>24.1f}", one.contains("failure") ? 0.0 : time_of(one["sparse"], solver, variables));
    fmt::print("\n");
  }
  print_absent(all);
  fmt::print("P4, section 4.3: optimised BLAS takes 2 - 3 % off the reference one\n");
  return rows;
}

}  // namespace lithe::app
