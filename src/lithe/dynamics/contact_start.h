// Bodies that begin inside each other.
#pragma once

#include <vector>

#include "lithe/contact/detection.h"
#include "lithe/system/system.h"

namespace lithe {

// Refuses them where their contact says so: by the points of contact of the scene at the start, and where no corner is
// near a face.
void check_contact_start(const System& system, const ContactScene& scene, const std::vector<ContactPoint>& points,
                         Team& team);

}  // namespace lithe
