// Strategy `batched` against its plain twin: force, both forms of the tangent, layers, damping, padding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lithe/base/dual.h"
#include "lithe/elements/beam3243/resultant_tangent.h"
#include "lithe/elements/beam3243/section.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/elements/hexa3843/section.h"
#include "lithe/elements/quadrature.h"
#include "lithe/elements/section_flops.h"
#include "lithe/elements/section_kernel.h"
#include "lithe/elements/shell3443/resultant_tangent.h"
#include "lithe/elements/shell3443/section.h"
#include "lithe/elements/strategies/batched.h"

namespace lithe {
namespace {

struct Case {
  const char* name;
  ElementKind kind;
  std::vector<double> tau;  // one law each
  int layers = 1;
};

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

// A box with nodal gradients along its edges, then bent and twisted by a random smooth perturbation of every vector.
ContinuumBatch make_batch(const Case& c, int elements) {
  ContinuumBatch batch;
  batch.kind = c.kind;
  batch.elements = elements;
  for (std::size_t k = 0; k < c.tau.size(); ++k) batch.laws.push_back(law(1.0 + 0.5 * double(k), c.tau[k]));
  const int last = int(c.tau.size()) - 1;
  if (c.kind == ElementKind::beam3243) {
    add_rule(batch, 3, 2, 2, -1, 1, 0, 0);
    add_rule(batch, c.layers > 1 ? 2 : 3, 1, 1, -1, 1, last, 0);
  } else if (c.kind == ElementKind::shell3443) {
    for (int k = 0; k < c.layers; ++k)
      add_rule(batch, 4, 4, 2, -1 + 2.0 * k / c.layers, -1 + 2.0 * (k + 1) / c.layers, std::min(k, last), 0.4 * k);
  } else {
    add_rule(batch, c.layers > 1 ? 3 : 4, 4, 4, -1, 1, 0, 0.3);
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  with_kind(c.kind, [&](auto kind) {
    using Kind = decltype(kind);
    for (int e = 0; e < elements; ++e) {
      const double half[3] = {0.6 + 0.2 * uniform(random), 0.5 + 0.1 * uniform(random), 0.3 + 0.1 * uniform(random)};
      batch.half_size.insert(batch.half_size.end(), half, half + 3);
      for (int n = 0; n < Kind::nodes; ++n)
        for (int i = 0; i < 4; ++i)
          for (int m = 0; m < 3; ++m) {
            const double straight = i == 0 ? half[m] * Kind::corner[n][m] : (i - 1 == m ? 1.0 : 0.0);
            batch.reference.push_back(straight + 0.08 * uniform(random));
          }
    }
  });
  return batch;
}

using Aligned = std::unique_ptr<double[], decltype(&std::free)>;
Aligned aligned(std::size_t n) {
  auto* p = static_cast<double*>(std::aligned_alloc(64, (n * sizeof(double) + 63) / 64 * 64));
  std::fill(p, p + n, std::nan(""));
  return {p, &std::free};
}

struct State {
  std::vector<double> e, v;  // [element][N][3]
};
State random_state(const ContinuumBatch& batch) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  State s;
  for (double r : batch.reference) {
    s.e.push_back(r + 0.1 * uniform(random));
    s.v.push_back(uniform(random));
  }
  return s;
}

class Batched : public testing::TestWithParam<Case> {
 protected:
  // Coordinates of a pack, padding lanes repeating the last element.
  void gather(const BatchKernel& kernel, int pack, const std::vector<double>& from, double* to) {
    const int W = kernel.width(), n = 3 * kernel.vectors();
    const int elements = int(from.size()) / n;
    for (int lane = 0; lane < W; ++lane)
      for (int k = 0; k < n; ++k) to[k * W + lane] = from[std::size_t(std::min(pack * W + lane, elements - 1)) * n + k];
  }
};

TEST_P(Batched, ForceEqualsPlainTwin) {
  const ContinuumBatch batch = make_batch(GetParam(), 11);
  const State state = random_state(batch);
  const auto kernel = make_batched_kernel(batch, TangentForm::symmetric);
  const int W = kernel->width(), n = 3 * kernel->vectors();
  ASSERT_EQ(kernel->packs(), (11 + W - 1) / W);
  auto e = aligned(n * W), v = aligned(n * W), f = aligned(n * W), scratch = aligned(kernel->scratch_doubles());
  std::vector<double> plain(n);
  for (int pack = 0; pack < kernel->packs(); ++pack) {
    gather(*kernel, pack, state.e, e.get());
    gather(*kernel, pack, state.v, v.get());
    kernel->force(pack, e.get(), v.get(), f.get(), nullptr, scratch.get());
    for (int lane = 0; lane < W; ++lane) {
      const int element = std::min(pack * W + lane, batch.elements - 1);
      plain_force<double>(batch, element, &state.e[std::size_t(element) * n], &state.v[std::size_t(element) * n],
                          plain.data());
      double size = 0;
      for (double x : plain) size = std::max(size, std::abs(x));
      for (int k = 0; k < n; ++k) ASSERT_NEAR(f[k * W + lane], plain[k], 1e-12 * size) << "coordinate " << k;
    }
  }
}

TEST_P(Batched, TangentEqualsDualDerivative) {
  const double c_q = 0.7, c_v = 1.9;
  const ContinuumBatch batch = make_batch(GetParam(), 5);
  const State state = random_state(batch);
  for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    const auto kernel = make_batched_kernel(batch, form);
    const int W = kernel->width(), N = kernel->vectors(), n = 3 * N, pack = kernel->packs() - 1;
    const int lane = (batch.elements - 1) % W, element = batch.elements - 1;
    auto e = aligned(n * W), v = aligned(n * W), scratch = aligned(kernel->scratch_doubles());
    auto K = aligned(std::size_t(tangent_blocks(N, form)) * 9 * W);
    gather(*kernel, pack, state.e, e.get());
    gather(*kernel, pack, state.v, v.get());
    kernel->tangent(pack, e.get(), v.get(), c_q, c_v, K.get(), nullptr, scratch.get());

    std::vector<double> exact(n * n);
    std::vector<Dual> de(n), dv(n), df(n);
    double size = 0;
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < n; ++i) {
        de[i] = {state.e[std::size_t(element) * n + i], i == k ? c_q : 0};
        dv[i] = {state.v[std::size_t(element) * n + i], i == k ? c_v : 0};
      }
      plain_force<Dual>(batch, element, de.data(), dv.data(), df.data());
      for (int i = 0; i < n; ++i) {
        exact[i * n + k] = df[i].d;
        size = std::max(size, std::abs(df[i].d));
      }
    }
    for (int i = 0; i < N; ++i)
      for (int j = form == TangentForm::symmetric ? i : 0; j < N; ++j)
        for (int m = 0; m < 3; ++m)
          for (int k = 0; k < 3; ++k) {
            const int row = 3 * i + m, column = 3 * j + k;
            const double expected = form == TangentForm::exact
                                        ? exact[row * n + column]
                                        : 0.5 * (exact[row * n + column] + exact[column * n + row]);
            const int block = form == TangentForm::symmetric ? symmetric_block(N, i, j) : i * N + j;
            const double* value = K.get() + (std::size_t(block) * 9 + 3 * m + k) * W;
            ASSERT_NEAR(value[lane], expected, 1e-12 * size) << "row " << row << " column " << column;
            for (int pad = lane + 1; pad < W; ++pad) ASSERT_EQ(value[pad], value[lane]);
          }
  }
}

