// Checks that need more than one field: names that must exist, sections and meshes that must fit the element kind, laws
// that must be stable. The rules stand beside their structs (materials.cpp, joints.cpp, ...; spot.h); this walks
// through a model and calls them. What one field may be is in its description; what needs the mesh or the equations
// (named sets, inverted elements, places that must coincide, contradictions) is checked by compile().
#pragma once

#include "lithe/base/field.h"
#include "lithe/model/model.h"

namespace lithe {

inline constexpr std::size_t longest_name = 100;  // bytes

// Throws InputError at the first error; what is only doubtful goes to reading.warnings. `said` is the tree that the
// model was read from: it knows the line of every key. Without it the model was made in code: every single field is
// checked too (finite, in its range), and messages have the places that the model remembers.
void validate(const Model& model, Reading& reading, const Value* said = nullptr);

// An analysis other than the model's own, and what of the model depends on it.
void validate(const Model& model, const Analysis& analysis, Reading& reading);

}  // namespace lithe
