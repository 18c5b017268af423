// Springs between places of every kind: tangents, energy, balance, invariance, closed forms. Over
// 500 lines: all tests run over one zoo of bodies and springs.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "lithe/system/outputs.h"
#include "lithe/system/spring_strains.h"
#include "lithe/system/springs.h"
#include "support/models.h"
#include "unit/allocation_counter.h"

namespace lithe {
namespace {

using test::at;
using test::at_node;

At at_point(const std::string& body, const Triple& point) {
  At a;
  a.body = body;
  a.point = point;
  return a;
}
At at_element(const std::string& body, int element, const Triple& xi) {
  At a;
  a.body = body;
  a.element = element;
  a.xi = xi;
  return a;
}

// One body of every kind, a metre apart.
Model zoo() {
  Model model;
  model.materials.add("rubber", Isotropic{1e6, 0.3, 1000, 0});
  model.sections.add("line", Bar{1e-4, 1e-9});
  model.sections.add("flat", Rectangle{0.1, 0.05, {}});
  model.sections.add("sheet", Plate{0.02});
  const auto flexible = [&](const char* name, ElementKind kind, const char* section, MeshSource mesh) {
    Body body;
    body.element = kind;
    body.material = "rubber";
    body.section = section;
    body.mesh = std::move(mesh);
    model.bodies.add(name, body);
  };
  flexible("cable", ElementKind::cable, "line", LineMesh{{0, 0, 0}, {0.5, 0.1, 0}, 2, {}});
  flexible("beam", ElementKind::beam3243, "flat", LineMesh{{0, 1, 0}, {0.5, 1, 0.2}, 2, {}});
  flexible("shell", ElementKind::shell3443, "sheet", PlateMesh{{0, 2, 0}, {0.5, 0, 0}, {0, 0.4, 0}, {2, 1}});
  flexible("block", ElementKind::hexa3843, "", BlockMesh{{0, 3, 0}, {0.5, 0, 0}, {0, 0.3, 0}, {0, 0, 0.2}, {1, 1, 1}});
  RigidBody rigid;
  rigid.position = {0, 4, 0};
  rigid.x_axis = Triple{1, 1, 0};
  rigid.mass = 2;
  rigid.inertia = {0.3, 0.4, 0.5};
  rigid.points.add("lug", Triple{0.2, 0.1, -0.3});
  model.bodies.add("rigid", rigid);
  RigidBody other = rigid;
  other.position = {0.5, 4.5, 0.3};
  model.bodies.add("other", other);
  Linkage linkage;
  linkage.points = {{0, 5, 0}, {0.5, 5, 0}, {0.5, 5.5, 0}};
  linkage.bars = {{0, 1}, {1, 2}};
  linkage.bar_mass = 1;
  model.bodies.add("linkage", linkage);
  model.bodies.add("ball", PointMass{1, {0, 6, 0}, {0, 0, 0}});
  return model;
}

// Places of every kind, from `frames` on those with axes.
std::vector<At> places() {
  return {at("ball", ""),
          at_node("linkage", 2),
          at_element("linkage", 0, {0.3, 0, 0}),
          at_node("cable", 1),
          at_element("cable", 1, {0.2, 0, 0}),
          at_point("ground", {0.3, -1, 0.2}),
          at("rigid", "lug"),
          at("rigid", "center"),
          at_point("other", {0.1, 4.2, 0.7}),
          at_node("beam", 2),
          at_element("beam", 0, {0.3, 0.5, -0.2}),
          at_node("shell", 4),
          at_element("shell", 1, {-0.4, 0.1, 1}),
          at_node("block", 6),
          at_element("block", 0, {0.3, -0.6, 0.1})};
}
constexpr std::size_t frames = 5;

Spring spring_between(const At& a, const At& b, double damping, Signal force = 0) {
  Spring s;
  s.a = a;
  s.b = b;
  s.stiffness = 120;
  s.damping = damping;
  s.free_length = 0.6;
  s.force = std::move(force);
  return s;
}
Bushing bushing_between(const At& a, const At& b, double damping) {
  Bushing s;
  s.a = a;
  s.b = b;
  s.x_axis = Triple{1, 0.3, -0.2};
  s.y_axis = Triple{0, 1, 0.5};
  s.stiffness = {100, 60, 30};
  s.torsion_stiffness = {8, 5, 3};
  s.damping = {damping, 2 * damping, 0.5 * damping};
  s.torsion_damping = {0.3 * damping, 0.1 * damping, 0.2 * damping};
  return s;
}

// Each place has a spring to the next one of the list, and one to the one after; places with axes are joined by
// bushings.
Model sprung_zoo(double damping, bool ground = true) {
  Model model = zoo();
  const std::vector<At> list = places();
  int number = 0;
  const auto name = [&] { return "s" + std::to_string(number++); };
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t step : {1, 2}) {
      const At &a = list[i], &b = list[(i + step) % list.size()];
      if (!ground && (a.is_ground() || b.is_ground())) continue;
      model.springs.add(name(), spring_between(a, b, damping, Signal::expression("3*cos(t)")));
      if (i >= frames && i + step < list.size()) model.springs.add(name(), bushing_between(a, b, damping));
    }
  // Axes of one side alone.
  Bushing half = bushing_between(at("rigid", "lug"), at("ball", ""), damping);
  half.torsion_stiffness = half.torsion_damping = {0, 0, 0};
  model.springs.add(name(), half);
  return model;
}

State disturbed(const System& system, double amount, double speed, unsigned seed) {
  State state = system.initial_state();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& x : state.q) x += amount * unit(random);
  for (double& x : state.v) x = speed * unit(random);
  state.t = 0.4;
  return state;
}

