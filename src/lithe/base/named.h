// An ordered list of named things; names are unique (a duplicate is an input error). A name is found through a map, so
// that a model of n parts is read and checked in a time that grows like n.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lithe/base/error.h"

namespace lithe {

// Positions of names. It is made by who adds names; who changes them otherwise makes it stale, which is noticed.
class NameIndex {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t size() const { return positions_.size(); }
  std::size_t find(std::string_view name) const {
    const auto found = positions_.find(name);
    return found == positions_.end() ? none : found->second;
  }
  void add(const std::string& name, std::size_t position) { positions_.emplace(name, position); }
  void clear() { positions_.clear(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> positions_;
};

template <class T>
struct Named {
  std::vector<std::pair<std::string, T>> items;
  std::vector<Where> where;  // parallel to items: where each was said

  // Place of a name among the items, or NameIndex::none. A name that is not there is looked for in all of them.
  std::size_t position(std::string_view name) const {
    if (indexed())
      if (const std::size_t i = index_.find(name); i < items.size() && items[i].first == name) return i;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (items[i].first == name) return i;
    return NameIndex::none;
  }
  T* find(std::string_view name) {
    const std::size_t i = position(name);
    return i == NameIndex::none ? nullptr : &items[i].second;
  }
  const T* find(std::string_view name) const { return const_cast<Named*>(this)->find(name); }
  T& add(const std::string& name, T value, Where place = {}) {
    if (is_known(name)) throw InputError(place, "the name '" + name + "' is used twice; names must be unique");
    items.emplace_back(name, std::move(value));
    where.push_back(std::move(place));
    if (items.size() > few) index_.add(name, items.size() - 1);
    return items.back().second;
  }
  void clear() {
    items.clear();
    where.clear();
    index_.clear();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& item : items) list.push_back(item.first);
    return list;
  }
  std::size_t size() const { return items.size(); }
  // Are names found through the map?
  bool indexed() const { return items.size() > few && index_.size() == items.size(); }

 private:
  static constexpr std::size_t few = 8;  // these are found faster without a map

  bool is_known(const std::string& name) {
    if (items.size() < few) return position(name) != NameIndex::none;
    if (index_.size() != items.size()) make_index();
    std::size_t i = index_.find(name);
    if (i < items.size() && items[i].first != name) {
      make_index();
      i = index_.find(name);
    }
    return i != NameIndex::none;
  }
  void make_index() {
    index_.clear();
    for (std::size_t i = 0; i < items.size(); ++i) index_.add(items[i].first, i);
  }

  NameIndex index_;
};

}  // namespace lithe
