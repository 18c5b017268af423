// Device against CPU: force and both forms of the tangent of every registered element kind, against the CPU's batched
// kernel and against the plain twin (the tangent by dual numbers). Without a device these tests report themselves
// skipped, with the reason; what needs none runs everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "backends/cuda/device_batch.h"
#include "lithe/base/aligned.h"
#include "lithe/base/dual.h"
#include "lithe/base/error.h"
#include "lithe/elements/beam3243/resultant_kernel.h"
#include "lithe/elements/beam3243/resultant_tangent.h"
#include "lithe/elements/cable/cable_kernel.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/elements/kinds.h"
#include "lithe/elements/quadrature.h"
#include "lithe/elements/shell3443/resultant_kernel.h"
#include "lithe/elements/shell3443/resultant_tangent.h"
#include "lithe/elements/strategies/batched.h"

namespace lithe {

Dual root(const Dual& x) { return sqrt(x); }

namespace {

constexpr double tolerance = 1e-12;  // of the largest entry of the element
constexpr double c_q = 0.7, c_v = 1.9;
// More than one pass of the threads of the largest kernel (the exact tangent of the hexa has scratch for 1,500 or so).
constexpr int many = 1700;
constexpr int stride = 211;  // every how many elements the plain twin is asked

struct Case {
  ElementKind kind;
  std::string name;
  std::vector<double> tau;  // one law each
  int layers = 1;
  Formulation formulation = Formulation::continuum;
};

void PrintTo(const Case& c, std::ostream* out) { *out << element_info(c.kind).name << ' ' << c.name; }

// Every kind is here undamped and damped; the references of the continuum kinds are curved and twisted.
std::vector<Case> cases_of(ElementKind kind) {
  if (kind == ElementKind::cable) return {{kind, "plain", {0}}, {kind, "damped", {0.02}}};
  if (kind == ElementKind::beam3243)
    return {{kind, "plain", {0}},
            {kind, "damped", {0.1, 0.3}},
            {kind, "other_axis_rule", {0, 0.2}, 2},
            {kind, "section", {0}, 1, Formulation::section},
            {kind, "section_damped", {0.2}, 1, Formulation::section}};
  if (kind == ElementKind::shell3443)
    return {{kind, "plain", {0}},
            {kind, "damped", {0.2}},
            {kind, "layered", {0.2, 0, 0.1}, 3},
            {kind, "section", {0}, 1, Formulation::section},
            {kind, "section_parts", {0.2, 0.1}, 1, Formulation::section}};
  if (kind == ElementKind::hexa3843) return {{kind, "plain", {0}}, {kind, "damped", {0.2}, 2}};
  if (kind == ElementKind::hex8 || kind == ElementKind::tet4 || kind == ElementKind::tet10)
    return {{kind, "plain", {0}}, {kind, "damped", {0.2}}};
  return {};
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const ElementKind kind : element_registry())
    for (const Case& c : cases_of(kind)) all.push_back(c);
  return all;
}

Law law(double scale, double tau) {  // orthotropic, positive definite
  return {scale * 3.1, scale * 2.2, scale * 1.7, scale * 0.5, scale * 0.6,
          scale * 0.7, scale * 0.9, scale * 0.8, scale * 1.1, tau};
}

void add_rule(ContinuumBatch& batch, int nx, int ny, int nz, double bottom, double top, int law_index, double angle) {
  const GaussRule x = gauss_rule(nx), y = gauss_rule(ny), z = gauss_rule(nz);
  const double half = (top - bottom) / 2, centre = (top + bottom) / 2;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        batch.points.push_back(
            {{x.x[i], y.x[j], centre + half * z.x[k]}, x.w[i] * y.w[j] * z.w[k] * half, law_index, angle});
}

// Every strain coupled to every other, but the shears of a shell to themselves.
void add_section_laws(const Case& c, ContinuumBatch& batch) {
  const int strains = c.kind->section_form->strains;
  for (const double tau : c.tau) {
    SectionLaw section{strains, std::vector<double>(std::size_t(strains) * strains), 1.3, tau};
    for (int i = 0; i < strains; ++i)
      for (int j = 0; j < strains; ++j)
        if (strains == 6 || (i < 6) == (j < 6))
          section.stiffness[std::size_t(strains) * i + j] = i == j ? 2.0 + 0.3 * i : 0.2 / (1 + std::abs(i - j));
    batch.section.push_back(section);
  }
}

// Boxes of different sizes whose nodal vectors are all disturbed: curved, twisted, sheared.
ContinuumBatch make_continuum(const Case& c, int elements) {
  ContinuumBatch batch;
  batch.kind = c.kind;
  batch.elements = elements;
  batch.formulation = c.formulation;
  const int last = int(c.tau.size()) - 1;
  if (c.formulation == Formulation::section) add_section_laws(c, batch);
  for (int k = 0; k <= last; ++k) batch.laws.push_back(law(1.0 + 0.5 * k, c.tau[k]));
  if (c.kind == ElementKind::beam3243) {
    add_rule(batch, 3, 2, 2, -1, 1, 0, 0);
    add_rule(batch, c.layers > 1 ? 2 : 3, 1, 1, -1, 1, last, 0);
  } else if (c.kind == ElementKind::shell3443) {
    for (int k = 0; k < c.layers; ++k)
      add_rule(batch, 4, 4, 2, -1 + 2.0 * k / c.layers, -1 + 2.0 * (k + 1) / c.layers, std::min(k, last), 0.4 * k);
  } else if (c.kind->cell == Cell::tetrahedron) {
    const TetrahedronRule rule = tetrahedron_rule(c.kind == ElementKind::tet4 ? 1 : 4);
    for (std::size_t p = 0; p < rule.x.size(); ++p) batch.points.push_back({rule.x[p], rule.w[p], 0, 0.3});
  } else if (c.kind == ElementKind::hex8) {
    add_rule(batch, 2, 2, 2, -1, 1, 0, 0.3);
  } else {
    add_rule(batch, c.layers > 1 ? 3 : 4, 4, 4, -1, 1, 0, 0.3);
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int e = 0; e < elements; ++e) {
    const double half[3] = {0.6 + 0.2 * uniform(random), 0.5 + 0.1 * uniform(random), 0.3 + 0.1 * uniform(random)};
    batch.half_size.insert(batch.half_size.end(), half, half + 3);
    for (int n = 0; n < c.kind->nodes; ++n)
      for (int i = 0; i < c.kind->node_vectors; ++i)
        for (int m = 0; m < 3; ++m) {
          const double straight = i == 0 ? half[m] * c.kind->corner[n][m] : (i - 1 == m ? 1.0 : 0.0);
          batch.reference.push_back(straight + (c.kind->cell == Cell::cube ? 0.08 : 0.02) * uniform(random));
        }
  }
  return batch;
}

CableBatch make_cables(const Case& c, int elements) {
  CableBatch batch;
  for (int e = 0; e < elements; ++e) batch.length.push_back(0.3 + 0.7 * e / elements);
  batch.EA = 2.5e3;
  batch.EI = 7.0;
  batch.tau = c.tau[0];
  return batch;
}

// One kind of batch or the other, with what the tests ask of it, and a deformed and moving state.
struct Scene {
  std::variant<CableBatch, ContinuumBatch> batch;
  int elements, vectors;
  std::vector<double> e, v;  // [element][N][3]

