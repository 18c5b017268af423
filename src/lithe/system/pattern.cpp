#include "lithe/system/pattern.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/springs.h"

namespace lithe {

void connect(const System& system, Batch& batch) {
  const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
  const int packs = batch.kernel ? batch.kernel->packs() : batch.elements;
  LITHE_INVARIANT(packs * W >= batch.elements);
  batch.connectivity.resize(static_cast<std::size_t>(packs) * N * W);
  int e = 0;
  const auto set = [&](int at, const BodyInfo& body, int own) {
    for (int i = 0; i < N; ++i)
      batch.connectivity[(static_cast<std::size_t>(at / W) * N + i) * W + at % W] = body.element_vector(own, i);
  };
  for (int b : batch.bodies)
    for (int own = 0; own < system.bodies[b].elements(); ++own) set(e++, system.bodies[b], own);
  const BodyInfo& last = system.bodies[batch.bodies.back()];
  for (; e < packs * W; ++e) set(e, last, last.elements() - 1);  // padding
}

// G over the unknowns: which entries each row has, and which terms add up in them.
void build_jacobian(System& system) {
  ConstraintJacobian& G = system.jacobian;
  G = {};
  G.row_start = {0};
  G.term_start = {0};
  const Forms& forms = system.rows.parts.arguments;
  for (int r = 0; r < system.row_count(); ++r) {
    const PartView part = system.rows.parts[r];
    const int first = system.rows.parts.argument_start[r];
    struct Raw {
      int argument, vector, element;
      double weight;
    };
    std::vector<Raw> raw;
    const auto add = [&](int argument, int vector, int element, double weight) {
      for_masters(system, vector, [&](int v, double share) {
        if (system.map.moved_by(v).count > 0) raw.push_back({argument, v, element, share * weight});
      });
    };
    for (int i = 0; i < part.count(); ++i)
      for (int k = forms.start[first + i]; k < forms.start[first + i + 1]; ++k)
        add(i, forms.vector[k], -1, forms.weight[k]);
    const bool on_track = system.rows.parts.track[r] >= 0;
    for (int e = 0; on_track && e < system.rows.parts.elements(r); ++e)
      for (int k = 0; k < 4; ++k) add(2 + k, system.rows.parts.element_vectors(r, e)[k], e, 1);
    std::vector<int> free;
    struct Moving {  // numbers of a mapped body
      int first, count;
      std::int32_t entry;
    };
    std::vector<Moving> moving;
    for (const Raw& t : raw) {
      if (system.map.body_of(t.vector) < 0) {
        free.push_back(t.vector);
        continue;
      }
      const BodyMap::Range range = system.map.moved_by(t.vector);
      if (std::ranges::none_of(moving, [&](const Moving& m) { return m.first == range.first; }))
        moving.push_back({range.first, range.count, 0});
    }
    std::ranges::sort(moving, {}, &Moving::first);
    std::sort(free.begin(), free.end());
    free.erase(std::unique(free.begin(), free.end()), free.end());
    std::vector<std::array<std::int32_t, 3>> entry;
    for (int v : free) {
      const VectorUnknowns& u = system.map.unknowns[v];
      // A row along an axis touches one component; entries that are zero for ever stay out of the matrix.
      Vec3<double> along{{1, 1, 1}};
      if (part.is_linear() || on_track) {
        const bool coordinate = on_track && v == forms.vector[forms.start[first + 1]];
        along = coordinate ? Vec3<double>{{1, 0, 0}} : part.along;
        if (u.basis >= 0) along = transpose(system.map.bases[u.basis]) * along;
      }
      auto& places = entry.emplace_back(std::array<std::int32_t, 3>{-1, -1, -1});
      for (int c = 0; c < u.count; ++c)
        if (std::abs(along[u.component[c]]) > 1e-14) {
          places[c] = static_cast<std::int32_t>(G.column.size());
          G.column.push_back(u.first + c);
        }
    }
    for (Moving& m : moving) {
      m.entry = static_cast<std::int32_t>(G.column.size());
      for (int c = 0; c < m.count; ++c) G.column.push_back(m.first + c);
    }
    for (const Raw& t : raw) {
      if (system.map.body_of(t.vector) >= 0) {
        const auto m = std::ranges::find(moving, system.map.moved_by(t.vector).first, &Moving::first);
        G.terms.push_back({t.argument, t.vector, t.element, {m->entry, -1, -1}, t.weight});
        continue;
      }
      const auto& e = entry[std::lower_bound(free.begin(), free.end(), t.vector) - free.begin()];
      G.terms.push_back({t.argument, t.vector, t.element, {e[0], e[1], e[2]}, t.weight});
    }
    G.row_start.push_back(static_cast<std::int32_t>(G.column.size()));
    G.term_start.push_back(static_cast<std::int32_t>(G.terms.size()));
  }
}

namespace {

// Where G and its transpose sit in the matrix.
void place_borders(System& system) {
  ConstraintJacobian& G = system.jacobian;
  if (!system.has_multipliers()) return;
  G.upper.resize(G.column.size());
  if (!system.symmetric) G.lower.resize(G.column.size());
  const SparsePattern& pattern = system.pattern;
  for (int r = 0; r < system.row_count(); ++r)
    for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) {
      G.upper[e] = pattern.column_start[system.map.size + r] + e - G.row_start[r];
      if (system.symmetric) continue;
      const auto begin = pattern.row.begin() + pattern.column_start[G.column[e]],
                 end = pattern.row.begin() + pattern.column_start[G.column[e] + 1];
      G.lower[e] = static_cast<std::int32_t>(std::lower_bound(begin, end, system.map.size + r) - pattern.row.begin());
    }
}

// For each vector the vectors it shares an element with, ascending, itself included.
struct Neighbours {
  std::vector<std::size_t> start;
  std::vector<std::int32_t> list;
};

Neighbours find_neighbours(const System& system) {
  const int vectors = system.vectors();
  // Groups of vectors that are coupled: elements, rows of constraints, springs, moments; slaves count as their masters.
  std::vector<std::size_t> group_start{0};
  std::vector<std::int32_t> members;
  const auto end_group = [&] {
    const auto first = members.begin() + static_cast<std::ptrdiff_t>(group_start.back());
    std::sort(first, members.end());
    members.erase(std::unique(first, members.end()), members.end());
    group_start.push_back(members.size());
  };
  const auto add = [&](int vector) { for_masters(system, vector, [&](int v, double) { members.push_back(v); }); };
  for (const Batch& batch : system.batches) {
    const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
    for (int e = 0; e < batch.elements; ++e) {
      const std::int32_t* c = &batch.connectivity[static_cast<std::size_t>(e / W) * N * W + e % W];
      for (int i = 0; i < N; ++i) add(c[i * W]);
      end_group();
    }
  }
  for (int r = 0; r < system.row_count(); ++r) {
    if (system.rows.parts[r].is_linear() && system.has_multipliers()) continue;  // no stiffness: borders alone
    const Parts& parts = system.rows.parts;
    if (parts.track[r] >= 0 && system.has_multipliers()) {  // its place on the line with every element, one at a time
      for (int e = 0; e < parts.elements(r); ++e) {
        const Parts::Terms place = parts.terms(r, 1, e);
        for (int k = 0; k < place.count; ++k) add(place.vector[k]);
        for (int k = 0; k < 4; ++k) add(parts.element_vectors(r, e)[k]);
        end_group();
      }
      continue;
    }
    parts.for_vectors(r, add);
    end_group();
  }
  for (int s = 0; s < system.springs.count(); ++s) {
    system.springs.for_vectors(s, add);
    end_group();
  }
  const std::size_t groups = group_start.size() - 1;
  std::vector<std::size_t> count(vectors + 1, 0);
  for (std::int32_t v : members) ++count[v + 1];
  for (int v = 0; v < vectors; ++v) count[v + 1] += count[v];
  std::vector<std::int32_t> groups_of(members.size());
  std::vector<std::size_t> next(count.begin(), count.end() - 1);
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t k = group_start[g]; k < group_start[g + 1]; ++k)
      groups_of[next[members[k]]++] = static_cast<std::int32_t>(g);
  Neighbours neighbours;
  neighbours.start.assign(vectors + 1, 0);
  std::vector<std::int32_t> gathered;
  for (int v = 0; v < vectors; ++v) {
    gathered.clear();
    for (std::size_t r = count[v]; r < count[v + 1]; ++r)
      gathered.insert(gathered.end(), members.begin() + static_cast<std::ptrdiff_t>(group_start[groups_of[r]]),
                      members.begin() + static_cast<std::ptrdiff_t>(group_start[groups_of[r] + 1]));
    if (system.map.representative[v] == v) gathered.push_back(v);  // massless, unconnected: the diagonal is there
    std::sort(gathered.begin(), gathered.end());
    gathered.erase(std::unique(gathered.begin(), gathered.end()), gathered.end());
    neighbours.list.insert(neighbours.list.end(), gathered.begin(), gathered.end());
    neighbours.start[v + 1] = neighbours.list.size();
  }
  return neighbours;
}

}  // namespace

