// Strategy E: all points at once; F, Fdot and S (24 N_Q values, P0 section 4.1) are kept in `saved` by the force and
// reused by the tangent. The mathematics is in all_points.h.
#include "lithe/elements/strategies/e.h"

#include "lithe/elements/strategies/all_points.h"

namespace lithe {

template class classic::AllPointsKernel<Beam3243, true>;
template class classic::AllPointsKernel<Shell3443, true>;
template class classic::AllPointsKernel<Hexa3843, true>;

std::unique_ptr<BatchKernel> make_e_kernel(const ContinuumBatch& batch, TangentForm form) {
  return with_kind(batch.kind, [&](auto kind) -> std::unique_ptr<BatchKernel> {
    return std::make_unique<classic::AllPointsKernel<decltype(kind), true>>(batch, form);
  });
}

}  // namespace lithe