  explicit Scene(const Case& c) : elements(many), vectors(vector_count(c.kind)) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-1, 1);
    if (c.kind == ElementKind::cable) {
      batch = make_cables(c, elements);
      // Arcs, disturbed less than they are bent: near zero curvature the damping is a quotient of small differences.
      for (double L : std::get<CableBatch>(batch).length)
        for (double r : {0.0, 0.0, 0.0, 1.0, -0.4, 0.0, L, 0.0, 0.0, 1.0, 0.4, 0.0})
          e.push_back(r + (e.size() / 3 % 2 == 0 ? 0.02 * L : 0.05) * uniform(random));
    } else {
      batch = make_continuum(c, elements);
      for (double r : std::get<ContinuumBatch>(batch).reference) e.push_back(r + 0.1 * uniform(random));
    }
    for (std::size_t k = 0; k < e.size(); ++k) v.push_back(uniform(random));
  }

  DeviceBatch on_device(TangentForm form) const {
    return std::visit([&](const auto& b) { return DeviceBatch(b, form); }, batch);
  }
  std::unique_ptr<BatchKernel> on_cpu(TangentForm form) const {
    if (const auto* cables = std::get_if<CableBatch>(&batch)) return make_cable_kernel(*cables, form);
    const auto& continuum = std::get<ContinuumBatch>(batch);
    if (continuum.formulation == Formulation::section)
      return continuum.kind->section_form->make_kernel(continuum, form);
    return continuum.kind->make_kernel(continuum, "batched", form);
  }
  template <class T>
  void plain(int element, const T* x, const T* xd, T* f) const {
    if (const auto* cables = std::get_if<CableBatch>(&batch)) plain_cable_force<T>(*cables, element, x, xd, f);
    else if (const auto& b = std::get<ContinuumBatch>(batch); b.formulation == Formulation::continuum)
      plain_force<T>(b, element, x, xd, f);
    else section_force_of<T>(b, element, x, xd, f);
  }
  // The force of the formulation `section`, element by element; differentiated it is the twin of the tangent.
  template <class T>
  static void section_force_of(const ContinuumBatch& b, int element, const T* x, const T* xd, T* f) {
    const double* half = &b.half_size[3 * std::size_t(element)];
    if (b.kind == ElementKind::beam3243) {
      const BeamNumberList numbers = beam_numbers(b, element);
      return beam_element_force<true, T>(numbers.data(), b.section[0].tau, half, x, xd, f);
    }
    std::vector<double> tau, numbers;
    for (int part = 0; part < int(b.section.size()); ++part) {
      const ShellNumberList one = shell_numbers(b, part, element);
      tau.push_back(b.section[part].tau);
      numbers.insert(numbers.end(), one.begin(), one.end());
    }
    shell_resultant_force<true, T>(make_shell_shapes(), int(tau.size()), tau.data(), numbers.data(), half, x, xd, f);
  }
  // The symmetric form of damped shells by resultants and of damped solids is more than the symmetric part
  // (shell3443/resultant_tangent.h).
  bool symmetric_part_alone() const {
    const auto* b = std::get_if<ContinuumBatch>(&batch);
    if (b && !b->kind->every_strategy) return b->laws[0].tau == 0;
    return !b || b->formulation == Formulation::continuum || b->kind != ElementKind::shell3443 ||
           std::ranges::all_of(b->section, [](const SectionLaw& law) { return law.tau == 0; });
  }
};

