// Dynamics against laws of physics: energy, momentum, dissipation, a consistent start, P4's four-bar linkages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "lithe/system/mass.h"
#include "support/dynamics.h"

namespace lithe {
namespace {

using namespace test;

// ---- energy ----

// Largest deviation of the energy of a linkage from its start, over the kinetic energy it reaches.
double energy_drift(const Model& model, const DynamicAnalysis& options) {
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  double start = 0, drift = 0, kinetic = 0;
  const DynamicReport report = simulate(system, options, state, work, [&](const State& s, const DynamicStep& step) {
    const double T = kinetic_energy(system, s), E = T + height_energy(system, s);
    if (step.step == 0) start = E;
    kinetic = std::max(kinetic, T);
    drift = std::max(drift, std::abs(E - start));
    return true;
  });
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.fallbacks, 0);
  return drift / kinetic;
}

TEST(Energy, DriftOfAFallingChainIsOfSecondOrder) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::augmented})
    for (const Integrator integrator : {Integrator::trapezoidal, Integrator::newmark}) {
      std::vector<MotionError> errors;
      for (const double h : {2e-3, 1e-3, 5e-4}) {
        DynamicAnalysis d = tight(integrator, h, 1);
        d.projection = true;
        const double drift = energy_drift(chain(2, treatment), d);
        errors.push_back({drift, drift});
      }
      EXPECT_NEAR(observed_order(errors).q, 2, 0.15) << word(treatment) << " " << word(integrator);
      EXPECT_LT(errors[1].q, 1e-4);
    }
}

// A beam flying freely, turning and bending: no loads, no constraints, no damping.
Model flying_beam() {
  Model model = pendulum(ElementKind::beam3243, 4, 0);
  model.materials.items[0].second = Isotropic{4e4, 0.3, 1000, 0};  // steps resolve the modes of the section too
  model.constraints = {};
  model.loads = {};
  InitialVelocity v;
  v.on.body = "strip";
  v.velocity = {SpaceFunction(1), SpaceFunction::expression("2*sin(6*x)"), SpaceFunction(0.5)};
  v.angular_velocity = {3, -5, 8};
  v.center = {0.25, 0, 0};
  model.initial_velocities.add("throw", v);
  return model;
}

struct Momenta {
  Vec3<double> linear{}, angular{};
};

// A displacement of all positions, or a rotation of all coordinate vectors, moves the body rigidly: what is conjugate
// to them are the sums of M v over positions and of q x M v over all vectors.
Momenta momenta(const System& system, const MassMatrix& mass, const State& state) {
  std::vector<double> p(state.v.size(), 0.0);
  mass.add_product(1, state.v, p);
  Momenta m;
  for (const BodyInfo& body : system.bodies)
    for (int node = 0; node < body.mesh.node_count(); ++node)
      for (int k = 0; k < body.node_vectors; ++k) {
        const std::size_t i = 3ul * body.vector(node, k);
        const Vec3<double> q{{state.q[i], state.q[i + 1], state.q[i + 2]}}, mv{{p[i], p[i + 1], p[i + 2]}};
        if (k == 0) m.linear = m.linear + mv;
        m.angular = m.angular + cross(q, mv);
      }
  return m;
}

