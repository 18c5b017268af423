// Surfaces of triangles: files read, what is wrong with them told, mass of what they enclose.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lithe/model/mesh_file.h"
#include "lithe/model/shape_mass.h"
#include "support/triangle_files.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;

class TriangleFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lithe_triangles_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  TriangleSurface closed(const std::string& name, const std::string& text) const {
    TriangleSurface surface = read_triangles(file(name, text));
    check_closed(surface);
    return surface;
  }
  std::string refusal(const std::string& name, const std::string& text) const {
    try {
      closed(name, text);
    } catch (const InputError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(folder_.string())) << error.what();
      return error.what();
    }
    return "nothing";
  }
  SolidMass mass(const Soup& soup, double scale = 1) const {
    MeshShape shape;
    shape.path = file("soup.obj", obj_text(soup));
    shape.scale = scale;
    MeshFiles files;
    return solid_mass(shape, 1000, {}, {}, files);
  }
  fs::path folder_;
};

void expect_has(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

TEST_F(TriangleFiles, ThreeFormatsSayTheSame) {
  const Soup soup = together(box_soup({{1, 2, 0.5}}, {{3, 0, 0}}), ball_soup(0.25, 8));
  const TriangleSurface a = closed("a.stl", stl_text(soup)), b = closed("b.stl", stl_binary(soup)),
                        c = closed("c.obj", obj_text(soup));
  EXPECT_EQ(a.corners.size(), soup.corners.size());
  EXPECT_EQ(a.triangles.size(), soup.triangles.size());
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.triangles, c.triangles);
  for (std::size_t i = 0; i < a.corners.size(); ++i)
    for (int m = 0; m < 3; ++m) {
      EXPECT_EQ(a.corners[i][m], c.corners[i][m]);
      EXPECT_EQ(static_cast<float>(a.corners[i][m]), b.corners[i][m]);
    }
}

TEST_F(TriangleFiles, PolygonsAndNumbersFromTheEndOfObj) {
  // A house: five corners in front and behind, of which the front ones have a texture.
  const std::string house =
      "v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 2 1.0\nv 0 0 1\nv 0 3 0\nv 2 3 0\nv 2 3 1\nv 1 3 2\nv 0 3 1\nvt 0 0\n"
      "f 1/1 2/1 3/1 4/1 5/1 # front\nf -1 -2 -3 \\\n  -4 -5\nf 1 6 7 2\nf 2 7 8 3\nf 3 8 9 4\nf 4 9 10 5\nf 5 10 6 "
      "1\n";
  const TriangleSurface surface = closed("house.obj", house);
  EXPECT_EQ(surface.triangles.size(), 16u);
  EXPECT_NEAR(moments(surface).volume, 3 * (2 + 1), 1e-14);
  EXPECT_EQ(surface.lines.front(), 12);
}

TEST_F(TriangleFiles, MassOfABoxIsExact) {
  const SolidMass mesh = mass(box_soup({{1000, 2000, 500}}, {{3000, -100, 70}}), 0.001);
  MeshFiles none;
  const SolidMass box = solid_mass(BoxShape{{1, 2, 0.5}}, 1000, {}, {}, none);
  EXPECT_NEAR(mesh.mass, box.mass, 1e-12 * box.mass);
  EXPECT_NEAR(norm(mesh.centre - Vec3<double>{{3, -0.1, 0.07}}), 0, 1e-14);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(mesh.inertia[i][j], box.inertia[i][j], 1e-12 * box.inertia[0][0]);
}

// Twice as fine, four times as near.
TEST_F(TriangleFiles, MassOfBallsAndRingsIsOfSecondOrder) {
  const double R = 0.7, r = 0.2, ring = 1000 * 2 * pi * pi * R * r * r, ball = 1000 * 4 / 3.0 * pi * R * R * R;
  const double expected[2][3] = {{ball, 0.4 * ball * R * R, 0.4 * ball * R * R},
                                 {ring, ring * (R * R / 2 + 5 * r * r / 8), ring * (R * R + 3 * r * r / 4)}};
  for (const bool is_ring : {false, true}) {
    double error[2][3];
    for (int k = 0; k < 2; ++k) {
      const SolidMass m = mass(is_ring ? ring_soup(R, r, 32 << k) : ball_soup(R, 32 << k));
      EXPECT_NEAR(norm(m.centre), 0, 1e-14);
      EXPECT_NEAR(m.inertia[0][1], 0, 1e-12);
      const double found[3] = {m.mass, m.inertia[0][0], m.inertia[2][2]};
      for (int i = 0; i < 3; ++i) error[k][i] = 1 - found[i] / expected[is_ring][i];
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_GT(error[1][i], 0);
      EXPECT_LT(error[1][i], 1e-2);
      EXPECT_NEAR(error[0][i] / error[1][i], 4, 0.1);
    }
  }
}

TEST_F(TriangleFiles, AHollowCountsOff) {
  const Soup hollow = together(box_soup({{2, 2, 2}}), turned_inside_out(box_soup({{1, 1, 1}})));
  EXPECT_NEAR(mass(hollow).mass, 7000, 1e-9);
  EXPECT_NEAR(mass(together(hollow, box_soup({{0.5, 0.5, 0.5}}, {{3, 0, 0}}))).mass, 7125, 1e-9);
}

