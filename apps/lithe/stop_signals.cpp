#include "stop_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <system_error>

#include "program.h"

namespace lithe::app {

namespace {

constexpr int patience = 700;  // ms

volatile std::sig_atomic_t came = 0;
int wake = -1;  // where the handler tells the watcher

extern "C" void on_signal(int number) {
  const int error = errno;
  came = number;
  std::signal(number, SIG_DFL);
  const char byte = 's';
  (void)!::write(wake, &byte, 1);
  errno = error;
}

// The next byte of a pipe; 0: none within `milliseconds` (-1: for ever).
char next_byte(int from, int milliseconds) {
  pollfd ready{from, POLLIN, 0};
  while (poll(&ready, 1, milliseconds) < 0)
    if (errno != EINTR) return 'e';
  char byte = 0;
  if (ready.revents != 0 && ::read(from, &byte, 1) != 1) return 'e';
  return byte;
}

}  // namespace

const char* signal_text(int signal) { return signal == SIGINT ? "Ctrl-C" : "a signal to terminate"; }

StopSignals::StopSignals(std::function<void(int signal)> last_words) {
  came = 0;
  if (pipe2(pipe_, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "a pipe for signals");
  wake = pipe_[1];
  try {
    watcher_ = std::thread([this, words = std::move(last_words)] { watch(words); });
  } catch (const std::system_error&) {  // no room for a thread: then signals are answered after the step
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

// Bytes: s signal, e the run has ended.
void StopSignals::watch(const std::function<void(int signal)>& last_words) const {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);  // the run takes them
  if (next_byte(pipe_[0], -1) != 's') return;
  char byte = next_byte(pipe_[0], patience);
  while (byte == 's') byte = next_byte(pipe_[0], patience);
  if (byte != 0) return;
  try {
    last_words(came);
  } catch (const std::exception&) {  // the process ends in any case
  }
  _exit(run_failed);
}

int StopSignals::number() const { return came; }

void StopSignals::ended() {
  if (!watcher_.joinable()) return;
  const char byte = 'e';
  (void)!::write(pipe_[1], &byte, 1);
  watcher_.join();
}

StopSignals::~StopSignals() {
  ended();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  for (const int end : pipe_) close(end);
}

}  // namespace lithe::app
