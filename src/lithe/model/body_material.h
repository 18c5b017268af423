// The material of a body of elements, which may go without one where its section says everything.
#pragma once

#include "lithe/model/model.h"

namespace lithe {

// Does the section alone say stiffness and mass (`general`, `bar` with all three)? Then a body needs no material.
bool needs_no_material(const Model& model, const Body& body);

// The material by its name; of a body that needs none and names none, one without density, damping and expansion.
const Material& material_of(const Model& model, const Body& body);

}  // namespace lithe