TEST_P(Batched, StoresLessThanStrategyC) {
  const ContinuumBatch batch = make_batch(GetParam(), 1024);
  const auto kernel = make_batched_kernel(batch, TangentForm::symmetric);
  const std::size_t c_bytes = (3 * kernel->vectors() + 1) * batch.points.size() * 8;
  EXPECT_LT(kernel->stored_bytes() / batch.elements, c_bytes / 2);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Batched,
    testing::Values(Case{"beam", ElementKind::beam3243, {0}}, Case{"beam_damped", ElementKind::beam3243, {0.1, 0.3}},
                    Case{"beam_other_axis_rule", ElementKind::beam3243, {0, 0.2}, 2},
                    Case{"shell", ElementKind::shell3443, {0}}, Case{"shell_damped", ElementKind::shell3443, {0.2}},
                    Case{"shell_layers", ElementKind::shell3443, {0.2, 0, 0.1}, 3},
                    Case{"hexa", ElementKind::hexa3843, {0}}, Case{"hexa_damped", ElementKind::hexa3843, {0.2}, 2}),
    [](const auto& c) { return std::string(c.param.name); });

// A scalar that counts the operations done on it.
struct Counted {
  static long operations;
  double value = 0;
  Counted() = default;
  Counted(double v) : value(v) {}
  friend Counted operator+(const Counted& a, const Counted& b) { return ++operations, Counted(a.value + b.value); }
  friend Counted operator-(const Counted& a, const Counted& b) { return ++operations, Counted(a.value - b.value); }
  friend Counted operator*(const Counted& a, const Counted& b) { return ++operations, Counted(a.value * b.value); }
  friend Counted operator-(const Counted& a) { return Counted(-a.value); }
  Counted& operator+=(const Counted& b) { return *this = *this + b; }
  Counted& operator-=(const Counted& b) { return *this = *this - b; }
  friend Counted operator/(const Counted& a, const Counted& b) { return ++operations, Counted(a.value / b.value); }
  friend Counted root(const Counted& a) { return ++operations, Counted(std::sqrt(a.value)); }
};
long Counted::operations = 0;

