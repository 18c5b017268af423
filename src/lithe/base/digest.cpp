#include "lithe/base/digest.h"

#include <bit>
#include <cstring>

namespace lithe {

namespace {

constexpr std::uint64_t p1 = 11400714785074694791u, p2 = 14029467366897019727u, p3 = 1609587929392839161u,
                        p4 = 9650029242287828579u, p5 = 2870177450012600261u;

// Little-endian, as the definition reads its input.
template <class T>
T read(const unsigned char* at) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * p2, 31) * p1; }
std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) { return (hash ^ round(0, lane)) * p1 + p4; }

}  // namespace

std::uint64_t xxh64(const void* data, std::size_t size, std::uint64_t seed) {
  const auto* at = static_cast<const unsigned char*>(data);
  std::size_t left = size;
  std::uint64_t hash = seed + p5;
  if (left >= 32) {
    std::uint64_t lanes[4] = {seed + p1 + p2, seed + p2, seed, seed - p1};
    for (; left >= 32; left -= 32)
      for (std::uint64_t& lane : lanes) {
        lane = round(lane, read<std::uint64_t>(at));
        at += 8;
      }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = merge(hash, lane);
  }
  hash += size;
  for (; left >= 8; left -= 8, at += 8) hash = std::rotl(hash ^ round(0, read<std::uint64_t>(at)), 27) * p1 + p4;
  if (left >= 4) {
    hash = std::rotl(hash ^ (read<std::uint32_t>(at) * p1), 23) * p2 + p3;
    left -= 4;
    at += 4;
  }
  for (; left > 0; --left, ++at) hash = std::rotl(hash ^ (*at * p5), 11) * p1;
  hash = (hash ^ (hash >> 33)) * p2;
  hash = (hash ^ (hash >> 29)) * p3;
  return hash ^ (hash >> 32);
}

}  // namespace lithe
