// What Krylov methods see of vectors, matrix and preconditioner: a handful of operations. None of them knows where the
// vectors live. Sums of a space have a fixed tree, so that a method gives the same bits on any number of threads.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "lithe/base/place.h"

namespace lithe {

// y = sum of the terms, y may be one of them; several sums in one pass; y = A x; z = P^-1 r, a fixed linear map.
template <class Space>
concept VectorSpace = requires(Space space, const typename Space::Vector& x, typename Space::Vector& y,
                               std::span<const typename Space::Product> products, std::span<double> sums) {
  { space.make() } -> std::same_as<typename Space::Vector>;
  space.fill(0.0, y);
  space.copy(x, y);
  space.combine({typename Space::Term{1.0, x}}, y);
  space.dots(products, sums);
  space.apply(x, y);
  space.precondition(x, y);
};

// A linear map between arrays of one place.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  virtual void apply(const Array& x, Array& y) = 0;
};

// Arrays of a place, with the matrix and the preconditioner as maps; no preconditioner: the identity.
class PlaceSpace {
 public:
  using Vector = Array;
  using Term = lithe::Term;
  using Product = lithe::Product;
  PlaceSpace(Place& place, std::size_t size, LinearMap& matrix, LinearMap* preconditioner)
      : place_(place), size_(size), matrix_(matrix), preconditioner_(preconditioner) {}

  Array make() const { return Array(place_, size_); }
  std::size_t size() const { return size_; }
  void fill(double value, Array& x) const { place_.fill(value, x); }
  void copy(const Array& from, Array& to) const { place_.copy(from, to); }
  void combine(std::initializer_list<Term> terms, Array& y) const { place_.combine(terms, y); }
  void dots(std::span<const Product> products, std::span<double> sums) const { place_.dots(products, sums); }
  void apply(const Array& x, Array& y) const { matrix_.apply(x, y); }
  void precondition(const Array& r, Array& z) const {
    if (preconditioner_) preconditioner_->apply(r, z);
    else place_.copy(r, z);
  }

 private:
  Place& place_;
  std::size_t size_;
  LinearMap& matrix_;
  LinearMap* preconditioner_;
};

template <VectorSpace Space>
double dot(Space& space, const typename Space::Vector& a, const typename Space::Vector& b) {
  const typename Space::Product product{nullptr, a, b};
  double sum = 0;
  space.dots({&product, 1}, {&sum, 1});
  return sum;
}

// Vectors and numbers that methods work in, made when they are first needed and kept.
template <VectorSpace Space>
class KrylovRoom {
 public:
  typename Space::Vector& vector(Space& space, std::size_t k) {
    while (vectors_.size() <= k) vectors_.push_back(std::make_unique<typename Space::Vector>(space.make()));
    return *vectors_[k];
  }
  std::vector<double>& numbers(std::size_t k, std::size_t size) {
    if (numbers_[k].size() < size) numbers_[k].resize(size);
    return numbers_[k];
  }
  std::vector<typename Space::Product>& products() {
    products_.clear();
    return products_;
  }
  void clear() { vectors_.clear(); }

 private:
  std::vector<std::unique_ptr<typename Space::Vector>> vectors_;
  std::array<std::vector<double>, 5> numbers_;
  std::vector<typename Space::Product> products_;
};

}  // namespace lithe
