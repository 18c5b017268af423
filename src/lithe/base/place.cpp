#include "lithe/base/place.h"

#include <algorithm>
#include <cmath>
#include <exception>
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
constexpr int lanes = 8;
// Blocks from which on threads pay: a block is a microsecond.
constexpr int worth_threads = 32;

template <int count>
void combine_block(const double* factor, const double* const* x, double* y, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    double sum = factor[count - 1] * x[count - 1][i];
    for (int k = count - 2; k >= 0; --k) sum = factor[k] * x[k][i] + sum;
    y[i] = sum;
  }
}

double sum_lanes(const double (&sum)[lanes]) {
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

template <class Value>
double sum_block(std::size_t size, Value&& value) {
  double sum[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (int k = 0; k < lanes; ++k) sum[k] += value(i + k);
  for (int k = 0; i < size; ++i, ++k) sum[k] += value(i);
  return sum_lanes(sum);
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
  const int count = static_cast<int>(terms.size());
  LITHE_INVARIANT(count >= 1 && count <= most_terms);
  double factor[most_terms] = {};
  for (int k = 0; k < count; ++k) {
    LITHE_INVARIANT(terms[k].x.size() == y.size());
    factor[k] = terms[k].factor;
  }
  if (count == 1 && factor[0] == 1) {
    if (terms[0].x.address() != y.address())
      std::copy(terms[0].x.address(), terms[0].x.address() + y.size(), y.address());
    return;
  }
  for_blocks(y.size(), [&](int, std::size_t first, std::size_t size) {
    const double* x[most_terms] = {};
    for (int k = 0; k < count; ++k) x[k] = terms[k].x.address() + first;
    double* out = y.address() + first;
    switch (count) {
      case 1:
        return combine_block<1>(factor, x, out, size);
      case 2:
        return combine_block<2>(factor, x, out, size);
      case 3:
        return combine_block<3>(factor, x, out, size);
      case 4:
        return combine_block<4>(factor, x, out, size);
      default:
        return combine_block<5>(factor, x, out, size);
    }
  });
}

void HostPlace::dots(std::span<const Product> products, std::span<double> sums) {
  const std::size_t count = products.size(), size = count ? products[0].a.size() : 0;
  for (const Product& p : products)
    LITHE_INVARIANT(p.a.size() == size && p.b.size() == size && (!p.weight || p.weight->size() == size));
  const std::size_t blocks = (size + block_size - 1) / block_size;
  partial_.resize(std::max(partial_.size(), blocks * count));
  for_blocks(size, [&](int block, std::size_t first, std::size_t n) {
    for (std::size_t k = 0; k < count; ++k) {
      const double *a = products[k].a.address() + first, *b = products[k].b.address() + first;
      double& sum = partial_[block * count + k];
      if (const Array* weight = products[k].weight) {
        const double* w = weight->address() + first;
        sum = sum_block(n, [&](std::size_t i) { return w[i] * a[i] * b[i]; });
      } else {
        sum = sum_block(n, [&](std::size_t i) { return a[i] * b[i]; });
      }
    }
  });
  // Pairs of blocks, pairs of pairs, and so on.
  for (std::size_t stride = 1; stride < blocks; stride *= 2)
    for (std::size_t b = 0; b + stride < blocks; b += 2 * stride)
      for (std::size_t k = 0; k < count; ++k) partial_[b * count + k] += partial_[(b + stride) * count + k];
  for (std::size_t k = 0; k < count; ++k) sums[k] = blocks ? partial_[k] : 0;
}

double HostPlace::largest(const Array& x, const Array* beyond) {
  LITHE_INVARIANT(!beyond || beyond->size() == x.size());
  const double *a = x.address(), *b = beyond ? beyond->address() : nullptr;
  double found = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = b ? std::abs(a[i]) - b[i] : std::abs(a[i]);
    if (!(value <= found)) found = value;
    if (!std::isfinite(found)) return found;
  }
  return found;
}

// ---- the host's eyes ----

HostReading::HostReading(const Array& array, std::vector<double>& room) {
  if (array.empty() || array.place().on_host()) {
    numbers_ = array.host();
    return;
  }
  room.resize(array.size());
  array.place().download(array, room);
  numbers_ = room;
}

HostWriting::HostWriting(Array& array, std::vector<double>& room, Old old)
    : array_(array), exceptions_(std::uncaught_exceptions()) {
  if (array.empty() || array.place().on_host()) {
    numbers_ = array.host();
    return;
  }
  room.resize(array.size());
  if (old == Old::needed) array.place().download(array, room);
  numbers_ = room;
}

HostWriting::~HostWriting() noexcept(false) {
  if (array_.empty() || array_.place().on_host() || std::uncaught_exceptions() > exceptions_) return;
  array_.place().upload(numbers_, array_);
}

}  // namespace lithe
