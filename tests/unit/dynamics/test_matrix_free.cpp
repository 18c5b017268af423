// Products without a matrix against the assembled exact tangent: every kind, formulation, law and strategy, everything
// that has no kernel, every treatment of constraints; the same bits on any number of threads, and no memory.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "../allocation_counter.h"
#include "lithe/dynamics/linear_system.h"
#include "lithe/elements/strategies/strategies.h"
#include "support/dynamics.h"
#include "support/messages.h"

namespace lithe {
namespace {

constexpr double c_q = 0.7, c_v = 30, c_a = 4e4, c_g = 0.6, exact = 1e-12;

std::vector<double> random_numbers(std::size_t size, double amount, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> x(size);
  for (double& y : x) y = amount * unit(random);
  return x;
}

// A model at a disturbed state, with its rows there.
struct Fixture {
  System system;
  Workspace work;
  State state;
  Equations equations;

  explicit Fixture(const Model& model, int threads = 1)
      : system(compile(model)),
        work(system, threads),
        state(system.initial_state()),
        equations(system, work, *work.place) {
    const std::vector<double> dz = random_numbers(system.map.size, 1e-3, 1),
                              v = random_numbers(system.map.size, 0.3, 2);
    system.map.prolong(state.slots, dz, 1, state.q);
    system.map.prolong(state.slots, v, 1, state.v);
    state.lambda = random_numbers(system.rows.size(), 50, 3);
    if (!system.rows.empty()) evaluate_constraints(system, state, work);
  }
  // Of the assembled matrix: its image of x, and its largest entry.
  std::vector<double> assembled(const std::vector<double>& x, double rows, double& largest) {
    std::vector<double> values, y;
    evaluate_tangent(system, state, c_q, c_v, work, values, c_a);
    if (!system.rows.empty()) add_constraint_stiffness(system, state, c_g, state.lambda, work, values);
    if (system.has_multipliers()) set_borders(system, work, rows, values);
    largest = 0;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    multiply(system.pattern, values, x, y);
    if (system.rows.empty() || system.has_multipliers()) return y;
    std::vector<double> image(system.rows.size(), 0.0);
    const ConstraintJacobian& J = system.jacobian;
    for (int r = 0; r < system.row_count(); ++r)
      for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) image[r] += work.G[e] * x[J.column[e]];
    add_transposed(system, work.G, rows, image, y);
    return y;
  }
  std::vector<double> product(MatrixFree& map, std::vector<double> x) {
    std::vector<double> y(x.size());
    Array to = Array::view(*work.place, y);
    map.apply(Array::view(*work.place, x), to);
    return y;
  }
  std::vector<double> product(const std::vector<double>& x, double rows) {
    MatrixFree map(equations);
    map.linearise(state, c_q, c_v, c_a, c_g, true);
    if (!system.rows.empty()) map.set_rows(equations.G, rows);
    return product(map, x);
  }
};

// `reference` has the exact tangent; the unknowns are the same.
void expect_product(const Model& model, const Model& reference, const std::string& what) {
  Fixture f(model), r(reference);
  ASSERT_EQ(f.system.pattern.size, r.system.pattern.size) << what;
  const double rows = f.system.has_multipliers() ? 200.0 : 1e5;
  const std::vector<double> x = random_numbers(f.system.pattern.size, 1, 4), found = f.product(x, rows);
  double largest = 0;
  const std::vector<double> expected = r.assembled(x, rows, largest);
  if (!f.system.rows.empty() && !f.system.has_multipliers()) largest = std::max(largest, rows);
  ASSERT_GT(largest, 0) << what;
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], exact * largest) << what << ", row " << i;
}

class MatrixFreeOfEveryKind : public ::testing::TestWithParam<ElementKind> {};

// Every formulation, strategy and material, with damping by the law, by the mass and by the stiffness; some directions
// held, one of them along an axis of its own.
TEST_P(MatrixFreeOfEveryKind, IsTheExactTangent) {
  const ElementKind kind = GetParam();
  std::vector<std::optional<Formulation>> formulations{std::nullopt};
  if (kind->section_form) formulations = {Formulation::section, Formulation::continuum};
  int products = 0;
  for (const auto formulation : formulations)
    for (const Strategy& strategy : strategies())
      for (const bool orthotropic : {false, true})
        for (const double damping : {0.0, 1e-3}) {
          test::Strip s = test::make_strip(kind, damping, 5);
          if (orthotropic)
            s.model.materials.items[0].second =
                Orthotropic{70e9, 30e9, 20e9, 0.3, 0.2, 0.25, 12e9, 10e9, 9e9, s.density, damping};
          auto& body = std::get<Body>(s.model.bodies.items[0].second);
          body.formulation = formulation;
          body.damping.mass = 0.2;
          body.eta = damping == 0 ? 0 : 2e-4;
          s.model.constraints.add("roller", Fix{test::at("strip", s.start), {Coordinate::position}, {{1, 2, 0.5}}});
          Model reference = s.model;
          reference.tangent = TangentForm::exact;
          for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
            Model model = s.model;
            model.tangent = form;
            model.strategy = strategy.name;
            const std::string what =
                std::string(kind->name) + ", " + strategy.name +
                (formulation ? *formulation == Formulation::section ? ", section" : ", continuum" : "") +
                (orthotropic ? ", orthotropic" : "") + (damping > 0 ? ", damped" : "");
            try {
              compile(model);
              compile(reference);
            } catch (const InputError&) {
              continue;  // not for this kind
            }
            expect_product(model, reference, what);
            ++products;
          }
        }
  EXPECT_GE(products, 4);
}

