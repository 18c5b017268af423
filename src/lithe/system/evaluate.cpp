// Gather, evaluate, scatter: forces and the tangent, chunk by chunk.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "lithe/base/error.h"
#include "lithe/base/interrupt.h"
#include "lithe/system/loads.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/moments.h"
#include "lithe/system/packs.h"
#include "lithe/system/pattern.h"
#include "lithe/system/springs.h"
#include "lithe/system/system.h"
#include "lithe/system/temperature.h"

namespace lithe {

namespace {

// Where a thread keeps e, v, f, K and the kernel's own scratch of one pack.
struct PackBuffers {
  double *e, *v, *f, *K, *scratch;
  PackBuffers(const BatchKernel& kernel, double* memory) {
    const std::size_t vector = padded(3ul * kernel.vectors() * kernel.width());
    e = memory;
    v = e + vector;
    f = v + vector;
    K = f + vector;
    scratch = K + padded(9ul * tangent_blocks(kernel.vectors(), kernel.form()) * kernel.width());
  }
  static std::size_t doubles(const BatchKernel& kernel) {
    return 3 * padded(3ul * kernel.vectors() * kernel.width()) +
           padded(9ul * tangent_blocks(kernel.vectors(), kernel.form()) * kernel.width()) + kernel.scratch_doubles();
  }
};

// Adds one 3x3 block (stride W between its entries) at its place; `upper_only` for a diagonal block of a symmetric one.
void scatter_block(const System& system, int row, int column, std::int32_t offset, const double* k, int W,
                   bool transposed, bool upper_only, double* values) {
  const VectorUnknowns &r = system.map.unknowns[row], &c = system.map.unknowns[column];
  const std::int32_t* start = system.pattern.column_start.data() + c.first;
  if (r.count == 3 && c.count == 3 && r.basis < 0 && c.basis < 0 && !upper_only) {  // almost every block
    const int across = transposed ? 3 * W : W, down = transposed ? W : 3 * W;
    for (int j = 0; j < 3; ++j) {
      double* out = values + start[j] + offset;
      out[0] += k[j * across];
      out[1] += k[j * across + down];
      out[2] += k[j * across + 2 * down];
    }
    return;
  }
  if (r.count == 0 || c.count == 0) return;
  double B[3][3];
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) B[m][n] = k[(transposed ? 3 * n + m : 3 * m + n) * W];
  if (r.basis >= 0 || c.basis >= 0) {
    Mat3<double> X;
    std::memcpy(&X, B, sizeof B);
    if (r.basis >= 0) X = transpose(system.map.bases[r.basis]) * X;
    if (c.basis >= 0) X = X * system.map.bases[c.basis];
    std::memcpy(B, &X, sizeof B);
  }
  for (int j = 0; j < c.count; ++j) {
    double* out = values + start[j] + offset;
    const int rows = upper_only ? j + 1 : r.count;
    for (int i = 0; i < rows; ++i) out[i] += B[r.component[i]][c.component[j]];
  }
}

// A block between slaves, or between vectors of one element that share unknowns.
void spread(const System& system, int row, int column, const double* k, int W, bool packed, bool diagonal, bool upper,
            const TangentSink& sink) {
  Mat3<double> B;
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) B[m][n] = k[(3 * m + n) * W];
  if (system.symmetric && !packed && !upper && !diagonal) return;  // the mirror image comes from the upper block
  sink.add(row, column, B, diagonal);
  if (!system.symmetric && packed && !diagonal) sink.add(column, row, transpose(B), false);
}

// To a place in the matrix, or to a slot.
void scatter_to(const System& system, int row, int column, std::int32_t offset, const double* k, int W, bool transposed,
                bool upper_only, const TangentSink& sink) {
  if (offset > first_slot)
    return scatter_block(system, row, column, offset, k, W, transposed, upper_only, sink.values());
  double* to = sink.slots() + 9l * (first_slot - offset);
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) to[3 * m + n] += k[(transposed ? 3 * n + m : 3 * m + n) * W];
}