std::int32_t block_offset(const System& system, int row_vector, int column_vector) {
  const SparsePattern& pattern = system.pattern;
  const VectorUnknowns &row = system.map.unknowns[row_vector], &column = system.map.unknowns[column_vector];
  if (row.count == 0 || column.count == 0) return -1;
  const auto begin = pattern.row.begin() + pattern.column_start[column.first];
  const auto end = pattern.row.begin() + pattern.column_start[column.first + 1];
  const auto found = std::lower_bound(begin, end, row.first);
  LITHE_INVARIANT(found != end && *found == row.first);
  return static_cast<std::int32_t>(found - begin);
}

void build_pattern(System& system) {
  const bool pressure_symmetric = system.pressure_sides.count() == 0 || system.model.tangent == TangentForm::symmetric;
  system.symmetric = system.moments.count() == 0 && pressure_symmetric && springs_symmetric(system) &&
                     contacts_symmetric(system.model);
  for (const Batch& batch : system.batches) {
    if (!batch.kernel) continue;
    double tau = batch.cable.tau;
    for (const Law& law : batch.continuum.laws) tau = std::max(tau, law.tau);
    for (const SectionLaw& law : batch.continuum.section) tau = std::max(tau, law.tau);
    if (batch.kernel->form() == TangentForm::exact && tau > 0) system.symmetric = false;
  }
  const Neighbours neighbours = find_neighbours(system);
  build_jacobian(system);
  const ConstraintJacobian& G = system.jacobian;
  const int multipliers = system.has_multipliers() ? system.row_count() : 0;
  std::vector<std::vector<std::int32_t>> rows_of(multipliers && !system.symmetric ? system.map.size : 0);
  if (!rows_of.empty())
    for (int r = 0; r < multipliers; ++r)
      for (int e = G.row_start[r]; e < G.row_start[r + 1]; ++e) rows_of[G.column[e]].push_back(r);
  SparsePattern& pattern = system.pattern;
  pattern.size = system.map.size + multipliers;
  pattern.symmetric = system.symmetric;
  pattern.column_start.assign(pattern.size + 1, 0);
  pattern.row.clear();
  std::size_t nonzeros = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      require(nonzeros < 2147483647u, "the tangent has " + std::to_string(nonzeros) +
                                          " nonzeros, more than a 32-bit index holds; split the model");
      pattern.row.reserve(nonzeros);
    }
    for (int v = 0; v < system.vectors(); ++v) {
      if (system.map.representative[v] != v) continue;
      const VectorUnknowns& column = system.map.unknowns[v];
      for (int c = 0; c < column.count; ++c) {
        for (std::size_t k = neighbours.start[v]; k < neighbours.start[v + 1]; ++k) {
          const int other = neighbours.list[k];
          if (system.symmetric && other > v) break;
          const int rows = system.symmetric && other == v ? c + 1 : system.map.unknowns[other].count;
          if (pass == 0) nonzeros += rows;
          else
            for (int r = 0; r < rows; ++r) pattern.row.push_back(system.map.unknowns[other].first + r);
        }
        if (!rows_of.empty()) {
          const auto& below = rows_of[column.first + c];
          if (pass == 0) nonzeros += below.size();
          else
            for (std::int32_t r : below) pattern.row.push_back(system.map.size + r);
        }
        if (pass == 1) pattern.column_start[column.first + c + 1] = static_cast<std::int32_t>(pattern.row.size());
      }
    }
    for (int c = system.map.own_unknowns(); pass == 1 && c < system.map.size; ++c)  // mapped bodies: not assembled
      pattern.column_start[c + 1] = static_cast<std::int32_t>(pattern.row.size());
    for (int r = 0; r < multipliers; ++r) {
      if (pass == 0) nonzeros += G.row_start[r + 1] - G.row_start[r];
      else {
        pattern.row.insert(pattern.row.end(), G.column.begin() + G.row_start[r], G.column.begin() + G.row_start[r + 1]);
        pattern.column_start[system.map.size + r + 1] = static_cast<std::int32_t>(pattern.row.size());
      }
    }
  }
  place_borders(system);
}

}  // namespace lithe
