// Where vectors live. Algorithms (steppers, Newton, projections) touch their vectors through the few operations of a
// Place and never look at the numbers: on the host they are memory, on a device or on the ranks of a cluster they are
// not. Sums have a fixed tree: the same bits whatever the number of threads.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace lithe {

class Place;
class Team;

// Numbers in a place, zeros at first. Owns them, or is a view of memory of the host's.
class Array {
 public:
  Array() = default;
  Array(Place& place, std::size_t size);
  ~Array();
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept;
  // Of memory that others own, in a place on the host.
  static Array view(Place& place, std::span<double> numbers);
  // A view of some of its numbers, wherever they are.
  Array part(std::size_t first, std::size_t count);
  const Array part(std::size_t first, std::size_t count) const;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Place& place() const { return *place_; }
  void swap(Array& other) noexcept;
  // The numbers themselves, for those who are on the host too; elsewhere an internal error.
  std::span<const double> host() const;
  std::span<double> host();
  // For the place alone: an address there.
  double* address() const { return address_; }

 private:
  Place* place_ = nullptr;
  double* address_ = nullptr;
  std::size_t size_ = 0;
  bool owner_ = false;
};

struct Term {
  double factor;
  const Array& x;
};
struct Product {
  const Array* weight;  // null: 1
  const Array &a, &b;
};

class Place {
 public:
  virtual ~Place() = default;
  virtual const char* name() const = 0;
  bool on_host() const { return on_host_; }  // numbers are memory of this process, anybody's to read

  virtual double* allocate(std::size_t size) = 0;  // zeros
  virtual void release(double* address, std::size_t size) noexcept = 0;
  virtual void upload(std::span<const double> from, Array& to) = 0;
  virtual void download(const Array& from, std::span<double> to) = 0;

  virtual void fill(double value, Array& x) = 0;
  // y = sum of the terms, the last ones added first; y may be one of them. At most most_terms.
  virtual void combine(std::span<const Term> terms, Array& y) = 0;
  // y = weight x, entry by entry; y may be either.
  virtual void multiply(const Array& weight, const Array& x, Array& y) = 0;
  // sums[k] = sum of weight a b over all entries, all products in one pass.
  virtual void dots(std::span<const Product> products, std::span<double> sums) = 0;
  // Largest |x|, or |x| - beyond, of all entries, at least 0; not finite where one is not.
  virtual double largest(const Array& x, const Array* beyond = nullptr) = 0;

  static constexpr int most_terms = 5;
  void combine(std::initializer_list<Term> terms, Array& y) { combine(std::span(terms.begin(), terms.size()), y); }
  void copy(const Array& from, Array& to) { combine({{1, from}}, to); }
  double dot(const Array& a, const Array& b, const Array* weight = nullptr);

 protected:
  explicit Place(bool on_host) : on_host_(on_host) {}

 private:
  const bool on_host_;
};

// Memory and plain loops, on the threads of a team where there is one and vectors are long.
class HostPlace final : public Place {
 public:
  explicit HostPlace(Team* team = nullptr) : Place(true), team_(team) {}
  const char* name() const override { return "host"; }
  double* allocate(std::size_t size) override;
  void release(double* address, std::size_t size) noexcept override;
  void upload(std::span<const double> from, Array& to) override;
  void download(const Array& from, std::span<double> to) override;
  using Place::combine;
  void fill(double value, Array& x) override;
  void combine(std::span<const Term> terms, Array& y) override;
  void multiply(const Array& weight, const Array& x, Array& y) override;
  void dots(std::span<const Product> products, std::span<double> sums) override;
  double largest(const Array& x, const Array* beyond) override;

 private:
  template <class Function>
  void for_blocks(std::size_t size, Function&& function);

  Team* team_;
  std::vector<double> partial_;  // of dots: [block][product]
};

// An array as the host sees it: itself where it is there, else a copy in `room`, which must be the reader's alone.
class HostReading {
 public:
  HostReading(const Array& array, std::vector<double>& room) : numbers_(array.address(), array.size()) {
    if (!array.empty() && !array.place().on_host()) bring(array, room);
  }
  operator std::span<const double>() const { return numbers_; }
  double operator[](std::size_t i) const { return numbers_[i]; }

 private:
  void bring(const Array& array, std::vector<double>& room);

  std::span<const double> numbers_;
};

// The same to write to; what was written arrives when this ends. With `blank` the old numbers do not matter.
class HostWriting {
 public:
  enum class Old { needed, blank };
  HostWriting(Array& array, std::vector<double>& room, Old old = Old::needed)
      : numbers_(array.address(), array.size()) {
    if (!array.empty() && !array.place().on_host()) bring(array, room, old);
  }
  ~HostWriting() noexcept(false) {
    if (away_) send();
  }
  HostWriting(const HostWriting&) = delete;
  HostWriting& operator=(const HostWriting&) = delete;
  operator std::span<double>() const { return numbers_; }
  double& operator[](std::size_t i) const { return numbers_[i]; }

 private:
  void bring(Array& array, std::vector<double>& room, Old old);
  void send();

  Array* away_ = nullptr;  // where the numbers go
  std::span<double> numbers_;
  int exceptions_ = 0;
};

}  // namespace lithe
