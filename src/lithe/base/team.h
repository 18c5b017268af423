// Threads that share the tasks of one loop at a time. Tasks are handed out one by one: a thread that the machine keeps
// waiting holds back the one task it has, and where the others are done before it came it holds back nothing. Threads
// without work sleep. None is started before the first loop that is given to several.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <type_traits>
#include <vector>

namespace lithe {

class Team {
 public:
  explicit Team(int size) : size_(size) {}
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }
  int started() const { return static_cast<int>(helpers_.size()); }

  // task(index, thread) for every index from 0 to count - 1, in any order; returns when all are done. The first
  // exception of a task is thrown here, after the others. Tasks give no work to the team themselves.
  template <class Task>
  void run(int count, Task&& task) {
    if (size_ == 1 || count < 2) {
      for (int i = 0; i < count; ++i) task(i, 0);
      return;
    }
    using Plain = std::remove_reference_t<Task>;
    share(count, const_cast<void*>(static_cast<const void*>(&task)),
          [](void* context, int index, int thread) { (*static_cast<Plain*>(context))(index, thread); });
  }

 private:
  using Call = void (*)(void* context, int index, int thread);
  void share(int count, void* context, Call call);
  void help(int thread);
  void work(std::uint32_t loop, int thread);

  int size_;
  std::vector<std::thread> helpers_;
  // The loop at hand. Its number stands in the upper half of `ticket_`, the next index in the lower half: an index can
  // be taken only of the loop that is meant.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<std::uint32_t> loop_{0};
  std::atomic<void*> context_{nullptr};
  std::atomic<Call> call_{nullptr};
  std::atomic<int> count_{0}, done_{0};
  std::atomic<bool> over_{false}, failed_{false};
  std::exception_ptr error_;
};

}  // namespace lithe
