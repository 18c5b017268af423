// Sections between two of one type: every dimension changes evenly along the line.
#pragma once

#include "lithe/model/sections.h"

namespace lithe {

// At the fraction s of the way, 0 to 1. Throws InputError for two sections of different types, for those of cables and
// shells, for tapered ones, and where one gives a key or a number of points that the other does not.
Section section_between(const Section& from, const Section& to, double s);

}  // namespace lithe