void scatter_tangent(const System& system, const Batch& batch, int pack, int lanes, const double* K,
                     const TangentSink& sink) {
  const int N = batch.kernel->vectors(), W = batch.kernel->width();
  const bool packed = batch.kernel->form() == TangentForm::symmetric;
  const int blocks = tangent_blocks(N, batch.kernel->form());
  const int sides = packed && !system.symmetric ? 2 : 1;
  const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(pack) * N * W];
  const std::int32_t* offsets = &batch.offsets[static_cast<std::size_t>(pack) * blocks * sides * W];
  int b = 0;
  for (int i = 0; i < N; ++i)
    for (int j = packed ? i : 0; j < N; ++j, ++b)
      for (int lane = 0; lane < lanes; ++lane) {
        const int row = vectors[i * W + lane], column = vectors[j * W + lane];
        const double* k = K + 9l * b * W + lane;
        const std::int32_t* offset = offsets + static_cast<std::size_t>(b) * sides * W + lane;
        if (offset[0] == spread_block) {
          spread(system, row, column, k, W, packed, i == j, i < j, sink);
          continue;
        }
        if (system.symmetric) {
          const bool swap = system.map.unknowns[row].first > system.map.unknowns[column].first;
          if (!packed && swap) continue;  // an exact kernel gives both triangles; one is kept
          scatter_to(system, swap ? column : row, swap ? row : column, offset[0], k, W, swap, i == j, sink);
        } else {
          scatter_to(system, row, column, offset[0], k, W, false, false, sink);
          if (packed && i != j) scatter_to(system, column, row, offset[W], k, W, true, false, sink);
        }
      }
}

constexpr int sums_at_once = 256;

// task(chunk, thread, sink) for all chunks, then the slots into the matrix.
template <class Task>
void add_blocks(const System& system, Workspace& work, double flops, double* values, Task&& task) {
  const Chunks& chunks = system.chunks;
  double* slots = work.block_slots.data();
  spread_over(*work.team, flops, chunks.count, [&](int chunk, int thread) {
    if (!chunks.shared.empty())
      std::fill(slots + 9l * chunks.block_slots.start[chunk], slots + 9l * chunks.block_slots.start[chunk + 1], 0.0);
    task(chunk, thread, TangentSink(system, chunk, values, slots));
  });
  const int sums = static_cast<int>(chunks.summed_pairs.size());
  spread_over(*work.team, flops, (sums + sums_at_once - 1) / sums_at_once, [&](int part, int) {
    for (int k = part * sums_at_once; k < std::min(sums, (part + 1) * sums_at_once); ++k) {
      Mat3<double> block{};
      for (const int* slot = chunks.block_sums.begin(k); slot != chunks.block_sums.end(k); ++slot)
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) block[m][n] += slots[9l * *slot + 3 * m + n];
      const auto [row, column] = chunks.summed_pairs[k];
      scatter_block(system, row, column, chunks.summed_at[k], &block[0][0], 1, false, system.symmetric && row == column,
                    values);
    }
  });
}

// The columns start with the mass of what has no kernel.
void clear_columns(const SparsePattern& pattern, const ColumnRange& range, double c_a, const std::vector<double>& mass,
                   std::vector<double>& values) {
  const std::size_t first = pattern.column_start[range.first], last = pattern.column_start[range.last];
  if (c_a == 0 || mass.empty()) return std::fill(values.begin() + first, values.begin() + last, 0.0);
  for (std::size_t k = first; k < last; ++k) values[k] = c_a * mass[k];
}