double size(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

TEST(Momentum, OfAFlyingBeam) {
  const Model model = flying_beam();
  std::vector<MotionError> errors;  // of angular momentum, of energy
  for (const double h : {5e-4, 2.5e-4, 1.25e-4}) {
    const System system = compile(model);
    const MassMatrix mass(system);
    Workspace work(system, 1);
    State state = system.initial_state();
    Momenta start;
    double energy = 0, turned = 0, drift = 0, linear = 0;
    const DynamicReport report = simulate(
        system, tight(Integrator::trapezoidal, h, 0.25), state, work, [&](const State& s, const DynamicStep& step) {
          const Momenta now = momenta(system, mass, s);
          const double E = kinetic_energy(system, s) + strain_energy(system, s);
          if (step.step == 0) {
            start = now;
            energy = E;
          }
          linear = std::max(linear, size(now.linear - start.linear) / size(start.linear));
          turned = std::max(turned, size(now.angular - start.angular) / size(start.angular));
          drift = std::max(drift, std::abs(E - energy) / energy);
          return true;
        });
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_GT(strain_energy(system, state), 1e-3 * energy);
    EXPECT_LT(linear, 1e-10);  // Newton's tolerance: the sum of all residuals
    errors.push_back({turned, drift});
  }
  EXPECT_NEAR(observed_order(errors).q, 2, 0.15);
  EXPECT_NEAR(observed_order(errors).v, 2, 0.15);
  EXPECT_LT(errors.back().q, 1e-3);
  EXPECT_LT(errors.back().v, 1e-3);
}

// ---- dissipation ----

struct Choice {
  const char* name;
  Integrator integrator;
  double alpha = 0, radius = 1;
};

// Energy after `steps` steps over the one at the start, and the largest one on the way.
struct EnergyLeft {
  double end = 0, largest = 0;
};

template <class Potential>
EnergyLeft energy_left(const Model& model, const Choice& c, double h, int steps, Potential potential) {
  const System system = compile(model);
  Workspace work(system, 1);
  State state = system.initial_state();
  DynamicAnalysis d = tight(c.integrator, h, h * steps);
  d.alpha = c.alpha;
  d.spectral_radius = c.radius;
  EnergyLeft left;
  double start = 0;
  const DynamicReport report = simulate(system, d, state, work, [&](const State& s, const DynamicStep& step) {
    const double E = kinetic_energy(system, s) + strain_energy(system, s) + potential(system, s);
    if (step.step == 0) start = E;
    left.end = E / start;
    left.largest = std::max(left.largest, E / start);
    return true;
  });
  EXPECT_TRUE(report.ok()) << c.name << ": " << report.message;
  EXPECT_EQ(report.fallbacks, 0) << c.name;
  return left;
}

TEST(Dissipation, OfFrequenciesThatTheStepDoesNotResolve) {
  // Waves along a taut undamped cable: periods of the elements are a tenth of the step and less.
  Model model = pendulum(ElementKind::cable, 4, 0);
  model.materials.items[0].second = Isotropic{1e9, 0.3, 1000, 0};
  model.loads = {};
  model.constraints = {};
  model.constraints.add("root", Clamp{at("strip", "start")});
  InitialVelocity v;
  v.on = at("strip", "end");
  v.velocity = {SpaceFunction(1e-3), SpaceFunction(0), SpaceFunction(0)};
  model.initial_velocities.add("knock", v);
  const Choice choices[] = {{"newmark(1/4, 1/2)", Integrator::newmark},
                            {"generalized_alpha(1)", Integrator::generalized_alpha, 0, 1},
                            {"hht(-0.05)", Integrator::hht, -0.05},
                            {"hht(-0.3)", Integrator::hht, -0.3},
                            {"generalized_alpha(0.8)", Integrator::generalized_alpha, 0, 0.8},
                            {"generalized_alpha(0.5)", Integrator::generalized_alpha, 0, 0.5},
                            {"generalized_alpha(0)", Integrator::generalized_alpha, 0, 0},
                            {"backward_euler", Integrator::backward_euler}};
  std::vector<double> left;
  for (const Choice& c : choices) {
    const EnergyLeft e = energy_left(model, c, 2e-3, 50, [](const System&, const State&) { return 0.0; });
    left.push_back(e.end);
  }
  EXPECT_NEAR(left[0], 1, 1e-3);
  EXPECT_NEAR(left[1], 1, 1e-3);
  EXPECT_LT(left[2], 1e-2);
  EXPECT_LT(left[3], left[2]);
  EXPECT_LT(left[5], left[4]);
  EXPECT_LT(left[7], 1e-12);
}

TEST(Dissipation, EnergyOfAStiffCablePendulumNeverGrows) {
  Model model = pendulum(ElementKind::cable, 6, 0);
  model.materials.items[0].second = Isotropic{1e8, 0.3, 1000, 0};
  const double line_mass = 1000 * std::numbers::pi * 1e-4, g = 9.80665;
  const auto potential = [&](const System& system, const State& s) {
    // Hermite functions: the mean height of an element is that of its nodes, plus L/12 of the difference of slopes.
    const BodyInfo& body = system.bodies[0];
    const double L = 0.5 / 6;
    double sum = 0.5 * line_mass * g * 0.5;  // from the lowest place it can have
    for (int e = 0; e < 6; ++e) {
      const std::size_t a = 3ul * body.vector(e, 0) + 2, b = 3ul * body.vector(e + 1, 0) + 2;
      sum += line_mass * g * L * (0.5 * (s.q[a] + s.q[b]) + L / 12 * (s.q[a + 3] - s.q[b + 3]));
    }
    return sum;
  };
  const Choice choices[] = {{"hht(-0.1)", Integrator::hht, -0.1},
                            {"hht(-0.3)", Integrator::hht, -0.3},
                            {"generalized_alpha(0.5)", Integrator::generalized_alpha, 0, 0.5},
                            {"generalized_alpha(0)", Integrator::generalized_alpha, 0, 0},
                            {"backward_euler", Integrator::backward_euler}};
  std::vector<double> left;
  for (const Choice& c : choices) {
    const EnergyLeft e = energy_left(model, c, 1e-3, 600, potential);
    EXPECT_LT(e.largest, 1 + 1e-5) << c.name;
    left.push_back(e.end);
  }
  for (std::size_t k = 0; k + 1 < left.size(); ++k) EXPECT_LT(left.back(), left[k]);  // backward Euler takes most
}

// ---- a consistent start ----

// Dense matrices over the unknowns.
struct Dense {
  Eigen::MatrixXd M, G;
};

Dense dense(const System& system, const State& state, Workspace& work) {
  const MassMatrix mass(system);
  Dense d{Eigen::MatrixXd::Zero(system.map.size, system.map.size),
          Eigen::MatrixXd::Zero(system.row_count(), system.map.size)};
  std::vector<double> unit(system.map.size, 0.0), column, reduced;
  for (int i = 0; i < system.map.size; ++i) {
    unit.assign(system.map.size, 0.0);
    unit[i] = 1;
    std::vector<double> x(system.q0.size(), 0.0), y(system.q0.size(), 0.0);
    system.map.prolong({}, unit, 1, x);
    mass.add_product(1, x, y);
    system.map.restrict({}, y, reduced);
    for (int j = 0; j < system.map.size; ++j) d.M(j, i) = reduced[j];
  }
  evaluate_constraints(system, state, work);
  const ConstraintJacobian& J = system.jacobian;
  for (int r = 0; r < system.row_count(); ++r)
    for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e) d.G(r, J.column[e]) = work.G[e];
  return d;
}

