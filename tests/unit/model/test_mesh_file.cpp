// Meshes from files: what is read, where it goes, and what is refused in which words.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "lithe/base/small.h"
#include "lithe/model/mesh_file.h"
#include "lithe/system/system.h"
#include "support/mesh_files.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

class MeshFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("lithe_mesh_file_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string save(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  MeshFile read(const std::string& name, const std::string& text) const { return read_mesh_file(save(name, text)); }
  // The message of the error, without the folder.
  template <class Action>
  std::string refusal(Action&& action) const {
    try {
      action();
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
      return text;
    }
    return "(taken)";
  }

  fs::path folder_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Triple side_centre(const BodyMesh& mesh, ElementKind kind, BodyMesh::Side side) {
  Triple sum{};
  int count = 0;
  for (int n = 0; n < (kind->cell == Cell::cube ? 8 : 4); ++n)
    if (kind->on_side(n, side.side)) {
      for (int d = 0; d < 3; ++d) sum[d] += mesh.nodes[mesh.elements[side.element * kind->nodes + n]][d];
      ++count;
    }
  for (double& x : sum) x /= count;
  return sum;
}

std::vector<Triple> places(const BodyMesh& mesh, const std::string& set) {
  std::vector<Triple> list;
  const auto* nodes = mesh.sets.find(set);
  EXPECT_TRUE(nodes) << set;
  if (nodes)
    for (const int n : *nodes) list.push_back(mesh.nodes[n]);
  std::ranges::sort(list);
  return list;
}

// Volume by a rule that is exact for linear functions, and the map itself, at points of the element.
void expect_curved(const BodyMesh& mesh) {
  const ElementInfo& info = ElementKind::tet10.info();
  ASSERT_EQ(mesh.nodes.size(), 10u);
  ASSERT_EQ(mesh.elements.size(), 10u);
  const double a = (5 - std::sqrt(5.0)) / 20, b = 1 - 3 * a;
  double volume = 0;
  for (int p = 0; p < 4; ++p) {
    double xi[3] = {a, a, a}, S[10], dS[10][3];
    if (p < 3) xi[p] = b;
    info.shape(xi, S);
    info.derivative(xi, &dS[0][0]);
    Triple x{};
    Mat3<double> J{};
    for (int n = 0; n < 10; ++n)
      for (int i = 0; i < 3; ++i) {
        x[i] += S[n] * mesh.nodes[mesh.elements[n]][i];
        for (int j = 0; j < 3; ++j) J[i][j] += mesh.nodes[mesh.elements[n]][i] * dS[n][j];
      }
    EXPECT_NEAR(x[0], xi[0], 1e-15);
    EXPECT_NEAR(x[1], xi[1], 1e-15);
    EXPECT_NEAR(x[2], xi[2] + xi[0] * xi[2] / 2, 1e-15);
    EXPECT_NEAR(det(J), 1 + xi[0] / 2, 1e-14);
    volume += det(J) / 24;
  }
  EXPECT_NEAR(volume, 1.0 / 6 + 1.0 / 48, 1e-15);
}

TEST_F(MeshFileTest, GmshGroupsSurfacesAndCurves) {
  for (const std::string format : {"2.2", "4.1"}) {
    const MeshFile file = read("bricks.msh", two_bricks_gmsh(format));
    const BodyMesh all = select(file, ElementKind::hex8, "", "");
    EXPECT_EQ(all.nodes.size(), 12u) << format;
    EXPECT_EQ(all.elements.size(), 16u);
    EXPECT_EQ(all.element_labels, (std::vector<int>{6, 7}));
    EXPECT_TRUE(all.notes.empty() && file.notes.empty());
    ASSERT_TRUE(all.element_sets.find("left"));
    EXPECT_EQ(*all.element_sets.find("left"), std::vector<int>{0});
    EXPECT_EQ(places(all, "edge"), (std::vector<Triple>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}));
    EXPECT_EQ(places(all, "tip"), (std::vector<Triple>{{2, 0, 0}}));
    EXPECT_EQ(places(all, "end"), (std::vector<Triple>{{2, 0, 0}, {2, 0, 1}, {2, 1, 0}, {2, 1, 1}}));
    ASSERT_TRUE(all.sides.find("end"));
    ASSERT_EQ(all.sides.find("end")->size(), 1u);
    EXPECT_EQ(side_centre(all, ElementKind::hex8, all.sides.find("end")->front()), (Triple{2, 0.5, 0.5}));
    ASSERT_EQ(all.sides.find("middle")->size(), 2u);  // a side of each of its neighbours
    for (const BodyMesh::Side side : *all.sides.find("middle"))
      EXPECT_EQ(side_centre(all, ElementKind::hex8, side), (Triple{1, 0.5, 0.5}));

    const BodyMesh right = select(file, ElementKind::hex8, "", "right");
    EXPECT_EQ(right.nodes.size(), 8u);
    EXPECT_EQ(right.sides.find("middle")->size(), 1u);
    EXPECT_EQ(places(right, "edge"), (std::vector<Triple>{{1, 0, 0}, {2, 0, 0}}));
    EXPECT_EQ(select(file, ElementKind::hex8, "", "left").sides.find("end"), nullptr);
    for (std::size_t n = 0; n < right.nodes.size(); ++n) {
      const int k = right.node_labels[n] - 1;
      EXPECT_EQ(right.nodes[n], (Triple{k % 3 + 0., k / 3 % 2 + 0., k / 6 + 0.}));
    }
  }
}