// One section, one line, one fibre of weight one: enough to count with.
template <class Kind>
struct OnePoint {
  using Scheme = SectionScheme<Kind>;
  int ends[2] = {0, 1}, rule[1] = {0};
  Law stiffness = law(1, 0.1);
  std::vector<double> ones = std::vector<double>(1000, 1.0);
  SectionPlan plan;
  OnePoint() {
    plan.sections = plan.lines = plan.fibres = plan.max_section_lines = plan.max_line_fibres = 1;
    plan.section_line = plan.line_fibre = ends;
    plan.line_rule = plan.fibre_rule = rule;
    plan.fibre_law = &stiffness;
    plan.weights = plan.line_values = plan.line_products = plan.fibre_values = plan.fibre_products = ones.data();
  }
};

// Data are plain doubles for this scalar, so what is done on them alone goes uncounted (uncounted).
template <class Kind, bool damped>
void expect_counted_force(double tau, int uncounted) {
  OnePoint<Kind> point;
  point.plan.tau = tau;
  using Sizes = SectionSizes<SectionScheme<Kind>>;
  std::vector<Counted> e(3 * Kind::N, 1.0), f(3 * Kind::N), scratch(Sizes::force_scratch(point.plan));
  const double* ones = point.ones.data();
  Counted::operations = 0;
  section_force<Kind, damped, Counted>(point.plan, ones, ones, e.data(), e.data(), f.data(), scratch.data());
  EXPECT_EQ(Counted::operations + uncounted, (section_force_flops<Kind, damped>(point.plan)))
      << Kind::name << ", tau " << tau;
}

template <class Kind, bool damped, bool symmetric>
void expect_counted_tangent() {
  const OnePoint<Kind> point;
  using Sizes = SectionSizes<SectionScheme<Kind>>;
  constexpr int n = 3 * Kind::N;
  const TangentForm form = symmetric ? TangentForm::symmetric : TangentForm::exact;
  std::vector<Counted> e(n, 1.0), K(9 * tangent_blocks(Kind::N, form));
  std::vector<Counted> scratch(Sizes::tangent_scratch(point.plan, symmetric));
  const double* ones = point.ones.data();
  Counted::operations = 0;
  section_tangent<Kind, damped, symmetric, Counted>(point.plan, ones, ones, e.data(), e.data(), 1, 1, K.data(),
                                                    scratch.data());
  // The law's constants times the volume.
  EXPECT_EQ(Counted::operations + 13, (section_tangent_flops<Kind, damped, symmetric>(point.plan))) << Kind::name;
}

