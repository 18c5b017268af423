// Launchers of the solids with positions alone. All pointers are the device's; layouts as in device_batch.h.
#pragma once

#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/solid/solid_element.h"

namespace lithe {

// A batch on the device.
struct SolidBatch {
  SolidPlan plan;  // its arrays on the device
  int elements = 0;
  const double* numbers = nullptr;  // [element][point][B (9), volume]  1/m, m^3
  double* scratch = nullptr;        // [thread][solid_tangent_scratch]
  int threads = 0;                  // each takes every threads-th element
};

template <class Kind>
void launch_solid_force(const SolidBatch& batch, const double* e, const double* v, double* f);
template <class Kind>
void launch_solid_tangent(const SolidBatch& batch, const double* e, const double* v, double c_q, double c_v,
                          TangentForm form, double* K);

}  // namespace lithe
