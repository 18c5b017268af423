// The seam proof for the GPU: force and tangent of a batch on the device, from the same kernel source as on the CPU
// (section_kernel.h, cable_element.h with T = double, one element per thread). Shape-function tables and the mapping of
// the points are computed on the host and uploaded once. See docs/cuda.md.
//
// Layouts of the host arrays, N coordinate vectors per element, blocks as in batch_kernel.h:
//   e, v, f  [element][N][3]          K  [element][blocks][3][3]
#pragma once

#include <memory>
#include <span>

#include "backends/cuda/device.h"
#include "lithe/elements/cable/cable_kernel.h"
#include "lithe/elements/continuum.h"

namespace lithe {

class DeviceBatch {
 public:
  DeviceBatch(const ContinuumBatch& batch, TangentForm form);
  DeviceBatch(const CableBatch& batch, TangentForm form);
  DeviceBatch(DeviceBatch&&) noexcept;
  DeviceBatch& operator=(DeviceBatch&&) noexcept;
  ~DeviceBatch();

  int elements() const { return elements_; }
  int vectors() const { return vectors_; }
  TangentForm form() const { return form_; }

  void force(std::span<const double> e, std::span<const double> v, std::span<double> f);
  // c_q df/de + c_v df/dv, or its symmetric part.
  void tangent(std::span<const double> e, std::span<const double> v, double c_q, double c_v, std::span<double> K);

  // What runs on the device: one implementation for cables, one per continuum kind. Device pointers.
  class Program {
   public:
    virtual ~Program() = default;
    virtual void force(const double* e, const double* v, double* f) const = 0;
    virtual void tangent(const double* e, const double* v, double c_q, double c_v, double* K) const = 0;
  };

 private:
  void make_arrays();
  void upload(std::span<const double> e, std::span<const double> v);

  int elements_, vectors_;
  TangentForm form_;
  std::unique_ptr<Program> program_;
  DeviceArray<double> e_, v_, f_, K_;
};

}  // namespace lithe