TEST_F(MeshFileTest, GroupsWithoutANameAreNamedByTheirNumber) {
  std::string text = two_bricks_gmsh("2.2");
  const std::size_t from = text.find("$PhysicalNames"), to = text.find("$Nodes");
  text.erase(from, to - from);
  const MeshFile file = read("bricks.msh", text);
  EXPECT_EQ(file.parts[0].sets.cells.names(), (std::vector<std::string>{"volume_1", "volume_2"}));
  EXPECT_EQ(file.parts[0].sets.surfaces.names(), (std::vector<std::string>{"surface_1", "surface_2"}));
  EXPECT_EQ(file.parts[0].sets.nodes.names(),
            (std::vector<std::string>{"curve_1", "point_1", "surface_1", "surface_2"}));
}

TEST_F(MeshFileTest, Format2WritesACellOnceForEachOfItsGroups) {
  std::string text = replaced(two_bricks_gmsh("2.2"), "$Elements\n7\n", "$Elements\n8\n");
  text = replaced(text, "$EndElements", "8 5 2 9 2 2 3 6 5 8 9 12 11\n$EndElements");
  const MeshFile file = read("bricks.msh", text);
  EXPECT_EQ(file.parts[0].cells.size(), 2u);
  EXPECT_EQ(*file.parts[0].sets.cells.find("volume_9"), std::vector<int>{1});
  EXPECT_EQ(*file.parts[0].sets.cells.find("right"), std::vector<int>{1});
  EXPECT_EQ(select(file, ElementKind::hex8, "", "").elements.size(), 16u);
}

TEST_F(MeshFileTest, CurvedTetrahedraOfBothFormats) {
  expect_curved(select(read("curved.msh", curved_tetrahedron_gmsh()), ElementKind::tet10, "", ""));
  const BodyMesh deck = select(read("curved.inp", curved_tetrahedron_abaqus()), ElementKind::tet10, "", "");
  expect_curved(deck);
  ASSERT_EQ(deck.notes.size(), 1u);
  EXPECT_EQ(deck.notes[0], "read as plain, fully integrated tet10: 1 C3D10M");
  // S1 to S4: z = 0, y = 0, the slanted one, x = 0.
  EXPECT_EQ(deck.sides.find("f1")->front(), (BodyMesh::Side{0, 2}));
  EXPECT_EQ(deck.sides.find("f2")->front(), (BodyMesh::Side{0, 1}));
  EXPECT_EQ(deck.sides.find("f3")->front(), (BodyMesh::Side{0, 3}));
  EXPECT_EQ(deck.sides.find("f4")->front(), (BodyMesh::Side{0, 0}));
}

