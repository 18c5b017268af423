// From the run-time kind to its type, for the kinds that have every strategy:
//   with_kind(kind, [](auto k) { using Kind = decltype(k); ... }).
#pragma once

#include "lithe/base/error.h"
#include "lithe/elements/beam3243/beam3243.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/hexa3843/hexa3843.h"
#include "lithe/elements/shell3443/shell3443.h"

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

}  // namespace lithe
