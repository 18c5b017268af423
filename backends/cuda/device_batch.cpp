#include "backends/cuda/device_batch.h"

#include <algorithm>

#include "backends/cuda/cable_device.h"
#include "backends/cuda/resultant_device.h"
#include "backends/cuda/section_device.h"
#include "backends/cuda/solid_device.h"
#include "lithe/base/error.h"
#include "lithe/elements/beam3243/resultant_kernel.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/shell3443/resultant_kernel.h"
#include "lithe/elements/strategies/batched_kernel.h"

namespace lithe {

namespace {

constexpr std::size_t scratch_limit = std::size_t(256) << 20;  // bytes; beyond it threads take turns

int affordable_threads(int elements, std::size_t per_thread) {
  return int(std::min<std::size_t>(elements, std::max<std::size_t>(64, scratch_limit / (per_thread * sizeof(double)))));
}

template <class Kind>
class SectionProgram final : public DeviceBatch::Program {
 public:
  SectionProgram(const ContinuumBatch& batch, TangentForm form)
      : SectionProgram(batch, form,
                       form == TangentForm::symmetric ? make_plan<Kind, true>(batch) : make_plan<Kind, false>(batch)) {}

  void force(const double* e, const double* v, double* f) const override {
    launch_section_force<Kind>(on_device_, e, v, f);
  }
  void tangent(const double* e, const double* v, double c_q, double c_v, double* K) const override {
    launch_section_tangent<Kind>(on_device_, e, v, c_q, c_v, form_, K);
  }

 private:
  SectionProgram(const ContinuumBatch& batch, TangentForm form, const PlanStorage& host)
      : form_(form),
        section_line_(host.section_line),
        line_fibre_(host.line_fibre),
        line_rule_(host.line_rule),
        fibre_rule_(host.fibre_rule),
        fibre_law_(host.fibre_law),
        weights_(host.weights),
        line_values_(host.line_values),
        line_products_(host.line_products),
        fibre_values_(host.fibre_values),
        fibre_products_(host.fibre_products),
        geometry_(geometry(batch, host.point)),
        half_size_(batch.half_size) {
    using Sizes = SectionSizes<SectionScheme<Kind>>;
    SectionPlan& plan = on_device_.plan = host.plan;
    plan.section_line = section_line_.data();
    plan.line_fibre = line_fibre_.data();
    plan.line_rule = line_rule_.data();
    plan.fibre_rule = fibre_rule_.data();
    plan.fibre_law = fibre_law_.data();
    plan.weights = weights_.data();
    plan.line_values = line_values_.data();
    plan.line_products = line_products_.data();
    plan.fibre_values = fibre_values_.data();
    plan.fibre_products = fibre_products_.data();
    on_device_.elements = batch.elements;
    on_device_.geometry = geometry_.data();
    on_device_.half_size = half_size_.data();

    const std::size_t per_thread =
        std::max(Sizes::force_scratch(plan), Sizes::tangent_scratch(plan, form == TangentForm::symmetric));
    on_device_.threads = affordable_threads(batch.elements, per_thread);
    on_device_.scratch_per_thread = per_thread;
    scratch_ = DeviceArray<double>(on_device_.threads * per_thread);
    on_device_.scratch = scratch_.data();
  }

  // [element][fibre][B (9), volume]
  static std::vector<double> geometry(const ContinuumBatch& batch, const std::vector<int>& point) {
    const std::vector<double> dS = shape_derivatives(batch);
    std::vector<double> out;
    out.reserve(std::size_t(batch.elements) * point.size() * 10);
    for (int element = 0; element < batch.elements; ++element)
      for (int p : point) {
        const PointMap map =
            map_point(batch, element, &dS[std::size_t(p) * 3 * Kind::N], batch.points[p].weight, batch.points[p].angle);
        for (int a = 0; a < 3; ++a) out.insert(out.end(), map.B[a], map.B[a] + 3);
        out.push_back(map.volume);
      }
    return out;
  }

