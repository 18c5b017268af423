// Every solver of the registry: residuals, agreement with the others, energy, closed forms, bits, warm starts, bad
// input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "../allocation_counter.h"
#include "lithe/base/error.h"
#include "lithe/contact/cone.h"
#include "lithe/contact/contact_solver.h"
#include "lithe/contact/gauss_seidel.h"
#include "lithe/contact/islands.h"
#include "random_problems.h"

namespace lithe {
namespace {

using namespace fixtures;
using Reason = ContactReport::Reason;

struct Solved {
  ContactReport report;
  std::vector<double> R, U;
};

Solved solve(const std::string& name, const ContactProblem& problem, double tolerance = 1e-9, Team* team = nullptr,
             int iterations = 0, std::vector<double> guess = {}) {
  Solved result{{}, std::move(guess), {}};
  ContactOptions options;
  options.tolerance = tolerance;
  options.iterations = iterations;
  result.report = make_contact_solver(name, team)->solve(problem, options, result.R, result.U);
  return result;
}

double speed_of(const ContactProblem& problem) {
  double largest = 0;
  for (int k = 0; k < problem.count(); ++k)
    largest = std::max(largest, std::hypot(problem.B[3 * k], problem.B[3 * k + 1], problem.B[3 * k + 2]));
  return largest;
}

void expect_in_cones(const ContactProblem& problem, const std::vector<double>& R, const std::string& where) {
  for (int k = 0; k < problem.count(); ++k)
    EXPECT_LE(std::hypot(R[3 * k + 1], R[3 * k + 2]), problem.friction[k] * R[3 * k] * (1 + 1e-14)) << where << k;
}

// R.B + R.W R / 2: what contact adds to the energy of the bodies.
double work(const ContactProblem& problem, const Solved& solved) {
  double sum = 0;
  for (std::size_t i = 0; i < solved.R.size(); ++i) sum += 0.5 * solved.R[i] * (solved.U[i] + problem.B[i]);
  return sum;
}

void expect_solved(const ContactProblem& problem, const Solved& solved, double tolerance, const std::string& where) {
  ASSERT_TRUE(solved.report.ok()) << where << ": " << solved.report.text();
  const double limit = tolerance * speed_of(problem);
  EXPECT_LE(solved.report.residual, limit) << where;
  std::vector<double> U;
  const ContactReport judged = judge(problem, solved.R, U);
  EXPECT_LE(judged.residual, limit * (1 + 1e-6)) << where;
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < U.size(); ++i) {
    largest = std::max(largest, std::abs(U[i] - solved.U[i]));
    size += std::abs(solved.R[i]);
  }
  EXPECT_LE(largest, 1e-12 * speed_of(problem)) << where;
  expect_in_cones(problem, solved.R, where);
  EXPECT_LE(work(problem, solved), 10 * limit * size) << where;
}

struct Scene {
  std::string name;
  ContactCase scene;
};

// Small enough for methods that converge slowly.
std::vector<Scene> easy_scenes() {
  std::vector<Scene> list{{"box at rest", box_on_plane(2, 0.5, 0)},
                          {"box that slides", box_on_plane(2, 0.3, 0.1)},
                          {"box on 16 points", box_on_plane(4, 0.5, 0.001)},
                          {"slippery box", box_on_plane(4, 0, 0.1)},
                          {"stack", stack(3, 1, 2, 0.5, 1)},
                          {"stack on 16 points", stack(2, 3, 4, 0.5, 2)},
                          {"wedge", wedge(0.4, 0.1, 2, 0.1)},
                          {"redundant wedge", wedge(0.3, 0.2, 6, 0.1)},
                          {"wedge that jams", wedge(0.2, 0.5, 4, 0.1)}};
  for (const unsigned seed : {1u, 2u, 3u}) list.push_back({"pile", pile(2, 2, 1, 1, 2, seed)});
  return list;
}

TEST(ContactSolvers, AllSolveAndAgree) {
  for (const Scene& scene : easy_scenes()) {
    const ContactProblem problem = scene.scene.problem();
    const Solved first = solve("auto", problem);
    const std::vector<Six> impulses = scene.scene.impulses(first.R);
    double largest = 0;
    for (const Six& impulse : impulses)
      for (const double a : impulse) largest = std::max(largest, std::abs(a));
    for (const ContactSolverInfo& info : contact_solvers()) {
      const std::string where = info.name + ", " + scene.name;
      if (info.name == "interior" && scene.name == "pile") continue;  // where the shift need not settle
      const Solved solved = solve(info.name, problem);
      expect_solved(problem, solved, 1e-9, where);
      for (std::size_t i = 0; i < solved.U.size(); ++i)
        EXPECT_NEAR(solved.U[i], first.U[i], 1e-5 * speed_of(problem)) << where << " " << i;
      const std::vector<Six> others = scene.scene.impulses(solved.R);
      for (std::size_t b = 0; b < others.size(); ++b)
        for (int c = 0; c < 6; ++c) EXPECT_NEAR(others[b][c], impulses[b][c], 1e-5 * largest) << where << " body " << b;
    }
  }
}

TEST(ContactSolvers, HeavyBodiesOnLightOnes) {
  for (const double ratio : {1e3, 1e6})
    for (const int per_side : {2, 4}) {
      const ContactProblem problem = stack(10, ratio, per_side, 0.5, 1).problem();
      for (const char* name : {"interior", "auto"}) expect_solved(problem, solve(name, problem, 1e-8), 1e-8, name);
    }
  const ContactProblem tower = stack(30, 1, 2, 0.5, 1).problem(), three = stack(3, 1e6, 2, 0.5, 1).problem();
  expect_solved(tower, solve("newton", tower, 1e-8), 1e-8, "newton");
  expect_solved(three, solve("admm", three, 1e-8), 1e-8, "admm");
}

TEST(ContactSolvers, PilesOfManyContacts) {
  const ContactProblem problem = pile(6, 6, 6, 1, 1, 3).problem();
  ASSERT_GT(problem.count(), 500);
  expect_solved(problem, solve("auto", problem, 1e-7), 1e-7, "auto");
  expect_solved(problem, solve("admm", problem, 1e-3), 1e-3, "admm");
  expect_solved(problem, solve("apgd", problem, 1e-2), 1e-2, "apgd");
  expect_solved(problem, solve("nsgs", problem, 1e-2), 1e-2, "nsgs");
}

// One contact with W = 2: closed forms.
ContactProblem one_contact(double mu, double normal, double tangent) {
  return {{0, 1}, {0}, {2, 0, 0, 0, 2, 0, 0, 0, 2}, {normal, tangent, 0}, {mu}};
}

TEST(ContactSolvers, OneContactTakesOffSticksOrSlides) {
  for (const ContactSolverInfo& info : contact_solvers()) {
    const auto expect = [&](const ContactProblem& problem, double normal, double tangent) {
      const Solved solved = solve(info.name, problem, 1e-12);
      ASSERT_TRUE(solved.report.ok()) << solved.report.text();
      EXPECT_NEAR(solved.R[0], normal, 1e-10) << info.name;
      EXPECT_NEAR(solved.R[1], tangent, 1e-10) << info.name;
      EXPECT_NEAR(solved.R[2], 0, 1e-10) << info.name;
    };
    expect(one_contact(0.5, 0.1, 3), 0, 0);
    expect(one_contact(0.5, -1, 0.4), 0.5, -0.2);   // stick
    expect(one_contact(0.5, -1, 0.8), 0.5, -0.25);  // slide: mu R_N
    expect(one_contact(0.5, -1, -0.8), 0.5, 0.25);
    expect(one_contact(0, -1, 0.8), 0.5, 0);
  }
}

TEST(ContactSolvers, OpenContactsStayOpenUntilOthersPressThem) {
  // Two balls in a row: the second contact has a gap that the first closes.
  ContactCase row;
  row.body.push_back(ball(1, 0.5, {{0, 0, 0}}, {1, 0, 0, 0, 0, 0}));
  row.body.push_back(ball(1, 0.5, {{1, 0, 0}}, {0, 0, 0, 0, 0, 0}));
  row.point.push_back({0, 1, {{0.5, 0, 0}}, {{-1, 0, 0}}, 0.3, 0});
  row.point.push_back({1, -1, {{1.5, 0, 0}}, {{-1, 0, 0}}, 0.3, 0.1});
  const ContactProblem problem = row.problem();
  ASSERT_GT(problem.B[3], 0);
  for (const ContactSolverInfo& info : contact_solvers()) {
    const Solved solved = solve(info.name, problem);
    expect_solved(problem, solved, 1e-9, info.name);
    EXPECT_GT(solved.R[3], 0.1) << info.name;
  }
}

// A plate on four points that slides and turns. Whether one pair of opposite corners bears it or the other one is not
// said by any law; but corners slide each in a direction of its own, so that friction, and the velocities, differ.
TEST(ContactSolvers, WhereRedundantPointsSlideVelocitiesAreNotUnique) {
  ContactCase plate;
  plate.body.push_back({1, 0.1, {}, {1, 0, -1, 0, 0, 2}});
  for (const double x : {-0.25, 0.25})
    for (const double y : {-0.5, 0.5}) plate.point.push_back({0, -1, {{x, y, 0}}, {{0, 0, 1}}, 0.25});
  const ContactProblem problem = plate.problem();
  for (const char* name : {"nsgs", "newton", "auto"}) {
    Solved solved[2];
    for (int pair = 0; pair < 2; ++pair) {  // the corners that bear it, 0 and 3 or 1 and 2
      std::vector<double> guess(12, 0.0);
      for (const int k : {pair, 3 - pair}) guess[3 * k] = 0.5;
      solved[pair] = solve(name, problem, 1e-12, nullptr, 0, guess);
      expect_solved(problem, solved[pair], 1e-12, name);
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(solved[pair].R[3 * k], guess[3 * k], 1e-12) << name;
    }
    double apart = 0;
    for (int i = 0; i < 12; ++i) apart = std::max(apart, std::abs(solved[0].U[i] - solved[1].U[i]));
    EXPECT_GT(apart, 0.05) << name;
  }
  // Without friction impulses are as free, velocities are not.
  ContactProblem slippery = problem;
  std::ranges::fill(slippery.friction, 0.0);
  const Solved one = solve("nsgs", slippery, 1e-12, nullptr, 0, {0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0});
  const Solved other = solve("nsgs", slippery, 1e-12, nullptr, 0, {0, 0, 0, 0.5, 0, 0, 0.5, 0, 0, 0, 0, 0});
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(one.U[i], other.U[i], 1e-11);
}

TEST(ContactSolvers, IslandsAreSolvedAlone) {
  // Boxes far from each other, contacts interleaved.
  ContactCase many;
  for (int i = 0; i < 5; ++i) many.body.push_back({1.0 + i, 0.2, {{10.0 * i, 0, 0.5}}, {0.1 * i, 0, -0.1, 0, 0, 0}});
  for (int p = 0; p < 4; ++p)
    for (int i = 0; i < 5; ++i)
      many.point.push_back({i, -1, {{10.0 * i + (p % 2) - 0.5, (p / 2) - 0.5, 0}}, {{0, 0, 1}}, 0.4, 0});
  const ContactProblem problem = many.problem();
  ContactIslands islands;
  split_into_islands(problem, islands);
  ASSERT_EQ(islands.count(), 5);
  for (int i = 0; i < 5; ++i)
    for (int p = 0; p < 4; ++p) EXPECT_EQ(islands.contact[4 * i + p], 5 * p + i);
  const Solved together = solve("nsgs", problem);
  for (int i = 0; i < 5; ++i) {
    ContactCase alone{{many.body[i]}, {}};
    for (int p = 0; p < 4; ++p) {
      alone.point.push_back(many.point[5 * p + i]);
      alone.point.back().a = 0;
    }
    ContactOptions options;
    options.tolerance = 1e-9;
    options.speed = speed_of(problem);
    std::vector<double> R, U;
    EXPECT_TRUE(make_contact_solver("nsgs")->solve(alone.problem(), options, R, U).ok());
    for (int p = 0; p < 4; ++p)
      for (int c = 0; c < 3; ++c) EXPECT_EQ(R[3 * p + c], together.R[3 * (5 * p + i) + c]) << i << " " << p;
  }
}

TEST(ContactSolvers, BitsDoNotDependOnThreads) {
  ContactCase scene = pile(6, 6, 4, 1, 5, 7);  // one large island
  const int bodies = static_cast<int>(scene.body.size());
  for (int i = 0; i < 40; ++i) {  // and many small ones
    scene.body.push_back({1.0 + i, 0.2, {{100.0 + 10 * i, 0, 0.5}}, {0.1, 0.01 * i, -0.1, 0, 0, 0}});
    add_face(scene, bodies + i, -1, 100.0 + 10 * i, 0, 0, 2, 0.4);
  }
  const ContactProblem problem = scene.problem();
  for (const ContactSolverInfo& info : contact_solvers()) {
    const Solved alone = solve(info.name, problem, 1e-6, nullptr, 12);
    for (const int threads : {1, 2, 3}) {
      Team team(threads);
      const Solved shared = solve(info.name, problem, 1e-6, &team, 12);
      EXPECT_EQ(alone.R, shared.R) << info.name << ", " << threads;
      EXPECT_EQ(alone.U, shared.U) << info.name << ", " << threads;
      EXPECT_EQ(alone.report.text(), shared.report.text()) << info.name << ", " << threads;
    }
  }
}

TEST(ContactSolvers, ASolutionAsGuessNeedsOneSweepAtMost) {
  for (const Scene& scene : easy_scenes()) {
    const ContactProblem problem = scene.scene.problem();
    const Solved exact = solve("newton", problem, 1e-12);
    ASSERT_TRUE(exact.report.ok()) << exact.report.text();
    for (const char* name : {"auto", "nsgs", "newton", "admm", "apgd"}) {
      const Solved again = solve(name, problem, 1e-8, nullptr, 0, exact.R);
      EXPECT_TRUE(again.report.ok());
      EXPECT_LE(again.report.iterations, 1) << name << ", " << scene.name;
    }
  }
}

TEST(ContactSolvers, SolversKeepNoMemory) {
  const ContactProblem a = stack(4, 10, 2, 0.5, 1).problem(), b = box_on_plane(4, 0.3, 0.1).problem();
  for (const ContactSolverInfo& info : contact_solvers()) {
    const std::unique_ptr<ContactSolver> kept = make_contact_solver(info.name);
    for (const ContactProblem* problem : {&a, &b, &a}) {
      ContactOptions options;
      options.tolerance = 1e-6;
      std::vector<double> R, U;
      (void)kept->solve(*problem, options, R, U);
      EXPECT_EQ(R, solve(info.name, *problem, 1e-6).R) << info.name;
    }
  }
}

TEST(ContactSolvers, SweepsTakeNoMemory) {
  if (!AllocationCounter::available()) GTEST_SKIP();
  const ContactProblem problem = pile(3, 3, 3, 1, 1, 1).problem();
  std::vector<double> size(problem.count(), 1.0), R(problem.B.size(), 0.0);
  const ContactIsland island{problem, size};
  GaussSeidel sweeps;
  sweeps.prepare(island);
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) sweeps.sweep(island, R);
  EXPECT_EQ(counter.taken(), 0);
}

