// malloc and its relatives of the test program, passing on to the C library's own and counting per thread.
// operator new and Eigen's allocations end here too.
#include "allocation_counter.h"

#include <cerrno>
#include <cstddef>

#include "sanitized.h"

#if defined(__GLIBC__) && !LITHE_SANITIZED
#define LITHE_COUNT_ALLOCATIONS 1
#else
#define LITHE_COUNT_ALLOCATIONS 0
#endif

namespace {
thread_local long allocations = 0;
}

#if LITHE_COUNT_ALLOCATIONS
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* p, std::size_t size) {
  ++allocations;
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  ++allocations;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}
}
#endif

namespace lithe::fixtures {

AllocationCounter::AllocationCounter() : start_(allocations) {}
long AllocationCounter::taken() const { return allocations - start_; }
bool AllocationCounter::available() { return LITHE_COUNT_ALLOCATIONS; }

}  // namespace lithe::fixtures
