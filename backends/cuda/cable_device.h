// Launchers of the cable. All pointers are the device's; layouts as in device_batch.h.
#pragma once

#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/cable/cable_element.h"

namespace lithe {

// A batch on the device.
struct CableDeviceBatch {
  CablePlan plan;  // its arrays on the device
  int elements = 0;
  const double* half = nullptr;  // [element]  L/2, m
};

void launch_cable_force(const CableDeviceBatch& batch, const double* e, const double* v, double* f);
void launch_cable_tangent(const CableDeviceBatch& batch, const double* e, const double* v, double c_q, double c_v,
                          TangentForm form, double* K);

}  // namespace lithe