// M x + G^T y = f, G x = g.
std::pair<Eigen::VectorXd, Eigen::VectorXd> solve_saddle(const Dense& d, const Eigen::VectorXd& f,
                                                         const Eigen::VectorXd& g) {
  const Eigen::Index n = d.M.rows(), m = d.G.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = d.M;
  A.topRightCorner(n, m) = d.G.transpose();
  A.bottomLeftCorner(m, n) = d.G;
  Eigen::VectorXd b(n + m);
  b << f, g;
  const Eigen::VectorXd x = A.fullPivLu().solve(b);
  return {x.head(n), x.tail(m)};
}

// Three bars that start with velocities no bars can have; a cable and a rigid body hang on them.
Model bad_start(Treatment treatment) {
  Model model = chain(3, treatment);
  for (int n = 1; n <= 3; ++n) {
    InitialVelocity v;
    v.on = at_node("chain", n);
    v.velocity = {SpaceFunction(0.3 * n), SpaceFunction(1.0 - 0.7 * n), SpaceFunction(0)};
    model.initial_velocities.add("v" + std::to_string(n), v);
  }
  model.loads.add("push", PointForce{at_node("chain", 2), constant(3, -1, 0)});
  RigidBody rigid;
  rigid.position = {3.5, 0, 0};
  rigid.mass = 2;
  rigid.inertia = std::vector<double>{0.2, 0.3, 0.4};
  rigid.velocity = {1, 2, 3};
  rigid.angular_velocity = {0.5, -2, 1};
  model.bodies.add("block", rigid);
  At block;
  block.body = "block";
  model.joints.add("ball", Spherical{at_node("chain", 3), block, {}});
  return model;
}

