#include "support/mesh_files.h"

#include <array>
#include <cstdio>
#include <vector>

namespace lithe {

namespace {

std::string join(std::initializer_list<double> numbers, const char* between) {
  std::string line;
  for (const double x : numbers) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", x);
    line += (line.empty() ? "" : between) + std::string(text);
  }
  return line + "\n";
}

// Natural coordinates of a tet10's nodes, in gmsh's order: the last two are on the edges 23 and 13.
constexpr std::array<std::array<double, 3>, 10> gmsh_tet10{{{0, 0, 0},
                                                            {1, 0, 0},
                                                            {0, 1, 0},
                                                            {0, 0, 1},
                                                            {.5, 0, 0},
                                                            {.5, .5, 0},
                                                            {0, .5, 0},
                                                            {0, 0, .5},
                                                            {0, .5, .5},
                                                            {.5, 0, .5}}};

}  // namespace

std::string two_bricks_gmsh(const std::string& format) {
  const std::string names =
      "$PhysicalNames\n6\n0 1 \"tip\"\n1 1 \"edge\"\n2 1 \"end\"\n2 2 \"middle\"\n3 1 \"left\"\n3 2 \"right\"\n"
      "$EndPhysicalNames\n";
  std::string text = "$MeshFormat\n" + format + " 0 8\n$EndMeshFormat\n" + names;
  if (format == "2.2") {
    text += "$Nodes\n12\n";
    for (int n = 0; n < 12; ++n)
      text += std::to_string(n + 1) + " " + join({n % 3 + 0., n / 3 % 2 + 0., n / 6 + 0.}, " ");
    return text +
           "$EndNodes\n$Elements\n7\n"
           "1 15 2 1 5 3\n"
           "2 1 2 1 1 1 2\n"
           "3 1 2 1 1 2 3\n"
           "4 3 2 1 1 3 6 12 9\n"
           "5 3 2 2 2 2 8 11 5\n"
           "6 5 2 1 1 1 2 5 4 7 8 11 10\n"
           "7 5 2 2 2 2 3 6 5 8 9 12 11\n"
           "$EndElements\n";
  }
  text +=
      "$Entities\n1 1 2 2\n5 2 0 0 1 1 \n1 0 0 0 2 0 0 1 1 2 5 -5 \n1 2 0 0 2 1 1 1 1 0 \n2 1 0 0 1 1 1 1 2 0 \n"
      "1 0 0 0 1 1 1 1 1 1 2 \n2 1 0 0 2 1 1 1 2 2 1 2 \n$EndEntities\n"
      "$Nodes\n2 12 1 12\n2 1 0 4\n";
  const auto nodes = [&](std::initializer_list<int> list) {
    for (const int n : list) text += std::to_string(n) + "\n";
    for (const int n : list) text += join({(n - 1) % 3 + 0., (n - 1) / 3 % 2 + 0., (n - 1) / 6 + 0.}, " ");
  };
  nodes({3, 6, 9, 12});
  text += "3 1 0 8\n";
  nodes({1, 2, 4, 5, 7, 8, 10, 11});
  return text +
         "$EndNodes\n$Elements\n6 7 1 7\n"
         "0 5 15 1\n1 3 \n"
         "1 1 1 2\n2 1 2 \n3 2 3 \n"
         "2 1 3 1\n4 3 6 12 9 \n"
         "2 2 3 1\n5 2 8 11 5 \n"
         "3 1 5 1\n6 1 2 5 4 7 8 11 10 \n"
         "3 2 5 1\n7 2 3 6 5 8 9 12 11 \n"
         "$EndElements\n";
}

std::string two_bricks_abaqus() {
  std::string text = "*Heading\n two bricks\n** a comment\n*Part, name=bar\n*Node, nset=all_of_them\n";
  for (int n = 0; n < 12; ++n)
    text += std::to_string(10 * (n + 1)) + ", " + join({n % 3 + 0., n / 3 % 2 + 0., n / 6 + 0.}, ", ");
  return text +
         "*ELEMENT, TYPE=c3d8r, ELSET=left\n"
         "100, 10, 20, 50, 40,\n 70, 80, 110, 100\n"
         "*element, type=C3D8, elset = right\n"
         "200, 20, 30, 60, 50, 80, 90, 120, 110\n"
         "*nset, nset=bottom, generate\n 10, 60, 10\n"
         "*nset, nset=some\n 10, 20,\n bottom, 120\n"
         "*elset, elset=both\nleft, right\n"
         "*nset, nset=of_right, elset=right\n"
         "*surface, type=element, name=end\nright, S4\n"
         "*surface, name=faces\nleft, S1\n100, s2\nleft, S3\nleft, S5\nleft, S6\n"
         "*surface, name=skin\nleft,\n"
         "*surface, type=node, name=tip\n30\n"
         "*End Part\n"
         "*Assembly, name=whole\n"
         "*Instance, name=a, part=BAR\n*End Instance\n"
         "*Instance, name=b, part=bar\n"
         " 0., 0., 5.\n"
         " 1., 0., 0., 1., 0., 1., 90.\n"
         "*End Instance\n"
         "*Nset, nset=held, instance=b\n 10, 40\n"
         "*Nset, nset=held, instance=a\n 70\n"
         "*Nset, nset=mixed\n held, b.120, A.bottom\n"
         "*Elset, elset=pick, instance=b, internal\n 200\n"
         "*Surface, name=far\n pick, S4\n"
         "*End Assembly\n"
         "*Material, name=steel\n*Elastic\n2.1e11, 0.3\n"
         "*Step\n*Static\n*Node output\nU\n*End Step\n";
}

