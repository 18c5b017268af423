// Adds the time it lives to a phase of a report.
#pragma once

#include <chrono>

namespace lithe {

class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace lithe