TEST(Start, VelocitiesAreTheNearestAndAccelerationsObeyNewton) {
  std::vector<State> states;
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    const System system = compile(bad_start(treatment));
    Workspace work(system, 1);
    State state = system.initial_state();
    const DynamicAnalysis options;
    const auto stepper = make_stepper(system, options, work);
    stepper->start(state);
    const Dense d = dense(system, state, work);

    // Velocities: M (v - v0) + G^T mu = 0, G v = 0. v0 over the unknowns: what the user gave, where it may move.
    std::vector<double> weighted(state.v.size(), 0.0), reduced;
    MassMatrix(system).add_product(1, system.v0, weighted);
    system.map.restrict({}, weighted, reduced);
    const auto map = [](const std::vector<double>& x) {
      return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    };
    const Eigen::VectorXd nearest = solve_saddle(d, map(reduced), Eigen::VectorXd::Zero(system.row_count())).first;
    std::vector<double> v(state.v.size(), 0.0), dz(nearest.data(), nearest.data() + nearest.size());
    system.map.prolong({}, dz, 1, v);
    EXPECT_LT(largest_difference(v, state.v), 1e-11) << word(treatment);

    // Accelerations and multipliers: M a + F + G^T lambda = 0, second rates zero.
    evaluate_internal(system, state, work);
    evaluate_external(system, state, work);
    std::vector<double> force(state.q.size());
    for (std::size_t i = 0; i < force.size(); ++i) force[i] = work.external[i] - work.internal[i];
    system.map.restrict({}, force, reduced);
    State still = state;
    std::fill(still.a.begin(), still.a.end(), 0.0);
    std::vector<double> curvature, rates;
    constraint_accelerations(system, still, curvature);
    const auto [a, lambda] = solve_saddle(d, map(reduced), -map(curvature));
    std::vector<double> expected(state.a.size(), 0.0);
    dz.assign(a.data(), a.data() + a.size());
    system.map.prolong({}, dz, 1, expected);
    EXPECT_LT(largest_difference(expected, state.a), 1e-9) << word(treatment);
    EXPECT_LT((lambda - map(state.lambda)).cwiseAbs().maxCoeff(), 1e-8) << word(treatment);
    constraint_rates(system, state, rates);
    EXPECT_LT(map(rates).cwiseAbs().maxCoeff(), 1e-11) << word(treatment);
    constraint_accelerations(system, state, rates);
    EXPECT_LT(map(rates).cwiseAbs().maxCoeff(), 1e-9) << word(treatment);
    states.push_back(state);
  }
  for (std::size_t k = 1; k < states.size(); ++k) {
    EXPECT_LT(largest_difference(states[0].v, states[k].v), 1e-11);
    EXPECT_LT(largest_difference(states[0].a, states[k].a), 1e-9);
  }
}

// P0's beam pendulum in the default formulation: the axis starts to turn, the sections rest. Damping makes
// accelerations of that which no step sees; a scheme that weighs them would throw the slopes of short elements about.
TEST(Start, SectionsThatStartAgainstTheAxisMakeNoEnergy) {
  for (const Treatment treatment : {Treatment::eliminate, Treatment::lagrange})
    for (const int elements : {64, 256}) {
      Model model = pendulum(ElementKind::beam3243, elements);
      model.treatment = treatment;
      model.materials.items[0].second = Isotropic{1.6e5, 0, 320, 0.01};
      InitialVelocity swing;
      swing.on.body = "strip";
      swing.velocity = {SpaceFunction(0), SpaceFunction::expression("-8*x"), SpaceFunction(0)};
      swing.gradient_rates = GradientRates::zero;
      model.initial_velocities.add("swing", swing);
      SCOPED_TRACE(fmt::format("{} {}", word(treatment), elements));
      const System system = compile(model);
      Workspace work(system, 1);
      State state = system.initial_state();
      DynamicAnalysis options;
      options.duration = 0.005;
      options.step = 1e-3;
      options.tolerance = 1e-5;
      const DynamicReport report = simulate(system, options, state, work, {});
      ASSERT_TRUE(report.ok()) << report.message;
      EXPECT_GE(report.fallbacks, 1);
      EXPECT_LT(strain_energy(system, state), 1e-2 * report.energy.kinetic_start);
      EXPECT_LT(report.energy.worst, 1e-3 * report.energy.kinetic_start);
    }
}

