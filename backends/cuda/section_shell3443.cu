#include "backends/cuda/section_device.cuh"

namespace lithe {

template void launch_section_force<Shell3443>(const SectionBatch&, const double*, const double*, double*);
template void launch_section_tangent<Shell3443>(const SectionBatch&, const double*, const double*, double, double,
                                                TangentForm, double*);

}  // namespace lithe