std::vector<double> spring_forces(const System& system, const State& state) {
  std::vector<double> f(state.q.size(), 0.0), external(state.q.size(), 0.0);
  for (int s = 0; s < system.springs.count(); ++s) {
    add_spring_force(system.springs, s, state, ForceSink(f));
    add_actuator_force(system.springs, s, state, ForceSink(external));
  }
  for (std::size_t i = 0; i < f.size(); ++i) f[i] -= external[i];
  return f;
}

// Dense K [row][column] of values over the unknowns.
std::vector<std::vector<double>> dense(const System& system, const std::vector<double>& values) {
  std::vector<std::vector<double>> K(system.map.size, std::vector<double>(system.map.size, 0.0));
  for (int c = 0; c < system.map.size; ++c)
    for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
      const int r = system.pattern.row[k];
      if (r >= system.map.size) continue;
      K[r][c] = values[k];
      if (system.symmetric) K[c][r] = values[k];
    }
  return K;
}

// K against differences; of a symmetric pattern against their symmetric part.
void check_tangent(const System& system, const State& state, double c_q, double c_v) {
  std::vector<double> values(system.pattern.nonzeros(), 0.0);
  for (int s = 0; s < system.springs.count(); ++s)
    add_spring_tangent(system, s, state, c_q, c_v, TangentSink(system, values.data()));
  const auto K = dense(system, values);
  const int n = system.map.size;
  std::vector<std::vector<double>> D(n, std::vector<double>(n));
  std::vector<double> dz(n, 0.0), plus, minus;
  const double h = 1e-6;
  for (int j = 0; j < n; ++j) {
    dz[j] = 1;
    State p = state, m = state;
    system.map.prolong({}, dz, c_q * h, p.q);
    system.map.prolong({}, dz, c_v * h, p.v);
    system.map.prolong({}, dz, -c_q * h, m.q);
    system.map.prolong({}, dz, -c_v * h, m.v);
    system.map.restrict({}, spring_forces(system, p), plus);
    system.map.restrict({}, spring_forces(system, m), minus);
    for (int i = 0; i < n; ++i) D[i][j] = (plus[i] - minus[i]) / (2 * h);
    dz[j] = 0;
  }
  double scale = 0, skew = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      scale = std::max(scale, std::abs(K[i][j]));
      skew = std::max(skew, std::abs(D[i][j] - D[j][i]));
    }
  ASSERT_GT(scale, 1.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      EXPECT_NEAR(K[i][j], system.symmetric ? 0.5 * (D[i][j] + D[j][i]) : D[i][j], 2e-8 * scale) << i << " " << j;
  if (!system.symmetric) {
    EXPECT_GT(skew, 1e-3 * scale);
  }
}