TEST_F(MeshFileTest, DecksHaveInstancesSetsAndSurfaces) {
  for (const bool windows : {false, true}) {
    std::string text = two_bricks_abaqus();
    if (windows)
      for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
    const MeshFile file = read("bricks.inp", text);
    EXPECT_TRUE(file.notes.empty());
    const BodyMesh a = select(file, ElementKind::hex8, "a", ""), b = select(file, ElementKind::hex8, "B", "");
    ASSERT_EQ(a.nodes.size(), 12u);
    ASSERT_EQ(b.nodes.size(), 12u);
    for (int n = 0; n < 12; ++n) {
      const Triple x{n % 3 + 0., n / 3 % 2 + 0., n / 6 + 0.};
      EXPECT_EQ(a.nodes[n], x);
      EXPECT_EQ(a.node_labels[n], 10 * (n + 1));
      const Triple turned{1 - x[1], x[0] - 1, x[2] + 5};
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(b.nodes[n][d], turned[d], 1e-15) << n << " " << d;
    }
    EXPECT_EQ(a.elements, b.elements);
    EXPECT_EQ(places(a, "all_of_them").size(), 12u);
    EXPECT_EQ(places(a, "bottom").size(), 6u);
    EXPECT_EQ(places(a, "some").size(), 7u);
    EXPECT_EQ(places(a, "of_right").size(), 8u);
    EXPECT_EQ(places(a, "tip"), (std::vector<Triple>{{2, 0, 0}}));
    EXPECT_EQ(places(a, "held"), (std::vector<Triple>{{0, 0, 1}}));
    EXPECT_EQ(places(b, "held").size(), 2u);
    EXPECT_EQ(places(a, "mixed").size(), 7u);  // bottom and node 70
    EXPECT_EQ(places(b, "mixed").size(), 3u);  // 10, 40, 120
    EXPECT_EQ(side_centre(a, ElementKind::hex8, a.sides.find("end")->front()), (Triple{2, 0.5, 0.5}));
    EXPECT_EQ(a.sides.find("far"), nullptr);
    EXPECT_EQ(b.sides.find("far")->size(), 1u);
    std::set<Triple> centres;
    for (const BodyMesh::Side side : *a.sides.find("faces")) centres.insert(side_centre(a, ElementKind::hex8, side));
    EXPECT_EQ(centres, (std::set<Triple>{{.5, .5, 0}, {.5, .5, 1}, {.5, 0, .5}, {.5, 1, .5}, {0, .5, .5}}));
    EXPECT_EQ(*a.sides.find("skin"), *a.sides.find("faces"));  // all but the side between the two
    EXPECT_EQ(select(file, ElementKind::hex8, "a", "LEFT").elements.size(), 8u);
    EXPECT_EQ(select(file, ElementKind::hex8, "b", "pick").element_labels, std::vector<int>{200});
    ASSERT_EQ(a.notes.size(), 1u);
    EXPECT_EQ(a.notes[0], "read as plain, fully integrated hex8: 1 C3D8R");
  }
}

