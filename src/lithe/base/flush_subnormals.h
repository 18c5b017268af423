// While one of these lives, its thread takes numbers too small for a full mantissa as zero. Where much decays to
// nothing in single precision, processors that handle such numbers apart take up to a hundred times as long for them.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace lithe {

class FlushSubnormals {
 public:
#if defined(__SSE2__)
  FlushSubnormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_results | take_as_zero); }
  ~FlushSubnormals() { _mm_setcsr(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
  static constexpr unsigned flush_results = 0x8000, take_as_zero = 0x0040;
  unsigned before_;
#endif
};

}  // namespace lithe
