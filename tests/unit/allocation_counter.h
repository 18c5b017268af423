// Counts what the calling thread takes from the heap: AllocationCounter counter; ...; EXPECT_EQ(counter.taken(), 0).
// Under a sanitizer, which owns malloc, nothing is counted and available() is false.
#pragma once

namespace lithe::fixtures {

class AllocationCounter {
 public:
  AllocationCounter();
  long taken() const;
  static bool available();

 private:
  long start_;
};

}  // namespace lithe::fixtures
