// Launchers of the continuum kinds, one instantiation per kind (section_beam3243.cu and so on). All pointers are the
// device's; layouts as in device_batch.h.
#pragma once

#include <cstddef>

#include "lithe/elements/beam3243/section.h"
#include "lithe/elements/hexa3843/section.h"
#include "lithe/elements/section_kernel.h"
#include "lithe/elements/shell3443/section.h"

namespace lithe {

// A batch on the device.
struct SectionBatch {
  SectionPlan plan;  // its arrays on the device
  int elements = 0;
  const double* geometry = nullptr;   // [element][fibre][B (9), volume]  1/m, m^3
  const double* half_size = nullptr;  // [element][3]                     m
  double* scratch = nullptr;          // [thread][scratch_per_thread]
  int threads = 0;                    // each takes every threads-th element
  std::size_t scratch_per_thread = 0;
};

template <class Kind>
void launch_section_force(const SectionBatch& batch, const double* e, const double* v, double* f);
template <class Kind>
void launch_section_tangent(const SectionBatch& batch, const double* e, const double* v, double c_q, double c_v,
                            TangentForm form, double* K);

}  // namespace lithe
