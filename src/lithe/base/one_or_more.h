// A list in which one thing may stand for a list of it: `analysis: {...}` or `analysis: [{...}, {...}]`.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

namespace lithe {

template <class T>
struct OneOrMore {
  std::vector<T> items = std::vector<T>(1);

  OneOrMore() = default;
  template <class One, class = std::enable_if_t<std::is_convertible_v<One, T> &&
                                                !std::is_same_v<std::remove_cvref_t<One>, OneOrMore>>>
  OneOrMore(One&& one) : items{T(std::forward<One>(one))} {}
  OneOrMore(std::vector<T> all) : items(std::move(all)) {}

  std::size_t size() const { return items.size(); }
  T& operator[](std::size_t i) { return items[i]; }
  const T& operator[](std::size_t i) const { return items[i]; }
  T& front() { return items.front(); }
  const T& front() const { return items.front(); }
  T& back() { return items.back(); }
  const T& back() const { return items.back(); }
  auto begin() { return items.begin(); }
  auto begin() const { return items.begin(); }
  auto end() { return items.end(); }
  auto end() const { return items.end(); }
};

}  // namespace lithe