  TangentForm form_;
  SectionBatch on_device_;  // points into the arrays below
  DeviceArray<int> section_line_, line_fibre_, line_rule_, fibre_rule_;
  DeviceArray<Law> fibre_law_;
  DeviceArray<double> weights_, line_values_, line_products_, fibre_values_, fibre_products_;
  DeviceArray<double> geometry_, half_size_, scratch_;
};

// `formulation: section`, the numbers of each element made on the host.
template <class Resultants>
class ResultantProgram final : public DeviceBatch::Program {
 public:
  ResultantProgram(const ContinuumBatch& batch, TangentForm form)
      : form_(form), tau_(taus(batch)), numbers_(numbers(batch)), half_size_(batch.half_size) {
    if constexpr (is_shell) on_device_.shapes = make_shell_shapes();
    on_device_.elements = batch.elements;
    on_device_.parts = int(batch.section.size());
    on_device_.tau = tau_.data();
    on_device_.numbers = numbers_.data();
    on_device_.half_size = half_size_.data();
    on_device_.threads = affordable_threads(batch.elements, Resultants::tangent_scratch);
    scratch_ = DeviceArray<double>(std::size_t(on_device_.threads) * Resultants::tangent_scratch);
    on_device_.scratch = scratch_.data();
  }

  void force(const double* e, const double* v, double* f) const override {
    Resultants::launch_force(on_device_, e, v, f);
  }
  void tangent(const double* e, const double* v, double c_q, double c_v, double* K) const override {
    Resultants::launch_tangent(on_device_, e, v, c_q, c_v, form_, K);
  }

 private:
  static constexpr bool is_shell = Resultants::vectors == Shell3443::N;

  static std::vector<double> taus(const ContinuumBatch& batch) {
    std::vector<double> out;
    for (const SectionLaw& law : batch.section) out.push_back(law.tau);
    return out;
  }
  // [element][part][ShellNumbers or BeamNumbers]
  static std::vector<double> numbers(const ContinuumBatch& batch) {
    std::vector<double> out;
    for (int element = 0; element < batch.elements; ++element)
      for (int part = 0; part < int(batch.section.size()); ++part) {
        const auto one = [&] {
          if constexpr (is_shell) return shell_numbers(batch, part, element);
          else return beam_numbers(batch, element);
        }();
        out.insert(out.end(), one.begin(), one.end());
      }
    return out;
  }

  TangentForm form_;
  ResultantBatch on_device_;  // points into the arrays below
  DeviceArray<double> tau_, numbers_, half_size_, scratch_;
};

template <class Kind>
class SolidProgram final : public DeviceBatch::Program {
 public:
  SolidProgram(const ContinuumBatch& batch, TangentForm form)
      : form_(form), dS_(shape_derivatives(batch)), laws_(laws(batch)), numbers_(numbers(batch)) {
    on_device_.plan = {int(batch.points.size()), dS_.data(), laws_.data()};
    on_device_.elements = batch.elements;
    on_device_.numbers = numbers_.data();
    const std::size_t per_thread = solid_tangent_scratch<Kind>(on_device_.plan.points);
    on_device_.threads = affordable_threads(batch.elements, per_thread);
    scratch_ = DeviceArray<double>(on_device_.threads * per_thread);
    on_device_.scratch = scratch_.data();
  }

  void force(const double* e, const double* v, double* f) const override {
    launch_solid_force<Kind>(on_device_, e, v, f);
  }
  void tangent(const double* e, const double* v, double c_q, double c_v, double* K) const override {
    launch_solid_tangent<Kind>(on_device_, e, v, c_q, c_v, form_, K);
  }

 private:
  static std::vector<Law> laws(const ContinuumBatch& batch) {
    std::vector<Law> out;
    for (const QuadraturePoint& point : batch.points) out.push_back(batch.laws[point.law]);
    return out;
  }
  // [element][point][B (9), volume]
  static std::vector<double> numbers(const ContinuumBatch& batch) {
    const std::vector<double> dS = shape_derivatives(batch);
    std::vector<double> out;
    for (int element = 0; element < batch.elements; ++element)
      for (std::size_t p = 0; p < batch.points.size(); ++p) {
        const PointMap map =
            map_point(batch, element, &dS[p * 3 * Kind::N], batch.points[p].weight, batch.points[p].angle);
        for (int a = 0; a < 3; ++a) out.insert(out.end(), map.B[a], map.B[a] + 3);
        out.push_back(map.volume);
      }
    return out;
  }

