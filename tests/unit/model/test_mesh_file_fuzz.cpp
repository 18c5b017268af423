// Mesh files that were damaged at random: they are refused with an InputError, or taken with everything in its bounds;
// the readers never fail in any other way.
//
// LITHE_FUZZ_CASES: how many (2000); LITHE_FUZZ_SEED: of the first case. A case that fails is printed with its seed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lithe/model/mesh_file.h"
#include "support/mesh_files.h"
#include "support/mutate_text.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

volatile std::uint64_t current_seed = 0;
extern "C" void mesh_takes_too_long(int) {
  std::fprintf(stderr, "the mesh file of seed %llu does not end\n", static_cast<unsigned long long>(current_seed));
  std::_Exit(1);
}

TextMutator make_mutator() {
  std::vector<std::string> texts;
  for (const std::string format : {"2.2", "4.1"}) {
    texts.push_back(two_bricks_gmsh(format));
    texts.push_back(many_tetrahedra(1, format));
  }
  texts.push_back(curved_tetrahedron_gmsh());
  texts.push_back(two_bricks_abaqus());
  texts.push_back(two_bricks_abaqus());
  texts.push_back(curved_tetrahedron_abaqus());
  texts.push_back(many_tetrahedra(1, "inp"));
  return {texts,
          {"0",      "-1",    "1",        "2",    "7",     "11",   "2147483647", "2147483648", "99999999999999999999",
           "1e308",  "nan",   "-inf",     "1.5",  "",      "abc",  "\"",         "$End",       "*",
           "1e-400", ",",     "0x10",     "+3",   "1d2",   "b.10", "left",       "right",      "S6",
           "C3D4",   "C3D20", "GENERATE", "\xff", "a.b.c", "4.1",  "2.2",        "1e99",       "-1e-99"},
          {"*END PART\n",
           "*PART, NAME=bar\n",
           "*INSTANCE, NAME=z, PART=bar\n",
           "*END INSTANCE\n",
           "*ASSEMBLY\n",
           "*NODE\n",
           "*ELEMENT, TYPE=C3D4\n",
           "*ELEMENT, TYPE=C3D8\n",
           "*NSET, NSET=some\n",
           "*SURFACE, NAME=end\n",
           "*ELSET, ELSET=both, GENERATE\n1, 2147483647, 1\n",
           "*INCLUDE, INPUT=fuzz.inp\n",
           "$Nodes\n",
           "$EndNodes\n",
           "$Elements\n",
           "$EndElements\n",
           "*NSET, NSET=q, ELSET=left\n",
           "*NODE, NSET=\n",
           "*, ,=\n",
           "3 9 \"x\"\n"}};
}

template <class List, class Inside>
void expect_inside(const List& sets, Inside&& inside) {
  for (const auto& [name, list] : sets.items) {
    EXPECT_FALSE(list.empty());
    for (const auto& item : list) EXPECT_TRUE(inside(item));
  }
}

void expect_sound(const BodyMesh& mesh, ElementKind kind) {
  const int nodes = static_cast<int>(mesh.nodes.size()), elements = static_cast<int>(mesh.element_labels.size());
  EXPECT_EQ(static_cast<int>(mesh.elements.size()), elements * kind->nodes);
  EXPECT_EQ(mesh.node_labels.size(), mesh.nodes.size());
  EXPECT_GT(elements, 0);
  std::vector<char> used(nodes, 0);
  for (const int n : mesh.elements) {
    ASSERT_TRUE(n >= 0 && n < nodes);
    used[n] = 1;
  }
  EXPECT_TRUE(std::ranges::all_of(used, [](char x) { return x != 0; }));
  expect_inside(mesh.sets, [&](int n) { return n >= 0 && n < nodes; });
  expect_inside(mesh.element_sets, [&](int e) { return e >= 0 && e < elements; });
  expect_inside(mesh.sides, [&](BodyMesh::Side side) {
    return side.element >= 0 && side.element < elements && side.side >= 0 && side.side < kind->sides();
  });
}

// Takes all that bodies could take; how often that went well.
int take_all(const MeshFile& file) {
  int taken = 0;
  for (const MeshFile::Instance& instance : file.instances) {
    std::vector<std::string> groups{""};
    for (const auto* sets : {&instance.sets.cells, &file.parts[instance.part].sets.cells})
      for (const std::string& name : sets->names()) groups.push_back(name);
    for (const std::string& group : groups)
      for (const ElementKind kind : {ElementKind::hex8, ElementKind::tet4, ElementKind::tet10}) try {
          expect_sound(select(file, kind, instance.name, group), kind);
          ++taken;
        } catch (const InputError& error) {
          EXPECT_GT(std::string(error.what()).size(), file.path.size() + 10);
        }
  }
  return taken;
}

TEST(FuzzMeshFile, DamagedFilesAreRefusedOrTaken) {
  const std::uint64_t first = number_from("LITHE_FUZZ_SEED", 1), cases = number_from("LITHE_FUZZ_CASES", 2000);
  const fs::path folder = fs::temp_directory_path() / ("lithe_fuzz_mesh_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  TextMutator mutator = make_mutator();
  std::uint64_t refused = 0, taken = 0;
  const auto before = std::signal(SIGALRM, mesh_takes_too_long);
  for (std::uint64_t seed = first; seed < first + cases && !::testing::Test::HasFailure(); ++seed) {
    current_seed = seed;
    ::alarm(60);
    const std::string text = mutator.make(seed), path = (folder / "fuzz.inp").string();
    std::ofstream(path, std::ios::binary) << text;
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      const MeshFile file = read_mesh_file(path);
      for (const MeshFile::Part& part : file.parts)
        for (const int n : part.cell_nodes) EXPECT_TRUE(n >= 0 && n < static_cast<int>(part.nodes.size()));
      taken += take_all(file) > 0;
    } catch (const InputError& error) {
      ++refused;
      EXPECT_TRUE(std::string(error.what()).starts_with(folder.string())) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not an InputError: " << error.what();
    }
  }
  ::alarm(0);
  std::signal(SIGALRM, before);
  fs::remove_all(folder);
  std::printf("%llu refused, %llu taken\n", static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(taken));
  if (cases >= 1000) {  // the mutator neither breaks everything nor nothing
    EXPECT_GT(refused, cases / 5);
    EXPECT_GT(taken, cases / 20);
  }
}

// A file that lost its end, wherever it was cut, or one of its lines, is not taken as a mesh with other elements.
TEST(FuzzMeshFile, CutFilesOfGmshAreRefused) {
  const fs::path folder = fs::temp_directory_path() / ("lithe_cut_mesh_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "cut.msh").string();
  for (const std::string format : {"2.2", "4.1"}) {
    const std::string text = two_bricks_gmsh(format);
    for (std::size_t length = 0; length + 1 < text.size(); ++length) {
      std::ofstream(path, std::ios::binary) << text.substr(0, length);
      EXPECT_THROW(read_mesh_file(path), InputError) << format << " " << length;
    }
    for (std::size_t begin = text.find("$Nodes"), end; begin < text.size(); begin = end) {
      end = text.find('\n', begin) + 1;
      std::ofstream(path, std::ios::binary) << text.substr(0, begin) + text.substr(end);
      EXPECT_THROW(read_mesh_file(path), InputError) << format << ": " << text.substr(begin, end - begin);
    }
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace lithe
