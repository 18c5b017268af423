// The XDMF companion of a result file: XML that tells ParaView and VTK where in the HDF5 file the steps lie.
#pragma once

#include <string>
#include <vector>

#include "lithe/io/results.h"

namespace lithe {

// OUT.xdmf for OUT.h5.
std::string companion_path(const std::string& results_path);
// Reduced bodies, whose fields are not in the file, are left out.
// One temporal collection of grids per body, or of more than a hundred bodies per kind (then `body` is the row of each
// cell's own in the table of bodies); of very many steps every second, fourth, ... is taken. Readers sort by
// time: of steps at one time (a dynamic stage begins where a static one ended) the last is taken, and times that go
// back (arc length past a limit point) are replaced by step numbers. Of a run in stages every grid tells its own.
// field_rows: the steps that have fields, where these have rows of their own. contact_ends: points of contact up to
// each row of the fields; they are a collection of their own.
std::string xdmf_text(const ResultInfo& info, const std::vector<double>& times,
                      const std::vector<double>& field_rows = {}, const std::vector<double>& contact_ends = {});
// Replaces the companion of info.path in one go: readers see the old or the new one. Throws RunError.
void write_companion(const ResultInfo& info, const std::vector<double>& times, const std::vector<double>& field_rows,
                     const std::vector<double>& contact_ends);

}  // namespace lithe
