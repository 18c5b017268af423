#include "lithe/base/version.h"

#ifndef LITHE_VERSION
#define LITHE_VERSION "unknown"
#endif

namespace lithe {

const char* version() { return LITHE_VERSION; }

}  // namespace lithe
