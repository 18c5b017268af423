// Sections of beams: the finite elements against closed forms, the stiffness matrix, what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "lithe/model/section_properties.h"
#include "lithe/model/section_solution.h"
#include "lithe/model/section_taper.h"
#include "lithe/model/validate.h"
#include "support/messages.h"

namespace lithe {
namespace {

using std::numbers::pi;
using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

constexpr double nu = 0.3;
const Isotropic steel{.E = 2.1e11, .nu = nu, .density = 7850, .damping = 0};
// Steel, called orthotropic: closed forms of isotropic materials are not taken.
const double steel_G = steel.E / (2 * (1 + nu));
const Orthotropic same_as_steel{steel.E, steel.E, steel.E, nu, nu, nu, steel_G, steel_G, steel_G, 7850, 0};

Polygon as_polygon(const Outline& shape, double angle = 0) {
  Polygon polygon;
  const double c = std::cos(angle), s = std::sin(angle);
  for (std::size_t l = 0; l < shape.loops.size(); ++l) {
    SectionLoop loop;
    for (const auto& [y, z] : shape.loops[l]) loop.push_back({c * y - s * z, s * y + c * z});
    if (l == 0) polygon.points = loop;
    else polygon.holes.push_back(loop);
  }
  return polygon;
}
Polygon rectangle(double width, double thickness) { return as_polygon(outline(Rectangle{width, thickness})); }
double relative(double computed, double exact) { return std::abs(computed / exact - 1); }
SectionSolution solved(const Outline& shape, double poisson, double across = usual_across) {
  return solve_section(mesh_outline(shape, across),
                       bar_material(Isotropic{.E = 1, .nu = poisson, .density = 0, .damping = 0}));
}
Matrix6 matrix(const SectionStiffness& s) { return Eigen::Map<const Matrix6>(&s.C[0][0]); }

// Shear factor by energy of a rectangle, `along` the force and `across` it.
double rectangle_energy_factor(double along, double across, double poisson) {
  const double ratio = across / along;
  double sum = 0;
  for (int n = 200; n > 0; --n) sum += std::tanh(n * pi / ratio) / std::pow(n, 5);
  return 1 /
         (1.2 + std::pow(poisson / (1 + poisson), 2) * std::pow(ratio, 4) * (0.2 - 18 / std::pow(pi, 5) * ratio * sum));
}

// ---- finite elements against closed forms ----

TEST(SectionProperties, AgreeWithClosedForms) {
  // Prints the table of docs/theory/sections.md.
  const auto row = [](const char* shape, const char* quantity, double computed, double closed, double limit) {
    fmt::print("| {} | {} | {:.6g} | {:.6g} | {:.1e} |\n", shape, quantity, computed, closed,
               relative(computed, closed));
    EXPECT_LT(relative(computed, closed), limit) << shape << ": " << quantity;
  };
  // As tabulated by Timoshenko and Goodier for the torsion of rectangular bars, with more digits.
  const struct { double width, J; } rectangles[] = {{1, 0.1405770}, {2, 0.4573637}, {10, 3.123253}};
  for (const auto& [width, J] : rectangles) {
    const std::string name = fmt::format("rectangle {:g}:1", width);
    const SectionProperties closed = section_properties(Rectangle{width, 1}, steel),
                            p = section_properties(rectangle(width, 1), steel);
    EXPECT_LT(relative(closed.J, J), 1e-6);
    row(name.c_str(), "J", p.J, closed.J, 1e-4);
    row(name.c_str(), "I_w", p.I_w, closed.I_w, 2e-4);
    row(name.c_str(), "k_y = 10(1+nu)/(12+11nu)", p.k_y, 10 * (1 + nu) / (12 + 11 * nu), 1e-5);
    row(name.c_str(), "k_z", p.k_z, 10 * (1 + nu) / (12 + 11 * nu), 1e-4);
    EXPECT_NEAR(closed.k_y, 10 * (1 + nu) / (12 + 11 * nu), 1e-14);
    const double G = 1 / (2 * (1 + nu)), A = width;
    const SectionSolution s = solved(outline(Rectangle{width, 1}), nu);
    row(name.c_str(), "k_y by energy", 1 / (s.energy.yy * G * A), rectangle_energy_factor(width, 1, nu), 1e-5);
    row(name.c_str(), "k_z by energy", 1 / (s.energy.zz * G * A), rectangle_energy_factor(1, width, nu), 1e-4);
  }
  for (const double hole : {0.0, 0.5, 0.98}) {
    const Section section = hole > 0 ? Section(Tube{.radius = 1, .wall = 1 - hole}) : Section(Circle{.radius = 1});
    const SectionProperties closed = section_properties(section, steel), p = section_properties(section, same_as_steel);
    EXPECT_EQ(closed.nodes, 0);
    EXPECT_GT(p.nodes, 0);
    const std::string name = hole > 0 ? fmt::format("tube {:g}:1", hole) : "circle";
    row(name.c_str(), "J", p.J, pi / 2 * (1 - std::pow(hole, 4)), 2e-5);
    row(name.c_str(), "k_y (Cowper)", p.k_y, closed.k_y, 1e-5);
    EXPECT_LT(relative(p.k_z, p.k_y), 1e-9);
  }
  EXPECT_NEAR(section_properties(Circle{.radius = 1}, steel).k_y, 6 * (1 + nu) / (7 + 6 * nu), 1e-14);
  EXPECT_NEAR(section_properties(Tube{.radius = 1, .wall = 1e-6}, steel).k_y, 2 * (1 + nu) / (4 + 3 * nu), 1e-6);

  const Polygon triangle{{{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}}};
  row("equilateral triangle", "J = sqrt(3)/80", section_properties(triangle, steel).J, std::sqrt(3) / 80, 1e-5);

  // Thin walls: forms that hold for small thickness.
  const double t = 0.002, h = 0.2, b = 0.1;  // between the middles of the walls
  const SectionProperties channel =
      section_properties(ChannelSection{.height = h + t, .width = b + t / 2, .flange = t, .web = t}, steel);
  row("thin channel", "shear centre from the web", -(channel.centroid[0] + channel.shear_centre[0]) + t / 2,
      3 * b * b / (h + 6 * b), 1e-3);
  row("thin channel", "I_w", channel.I_w, t * b * b * b * h * h / 12 * (2 * h + 3 * b) / (h + 6 * b), 1e-2);
  const SectionProperties I = section_properties(ISection{.height = h + t, .width = b, .flange = t, .web = t}, steel);
  row("thin I", "I_w = I_zz h^2/4", I.I_w, I.I_zz * h * h / 4, 1e-3);
  const double m = 2 * b / h, n = b / h;  // Cowper's for walls of one thickness
  row("thin I", "k_z (Cowper)", I.k_z,
      10 * (1 + nu) * std::pow(1 + 3 * m, 2) /
          (12 + 72 * m + 150 * m * m + 90 * m * m * m + nu * (11 + 66 * m + 135 * m * m + 90 * m * m * m) +
           30 * n * n * (m + m * m) + 5 * nu * n * n * (8 * m + 9 * m * m)),
      1e-2);
  const SectionProperties box = section_properties(Box{.width = h + t, .height = h + t, .wall = t}, steel);
  row("thin square box", "J = t h^3 (Bredt)", box.J, t * h * h * h, 5e-3);
  // What the corners add goes with the thickness.
  const double half = section_properties(Box{.width = h + t / 2, .height = h + t / 2, .wall = t / 2}, steel).J;
  EXPECT_NEAR((half / (t / 2 * h * h * h) - 1) / (box.J / (t * h * h * h) - 1), 0.5, 0.01);
  row("thin square box", "k_y (Cowper)", box.k_y, 20 * (1 + nu) / (48 + 39 * nu), 1e-2);
  // El Darwish and Johnston (1965) for a rolled section without fillets: stated to within a percent.
  const double tf = 0.0085, tw = 0.0056, wide = 0.1, high = 0.2, ratio = tw / tf, D = tf + tw * tw / (4 * tf);
  const SectionProperties rolled =
      section_properties(ISection{.height = high, .width = wide, .flange = tf, .web = tw}, steel);
  row("I 200 x 100 x 5.6 x 8.5", "J (El Darwish, Johnston)", rolled.J,
      2 * wide * tf * tf * tf / 3 + (high - 2 * tf) * tw * tw * tw / 3 +
          2 * (-0.042 + 0.2204 * ratio - 0.0725 * ratio * ratio) * std::pow(D, 4) - 0.42 * std::pow(tf, 4),
      1e-2);
}

TEST(SectionProperties, ConvergeWithTheMesh) {
  // Prints the second table of docs/theory/sections.md. Convex corners leave the order of quadratic elements, 4 in an
  // energy; re-entrant ones reduce it.
  const double exact = section_properties(Rectangle{1, 1}, steel).J;
  double before = 0;
  for (const double across : {1.0, 2.0, 4.0, 8.0}) {
    const double error = relative(section_properties(rectangle(1, 1), steel, across).J, exact);
    fmt::print("| square | {} | {:.1e} |\n", across, error);
    if (before > 0) {
      EXPECT_GT(std::log2(before / error), 2.8) << across;
    }
    before = error;
  }
  const AngleSection angle{.height = 0.1, .width = 0.06, .thickness = 0.006};
  const double fine = section_properties(angle, steel, 12).J;
  before = 1;
  for (const double across : {1.0, 2.0, 4.0}) {
    const double error = relative(section_properties(angle, steel, across).J, fine);
    fmt::print("| angle 100 x 60 x 6 | {} | {:.1e} |\n", across, error);
    EXPECT_LT(error, 0.4 * before);
    before = error;
  }
  EXPECT_LT(before, 2e-4);
}

TEST(SectionProperties, OrthotropicRectangleByScaledAxes) {
  const Orthotropic ply{.E1 = 130e9,
                        .E2 = 9e9,
                        .E3 = 7e9,
                        .nu12 = 0.28,
                        .nu13 = 0.34,
                        .nu23 = 0.4,
                        .G12 = 6e9,
                        .G13 = 2.5e9,
                        .G23 = 3e9,
                        .density = 1600,
                        .damping = 0};
  const SectionProperties closed = section_properties(Rectangle{0.04, 0.01}, ply),
                          p = section_properties(rectangle(0.04, 0.01), ply);
  EXPECT_LT(relative(p.J, closed.J), 1e-4);
  EXPECT_LT(relative(p.I_w, closed.I_w), 1e-3);
  EXPECT_LT(relative(p.k_y, closed.k_y), 1e-4);
  EXPECT_LT(relative(p.k_z, closed.k_z), 1e-4);
  EXPECT_GT(relative(closed.J, section_properties(Rectangle{0.04, 0.01}, steel).J), 0.01);  // the scaling is felt
}

TEST(SectionProperties, TurnWithTheOutline) {
  const Outline shape = outline(AngleSection{.height = 0.1, .width = 0.06, .thickness = 0.012});
  const double angle = 0.4, c = std::cos(angle), s = std::sin(angle);
  const SectionProperties a = section_properties(as_polygon(shape), steel, 8),
                          b = section_properties(as_polygon(shape, angle), steel, 8);
  EXPECT_NEAR(b.area, a.area, 1e-15);
  EXPECT_NEAR(b.centroid[0], c * a.centroid[0] - s * a.centroid[1], 1e-15);
  EXPECT_LT(relative(b.I_max, a.I_max), 1e-12);
  EXPECT_LT(relative(b.I_min, a.I_min), 1e-12);
  EXPECT_NEAR(std::remainder(b.principal_angle - a.principal_angle - angle, pi), 0, 1e-12);
  EXPECT_LT(relative(b.J, a.J), 1e-4);
  EXPECT_LT(relative(b.I_w, a.I_w), 1e-3);
  EXPECT_NEAR(b.shear_centre[0], c * a.shear_centre[0] - s * a.shear_centre[1], 1e-6);
  EXPECT_NEAR(b.shear_centre[1], s * a.shear_centre[0] + c * a.shear_centre[1], 1e-6);
  // Shear compliance is a tensor.
  const auto compliance = [](const SectionProperties& p) {
    Eigen::Matrix2d F;
    F << 1 / (p.k_y * p.area), p.shear_coupling * steel_G, p.shear_coupling * steel_G, 1 / (p.k_z * p.area);
    return F;
  };
  Eigen::Matrix2d R;
  R << c, -s, s, c;
  EXPECT_LT((R * compliance(a) * R.transpose() - compliance(b)).norm(), 2e-4 * compliance(a).norm());
  // The axis of I_max: no product of inertia about it, and no larger moment.
  const double t = b.principal_angle;
  EXPECT_LT(relative(b.I_yy * std::pow(std::cos(t), 2) + b.I_zz * std::pow(std::sin(t), 2) - b.I_yz * std::sin(2 * t),
                     b.I_max),
            1e-12);
}

TEST(SectionProperties, SymmetryLeavesExactZeros) {
  const SectionProperties I = section_properties(
      ISection{.height = 0.2, .width = 0.1, .flange = 0.01, .web = 0.006, .bottom_width = 0.06}, steel);
  EXPECT_EQ(I.shear_centre[0], 0);
  EXPECT_GT(I.shear_centre[1], 0.01);  // towards the stiffer flange
  EXPECT_EQ(I.I_yz, 0);
  EXPECT_EQ(I.shear_coupling, 0);
  // Z: half a turn, but no mirror.
  const Polygon Z{{{-0.05, 0.1},
                   {-0.05, 0.09},
                   {-0.005, 0.09},
                   {-0.005, -0.1},
                   {0.05, -0.1},
                   {0.05, -0.09},
                   {0.005, -0.09},
                   {0.005, 0.1}}};
  const SectionProperties z = section_properties(Z, steel);
  EXPECT_EQ(z.shear_centre[0], 0);
  EXPECT_EQ(z.shear_centre[1], 0);
  EXPECT_LT(z.I_yz, -1e-7);
  EXPECT_NE(z.shear_coupling, 0);
}

TEST(SectionProperties, ShearComplianceIsPositiveForAnyOutline) {
  // Cowper's compliance stays close to the one of energy, which is positive by definition.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(0, 1);
  for (int k = 0; k < 60; ++k) {
    Polygon star;
    const int corners = 3 + k % 9;
    const double flat = 0.1 + any(random);
    for (int i = 0; i < corners; ++i) {
      const double r = 0.15 + any(random), angle = (i + 0.7 * any(random)) * 2 * pi / corners;
      star.points.push_back({r * std::cos(angle), flat * r * std::sin(angle)});
    }
    if (!find_fault(star).message.empty()) continue;
    const AreaMoments moments = area_moments(outline(star));
    const SectionSolution s = solved(outline(star), 0.49, 2);
    Eigen::Matrix2d mean, energy;
    mean << s.mean.yy, s.mean.yz, s.mean.yz, s.mean.zz;
    energy << s.energy.yy, s.energy.yz, s.energy.yz, s.energy.zz;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d> ratio(mean, energy);
    EXPECT_GT(ratio.eigenvalues()[0], 0.3) << k;
    EXPECT_LT(ratio.eigenvalues()[1], 2) << k;
    EXPECT_GT(s.GJ, 0);
    EXPECT_LT(s.GJ * 2 * 1.49, moments.yy + moments.zz);  // J < I_polar: warping only softens
  }
}

// ---- stiffness ----

TEST(SectionStiffness, OfARectangle) {
  const SectionStiffness s = section_stiffness(Rectangle{0.04, 0.01}, steel);
  const double A = 4e-4, k = 10 * (1 + nu) / (12 + 11 * nu);
  Matrix6 expected = Matrix6::Zero();
  expected.diagonal() << steel.E * A, k * steel_G * A, k * steel_G * A, steel_G * 0.04 * 1e-6 * 0.280813,
      steel.E * 0.04 * 1e-6 / 12, steel.E * 0.01 * 6.4e-5 / 12;
  EXPECT_LT((matrix(s) - expected).cwiseAbs().cwiseQuotient(expected.diagonal().cwiseMax(1).replicate(1, 6)).maxCoeff(),
            1e-5);
  EXPECT_DOUBLE_EQ(s.mass, 7850 * A);
  EXPECT_EQ(s.first[0], 0);
  EXPECT_DOUBLE_EQ(s.second[0], 7850 * 0.01 * 6.4e-5 / 12);
  EXPECT_DOUBLE_EQ(s.second[1], 7850 * 0.04 * 1e-6 / 12);
  // Factors are given as those of 13 and 12.
  const SectionStiffness given = section_stiffness(Rectangle{0.04, 0.01, std::array{0.5, 0.25}}, steel);
  EXPECT_NEAR(given.C[1][1], 0.25 * steel_G * A, 1e-3);
  EXPECT_NEAR(given.C[2][2], 0.5 * steel_G * A, 1e-3);
}

TEST(SectionStiffness, MovesWithTheReferenceLine) {
  // The same strains of the material, described from another line, cost the same energy and give moved resultants.
  const AngleSection here{.height = 0.1, .width = 0.06, .thickness = 0.01};
  AngleSection there = here;
  const double y = 0.02, z = -0.03;
  there.offset = {y, z};
  const SectionStiffness a = section_stiffness(here, steel), b = section_stiffness(there, steel);
  Vector6 strain_there;
  strain_there << 1e-3, 2e-3, -1e-3, 0.3, -0.2, 0.5;
  Vector6 strain_here = strain_there;  // at the centroid, which lies at (-y, -z) seen from there
  strain_here[0] += -z * strain_there[4] + y * strain_there[5];
  strain_here[1] += z * strain_there[3];
  strain_here[2] += -y * strain_there[3];
  const Vector6 force_here = matrix(a) * strain_here, force_there = matrix(b) * strain_there;
  EXPECT_NEAR(strain_here.dot(force_here) / strain_there.dot(force_there), 1, 1e-12);
  EXPECT_LT((force_here - force_there).head(3).norm(), 1e-9 * force_here.norm());
  EXPECT_NEAR(force_there[3], force_here[3] - y * force_here[2] + z * force_here[1], 1e-9 * force_here.norm());
  EXPECT_NEAR(force_there[4], force_here[4] - z * force_here[0], 1e-9 * force_here.norm());
  EXPECT_NEAR(force_there[5], force_here[5] + y * force_here[0], 1e-9 * force_here.norm());
  EXPECT_LT((matrix(b) - matrix(b).transpose()).norm(), 1e-12 * matrix(b).norm());
  EXPECT_DOUBLE_EQ(b.first[0], -y * b.mass);
  EXPECT_DOUBLE_EQ(b.first[1], -z * b.mass);
  EXPECT_NEAR(b.second[2], a.second[2] + b.mass * y * z, 1e-12 * b.second[0]);
}

TEST(SectionStiffness, OfStrainsAlongTheBeamIsTheIntegral) {
  // N, M_y, M_z of eps = G + z k2 - y k3, by integrals over an angle made of two blocks, about a line off the centroid.
  const AngleSection angle{.height = 0.1, .width = 0.06, .thickness = 0.01, .offset = {0.004, -0.007}};
  const SectionStiffness s = section_stiffness(angle, steel);
  const SectionPoint centroid = section_properties(angle, steel).centroid;
  const double line[2] = {centroid[0] + 0.004, centroid[1] - 0.007}, G = 1e-3, k2 = 0.2, k3 = -0.3;
  double N = 0, M_y = 0, M_z = 0;
  const double blocks[2][4] = {{0, 0.06, 0, 0.01}, {0, 0.01, 0.01, 0.1}};
  for (const auto& [y0, y1, z0, z1] : blocks)
    for (const double a : {-1 / std::sqrt(3), 1 / std::sqrt(3)})
      for (const double b : {-1 / std::sqrt(3), 1 / std::sqrt(3)}) {
        const double y = (y0 + y1 + a * (y1 - y0)) / 2 - line[0], z = (z0 + z1 + b * (z1 - z0)) / 2 - line[1];
        const double force = steel.E * (G + z * k2 - y * k3) * (y1 - y0) * (z1 - z0) / 4;
        N += force;
        M_y += z * force;
        M_z -= y * force;
      }
  Vector6 strain;
  strain << G, 0, 0, 0, k2, k3;
  const Vector6 force = matrix(s) * strain;
  EXPECT_NEAR(force[0] / N, 1, 1e-12);
  EXPECT_NEAR(force[4] / M_y, 1, 1e-12);
  EXPECT_NEAR(force[5] / M_z, 1, 1e-12);
}

TEST(SectionStiffness, ForcesThroughTheShearCentreDoNotTwist) {
  const ChannelSection channel{.height = 0.1, .width = 0.05, .flange = 0.004, .web = 0.003, .offset = {0.01, 0.02}};
  const SectionProperties p = section_properties(channel, steel);
  const Matrix6 compliance = matrix(section_stiffness(channel, steel)).inverse();
  EXPECT_LT(p.shear_centre[0] + p.centroid[0], 0);  // behind the web
  const double s_y = p.shear_centre[0] - 0.01, s_z = p.shear_centre[1] - 0.02, Q_y = 300, Q_z = -700;
  Vector6 force;
  force << 0, Q_y, Q_z, s_y * Q_z - s_z * Q_y, 0, 0;
  EXPECT_NEAR((compliance * force)[3], 0, 1e-12);
  force[3] = 0;  // along the reference line
  EXPECT_GT(std::abs((compliance * force)[3]), 1e-4);
  // Shear along z at the shear centre, and twist, are those of the section alone.
  force << 0, 0, 0, 5, 0, 0;
  EXPECT_NEAR((compliance * force)[3] / (5 / (steel_G * p.J)), 1, 1e-10);
}

TEST(SectionStiffness, OfAGeneralSectionIsTheOneGiven) {
  const ChannelSection channel{.height = 0.1, .width = 0.05, .flange = 0.004, .web = 0.003};
  const SectionStiffness s = section_stiffness(channel, steel);
  const SectionProperties p = section_properties(channel, steel);
  General six;
  const double diagonal[6] = {steel.E * p.area, p.k_y * steel_G * p.area, p.k_z * steel_G * p.area,
                              steel_G * p.J,    steel.E * p.I_yy,         steel.E * p.I_zz};
  for (int i = 0; i < 6; ++i) six.stiffness.rows[i][i] = diagonal[i];
  six.shear_centre = p.shear_centre;
  six.mass = s.mass;
  six.mass_second = {s.second[0], s.second[1], s.second[2]};
  EXPECT_LT((matrix(section_stiffness(six, steel)) - matrix(s)).norm(), 1e-12 * matrix(s).norm());
  General whole = six;
  whole.stiffness.diagonal = false;
  whole.shear_centre = {};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) whole.stiffness.rows[i][j] = s.C[i][j];
  ChannelSection moved = channel;
  whole.offset = moved.offset = {0.01, -0.02};
  const SectionStiffness a = section_stiffness(whole, steel), b = section_stiffness(moved, steel);
  EXPECT_LT((matrix(a) - matrix(b)).norm(), 1e-12 * matrix(b).norm());
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.second[i], b.second[i], 1e-12);
}

