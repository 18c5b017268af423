// Energies and mass of a system.
#include "lithe/base/sums.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

// Coordinates of an element of a batch.
void gather_batch(const Batch& batch, const std::vector<double>& q, int element, double* e) {
  const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
  const std::int32_t* c = &batch.connectivity[static_cast<std::size_t>(element / W) * N * W + element % W];
  for (int i = 0; i < N; ++i)
    for (int m = 0; m < 3; ++m) e[3 * i + m] = q[3ul * c[i * W] + m];
}

double element_energy(const Batch& batch, int element, const double* e) {
  const ContinuumBatch& c = batch.continuum;
  if (c.formulation == Formulation::section) return c.kind->section_form->energy(c, element, e);
  return c.kind->volume ? plain_energy(c, element, e) : plain_cable_energy(batch.cable, element, e);
}

}  // namespace

namespace {

double strain_energy(const System& system, const State& state, Team& team, std::vector<AlignedVector<double>>& room) {
  double energy = 0;
  for (const Batch& batch : system.batches) {
    if (!batch.kernel) continue;
    energy += piece_sum(team, batch.elements, [&](int from, int to, int) {
      double e[3 * most_vectors], sum = 0;
      for (int k = from; k < to; ++k) {
        gather_batch(batch, state.q, k, e);
        sum += element_energy(batch, k, e);
      }
      return sum;
    });
  }
  return energy + mapped_energy(system, state, team, room);
}

}  // namespace

double strain_energy(const System& system, const State& state, Workspace& work) {
  return strain_energy(system, state, *work.team, work.mapped);
}

double strain_energy(const System& system, const State& state) {
  Team alone(1);
  std::vector<AlignedVector<double>> room(1);
  room[0].resize(mapped_room(system));
  return strain_energy(system, state, alone, room);
}

double kinetic_energy(const System& system, const State& state, Team& team) {
  double energy = 0;
  for (const Batch& batch : system.batches) {
    const int N = vector_count(batch.continuum.kind);
    energy += piece_sum(team, batch.elements, [&](int from, int to, int) {
      double v[3 * most_vectors], sum = 0;
      for (int e = from; e < to; ++e) {
        gather_batch(batch, state.v, e, v);
        const double* M = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
        for (int i = 0; i < N; ++i) {
          double p[3];  // momentum of i, half of what it has of itself
          for (int m = 0; m < 3; ++m) p[m] = 0.5 * M[0] * v[3 * i + m];
          for (int j = i + 1; j < N; ++j)
            for (int m = 0; m < 3; ++m) p[m] += M[j - i] * v[3 * j + m];
          for (int m = 0; m < 3; ++m) sum += p[m] * v[3 * i + m];
          M += N - i;
        }
      }
      return sum;
    });
  }
  return energy;
}

double kinetic_energy(const System& system, const State& state) {
  Team alone(1);
  return kinetic_energy(system, state, alone);
}

double total_mass(const System& system) {
  double mass = 0;
  for (const Batch& batch : system.batches) {
    const int N = vector_count(batch.continuum.kind), stride = element_info(batch.continuum.kind).node_vectors;
    for (int e = 0; e < batch.elements; ++e)
      for (int i = 0; i < N; i += stride)
        for (int j = i; j < N; j += stride)
          mass +=
              (i == j ? 1 : 2) * batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2 + symmetric_block(N, i, j)];
  }
  return mass;
}

}  // namespace lithe
