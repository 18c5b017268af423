#include "lithe/base/interrupt.h"

#include <utility>

namespace lithe {

namespace {
thread_local std::function<void()> present;
}

InterruptCheck::InterruptCheck(std::function<void()> check) : before_(std::exchange(present, std::move(check))) {}
InterruptCheck::~InterruptCheck() { present = std::move(before_); }

void check_interrupt() {
  if (present) present();
}

}  // namespace lithe
