#include "lithe/system/pattern.h"

#include <algorithm>
#include <bit>

#include "lithe/base/error.h"

namespace lithe {

void connect(const BodyInfo& body, Batch& batch) {
  const ElementInfo& element = element_info(body.kind);
  const int N = batch.kernel->vectors(), W = batch.kernel->width(), packs = batch.kernel->packs();
  LITHE_INVARIANT(packs * W >= batch.elements);
  batch.connectivity.resize(static_cast<std::size_t>(packs) * N * W);
  for (int p = 0; p < packs; ++p)
    for (int lane = 0; lane < W; ++lane) {
      const int e = std::min(p * W + lane, batch.elements - 1);
      for (int i = 0; i < N; ++i) {
        const int node = body.mesh.elements[static_cast<std::size_t>(e) * element.nodes + i / element.node_vectors];
        batch.connectivity[(static_cast<std::size_t>(p) * N + i) * W + lane] =
            body.vector(node, i % element.node_vectors);
      }
    }
  // Greedy colouring; 64 colours are far more than any mesh of packs needs.
  std::vector<std::uint64_t> used(static_cast<std::size_t>(body.mesh.node_count()) * body.node_vectors, 0);
  std::vector<int> colour(packs);
  int colours = 0;
  for (int p = 0; p < packs; ++p) {
    const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(p) * N * W];
    std::uint64_t taken = 0;
    for (int k = 0; k < N * W; ++k) taken |= used[vectors[k] - body.first_vector];
    LITHE_INVARIANT(~taken != 0);
    colour[p] = std::countr_one(taken);
    colours = std::max(colours, colour[p] + 1);
    for (int k = 0; k < N * W; ++k) used[vectors[k] - body.first_vector] |= std::uint64_t{1} << colour[p];
  }
  batch.colour_start.assign(colours + 1, 0);
  for (int c : colour) ++batch.colour_start[c + 1];
  for (int c = 0; c < colours; ++c) batch.colour_start[c + 1] += batch.colour_start[c];
  batch.colour_packs.resize(packs);
  std::vector<int> next(batch.colour_start.begin(), batch.colour_start.end() - 1);
  for (int p = 0; p < packs; ++p) batch.colour_packs[next[colour[p]]++] = p;
}

namespace {

// For each vector the vectors it shares an element with, ascending, itself included.
struct Neighbours {
  std::vector<std::size_t> start;
  std::vector<std::int32_t> list;
};

Neighbours find_neighbours(const System& system) {
  const int vectors = system.vectors();
  // Elements that touch each vector: (batch, pack lane) pairs flattened as rows of connectivity.
  std::vector<std::size_t> count(vectors + 1, 0);
  auto each_element = [&](auto&& function) {
    for (const Batch& batch : system.batches) {
      const int N = batch.kernel->vectors(), W = batch.kernel->width();
      for (int e = 0; e < batch.elements; ++e)
        function(&batch.connectivity[static_cast<std::size_t>(e / W) * N * W + e % W], N, W);
    }
  };
  each_element([&](const std::int32_t* c, int N, int W) {
    for (int i = 0; i < N; ++i) ++count[c[i * W] + 1];
  });
  for (int v = 0; v < vectors; ++v) count[v + 1] += count[v];
  struct Row {
    const std::int32_t* c;
    std::int32_t N, W;
  };
  std::vector<Row> rows(count.back());
  std::vector<std::size_t> next(count.begin(), count.end() - 1);
  each_element([&](const std::int32_t* c, int N, int W) {
    for (int i = 0; i < N; ++i) rows[next[c[i * W]]++] = {c, N, W};
  });
  Neighbours neighbours;
  neighbours.start.assign(vectors + 1, 0);
  std::vector<std::int32_t> gathered;
  for (int v = 0; v < vectors; ++v) {
    gathered.clear();
    for (std::size_t r = count[v]; r < count[v + 1]; ++r)
      for (int i = 0; i < rows[r].N; ++i) gathered.push_back(rows[r].c[i * rows[r].W]);
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
  const VectorUnknowns &row = system.unknowns[row_vector], &column = system.unknowns[column_vector];
  if (row.count == 0 || column.count == 0) return -1;
  const auto begin = pattern.row.begin() + pattern.column_start[column.first];
  const auto end = pattern.row.begin() + pattern.column_start[column.first + 1];
  const auto found = std::lower_bound(begin, end, row.first);
  LITHE_INVARIANT(found != end && *found == row.first);
  return static_cast<std::int32_t>(found - begin);
}

void build_pattern(System& system) {
  system.symmetric = system.moments.empty() && system.pressure_sides.empty();
  for (const Batch& batch : system.batches) {
    double tau = batch.cable.tau;
    for (const Law& law : batch.continuum.laws) tau = std::max(tau, law.tau);
    if (batch.kernel->form() == TangentForm::exact && tau > 0) system.symmetric = false;
  }
  const Neighbours neighbours = find_neighbours(system);
  SparsePattern& pattern = system.pattern;
  pattern.size = system.size;
  pattern.symmetric = system.symmetric;
  pattern.column_start.assign(system.size + 1, 0);
  std::size_t nonzeros = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) {
      require(nonzeros < 2147483647u, "the tangent has " + std::to_string(nonzeros) +
                                          " nonzeros, more than a 32-bit index holds; split the model");
      pattern.row.reserve(nonzeros);
    }
    for (int v = 0; v < system.vectors(); ++v) {
      const VectorUnknowns& column = system.unknowns[v];
      for (int c = 0; c < column.count; ++c) {
        for (std::size_t k = neighbours.start[v]; k < neighbours.start[v + 1]; ++k) {
          const int other = neighbours.list[k];
          if (system.symmetric && other > v) break;
          const int rows = system.symmetric && other == v ? c + 1 : system.unknowns[other].count;
          if (pass == 0) nonzeros += rows;
          else
            for (int r = 0; r < rows; ++r) pattern.row.push_back(system.unknowns[other].first + r);
        }
        if (pass == 1) pattern.column_start[column.first + c + 1] = static_cast<std::int32_t>(pattern.row.size());
      }
    }
  }
  for (Batch& batch : system.batches) {
    const int N = batch.kernel->vectors(), W = batch.kernel->width(), packs = batch.kernel->packs();
    const bool packed = batch.kernel->form() == TangentForm::symmetric;
    const int blocks = tangent_blocks(N, batch.kernel->form());
    const int sides = packed && !system.symmetric ? 2 : 1;  // both triangles from one block
    batch.offsets.resize(static_cast<std::size_t>(packs) * blocks * sides * W);
    for (int p = 0; p < packs; ++p)
      for (int lane = 0; lane < W; ++lane) {
        const std::int32_t* c = &batch.connectivity[static_cast<std::size_t>(p) * N * W + lane];
        std::int32_t* out = &batch.offsets[static_cast<std::size_t>(p) * blocks * sides * W + lane];
        int b = 0;
        for (int i = 0; i < N; ++i)
          for (int j = packed ? i : 0; j < N; ++j, ++b) {
            int row = c[i * W], column = c[j * W];
            if (system.symmetric && row > column) std::swap(row, column);
            out[b * sides * W] = block_offset(system, row, column);
            if (sides == 2) out[(b * sides + 1) * W] = block_offset(system, column, row);
          }
      }
  }
}

}  // namespace lithe