TEST(Springs, TangentIsTheDerivativeForPlacesOfEveryKind) {
  for (double damping : {0.0, 7.0})
    for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
      Model model = sprung_zoo(damping);
      model.tangent = form;
      const System system = compile(model);
      EXPECT_EQ(system.symmetric, form == TangentForm::symmetric || damping == 0);
      check_tangent(system, disturbed(system, 0.05, 0.5, 3), 1.0, 0.7);
    }
}

TEST(Springs, ForceIsTheGradientOfTheEnergy) {
  Model model = sprung_zoo(0);
  for (auto& [name, spring] : model.springs.items)
    if (auto* s = std::get_if<Spring>(&spring)) s->force = Signal(0);
  const System system = compile(model);
  const State state = disturbed(system, 0.05, 0.5, 5);
  const std::vector<double> f = spring_forces(system, state);
  double scale = 0;
  for (double x : f) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < f.size(); ++i) {
    State plus = state, minus = state;
    const double h = 1e-5;
    plus.q[i] += h;
    minus.q[i] -= h;
    EXPECT_NEAR(f[i], (spring_energy(system, plus) - spring_energy(system, minus)) / (2 * h), 1e-7 * scale);
  }
}

Mat3<double> rotation(const Vec3<double>& axis, double angle) {
  const Vec3<double> n = (1 / std::sqrt(dot(axis, axis))) * axis;
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3<double> R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j];
  R[0][1] -= s * n[2];
  R[0][2] += s * n[1];
  R[1][0] += s * n[2];
  R[1][2] -= s * n[0];
  R[2][0] -= s * n[1];
  R[2][1] += s * n[0];
  return R;
}

bool is_position(const System& system, int vector) {
  for (const BodyInfo& body : system.bodies)
    if (vector >= body.first_vector && vector < body.first_vector + body.mesh.node_count() * body.node_vectors)
      return (vector - body.first_vector) % body.node_vectors == 0;
  return false;
}
Vec3<double> entry(const std::vector<double>& x, int vector) {
  return {{x[3ul * vector], x[3ul * vector + 1], x[3ul * vector + 2]}};
}
void set_entry(std::vector<double>& x, int vector, const Vec3<double>& value) {
  for (int m = 0; m < 3; ++m) x[3ul * vector + m] = value[m];
}

TEST(Springs, ForcesAndMomentsBalance) {
  const System system = compile(sprung_zoo(9, false));
  const State state = disturbed(system, 0.05, 0.5, 6);
  const std::vector<double> f = spring_forces(system, state);
  Vec3<double> force{}, moment{};
  double scale = 0;
  for (int v = 0; v < system.vectors(); ++v) {
    if (is_position(system, v)) force = force + entry(f, v);
    moment = moment + cross(entry(state.q, v), entry(f, v));
    scale = std::max(scale, std::sqrt(dot(entry(f, v), entry(f, v))));
  }
  ASSERT_GT(scale, 1);
  for (int m = 0; m < 3; ++m) {
    EXPECT_NEAR(force[m], 0, 1e-12 * scale);
    EXPECT_NEAR(moment[m], 0, 1e-11 * scale);
  }
}

TEST(Springs, ForcesTurnWithARigidMotionAndDoNotFeelIt) {
  const System system = compile(sprung_zoo(9, false));
  const State state = disturbed(system, 0.05, 0.5, 7);
  const Mat3<double> R = rotation({{1, -2, 0.7}}, 2.3);
  const Vec3<double> shift{{3, -1, 2}}, omega{{0.6, -0.4, 1.1}}, speed{{-2, 1, 4}};
  State moved = state;
  for (int v = 0; v < system.vectors(); ++v) {
    Vec3<double> q = R * entry(state.q, v), rate = R * entry(state.v, v) + cross(omega, q);
    if (is_position(system, v)) {
      q = q + shift;
      rate = rate + speed;
    }
    set_entry(moved.q, v, q);
    set_entry(moved.v, v, rate);
  }
  const std::vector<double> before = spring_forces(system, state), after = spring_forces(system, moved);
  for (int v = 0; v < system.vectors(); ++v) {
    const Vec3<double> wanted = R * entry(before, v), got = entry(after, v);
    for (int m = 0; m < 3; ++m) EXPECT_NEAR(got[m], wanted[m], 1e-10);
  }
  EXPECT_NEAR(spring_energy(system, moved), spring_energy(system, state), 1e-10 * spring_energy(system, state));
}

