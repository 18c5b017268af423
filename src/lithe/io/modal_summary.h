// Modes and critical factors in the summary of a run.
#pragma once

#include <nlohmann/json.hpp>

#include "lithe/dynamics/buckling.h"

namespace lithe {

nlohmann::ordered_json modes_json(const Modes& found);
nlohmann::ordered_json buckling_json(const Buckling& found);

}  // namespace lithe