std::string curved_tetrahedron_gmsh() {
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n";
  for (int n = 0; n < 10; ++n) {
    const auto& x = gmsh_tet10[n];
    text += std::to_string(n + 1) + " " + join({x[0], x[1], x[2] + x[0] * x[2] / 2}, " ");
  }
  return text + "$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
}

std::string curved_tetrahedron_abaqus() {
  std::string text = "*NODE\n";
  for (int n = 0; n < 10; ++n) {
    const auto& x = gmsh_tet10[n < 8 ? n : 17 - n];
    text += std::to_string(n + 1) + ", " + join({x[0], x[1], x[2] + x[0] * x[2] / 2}, ", ");
  }
  return text +
         "*ELEMENT, TYPE=C3D10M\n1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n*SURFACE, NAME=f1\n1, S1\n*SURFACE, NAME=f2\n1, S2\n"
         "*SURFACE, NAME=f3\n1, S3\n*SURFACE, NAME=f4\n1, S4\n";
}

std::string many_tetrahedra(int n, const std::string& format) {
  const bool deck = format == "inp", blocks = format == "4.1";
  const int line = n + 1, nodes = line * line * line, cells = 6 * n * n * n;
  std::string text;
  text.reserve(static_cast<std::size_t>(nodes) * 50 + static_cast<std::size_t>(cells) * 50);
  char buffer[128];
  const auto add = [&](int length) { text.append(buffer, length); };
  const auto node = [&](int i, bool labels, bool positions) {
    const char* comma = deck ? "," : "";
    if (labels) add(std::snprintf(buffer, sizeof buffer, positions ? "%d%s " : "%d%s", i + 1, positions ? comma : ""));
    if (positions) {
      const double h = 1.0 / n, x = h * (i % line), y = h * (i / line % line), z = h * (i / line / line);
      add(std::snprintf(buffer, sizeof buffer, "%.16g%s %.16g%s %.16g", x, comma, y, comma, z));
    }
    text += '\n';
  };
  const std::string count = std::to_string(nodes);
  if (deck) text += "*NODE\n";
  else text += "$MeshFormat\n" + format + " 0 8\n$EndMeshFormat\n$Nodes\n";
  if (blocks) text += "1 " + count + " 1 " + count + "\n3 1 0 " + count + "\n";
  else if (!deck) text += count + "\n";
  if (blocks)
    for (int i = 0; i < nodes; ++i) node(i, true, false);
  for (int i = 0; i < nodes; ++i) node(i, !blocks, true);
  const std::string elements = std::to_string(cells);
  if (deck) text += "*ELEMENT, TYPE=C3D4, ELSET=steel\n";
  else
    text += "$EndNodes\n$Elements\n" + (blocks ? "1 " + elements + " 1 " + elements + "\n3 1 4 " : std::string()) +
            elements + "\n";
  // Along the diagonal from corner 0 to corner 7, over the six ways along the edges.
  constexpr int ways[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
  const int step[3] = {1, line, line * line};
  for (int label = 1, k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (const auto& way : ways) {
          const int corner = i + j * step[1] + k * step[2] + 1;
          const auto at = [&](int bits) {
            return corner + (bits & 1) + (bits >> 1 & 1) * step[1] + (bits >> 2) * step[2];
          };
          const char* form = deck ? "%d, %d, %d, %d, %d\n" : blocks ? "%d %d %d %d %d\n" : "%d 4 2 7 1 %d %d %d %d\n";
          add(std::snprintf(buffer, sizeof buffer, form, label++, at(0), at(way[0]), at(way[1]), at(7)));
        }
  if (!deck) text += "$EndElements\n";
  return text;
}

}  // namespace lithe