TEST(Springs, EvaluationAllocatesNothing) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP();
  const System system = compile(sprung_zoo(3));
  const State state = disturbed(system, 0.05, 0.5, 8);
  std::vector<double> f(state.q.size(), 0.0), values(system.pattern.nonzeros(), 0.0);
  const fixtures::AllocationCounter counter;
  for (int s = 0; s < system.springs.count(); ++s) {
    add_spring_force(system.springs, s, state, ForceSink(f));
    add_spring_tangent(system, s, state, 1, 0.5, TangentSink(system, values.data()));
  }
  EXPECT_EQ(counter.taken(), 0);
}

TEST(Springs, LengthRateAndForceOfATranslationalSpring) {
  Model model;
  model.bodies.add("ball", PointMass{2, {3, 4, 0}, {0, 0, 0}});
  Spring spring = spring_between(at_point("ground", {0, 0, 0}), at("ball", ""), 10, Signal(7));
  spring.free_length.reset();
  model.springs.add("spring", spring);
  model.outputs.add("spring", SpringOutput{"spring"});
  const System system = compile(model);
  State state = system.initial_state();
  state.q = {6, 8, 0};
  state.v = {1, 2, 5};
  Workspace work(system, 1);
  const std::vector<double> values = channel_values(system, state, work);
  ASSERT_EQ(values.size(), 3u);
  const double rate = (6 + 16) / 10.0;
  EXPECT_NEAR(values[0], 10, 1e-12);
  EXPECT_NEAR(values[1], rate, 1e-12);
  EXPECT_NEAR(values[2], 120 * 5 + 10 * rate + 7, 1e-10);
  EXPECT_EQ(channels(system)[0].columns, (std::vector<std::string>{"length", "rate", "force"}));
  EXPECT_NEAR(spring_energy(system, state), 0.5 * 120 * 25, 1e-10);
  // The ball is pulled towards the ground with that force; the actuator's share counts as a load.
  const std::vector<double> f = spring_forces(system, state);
  EXPECT_NEAR(f[0], 0.6 * values[2], 1e-10);
  EXPECT_NEAR(f[1], 0.8 * values[2], 1e-10);
  evaluate_external(system, state, work);
  EXPECT_NEAR(work.external[0], -0.6 * 7, 1e-12);
  state.load_factor = 0.5;  // statics: constant actuators grow with the loads
  evaluate_external(system, state, work);
  EXPECT_NEAR(work.external[0], -0.6 * 3.5, 1e-12);
}

TEST(Springs, ASpringWithoutFreeLengthIsLinearAndFiniteAtNoLength) {
  Model model;
  model.bodies.add("ball", PointMass{2, {0, 0, 0}, {0, 0, 0}});
  model.bodies.add("far", PointMass{2, {1, 0, 0}, {0, 0, 0}});
  Spring spring = spring_between(at_point("ground", {0, 0, 0}), at("ball", ""), 0);
  spring.free_length = 0;
  model.springs.add("spring", spring);
  const System system = compile(model);
  State state = system.initial_state();
  for (double x : {0.0, 1e-9, 0.3}) {
    state.q[0] = x;
    EXPECT_NEAR(spring_forces(system, state)[0], 120 * x, 1e-9);
    std::vector<double> values(system.pattern.nonzeros(), 0.0);
    add_spring_tangent(system, 0, state, 1, 0, TangentSink(system, values.data()));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(dense(system, values)[c][c], 120, 1e-6);
  }
  std::get<Spring>(model.springs.items[0].second).free_length = 0.1;
  EXPECT_THROW(compile(model), InputError);
}

