// Connectivity, colours and the sparsity pattern with its write positions.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

// Vector numbers of a batch's packs, and colours such that packs of one colour write to no vector in common.
void connect(const System& system, const BodyInfo& body, Batch& batch);
// Entries and terms of the constraint Jacobian over the unknowns.
void build_jacobian(System& system);

// In Batch::offsets: this block goes through add_block().
inline constexpr std::int32_t spread_block = -2;

// function(vector with its own unknowns, weight) for the one or several that make up `vector`.
template <class Function>
void for_masters(const System& system, int vector, Function&& function) {
  const VectorUnknowns& u = system.unknowns[vector];
  if (u.slave < 0) return function(system.representative[vector], 1.0);
  const Slave& slave = system.slaves[u.slave];
  for (std::size_t k = 0; k < slave.masters.size(); ++k)
    function(system.representative[slave.masters[k]], slave.weights[k]);
}

// Pattern of the tangent over the unknowns, and the place of every element block in it.
void build_pattern(System& system);
// Place of block (row vector, column vector) inside the column vector's columns; the pair must be in the pattern.
std::int32_t block_offset(const System& system, int row_vector, int column_vector);

// Adds a block of a pair of vectors, in global axes. Unsymmetric pattern: at (row, column) alone. Symmetric pattern:
// the block and its transpose, each unordered pair given once; `diagonal`: the pair is one vector with itself.
void add_block_at(const System& system, int row, int column, const Mat3<double>& block, bool diagonal, double* values);

}  // namespace lithe