TEST(ContactSolvers, NoContactsNoImpulses) {
  for (const ContactSolverInfo& info : contact_solvers()) {
    const Solved solved = solve(info.name, {});
    EXPECT_TRUE(solved.report.ok());
    EXPECT_TRUE(solved.R.empty());
  }
}

TEST(ContactSolvers, NumbersThatAreNotFiniteAreReported) {
  const ContactProblem sound = box_on_plane(2, 0.5, 0.1).problem();
  for (const ContactSolverInfo& info : contact_solvers())
    for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
      for (int where = 0; where < 4; ++where) {
        ContactProblem problem = sound;
        std::vector<double> guess(problem.B.size(), 0.0);
        (where == 0 ? problem.W : where == 1 ? problem.B : where == 2 ? problem.friction : guess)[1] = wrong;
        const Solved solved = solve(info.name, problem, 1e-8, nullptr, 0, guess);
        EXPECT_EQ(solved.report.reason, Reason::not_finite) << info.name;
        for (const double r : solved.R) EXPECT_EQ(r, 0) << info.name;
      }
}

TEST(ContactSolvers, ProblemsWithoutSolutionAreNotCalledSolved) {
  // A ball between two walls that close; a contact of two bodies that nothing moves.
  ContactCase closing;
  closing.body.push_back(ball(1, 0.5, {{0, 0, 0}}, {0, 0, 0, 0, 0, 0}));
  closing.point.push_back({0, -1, {{-0.5, 0, 0}}, {{1, 0, 0}}, 0.3, -0.1});
  closing.point.push_back({0, -1, {{0.5, 0, 0}}, {{-1, 0, 0}}, 0.3, -0.1});
  ContactProblem held = one_contact(0.5, -1, 0.2);
  held.W.assign(9, 0.0);
  for (const ContactSolverInfo& info : contact_solvers())
    for (const ContactProblem& problem : {closing.problem(), held}) {
      const Solved solved = solve(info.name, problem, 1e-8);
      EXPECT_FALSE(solved.report.ok()) << info.name;
      EXPECT_GT(solved.report.residual, 0.01) << info.name;
      for (const double r : solved.R) EXPECT_TRUE(std::isfinite(r)) << info.name;
      expect_in_cones(problem, solved.R, info.name);
    }
}

