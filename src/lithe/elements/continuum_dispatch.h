// From the run-time kind to its type: with_kind(kind, [](auto k) { using Kind = decltype(k); ... }).
#pragma once

#include "lithe/base/error.h"
#include "lithe/elements/beam3243.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/hexa3843.h"
#include "lithe/elements/shell3443.h"

namespace lithe {

template <class Function>
decltype(auto) with_kind(ElementKind kind, Function&& function) {
  switch (kind) {
    case ElementKind::beam3243:
      return function(Beam3243{});
    case ElementKind::shell3443:
      return function(Shell3443{});
    case ElementKind::hexa3843:
      return function(Hexa3843{});
    default:
      throw InvariantError("a continuum element is expected here");
  }
}

}  // namespace lithe
