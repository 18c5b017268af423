// Linear constraints leave the unknowns: held directions, aliases and slaves.
#pragma once

#include "lithe/system/constraint_equations.h"
#include "lithe/system/system.h"

namespace lithe {

// Number of an owner of equations, made where it is new.
int add_owner(System& system, ConstraintOwner::Kind kind, int index, const std::string& text);

// Where the user said what the owner stands for.
const Where& where_of(const System& system, int owner);

// system.rows from these, and whose they are.
void set_rows(System& system, const std::vector<ConstraintRow>& rows);

// From all equations of the model to unknowns, slaves and driven directions; rows keep what cannot be eliminated
// (treatment lagrange: everything). Throws InputError for equations that contradict each other.
void eliminate(System& system, ConstraintEquations& equations);

}  // namespace lithe
