// SuperLU short of memory: it must report, never end the program. Its allocations go through superlu_malloc, which this
// program defines itself so that any one of them can be refused.
#include <gtest/gtest.h>

#include <cstdlib>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "lithe/base/error.h"
#include "lithe/linalg/linear_solver.h"
#include "matrices.h"

namespace {

int allocations_left = -1;  // negative: as many as wanted
int allocations = 0;

}  // namespace

extern "C" void* superlu_malloc(std::size_t size) {
  ++allocations;
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  return std::malloc(size);
}

namespace lithe {
namespace {

using namespace fixtures;

class ShortOfMemory {
 public:
  explicit ShortOfMemory(int allowed) { allocations_left = allowed; }
  ~ShortOfMemory() { allocations_left = -1; }
};

TEST(SuperLu, RefusedMemoryIsReportedWhateverAllocationItHits) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler leaks;  // what SuperLU holds when it gives up is its own
#endif
  const Matrix m = random_matrix(60, false, 6, 3);
  const std::vector<double> b(60, 1.0);
  allocations = 0;
  {
    const auto solver = make_linear_solver("superlu");
    solver->analyse(m.pattern);
    std::vector<double> x;
    ASSERT_TRUE(solver->factor(m.values).ok());
    ASSERT_TRUE(solver->solve(b, x).ok());
  }
  const int needed = allocations;
  ASSERT_GT(needed, 10);
  int refused = 0;
  for (int allowed = 0; allowed < needed; ++allowed) {
    std::vector<double> x;
    std::unique_ptr<LinearSolver> solver;
    try {
      const ShortOfMemory until(allowed);
      solver = make_linear_solver("superlu");
      solver->analyse(m.pattern);
      const FactorReport report = solver->factor(m.values);
      if (!report.ok()) {
        EXPECT_EQ(report.reason, FactorReport::Reason::out_of_memory) << allowed;
        EXPECT_FALSE(report.usable);
        ++refused;
      } else {
        (void)solver->solve(b, x);
      }
    } catch (const RunError& error) {
      EXPECT_NE(std::string(error.what()).find("memory"), std::string::npos) << error.what();
      ++refused;
      continue;
    }
    // With memory again the same object works.
    ASSERT_TRUE(solver->factor(m.values).ok()) << allowed;
    ASSERT_TRUE(solver->solve(b, x).ok()) << allowed;
  }
  EXPECT_GT(refused, needed / 2);
}

}  // namespace
}  // namespace lithe
