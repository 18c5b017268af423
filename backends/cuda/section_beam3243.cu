#include "backends/cuda/section_device.cuh"

namespace lithe {

template void launch_section_force<Beam3243>(const SectionBatch&, const double*, const double*, double*);
template void launch_section_tangent<Beam3243>(const SectionBatch&, const double*, const double*, double, double,
                                               TangentForm, double*);

}  // namespace lithe
