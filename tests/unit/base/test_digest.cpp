// XXH64 against published values, at every length of its tail.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "lithe/base/digest.h"

namespace lithe {
namespace {

std::uint64_t of(const std::string& text, std::uint64_t seed = 0) { return xxh64(text.data(), text.size(), seed); }

TEST(Digest, PublishedValues) {
  EXPECT_EQ(of(""), 0xef46db3751d8e999u);
  EXPECT_EQ(of("a"), 0xd24ec4f1a98c6e5bu);
  EXPECT_EQ(of("abc"), 0x44bc2cf5ad770999u);
  EXPECT_EQ(of("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1u);
  EXPECT_EQ(of("The quick brown fox jumps over the lazy dog"), 0x0b242d361fda71bcu);
}

TEST(Digest, EveryBitCounts) {
  for (std::size_t size = 0; size < 70; ++size) {
    std::string text(size, 'x');
    std::set<std::uint64_t> seen{of(text), of(text, 1)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      EXPECT_TRUE(seen.insert(of(text)).second) << size << " bytes, bit " << bit;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    }
  }
}

}  // namespace
}  // namespace lithe
