// What the readers of mesh files share: the text of a file, numbers in a line of it, labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lithe/model/mesh_file.h"

namespace lithe {

std::string load_text(const std::string& path);

// Readers by format. `text` is that of file.path.
void read_gmsh(std::string_view text, MeshFile& file);
void read_abaqus(std::string_view text, MeshFile& file);

// Adds a source with the lines of a text: the place of its line n is the result + n.
int add_source(MeshFile& file, const std::string& path, std::string_view text);

std::string_view trimmed(std::string_view text);
std::string upper(std::string_view text);
// A word of a file in a message: short, and readable whatever it holds.
std::string in_quotes(std::string_view word);
// "1 element", "3 elements".
std::string counted(std::size_t count, std::string_view noun);

// The whole word is the number; false where it is not, or where it is not finite or beyond 1e100 in size.
bool parse(std::string_view word, double& x);
bool parse(std::string_view word, int& x);

// Position of each label among the labels of a part: a table where labels lie dense, else a sorted list.
class LabelIndex {
 public:
  // False where a label comes twice: `twice` holds both positions.
  bool build(const std::vector<int>& labels, int (&twice)[2]);
  int find(int label) const;  // -1: there is none
  // Positions of the labels first, first + step, ... up to last, added to `out`.
  void add_range(int first, int last, int step, std::vector<int>& out) const;

 private:
  std::vector<int> table_;                   // [label]
  std::vector<std::pair<int, int>> sorted_;  // label, position
};

// Side of a kind that has these corners, numbers within the element; -1: none.
int side_of_corners(const ElementInfo& info, const int* corners, int count);

}  // namespace lithe