// Difference from the expected values of one element, relative to the largest of them; NaN and expected values that
// are all zero count as infinite.
double difference(const double* value, const double* expected, int n) {
  double largest = 0, off = 0;
  for (int k = 0; k < n; ++k) {
    largest = std::max(largest, std::abs(expected[k]));
    const double d = std::abs(value[k] - expected[k]);
    off = std::isnan(d) ? INFINITY : std::max(off, d);
  }
  return largest > 0 ? off / largest : INFINITY;
}

// Largest difference between the device's values, [element][per_element], and those of a CPU kernel, pack by pack.
template <class Evaluate>
double difference_from_kernel(const Scene& scene, const BatchKernel& kernel, const std::vector<double>& device,
                              int per_element, Evaluate&& evaluate) {
  const int W = kernel.width(), n = 3 * scene.vectors;
  AlignedVector<double> e(n * W), v(n * W), out(std::size_t(per_element) * W), scratch(kernel.scratch_doubles() + 8);
  std::vector<double> expected(per_element);
  double worst = 0;
  for (int pack = 0; pack < kernel.packs(); ++pack) {
    auto element = [&](int lane) { return std::size_t(std::min(pack * W + lane, scene.elements - 1)); };
    for (int lane = 0; lane < W; ++lane)
      for (int k = 0; k < n; ++k) {
        e[k * W + lane] = scene.e[element(lane) * n + k];
        v[k * W + lane] = scene.v[element(lane) * n + k];
      }
    evaluate(pack, e.data(), v.data(), out.data(), scratch.data());
    for (int lane = 0; lane < W; ++lane) {
      for (int k = 0; k < per_element; ++k) expected[k] = out[std::size_t(k) * W + lane];
      worst = std::max(worst, difference(&device[element(lane) * per_element], expected.data(), per_element));
    }
  }
  return worst;
}

class Device : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    std::string why;
    if (!cuda_device_available(why)) GTEST_SKIP() << why;
  }
  void report(const char* what, double batched, double plain) {
    std::printf("%-28s %-18s max relative difference: %.2e from batched, %.2e from the plain twin\n",
                (std::string(element_info(GetParam().kind).name) + "_" + GetParam().name).c_str(), what, batched,
                plain);
    EXPECT_LE(batched, tolerance);
    EXPECT_LE(plain, tolerance);
  }
};

TEST_P(Device, ForceEqualsCpu) {
  const Scene scene(GetParam());
  const int n = 3 * scene.vectors;
  DeviceBatch device = scene.on_device(TangentForm::symmetric);
  std::vector<double> f(scene.e.size(), std::nan("")), again(f);
  device.force(scene.e, scene.v, f);
  device.force(scene.e, scene.v, again);
  EXPECT_EQ(f, again) << "not the same bit by bit";

  const auto kernel = scene.on_cpu(TangentForm::symmetric);
  const double batched = difference_from_kernel(
      scene, *kernel, f, n, [&](int pack, const double* e, const double* v, double* out, double* scratch) {
        kernel->force(pack, e, v, out, nullptr, scratch);
      });
  double plain = 0;
  std::vector<double> expected(n);
  for (int element = 0; element < scene.elements; element += stride) {
    const std::size_t first = std::size_t(element) * n;
    scene.plain<double>(element, &scene.e[first], &scene.v[first], expected.data());
    plain = std::max(plain, difference(&f[first], expected.data(), n));
  }
  report("force", batched, plain);
}

