// Slack and stretched lines, and beams whose sections are turned, against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "lithe/system/section_forces.h"
#include "support/linear_response.h"
#include "support/statics.h"

namespace lithe::test {
namespace {

// ---- the elastic catenary: H. M. Irvine, Cable Structures (1981), ch. 1 ----

// Along the unstretched length s from the first end: tension (H, V - w s), place (x, z), z downwards.
struct Catenary {
  double w, EA, H, V;
  double x(double s) const { return H * s / EA + H / w * (std::asinh(V / H) - std::asinh((V - w * s) / H)); }
  double z(double s) const {
    return (V * s - w * s * s / 2) / EA + H / w * (std::hypot(1, V / H) - std::hypot(1, (V - w * s) / H));
  }
  double tension(double s) const { return std::hypot(H, V - w * s); }
};
// H and V for ends `span` apart of which the second is `drop` below the first: Newton with differences.
Catenary catenary(double w, double EA, double length, double span, double drop) {
  Catenary c{w, EA, 0.4 * w * length, 0.5 * w * length};
  for (int i = 0; i < 100; ++i) {
    const auto off = [&](double H, double V) {
      const Catenary t{w, EA, H, V};
      return std::array{t.x(length) - span, t.z(length) - drop};
    };
    const double h = 1e-6 * w * length;
    const auto f = off(c.H, c.V), a = off(c.H + h, c.V), b = off(c.H, c.V + h);
    const double A = (a[0] - f[0]) / h, B = (b[0] - f[0]) / h, C = (a[1] - f[1]) / h, D = (b[1] - f[1]) / h;
    const double det = A * D - B * C;
    c.H = std::max(c.H - (D * f[0] - B * f[1]) / det, 0.1 * c.H);
    c.V -= (A * f[1] - C * f[0]) / det;
  }
  return c;
}

Model rope(double span, double drop, double length, int elements, double EA) {
  Model model;
  model.materials.add("rope", Isotropic{1e9, 0.3, 1000, 0});
  model.sections.add("rope", Bar{0, 0, EA, 1e-4, 1.5});
  Body body;
  body.element = ElementKind::cable;
  body.material = "rope";
  body.section = "rope";
  body.mesh = LineMesh{{0, 0, 0}, {span, 0, -drop}, elements, {}, {0, 0}, length};
  model.bodies.add("rope", body);
  model.constraints.add("first", Pin{at("rope", "start")});
  model.constraints.add("second", Pin{at("rope", "end")});
  model.loads.add("weight", Gravity{constant(0, 0, -9.81)});
  return model;
}

TEST(SlackRope, HangsInTheElasticCatenary) {
  const struct {
    double span, drop, length, EA;
  } cases[] = {{10, 0, 10.2, 1e6}, {10, 0, 12, 1e6},  {10, 0, 25, 1e6},
               {10, 3, 12, 1e6},   {10, -6, 14, 1e5}, {10, 0, 10.001, 1e6}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.length);
    const Solved solved(rope(c.span, c.drop, c.length, 40, c.EA));
    ASSERT_TRUE(solved.report.ok()) << solved.report.message;
    const Catenary exact = catenary(1.5 * 9.81, c.EA, c.length, c.span, c.drop);
    EXPECT_LE(solved.report.iterations, 40);
    const BodyInfo& body = solved.system.bodies[0];
    for (int n = 0; n <= 40; n += 5) {
      const double s = c.length * n / 40;
      const double* r = &solved.state.q[3ul * body.vector(n, 0)];
      EXPECT_NEAR(r[0], exact.x(s), 1e-4 * c.span) << n;
      EXPECT_NEAR(-r[2], exact.z(s), 1e-4 * c.span) << n;
    }
    const Triple end = solved.reaction(0);
    EXPECT_NEAR(-end[0], exact.H, 2e-3 * exact.tension(0));
    EXPECT_NEAR(end[2], exact.V, 2e-3 * exact.tension(0));
    const double inside = section_forces(solved.system, solved.state, 0, {7, {0, 0, 0}})[0];
    EXPECT_NEAR(inside, exact.tension(7.5 / 40 * c.length), 1e-2 * exact.tension(0));
    double up = 0;
    for (const int constraint : {0, 1}) up += solved.reaction(constraint)[2];
    EXPECT_NEAR(up, 1.5 * 9.81 * c.length, 1e-6 * up) << "the weight is that of the unstretched length";
  }
}

// A rope that is too short by a share e has the tension EA e' and the frequencies of a string, m the mass of all of it:
// f_n = n / 2 sqrt(T / (m l)).
TEST(StretchedString, HasItsTensionAndFrequencies) {
  for (const ElementKind kind : {ElementKind::cable, ElementKind::beam3243}) {
    SCOPED_TRACE(kind->name);
    const double length = 2, free = 1.998, r = 1e-4, E = 2e11, density = 7800, area = M_PI * r * r;
    Model model;
    model.materials.add("steel", Isotropic{E, 0.3, density, 0});
    model.sections.add("wire", Circle{r});
    Body body;
    body.element = kind;
    body.material = "steel";
    body.section = "wire";
    body.mesh = LineMesh{{0, 0, 0}, {length, 0, 0}, 24, {}, {0, 0}, free};
    model.bodies.add("wire", body);
    model.constraints.add("first", Pin{at("wire", "start")});
    model.constraints.add("second", Pin{at("wire", "end")});
    if (kind == ElementKind::beam3243)
      model.constraints.add("spin", Fix{at("wire", "start"), {Coordinate::y_gradient}, {{0, 0, 1}}});
    model.loads.add("pluck", PointForce{at("wire", "middle"), constant(0, 0, 1e-3)});
    const LinearResponse response(model);
    const State state = response.system.initial_state();
    const double stretch = length / free,
                 strain = kind == ElementKind::cable ? (stretch * stretch - 1) / 2 : stretch - 1;
    const double tension = E * area * strain * (kind == ElementKind::cable ? stretch : 1);
    EXPECT_NEAR(section_forces(response.system, state, 0, {5, {0.3, 0, 0}})[0], tension, 1e-9 * tension);
    EXPECT_NEAR(total_mass(response.system), density * area * free, 1e-12);
    // The bending stiffness raises it by n^2 pi^2 EI / (2 T l^2): 3e-5 for the first.
    const double omega = M_PI * std::sqrt(tension / (density * area * free * length));
    EXPECT_NEAR(response.frequency(omega), omega, 1e-4 * omega);
    EXPECT_NEAR(response.frequency(3 * omega), 3 * omega, 3e-4 * omega);
  }
}

// A ring that is too large for its place: hoop force EA (1 - place / free), nothing else.
TEST(StretchedRing, HasItsHoopForceAndNoBending) {
  Model model;
  model.materials.add("steel", Isotropic{2e11, 0.3, 7800, 0});
  model.sections.add("wire", Circle{0.01});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "steel";
  body.section = "wire";
  ArcMesh arc;
  arc.radius = 1;
  arc.angle = 90;
  arc.elements = 12;
  arc.unstretched_length = M_PI / 2 * 1.001;
  body.mesh = arc;
  model.bodies.add("ring", body);
  const System system = compile(model);
  const double EA = 2e11 * M_PI * 1e-4;
  const auto forces = section_forces(system, system.initial_state(), 0, {4, {0.2, 0, 0}});
  EXPECT_NEAR(forces[0], EA * (1 / 1.001 - 1), 1e-3 * EA * 1e-3);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(forces[k], 0, 1e-4 * std::abs(forces[0]) * 0.01);
}

// A beam given longer than its place and held at both ends bows; its end forces are far below those of a straight one
// pressed together.
TEST(SlackBeam, FindsItsBow) {
  Model model = cantilever(16, 0.01);
  std::get<LineMesh>(std::get<Body>(model.bodies.items[0].second).mesh).unstretched_length = 1.05;
  model.constraints.add("other", Clamp{at("beam", "end")});
  model.loads.add("weight", Gravity{constant(0, 0, -9.81)});
  const Solved solved(model);
  ASSERT_TRUE(solved.report.ok()) << solved.report.message;
  const double euler = 4 * M_PI * M_PI * bending_stiffness(0.01);
  const double push = -section_forces(solved.system, solved.state, 0, {8, {0, 0, 0}})[0];
  EXPECT_GT(push, 0.8 * euler);  // the elastica clamped at both ends at a shortening of 5 %: 1.03 of Euler's load
  EXPECT_LT(push, 1.2 * euler);
  EXPECT_LT(solved.state.q[3ul * solved.system.bodies[0].vector(8, 0) + 2], -0.1);
}

// ---- turned sections ----

constexpr double E = 7e10, width = 0.04, thickness = 0.01, beam_length = 1;

Model turned(std::array<double, 2> twist, int elements, Triple force) {
  Model model;
  model.materials.add("metal", Isotropic{E, 0.3, 2700, 0});
  model.sections.add("strip", Rectangle{width, thickness, {}});
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "metal";
  body.section = "strip";
  body.mesh = LineMesh{{0, 0, 0}, {beam_length, 0, 0}, elements, {}, twist};
  model.bodies.add("beam", body);
  model.constraints.add("root", Clamp{at("beam", "start")});
  model.loads.add("tip", PointForce{at("beam", "end"), constant(force[0], force[1], force[2])});
  return model;
}

// Tip deflection of a slender cantilever whose section is turned by an angle of x: int (l - x)^2 C(angle) dx F, with
// the compliance C of bending across y and z.
std::array<double, 2> deflection(std::array<double, 2> twist, double Fy, double Fz) {
  const double stiff = E * thickness * width * width * width / 12,
               soft = E * width * thickness * thickness * thickness / 12;
  constexpr int n = 2000;
  std::array<double, 2> u{};
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n * beam_length, arm = (beam_length - x) * (beam_length - x) * beam_length / n;
    const double angle = (twist[0] + (twist[1] - twist[0]) * x / beam_length) * M_PI / 180;
    const double c = std::cos(angle), s = std::sin(angle), along = c * Fy + s * Fz, across = -s * Fy + c * Fz;
    u[0] += arm * (c * along / stiff - s * across / soft);
    u[1] += arm * (s * along / stiff + c * across / soft);
  }
  return u;
}

