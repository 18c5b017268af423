// Files of reduced bases, HDF5: mesh, elements, vectors, values, and what made them.
#pragma once

#include <string>

#include "lithe/reduction/base.h"

namespace lithe {

// RunError where the file cannot be read, or is none of ours.
Base read_base(const std::string& path);
void write_base(const std::string& path, const Base& base);

}  // namespace lithe
