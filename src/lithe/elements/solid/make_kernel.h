#pragma once

#include <memory>
#include <string>

namespace lithe {

class BatchKernel;
struct ContinuumBatch;
enum class TangentForm;

// Kernels of the kinds with positions alone: strategies `batched` and `C`.
std::unique_ptr<BatchKernel> make_solid_kernel(const ContinuumBatch& batch, const std::string& strategy,
                                               TangentForm form);

}  // namespace lithe
