#include "lithe/base/place.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <utility>

#include "lithe/base/error.h"
#include "lithe/base/team.h"

namespace lithe {

Array::Array(Place& place, std::size_t size)
    : place_(&place), address_(size ? place.allocate(size) : nullptr), size_(size), owner_(size > 0) {}

Array::~Array() {
  if (owner_) place_->release(address_, size_);
}

Array& Array::operator=(Array&& other) noexcept {
  Array taken(std::move(other));
  swap(taken);
  return *this;
}

Array Array::view(Place& place, std::span<double> numbers) {
  LITHE_INVARIANT(place.on_host());
  Array array;
  array.place_ = &place;
  array.address_ = numbers.data();
  array.size_ = numbers.size();
  return array;
}

Array Array::part(std::size_t first, std::size_t count) {
  LITHE_INVARIANT(first <= size_ && count <= size_ - first);
  Array array;
  array.place_ = place_;
  array.address_ = count > 0 ? address_ + first : nullptr;
  array.size_ = count;
  return array;
}

const Array Array::part(std::size_t first, std::size_t count) const {
  return const_cast<Array*>(this)->part(first, count);  // const again
}

void Array::swap(Array& other) noexcept {
  std::swap(place_, other.place_);
  std::swap(address_, other.address_);
  std::swap(size_, other.size_);
  std::swap(owner_, other.owner_);
}

std::span<const double> Array::host() const {
  LITHE_INVARIANT(empty() || place_->on_host());
  return {address_, size_};
}

std::span<double> Array::host() {
  LITHE_INVARIANT(empty() || place_->on_host());
  return {address_, size_};
}

double Place::dot(const Array& a, const Array& b, const Array* weight) {
  const Product product{weight, a, b};
  double sum = 0;
  dots({&product, 1}, {&sum, 1});
  return sum;
}

// ---- the host ----

namespace {

constexpr std::size_t block_size = 2048;  // of numbers: a few arrays of them fit the first cache
// Blocks from which on threads pay: a block is a microsecond.
constexpr int worth_threads = 32;

// The arrays are apart from each other, or the same: the compiler need not ask.
template <int count>
void combine_block(const Term* terms, double* y, std::size_t first, std::size_t size) {
  double factor[count];
  const double* x[count];
  for (int k = 0; k < count; ++k) {
    factor[k] = terms[k].factor;
    x[k] = terms[k].x.address() + first;
  }
#pragma GCC ivdep
  for (std::size_t i = 0; i < size; ++i) {
    double sum = factor[count - 1] * x[count - 1][i];
    for (int k = count - 2; k >= 0; --k) sum = factor[k] * x[k][i] + sum;
    y[i] = sum;
  }
}

using CombineBlock = void (*)(const Term*, double*, std::size_t, std::size_t);
constexpr CombineBlock combine_blocks[] = {combine_block<1>, combine_block<2>, combine_block<3>, combine_block<4>,
                                           combine_block<5>};
static_assert(std::size(combine_blocks) == Place::most_terms);

// Eight sums side by side, then those of what is left, one after the other.
using Four = double __attribute__((vector_size(32)));

Four load(const double* x) {
  Four v;
  std::memcpy(&v, x, sizeof v);
  return v;
}

template <bool weighted>
double dot_block(const double* w, const double* a, const double* b, std::size_t size) {
  Four first{}, second{};
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    if constexpr (weighted) {
      first += load(w + i) * load(a + i) * load(b + i);
      second += load(w + i + 4) * load(a + i + 4) * load(b + i + 4);
    } else {
      first += load(a + i) * load(b + i);
      second += load(a + i + 4) * load(b + i + 4);
    }
  }
  double rest = 0;
  for (; i < size; ++i) rest += weighted ? w[i] * a[i] * b[i] : a[i] * b[i];
  const Four sum = first + second;
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

// At least 0; NaN where a value is not finite. Several side by side: a chain of comparisons waits for each of them.
template <class Value>
double largest_of(std::size_t size, Value&& value) {
  constexpr int lanes = 4;
  double found[lanes] = {}, sum[lanes] = {};  // values - values is 0, or NaN
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (int k = 0; k < lanes; ++k) {
      const double x = value(i + k);
      found[k] = x > found[k] ? x : found[k];
      sum[k] += x - x;
    }
  for (; i < size; ++i) {
    const double x = value(i);
    found[0] = x > found[0] ? x : found[0];
    sum[0] += x - x;
  }
  const double most = std::max(std::max(found[0], found[1]), std::max(found[2], found[3]));
  return most + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

double dot_block(const Product& p, std::size_t first, std::size_t size) {
  const double *a = p.a.address() + first, *b = p.b.address() + first;
  return p.weight ? dot_block<true>(p.weight->address() + first, a, b, size) : dot_block<false>(nullptr, a, b, size);
}

}  // namespace

template <class Function>
void HostPlace::for_blocks(std::size_t size, Function&& function) {
  const int blocks = static_cast<int>((size + block_size - 1) / block_size);
  const auto block = [&](int b, int) {
    const std::size_t first = b * block_size;
    function(b, first, std::min(block_size, size - first));
  };
  if (team_ && blocks >= worth_threads) team_->run(blocks, block);
  else
    for (int b = 0; b < blocks; ++b) block(b, 0);
}

double* HostPlace::allocate(std::size_t size) { return new double[size]{}; }
void HostPlace::release(double* address, std::size_t) noexcept { delete[] address; }

void HostPlace::upload(std::span<const double> from, Array& to) {
  LITHE_INVARIANT(from.size() == to.size());
  std::copy(from.begin(), from.end(), to.address());
}
void HostPlace::download(const Array& from, std::span<double> to) {
  LITHE_INVARIANT(from.size() == to.size());
  std::copy(from.address(), from.address() + from.size(), to.begin());
}

void HostPlace::fill(double value, Array& x) { std::fill(x.address(), x.address() + x.size(), value); }

void HostPlace::combine(std::span<const Term> terms, Array& y) {
  LITHE_INVARIANT(!terms.empty() && terms.size() <= most_terms);
  for (const Term& term : terms) LITHE_INVARIANT(term.x.size() == y.size());
  double* out = y.address();
  if (terms.size() == 1 && terms[0].factor == 1) {
    const double* x = terms[0].x.address();
    if (x != out) std::copy(x, x + y.size(), out);
    return;
  }
  const CombineBlock block = combine_blocks[terms.size() - 1];
  if (y.size() <= block_size) return block(terms.data(), out, 0, y.size());
  for_blocks(y.size(),
             [&](int, std::size_t first, std::size_t size) { block(terms.data(), out + first, first, size); });
}

void HostPlace::multiply(const Array& weight, const Array& x, Array& y) {
  LITHE_INVARIANT(weight.size() == y.size() && x.size() == y.size());
  const double *w = weight.address(), *from = x.address();
  double* to = y.address();
  for_blocks(y.size(), [&](int, std::size_t first, std::size_t size) {
#pragma GCC ivdep
    for (std::size_t i = first; i < first + size; ++i) to[i] = w[i] * from[i];
  });
}

void HostPlace::dots(std::span<const Product> products, std::span<double> sums) {
  const std::size_t count = products.size(), size = count ? products[0].a.size() : 0;
  for (const Product& p : products)
    LITHE_INVARIANT(p.a.size() == size && p.b.size() == size && (!p.weight || p.weight->size() == size));
  if (size <= block_size) {
    for (std::size_t k = 0; k < count; ++k) sums[k] = dot_block(products[k], 0, size);
    return;
  }
  const std::size_t blocks = (size + block_size - 1) / block_size;
  partial_.resize(std::max(partial_.size(), blocks * count));
  for_blocks(size, [&](int block, std::size_t first, std::size_t n) {
    for (std::size_t k = 0; k < count; ++k) partial_[block * count + k] = dot_block(products[k], first, n);
  });
  // Pairs of blocks, pairs of pairs, and so on.
  for (std::size_t stride = 1; stride < blocks; stride *= 2)
    for (std::size_t b = 0; b + stride < blocks; b += 2 * stride)
      for (std::size_t k = 0; k < count; ++k) partial_[b * count + k] += partial_[(b + stride) * count + k];
  std::copy(partial_.begin(), partial_.begin() + count, sums.begin());
}

double HostPlace::largest(const Array& x, const Array* beyond) {
  LITHE_INVARIANT(!beyond || beyond->size() == x.size());
  const double *a = x.address(), *b = beyond ? beyond->address() : nullptr;
  return b ? largest_of(x.size(), [&](std::size_t i) { return std::abs(a[i]) - b[i]; })
           : largest_of(x.size(), [&](std::size_t i) { return std::abs(a[i]); });
}

// ---- the host's eyes ----

void HostReading::bring(const Array& array, std::vector<double>& room) {
  room.resize(array.size());
  array.place().download(array, room);
  numbers_ = room;
}

void HostWriting::bring(Array& array, std::vector<double>& room, Old old) {
  away_ = &array;
  exceptions_ = std::uncaught_exceptions();
  room.resize(array.size());
  if (old == Old::needed) array.place().download(array, room);
  numbers_ = room;
}

void HostWriting::send() {
  if (std::uncaught_exceptions() == exceptions_) away_->place().upload(numbers_, *away_);
}

}  // namespace lithe