// K += c_a M: the mass of an element couples equal components alone.
void add_mass(const Batch& batch, int pack, int lanes, double c_a, double* K) {
  const int N = batch.kernel->vectors(), W = batch.kernel->width(), pairs = N * (N + 1) / 2;
  const bool packed = batch.kernel->form() == TangentForm::symmetric;
  for (int lane = 0; lane < lanes; ++lane) {
    const double* M = &batch.mass[static_cast<std::size_t>(pack * W + lane) * pairs];
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = i; j < N; ++j, ++k) {
        const double mass = c_a * M[k];
        double* block = K + 9l * (packed ? k : i * N + j) * W + lane;
        for (int m = 0; m < 3; ++m) block[4 * m * W] += mass;
        if (packed || i == j) continue;
        block = K + 9l * (j * N + i) * W + lane;
        for (int m = 0; m < 3; ++m) block[4 * m * W] += mass;
      }
  }
}

// f += eta K(q) v with K at rest; what force() saved for the tangent is of rest then.
void add_stiffness_damping(const Batch& batch, int pack, int lanes, const PackBuffers& buffer, double* saved,
                           double* damping) {
  const BatchKernel& kernel = *batch.kernel;
  const int N = kernel.vectors(), W = kernel.width();
  const bool packed = kernel.form() == TangentForm::symmetric;
  const std::size_t count = 3ul * N * W;
  std::fill(damping, damping + 2 * count, 0.0);
  double* rest = damping + count;
  kernel.force(pack, buffer.e, rest, buffer.f, saved, buffer.scratch);
  kernel.tangent(pack, buffer.e, rest, 1, 0, buffer.K, saved, buffer.scratch);
  int b = 0;
  for (int i = 0; i < N; ++i)
    for (int j = packed ? i : 0; j < N; ++j, ++b)
      for (int lane = 0; lane < lanes; ++lane) {
        const double* k = buffer.K + 9l * b * W + lane;
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) {
            damping[(3 * i + m) * W + lane] += batch.eta * k[(3 * m + n) * W] * buffer.v[(3 * j + n) * W + lane];
            if (packed && i != j)
              damping[(3 * j + n) * W + lane] += batch.eta * k[(3 * m + n) * W] * buffer.v[(3 * i + m) * W + lane];
          }
      }
}

}  // namespace

Workspace::Workspace(const System& system, int wanted)
    : team(std::make_unique<Team>(wanted > 0 ? wanted : std::max(1, int(std::thread::hardware_concurrency())))),
      place(std::make_unique<HostPlace>(team.get())) {
  internal.assign(3ul * system.vectors(), 0.0);
  external.assign(3ul * system.vectors(), 0.0);
  force_slots.resize(3 * system.chunks.force_slots.items.size());
  block_slots.resize(9 * system.chunks.block_slots.items.size());
  std::size_t saved_doubles = 0, scratch_doubles = 0, damping_doubles = 0;
  for (const Batch& batch : system.batches) {
    saved_start.push_back(saved_doubles);
    if (!batch.kernel) continue;
    saved_doubles += padded(batch.kernel->saved_doubles()) * batch.kernel->packs();
    scratch_doubles =
        std::max({scratch_doubles, PackBuffers::doubles(*batch.kernel), ProductBuffers::doubles(*batch.kernel)});
    if (batch.eta != 0)
      damping_doubles = std::max(damping_doubles, 6ul * batch.kernel->vectors() * batch.kernel->width());
  }
  saved.resize(saved_doubles);
  scratch.resize(threads());
  for (auto& s : scratch) s.resize(padded(scratch_doubles));
  damping.resize(threads());
  for (auto& d : damping) d.resize(padded(damping_doubles));
  mapped.resize(threads());
  for (auto& m : mapped) m.resize(mapped_room(system));
  // Mass of what has no kernel never changes: over the pattern once, then a vector sum (P4 section 4.1).
  for (const Batch& batch : system.batches) {
    if (batch.kernel) continue;
    if (system.bodies[batch.bodies.front()].mapped) continue;
    plain_mass.resize(system.pattern.nonzeros(), 0.0);
    const TangentSink sink(system, plain_mass.data());
    const int N = vector_count(batch.continuum.kind);
    for (int e = 0; e < batch.elements; ++e) {
      const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(e) * N];
      const double* M = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
      for (int i = 0, k = 0; i < N; ++i)
        for (int j = i; j < N; ++j, ++k) {
          Mat3<double> block{};
          for (int m = 0; m < 3; ++m) block[m][m] = M[k];
          sink.add(vectors[i], vectors[j], block, i == j);
          if (!system.symmetric && i != j) sink.add(vectors[j], vectors[i], block, false);
        }
    }
  }
}

