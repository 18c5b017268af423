// A length that must be greater than 0 and is given in metres.
#pragma once

#include "lithe/base/field.h"

namespace lithe {

inline constexpr Field length_field(const char* help) {
  return {.help = help, .unit = "m", .required = true, .allowed = positive, .usual_low = 1e-7, .usual_high = 1e4};
}

}  // namespace lithe
