// A vector whose storage starts on a 64-byte boundary, as kernels expect.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lithe {

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

// Doubles rounded up so that what follows starts on a cache line.
constexpr std::size_t padded(std::size_t doubles) { return (doubles + 7) / 8 * 8; }

}  // namespace lithe
