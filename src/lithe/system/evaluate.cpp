// Gather, evaluate, scatter: internal forces and the tangent over all packs, colour by colour.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "lithe/base/error.h"
#include "lithe/base/interrupt.h"
#include "lithe/linalg/shared_pattern.h"
#include "lithe/system/loads.h"
#include "lithe/system/pattern.h"
#include "lithe/system/springs.h"
#include "lithe/system/system.h"

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

void gather(const std::int32_t* vectors, int count, int W, const double* q, double* e) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < W; ++lane) {
      const double* x = q + 3 * static_cast<std::size_t>(vectors[i * W + lane]);
      for (int m = 0; m < 3; ++m) e[(3 * i + m) * W + lane] = x[m];
    }
}

void scatter(const std::int32_t* vectors, int count, int W, int lanes, const double* f, double* out) {
  for (int i = 0; i < count; ++i)
    for (int lane = 0; lane < lanes; ++lane) {
      double* x = out + 3 * static_cast<std::size_t>(vectors[i * W + lane]);
      for (int m = 0; m < 3; ++m) x[m] += f[(3 * i + m) * W + lane];
    }
}

// Adds one 3x3 block (stride W between its entries) at its place; `upper_only` for a diagonal block of a symmetric one.
void scatter_block(const System& system, int row, int column, std::int32_t offset, const double* k, int W,
                   bool transposed, bool upper_only, double* values) {
  const VectorUnknowns &r = system.unknowns[row], &c = system.unknowns[column];
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
    if (r.basis >= 0) X = transpose(system.bases[r.basis]) * X;
    if (c.basis >= 0) X = X * system.bases[c.basis];
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
            double* values) {
  Mat3<double> B;
  for (int m = 0; m < 3; ++m)
    for (int n = 0; n < 3; ++n) B[m][n] = k[(3 * m + n) * W];
  if (system.symmetric && !packed && !upper && !diagonal) return;  // the mirror image comes from the upper block
  add_block_at(system, row, column, B, diagonal, values);
  if (!system.symmetric && packed && !diagonal) add_block_at(system, column, row, transpose(B), false, values);
}

void scatter_tangent(const System& system, const Batch& batch, int pack, int lanes, const double* K, double* values) {
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
          spread(system, row, column, k, W, packed, i == j, i < j, values);
          continue;
        }
        if (system.symmetric) {
          const bool swap = system.unknowns[row].first > system.unknowns[column].first;
          if (!packed && swap) continue;  // an exact kernel gives both triangles; one is kept
          scatter_block(system, swap ? column : row, swap ? row : column, offset[0], k, W, swap, i == j, values);
        } else {
          scatter_block(system, row, column, offset[0], k, W, false, false, values);
          if (packed && i != j) scatter_block(system, column, row, offset[W], k, W, true, false, values);
        }
      }
}

// Runs function(pack, thread) over all packs; packs of one colour in parallel. Waking threads costs some microseconds
// per colour, so little work (flops per element times elements) stays on one.
template <class Function>
void for_packs(const Batch& batch, int threads, double flops, Function function) {
  const int colours = static_cast<int>(batch.colour_start.size()) - 1;
  if (threads == 1 || flops * batch.elements < 1e6 * colours) {
    for (int pack : batch.colour_packs) function(pack, 0);
    return;
  }
#pragma omp parallel num_threads(threads)
  for (int c = 0; c < colours; ++c) {
#pragma omp for schedule(static)
    for (int k = batch.colour_start[c]; k < batch.colour_start[c + 1]; ++k)
      function(batch.colour_packs[k], omp_get_thread_num());
  }
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

int lanes_of(const Batch& batch, int pack) {
  return std::min(batch.kernel->width(), batch.elements - pack * batch.kernel->width());
}

}  // namespace