// K of one element by dual numbers, in the layout of the form.
std::vector<double> dual_tangent(const Scene& scene, int element, TangentForm form) {
  const int N = scene.vectors, n = 3 * N;
  const bool symmetric = form == TangentForm::symmetric;
  std::vector<double> exact(std::size_t(n) * n), K(9 * std::size_t(tangent_blocks(N, form)));
  std::vector<Dual> e(n), v(n), f(n);
  for (int column = 0; column < n; ++column) {
    for (int k = 0; k < n; ++k) {
      e[k] = {scene.e[std::size_t(element) * n + k], k == column ? c_q : 0};
      v[k] = {scene.v[std::size_t(element) * n + k], k == column ? c_v : 0};
    }
    scene.plain<Dual>(element, e.data(), v.data(), f.data());
    for (int row = 0; row < n; ++row) exact[std::size_t(row) * n + column] = f[row].d;
  }
  for (int i = 0; i < N; ++i)
    for (int j = symmetric ? i : 0; j < N; ++j)
      for (int m = 0; m < 3; ++m)
        for (int k = 0; k < 3; ++k) {
          const std::size_t row = 3 * i + m, column = 3 * j + k;
          const int block = symmetric ? symmetric_block(N, i, j) : i * N + j;
          K[9 * block + 3 * m + k] =
              symmetric ? 0.5 * (exact[row * n + column] + exact[column * n + row]) : exact[row * n + column];
        }
  return K;
}

TEST_P(Device, TangentEqualsCpu) {
  const Scene scene(GetParam());
  for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    const int size = 9 * tangent_blocks(scene.vectors, form);
    DeviceBatch device = scene.on_device(form);
    std::vector<double> K(std::size_t(scene.elements) * size, std::nan("")), again(K);
    device.tangent(scene.e, scene.v, c_q, c_v, K);
    device.tangent(scene.e, scene.v, c_q, c_v, again);
    EXPECT_EQ(K, again) << "not the same bit by bit";

    const auto kernel = scene.on_cpu(form);
    const double batched = difference_from_kernel(
        scene, *kernel, K, size, [&](int pack, const double* e, const double* v, double* out, double* scratch) {
          kernel->tangent(pack, e, v, c_q, c_v, out, nullptr, scratch);
        });
    double plain = 0;
    for (int element = 0; element < scene.elements; element += stride)
      if (form == TangentForm::exact || scene.symmetric_part_alone())
        plain = std::max(plain,
                         difference(&K[std::size_t(element) * size], dual_tangent(scene, element, form).data(), size));
    report(form == TangentForm::symmetric ? "tangent symmetric" : "tangent exact", batched, plain);
  }
}

TEST_P(Device, RefusesArraysOfAnotherSize) {
  const Scene scene(GetParam());
  DeviceBatch device = scene.on_device(TangentForm::symmetric);
  std::vector<double> f(scene.e.size() - 1);
  EXPECT_THROW(device.force(scene.e, scene.v, f), InvariantError);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Device, testing::ValuesIn(all_cases()), [](const auto& c) {
  return std::string(element_info(c.param.kind).name) + "_" + c.param.name;
});

// ---- on every machine --------------------------------------------------------------------------------------------

TEST(DeviceRegistry, NoKindIsForgotten) {
  for (const ElementKind kind : element_registry())
    EXPECT_FALSE(cases_of(kind).empty()) << "no device test for element '" << kind->name << "'";
}

TEST(DeviceDifference, SeesTheLastBit) {
  const double expected[3] = {0, 1, -4}, other[3] = {0, 1, std::nextafter(-4.0, 0.0)}, none[3] = {0, 0, 0};
  const double broken[3] = {std::nan(""), 1, -4};
  EXPECT_EQ(difference(expected, expected, 3), 0);
  EXPECT_GT(difference(other, expected, 3), 0);
  EXPECT_EQ(difference(broken, expected, 3), INFINITY);
  EXPECT_EQ(difference(expected, broken, 3), INFINITY);
  EXPECT_EQ(difference(none, none, 3), INFINITY);
}

TEST(DeviceErrors, WithoutADeviceTheReasonAndTheRemedyAreGiven) {
  std::string why;
  if (cuda_device_available(why)) GTEST_SKIP() << "this machine has a device";
  EXPECT_NE(why.find("cuda"), std::string::npos) << why;
  EXPECT_NE(why.find("; "), std::string::npos) << "no remedy in: " << why;
  const Case cables{ElementKind::cable, "plain", {0}};
  try {
    DeviceBatch device(make_cables(cables, 3), TangentForm::symmetric);
    FAIL() << "made a batch on a device that is not there";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("cudaMalloc of"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("NVIDIA GPU"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lithe
