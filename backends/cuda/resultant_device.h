// Launchers of the kinds by stress resultants: shell3443 and beam3243 with `formulation: section`. All pointers are the
// device's; layouts as in device_batch.h.
#pragma once

#include <cstddef>

#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/shell3443/resultant.h"

namespace lithe {

// A batch on the device.
struct ResultantBatch {
  ShellShapes shapes{};  // of shells
  int elements = 0;
  int parts = 1;                      // of the section's law
  const double* tau = nullptr;        // [part]                          s
  const double* numbers = nullptr;    // [element][part][ShellNumbers or BeamNumbers]
  const double* half_size = nullptr;  // [element][3]                    m
  double* scratch = nullptr;          // [thread][scratch_per_thread]
  int threads = 0;                    // each takes every threads-th element
};

struct ShellResultants {
  static constexpr int vectors = 16, tangent_scratch = 5184;
  static void launch_force(const ResultantBatch& batch, const double* e, const double* v, double* f);
  static void launch_tangent(const ResultantBatch& batch, const double* e, const double* v, double c_q, double c_v,
                             TangentForm form, double* K);
};
struct BeamResultants {
  static constexpr int vectors = 8, tangent_scratch = 24 * 24;
  static void launch_force(const ResultantBatch& batch, const double* e, const double* v, double* f);
  static void launch_tangent(const ResultantBatch& batch, const double* e, const double* v, double c_q, double c_v,
                             TangentForm form, double* K);
};

}  // namespace lithe