TEST(CableStiffness, OfEverySectionThatHasOne) {
  const CableStiffness round = cable_stiffness(Circle{.radius = 0.01}, steel);
  EXPECT_DOUBLE_EQ(round.EA, steel.E * pi * 1e-4);
  EXPECT_DOUBLE_EQ(round.EI, steel.E * pi * 1e-8 / 4);
  const CableStiffness flat = cable_stiffness(Rectangle{0.04, 0.01}, steel);
  EXPECT_DOUBLE_EQ(flat.EI, steel.E * 0.04 * 1e-6 / 12);
  const CableStiffness given = cable_stiffness(Bar{.EA = 5e5, .EI = 2, .mass = 0.3}, steel);
  EXPECT_EQ(given.EA, 5e5);
  EXPECT_EQ(given.EI, 2);
  EXPECT_EQ(given.mass, 0.3);
  EXPECT_DOUBLE_EQ(cable_stiffness(Bar{.area = 1e-4, .inertia = 1e-9}, steel).mass, 0.785);
  EXPECT_NE(message_of<InputError>([] { (void)cable_stiffness(Circle{.radius = 1, .offset = {1, 0}}, steel); }), "");
}

TEST(TaperedSection, ChangesEveryDimensionEvenly) {
  const ISection thick{.height = 0.3, .width = 0.2, .flange = 0.02, .web = 0.01, .offset = {0, 0.15}},
      thin{.height = 0.1, .width = 0.1, .flange = 0.01, .web = 0.01};
  const auto middle = std::get<ISection>(section_between(thick, thin, 0.25));
  EXPECT_DOUBLE_EQ(middle.height, 0.25);
  EXPECT_DOUBLE_EQ(middle.width, 0.175);
  EXPECT_DOUBLE_EQ(middle.web, 0.01);
  EXPECT_DOUBLE_EQ(middle.offset[1], 0.1125);
  const Polygon a{{{0, 0}, {1, 0}, {0, 1}}}, b{{{0, 0}, {3, 0}, {0, 2}}}, c{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  EXPECT_DOUBLE_EQ(std::get<Polygon>(section_between(a, b, 0.5)).points[1][0], 2);
  const auto refused = [](const Section& from, const Section& to) {
    return message_of<InputError>([&] { (void)section_between(from, to, 0.5); });
  };
  EXPECT_NE(refused(a, c).find("'points' has 3 entries"), std::string::npos) << refused(a, c);
  EXPECT_NE(refused(a, thin).find("different types"), std::string::npos);
  EXPECT_NE(refused(Plate{1}, Plate{2}).find("plate"), std::string::npos);
  ISection other = thin;
  other.bottom_width = 0.05;
  EXPECT_NE(refused(thick, other).find("'bottom_width'"), std::string::npos);
  General g, h;
  for (int i = 0; i < 6; ++i) {
    g.stiffness.rows[i][i] = 1;
    h.stiffness.rows[i][i] = 3;
  }
  h.mass = 4;
  const auto half = std::get<General>(section_between(g, h, 0.5));
  EXPECT_EQ(half.stiffness.rows[3][3], 2);
  EXPECT_EQ(half.mass, 2);
}

// ---- what is refused ----

std::string refusal(const Section& section) {
  Model model;
  model.materials.add("steel", steel);
  model.sections.add("wire", Circle{.radius = 0.01});
  model.sections.add("s", section);
  Body body;
  body.element = ElementKind::cable;
  body.material = "steel";
  body.section = "wire";
  LineMesh line;
  line.to = {1, 0, 0};
  body.mesh = line;
  model.bodies.add("it", body);
  return message_of<InputError>([&] {
    Reading reading;
    validate(model, reading);
  });
}
void expect_refused(const Section& section, const char* place, const char* words) {
  const std::string message = refusal(section);
  EXPECT_NE(message.find(place), std::string::npos) << message;
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

TEST(SectionRules, ShapesThatCannotBe) {
  expect_refused(Tube{.radius = 0.1, .wall = 0.1}, "sections.s.wall", "'type: circle'");
  expect_refused(Box{.width = 0.1, .height = 0.1, .wall = 0.05}, "sections.s.wall", "below width/2 = 0.05");
  expect_refused(Box{.width = 0.1, .height = 0.1, .wall = 0.01, .top_wall = 0.06}, "sections.s.top_wall", "height/2");
  expect_refused(ISection{.height = 0.1, .width = 0.1, .flange = 0.05, .web = 0.01}, "sections.s.flange", "room");
  expect_refused(ISection{.height = 0.1, .width = 0.1, .flange = 0.01, .web = 0.07, .bottom_width = 0.05},
                 "sections.s.web", "narrower flange = 0.05");
  expect_refused(ChannelSection{.height = 0.1, .width = 0.05, .flange = 0.06, .web = 0.01}, "sections.s.flange",
                 "height/2");
  expect_refused(AngleSection{.height = 0.1, .width = 0.05, .thickness = 0.05}, "sections.s.thickness", "shorter leg");
  expect_refused(Bar{}, "sections.s", "'EA'");
  expect_refused(Tapered{"wire", "nowhere"}, "sections.s.to", "nowhere");
  expect_refused(Tapered{"wire", "s"}, "sections.s", "different types");
}

TEST(SectionRules, OutlinesThatCannotBe) {
  const std::vector<SectionPoint> square{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  expect_refused(Polygon{{{0, 0}, {1, 0}}}, "sections.s.points", "at least 3 points");
  expect_refused(Polygon{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}, "sections.s.points", "meets the edge");
  expect_refused(Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}, "sections.s.points", "twice in a row");
  expect_refused(Polygon{{{0, 0}, {1, 0}, {2, 0}}}, "sections.s.points", "turns back");
  expect_refused(Polygon{square, {{{2, 2}, {3, 2}, {3, 3}}}}, "sections.s.holes.0", "outside");
  expect_refused(Polygon{square, {{{0.5, 0.5}, {1.5, 0.5}, {0.5, 0.9}}}}, "sections.s.holes.0", "outer edge");
  expect_refused(Polygon{square, {{{0.1, 0.1}, {0.5, 0.1}, {0.1, 0.5}}, {{0.2, 0.2}, {0.9, 0.2}, {0.2, 0.9}}}},
                 "sections.s.holes.1", "overlaps hole 0");
  // Either way around is the same section.
  EXPECT_DOUBLE_EQ(section_properties(Polygon{{{0, 0}, {0, 1}, {1, 0}}}, steel).area, 0.5);
}

TEST(SectionRules, StiffnessThatCannotBe) {
  General general;
  for (int i = 0; i < 6; ++i) general.stiffness.rows[i][i] = 100;
  general.mass = 1;
  general.mass_second = {1, 1, 0};
  General bad = general;
  bad.stiffness.rows[3][3] = 0;
  expect_refused(bad, "sections.s.stiffness", "twist is 0");
  bad = general;
  bad.stiffness.diagonal = false;
  bad.stiffness.rows[0][4] = 5;
  expect_refused(bad, "sections.s.stiffness", "symmetric");
  bad.stiffness.rows[0][4] = bad.stiffness.rows[4][0] = 101;
  expect_refused(bad, "sections.s.stiffness", "not positive");
  bad = general;
  bad.stiffness.diagonal = false;
  bad.centroid = {0.1, 0};
  expect_refused(bad, "sections.s.centroid", "six stiffnesses");
  bad = general;
  bad.mass_first = {2, 0};
  expect_refused(bad, "sections.s.mass_second", "would leave [-3, 1, 0] about that centre");
  EXPECT_NE(message_of<InputError>([] { (void)section_stiffness(Bar{.area = 1, .inertia = 1}, steel); }).find("cable"),
            std::string::npos);
  EXPECT_NE(message_of<InputError>([] { (void)section_stiffness(Plate{0.1}, steel); }).find("shell"),
            std::string::npos);
}

TEST(SectionRules, WallsTooThinToMeshSayWhatToDo) {
  expect_refused(Box{.width = 1, .height = 1, .wall = 1e-5}, "sections.s", "'type: general'");
  // A short edge in a large outline is found while the mesh is made, or meshed.
  const Polygon notched{{{0, 0}, {1, 0}, {1, 0.5}, {0.99999, 0.5}, {0.99999, 0.50001}, {1, 0.50001}, {1, 1}, {0, 1}}};
  EXPECT_LT(relative(section_properties(notched, steel).J, 0.140577), 1e-3);
}

}  // namespace
}  // namespace lithe
