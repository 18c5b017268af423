// Solids with positions alone: both strategies against the plain twin and its tangent by dual numbers, and what makes
// an element of a body: patch test, mass, boundary, bending.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "lithe/base/aligned.h"
#include "lithe/base/dual.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/elements/quadrature.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"
#include "lithe/model/mesh_file.h"
#include "lithe/system/outputs.h"
#include "lithe/system/surface.h"
#include "support/dynamics.h"
#include "support/joints.h"
#include "support/messages.h"
#include "support/statics.h"

namespace lithe {
namespace {

using test::at;
using test::constant;

constexpr double E = 1e6, density = 1000;

class Solids : public ::testing::TestWithParam<ElementKind> {
 protected:
  ElementKind kind = GetParam();
  int N = vector_count(kind), n = 3 * N;

  // Distorted elements of unit size with an orthotropic law along turned axes.
  ContinuumBatch batch(double tau, int elements = 7) const {
    ContinuumBatch made;
    made.kind = kind;
    made.elements = elements;
    made.laws = {{9e5, 4e5, 3e5, 0.9e5, 1.1e5, 1.3e5, 1e5, 1.4e5, 1.7e5, tau}};
    if (kind->cell == Cell::tetrahedron) {
      const TetrahedronRule rule = tetrahedron_rule(kind->quadrature[0]);
      for (std::size_t p = 0; p < rule.x.size(); ++p) made.points.push_back({rule.x[p], rule.w[p], 0, 0.4});
    } else {
      const GaussRule rule = gauss_rule(2);
      for (int i = 0; i < 8; ++i)
        made.points.push_back({{rule.x[i / 4], rule.x[i / 2 % 2], rule.x[i % 2]}, 1.0, 0, 0.4});
    }
    std::mt19937 generator(5);
    std::uniform_real_distribution<double> uniform(-0.03, 0.03);
    for (int e = 0; e < elements; ++e) {
      made.half_size.insert(made.half_size.end(), {1, 1, 1});
      for (int i = 0; i < N; ++i)
        for (int m = 0; m < 3; ++m) made.reference.push_back(kind->corner[i][m] + uniform(generator));
    }
    return made;
  }
  struct Moving {
    std::vector<double> e, v;
  };
  Moving state(const ContinuumBatch& made) const {
    std::mt19937 generator(6);
    std::uniform_real_distribution<double> uniform(-0.1, 0.1);
    Moving state{made.reference, {}};
    for (double& x : state.e) x += uniform(generator);
    for (std::size_t i = 0; i < state.e.size(); ++i) state.v.push_back(5 * uniform(generator));
    return state;
  }
  // Of all elements: [element][n], [element][blocks][9].
  struct Values {
    std::vector<double> f, K;
  };
  Values evaluate(const BatchKernel& kernel, const Moving& s, double c_q, double c_v) const {
    const int W = kernel.width(), blocks = tangent_blocks(N, kernel.form()),
              elements = static_cast<int>(s.e.size()) / n;
    AlignedVector<double> e(n * W), v(n * W), f(n * W), K(9ul * blocks * W), scratch(kernel.scratch_doubles() + 8);
    Values out{std::vector<double>(s.e.size()), std::vector<double>(9ul * blocks * elements)};
    for (int pack = 0; pack < kernel.packs(); ++pack) {
      for (int lane = 0; lane < W; ++lane)
        for (int k = 0; k < n; ++k) {
          const std::size_t from = static_cast<std::size_t>(std::min(pack * W + lane, elements - 1)) * n + k;
          e[static_cast<std::size_t>(k) * W + lane] = s.e[from];
          v[static_cast<std::size_t>(k) * W + lane] = s.v[from];
        }
      kernel.force(pack, e.data(), v.data(), f.data(), nullptr, scratch.data());
      kernel.tangent(pack, e.data(), v.data(), c_q, c_v, K.data(), nullptr, scratch.data());
      for (int lane = 0; lane < W && pack * W + lane < elements; ++lane) {
        const auto element = static_cast<std::size_t>(pack * W + lane);
        for (int k = 0; k < n; ++k) out.f[element * n + k] = f[static_cast<std::size_t>(k) * W + lane];
        for (int k = 0; k < 9 * blocks; ++k)
          out.K[element * 9 * blocks + k] = K[static_cast<std::size_t>(k) * W + lane];
      }
    }
    return out;
  }
  // By dual numbers: [element][n][n].
  std::vector<double> exact_tangent(const ContinuumBatch& made, const Moving& s, double c_q, double c_v) const {
    std::vector<double> K;
    for (int element = 0; element < made.elements; ++element) {
      std::vector<double> one(static_cast<std::size_t>(n) * n);
      for (int column = 0; column < n; ++column) {
        std::vector<Dual> e(n), v(n), f(n);
        for (int k = 0; k < n; ++k) {
          e[k] = {s.e[static_cast<std::size_t>(element) * n + k], k == column ? c_q : 0};
          v[k] = {s.v[static_cast<std::size_t>(element) * n + k], k == column ? c_v : 0};
        }
        plain_force<Dual>(made, element, e.data(), v.data(), f.data());
        for (int row = 0; row < n; ++row) one[static_cast<std::size_t>(row) * n + column] = f[row].d;
      }
      K.insert(K.end(), one.begin(), one.end());
    }
    return K;
  }

