// Ctrl-C and requests to terminate, answered within a second. A run looks at number() after each step and ends in
// order. Where it does not come to that in time (a long factorisation, a library that waits for memory) a thread of its
// own says the last words and ends the process. A second signal ends it at once.
#pragma once

#include <functional>
#include <thread>

namespace lithe::app {

class StopSignals {
 public:
  // last_words: on the other thread, while the run goes on; the process then ends with exit code 1.
  explicit StopSignals(std::function<void(int signal)> last_words);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int number() const;  // of the signal that came; 0: none
  // The run has ended: from here on it is not ended from outside any more, however long its summary takes.
  void ended();

 private:
  void watch(const std::function<void(int signal)>& last_words) const;

  int pipe_[2] = {-1, -1};
  std::thread watcher_;
};

// "Ctrl-C", "a signal to terminate"
const char* signal_text(int signal);

}  // namespace lithe::app
