// The kernel of a kind that has none of its own: the plain twin (continuum_plain.h), one element after the other, its
// tangent by dual numbers. Exact, and some ten times slower than the others: a start for a new kind.
#pragma once

#include <memory>
#include <string>

#include "lithe/elements/continuum.h"

namespace lithe {

std::unique_ptr<BatchKernel> make_plain_kernel(const ContinuumBatch& batch, const std::string& strategy,
                                               TangentForm form);
// BatchKernel::product of one element, by its points: that of kernels which have none of their own.
void plain_product(const ContinuumBatch& batch, int element, const double* e, const double* v, double* f);

}  // namespace lithe
