// FCLIB's form: what is written comes back, all three forms of its matrices are read, and what is none of it is
// refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lithe/base/hdf5.h"
#include "lithe/contact/contact_solver.h"
#include "lithe/contact/fclib_file.h"
#include "random_problems.h"

namespace lithe {
namespace {

class FclibFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string refused() const {
    try {
      (void)read_fclib(path_);
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  }
  const std::string path_ =
      (std::filesystem::temp_directory_path() / ("lithe_fclib_" + std::to_string(getpid()) + ".hdf5")).string();
};

TEST_F(FclibFile, ComesBack) {
  ContactFile file{fixtures::pile(2, 2, 2, 1, 10, 3).problem(), {}, {}, {}, "a pile"};
  file.guess.assign(file.problem.B.size(), 0.25);
  ASSERT_TRUE(
      make_contact_solver("auto")->solve(file.problem, {.tolerance = 1e-10}, file.solution_R, file.solution_U).ok());
  write_fclib(path_, file);
  const ContactFile back = read_fclib(path_);
  EXPECT_EQ(back.problem.row_start, file.problem.row_start);
  EXPECT_EQ(back.problem.column, file.problem.column);
  EXPECT_EQ(back.problem.W, file.problem.W);
  EXPECT_EQ(back.problem.B, file.problem.B);
  EXPECT_EQ(back.problem.friction, file.problem.friction);
  EXPECT_EQ(back.guess, file.guess);
  EXPECT_EQ(back.solution_R, file.solution_R);
  EXPECT_EQ(back.solution_U, file.solution_U);
  EXPECT_EQ(back.title, "a pile");
}

void write(hid_t group, const char* name, hid_t type, const std::vector<double>& data) {
  hdf5::write_array(group, name, type, {data.size()}, data);
}

// W = [2 1; 1 2] between the normals of two contacts, as others write it.
void write_by_hand(const std::string& path, double nz, const std::vector<double>& p, const std::vector<double>& i,
                   const std::vector<double>& x) {
  const hdf5::Quiet quiet;
  const hdf5::Handle file = hdf5::check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const hdf5::Handle local = hdf5::group(file, "fclib_local"), W = hdf5::group(local, "W"),
                     vectors = hdf5::group(local, "vectors");
  write(local, "spacedim", H5T_STD_I32LE, {3});
  for (const auto& [name, number] :
       {std::pair<const char*, double>{"m", 6}, {"n", 6}, {"nz", nz}, {"nzmax", double(x.size())}})
    write(W, name, H5T_STD_I32LE, {number});
  write(W, "p", H5T_STD_I32LE, p);
  write(W, "i", H5T_STD_I32LE, i);
  write(W, "x", H5T_IEEE_F64LE, x);
  write(vectors, "q", H5T_IEEE_F64LE, {-1, 0, 0, -2, 0, 0});
  write(vectors, "mu", H5T_IEEE_F64LE, {0.5, 0.25});
}

TEST_F(FclibFile, ReadsEveryFormOfMatrix) {
  for (const double nz : {-2.0, -1.0, 4.0}) {
    if (nz < 0) write_by_hand(path_, nz, {0, 2, 2, 2, 4, 4, 4}, {0, 3, 0, 3}, {2, 1, 1, 2});
    else write_by_hand(path_, nz, {0, 3, 0, 3}, {0, 0, 3, 3}, {2, 1, 1, 2});
    const ContactProblem problem = read_fclib(path_).problem;
    ASSERT_EQ(problem.count(), 2) << nz;
    EXPECT_EQ(problem.column, (std::vector<std::int32_t>{0, 1, 0, 1})) << nz;
    for (int block = 0; block < 4; ++block) EXPECT_EQ(problem.W[9 * block], block % 3 == 0 ? 2 : 1) << nz;
    EXPECT_EQ(problem.friction[1], 0.25);
    EXPECT_EQ(problem.B[3], -2);
  }
}

TEST_F(FclibFile, RefusesWhatIsNone) {
  EXPECT_NE(refused().find("cannot be read"), std::string::npos);
  std::ofstream(path_) << "no file of HDF5";
  EXPECT_NE(refused().find("cannot be read"), std::string::npos);
  write_by_hand(path_, -2, {0, 2, 2, 2, 4, 4, 4}, {0, 3, 0, 7}, {2, 1, 1, 2});
  EXPECT_NE(refused().find("outside"), std::string::npos) << refused();
  write_by_hand(path_, -2, {0, 2, 2, 2, 1, 4, 4}, {0, 3, 0, 3}, {2, 1, 1, 2});
  EXPECT_NE(refused().find("follow"), std::string::npos) << refused();
  write_by_hand(path_, -2, {0, 2, 2, 2, 4, 4, 9}, {0, 3, 0, 3}, {2, 1, 1, 2});
  EXPECT_NE(refused().find("lengths"), std::string::npos) << refused();
  ContactFile joint{{{0, 1}, {0}, {0, 0, 0, 0, 1, 0, 0, 0, 0}, {0, 1, 0}, {1}, {0.5}}, {}, {}, {}, ""};
  EXPECT_THROW(write_fclib(path_, joint), RunError);
}

}  // namespace
}  // namespace lithe
