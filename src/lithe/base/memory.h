// The machine's memory, as far as this process may have it.
#pragma once

#include <cstddef>
#include <string>

namespace lithe {

struct AvailableMemory {
  std::size_t bytes = 0;
  std::string limit;  // what sets it: "memory that is free", "limit of the control group", "ulimit -v"
};

// The least of what the kernel calls available, what the control group leaves (containers) and the limits of the
// process. All bits set where nothing is known.
AvailableMemory available_memory();

// "3.2 GiB"
std::string memory_text(double bytes);

}  // namespace lithe
