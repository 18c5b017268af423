#include "lithe/elements/kinds.h"

#include <algorithm>

#include "lithe/base/error.h"
#include "lithe/elements/beam3243/beam3243.h"
#include "lithe/elements/cable/cable.h"
#include "lithe/elements/hex8/hex8.h"
#include "lithe/elements/hexa3843/hexa3843.h"
#include "lithe/elements/kind_info.h"
#include "lithe/elements/rigid/rigid.h"
#include "lithe/elements/shell3443/shell3443.h"
#include "lithe/elements/tet10/tet10.h"
#include "lithe/elements/tet4/tet4.h"

namespace lithe {

template struct KindOf<Cable>;
template struct KindOf<Beam3243>;
template struct KindOf<Shell3443>;
template struct KindOf<Hexa3843>;
template struct KindOf<Hex8>;
template struct KindOf<Tet4>;
template struct KindOf<Tet10>;
template struct KindOf<Rigid>;
template struct KindOf<RigidBar>;
template struct KindOf<MassPointKind>;

namespace {

// The registry: one line a kind.
std::vector<ElementKind>& registry() {
  static std::vector<ElementKind> kinds{
      &KindOf<Cable>::info, &KindOf<Beam3243>::info, &KindOf<Shell3443>::info, &KindOf<Hexa3843>::info,
      &KindOf<Hex8>::info,  &KindOf<Tet4>::info,     &KindOf<Tet10>::info,
  };
  return kinds;
}

}  // namespace

const std::vector<ElementKind>& element_registry() { return registry(); }

AddedKind::AddedKind(ElementKind kind) {
  for (const ElementKind known : registry())
    require(std::string(known->name) != kind->name,
            "there is an element kind '" + std::string(kind->name) + "' already; give yours another name");
  registry().push_back(kind);
}

AddedKind::~AddedKind() { registry().pop_back(); }

std::string ElementInfo::vector_list(bool by_name) const {
  std::string list;
  for (int k = 0; k < node_vectors; ++k) {
    if (k > 0) list += ", ";
    list += by_name ? vectors[k].name : vectors[k].symbol;
  }
  return list;
}

}  // namespace lithe