void evaluate_internal(const System& system, const State& state, Workspace& work) {
  evaluate_unmapped_internal(system, state, work);
  if (!system.map.bodies.empty()) add_mapped_forces(system, state, work, MappedForces::all);
}

namespace {

// Forces of elements, those of springs with them where wanted.
void evaluate_own(const System& system, const State& state, Workspace& work, bool springs) {
  const Chunks& chunks = system.chunks;
  std::fill(work.internal.begin(), work.internal.end(), 0.0);
  add_forces(chunks, work, chunks.force_flops, work.internal, [&](int chunk, int thread, const ForceSink& sink) {
    for (const PackRange* range = chunks.packs.begin(chunk); range != chunks.packs.end(chunk); ++range) {
      const Batch& batch = system.batches[range->batch];
      const BatchKernel& kernel = *batch.kernel;
      const int N = kernel.vectors(), W = kernel.width();
      const PackBuffers buffer(kernel, work.scratch[thread].data());
      double* saved = work.saved.data() + work.saved_start[range->batch];
      for (int pack = range->first; pack < range->last; ++pack) {
        const std::size_t at = static_cast<std::size_t>(pack) * N * W;
        gather(&batch.connectivity[at], N, W, state.q.data(), buffer.e);
        gather(&batch.connectivity[at], N, W, state.v.data(), buffer.v);
        double* kept = saved + padded(kernel.saved_doubles()) * pack;
        double* damping = work.damping[thread].data();
        if (batch.eta != 0) add_stiffness_damping(batch, pack, lanes_of(batch, pack), buffer, kept, damping);
        kernel.force(pack, buffer.e, buffer.v, buffer.f, kept, buffer.scratch);
        for (int i = 0; batch.eta != 0 && i < 3 * N * W; ++i) buffer.f[i] += damping[i];
        if (batch.mass_damping != 0)
          add_mass_product(batch, pack, lanes_of(batch, pack), W, batch.mass_damping, buffer.v, buffer.f);
        const std::int32_t* targets = batch.targets.empty() ? &batch.connectivity[at] : &batch.targets[at];
        scatter(targets, N, W, lanes_of(batch, pack), buffer.f, work.internal.data(), work.force_slots.data());
      }
    }
    for (const int* s = chunks.springs.begin(chunk); springs && s != chunks.springs.end(chunk); ++s)
      add_spring_force(system.springs, *s, state, sink);
  });
  if (!work.saved.empty()) {
    work.saved_q = state.q;
    work.saved_v = state.v;
  }
}

}  // namespace

void evaluate_unmapped_internal(const System& system, const State& state, Workspace& work) {
  check_interrupt();
  evaluate_own(system, state, work, true);
}

void evaluate_elements(const System& system, const State& state, Workspace& work) {
  evaluate_own(system, state, work, false);
}

void evaluate_external(const System& system, const State& state, Workspace& work) {
  const Chunks& chunks = system.chunks;
  std::fill(work.external.begin(), work.external.end(), 0.0);
  add_forces(chunks, work, chunks.load_flops, work.external, [&](int chunk, int, const ForceSink& sink) {
    for (const int* m = chunks.moments.begin(chunk); m != chunks.moments.end(chunk); ++m)
      add_moment_force(system.moments, *m, state, sink);
    for (const int* side = chunks.pressure.begin(chunk); side != chunks.pressure.end(chunk); ++side)
      add_pressure_force(system.pressure_sides, *side, state, sink);
    for (const int* e = chunks.heated.begin(chunk); e != chunks.heated.end(chunk); ++e)
      add_thermal_force(system, system.heated[*e], state, sink);
    for (const int* s = chunks.springs.begin(chunk); s != chunks.springs.end(chunk); ++s)
      add_actuator_force(system.springs, *s, state, sink);
  });
  add_point_forces(system.forces, state, *work.team, work.external);
}

