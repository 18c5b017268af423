// Connectivity and the sparsity pattern.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

// Vector numbers of a batch's packs.
void connect(const System& system, Batch& batch);
// Entries and terms of the constraint Jacobian over the unknowns.
void build_jacobian(System& system);

// In Batch::offsets, beside places: a block without unknowns, one that goes through TangentSink, and the first of the
// slots of a chunk, from there downwards.
inline constexpr std::int32_t nowhere = -1, spread_block = -2, first_slot = -3;

// function(vector with its own unknowns, weight) for the one or several that make up `vector`.
template <class Function>
void for_masters(const System& system, int vector, Function&& function) {
  const VectorUnknowns& u = system.map.unknowns[vector];
  if (u.slave < 0) return function(system.map.representative[vector], 1.0);
  const Slaves& slaves = system.map.slaves;
  for (int k = slaves.start[u.slave]; k < slaves.start[u.slave + 1]; ++k)
    function(system.map.representative[slaves.master[k]], slaves.weight[k]);
}

// Pattern of the tangent over the unknowns.
void build_pattern(System& system);
// Place of block (row vector, column vector) inside the column vector's columns; the pair must be in the pattern.
std::int32_t block_offset(const System& system, int row_vector, int column_vector);

}  // namespace lithe
