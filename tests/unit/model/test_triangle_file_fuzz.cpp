// Files of surfaces that were damaged at random: refused with an InputError, or taken with everything in its bounds.
//
// LITHE_FUZZ_CASES: how many (2000); LITHE_FUZZ_SEED: of the first case. A case that fails is printed with its seed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lithe/model/triangle_surface.h"
#include "support/mutate_text.h"
#include "support/triangle_files.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TextMutator make_mutator() {
  const Soup box = box_soup({{1, 2, 3}}), two = together(box, ball_soup(0.4, 6));
  return {{stl_text(box), stl_binary(box), obj_text(box), stl_text(two), stl_binary(two), obj_text(two),
           "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 -1\n"},
          {"0",     "-1",   "1",        "2",      "7",    "2147483647", "2147483648", "99999999999999999999",
           "1e308", "nan",  "inf",      "1e40",   "",     "abc",        "\"",         "1e-400",
           "0x10",  "+3",   "1d2",      "vertex", "f",    "v",          "1/2",        "1//-1",
           "-0.0",  "\xff", "endsolid", "facet",  "1e99", "\\"},
          {"endsolid\n", "solid again\n", "f 1 2 3\n", "f 1 2 3 4 5 6 7 8\n", "v 1 1 1\n", "vertex 1 2 3\n",
           "endloop\n", "facet normal 0 0 1\n", "f -1 -2 -3\n", "g \\\n", "curv 0 1\n", "v 0 0 0 0 0 0 0\n"}};
}

void expect_sound(const TriangleSurface& surface) {
  const int corners = static_cast<int>(surface.corners.size());
  EXPECT_GT(surface.triangles.size(), 0u);
  EXPECT_EQ(surface.lines.size(), surface.triangles.size());
  for (const Triple& x : surface.corners)
    for (const double component : x) EXPECT_LE(std::abs(component), 1e100);
  for (const auto& triangle : surface.triangles) {
    for (const int c : triangle) ASSERT_TRUE(c >= 0 && c < corners);
    EXPECT_TRUE(triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0]);
  }
}

TEST(FuzzTriangleFile, DamagedFilesAreRefusedOrTaken) {
  const std::uint64_t first = number_from("LITHE_FUZZ_SEED", 1), cases = number_from("LITHE_FUZZ_CASES", 2000);
  const fs::path folder = fs::temp_directory_path() / ("lithe_fuzz_triangles_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  TextMutator mutator = make_mutator();
  std::uint64_t refused = 0, taken = 0, closed = 0;
  for (std::uint64_t seed = first; seed < first + cases && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = mutator.make(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool is_obj = text.starts_with("v ") || text.starts_with("#") || text.find("facet") == std::string::npos;
    const std::string path = (folder / (is_obj && seed % 4 != 0 ? "fuzz.obj" : "fuzz.stl")).string();
    std::ofstream(path, std::ios::binary) << text;
    try {
      const TriangleSurface surface = read_triangles(path);
      expect_sound(surface);
      ++taken;
      check_closed(surface);
      EXPECT_GT(moments(surface).volume, 0);
      ++closed;
    } catch (const InputError& error) {
      ++refused;  // as a file, or as a surface
      EXPECT_TRUE(std::string(error.what()).starts_with(folder.string())) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not an InputError: " << error.what();
    }
  }
  fs::remove_all(folder);
  std::printf("%llu refused, %llu read, %llu closed\n", static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(taken), static_cast<unsigned long long>(closed));
  if (cases >= 1000) {  // the mutator neither breaks everything nor nothing
    EXPECT_GT(refused, cases / 5);
    EXPECT_GT(taken, cases / 10);
    EXPECT_GT(closed, cases / 50);
  }
}

// A file that lost its end, or one of its lines, is not taken as another surface.
TEST(FuzzTriangleFile, CutFilesAreRefused) {
  const fs::path folder = fs::temp_directory_path() / ("lithe_cut_triangles_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const Soup soup = box_soup({{1, 2, 3}});
  const auto unnamed = [](const std::string& text) { return text.substr(0, text.find("endsolid") + 8); };
  for (const auto& [name, text] :
       {std::pair{"cut.stl", unnamed(stl_text(soup))}, {"cut.stl", stl_binary(soup)}, {"cut.obj", obj_text(soup)}}) {
    const std::string path = (folder / name).string();
    const std::size_t last = name == std::string("cut.obj") ? 10 : 0;  // of a number that stays one
    for (std::size_t length = 0; length + last < text.size(); ++length) {
      std::ofstream(path, std::ios::binary) << text.substr(0, length);
      EXPECT_THROW(check_closed(read_triangles(path)), InputError) << name << " " << length;
    }
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace lithe
