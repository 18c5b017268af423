#include "backends/cuda/section_device.cuh"

namespace lithe {

template void launch_section_force<Hexa3843>(const SectionBatch&, const double*, const double*, double*);
template void launch_section_tangent<Hexa3843>(const SectionBatch&, const double*, const double*, double, double,
                                               TangentForm, double*);

}  // namespace lithe
