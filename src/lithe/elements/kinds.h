// Element kinds. A kind is a struct of constants and functions in a header of its own (elements/hexa3843/hexa3843.h), a
// type for the kernels, which are templates over it. Everything that does not need the type asks ElementInfo, its
// run-time form; an ElementKind is a pointer to one. A line in kinds.cpp, or an AddedKind, makes a kind known by name.
//
//   static constexpr const char *name, *help, *theory;      // theory: page under docs/
//   static constexpr int nodes, node_vectors, N;            // N = nodes * node_vectors
//   static constexpr int dimension;                         // 1 line, 2 surface, 3 solid; its mesh
//   static constexpr NodeVector vectors[node_vectors];      // by inheritance (node_vectors.h)
//   static constexpr double corner[nodes][3];               // natural coordinates of the nodes
//   static constexpr int quadrature[];                      // default rule
//   static constexpr const char *meshes[], *sections[], *materials[];  // that fit, by type
//   template <class T> static void shape(const T* xi, T* S);           // [N], over scaled coordinates
//   template <class T> static void derivative(const T* xi, T (*dS)[3]);
// Where they are not as in ElementInfo's defaults:
//   static constexpr Cell cell;                             // cube
//   static constexpr bool flexible, volume, straight, split_law, every_strategy, lumped;
//   static constexpr const char* strategies[];              // of a kind with a kernel of its own; default: batched
//   static constexpr const SectionForm* section_form;       // formulation `section`
//   static constexpr auto make_kernel;                      // default: the plain kernel
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/elements/node_vectors.h"

namespace lithe {

class BatchKernel;
struct ContinuumBatch;
enum class TangentForm;

// Coordinate vectors of an element at most: arrays on the stack hold as many.
inline constexpr int most_vectors = 32;

// What formulation `section` needs of a kind; elements by their number in the batch.
struct SectionForm {
  int strains;  // generalised ones
  std::unique_ptr<BatchKernel> (*make_kernel)(const ContinuumBatch&, TangentForm);
  double (*energy)(const ContinuumBatch&, int element, const double* e);
  // Green-Lagrange strain at a point and its rate, Voigt, along the material's axes without the layer's angle.
  void (*strain)(const ContinuumBatch&, int element, const double* xi, const double* e, const double* v, double* E,
                 double* rate);
  // Generalised strains of the section at a point; v given: their rates.
  void (*generalised)(const ContinuumBatch&, int element, const double* xi, const double* e, const double* v,
                      double* out);
  // Force over the coordinates of stress resultants [strains] that are the same all over the element, and (K given,
  // [3N][3N]) its derivative.
  void (*resultant_force)(const ContinuumBatch&, int element, const double* e, const double* resultants, double* f,
                          double* K);
};

struct ElementInfo {
  const char *name = "", *help = "", *theory = "";
  int nodes = 0;
  int node_vectors = 0;
  int dimension = 0;                    // 0 point, 1 line, 2 surface, 3 solid
  int coordinates = 0;                  // natural coordinates that the shape functions depend on
  const NodeVector* vectors = nullptr;  // [node_vectors]
  const double (*corner)[3] = nullptr;  // [nodes]
  std::span<const int> quadrature;      // default rule
  bool flexible = true;                 // deforms: what a flexible body is made of
  bool volume = true;                   // strain, stress and mass at points of a volume; else along a line
  bool straight = false;                // straight and unstretched in its reference configuration
  bool split_law = false;               // the Poisson part of its law acts on the axis (laws.h)
  bool every_strategy = false;          // it has a section scheme; else kernels of its own
  bool lumped = false;                  // its mass goes to the nodes where the user says nothing
  Cell cell = Cell::cube;
  std::span<const char* const> strategies;    // where it has not every one; empty: batched alone
  const SectionForm* section_form = nullptr;  // null: formulation `continuum` alone
  std::span<const char*const> meshes, sections, materials;
  void (*shape)(const double* xi, double* S) = nullptr;        // [N]
  void (*derivative)(const double* xi, double* dS) = nullptr;  // [N][3]
  std::unique_ptr<BatchKernel> (*make_kernel)(const ContinuumBatch&, const std::string& strategy,
                                              TangentForm) = nullptr;

