// Threads that work on one thing together: kernels that take a group share their loops by `rank` and `size` and call
// `sync` where one needs what another wrote. On the host a thread is a group of its own.
#pragma once

#include "lithe/base/config.h"

namespace lithe {

struct SingleThread {
  static LITHE_HD constexpr int rank() { return 0; }
  static LITHE_HD constexpr int size() { return 1; }
  static LITHE_HD constexpr void sync() {}
};

}  // namespace lithe
