// The XDMF companion of a result file: XML that tells ParaView and VTK where in the HDF5 file the steps lie.
#pragma once

#include <string>
#include <vector>

#include "lithe/io/results.h"

namespace lithe {

// OUT.xdmf for OUT.h5.
std::string companion_path(const std::string& results_path);
// One temporal collection of grids per body; of very many steps every second, fourth, ... is taken. Times that do not
// increase (arc length past a limit point) are replaced by step numbers, because readers sort by time.
std::string xdmf_text(const ResultInfo& info, const std::vector<double>& times);
// Replaces the companion of info.path in one go: readers see the old or the new one. Throws RunError.
void write_companion(const ResultInfo& info, const std::vector<double>& times);

}  // namespace lithe