  int vector_count() const { return nodes * node_vectors; }
  // Sides of an element with a volume: natural coordinate side / 2 is -1 or 1; of a tetrahedron coordinate `side` is 0,
  // or all add up to one.
  int sides() const { return cell == Cell::cube ? 6 : 4; }
  int side_axis(int side) const { return cell == Cell::cube ? side / 2 : side; }
  double side_at(int side) const { return cell == Cell::cube ? (side % 2 == 0 ? -1 : 1) : side < 3 ? -1 : 1; }
  int side_number(int axis, double at) const { return cell == Cell::cube ? 2 * axis + (at > 0) : axis; }
  bool on_side(int node, int side) const {
    const double* c = corner[node];
    if (cell == Cell::cube) return c[side / 2] == side_at(side);
    return side < 3 ? c[side] == 0 : c[0] + c[1] + c[2] == 1;
  }
  // How many of r_x, r_y, r_z a node has.
  int gradients() const {
    int count = 0;
    for (int k = 0; k < node_vectors; ++k) count += vectors[k].gradient >= 0;
    return count;
  }
  bool scaled() const {
    for (int k = 0; k < node_vectors; ++k)
      if (vectors[k].size >= 0) return true;
    return false;
  }
  // "r, r_x" or, by name, "position, x_gradient".
  std::string vector_list(bool by_name) const;
};

template <class Kind>
struct KindOf {
  static constinit const ElementInfo info;  // defined in kind_info.h
};

struct Cable;
struct Beam3243;
struct Shell3443;
struct Hexa3843;
struct Hex8;
struct Tet4;
struct Tet10;
struct Rigid;
struct RigidBar;
struct MassPointKind;
extern template struct KindOf<Cable>;  // in kinds.cpp
extern template struct KindOf<Beam3243>;
extern template struct KindOf<Shell3443>;
extern template struct KindOf<Hexa3843>;
extern template struct KindOf<Hex8>;
extern template struct KindOf<Tet4>;
extern template struct KindOf<Tet10>;
extern template struct KindOf<Rigid>;
extern template struct KindOf<RigidBar>;
extern template struct KindOf<MassPointKind>;

class ElementKind {
 public:
  constexpr ElementKind() = default;
  constexpr ElementKind(const ElementInfo* info) : info_(info) {}
  constexpr const ElementInfo& info() const { return *info_; }
  constexpr const ElementInfo* operator->() const { return info_; }
  friend constexpr bool operator==(ElementKind, ElementKind) = default;

  static const ElementKind cable, beam3243, shell3443, hexa3843, hex8, tet4, tet10;
  // Rigid bodies, bars and points have nodes, shape functions and mass in the same way: S = (1, x, y, z) at body
  // coordinates x, y, z for a rigid body, (1 - xi)/2 and (1 + xi)/2 for a bar.
  static const ElementKind rigid, bar, point;

 private:
  const ElementInfo* info_ = nullptr;
};

inline constexpr ElementKind ElementKind::cable{&KindOf<Cable>::info};
inline constexpr ElementKind ElementKind::beam3243{&KindOf<Beam3243>::info};
inline constexpr ElementKind ElementKind::shell3443{&KindOf<Shell3443>::info};
inline constexpr ElementKind ElementKind::hexa3843{&KindOf<Hexa3843>::info};
inline constexpr ElementKind ElementKind::hex8{&KindOf<Hex8>::info};
inline constexpr ElementKind ElementKind::tet4{&KindOf<Tet4>::info};
inline constexpr ElementKind ElementKind::tet10{&KindOf<Tet10>::info};
inline constexpr ElementKind ElementKind::rigid{&KindOf<Rigid>::info};
inline constexpr ElementKind ElementKind::bar{&KindOf<RigidBar>::info};
inline constexpr ElementKind ElementKind::point{&KindOf<MassPointKind>::info};

constexpr const ElementInfo& element_info(ElementKind kind) { return kind.info(); }
constexpr bool is_flexible(ElementKind kind) { return kind->flexible; }

// Those of flexible bodies, by the names that users know.
const std::vector<ElementKind>& element_registry();

// A kind from outside of the library, known as long as this lives: AddedKind brick(&KindOf<Brick>::info).
class AddedKind {
 public:
  explicit AddedKind(ElementKind kind);
  ~AddedKind();
  AddedKind(const AddedKind&) = delete;
  AddedKind& operator=(const AddedKind&) = delete;
};

}  // namespace lithe
