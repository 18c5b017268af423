// From the run-time kind to its type, for the kinds that have every strategy:
//   with_kind(kind, [](auto k) { using Kind = decltype(k); ... }),
// and for solids with positions alone: with_solid.
#pragma once

#include "lithe/base/error.h"
#include "lithe/elements/beam3243/beam3243.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/hex8/hex8.h"
#include "lithe/elements/hexa3843/hexa3843.h"
#include "lithe/elements/shell3443/shell3443.h"
#include "lithe/elements/tet10/tet10.h"
#include "lithe/elements/tet4/tet4.h"

namespace lithe {

template <class First, class... Others, class Function>
decltype(auto) with_kind_of(ElementKind kind, Function&& function) {
  if constexpr (sizeof...(Others) > 0)
    if (kind != ElementKind(&KindOf<First>::info)) return with_kind_of<Others...>(kind, function);
  LITHE_INVARIANT(kind == ElementKind(&KindOf<First>::info));
  return function(First{});
}

template <class Function>
decltype(auto) with_kind(ElementKind kind, Function&& function) {
  return with_kind_of<Beam3243, Shell3443, Hexa3843>(kind, function);
}

template <class Function>
decltype(auto) with_solid(ElementKind kind, Function&& function) {
  return with_kind_of<Hex8, Tet4, Tet10>(kind, function);
}

}  // namespace lithe