INSTANTIATE_TEST_SUITE_P(Dynamics, MatrixFreeOfEveryKind, ::testing::ValuesIn([] {
                           std::vector<ElementKind> kinds;
                           for (const ElementKind kind : element_registry()) kinds.push_back(kind);
                           return kinds;
                         }()),
                         [](const auto& kind) { return std::string(element_info(kind.param).name); });

// A shell of layers with laws of their own, by points and by resultants.
TEST(MatrixFree, OfLayersThatAreDampedByThemselves) {
  for (const Formulation formulation : {Formulation::section, Formulation::continuum}) {
    test::Strip s = test::make_strip(ElementKind::shell3443, 1e-3, 5);
    s.model.materials.add("other", Orthotropic{30e9, 3e9, 3e9, 0.3, 0.2, 0.25, 2e9, 2e9, 1e9, 1500, 4e-3});
    s.model.materials.add("stiff", Isotropic{200e9, 0.3, 7800, 0});
    s.model.sections.items[0].second = Layered{{{0.001, 30, "other"}, {0.002, 0, "metal"}, {0.001, -20, "stiff"}}};
    std::get<Body>(s.model.bodies.items[0].second).formulation = formulation;
    Model reference = s.model;
    reference.tangent = TangentForm::exact;
    expect_product(s.model, reference, "layers");
  }
}

// Springs, a moment, a temperature, a rigid body that has mass alone, and rows whose multipliers have a stiffness.
Model mixture(Treatment treatment, double damping) {
  Model model = test::pendulum(ElementKind::beam3243, 4, damping);
  std::get<Isotropic>(model.materials.items[0].second).expansion = 1e-5;
  const Model chain = test::chain(3, treatment);
  model.bodies.add("chain", chain.bodies.items[0].second);
  model.treatment = treatment;
  model.loads.add("turn", PointMoment{test::at("strip", "end"), test::constant(0, 0, 3)});
  model.loads.add("heat", Temperature{"strip", Signal(40.0), Signal(0.0), Signal(0.0)});
  model.springs.add("spring", Spring{test::at("strip", "end"), test::at_node("chain", 3), 200, 3, {}, Signal(2.0)});
  return model;
}

TEST(MatrixFree, OfWhatHasNoKernelAndOfRows) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    for (const double damping : {0.0, 0.01}) {
      const Model model = mixture(treatment, damping);
      Model reference = model;
      reference.tangent = TangentForm::exact;
      Fixture f(model);
      EXPECT_GT(f.system.row_count(), 0);
      EXPECT_GT(f.system.springs.count(), 0);
      EXPECT_GT(f.work.plain_mass.size(), 0u);
      expect_product(model, reference, std::string("mixture, ") + word(treatment));
    }
}

TEST(MatrixFree, OfAPressure) {
  test::Strip s = test::make_strip(ElementKind::shell3443, 1e-3, 5);
  s.model.tangent = TangentForm::exact;  // else the assembled part is its symmetric one
  s.model.loads.add("pressure", Pressure{test::at("strip", "top"), Signal(2e5)});
  expect_product(s.model, s.model, "pressure");
}

TEST(MatrixFree, SameBitsOnAnyNumberOfThreads) {
  for (const ElementKind kind : element_registry()) {
    const test::Strip s = test::make_strip(kind, 1e-3, 1501);
    Fixture one(s.model, 1), two(s.model, 2), three(s.model, 3);
    const std::vector<double> x = random_numbers(one.system.map.size, 1, 5);
    const std::vector<double> expected = one.product(x, 0);
    for (int repeat = 0; repeat < 3; ++repeat) {
      EXPECT_EQ(two.product(x, 0), expected) << kind->name;
      EXPECT_EQ(three.product(x, 0), expected) << kind->name;
    }
  }
}

TEST(MatrixFree, TakesNoMemoryAfterTheFirstProduct) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP();
  Fixture f(mixture(Treatment::lagrange, 0.01));
  MatrixFree map(f.equations);
  std::vector<double> x = random_numbers(f.system.pattern.size, 1, 6), y(x.size());
  const Array from = Array::view(*f.work.place, x);
  Array to = Array::view(*f.work.place, y);
  const auto go = [&] {
    map.linearise(f.state, c_q, c_v, c_a, c_g, true);
    map.set_rows(f.equations.G, 3);
    map.apply(from, to);
  };
  go();
  const fixtures::AllocationCounter counter;
  for (int repeat = 0; repeat < 3; ++repeat) go();
  EXPECT_EQ(counter.taken(), 0);
}