  TangentForm form_;
  SolidBatch on_device_;  // points into the arrays below
  DeviceArray<double> dS_;
  DeviceArray<Law> laws_;
  DeviceArray<double> numbers_, scratch_;
};

class CableProgram final : public DeviceBatch::Program {
 public:
  CableProgram(const CableBatch& batch, TangentForm form)
      : form_(form),
        axial_(cable_points(batch.axial_points, 2.0)),  // dimensionless, as CablePlan asks
        bending_(cable_points(batch.bending_points, 2.0)),
        half_(halves(batch.length)) {
    on_device_.plan = {cable_law(batch), batch.axial_points, batch.bending_points, axial_.data(), bending_.data()};
    on_device_.elements = int(batch.length.size());
    on_device_.half = half_.data();
  }

  void force(const double* e, const double* v, double* f) const override { launch_cable_force(on_device_, e, v, f); }
  void tangent(const double* e, const double* v, double c_q, double c_v, double* K) const override {
    launch_cable_tangent(on_device_, e, v, c_q, c_v, form_, K);
  }

 private:
  static std::vector<double> halves(std::vector<double> length) {
    for (double& L : length) L *= 0.5;
    return length;
  }

  TangentForm form_;
  CableDeviceBatch on_device_;  // points into the arrays below
  DeviceArray<CablePoint> axial_, bending_;
  DeviceArray<double> half_;
};

}  // namespace

DeviceBatch::DeviceBatch(const ContinuumBatch& batch, TangentForm form)
    : elements_(batch.elements), vectors_(vector_count(batch.kind)), form_(form) {
  LITHE_INVARIANT(batch.elements > 0 && (!batch.points.empty() || !batch.section.empty()));
  if (batch.formulation == Formulation::section && batch.kind == ElementKind::shell3443)
    program_ = std::make_unique<ResultantProgram<ShellResultants>>(batch, form);
  else if (batch.formulation == Formulation::section && batch.kind == ElementKind::beam3243)
    program_ = std::make_unique<ResultantProgram<BeamResultants>>(batch, form);
  else if (!batch.kind->every_strategy)
    program_ = with_solid(batch.kind, [&](auto kind) -> std::unique_ptr<Program> {
      return std::make_unique<SolidProgram<decltype(kind)>>(batch, form);
    });
  else
    program_ = with_kind(batch.kind, [&](auto kind) -> std::unique_ptr<Program> {
      return std::make_unique<SectionProgram<decltype(kind)>>(batch, form);
    });
  make_arrays();
}

DeviceBatch::DeviceBatch(const CableBatch& batch, TangentForm form)
    : elements_(int(batch.length.size())), vectors_(Cable::N), form_(form) {
  LITHE_INVARIANT(!batch.length.empty());
  program_ = std::make_unique<CableProgram>(batch, form);
  make_arrays();
}

DeviceBatch::DeviceBatch(DeviceBatch&&) noexcept = default;
DeviceBatch& DeviceBatch::operator=(DeviceBatch&&) noexcept = default;
DeviceBatch::~DeviceBatch() = default;

void DeviceBatch::make_arrays() {
  const std::size_t n = std::size_t(elements_) * vectors_ * 3;
  e_ = DeviceArray<double>(n);
  v_ = DeviceArray<double>(n);
  f_ = DeviceArray<double>(n);
  K_ = DeviceArray<double>(std::size_t(elements_) * tangent_blocks(vectors_, form_) * 9);
}

void DeviceBatch::upload(std::span<const double> e, std::span<const double> v) {
  LITHE_INVARIANT(e.size() == e_.size() && v.size() == v_.size());
  e_.upload(e.data());
  v_.upload(v.data());
}

void DeviceBatch::force(std::span<const double> e, std::span<const double> v, std::span<double> f) {
  LITHE_INVARIANT(f.size() == f_.size());
  upload(e, v);
  program_->force(e_.data(), v_.data(), f_.data());
  f_.download(f.data());
}

void DeviceBatch::tangent(std::span<const double> e, std::span<const double> v, double c_q, double c_v,
                          std::span<double> K) {
  LITHE_INVARIANT(K.size() == K_.size());
  upload(e, v);
  program_->tangent(e_.data(), v_.data(), c_q, c_v, K_.data());
  K_.download(K.data());
}

}  // namespace lithe
