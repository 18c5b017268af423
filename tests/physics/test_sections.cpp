// Beams of every section: bending, twist, mass and offset as the section's properties say; tapered beams.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/model/section_properties.h"
#include "lithe/system/outputs.h"
#include "support/linear_response.h"
#include "support/models.h"

namespace lithe::test {
namespace {

constexpr double E = 2e11, nu = 0.3, density = 7800, L = 2;
const Isotropic steel{E, nu, density, 0};

Model beam(const Section& section, int elements = 4) {
  Model model;
  model.materials.add("steel", steel);
  model.sections.add("section", section);
  Body body;
  body.element = ElementKind::beam3243;
  body.material = "steel";
  body.section = "section";
  body.mesh = LineMesh{{0, 0, 0}, {L, 0, 0}, elements, Triple{0, 1, 0}};
  model.bodies.add("beam", body);
  model.constraints.add("root", Clamp{at("beam", "start")});
  return model;
}

const std::vector<std::pair<std::string, Section>> sections{
    {"rectangle", Rectangle{0.04, 0.02}},
    {"circle", Circle{0.02}},
    {"tube", Tube{0.03, 0.002}},
    {"box", Box{0.05, 0.08, 0.003}},
    {"I", ISection{0.1, 0.06, 0.008, 0.005}},
    {"channel", ChannelSection{0.1, 0.05, 0.006, 0.004}},
    {"angle", AngleSection{0.06, 0.04, 0.005}},
    {"polygon", Polygon{{{0, 0}, {0.05, 0}, {0, 0.03}}}},
};

TEST(Sections, BendAndTwistAndWeighAsTheirPropertiesSay) {
  for (const auto& [name, section] : sections) {
    SCOPED_TRACE(name);
    const SectionProperties p = section_properties(section, steel);
    const SectionStiffness c = section_stiffness(section, steel);
    EXPECT_NEAR(total_mass(compile(beam(section))) / (density * p.area * L), 1, 1e-9);
    // Oblique where the axes are not the principal ones: curvature = M against (I_yy, I_yz; I_yz, I_zz).
    const double det = p.I_yy * p.I_zz - p.I_yz * p.I_yz;
    Model bent = beam(section);
    bent.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, 1)});
    const LinearResponse response(bent);
    const std::vector<double> u = response.displacement();
    const Vec3<double> tip = make_marker(response.system, at("beam", "end")).position.rate(u);
    const double shear = L * c.C[1][1] / (c.C[1][1] * c.C[2][2] - c.C[1][2] * c.C[1][2]);
    // The force passes through the centroid, not the shear centre, and twists the beam about the latter.
    const double y = p.shear_centre[0], z = p.shear_centre[1], twist = -y * L / (E / (2 * (1 + nu)) * p.J);
    EXPECT_NEAR(tip[2] / (L * L * L * p.I_zz / (3 * E * det) + shear - twist * y), 1, 2e-3);
    EXPECT_NEAR(tip[1], -L * L * L * p.I_yz / (3 * E * det) + twist * z, 2e-3 * std::abs(tip[2]));
    Model twisted = beam(section);
    twisted.loads.add("tip", PointMoment{at("beam", "end"), constant(1, 0, 0)});
    const LinearResponse turning(twisted);
    const Marker end = make_marker(turning.system, at("beam", "end"));
    EXPECT_NEAR(end.gradient[1].rate(turning.displacement())[2] / (L / (E / (2 * (1 + nu)) * p.J)), 1, 1e-6);
  }
}

// The line passes below the centroid: a pull along it stretches the lower side more, and the tip rises.
TEST(Sections, AnOffsetBends) {
  Rectangle r{0.04, 0.02};
  r.offset = {0, -0.005};
  Model model = beam(r);
  model.loads.add("pull", PointForce{at("beam", "end"), constant(1000, 0, 0)});
  const LinearResponse response(model);
  const std::vector<double> u = response.displacement();
  const Vec3<double> tip = make_marker(response.system, at("beam", "end")).position.rate(u);
  const double EI = E * 0.04 * std::pow(0.02, 3) / 12;
  EXPECT_NEAR(tip[2], 1000 * 0.005 * L * L / (2 * EI), 1e-6 * std::abs(tip[2]));
}

// Height from h to h/2: v = P int x^2 / (E I(x)) dx from the tip.
TEST(Sections, TaperedBeams) {
  double last = 0;
  for (const int n : {4, 8, 16}) {
    Model model = beam(Tapered{"thick", "thin"}, n);
    model.sections.add("thick", Rectangle{0.04, 0.04});
    model.sections.add("thin", Rectangle{0.04, 0.02});
    model.loads.add("tip", PointForce{at("beam", "end"), constant(0, 0, 1)});
    const LinearResponse response(model);
    const double tip = make_marker(response.system, at("beam", "end")).position.rate(response.displacement())[2];
    double exact = 0;
    const int steps = 20000;
    for (int k = 0; k < steps; ++k) {
      const double x = L * (k + 0.5) / steps, h = 0.02 + 0.02 * x / L;  // from the tip
      exact += x * x / (E * 0.04 * h * h * h / 12) * L / steps;
    }
    const double error = std::abs(tip / exact - 1);
    if (last > 0) {
      EXPECT_GT(last / error, 3) << n;
    }
    last = error;
  }
  EXPECT_LT(last, 2e-3);
  // Two alike are evaluated side by side.
  Model both = beam(Tapered{"thick", "thin"}, 4);
  both.sections.add("thick", Rectangle{0.04, 0.04});
  both.sections.add("thin", Rectangle{0.04, 0.02});
  both.bodies.add("other", both.bodies.items[0].second);
  const System system = compile(both);
  EXPECT_EQ(system.batches.size(), 1u);
  EXPECT_NEAR(total_mass(system) / (2 * density * 0.04 * 0.03 * L), 1, 1e-12);
  const State state = system.initial_state();
  EXPECT_NEAR(strain_energy(system, state), 0, 1e-12);
}

}  // namespace
}  // namespace lithe::test
