// A place whose memory nobody but its own operations can touch: outside of them its pages are closed, and a look from
// the host ends the test program, as a look at a device's memory would. It counts what goes in and out.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <string_view>

#include "lithe/base/error.h"
#include "lithe/base/place.h"
#include "lithe/system/system.h"

namespace lithe::test {

class CheckedPlace final : public Place {
 public:
  CheckedPlace() : Place(false) {}
  const char* name() const override { return "checked"; }

  struct Counts {
    long long arrays = 0, uploads = 0, downloads = 0, operations = 0;
  } counts;

  double* allocate(std::size_t size) override {
    ++counts.arrays;
    void* memory = mmap(nullptr, bytes(size), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return static_cast<double*>(memory);
  }
  void release(double* address, std::size_t size) noexcept override { munmap(address, bytes(size)); }

  void upload(std::span<const double> from, Array& to) override {
    ++counts.uploads;
    const Open open(to);
    Array there = view(to);
    host_.upload(from, there);
  }
  void download(const Array& from, std::span<double> to) override {
    ++counts.downloads;
    const Open open(from);
    host_.download(view(from), to);
  }
  void fill(double value, Array& x) override {
    ++counts.operations;
    const Open open(x);
    Array there = view(x);
    host_.fill(value, there);
  }
  using Place::combine;
  void combine(std::span<const Term> terms, Array& y) override {
    ++counts.operations;
    LITHE_INVARIANT(!terms.empty() && terms.size() <= most_terms);
    const Term& last = terms.back();
    const auto at = [&](std::size_t k) -> const Array& { return k < terms.size() ? terms[k].x : last.x; };
    const Open a(at(0)), b(at(1)), c(at(2)), d(at(3)), e(at(4)), f(y);
    const Array x[] = {view(at(0)), view(at(1)), view(at(2)), view(at(3)), view(at(4))};
    const auto factor = [&](std::size_t k) { return k < terms.size() ? terms[k].factor : 0; };
    const Term mine[] = {{factor(0), x[0]}, {factor(1), x[1]}, {factor(2), x[2]}, {factor(3), x[3]}, {factor(4), x[4]}};
    Array out = view(y);
    host_.combine(std::span(mine, terms.size()), out);
  }
  void multiply(const Array& weight, const Array& x, Array& y) override {
    ++counts.operations;
    const Open a(weight), b(x), c(y);
    Array out = view(y);
    host_.multiply(view(weight), view(x), out);
  }
  void dots(std::span<const Product> products, std::span<double> sums) override {
    ++counts.operations;
    for (std::size_t k = 0; k < products.size(); ++k) {  // each by itself: the sums are the same
      const Product& p = products[k];
      const Open a(p.a), b(p.b), w(p.weight ? *p.weight : p.a);
      const Array there_a = view(p.a), there_b = view(p.b), weight = p.weight ? view(*p.weight) : Array();
      const Product mine{p.weight ? &weight : nullptr, there_a, there_b};
      host_.dots({&mine, 1}, sums.subspan(k, 1));
    }
  }
  double largest(const Array& x, const Array* beyond) override {
    ++counts.operations;
    const Open open(x), other(beyond ? *beyond : x);
    const Array bound = beyond ? view(*beyond) : Array();
    return host_.largest(view(x), beyond ? &bound : nullptr);
  }

 private:
  static std::size_t bytes(std::size_t size) {
    const std::size_t page = sysconf(_SC_PAGESIZE);
    return (size * sizeof(double) + page - 1) / page * page;
  }
  // Pages that are open while this lives. Arrays may be named twice: the first to close them closes them, after the
  // operation.
  class Open {
   public:
    explicit Open(const Array& array) : array_(array) { protect(PROT_READ | PROT_WRITE); }
    ~Open() { protect(PROT_NONE); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    // All pages it lies on: a part of an array need not begin with one.
    void protect(int how) {
      if (array_.empty()) return;
      const std::size_t page = sysconf(_SC_PAGESIZE), address = reinterpret_cast<std::size_t>(array_.address()),
                        first = address / page * page, end = address + array_.size() * sizeof(double);
      if (mprotect(reinterpret_cast<void*>(first), (end - first + page - 1) / page * page, how) != 0) std::abort();
    }
    const Array& array_;
  };
  Array view(const Array& array) { return Array::view(host_, {array.address(), array.size()}); }

  HostPlace host_;
};

// The place that LITHE_TEST_PLACE names, for tests that run in each of them; the host where it is not set.
inline void choose_place(Workspace& work) {
  const char* name = std::getenv("LITHE_TEST_PLACE");
  if (name && std::string_view(name) == "checked") work.place = std::make_unique<CheckedPlace>();
}

}  // namespace lithe::test