TEST(TurnedSections, BendAboutTheirPrincipalAxes) {
  for (const double angle : {0.0, 30.0, 90.0, -50.0}) {
    SCOPED_TRACE(angle);
    const std::vector<double> u = LinearResponse(turned({angle, angle}, 4, {0, 0, 1})).displacement();
    const auto wanted = deflection({angle, angle}, 0, 1);
    const std::size_t tip = 3ul * (4 * 4);
    const double size = std::hypot(wanted[0], wanted[1]);
    EXPECT_NEAR(u[tip + 1], wanted[0], 2e-3 * size);
    EXPECT_NEAR(u[tip + 2], wanted[1], 2e-3 * size);
  }
}

TEST(TurnedSections, APretwistedStripBendsAsItsSectionsSay) {
  for (const auto& twist : {std::array{0.0, 45.0}, {0.0, 90.0}, {-30.0, 150.0}})
    for (const int elements : {8, 16}) {
      SCOPED_TRACE(std::to_string(twist[1]) + " deg, " + std::to_string(elements));
      const auto wanted = deflection(twist, 0.4, 1);
      const std::vector<double> u = LinearResponse(turned(twist, elements, {0, 0.4, 1})).displacement();
      const std::size_t tip = 3ul * (4 * elements);
      const double size = std::hypot(wanted[0], wanted[1]), turn = (twist[1] - twist[0]) * M_PI / 180 / elements;
      const double limit = std::max(0.25 * turn * turn, 2e-3);  // frames turn linearly between nodes: second order
      EXPECT_NEAR(u[tip + 1], wanted[0], limit * size);
      EXPECT_NEAR(u[tip + 2], wanted[1], limit * size);
    }
}

}  // namespace
}  // namespace lithe::test