TEST_F(TriangleFiles, WhatIsWrongIsToldWithPlaceCountAndRemedy) {
  const Soup box = box_soup({{1, 1, 1}});
  Soup open = box;
  open.triangles.erase(open.triangles.begin() + 3);
  expect_has(refusal("open.stl", stl_text(open)), {"open.stl:", "is open: 3 edges belong to one triangle only",
                                                   "from (", "the triangle in line", "close its holes"});
  expect_has(refusal("open2.stl", stl_binary(open)), {"open2.stl: ", "3 edges", "of triangle "});
  EXPECT_NO_THROW(check_closed(read_triangles(file("open.stl", stl_text(open))), true));
  expect_has(refusal("out.stl", stl_text(turned_inside_out(box))),
             {"out.stl:2:", "inside out", "a volume of -1", "reverse the normals"});
  Soup turned = box;
  std::swap(turned.triangles[4][0], turned.triangles[4][1]);
  expect_has(refusal("turned.stl", stl_text(turned)),
             {"in parts: along 3 edges", "the triangle in line", "make normals consistent"});
  Soup twice = box;
  twice.triangles.push_back(twice.triangles[0]);
  expect_has(refusal("twice.obj", obj_text(twice)),
             {"branches: 3 edges belong to more than two triangles", "double faces"});
  expect_has(refusal("within.obj", obj_text(together(box, box_soup({{0.5, 0.5, 0.5}})))),
             {"of 2 closed pieces the one of 12 triangles with the triangle in line", "lies within another piece"});
  expect_has(refusal("lump.obj", obj_text(together(box, turned_inside_out(box_soup({{1, 1, 1}}, {{3, 0, 0}}))))),
             {"of 2 closed pieces", "inside out"});
  Soup line = box;
  line.corners.push_back(0.5 * (line.corners[0] + line.corners[3]));
  line.triangles.push_back({0, 8, 3});
  expect_has(refusal("line.obj", obj_text(line)), {"corners in one line", "line.obj:"});
}

TEST_F(TriangleFiles, TrianglesThatAreLinesBetweenTwoCornersAreLeftOut) {
  Soup soup = box_soup({{1, 1, 1}});
  soup.triangles.push_back({0, 0, 3});
  const TriangleSurface surface = closed("line.stl", stl_text(soup));
  EXPECT_EQ(surface.triangles.size(), 12u);
  ASSERT_EQ(surface.notes.size(), 1u);
  expect_has(surface.notes[0], {"1 triangle of", "two corners in one place left out"});
}

TEST_F(TriangleFiles, BadFilesAreRefused) {
  const std::string good = stl_text(box_soup({{1, 1, 1}})), binary = stl_binary(box_soup({{1, 1, 1}}));
  expect_has(refusal("none.stl", ""), {"is empty"});
  expect_has(refusal("cut.stl", binary.substr(0, 300)), {"684 bytes, this file 300", "cut short"});
  expect_has(refusal("cut2.stl", good.substr(0, good.size() - 20)), {"without 'endsolid'"});
  std::string word = good;
  word.replace(word.find("vertex"), 6, "corner");
  expect_has(refusal("word.stl", word), {"word.stl:4:", "'vertex x y z' is expected", "'corner'"});
  expect_has(refusal("few.obj", "v 0 0\n"), {"few.obj:1:", "2 numbers"});
  expect_has(refusal("far.obj", "v 0 0 0\nf 1 2 3\n"), {"far.obj:2:", "there is no corner 2", "1 corner"});
  expect_has(refusal("free.obj", "v 0 0 0\ncstype bspline\n"), {"free.obj:2:", "'cstype'", "polygons"});
  expect_has(refusal("nan.obj", "v 0 nan 0\n"), {"nan.obj:1:", "'nan'"});
  expect_has(refusal("bare.obj", "v 0 0 0\n"), {"no triangles"});
  expect_has(refusal("text.txt", "hello"), {"STL", "OBJ"});
}

// A compound of two boxes is the box that they make; a wedge and its mirror image turned by quaternion too.
TEST(ShapeMass, CompoundsAreSums) {
  MeshFiles none;
  CompoundShape compound;
  compound.shapes.push_back({BoxShape{{1, 2, 3}}, {0.5, 0, 0}, {}, {}});
  ShapePart other{BoxShape{{3, 2, 1}}, {1.5, 0, 0}, Triple{0, 0, -1}, Triple{0, 1, 0}};
  compound.shapes.push_back(other);
  const SolidMass sum = solid_mass(compound, 500, {}, {}, none),
                  box = solid_mass(BoxShape{{2, 2, 3}}, 500, {}, {}, none);
  EXPECT_NEAR(sum.mass, box.mass, 1e-12 * box.mass);
  EXPECT_NEAR(norm(sum.centre - Vec3<double>{{1, 0, 0}}), 0, 1e-14);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(sum.inertia[i][j], box.inertia[i][j], 1e-12 * box.inertia[0][0]);
  const SolidMass given = solid_mass(compound, 0, 7.0, {}, none);
  EXPECT_NEAR(given.mass, 7, 1e-12);
  EXPECT_NEAR(given.inertia[0][0], 7 * box.inertia[0][0] / box.mass, 1e-12);
  compound.shapes[1].density = 1500;
  compound.shapes[1].orientation = Quaternion{2, 0, 0, 0};
  compound.shapes[1].x_axis = {};
  compound.shapes[1].y_axis = {};
  const SolidMass heavy = solid_mass(compound, 500, {}, {}, none);
  EXPECT_NEAR(heavy.mass, 500 * 6 + 1500 * 6, 1e-9);
  EXPECT_NEAR(heavy.centre[0], 0.25 * 0.5 + 0.75 * 1.5, 1e-14);
}

}  // namespace
}  // namespace lithe