namespace {

// With or without what the kernels make.
void add_tangents(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                  std::vector<double>& values, double c_a, bool kernels) {
  const Chunks& chunks = system.chunks;
  values.resize(system.pattern.nonzeros());
  for (const ColumnRange& range : chunks.common_columns)
    clear_columns(system.pattern, range, c_a, work.plain_mass, values);
  const double flops = kernels ? chunks.tangent_flops : chunks.force_flops + chunks.load_flops;
  add_blocks(system, work, flops, values.data(), [&](int chunk, int thread, const TangentSink& sink) {
    for (const ColumnRange* range = chunks.columns.begin(chunk); range != chunks.columns.end(chunk); ++range)
      clear_columns(system.pattern, *range, c_a, work.plain_mass, values);
    for (const PackRange* range = chunks.packs.begin(chunk); kernels && range != chunks.packs.end(chunk); ++range) {
      const Batch& batch = system.batches[range->batch];
      const BatchKernel& kernel = *batch.kernel;
      const int N = kernel.vectors(), W = kernel.width();
      const PackBuffers buffer(kernel, work.scratch[thread].data());
      const double* saved = work.saved.data() + work.saved_start[range->batch];
      for (int pack = range->first; pack < range->last; ++pack) {
        const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(pack) * N * W];
        gather(vectors, N, W, state.q.data(), buffer.e);
        gather(vectors, N, W, state.v.data(), buffer.v);
        kernel.tangent(pack, buffer.e, buffer.v, c_q + c_v * batch.eta, c_v, buffer.K,
                       saved + padded(kernel.saved_doubles()) * pack, buffer.scratch);
        if (const double mass = c_a + c_v * batch.mass_damping; mass != 0)
          add_mass(batch, pack, lanes_of(batch, pack), mass, buffer.K);
        scatter_tangent(system, batch, pack, lanes_of(batch, pack), buffer.K, sink);
      }
    }
    for (const int* s = chunks.springs.begin(chunk); s != chunks.springs.end(chunk); ++s)
      if (!system.springs.is_mapped(*s)) add_spring_tangent(system, *s, state, c_q, c_v, sink);
    for (const int* m = chunks.moments.begin(chunk); m != chunks.moments.end(chunk); ++m)
      add_moment_tangent(system.moments, *m, state, c_q, sink);
    for (const int* side = chunks.pressure.begin(chunk); side != chunks.pressure.end(chunk); ++side)
      add_pressure_tangent(system, *side, state, c_q, sink);
    for (const int* e = chunks.heated.begin(chunk); e != chunks.heated.end(chunk); ++e)
      add_thermal_tangent(system, system.heated[*e], state, c_q, sink);
  });
}

}  // namespace

void evaluate_tangent(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                      std::vector<double>& values, double c_a) {
  // Strategies that reuse what force() left need it at this very state.
  if (!work.saved.empty() && (work.saved_q != state.q || work.saved_v != state.v))
    evaluate_internal(system, state, work);
  add_tangents(system, state, c_q, c_v, work, values, c_a, true);
}

void evaluate_other_tangent(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                            std::vector<double>& values, double c_a) {
  add_tangents(system, state, c_q, c_v, work, values, c_a, false);
}

void add_constraint_stiffness(const System& system, const State& state, double factor, std::span<const double> x,
                              Workspace& work, std::vector<double>& values) {
  const Chunks& chunks = system.chunks;
  add_blocks(system, work, chunks.row_flops, values.data(), [&](int chunk, int, const TangentSink& sink) {
    for (const int* r = chunks.rows.begin(chunk); r != chunks.rows.end(chunk); ++r)
      add_row_stiffness(system, *r, state, factor * x[*r], sink);
  });
}

}  // namespace lithe