// The tangent is assembled where a preconditioner is made, and where one that was kept does not serve.
TEST(MatrixFree, CorrectionsSolveTheEquationsOfTheExactTangent) {
  for (const bool serves : {true, false})
    for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
      const std::string what = std::string(word(treatment)) + (serves ? ", kept" : ", fails");
      Fixture f(mixture(treatment, serves ? 0.01 : 0));
      LadderOptions options{.solver = "gmres"};
      options.krylov.product = KrylovOperator::matrix_free;
      options.krylov.preconditioner = serves ? PreconditionerKind::factor : PreconditionerKind::jacobi;
      options.krylov.iterations = serves ? 200 : 1;
      options.krylov.update = PreconditionerUpdate::never;
      options.krylov.tolerance = {KrylovTolerance::Rule::given, 1e-12};
      Phases phases;
      LinearSystem linear(f.equations, options, phases);
      linear.measure_mass();
      const std::vector<double>& values = linear.evaluate(f.state, c_q, c_v, c_a, c_g, true);
      ASSERT_TRUE(linear.factor()) << what << ": " << linear.why();
      const std::vector<double> made = values;
      for (double& q : f.state.q) q *= 1.001;
      for (double& v : f.state.v) v *= 0.9;
      evaluate_constraints(f.system, f.state, f.work);
      evaluate_internal(f.system, f.state, f.work);
      linear.evaluate(f.state, c_q, c_v, c_a, c_g, true);
      ASSERT_TRUE(linear.factor()) << what;
      EXPECT_EQ(values, made) << what;
      EXPECT_EQ(linear.report().updates, 1) << what;
      EXPECT_EQ(linear.report().kept, 1) << what;
      std::vector<double> residual = random_numbers(f.system.map.size, 1, 7);
      std::vector<double> c = random_numbers(f.system.rows.size(), 1e-3, 8);
      std::vector<double> dz(f.system.map.size), dy(f.system.rows.size());
      Array z = Array::view(*f.work.place, dz), y = Array::view(*f.work.place, dy);
      const std::vector<double> G = f.work.G, internal = f.work.internal;
      ASSERT_TRUE(linear.correct(Array::view(*f.work.place, residual), Array::view(*f.work.place, c), 1e-12, z, y));
      EXPECT_EQ(f.work.G, G) << what;
      EXPECT_EQ(f.work.internal, internal) << what;
      EXPECT_EQ(linear.report().fallbacks > 0, !serves) << what;
      EXPECT_EQ(linear.report().remade, serves ? 0 : 1) << what;
      EXPECT_EQ(values == made, serves) << what;
      // What is left, by a map without borders and penalties.
      MatrixFree map(f.equations);
      map.linearise(f.state, c_q, c_v, c_a, c_g, true);
      std::vector<double> x = dz;
      x.resize(f.system.pattern.size, 0.0);
      std::vector<double> left = f.product(map, x);
      add_transposed(f.system, f.work.G, c_g, dy, left);
      for (int i = 0; i < f.system.map.size; ++i) EXPECT_NEAR(left[i] + residual[i], 0, 1e-7) << what;
    }
}

TEST(MatrixFree, SymmetricMethodsSayThatDampingNeedsTheMatrix) {
  for (const char* solver : {"cg", "minres", "projected_minres", "gmres", "bicgstab2"})
    for (const double damping : {0.0, 0.01}) {
      Model model = test::pendulum(ElementKind::cable, 4, damping);
      DynamicAnalysis analysis;
      analysis.solver = solver;
      analysis.krylov.product = KrylovOperator::matrix_free;
      model.analysis = {analysis};
      const System system = compile(model);
      const bool refused = damping > 0 && solver[0] != 'g' && solver[0] != 'b';
      const std::string message = refused ? message_of<InputError>([&] { require_solver(system); }) : "";
      if (!refused) require_solver(system);
      EXPECT_EQ(message.find("use 'operator: assembled'") != std::string::npos, refused) << solver << ": " << message;
    }
}

// A kernel of somebody's own that has no products.
class Bare final : public BatchKernel {
 public:
  int width() const override { return 1; }
  int vectors() const override { return 4; }
  int packs() const override { return 4; }
  TangentForm form() const override { return TangentForm::symmetric; }
  std::size_t scratch_doubles() const override { return 0; }
  std::size_t stored_bytes() const override { return 0; }
  double force_flops() const override { return 0; }
  double tangent_flops() const override { return 0; }
  void force(int, const double*, const double*, double*, double*, double*) const override {}
  void tangent(int, const double*, const double*, double, double, double*, const double*, double*) const override {}
};

TEST(MatrixFree, AKernelWithoutProductsNeedsTheMatrix) {
  System system = compile(test::pendulum(ElementKind::cable, 4));
  require_products(system, "gmres");
  system.batches[0].kernel = std::make_unique<Bare>();
  const std::string message = message_of<InputError>([&] { require_products(system, "gmres"); });
  EXPECT_NE(message.find("body 'strip' has elements that cannot be multiplied without their matrix"), std::string::npos)
      << message;
  EXPECT_NE(message.find("use 'operator: assembled'"), std::string::npos) << message;
}

}  // namespace
}  // namespace lithe