  Model block(const std::array<int, 3>& elements, double nu, const Triple& size = {1, 1, 1}) const {
    Model model;
    model.materials.add("rubber", Isotropic{E, nu, density, 0});
    Body body;
    body.element = kind;
    body.material = "rubber";
    body.mesh = BlockMesh{{0, 0, 0}, {size[0], 0, 0}, {0, size[1], 0}, {0, 0, size[2]}, elements};
    model.bodies.add("block", body);
    return model;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, Solids, ::testing::Values(ElementKind::hex8, ElementKind::tet4, ElementKind::tet10),
                         [](const auto& kind) { return std::string(kind.param->name); });

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::max(most, std::abs(a));
  return most;
}

TEST_P(Solids, ForceIsThatOfThePlainTwin) {
  for (const double tau : {0.0, 0.03}) {
    const ContinuumBatch made = batch(tau);
    const Moving s = state(made);
    std::vector<double> expected(s.e.size());
    for (int e = 0; e < made.elements; ++e)
      plain_force<double>(made, e, &s.e[static_cast<std::size_t>(e) * n], &s.v[static_cast<std::size_t>(e) * n],
                          &expected[static_cast<std::size_t>(e) * n]);
    for (const char* strategy : {"batched", "C"})
      for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
        const std::vector<double> f = evaluate(*kind->make_kernel(made, strategy, form), s, 1, 0).f;
        for (std::size_t k = 0; k < f.size(); ++k)
          ASSERT_NEAR(f[k], expected[k], 1e-12 * largest(expected)) << strategy << " " << k;
      }
  }
}

// The symmetric form of `batched` has the square of (c_q tau / 2 c) v beside the symmetric part, which the viscous
// tangent at v shows.
TEST_P(Solids, TangentIsThatOfDualNumbers) {
  const double c_q = 1.3, c_v = 0.4;
  for (const double tau : {0.0, 0.03}) {
    const ContinuumBatch made = batch(tau);
    const Moving s = state(made);
    const std::vector<double> exact = exact_tangent(made, s, c_q, c_v);
    std::vector<double> square(exact.size(), 0.0);
    if (tau > 0) {
      square = exact_tangent(made, {s.v, std::vector<double>(s.v.size(), 0.0)}, 0, 1);
      for (double& x : square) x *= c_q * tau * c_q / (4 * (c_q + c_v * tau));
      EXPECT_GT(largest(square), 1e-9 * largest(exact));
    }
    for (const char* strategy : {"batched", "C"})
      for (const TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
        const bool symmetric = form == TangentForm::symmetric;
        const int blocks = tangent_blocks(N, form);
        const std::vector<double> K = evaluate(*kind->make_kernel(made, strategy, form), s, c_q, c_v).K;
        for (int e = 0; e < made.elements; ++e)
          for (int i = 0; i < n; ++i)
            for (int j = symmetric ? i / 3 * 3 : 0; j < n; ++j) {
              const auto at = [&](const std::vector<double>& of, int r, int c) {
                return of[(static_cast<std::size_t>(e) * n + r) * n + c];
              };
              double expected = symmetric ? 0.5 * (at(exact, i, j) + at(exact, j, i)) : at(exact, i, j);
              if (symmetric && strategy[0] == 'b') expected += at(square, i, j);
              const int block = symmetric ? symmetric_block(N, i / 3, j / 3) : i / 3 * N + j / 3;
              ASSERT_NEAR(K[9ul * (static_cast<std::size_t>(e) * blocks + block) + 3 * (i % 3) + j % 3], expected,
                          1e-12 * largest(exact))
                  << strategy << " " << symmetric << " " << i << " " << j;
            }
      }
  }
}

TEST_P(Solids, OtherStrategiesAreRefused) {
  Model model = block({1, 1, 1}, 0.3);
  std::get<Body>(model.bodies.items[0].second).strategy = "E";
  EXPECT_NE(message_of<InputError>([&] { compile(model); }).find("'batched', 'C'"), std::string::npos);
}

TEST_P(Solids, MassIsLumpedUnlessSaid) {
  for (const bool lumped : {true, false}) {
    Model model = block({2, 1, 3}, 0.3, {2, 1, 0.5});
    if (!lumped) std::get<Body>(model.bodies.items[0].second).mass = MassForm::consistent;
    const System system = compile(model);
    EXPECT_NEAR(total_mass(system), density, 1e-9 * density);
    const int pairs = N * (N + 1) / 2;
    double off = 0, least = 1;
    for (std::size_t k = 0; k < system.batches[0].mass.size(); ++k) {
      int pair = static_cast<int>(k % pairs), i = 0;
      while (pair >= N - i) pair -= N - i++;
      if (pair > 0) off = std::max(off, std::abs(system.batches[0].mass[k]));
      else least = std::min(least, system.batches[0].mass[k]);
    }
    EXPECT_EQ(off == 0, lumped);
    EXPECT_GT(least, 0);
  }
}

// int r . n dA / 3 over the boundary is the volume, and int n dA is nothing: all sides, each outward, none twice.
TEST_P(Solids, TheBoundaryIsClosed) {
  const System system = compile(block({2, 3, 1}, 0.3, {2, 1, 0.5}));
  State state = system.initial_state();
  std::mt19937 generator(2);
  std::uniform_real_distribution<double> uniform(-0.01, 0.01);
  for (double& x : state.q) x += uniform(generator);
  const GaussRule rule = gauss_rule(4);
  Vec3<double> sum{};
  double volume = 0, area = 0;
  for (const Face& face : system.surface.of(0))
    for (std::size_t i = 0; i < rule.x.size(); ++i)
      for (std::size_t j = 0; j < rule.x.size(); ++j) {
        const SurfacePoint p = surface_point(system, face, {rule.x[i], rule.x[j]}, state.q);
        const Vec3<double> normal = cross(p.slope[0], p.slope[1]);
        const double dA = rule.w[i] * rule.w[j] * std::sqrt(dot(normal, normal));
        volume += dA * dot(p.position, p.normal) / 3;
        area += dA;
        sum = sum + dA * p.normal;
      }
  EXPECT_NEAR(volume, 1, 0.03);
  EXPECT_NEAR(area, 2 * (2 * 1 + 2 * 0.5 + 1 * 0.5), 0.2);
  for (int m = 0; m < 3; ++m) EXPECT_NEAR(sum[m], 0, 1e-12);
}

struct Solved : test::Solved {
  explicit Solved(const Model& model) : test::Solved(model) { EXPECT_TRUE(report.ok()) << report.message; }
};

// Uniaxial stress by a dead pressure on one side: P = lambda E (lambda^2 - 1)/2 along x over the reference area; a
// pressure follows the area, lambda_2^2 = 1 - nu (lambda^2 - 1) of it.
TEST_P(Solids, PassesThePatchTest) {
  const double nu = 0.3, lambda = 1.1, P = lambda * E * (lambda * lambda - 1) / 2;
  const double across2 = 1 - nu * (lambda * lambda - 1);
  Model model = block({2, 2, 1}, nu);
  const char* const held[3] = {"x_min", "y_min", "z_min"};
  for (int m = 0; m < 3; ++m) {
    Triple along{0, 0, 0};
    along[m] = 1;
    model.constraints.add(held[m], Fix{at("block", held[m]), {Coordinate::position}, {along}});
  }
  model.loads.add("pull", Pressure{at("block", "x_max"), Signal(-P / across2)});
  const Solved solved(model);
  const double stretch[3] = {lambda, std::sqrt(across2), std::sqrt(across2)};
  for (std::size_t i = 0; i < solved.state.q.size(); ++i)
    EXPECT_NEAR(solved.state.q[i], stretch[i % 3] * solved.system.q0[i], 1e-7) << i;
  const PointStress stress = stress_at(solved.system, solved.state, 0, {0, {0.3, 0.2, 0.1}});
  EXPECT_NEAR(stress.cauchy[0], P / across2, 1e-6 * P);
  EXPECT_NEAR(stress.cauchy[1], 0, 1e-6 * P);
}

// A cantilever against Timoshenko's: quadratic tetrahedra at once, the others from the stiff side with order two.
TEST_P(Solids, BendAsABeam) {
  const double L = 1, h = 0.25, force = 1, I = std::pow(h, 4) / 12;
  const double exact = force * std::pow(L, 3) / (3 * E * I) + force * L / (5.0 / 6 * E / 2 * h * h);
  const auto error = [&](int m) {
    Model model = block({4 * m, m, m}, 0, {L, h, h});
    model.constraints.add("root", Clamp{at("block", "x_min")});
    model.loads.add("tip", Traction{at("block", "x_max"), constant(0, 0, force / (h * h))});
    return 1 - Solved(model).displacement(at("block", "x_max_middle"))[2] / exact;
  };
  const double coarse = error(2), fine = error(4);
  if (kind == ElementKind::tet10) {
    EXPECT_LT(std::abs(fine), 0.02);
  } else {
    EXPECT_GT(coarse, 0.05);
    EXPECT_GT(coarse / fine, kind == ElementKind::hex8 ? 2.5 : 1.8);
  }
}

// A block from a file of gmsh bends as the same block from the generator; its physical surfaces are sets and sides.
TEST(SolidsFromFiles, AreTheSameAsGenerated) {
  const auto model_with = [](const MeshSource& mesh) {
    Model model;
    model.materials.add("rubber", Isotropic{E, 0.3, density, 0});
    Body body;
    body.element = ElementKind::tet4;
    body.material = "rubber";
    body.mesh = mesh;
    model.bodies.add("block", body);
    model.constraints.add("root", Clamp{at("block", "x_min")});
    model.loads.add("push", Pressure{at("block", "x_max"), Signal(1e3)});
    return model;
  };
  const Model generated = model_with(BlockMesh{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 1, 1}});
  const System system = compile(generated);
  const BodyInfo& body = system.bodies[0];
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"x_min\"\n2 2 \"x_max\"\n3 3 "
      "\"all\"\n$EndPhysicalNames\n$Nodes\n" +
      std::to_string(body.mesh.node_count()) + "\n";
  for (int n = 0; n < body.mesh.node_count(); ++n) {
    const double* r = body.mesh.vector(n);
    text += fmt::format("{} {} {} {}\n", n + 1, r[0], r[1], r[2]);
  }
  std::vector<std::string> cells;
  for (int e = 0; e < body.elements(); ++e) {
    const int* c = &body.mesh.elements[4ul * e];
    cells.push_back(fmt::format("4 2 3 1 {} {} {} {}", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1));
    for (const int end : {0, 2}) {  // triangles whose three corners lie at x = 0 or 2
      std::string triangle;
      int count = 0;
      for (int k = 0; k < 4; ++k)
        if (body.mesh.vector(c[k])[0] == end) {
          triangle += " " + std::to_string(c[k] + 1);
          ++count;
        }
      if (count == 3) cells.push_back(fmt::format("2 2 {} 1{}", end == 0 ? 1 : 2, triangle));
    }
  }
  text += "$EndNodes\n$Elements\n" + std::to_string(cells.size()) + "\n";
  for (std::size_t k = 0; k < cells.size(); ++k) text += std::to_string(k + 1) + " " + cells[k] + "\n";
  text += "$EndElements\n";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("lithe_solids_{}", getpid());
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "block.msh").string();
  std::ofstream(path) << text;
  const Solved one(generated), other(model_with(FileMesh{path, "", "", ""}));
  for (std::size_t i = 0; i < one.state.q.size(); ++i) EXPECT_NEAR(one.state.q[i], other.state.q[i], 1e-12);
  EXPECT_GT(std::abs(one.state.q[0] - one.state.q[3]), 0);

  // Results keep the path and the digest; another file is refused.
  Model kept = model_with(FileMesh{path, "", "", ""});
  const std::string yaml = stored_yaml(kept);
  EXPECT_NE(yaml.find(file_digest(path)), std::string::npos);
  std::ofstream(path, std::ios::app) << "\n";
  Reading reading;
  const Model again = read_model(parse_yaml(yaml, "kept"), reading);
  EXPECT_NE(message_of<InputError>([&] { compile(again); }).find("is not the one that was used"), std::string::npos);
  std::filesystem::remove_all(folder);
}