template <bool damped>
void expect_counted_resultants() {
  const std::vector<double> numbers(std::max<int>(ShellNumbers::count, BeamNumbers::count), 1.0);
  Vec3<Counted> x[8], v[8], f[8];
  for (int i = 0; i < 8; ++i)
    for (int m = 0; m < 3; ++m) x[i][m] = v[i][m] = std::sin(3.0 * i + m);
  std::vector<Counted> K(24 * 24);
  Counted::operations = 0;
  beam_resultant_force<damped, Counted>(numbers.data(), 0.1, x, v, f);
  EXPECT_EQ(Counted::operations, beam_force_flops(damped));
  Counted::operations = 0;
  beam_resultant_tangent<damped, Counted>(numbers.data(), 0.1, x, v, 1, 1, K.data());
  EXPECT_EQ(Counted::operations, beam_tangent_flops(damped));

  const ShellShapes shapes{};
  std::vector<Counted> e(48, 1.0), g(48), S(9 * 256), scratch(shell_tangent_scratch);
  const double tau = 0.1, half[3] = {1, 1, 1};
  Counted::operations = 0;
  shell_resultant_force<damped, Counted>(shapes, 1, &tau, numbers.data(), half, e.data(), e.data(), g.data());
  EXPECT_EQ(Counted::operations, shell_force_flops(damped));
  Counted::operations = 0;
  shell_resultant_tangent<damped, true, Counted>(shapes, 1, &tau, numbers.data(), half, e.data(), e.data(), 1, 1,
                                                 S.data(), scratch.data());
  EXPECT_EQ(Counted::operations, shell_tangent_flops(damped, true));
  if (!damped) return;
  Counted::operations = 0;
  shell_resultant_tangent<damped, false, Counted>(shapes, 1, &tau, numbers.data(), half, e.data(), e.data(), 1, 1,
                                                  S.data(), scratch.data());
  EXPECT_EQ(Counted::operations, shell_tangent_flops(damped, false));
}

TEST(Resultants, FlopsAreWhatTheKernelsDo) {
  expect_counted_resultants<false>();
  expect_counted_resultants<true>();
}

TEST(SectionKernel, FlopFormulaCountsWhatTheKernelDoes) {
  for (double tau : {-1.0, 0.1}) {  // laws that differ, one tau for all
    expect_counted_force<Beam3243, true>(tau, 0);
    expect_counted_force<Shell3443, true>(tau, 3);  // the half sizes' factors
    expect_counted_force<Hexa3843, true>(tau, 0);
  }
  expect_counted_force<Beam3243, false>(-1, 0);
  expect_counted_force<Shell3443, false>(-1, 3);
  expect_counted_tangent<Beam3243, false, true>();
  expect_counted_tangent<Beam3243, true, true>();
  expect_counted_tangent<Beam3243, true, false>();
}

// One source for all scalars: with Dual the force kernel differentiates itself and gives a column of the tangent.
TEST(SectionKernel, DifferentiatesItself) {
  const OnePoint<Beam3243> point;
  using Sizes = SectionSizes<SectionScheme<Beam3243>>;
  constexpr int n = 3 * Beam3243::N, column = 7;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> geometry(10), e(n), v(n), K(9 * Beam3243::N * Beam3243::N);
  for (auto* x : {&geometry, &e, &v})
    for (double& a : *x) a = uniform(random);
  const double half[3] = {0.5, 0.7, 0.9};
  std::vector<double> scratch(Sizes::tangent_scratch(point.plan, false));
  section_tangent<Beam3243, true, false, double>(point.plan, geometry.data(), half, e.data(), v.data(), 0.7, 1.9,
                                                 K.data(), scratch.data());
  std::vector<Dual> de(e.begin(), e.end()), dv(v.begin(), v.end()), df(n), dual(Sizes::force_scratch(point.plan));
  de[column].d = 0.7;
  dv[column].d = 1.9;
  section_force<Beam3243, true, Dual>(point.plan, geometry.data(), half, de.data(), dv.data(), df.data(), dual.data());
  double size = 0;
  for (const Dual& x : df) size = std::max(size, std::abs(x.d));
  for (int row = 0; row < n; ++row)
    EXPECT_NEAR(K[((row / 3) * Beam3243::N + column / 3) * 9 + 3 * (row % 3) + column % 3], df[row].d, 1e-13 * size);
}

}  // namespace
}  // namespace lithe