// A rigid body on the ground by one bushing whose axes are the global ones.
Model bushed_body() {
  Model model;
  RigidBody body;
  body.position = {0.3, 0.2, 0.1};
  body.mass = 1;
  body.inertia = {1, 1, 1};
  model.bodies.add("body", body);
  Bushing bushing = bushing_between(at("ground", ""), at("body", ""), 4);
  bushing.x_axis.reset();
  bushing.y_axis.reset();
  bushing.point = Triple{0.5, 0.2, 0.1};
  model.springs.add("bushing", bushing);
  model.outputs.add("bushing", SpringOutput{"bushing"});
  return model;
}

TEST(Springs, ABushingIsLinearInSmallDisplacementsAndRotations) {
  const System system = compile(bushed_body());
  const double small = 1e-6;
  const Vec3<double> move{{1, -2, 3}}, turn{{-2, 1, 0.5}}, arm{{-0.2, 0, 0}};  // from the bushing to the centre
  State state = system.initial_state();
  const Mat3<double> R = rotation(turn, small * std::sqrt(dot(turn, turn)));
  set_entry(state.q, 0, Vec3<double>{{0.5, 0.2, 0.1}} + small * move + R * arm);
  for (int k = 1; k < 4; ++k) set_entry(state.q, k, R * entry(system.q0, k));
  Workspace work(system, 1);
  const std::vector<double> values = channel_values(system, state, work);
  ASSERT_EQ(values.size(), 18u);
  const double stiffness[6] = {100, 60, 30, 8, 5, 3};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(values[k], small * move[k], 1e-11);
    EXPECT_NEAR(values[3 + k], small * turn[k], 1e-11);
    EXPECT_NEAR(values[12 + k], stiffness[k] * small * move[k], 1e-9);
    EXPECT_NEAR(values[15 + k], stiffness[3 + k] * small * turn[k], 1e-9);
  }
  // Generalised force: force at the centre, moment about it as work of the base vectors.
  const std::vector<double> f = spring_forces(system, state);
  Vec3<double> force = entry(f, 0), moment{};
  for (int k = 1; k < 4; ++k) moment = moment + cross(entry(state.q, k), entry(f, k));
  const Vec3<double> F{{100 * move[0] * small, 60 * move[1] * small, 30 * move[2] * small}};
  const Vec3<double> M{{8 * turn[0] * small, 5 * turn[1] * small, 3 * turn[2] * small}};
  const Vec3<double> about_centre = M + cross(-1.0 * arm, F);
  for (int m = 0; m < 3; ++m) {
    EXPECT_NEAR(force[m], F[m], 1e-9);
    EXPECT_NEAR(moment[m], about_centre[m], 1e-9);
  }
}

TEST(Springs, RotationOfABushingIsTheRotationVectorUpToHalfATurn) {
  const System system = compile(bushed_body());
  State state = system.initial_state();
  const Vec3<double> axis{{0.6, 0, 0.8}}, omega{{0.3, 0, 0.4}};
  Workspace work(system, 1);
  for (double angle : {0.0, 1e-7, 0.01, 0.5, 0.79, 0.80, 1.5, 2.4, 3.1}) {
    const Mat3<double> R = rotation(axis, angle);
    for (int k = 1; k < 4; ++k) {
      set_entry(state.q, k, R * entry(system.q0, k));
      set_entry(state.v, k, cross(omega, entry(state.q, k)));
    }
    const std::vector<double> values = channel_values(system, state, work);
    for (int m = 0; m < 3; ++m) {
      EXPECT_NEAR(values[3 + m], angle * axis[m], 1e-12) << angle;
      EXPECT_NEAR(values[9 + m], omega[m], 1e-11) << angle;  // about the axis of the rotation itself
    }
  }
}

TEST(Springs, AngleOverSineAndItsDerivativesAgreeWithTheirSeries) {
  for (double angle : {0.0, 1e-4, 0.3, 0.7, 0.79, 0.80, 0.9, 1.6, 2.8}) {
    const AngleOverSine h(std::cos(angle));
    EXPECT_NEAR(h.value, angle == 0 ? 1 : angle / std::sin(angle), 1e-13 * h.value);
    const double c = std::cos(angle), d = 1e-5;
    if (angle < 0.1) {
      EXPECT_NEAR(h.first, -1.0 / 3, 1e-6);
      EXPECT_NEAR(h.second, 4.0 / 15, 1e-6);
      continue;
    }
    const AngleOverSine up(c + d), down(c - d);
    EXPECT_NEAR(h.first, (up.value - down.value) / (2 * d), 1e-6 * std::abs(h.first));
    EXPECT_NEAR(h.second, (up.first - down.first) / (2 * d), 1e-6 * h.second);
  }
}

