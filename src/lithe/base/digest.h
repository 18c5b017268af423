// XXH64 (Yann Collet's xxHash, 64 bits): a fast digest by which damaged bytes are found. It is no signature: whoever
// wants to deceive can.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lithe {

std::uint64_t xxh64(const void* data, std::size_t size, std::uint64_t seed = 0);

}  // namespace lithe
