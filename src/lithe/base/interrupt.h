// Long computations ask now and then whether to go on. Whoever runs them says how to know: the program looks at its
// signals, Python at its own.
#pragma once

#include <functional>

namespace lithe {

// While one lives, check_interrupt() of this thread calls `check`, which throws to end the computation.
class InterruptCheck {
 public:
  explicit InterruptCheck(std::function<void()> check);
  ~InterruptCheck();
  InterruptCheck(const InterruptCheck&) = delete;
  InterruptCheck& operator=(const InterruptCheck&) = delete;

 private:
  std::function<void()> before_;
};

// Not in loops of less than a millisecond a round, nor in parallel regions (they cannot throw).
void check_interrupt();

}  // namespace lithe
