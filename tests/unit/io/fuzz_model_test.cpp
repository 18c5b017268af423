// Models that were damaged at random: the reader, the checks and compile() answer with an InputError that names the
// place, with a RunError where there is no state to start from, or take the model; they never fail in any other way.
//
// LITHE_FUZZ_CASES: how many (2000); LITHE_FUZZ_SEED: of the first case. A case that fails is printed with its seed,
// and LITHE_FUZZ_CASES=1 LITHE_FUZZ_SEED=... repeats it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "lithe/io/check.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"
#include "support/mutate_model.h"

namespace lithe {
namespace {

// Whatever a mesh of this size does, one of ten times the size does slower.
constexpr double largest_attempt = 2000;  // elements

double element_count(const Model& model) {
  double count = 0;
  const auto product = [](const auto& n) {
    double p = 1;
    for (const int x : n) p *= x;
    return p;
  };
  for (const auto& [name, any] : model.bodies.items)
    if (const auto* body = std::get_if<Body>(&any))
      std::visit(
          [&](const auto& mesh) {
            if constexpr (requires { mesh.cells; }) count += 2 * (product(mesh.cells) + 1) * mesh.elements;
            else if constexpr (requires { mesh.elements[0][0]; }) count += static_cast<double>(mesh.elements.size());
            else if constexpr (requires { mesh.elements[0]; }) count += product(mesh.elements);
            else if constexpr (requires { mesh.elements; }) count += mesh.elements;
          },
          body->mesh);
  return count;
}

// A case that never ends is named before the program ends.
volatile std::uint64_t current_seed = 0;
extern "C" void too_long(int) {
  std::fprintf(stderr, "the case of seed %llu does not end\n", static_cast<unsigned long long>(current_seed));
  std::_Exit(1);
}

enum class End { input_error, run_error, too_large, taken };

struct Outcome {
  End end = End::taken;
  std::string message, wrong;  // wrong: why the test fails
};

Outcome attempt(const std::string& text) {
  Outcome outcome;
  try {
    Reading reading;
    const Model model = read_model(parse_yaml(text, "case.yaml"), reading);
    const std::string written = model_yaml(model);
    Reading again;
    if (model_yaml(read_model(parse_yaml(written, "again.yaml"), again)) != written)
      outcome.wrong = "the model changes when it is written and read";
    if (element_count(model) > largest_attempt) {
      outcome.end = End::too_large;
      return outcome;
    }
    check_model(model, "case", reading.warnings);
  } catch (const InputError& error) {
    outcome.end = End::input_error;
    outcome.message = error.what();
    if (outcome.message.find("case.yaml") == std::string::npos && outcome.message.rfind("analysis.", 0) != 0)
      outcome.wrong = "the message names no place";
    if (outcome.message.size() > 2000) outcome.wrong = "the message is endless";
  } catch (const RunError& error) {
    outcome.end = End::run_error;
    outcome.message = error.what();
  } catch (const std::exception& error) {
    outcome.wrong = std::string("an internal error: ") + error.what();
  }
  return outcome;
}

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::vector<std::string> seeds() {
  std::vector<std::string> texts = mechanism_seeds();
  for (const char* folder : {"examples", "tests/cases"}) {
    if (!std::filesystem::is_directory(folder)) continue;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files) texts.push_back(read_text_file(file.string()));
  }
  return texts;
}

TEST(FuzzModel, WholeModelsAreTaken) {
  for (const std::string& text : mechanism_seeds()) {
    const Outcome outcome = attempt(text);
    EXPECT_EQ(outcome.end, End::taken) << outcome.message;
    EXPECT_EQ(outcome.wrong, "");
  }
}

TEST(FuzzModel, DamagedModelsAreRefusedOrTaken) {
  const ModelMutator mutator(seeds());
  const std::uint64_t first = number_from("LITHE_FUZZ_SEED", 1), cases = number_from("LITHE_FUZZ_CASES", 2000);
  std::signal(SIGALRM, too_long);
  std::map<End, int> ends;
  int failures = 0;
  double slowest = 0;
  std::uint64_t slowest_seed = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 20; ++seed) {
    current_seed = seed;
    const std::string text = mutator.make(seed);
    alarm(60);
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = attempt(text);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    alarm(0);
    if (seconds > slowest) {
      slowest = seconds;
      slowest_seed = seed;
    }
    ++ends[outcome.end];
    if (outcome.wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << outcome.wrong << "\n  " << outcome.message << "\n"
                  << (cases == 1 ? text : "");
  }
  std::signal(SIGALRM, SIG_DFL);
  EXPECT_LT(slowest, 20) << "seed " << slowest_seed;
  std::printf("%d refused, %d without a start, %d too large to try, %d taken; the slowest took %.2f s (seed %llu)\n",
              ends[End::input_error], ends[End::run_error], ends[End::too_large], ends[End::taken], slowest,
              static_cast<unsigned long long>(slowest_seed));
  if (cases >= 1000) {  // the mutator neither breaks everything nor nothing
    EXPECT_GT(ends[End::input_error], static_cast<int>(cases / 5));
    EXPECT_GT(ends[End::taken], static_cast<int>(cases / 20));
  }
}

}  // namespace
}  // namespace lithe