TEST(ContactSolvers, ReportsSayWhatHappened) {
  const ContactProblem problem = stack(10, 1e3, 2, 0.5, 1).problem();
  const Solved cut = solve("nsgs", problem, 1e-8, nullptr, 3);
  EXPECT_EQ(cut.report.reason, Reason::not_converged);
  EXPECT_EQ(cut.report.iterations, 3);
  EXPECT_NE(cut.report.text().find("nsgs did not converge in 3 iterations"), std::string::npos) << cut.report.text();
  std::vector<double> U;
  const ContactReport judged = judge(problem, cut.R, U);
  EXPECT_DOUBLE_EQ(judged.residual, cut.report.residual);
  EXPECT_EQ(judged.worst, cut.report.worst);
}

TEST(ContactSolvers, UnknownNamesGetASuggestion) {
  try {
    make_contact_solver("nsg");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'nsgs'?"), std::string::npos) << error.what();
  }
}

TEST(ContactSolvers, NamesAreUnique) {
  std::set<std::string> names;
  for (const ContactSolverInfo& info : contact_solvers()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.help.empty());
  }
}

TEST(ContactSolvers, LengthAndMassDoNotMatter) {
  // The same scene in other units: impulses and velocities scale, iterations do not.
  const ContactProblem problem = stack(4, 10, 2, 0.5, 1).problem();
  for (const ContactSolverInfo& info : contact_solvers()) {
    const Solved plain = solve(info.name, problem, 1e-6, nullptr, 8);
    ContactProblem other = problem;
    for (double& w : other.W) w *= 0x1p-20;
    for (double& b : other.B) b *= 0x1p-10;
    const Solved scaled = solve(info.name, other, 1e-6, nullptr, 8);
    EXPECT_EQ(plain.report.iterations, scaled.report.iterations) << info.name;
    for (std::size_t i = 0; i < plain.U.size(); ++i)
      EXPECT_NEAR(plain.U[i], 0x1p10 * scaled.U[i], 1e-9 * speed_of(problem)) << info.name;
  }
}

}  // namespace
}  // namespace lithe
