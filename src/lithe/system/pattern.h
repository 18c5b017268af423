// Connectivity, colours and the sparsity pattern with its write positions.
#pragma once

#include "lithe/system/system.h"

namespace lithe {

// Vector numbers of a batch's packs, and colours such that packs of one colour share no vector.
void connect(const BodyInfo& body, Batch& batch);
// Pattern of the tangent over the unknowns, and the place of every element block in it.
void build_pattern(System& system);
// Place of block (row vector, column vector) inside the column vector's columns; the pair must be in the pattern.
std::int32_t block_offset(const System& system, int row_vector, int column_vector);

}  // namespace lithe