Workspace::Workspace(const System& system, int wanted) {
  threads = wanted > 0 ? wanted : omp_get_max_threads();
  internal.assign(3ul * system.vectors(), 0.0);
  external.assign(3ul * system.vectors(), 0.0);
  std::size_t saved_doubles = 0, scratch_doubles = 0;
  for (const Batch& batch : system.batches) {
    saved_start.push_back(saved_doubles);
    if (!batch.kernel) continue;
    saved_doubles += padded(batch.kernel->saved_doubles()) * batch.kernel->packs();
    scratch_doubles = std::max(scratch_doubles, PackBuffers::doubles(*batch.kernel));
  }
  saved.resize(saved_doubles);
  scratch.resize(threads);
  for (auto& s : scratch) s.resize(padded(scratch_doubles));
  // Mass of what has no kernel never changes: over the pattern once, then a vector sum (P4 section 4.1).
  for (const Batch& batch : system.batches) {
    if (batch.kernel) continue;
    plain_mass.resize(system.pattern.nonzeros(), 0.0);
    const int N = vector_count(batch.continuum.kind);
    for (int e = 0; e < batch.elements; ++e) {
      const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(e) * N];
      const double* M = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
      for (int i = 0, k = 0; i < N; ++i)
        for (int j = i; j < N; ++j, ++k) {
          Mat3<double> block{};
          for (int m = 0; m < 3; ++m) block[m][m] = M[k];
          add_block_at(system, vectors[i], vectors[j], block, i == j, plain_mass.data());
          if (!system.symmetric && i != j)
            add_block_at(system, vectors[j], vectors[i], block, false, plain_mass.data());
        }
    }
  }
}

void evaluate_internal(const System& system, const State& state, Workspace& work) {
  check_interrupt();
  std::fill(work.internal.begin(), work.internal.end(), 0.0);
  for (std::size_t b = 0; b < system.batches.size(); ++b) {
    const Batch& batch = system.batches[b];
    if (!batch.kernel) continue;
    const BatchKernel& kernel = *batch.kernel;
    const int N = kernel.vectors(), W = kernel.width();
    for_packs(batch, work.threads, kernel.force_flops(), [&](int pack, int thread) {
      const PackBuffers buffer(kernel, work.scratch[thread].data());
      const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(pack) * N * W];
      gather(vectors, N, W, state.q.data(), buffer.e);
      gather(vectors, N, W, state.v.data(), buffer.v);
      double* saved = work.saved.data() + work.saved_start[b] + padded(kernel.saved_doubles()) * pack;
      kernel.force(pack, buffer.e, buffer.v, buffer.f, saved, buffer.scratch);
      scatter(vectors, N, W, lanes_of(batch, pack), buffer.f, work.internal.data());
    });
  }
  add_spring_forces(system, state, work.internal);
  if (!work.saved.empty()) {
    work.saved_q = state.q;
    work.saved_v = state.v;
  }
}

void evaluate_tangent(const System& system, const State& state, double c_q, double c_v, Workspace& work,
                      std::vector<double>& values, double c_a) {
  // Strategies that reuse what force() left need it at this very state.
  if (!work.saved.empty() && (work.saved_q != state.q || work.saved_v != state.v))
    evaluate_internal(system, state, work);
  values.assign(system.pattern.nonzeros(), 0.0);
  if (c_a != 0 && !work.plain_mass.empty()) add_scaled(c_a, work.plain_mass, values);
  for (std::size_t b = 0; b < system.batches.size(); ++b) {
    const Batch& batch = system.batches[b];
    if (!batch.kernel) continue;
    const BatchKernel& kernel = *batch.kernel;
    const int N = kernel.vectors(), W = kernel.width();
    for_packs(batch, work.threads, kernel.tangent_flops(), [&](int pack, int thread) {
      const PackBuffers buffer(kernel, work.scratch[thread].data());
      const std::int32_t* vectors = &batch.connectivity[static_cast<std::size_t>(pack) * N * W];
      gather(vectors, N, W, state.q.data(), buffer.e);
      gather(vectors, N, W, state.v.data(), buffer.v);
      const double* saved = work.saved.data() + work.saved_start[b] + padded(kernel.saved_doubles()) * pack;
      kernel.tangent(pack, buffer.e, buffer.v, c_q, c_v, buffer.K, saved, buffer.scratch);
      if (c_a != 0) add_mass(batch, pack, lanes_of(batch, pack), c_a, buffer.K);
      scatter_tangent(system, batch, pack, lanes_of(batch, pack), buffer.K, values.data());
    });
  }
  add_load_tangent(system, state, c_q, values);
  add_spring_tangent(system, state, c_q, c_v, values);
}

