// Checks that need more than one field: names that must exist, sections and meshes that must fit the element kind, laws
// that must be stable. What one field may be is in its Description; what needs the mesh (nodes, sets, inverted
// elements) is checked by make_mesh() and compile().
#pragma once

#include "lithe/base/field.h"
#include "lithe/model/model.h"

namespace lithe {

// More elements than this in one body are taken for a slip of the keyboard.
inline constexpr double largest_element_count = 5e7;
// More steps than this take years, and times lose their digits.
inline constexpr double most_steps = 1e11;
inline constexpr double most_points = 1e4;        // of a quadrature rule
inline constexpr std::size_t longest_name = 100;  // bytes

// `said` is the tree that the model was read from: it knows the line of every key. Throws InputError at the first
// error; what is only doubtful goes to reading.warnings.
void validate(const Model& model, const Value& said, Reading& reading);

// For a model built in code: every single field is checked too (finite, in its range).
void validate(const Model& model, Reading& reading);

}  // namespace lithe