// A body that turns about z, by an angle that a spring feels.
System hinged_body(double damping, TangentForm form) {
  Model model;
  RigidBody body;
  body.mass = 1;
  body.inertia = {1, 1, 1};
  model.bodies.add("body", body);
  model.tangent = form;
  Revolute hinge;
  hinge.a = at("ground", "");
  hinge.b = at("body", "");
  hinge.point = Triple{0.3, 0, 0};
  model.joints.add("hinge", hinge);
  TorsionSpring spring;
  spring.joint = "hinge";
  spring.stiffness = 50;
  spring.damping = damping;
  spring.free_angle = 0.4;
  spring.moment = Signal::expression("2*t");
  model.springs.add("torsion", spring);
  return compile(model);
}

TEST(Springs, TorsionCountsTurns) {
  const System system = hinged_body(3, TangentForm::symmetric);
  State state = system.initial_state();
  const double angle = 4 * M_PI + 0.9, rate = 2.5;
  const Mat3<double> R = rotation({{0, 0, 1}}, angle);
  for (int k = 1; k < 4; ++k) {
    set_entry(state.q, k, R * entry(system.q0, k));
    set_entry(state.v, k, cross(Vec3<double>{{0, 0, rate}}, entry(state.q, k)));
  }
  state.slots.values = {4 * M_PI + 0.5};  // of the last accepted step
  state.t = 0.3;
  const std::vector<double> values = spring_values(system, state, 0);
  EXPECT_NEAR(values[0], angle, 1e-12);
  EXPECT_NEAR(values[1], rate, 1e-12);
  const double moment = 50 * (angle - 0.4) + 3 * rate - 0.6;
  EXPECT_NEAR(values[2], moment, 1e-10);
  EXPECT_NEAR(spring_energy(system, state), 25 * (angle - 0.4) * (angle - 0.4), 1e-9);
  const std::vector<double> f = spring_forces(system, state);
  Vec3<double> turning{};
  for (int k = 1; k < 4; ++k) turning = turning + cross(entry(state.q, k), entry(f, k));
  EXPECT_NEAR(turning[2], moment, 1e-10);
  EXPECT_EQ(spring_columns(system, 0).names, (std::vector<std::string>{"angle", "rate", "moment"}));
}

TEST(Springs, TorsionTangentIsTheDerivative) {
  for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    const System system = hinged_body(3, form);
    EXPECT_EQ(system.symmetric, form == TangentForm::symmetric);
    State state = disturbed(system, 0.2, 1.0, 11);
    check_tangent(system, state, 1, 0.5);
  }
}

TEST(Springs, WrongPlacesAreErrorsWithARemedy) {
  const auto message = [](const Model& model) {
    try {
      compile(model);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto with = [](SpringElement spring) {
    Model model = zoo();
    model.springs.add("s", std::move(spring));
    return model;
  };
  EXPECT_NE(message(with(bushing_between(at("rigid", ""), at("ball", ""), 0))).find("has no axes"), std::string::npos);
  EXPECT_NE(message(with(bushing_between(at_node("cable", 0), at("rigid", ""), 0))).find("swap a and b"),
            std::string::npos);
  EXPECT_NE(message(with(bushing_between(at("ground", ""), at("rigid", ""), 0))).find("give 'point"),
            std::string::npos);
  EXPECT_NE(message(with(spring_between(at("ground", ""), at("rigid", ""), 0)))
                .find("springs.s.a: the ground needs a point: {body: ground, point: [x, y, z]}"),
            std::string::npos);
  EXPECT_NE(message(with(spring_between(at_point("ground", {0, 0, 0}), at_point("ground", {1, 0, 0}), 0)))
                .find("both ends are on the ground"),
            std::string::npos);
  TorsionSpring torsion;
  torsion.joint = "hinge";
  EXPECT_NE(message(with(torsion)).find("joint 'hinge' is not known"), std::string::npos);
}

}  // namespace
}  // namespace lithe