// Tetrahedra of second order map a curved element as their functions say: volumes of a cap by its ten nodes.
TEST(Tet10, NumbersItsMiddleNodesAsItsFunctionsDo) {
  for (int node = 0; node < 10; ++node) {
    double S[10];
    ElementKind::tet10->shape(ElementKind::tet10->corner[node], S);
    for (int i = 0; i < 10; ++i) EXPECT_NEAR(S[i], i == node ? 1 : 0, 1e-15);
  }
}

TEST(TetrahedronRules, AreExactToTheirDegree) {
  const auto integral = [](const TetrahedronRule& rule, int a, int b, int c) {
    double sum = 0;
    for (std::size_t p = 0; p < rule.x.size(); ++p)
      sum += rule.w[p] * std::pow(rule.x[p][0], a) * std::pow(rule.x[p][1], b) * std::pow(rule.x[p][2], c);
    return sum;
  };
  const auto exact = [](int a, int b, int c) {  // a! b! c! / (a + b + c + 3)!
    return std::tgamma(a + 1) * std::tgamma(b + 1) * std::tgamma(c + 1) / std::tgamma(a + b + c + 4);
  };
  const std::pair<TetrahedronRule, int> rules[] = {
      {tetrahedron_rule(1), 1}, {tetrahedron_rule(4), 2}, {collapsed_rule(2), 1}, {collapsed_rule(4), 5}};
  for (const auto& [rule, degree] : rules)
    for (int a = 0; a <= degree; ++a)
      for (int b = 0; a + b <= degree; ++b)
        for (int c = 0; a + b + c <= degree; ++c)
          EXPECT_NEAR(integral(rule, a, b, c), exact(a, b, c), 1e-15) << rule.x.size() << " " << a << b << c;
}

}  // namespace
}  // namespace lithe
