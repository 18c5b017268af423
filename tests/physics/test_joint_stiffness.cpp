// Joints, drives, clamps, bushings and moments on flexible bodies against beam theory, with 2 to 64 elements: what they
// hold is held however fine the mesh is. Over 500 lines: one strip and one reference serve all of them.
//
// A strip 1 x 0.02 x 0.01 m along x, nu = 0, one element wide, held at the middle of its end. Reference: Euler and
// Bernoulli (with shear the deflections grow by (E/G) h^2 / (4 L^2) <= 2e-4 of a cantilever, by four times that between
// pins and by 2.5e-3 between a fixed and a pinned end). Beams and shells have directors that are linear along an
// element, so curvatures are constant there: deflections fall short by 1 / (4 n^2) of a cantilever, 1 / n^2 between
// pins, 8 / (3 n^2) where one end is fixed and one pinned. Hexas and cables are cubic. A point of a shell or hexa at
// which a force acts gives way by a third of the width.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "lithe/dynamics/statics.h"
#include "lithe/system/outputs.h"
#include "support/linear_response.h"
#include "support/models.h"

namespace lithe::test {
namespace {

using std::numbers::pi;

constexpr double L = 1, W = 0.02, T = 0.01, E = 1e9, density = 1000;
constexpr double A = W * T, EI_y = E * W * T * T * T / 12, EI_z = E * T * W * W * W / 12;  // about y, about z
const std::vector<ElementKind> all_kinds{ElementKind::cable, ElementKind::beam3243, ElementKind::shell3443,
                                         ElementKind::hexa3843};
const std::vector<int> meshes{2, 4, 8, 16, 32, 64};

std::string name_of(ElementKind kind) { return element_info(kind).name; }
bool is_line(ElementKind kind) { return element_info(kind).dimension == 1; }

// A strip from `from` along `along` (a unit vector), its width along y. A cable's bending stiffness is that about
// `cable_axis`.
void add_strip(Model& model, const std::string& name, ElementKind kind, int elements, const Vec3<double>& from,
               const Vec3<double>& along, double length, char cable_axis) {
  if (!model.materials.find("m")) {
    model.materials.add("m", Isotropic{E, 0, density, 0});
    model.sections.add("beam", Rectangle{W, T, {}});
    model.sections.add("plate", Plate{T});
    model.sections.add("cable", Bar{A, (cable_axis == 'y' ? EI_y : EI_z) / E});
  }
  const Vec3<double> y{{0, 1, 0}}, z = cross(along, y);
  const auto triple = [](const Vec3<double>& x) { return Triple{x[0], x[1], x[2]}; };
  Body body;
  body.element = kind;
  body.material = "m";
  const Triple start = triple(from), end = triple(from + length * along);
  if (kind == ElementKind::cable) {
    body.section = "cable";
    body.mesh = LineMesh{start, end, elements, {}};
  } else if (kind == ElementKind::beam3243) {
    body.section = "beam";
    body.mesh = LineMesh{start, end, elements, Triple{0, 1, 0}};
  } else if (kind == ElementKind::shell3443) {
    body.section = "plate";
    body.mesh = PlateMesh{triple(from - (W / 2) * y), triple(length * along), {0, W, 0}, {elements, 1}};
  } else {
    body.mesh = BlockMesh{
        triple(from - (W / 2) * y - (T / 2) * z), triple(length * along), {0, W, 0}, triple(T * z), {elements, 1, 1}};
  }
  model.bodies.add(name, body);
}

At start_of(ElementKind kind, const std::string& body = "strip") {
  return at(body, is_line(kind) ? "start" : "x_min_middle");
}
At end_of(ElementKind kind, const std::string& body = "strip") {
  return at(body, is_line(kind) ? "end" : "x_max_middle");
}
At place(const std::string& body, const Vec3<double>& x) {
  At a;
  a.body = body;
  a.point = Triple{x[0], x[1], x[2]};
  return a;
}
At ground() {
  At a;
  a.body = "ground";
  return a;
}
Form position(const System& system, const At& where) { return make_marker(system, where).position; }
// Displacement of a place under the loads, along a direction.
double moves(const LinearResponse& response, const At& where, const Vec3<double>& along) {
  return dot(position(response.system, where).rate(response.displacement()), along);
}

Signals along(char axis, double value) {
  return constant(axis == 'x' ? value : 0, axis == 'y' ? value : 0, axis == 'z' ? value : 0);
}
Vec3<double> unit_of(char axis) { return {{axis == 'x' ? 1.0 : 0, axis == 'y' ? 1.0 : 0, axis == 'z' ? 1.0 : 0}}; }

// ---- what a held strip does ----

// How a strip is held in a plane of bending; axial and torsion are fixed at the root and free at the tip.
enum class Held { fixed_free, pinned_pinned, fixed_pinned, guided_pinned, axial, torsion };

// Bends along `axis`, or is drawn or twisted along x.
struct Way {
  char axis;
  Held held;
};

struct Expected {
  double load_at, deflection, frequency;  // place along x; m per N there; rad/s
};
Expected expected(const Way& way) {
  const double EI = way.axis == 'z' ? EI_y : EI_z;
  const auto beam = [&](double beta) { return beta * beta / (L * L) * std::sqrt(EI / (density * A)); };
  switch (way.held) {
    case Held::fixed_free:
      return {L, L * L * L / (3 * EI), beam(1.8751040687)};
    case Held::pinned_pinned:
      return {L / 2, L * L * L / (48 * EI), beam(pi)};
    case Held::fixed_pinned:
      return {L / 2, 7 * L * L * L / (768 * EI), beam(3.9266023120)};
    case Held::guided_pinned:
      return {0, L * L * L / (3 * EI), beam(pi / 2)};
    case Held::axial:
      return {L, L / (E * A), pi / 2 / L * std::sqrt(E / density)};
    default:
      return {L, 0, pi / 2 / L * std::sqrt(E / 2 / density)};  // of beams, whose sections do not warp
  }
}

// Twist under a moment at the tip, at three quarters of the length, over what the inner half says it should be: a root
// that gives way makes the ratio larger than 1. (St Venant's constant of a shell or hexa one element wide is its own.)
double twist_ratio(const LinearResponse& response) {
  const auto twist = [&](double x) {
    const auto z = [&](double y) { return moves(response, place("strip", {{x, y, 0}}), {{0, 0, 1}}); };
    return (z(W / 2) - z(-W / 2)) / W;
  };
  return twist(0.75 * L) / (1.5 * (twist(0.75 * L) - twist(0.25 * L)));
}

struct Case {
  std::string name;
  std::function<void(Model&, ElementKind)> hold;
  std::vector<Way> ways;
  bool cables = true;  // does it make sense for them?
};

Motion support(const At& where, const std::string& axes) {
  Motion m{where, {}};
  for (char c : axes) m.displacement[c - 'x'] = Signal(0);
  return m;
}

RigidBody block_at(const Triple& position) {
  RigidBody block;
  block.position = position;
  block.mass = 1;
  block.inertia = std::vector<double>{1, 1, 1};
  return block;
}

constexpr Way z_fixed{'z', Held::fixed_free}, y_fixed{'y', Held::fixed_free}, z_pinned{'z', Held::pinned_pinned},
    y_pinned{'y', Held::pinned_pinned}, z_propped{'z', Held::fixed_pinned}, y_propped{'y', Held::fixed_pinned},
    z_guided{'z', Held::guided_pinned}, drawn{'x', Held::axial}, twisted{'x', Held::torsion};

std::vector<Case> cases() {
  const auto root = [](Model& m, ElementKind k) { m.joints.add("root", Weld{ground(), start_of(k), {}}); };
  const auto hinge = [](Triple axis, const std::string& tip, bool drive) {
    return [=](Model& m, ElementKind k) {
      m.joints.add("hinge", Revolute{ground(), start_of(k), {}, axis});
      if (!tip.empty()) m.joints.add("tip", support(end_of(k), tip));
      if (drive) m.joints.add("drive", Turn{"hinge", Signal(0)});
    };
  };
  return {
      {"weld", root, {z_fixed, y_fixed, drawn, twisted}},
      {"weld, strip first",
       [](Model& m, ElementKind k) {
         m.joints.add("root", Weld{start_of(k), ground(), {}});
       },
       {z_fixed, twisted}},
      {"revolute about y", hinge({0, 1, 0}, "z", false), {y_fixed, z_pinned, twisted}},
      {"revolute about z", hinge({0, 0, 1}, "y", false), {z_fixed, y_pinned, twisted}},
      {"revolute about x, turn", hinge({1, 0, 0}, "", true), {z_fixed, y_fixed, twisted}, false},
      {"revolute about y, turn", hinge({0, 1, 0}, "", true), {z_fixed, y_fixed, drawn}},
      {"revolute about z, turn", hinge({0, 0, 1}, "", true), {z_fixed, y_fixed, drawn}},
      {"revolute, skew, turn", hinge({0.3, -0.5, 0.8}, "", true), {z_fixed, y_fixed, twisted}, false},
      {"universal",
       [](Model& m, ElementKind k) {
         m.joints.add("cross", Universal{ground(), start_of(k), {}, {0, 1, 0}, {0, 0, 1}});
         m.joints.add("tip", support(end_of(k), "yz"));
       },
       {twisted, z_pinned, y_pinned},
       false},
      {"cylindrical along x, turn, slide",
       [](Model& m, ElementKind k) {
         m.joints.add("sleeve", Cylindrical{ground(), start_of(k), {}, {1, 0, 0}});
         m.joints.add("turn", Turn{"sleeve", Signal(0)});
         m.joints.add("slide", Slide{"sleeve", Signal(0)});
       },
       {z_fixed, y_fixed, drawn, twisted},
       false},
      {"prismatic along x, slide",
       [](Model& m, ElementKind k) {
         m.joints.add("guide", Prismatic{ground(), start_of(k), {}, {1, 0, 0}});
         m.joints.add("slide", Slide{"guide", Signal(0)});
       },
       {z_fixed, y_fixed, drawn, twisted}},
      {"prismatic along z",
       [](Model& m, ElementKind k) {
         m.joints.add("guide", Prismatic{ground(), start_of(k), {}, {0, 0, 1}});
         m.joints.add("tip", support(end_of(k), "z"));
       },
       {z_guided, y_fixed, twisted}},
      {"planar",
       [](Model& m, ElementKind k) {
         m.joints.add("floor", Planar{ground(), start_of(k), {}, {0, 0, 1}});
         m.joints.add("start", support(start_of(k), "xy"));
         m.joints.add("tip", support(end_of(k), "y"));
       },
       {z_fixed, y_pinned, twisted}},
      {"spherical at the tip",
       [](Model& m, ElementKind k) {
         m.joints.add("root", Weld{ground(), start_of(k), {}});
         m.joints.add("ball", Spherical{ground(), end_of(k), {}});
       },
       {z_propped, y_propped}},
      {"point_on_line at the tip",
       [](Model& m, ElementKind k) {
         m.joints.add("root", Weld{ground(), start_of(k), {}});
         m.joints.add("line", PointOnLine{ground(), end_of(k), {}, {1, 0, 0}});
       },
       {z_propped, y_propped, drawn}},
      {"distance at the tip",
       [](Model& m, ElementKind k) {
         m.joints.add("root", Weld{ground(), start_of(k), {}});
         At below = ground();
         below.point = Triple{L, 0, -1};
         m.joints.add("rod", Distance{below, end_of(k), {}});
       },
       {z_propped, y_fixed}},
      {"gear",
       [](Model& m, ElementKind k) {
         m.bodies.add("wheel", block_at({0, 1, 0}));
         m.joints.add("hinge", Revolute{ground(), start_of(k), {}, {0, 1, 0}});
         m.joints.add("axle", Revolute{ground(), at("wheel", "center"), {}, {0, 1, 0}});
         m.joints.add("gear", Gear{"axle", "hinge", 0.5});
         m.joints.add("drive", Turn{"axle", Signal(0)});
       },
       {z_fixed, y_fixed}},
      {"weld to a rigid body",
       [](Model& m, ElementKind k) {
         m.bodies.add("block", block_at({-0.1, 0.05, 0}));
         m.joints.add("foot", Weld{ground(), at("block", "center"), {}});
         m.joints.add("root", Weld{at("block", ""), start_of(k), {}});
       },
       {z_fixed, y_fixed, drawn, twisted}},
      {"screw along x, turn",
       [](Model& m, ElementKind k) {
         m.joints.add("screw", Screw{ground(), start_of(k), {}, {1, 0, 0}, 0.01});
         m.joints.add("turn", Turn{"screw", Signal(0)});
       },
       {z_fixed, y_fixed, drawn, twisted},
       false},
      {"rack and pinion",
       [](Model& m, ElementKind k) {
         m.bodies.add("rack", block_at({0, 0, -0.1}));
         m.joints.add("hinge", Revolute{ground(), start_of(k), {}, {0, 1, 0}});
         m.joints.add("guide", Prismatic{ground(), at("rack", "center"), {}, {1, 0, 0}});
         m.joints.add("teeth", RackAndPinion{"hinge", "guide", 0.1});
         m.joints.add("slide", Slide{"guide", Signal(0)});
       },
       {z_fixed, y_fixed}},
      {"point_in_plane at the tip",
       [](Model& m, ElementKind k) {
         m.joints.add("root", Weld{ground(), start_of(k), {}});
         m.joints.add("plane", PointInPlane{ground(), end_of(k), {}, {0, 0, 1}});
       },
       {z_propped, y_fixed, drawn}},
      {"slide_along a rail at the tip",
       [](Model& m, ElementKind k) {
         m.joints.add("root", Weld{ground(), start_of(k), {}});
         add_strip(m, "rail", ElementKind::beam3243, 2, {{L - 0.2, 0, 0}}, {{1, 0, 0}}, 0.5, 'y');
         m.constraints.add("bed", Clamp{at("rail", "all"), Hold::all});
         m.joints.add("ring", SlideAlong{"rail", end_of(k)});
       },
       {z_propped, y_propped, drawn}},
      {"rigid_connection",
       [](Model& m, ElementKind k) {
         m.bodies.add("block", block_at({-0.1, 0.05, 0}));
         m.joints.add("foot", Weld{ground(), at("block", "center"), {}});
         m.joints.add("root", RigidConnection{at("block", ""), at("strip", is_line(k) ? "start" : "x_min")});
       },
       {z_fixed, y_fixed, drawn, twisted}},
      {"distributing_connection",
       [](Model& m, ElementKind k) {
         m.bodies.add("block", block_at({-0.1, 0.05, 0}));
         m.joints.add("foot", Weld{ground(), at("block", "center"), {}});
         m.joints.add("root", DistributingConnection{at("block", ""), at("strip", is_line(k) ? "start" : "x_min")});
       },
       {z_fixed, drawn, twisted},
       false},
      {"clamp",
       [](Model& m, ElementKind k) { m.constraints.add("root", Clamp{at("strip", is_line(k) ? "start" : "x_min")}); },
       {z_fixed, y_fixed, drawn, twisted}},
  };
}

Model held_strip(const Case& c, ElementKind kind, int n, const Way& way) {
  Model model;
  add_strip(model, "strip", kind, n, {}, {{1, 0, 0}}, L, way.axis == 'z' ? 'y' : 'z');
  c.hold(model, kind);
  if (way.held == Held::torsion) model.loads.add("load", PointMoment{end_of(kind), constant(1, 0, 0)});
  else model.loads.add("load", PointForce{place("strip", {{expected(way).load_at, 0, 0}}), along(way.axis, 1)});
  return model;
}

// What an element itself falls short by: static deflection and frequency, times n^2.
std::pair<double, double> coarseness(Held held) {
  if (held == Held::axial) return {0, 0};
  return {0, held == Held::fixed_free || held == Held::guided_pinned ? 0.01 : 0.04};
}

class JointStiffness : public ::testing::TestWithParam<ElementKind> {};

TEST_P(JointStiffness, DoesNotDependOnTheMesh) {
  const ElementKind kind = GetParam();
  for (const Case& c : cases()) {
    if (kind == ElementKind::cable && !c.cables) continue;
    for (const Way& way : c.ways) {
      if (kind == ElementKind::cable && way.held == Held::torsion) continue;
      SCOPED_TRACE(c.name + ", " + way.axis + " " + std::to_string(static_cast<int>(way.held)));
      for (int n : meshes) {
        const LinearResponse response(held_strip(c, kind, n, way));
        const Expected e = expected(way);
        if (way.held == Held::torsion) {
          // Never softer; on a coarse mesh stiffer, where the clamped end of a shell or hexa may not warp.
          const double ratio = twist_ratio(response);
          EXPECT_LT(ratio, 1.01) << n << " elements";
          EXPECT_GT(ratio, 0.99 - (is_line(kind) ? 0 : 0.12 / n)) << n << " elements";
          continue;
        }
        const double ratio = moves(response, place("strip", {{e.load_at, 0, 0}}), unit_of(way.axis)) / e.deflection;
        const double beat = response.frequency(e.frequency) / e.frequency;
        const auto [statics, vibration] = coarseness(way.held);
        const double dents = way.held == Held::axial && !is_line(kind) ? 0.5 * W / L : 0;  // at the root and at the tip
        // A force in the plane of a shell dents the place where it acts.
        const double dent = kind == ElementKind::shell3443 && way.axis == 'y' ? 0.16 * W / L : 0;
        const double shear = (way.held == Held::fixed_pinned ? 3e-3 : 1e-3) + dent;
        EXPECT_NEAR(ratio, 1, statics / (n * n) + shear + 2 * dents) << n << " elements";
        EXPECT_NEAR(beat, 1, vibration / (n * n) + shear + dents) << n << " elements";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, JointStiffness, ::testing::ValuesIn(all_kinds),
                         [](const auto& param) { return name_of(param.param); });

// ---- bodies joined to each other ----

// A moment about a shell's normal acts on slopes of one place, which give way a little.
double moment_dent(ElementKind kind) { return kind == ElementKind::shell3443 ? 0.35 * W / L : 0; }

const std::vector<ElementKind> with_sections{ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843};

// Two strips of half the length in line bend, stretch and twist like one; at a right angle, clamped at one end and
// drawn at the other by P along the first: corner P L^3 / EI (moment P L on the first, L long, times the arm L), and P
// L^3 / (3 EI) of the second.
TEST(WeldedStrips, BendLikeOnePiece) {
  for (const ElementKind kind : with_sections)
    for (int n : meshes) {
      SCOPED_TRACE(name_of(kind) + " " + std::to_string(n));
      const double coarse = 0.01 / (n * n), dent = is_line(kind) ? 0 : 0.5 * W / L;
      for (const Way& way : {z_fixed, y_fixed, drawn}) {
        Model model;
        add_strip(model, "first", kind, n / 2, {}, {{1, 0, 0}}, L / 2, 'y');
        add_strip(model, "strip", kind, n / 2, {{L / 2, 0, 0}}, {{1, 0, 0}}, L / 2, 'y');
        model.constraints.add("root", Clamp{at("first", is_line(kind) ? "start" : "x_min")});
        model.joints.add("weld", Weld{end_of(kind, "first"), start_of(kind), {}});
        model.loads.add("load", PointForce{end_of(kind), along(way.axis, 1)});
        const LinearResponse response(model);
        const double u = moves(response, end_of(kind), unit_of(way.axis));
        // At the tip and on both sides of the weld; the moment that bends a shell in its plane acts on two of its
        // slopes.
        const double dents = way.held == Held::axial ? 3 * dent : way.axis == 'y' ? moment_dent(kind) : 0;
        EXPECT_NEAR(u / expected(way).deflection, 1, coarse + 1e-3 + dents) << way.axis;
        const double beat = response.frequency(expected(way).frequency) / expected(way).frequency;
        EXPECT_NEAR(beat, 1, coarse + 1e-3 + dents) << way.axis;
      }
      Model model;
      add_strip(model, "first", kind, n, {}, {{1, 0, 0}}, L, 'y');
      add_strip(model, "strip", kind, n, {{L, 0, 0}}, {{0, 0, 1}}, L, 'y');
      model.constraints.add("root", Clamp{at("first", is_line(kind) ? "start" : "x_min")});
      model.joints.add("weld", Weld{end_of(kind, "first"), start_of(kind), {}});
      model.loads.add("load", PointForce{end_of(kind), along('x', 1)});
      const LinearResponse response(model);
      const double u = moves(response, end_of(kind), {{1, 0, 0}});
      EXPECT_NEAR(u / (4 * L * L * L / (3 * EI_y)), 1, coarse + 1e-3);
    }
}

// A rigid body between two strips, all welded, adds its length without bending: with P at the tip and lengths a, b of
// the strips and r of the body the deflection is P (a^3 + b^3)/(3 EI) + P (b + r) a (a + b + r) / EI.
TEST(WeldedStrips, ARigidBodyBetweenThem) {
  const double a = 0.5, b = 0.5, r = 0.2;
  for (const ElementKind kind : with_sections)
    for (int n : meshes) {
      Model model;
      add_strip(model, "first", kind, n, {}, {{1, 0, 0}}, a, 'y');
      add_strip(model, "strip", kind, n, {{a + r, 0, 0}}, {{1, 0, 0}}, b, 'y');
      RigidBody block;
      block.position = {a + r / 2, 0, 0.05};
      block.mass = 0.1;
      block.inertia = std::vector<double>{1e-3, 1e-3, 1e-3};
      model.bodies.add("block", block);
      model.joints.add("root", Weld{ground(), start_of(kind, "first"), {}});
      model.joints.add("one", Weld{end_of(kind, "first"), at("block", ""), {}});
      model.joints.add("two", Weld{at("block", ""), start_of(kind), {}});
      model.loads.add("load", PointForce{end_of(kind), along('z', 1)});
      const LinearResponse response(model);
      const double u = moves(response, end_of(kind), {{0, 0, 1}});
      const double exact = ((a * a * a + b * b * b) / 3 + (b + r) * a * (a + b + r)) / EI_y;
      EXPECT_NEAR(u / exact, 1, 0.01 / (n * n) + 1e-3) << name_of(kind) << " " << n;
    }
}

// ---- moments ----

// An end moment bends the strip to a circle: the section turns by M L / EI at the end, and r_x with it.
TEST(Moments, TurnTheSectionAndTheSlopeAlike) {
  const double theta = 0.01;
  for (const ElementKind kind : with_sections)
    for (const char axis : {'y', 'z'})
      for (int n : meshes) {
        SCOPED_TRACE(name_of(kind) + " " + axis + " " + std::to_string(n));
        Model model;
        add_strip(model, "strip", kind, n, {}, {{1, 0, 0}}, L, 'y');
        model.constraints.add("root", Clamp{at("strip", is_line(kind) ? "start" : "x_min")});
        model.loads.add("load", PointMoment{end_of(kind), along(axis, theta * (axis == 'y' ? EI_y : EI_z) / L)});
        const LinearResponse response(model);
        const std::vector<double> u = response.displacement();
        const Marker end = make_marker(response.system, end_of(kind));
        // About y: r_z turns towards x, r_x towards -z. About z: r_y towards -x, r_x towards y.
        const double section = axis == 'y' ? end.gradient[2].rate(u)[0] : -end.gradient[1].rate(u)[0];
        const double slope = axis == 'y' ? -end.gradient[0].rate(u)[2] : end.gradient[0].rate(u)[1];
        const double dent = axis == 'z' ? moment_dent(kind) : 0;
        EXPECT_NEAR(section / theta, 1, 1e-3 + dent);
        EXPECT_NEAR(slope / theta, 1, 2e-3 + dent);
        const double tip = dot(end.position.rate(u), unit_of(axis == 'y' ? 'z' : 'y'));
        EXPECT_NEAR(std::abs(tip) / (theta * L / 2), 1, 1e-3 + dent);
      }
}

TEST(Moments, TheOldWorkIsAChoice) {
  Model model;
  add_strip(model, "strip", ElementKind::beam3243, 10, {}, {{1, 0, 0}}, L, 'y');
  model.constraints.add("root", Clamp{at("strip", "start")});
  const auto slope = [&](MomentTurns turns) {
    model.loads.items.clear();
    model.loads.where.clear();
    model.loads.add("load", PointMoment{at("strip", "end"), along('y', EI_y / L), turns});
    const LinearResponse response(model);
    const Marker end = make_marker(response.system, at("strip", "end"));
    return -end.gradient[0].rate(response.displacement())[2];
  };
  EXPECT_NEAR(slope(MomentTurns::section), 1, 1e-3);
  EXPECT_GT(slope(MomentTurns::gradients), 1.0005);
}

// ---- bushings ----

// A root that turns by M / k: P L^3 / (3 EI) + P L^2 / k, for every mesh; k as stiff as the strip itself.
TEST(Bushings, TurnWithTheSection) {
  for (const ElementKind kind : with_sections)
    for (const char axis : {'z', 'y'})
      for (int n : meshes) {
        const double EI = axis == 'z' ? EI_y : EI_z, k = 3 * EI / L;
        Model model;
        add_strip(model, "strip", kind, n, {}, {{1, 0, 0}}, L, 'y');
        Bushing bushing;
        bushing.a = ground();
        bushing.b = start_of(kind);
        bushing.stiffness = {1e9, 1e9, 1e9};
        bushing.torsion_stiffness = {1e6, k, k};
        model.springs.add("root", bushing);
        model.loads.add("load", PointForce{end_of(kind), along(axis, 1)});
        const LinearResponse response(model);
        const double u = moves(response, end_of(kind), unit_of(axis));
        const double exact = L * L * L / (3 * EI) + L * L / k;
        EXPECT_NEAR(u / exact, 1, 0.01 / (n * n) + 1e-3 + (axis == 'y' ? moment_dent(kind) : 0))
            << name_of(kind) << " " << axis << " " << n;
      }
}

// ---- clamps ----

// The axial frequency and the bending frequencies converge with second order; holding everything only with the first.
TEST(Clamps, LetTheSectionStretch) {
  for (const ElementKind kind : all_kinds)
    for (const Way& way : {drawn, z_fixed}) {
      double last[2] = {};
      for (int n : {8, 16, 32}) {
        for (const Hold hold : {Hold::section, Hold::all}) {
          Model model;
          add_strip(model, "strip", kind, n, {}, {{1, 0, 0}}, L, 'y');
          model.constraints.add("root", Clamp{at("strip", is_line(kind) ? "start" : "x_min"), hold});
          model.loads.add("load", PointForce{end_of(kind), along(way.axis, 1)});
          last[hold == Hold::all] =
              LinearResponse(model).frequency(expected(way).frequency) / expected(way).frequency - 1;
        }
        EXPECT_LT(std::abs(last[0]), 0.4 / (n * n) + 3e-4) << name_of(kind) << " " << way.axis << " " << n;
        if (way.axis == 'x' && !kind->section_form) {
          EXPECT_GT(last[1], 0.05 / n) << name_of(kind) << " " << n;
        }
      }
    }
}

// What a clamp holds, vector by vector, and that all of it is eliminated.
TEST(Clamps, HoldPositionAndRotation) {
  const struct {
    ElementKind kind;
    const char* set;
    int free;                                         // unknowns at the clamped nodes
  } list[] = {{ElementKind::cable, "start", 1},       // the length of r_x
              {ElementKind::beam3243, "start", 5},    // r_x, and the lengths of r_y and r_z
              {ElementKind::shell3443, "x_min", 8},   // at each of two nodes r_x and the length of r_z
              {ElementKind::hexa3843, "x_min", 12}};  // at each of four nodes r_x
  for (const auto& c : list) {
    Model model;
    add_strip(model, "strip", c.kind, 2, {}, {{1, 0, 0}}, L, 'y');
    const int before = compile(model).map.size;
    model.constraints.add("root", Clamp{at("strip", c.set)});
    const System system = compile(model);
    const int nodes = is_line(c.kind) ? 1 : c.kind == ElementKind::shell3443 ? 2 : 4;
    EXPECT_EQ(before - system.map.size, nodes * 3 * system.bodies[0].node_vectors - c.free) << name_of(c.kind);
    EXPECT_EQ(system.row_count(), 0) << name_of(c.kind);
    model.constraints.items[0].second = Clamp{at("strip", c.set), Hold::all};
    EXPECT_EQ(before - compile(model).map.size, nodes * 3 * system.bodies[0].node_vectors) << name_of(c.kind);
    // A single node: no rigid motion is left.
    model.constraints.items[0].second = Clamp{at_node("strip", 0)};
    const LinearResponse response(model);
    EXPECT_EQ(response.system.row_count(), 0) << name_of(c.kind);
  }
}

// ---- reactions and rotations ----

struct Solved {
  System system;
  State state;
  Workspace work;
  StaticReport report;
  explicit Solved(const Model& model) : system(compile(model)), state(system.initial_state()), work(system, 1) {
    StaticAnalysis options;
    options.tolerance = 1e-10;
    options.largest_step = options.first_step = 0.25;
    report = solve_static(system, options, state, work, [](const State&, const StaticStep&) { return true; });
    evaluate_internal(system, state, work);
    evaluate_external(system, state, work);
  }
};

// Far from the straight strip: the joint's force is the load, its torque that of the load about the joint.
TEST(Reactions, BalanceTheLoads) {
  const Vec3<double> P{{0.3, 1.2, 0.8}}, M{{0.05, 0.1, -0.2}};
  for (const ElementKind kind : with_sections)
    for (const Case& c : cases()) {
      if (c.name != "weld" && c.name != "weld, strip first" && c.name.find("turn") == std::string::npos &&
          c.name != "weld to a rigid body")
        continue;
      SCOPED_TRACE(name_of(kind) + " " + c.name);
      Model model;
      add_strip(model, "strip", kind, 4, {}, {{1, 0, 0}}, L, 'y');
      c.hold(model, kind);
      model.loads.add("force", PointForce{end_of(kind), constant(P[0], P[1], P[2])});
      model.loads.add("moment", PointMoment{end_of(kind), constant(M[0], M[1], M[2])});
      for (const auto& [name, joint] : model.joints.items)
        if (name != "foot") model.outputs.add(name, JointOutput{name});
      const Solved run(model);
      ASSERT_TRUE(run.report.ok()) << run.report.message;
      const std::vector<Channel> columns = channels(run.system);
      const std::vector<double> values = channel_values(run.system, run.state, run.work);
      Vec3<double> force{}, torque{};
      std::size_t first = 0;
      for (const Channel& channel : columns) {
        for (int m = 0; m < 3; ++m) {
          force[m] += values[first + m];
          torque[m] += values[first + 3 + m];
        }
        first += channel.columns.size();
      }
      const Vec3<double> arm = position(run.system, end_of(kind)).value(run.state.q);
      const Vec3<double> moment = M + cross(arm, P);
      EXPECT_GT(std::sqrt(dot(arm - Vec3<double>{{1, 0, 0}}, arm - Vec3<double>{{1, 0, 0}})), 0.1) << "bends far";
      const double sign = c.name == "weld, strip first" ? -1 : 1;  // b is the ground
      for (int m = 0; m < 3; ++m) {
        EXPECT_NEAR(sign * force[m], -P[m], 1e-6);
        EXPECT_NEAR(sign * torque[m], -moment[m], 1e-6);
      }
    }
}

// The output `rotation` at a place of a flexible body: of a strip that turns as a rigid body, its rotation and rate.
TEST(Rotations, OfSections) {
  const double angle = 0.8, c = std::cos(angle), s = std::sin(angle);
  const Mat3<double> R{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
  const Vec3<double> omega{{0.3, -0.7, 1.1}};
  for (const ElementKind kind : with_sections)
    for (const double x : {0.0, 0.4, 1.0}) {
      Model model;
      add_strip(model, "strip", kind, 2, {}, {{1, 0, 0}}, L, 'y');
      RotationOutput output;
      output.at = place("strip", {{x, kind == ElementKind::beam3243 ? 0 : W / 4, 0}});
      model.outputs.add("section", output);
      const System system = compile(model);
      State state = system.initial_state();
      for (int v = 0; v < system.vectors(); ++v) {
        const Vec3<double> q = R * Vec3<double>{{state.q[3 * v], state.q[3 * v + 1], state.q[3 * v + 2]}};
        const Vec3<double> rate = cross(omega, q);
        for (int m = 0; m < 3; ++m) {
          state.q[3 * v + m] = q[m];
          state.v[3 * v + m] = rate[m];
        }
      }
      Workspace work(system, 1);
      const std::vector<double> values = channel_values(system, state, work);
      ASSERT_EQ(values.size(), 12u);
      for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m) EXPECT_NEAR(values[3 * k + m], R[m][k], 1e-12) << name_of(kind) << x;
      for (int m = 0; m < 3; ++m) EXPECT_NEAR(values[9 + m], omega[m], 1e-12);
    }
}

}  // namespace
}  // namespace lithe::test
