#include "lithe/base/team.h"

#include <chrono>
#include <utility>

namespace lithe {

namespace {

// How long a thread looks for work before it sleeps: waking one costs as much as a small loop, and the parts of an
// evaluation follow each other within this time. After the first looks it offers its core to whoever wants it.
constexpr auto patience = std::chrono::milliseconds(2);
constexpr int first_looks = 300;
constexpr std::uint64_t closed = 0xffffffff;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

template <class Condition>
void look_for(Condition&& met) {
  for (int look = 0; look < first_looks; ++look) {
    if (met()) return;
    relax();
  }
  const auto start = std::chrono::steady_clock::now();
  while (!met() && std::chrono::steady_clock::now() - start < patience) std::this_thread::yield();
}

}  // namespace

Team::~Team() {
  over_ = true;
  loop_.fetch_add(1, std::memory_order_release);
  loop_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Team::share(int count, void* context, Call call) {
  while (started() < size_ - 1) helpers_.emplace_back([this, thread = started() + 1] { help(thread); });
  const std::uint32_t loop = loop_.load(std::memory_order_relaxed) + 1;
  ticket_.store(std::uint64_t{loop} << 32 | closed);  // whoever is late takes nothing while the loop changes
  done_.store(0, std::memory_order_release);
  context_.store(context, std::memory_order_release);
  call_.store(call, std::memory_order_release);
  count_.store(count, std::memory_order_release);
  ticket_.store(std::uint64_t{loop} << 32, std::memory_order_release);
  loop_.store(loop, std::memory_order_release);
  loop_.notify_all();
  work(loop, 0);
  look_for([&] { return done_.load(std::memory_order_acquire) == count; });
  for (int done; (done = done_.load(std::memory_order_acquire)) != count;) done_.wait(done, std::memory_order_acquire);
  if (failed_.exchange(false)) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Team::help(int thread) {
  for (std::uint32_t seen = 0;;) {
    look_for([&] { return loop_.load(std::memory_order_acquire) != seen; });
    loop_.wait(seen, std::memory_order_acquire);
    seen = loop_.load(std::memory_order_acquire);
    if (over_) return;
    work(seen, thread);
  }
}

void Team::work(std::uint32_t loop, int thread) {
  const int count = count_.load(std::memory_order_acquire);
  void* const context = context_.load(std::memory_order_acquire);
  const Call call = call_.load(std::memory_order_acquire);
  for (;;) {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    do {
      if (ticket >> 32 != loop || (ticket & closed) >= static_cast<std::uint64_t>(count)) return;
    } while (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel));
    try {
      call(context, static_cast<int>(ticket & closed), thread);
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == count) done_.notify_one();
  }
}

}  // namespace lithe
