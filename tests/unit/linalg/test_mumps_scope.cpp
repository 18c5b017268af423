// The sequential MUMPS brings functions under MPI's names. Nobody in the program may see them, and MUMPS may not call
// those of a real MPI that the program has: this one has two of its own, exported as a linked library's would be.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "../sanitized.h"
#include "lithe/linalg/linear_solver.h"
#include "matrices.h"

namespace {

int calls = 0;

}  // namespace

#if !LITHE_SANITIZED  // MUMPS would call them
extern "C" __attribute__((visibility("default"))) void mpi_comm_rank_(int*, int*, int*) { ++calls; }
extern "C" __attribute__((visibility("default"))) void mpi_comm_size_(int*, int*, int*) { ++calls; }
#endif

namespace lithe {
namespace {

using namespace fixtures;

TEST(Mumps, KeepsItsMpiToItself) {
  if (!has_linear_solver("mumps")) GTEST_SKIP() << "this build has no MUMPS";
  if (LITHE_SANITIZED) GTEST_SKIP() << "sanitizers forbid RTLD_DEEPBIND";
  ASSERT_NE(dlsym(RTLD_DEFAULT, "mpi_comm_rank_"), nullptr) << "the MPI of this program is there to be called";
  const Matrix m = random_matrix(50, true, 15, 1);
  auto solver = make_linear_solver("mumps");
  solver->analyse(m.pattern);
  ASSERT_TRUE(solver->factor(m.values).ok());
  std::vector<double> x;
  ASSERT_TRUE(solver->solve(random_vector(50, 2), x).ok());
  EXPECT_EQ(calls, 0);
  for (const char* name : {"MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "mpi_init_", "mpi_bcast_", "dmumps_c"})
    EXPECT_EQ(dlsym(RTLD_DEFAULT, name), nullptr) << name;
  std::ifstream maps("/proc/self/maps");
  bool loaded = false;
  for (std::string line; std::getline(maps, line);) loaded = loaded || line.find("dmumps") != std::string::npos;
  EXPECT_TRUE(loaded) << "the library was meant to be in this process";
}

}  // namespace
}  // namespace lithe
