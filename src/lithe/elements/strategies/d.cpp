// Strategy D: all points at once, nothing kept between force and tangent. The mathematics is in all_points.h.
#include "lithe/elements/strategies/d.h"

#include "lithe/elements/strategies/all_points.h"

namespace lithe {

template classic::ChunkFunctions classic::choose<Beam3243>(Structure, int);
template classic::ChunkFunctions classic::choose<Shell3443>(Structure, int);
template classic::ChunkFunctions classic::choose<Hexa3843>(Structure, int);
template class classic::AllPointsKernel<Beam3243, false>;
template class classic::AllPointsKernel<Shell3443, false>;
template class classic::AllPointsKernel<Hexa3843, false>;

std::unique_ptr<BatchKernel> make_d_kernel(const ContinuumBatch& batch, TangentForm form) {
  return with_kind(batch.kind, [&](auto kind) -> std::unique_ptr<BatchKernel> {
    return std::make_unique<classic::AllPointsKernel<decltype(kind), false>>(batch, form);
  });
}

}  // namespace lithe