namespace {

// reduced += what a force on `vector` does to the unknowns.
void restrict_vector(const System& system, int vector, Vec3<double> x, std::vector<double>& reduced) {
  const VectorUnknowns& u = system.unknowns[vector];
  if (u.basis >= 0) x = transpose(system.bases[u.basis]) * x;
  for (int c = 0; c < u.count; ++c) reduced[u.first + c] += x[u.component[c]];
}

Vec3<double> prolong_vector(const System& system, int vector, const std::vector<double>& dz, double factor) {
  const VectorUnknowns& u = system.unknowns[vector];
  Vec3<double> x{};
  for (int c = 0; c < u.count; ++c) x[u.component[c]] = factor * dz[u.first + c];
  return u.basis >= 0 ? system.bases[u.basis] * x : x;
}

}  // namespace

void restrict_to_unknowns(const System& system, const std::vector<double>& full, std::vector<double>& reduced) {
  reduced.assign(system.size, 0.0);
  for (int v = 0; v < system.vectors(); ++v) {
    const VectorUnknowns& u = system.unknowns[v];
    if (u.count == 0) continue;
    const double* from = &full[3ul * v];
    if (u.count == 3 && u.basis < 0) {
      double* to = &reduced[u.first];
      for (int m = 0; m < 3; ++m) to[m] += from[m];
      continue;
    }
    if (u.basis < 0) {
      for (int c = 0; c < u.count; ++c) reduced[u.first + c] += from[u.component[c]];
      continue;
    }
    restrict_vector(system, v, {{from[0], from[1], from[2]}}, reduced);
  }
  for (const Slave& slave : system.slaves) {
    const double* f = &full[3ul * slave.vector];
    for (std::size_t k = 0; k < slave.masters.size(); ++k) {
      const double w = slave.weights[k];
      restrict_vector(system, slave.masters[k], {{w * f[0], w * f[1], w * f[2]}}, reduced);
    }
  }
}

void add_unknowns(const System& system, const std::vector<double>& dz, double factor, std::vector<double>& q) {
  for (int v = 0; v < system.vectors(); ++v) {
    const VectorUnknowns& u = system.unknowns[v];
    if (u.count == 0) continue;
    double* to = &q[3ul * v];
    if (u.count == 3 && u.basis < 0) {  // almost every vector
      const double* from = &dz[u.first];
      for (int m = 0; m < 3; ++m) to[m] += factor * from[m];
      continue;
    }
    if (u.basis < 0) {
      for (int c = 0; c < u.count; ++c) to[u.component[c]] += factor * dz[u.first + c];
      continue;
    }
    const Vec3<double> x = prolong_vector(system, v, dz, factor);
    for (int m = 0; m < 3; ++m) to[m] += x[m];
  }
  for (const Slave& slave : system.slaves)
    for (std::size_t k = 0; k < slave.masters.size(); ++k) {
      const Vec3<double> x = prolong_vector(system, slave.masters[k], dz, factor);
      for (int m = 0; m < 3; ++m) q[3ul * slave.vector + m] += slave.weights[k] * x[m];
    }
}

void follow_motions(const System& system, double t, double t_acceleration, std::vector<double>& q,
                    std::vector<double>& v, std::vector<double>& a) {
  for (const DrivenDirection& driven : system.driven) {
    const std::size_t at = 3ul * driven.vector;
    const Vec3<double>& d = driven.direction;
    const auto set = [&](std::vector<double>& x, double wanted) {
      const double now = d[0] * x[at] + d[1] * x[at + 1] + d[2] * x[at + 2];
      for (int m = 0; m < 3; ++m) x[at + m] += (wanted - now) * d[m];
    };
    const double start = d[0] * system.q0[at] + d[1] * system.q0[at + 1] + d[2] * system.q0[at + 2];
    set(q, start + driven.displacement(t));
    set(v, driven.displacement.rate(t));
    set(a, driven.displacement.acceleration(t_acceleration));
  }
  for (const Slave& slave : system.slaves)
    for (int m = 0; m < 3; ++m) {
      double sum[3] = {slave.offset[m], 0, 0};
      for (std::size_t k = 0; k < slave.masters.size(); ++k) {
        const std::size_t from = 3ul * slave.masters[k] + m;
        sum[0] += slave.weights[k] * q[from];
        sum[1] += slave.weights[k] * v[from];
        sum[2] += slave.weights[k] * a[from];
      }
      const std::size_t to = 3ul * slave.vector + m;
      q[to] = sum[0];
      v[to] = sum[1];
      a[to] = sum[2];
    }
}

}  // namespace lithe
