#pragma once

namespace lithe {

// "0.1.0", set by the build.
const char* version();

}  // namespace lithe