TEST_F(MeshFileTest, DecksIncludeOthers) {
  fs::create_directories(folder_ / "deep");
  save("deep/nodes.inp", "1, 0, 0, 0\n2, 1., 0, 0\n*INCLUDE, INPUT=more.inp\n");
  save("deep/more.inp", "** the rest\n3, 0, +1.0, 0\n4, 0, 0, 1.D0\n");
  const MeshFile file =
      read("main.inp", "*NODE\n*INCLUDE, input=deep/nodes.inp\n*ELEMENT, TYPE=C3D4,\n ELSET=e\n7, 1, 2, 3, 4\n");
  EXPECT_EQ(select(file, ElementKind::tet4, "", "E").nodes,
            (std::vector<Triple>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  save("deep/more.inp", "3, 0, 1, 0\n4, 0, zero, 1\n");
  EXPECT_EQ(refusal([&] { read_mesh_file((folder_ / "main.inp").string()); }),
            "deep/more.inp:2: 'zero' is not a coordinate: a number is wanted");
  save("deep/more.inp", "*INCLUDE, INPUT=nodes.inp\n");
  EXPECT_NE(refusal([&] { read_mesh_file((folder_ / "main.inp").string()); }).find("includes itself"),
            std::string::npos);
}

TEST_F(MeshFileTest, AreReadOnceForAllBodiesOfAModel) {
  const std::string path = save("bar.inp", two_bricks_abaqus());
  Model model;
  model.materials.add("m", Isotropic{1e9, 0.3, 1000, 0});
  for (const std::string instance : {"a", "b"}) {
    Body body;
    body.element = ElementKind::hex8;
    body.material = "m";
    body.mesh = FileMesh{path, instance, "", file_digest(path)};
    model.bodies.add(instance, body);
  }
  const System system = compile(model);
  int noted = 0;
  for (const std::string& warning : system.warnings)
    noted += warning.find("body 'a' and 1 more: read as plain") != std::string::npos;
  EXPECT_EQ(noted, 1);
  MeshFiles files;
  EXPECT_EQ(make_mesh(model, "a", files).nodes, make_mesh(model, "a").nodes);
  save("bar.inp", "no mesh");  // whoever reads it again fails
  EXPECT_EQ(make_mesh(model, "b", files).nodes, system.bodies[1].mesh.nodes);
  EXPECT_EQ(&files.file(path), &files.file(path));
}

TEST_F(MeshFileTest, NodesAndNamesOutsideOfTheBodyAreLeftOutWithANote) {
  std::string text = two_bricks_abaqus();
  text = replaced(text, "*ELEMENT, TYPE=c3d8r", "*NODE, NSET=REFERENCE\n999999999, 0, 0, 9\n*ELEMENT, TYPE=c3d8r");
  text = replaced(text, "*nset, nset=bottom", "*ELEMENT, TYPE=S4, ELSET=shell\n 5, 10, 20, 50, 40\n*nset, nset=bottom");
  const BodyMesh a = select(read("bricks.inp", text), ElementKind::hex8, "a", "");
  EXPECT_EQ(a.nodes.size(), 12u);
  EXPECT_EQ(a.sets.find("REFERENCE"), nullptr);
  EXPECT_EQ(a.notes, (std::vector<std::string>{
                         "left out, as they have no volume: 1 S4", "read as plain, fully integrated hex8: 1 C3D8R",
                         "1 node in no element with a volume left out (the first is node 999999999)",
                         "names without a node or an element of the body left out: REFERENCE, shell"}));
}

struct Bad {
  const char *format, *from, *to, *message;  // from: what is replaced in the good file; empty: the whole of it
};

TEST_F(MeshFileTest, BadFilesAreRefusedWithLineValueAndRemedy) {
  const Bad cases[] = {
      {"2.2", "2.2 0 8", "2.2 1 8", "bad.msh:2: the mesh is binary; save it as ASCII"},
      {"2.2", "2.2 0 8", "4 0 8", "bad.msh:2: the format is '4'; formats 2.2 and 4.1 are read"},
      {"2.2", "", "$NOD\n1\n1 0 0 0\n$ENDNOD\n", "bad.msh:1: $'NOD' comes before $MeshFormat"},
      {"2.2", "", "", "bad.msh: the file is empty"},
      {"2.2", "", "solid part", "bad.msh: a mesh of gmsh begins with $MeshFormat, this file with 'solid part'"},
      {"2.2", "$Nodes\n12", "$Nodes\n2000000000",
       "bad.msh:14: the number of nodes is 2000000000, but the file has only"},
      {"2.2", "$Nodes\n12", "$Nodes\n-3", "bad.msh:14: the number of nodes is -3; it cannot be negative"},
      {"2.2", "$Nodes\n12", "$Nodes\n13", "bad.msh:27: $Nodes ends here, before all that its counts promise"},
      {"2.2", "$Nodes\n12", "$Nodes\n11", "bad.msh:26: '12 2 1 1' stands where $EndNodes should"},
      {"2.2", "4 0 1 0\n", "4 0 1e400 0\n", "bad.msh:18: '1e400' is not a coordinate"},
      {"2.2", "4 0 1 0\n", "4 0 nan 0\n", "bad.msh:18: 'nan' is not a coordinate"},
      {"2.2", "4 0 1 0\n", "4 0 1\n", "bad.msh:18: the line ends where a coordinate should follow"},
      {"2.2", "4 0 1 0\n", "4 0 1 0 0\n", "bad.msh:18: '0' is more than this line of $Nodes should hold"},
      {"2.2", "4 0 1 0\n", "3 0 1 0\n", "bad.msh:18: node 3 comes twice, first in line 17"},
      {"2.2", "4 0 1 0\n", "0 0 1 0\n", "bad.msh:18: a node's number is 0; labels are 1 or more"},
      {"2.2", "6 5 2 1 1 1 2 5", "6 5 2 1 1 1 2 55",
       "bad.msh:35: the element names node 55, which $Nodes does not have"},
      {"2.2", "7 5 2 2 2", "6 5 2 2 2", "bad.msh:36: element 6 comes twice, first in line 35"},
      {"2.2", "$EndElements\n", "", "bad.msh:36: the file ends inside of $Elements: it is cut off"},
      {"4.1", "$EndElements\n", "", "the file ends inside of $Elements: it is cut off"},
      {"4.1", "$Elements\n6 7 1 7", "$Elements\n6 8 1 8",
       "the blocks of $Elements have 7 elements, its first line says 8"},
      {"4.1", "2 1 0 4\n", "2 1 0 400000\n", "the number of nodes is 400000, but the file has only"},
      {"4.1", "3 1 5 1\n", "2 1 5 1\n", "a 8-node hexahedron in an entity of dimension 2"},
      {"4.1", "$Entities", "$PartitionedEntities", "the mesh is partitioned; unpartition it in gmsh"},
      {"4.1", "1 1 \"edge\"", "1 1 edge", "the name of the group should stand in quotes"},
      {"inp", "20, 1, 0, 0", "20, 1, 0", "bad.inp:7: node 20 has fewer than three coordinates; give x, y, z"},
      {"inp", "20, 1, 0, 0", "20, 1, 0x, 0", "bad.inp:7: '0x' is not a coordinate"},
      {"inp", "20, 1, 0, 0", "10, 1, 0, 0", "bad.inp:7: node 10 comes twice, first in line 6"},
      {"inp", "20, 1, 0, 0", "-20, 1, 0, 0", "bad.inp:7: '-20' is not the label of a node"},
      {"inp", " 70, 80, 110, 100", " 70, 80, 110", "bad.inp:20: element 100 has 7 nodes; C3D8R has 8"},
      {"inp", " 70, 80, 110, 100", " 70, 80, 110, 100, 10",
       "bad.inp:20: element 100 has more than the 8 nodes of C3D8R"},
      {"inp", " 70, 80, 110, 100", " 70, 80, 110, 101",
       "bad.inp:19: element 100 names node 101, which no *NODE of part 'bar'"},
      {"inp", "200, 20, 30", "100, 20, 30", "bad.inp:22: element 100 comes twice, first in line 19"},
      {"inp", "*elset, elset=both\nleft, right", "*elset, elset=both\nleft, rigth",
       "bad.inp:29: there is no set of elements 'rigth'"},
      {"inp", " bottom, 120", " bottom, 121", "bad.inp:27: there is no node 121 in part 'bar'"},
      {"inp", " 10, 60, 10", " 60, 10, 10", "bad.inp:24: the last label 10 is below the first, 60"},
      {"inp", "part=BAR", "part=bra", "instance 'a': there is no part 'bra' (did you mean 'bar'?)"},
      {"inp", "name=b, part=bar", "name=A, part=bar", "there are two instances 'A'"},
      {"inp", " 0., 0., 5.\n", " 0., 0.\n", "instance 'b': this line has 2 numbers; a translation has 3"},
      {"inp", "1., 0., 1., 90.", "1., 0., 0., 90.", "the two points of the rotation's axis are the same"},
      {"inp", "*End Assembly\n", "", "*ASSEMBLY 'whole' has no end: the file is cut off"},
      {"inp", "*End Part\n", "", "*ASSEMBLY inside of 'bar'; an *END is missing"},
      {"inp", "*Node, nset", "*Node, system=C, nset", "*NODE, SYSTEM=C is not read"},
      {"inp", "*elset, elset=both", "*NGEN", "*NGEN makes or moves parts of the mesh"},
      {"inp", "instance=b, internal", "instance=c, internal", "there is no instance 'c' up to here"},
      {"inp", "", "plain text", "bad.inp: a deck of Abaqus or CalculiX begins with a keyword"},
      {"inp", "", "*HEADING\n", "bad.inp: the file has no elements with a volume"},
      {"inp", "", "*NODE\n1, 0, 0, 0\n*INCLUDE, INPUT=no.inp\n",
       "bad.inp:3: *INCLUDE: no.inp: there is no such mesh file"},
  };
  for (const Bad& bad : cases) {
    const bool deck = std::string(bad.format) == "inp";
    const std::string good = deck ? two_bricks_abaqus() : two_bricks_gmsh(bad.format);
    const std::string text = *bad.from ? replaced(good, bad.from, bad.to) : bad.to;
    const std::string path = save(deck ? "bad.inp" : "bad.msh", text);
    const std::string message = refusal([&] { read_mesh_file(path); });
    EXPECT_NE(message.find(bad.message), std::string::npos) << "wanted: " << bad.message << "\n   got: " << message;
  }
  EXPECT_EQ(refusal([&] { read_mesh_file((folder_ / "no.msh").string()); }),
            "no.msh: there is no such mesh file; check 'path'");
  fs::create_directories(folder_ / "folder.msh");
  EXPECT_NE(refusal([&] { read_mesh_file((folder_ / "folder.msh").string()); }).find("this is a folder"),
            std::string::npos);
  EXPECT_NE(refusal([&] { read("x.inp", std::string("*NODE\n\0\0", 8)); }).find("binary"), std::string::npos);
}

TEST_F(MeshFileTest, BodiesTakeOneKindOfSoundElements) {
  const auto taken = [&](const std::string& text, ElementKind kind, const std::string& instance,
                         const std::string& group) {
    return refusal([&] { select(read(text[0] == '$' ? "m.msh" : "m.inp", text), kind, instance, group); });
  };
  const std::string gmsh = two_bricks_gmsh("2.2"), deck = two_bricks_abaqus();
  const ElementKind hex = ElementKind::hex8;
  EXPECT_EQ(taken(gmsh, hex, "", "rihgt"),
            "m.msh: there is no group 'rihgt' of elements (did you mean 'right'?); groups of the file: left, right");
  EXPECT_EQ(taken(gmsh, hex, "", "end"),
            "m.msh: there is no group 'end' of elements (there is a surface or a set of nodes); groups of the file: "
            "left, right");
  EXPECT_EQ(taken(gmsh, hex, "a", ""), "m.msh: there is no instance 'a'; the file has no instances");
  EXPECT_EQ(taken(deck, hex, "", ""),
            "m.inp: the file has 2 instances; say with 'instance' which one the body is: a, b");
  EXPECT_EQ(taken(deck, hex, "c", ""),
            "m.inp: there is no instance 'c' (did you mean 'a'?); instances of the file: a, b");
  EXPECT_EQ(taken(deck, hex, "", "pick"), "(taken)");
  EXPECT_EQ(taken(gmsh, ElementKind::tet4, "", "left"),
            "m.msh: group 'left' has 1 8-node hexahedron (hex8), but its element is tet4; write 'element: hex8'");
  EXPECT_EQ(taken(gmsh, ElementKind::beam3243, "", ""),
            "m.msh: a mesh file makes elements hex8, tet4 and tet10; the body has beam3243");
  // A prism in the place of a brick.
  const std::string prism = replaced(gmsh, "7 5 2 2 2 2 3 6 5 8 9 12 11", "7 6 2 2 2 2 3 6 8 9 12");
  EXPECT_EQ(taken(prism, hex, "", "left"), "(taken)");
  EXPECT_NE(taken(prism, hex, "", "").find("the body has 1 hex8 and 1 of other types: 1 6-node prism (not known)"),
            std::string::npos);
  // Inverted: top and bottom exchanged. Flat: all nodes in one plane.
  EXPECT_EQ(taken(replaced(gmsh, "2 3 6 5 8 9 12 11", "8 9 12 11 2 3 6 5"), hex, "", ""),
            "m.msh:36: element 7 is inverted or flat: its volume is -1 m^3; repair the mesh where it is made");
  EXPECT_NE(
      taken(replaced(gmsh, "2 3 6 5 8 9 12 11", "8 9 12 11 2 3 6 5"), hex, "", "right").find("the mesh was mirrored"),
      std::string::npos);
  EXPECT_NE(
      taken(replaced(replaced(gmsh, "3 2 0 0", "3 1 0 0"), "6 2 1 0", "6 1 1 0"), hex, "", "left").find("(taken)"),
      std::string::npos);
  EXPECT_EQ(taken(replaced(gmsh, "2 3 6 5 8 9 12 11", "1 2 5 4 7 8 11 10"), hex, "", ""), "(taken)");  // in two groups
  EXPECT_EQ(taken(replaced(deck, "200, 20, 30, 60, 50, 80, 90, 120, 110", "200, 10, 20, 50, 40, 70, 80, 110, 100"), hex,
                  "a", ""),
            "m.inp:22: element 200 has the same nodes as element 100: mass and stiffness would count twice (1 such "
            "element); remove one of them");
  EXPECT_EQ(taken(replaced(deck, "200, 20, 30, 60, 50", "200, 20, 30, 60, 60"), hex, "a", ""),
            "m.inp:22: element 200 names node 60 twice: collapsed elements are not read; mesh this place otherwise");
}

// LITHE_MESH_CUBES=55: a million tetrahedra.
TEST_F(MeshFileTest, ManyTetrahedraAreReadQuickly) {
  const char* said = std::getenv("LITHE_MESH_CUBES");
  const int n = said ? std::atoi(said) : 12, cells = 6 * n * n * n;
  for (const std::string format : {"2.2", "4.1", "inp"}) {
    const std::string path = save("many." + std::string(format == "inp" ? "inp" : "msh"), many_tetrahedra(n, format));
    const auto start = std::chrono::steady_clock::now();
    const MeshFile file = read_mesh_file(path);
    const auto middle = std::chrono::steady_clock::now();
    const BodyMesh mesh = select(file, ElementKind::tet4, "", "");
    const std::chrono::duration<double> reading = middle - start, taking = std::chrono::steady_clock::now() - middle;
    std::printf("%s: %d tet4 read in %.2f s, selected in %.2f s\n", format.c_str(), cells, reading.count(),
                taking.count());
    EXPECT_EQ(static_cast<int>(mesh.elements.size()), 4 * cells);
    EXPECT_LT(reading.count() + taking.count(), 10);
  }
}

}  // namespace
}  // namespace lithe
