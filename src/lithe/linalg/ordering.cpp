#include "lithe/linalg/ordering.h"

#include <amd.h>
#include <btf.h>
#include <colamd.h>
#include <metis.h>

#include <algorithm>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/full_pattern.h"

namespace lithe {

namespace {

constexpr const char* names[] = {"automatic", "natural", "amd", "colamd", "metis", "mmd", "mmd_ata", "amf", "scotch"};

[[noreturn]] void out_of_memory(Ordering ordering) {
  throw RunError(std::string("the ordering '") + to_string(ordering) + "' ran out of memory");
}

// Graph of A + A^T without its diagonal, as METIS wants it.
void adjacency(const SparsePattern& full, std::vector<idx_t>& start, std::vector<idx_t>& neighbour) {
  const int n = full.size;
  std::vector<std::vector<idx_t>> lists(n);
  for (int j = 0; j < n; ++j)
    for (int p = full.column_start[j]; p < full.column_start[j + 1]; ++p)
      if (const int i = full.row[p]; i != j) {
        lists[i].push_back(j);
        lists[j].push_back(i);
      }
  start.assign(1, 0);
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
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

std::vector<int> elimination_order(const SparsePattern& pattern, Ordering ordering) {
  const int n = pattern.size;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (ordering == Ordering::natural || n < 2) return order;
  const FullPattern expanded(pattern);
  const SparsePattern& full = expanded.pattern;
  switch (ordering) {
    case Ordering::amd:
      if (amd_order(n, full.column_start.data(), full.row.data(), order.data(), nullptr, nullptr) < AMD_OK)
        out_of_memory(ordering);
      return order;
    case Ordering::colamd: {
      const std::size_t room = colamd_recommended(static_cast<int>(full.nonzeros()), n, n);
      if (room == 0) out_of_memory(ordering);
      std::vector<int> rows(room), start(full.column_start.begin(), full.column_start.end());
      std::copy(full.row.begin(), full.row.end(), rows.begin());
      int statistics[COLAMD_STATS];
      if (!colamd(n, n, static_cast<int>(room), rows.data(), start.data(), nullptr, statistics))
        out_of_memory(ordering);
      start.resize(n);
      return start;
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

int structural_rank(const SparsePattern& pattern) {
  const int n = pattern.size;
  FullPattern full(pattern);
  std::vector<int> match(n), work(5 * static_cast<std::size_t>(n));
  double done = 0;
  return btf_maxtrans(n, n, full.pattern.column_start.data(), full.pattern.row.data(), -1, &done, match.data(),
                      work.data());
}

}  // namespace lithe
