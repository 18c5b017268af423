#include "lithe/linalg/ordering.h"

#include <amd.h>
#include <btf.h>
#include <colamd.h>
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

constexpr const char* names[] = {"automatic", "natural", "amd", "colamd", "metis", "mmd", "mmd_ata", "amf", "scotch"};

[[noreturn]] void out_of_memory(Ordering ordering) {
  throw RunError(std::string("the ordering '") + to_string(ordering) + "' ran out of memory");
}

// Indices of 32 bits and of 64, as SuiteSparse names them.
int order_amd(int n, const std::int32_t* start, const std::int32_t* row, std::int32_t* order) {
  return amd_order(n, start, row, order, nullptr, nullptr);
}
int order_amd(int n, const std::int64_t* start, const std::int64_t* row, std::int64_t* order) {
  return static_cast<int>(amd_l_order(n, start, row, order, nullptr, nullptr));
}
std::size_t room_of_colamd(std::int32_t nonzeros, int n) { return colamd_recommended(nonzeros, n, n); }
std::size_t room_of_colamd(std::int64_t nonzeros, int n) { return colamd_l_recommended(nonzeros, n, n); }
bool order_colamd(int n, std::int32_t room, std::int32_t* row, std::int32_t* start) {
  std::int32_t statistics[COLAMD_STATS];
  return colamd(n, n, room, row, start, nullptr, statistics);
}
bool order_colamd(int n, std::int64_t room, std::int64_t* row, std::int64_t* start) {
  std::int64_t statistics[COLAMD_STATS];
  return colamd_l(n, n, room, row, start, nullptr, statistics);
}
int match_rows(int n, std::int32_t* start, std::int32_t* row, std::int32_t* match, std::int32_t* work) {
  double done = 0;
  return btf_maxtrans(n, n, start, row, -1, &done, match, work);
}
int match_rows(int n, std::int64_t* start, std::int64_t* row, std::int64_t* match, std::int64_t* work) {
  double done = 0;
  return static_cast<int>(btf_l_maxtrans(n, n, start, row, -1, &done, match, work));
}

// Graph of A + A^T without its diagonal, as METIS wants it.
template <class Index>
void adjacency(const SparsePatternOf<Index>& full, std::vector<idx_t>& start, std::vector<idx_t>& neighbour) {
  const int n = full.size;
  std::vector<std::vector<idx_t>> lists(n);
  for (int j = 0; j < n; ++j)
    for (Index p = full.column_start[j]; p < full.column_start[j + 1]; ++p)
      if (const int i = static_cast<int>(full.row[p]); i != j) {
        lists[i].push_back(j);
        lists[j].push_back(i);
      }
  start.assign(1, 0);
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    if (neighbour.size() + list.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max()))
      throw RunError("the matrix has more entries than METIS counts in this build; use ordering 'amd'");
    neighbour.insert(neighbour.end(), list.begin(), list.end());
    start.push_back(static_cast<idx_t>(neighbour.size()));
  }
}

}  // namespace

const char* to_string(Ordering ordering) { return names[static_cast<int>(ordering)]; }

Ordering ordering_named(const std::string& name) {
  for (std::size_t k = 0; k < std::size(names); ++k)
    if (name == names[k]) return static_cast<Ordering>(k);
  throw InputError("ordering '" + name + "' is not known" + suggestion(name, {std::begin(names), std::end(names)}));
}

template <class Index>
std::vector<int> elimination_order_full(const SparsePatternOf<Index>& full, Ordering ordering) {
  const int n = full.size;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (ordering == Ordering::natural || n < 2) return order;
  switch (ordering) {
    case Ordering::amd: {
      std::vector<Index> found(n);
      if (order_amd(n, full.column_start.data(), full.row.data(), found.data()) < AMD_OK) out_of_memory(ordering);
      return {found.begin(), found.end()};
    }
    case Ordering::colamd: {
      const std::size_t room = room_of_colamd(static_cast<Index>(full.nonzeros()), n);
      if (room == 0) out_of_memory(ordering);
      std::vector<Index> rows(room), start = full.column_start;
      std::copy(full.row.begin(), full.row.end(), rows.begin());
      if (!order_colamd(n, static_cast<Index>(room), rows.data(), start.data())) out_of_memory(ordering);
      return {start.begin(), start.begin() + n};
    }
    case Ordering::metis: {
      std::vector<idx_t> start, neighbour, permutation(n), inverse(n);
      adjacency(full, start, neighbour);
      if (neighbour.empty()) return order;  // METIS needs an edge
      idx_t count = n;
      if (METIS_NodeND(&count, start.data(), neighbour.data(), nullptr, nullptr, permutation.data(), inverse.data()) !=
          METIS_OK)
        out_of_memory(ordering);
      return {permutation.begin(), permutation.end()};
    }
    default:
      LITHE_INVARIANT(!"an order that only a backend can make");
      return order;
  }
}
template std::vector<int> elimination_order_full(const SparsePattern&, Ordering);
template std::vector<int> elimination_order_full(const WideSparsePattern&, Ordering);

std::vector<int> elimination_order(const SparsePattern& pattern, Ordering ordering, std::int64_t narrow) {
  if (ordering == Ordering::natural || pattern.size < 2)
    return elimination_order_full(SparsePattern{pattern.size, {}, {}, false}, Ordering::natural);
  return with_full_pattern(pattern, narrow,
                           [&](const auto& full) { return elimination_order_full(full.pattern, ordering); });
}

int structural_rank(const SparsePattern& pattern, std::int64_t narrow) {
  return with_full_pattern(pattern, narrow, [&]<class Index>(FullPatternOf<Index> full) {
    std::vector<Index> match(pattern.size), work(5 * static_cast<std::size_t>(pattern.size));
    return match_rows(pattern.size, full.pattern.column_start.data(), full.pattern.row.data(), match.data(),
                      work.data());
  });
}

}  // namespace lithe