// ---- P4 ----

// With cranks at the angle phi and couplers that only translate,
//   L = ((n + 1)/3 + n) w^2 / 2 - ((n + 1)/2 + n) g sin(phi).
std::vector<double> four_bar_rates(int n, const std::vector<double>& y) {
  return {y[1], -9.81 * (1.5 * n + 0.5) / ((n + 1) / 3.0 + n) * std::cos(y[0])};
}

class FourBars : public ::testing::TestWithParam<std::tuple<int, Treatment>> {};

TEST_P(FourBars, ThroughSingularPositionsAtSecondOrder) {
  const auto [n, treatment] = GetParam();
  const auto y = runge_kutta([n = n](double, const std::vector<double>& x) { return four_bar_rates(n, x); }, 0,
                             {std::numbers::pi / 2, -1}, 2.5, 50000);
  EXPECT_LT(y[0], -1.5 * std::numbers::pi);  // twice all bars were on one line
  std::vector<MotionError> errors;
  for (const double h : {2.5e-3, 1.25e-3, 6.25e-4}) {
    DynamicAnalysis d = tight(Integrator::trapezoidal, h, 2.5);
    const System system = compile(four_bars(n, treatment));
    Workspace work(system, 1);
    State state = system.initial_state();
    const DynamicReport report = simulate(system, d, state, work, {});
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(report.fallbacks, 0);
    MotionError e;
    for (int i = 0; i <= n; ++i) {
      const std::size_t k = 3ul * (n + 1 + i);
      e.q = std::max({e.q, std::abs(state.q[k] - i - std::cos(y[0])), std::abs(state.q[k + 1] - std::sin(y[0]))});
      e.v = std::max(
          {e.v, std::abs(state.v[k] + y[1] * std::sin(y[0])), std::abs(state.v[k + 1] - y[1] * std::cos(y[0]))});
    }
    errors.push_back(e);
  }
  const MotionError order = observed_order(errors);
  EXPECT_NEAR(order.q, 2, 0.15);
  EXPECT_NEAR(order.v, 2, 0.15);
}

TEST_P(FourBars, EnergyDrift) {
  const auto [n, treatment] = GetParam();
  for (const TangentPolicy policy :
       {TangentPolicy::adaptive, TangentPolicy::every_step, TangentPolicy::every_iteration}) {
    DynamicAnalysis d = tight(Integrator::trapezoidal, 1.25e-3, 5);
    d.tolerance = 1e-10;
    d.tangent_policy = policy;
    const System system = compile(four_bars(n, treatment));
    Workspace work(system, 1);
    State state = system.initial_state();
    double start = 0, drift = 0;
    const DynamicReport report = simulate(system, d, state, work, [&](const State& s, const DynamicStep& step) {
      const double E = kinetic_energy(system, s) + height_energy(system, s);
      if (step.step == 0) start = E;
      drift = std::max(drift, std::abs(E - start) / start);
      return true;
    });
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(report.fallbacks, 0);
    EXPECT_LT(drift, 5e-5) << word(policy);
  }
}

INSTANTIATE_TEST_SUITE_P(P4, FourBars,
                         ::testing::Combine(::testing::Values(1, 5),
                                            ::testing::Values(Treatment::eliminate, Treatment::augmented)),
                         [](const auto& p) {
                           return fmt::format("{}_{}", std::get<0>(p.param), word(std::get<1>(p.param)));
                         });

}  // namespace
}  // namespace lithe
