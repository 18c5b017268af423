#include "lithe/reduction/rotation.h"

#include <gtest/gtest.h>

#include <random>

#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/surface.h"

namespace lithe {
namespace {

double distance(const Mat3<double>& a, const Mat3<double>& b) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) most = std::max(most, std::abs(a[i][j] - b[i][j]));
  return most;
}

TEST(Rotation, IsTheOneOfThePolarDecomposition) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const Mat3<double> R = rotation_of({{3 * uniform(random), 3 * uniform(random), 3 * uniform(random)}});
    // U = L L^T + something: symmetric and positive definite, also far from 1.
    Mat3<double> L{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) L[i][j] = uniform(random) + (i == j ? 1.2 : 0);
    const Mat3<double> U = L * transpose(L), found = nearest_rotation(R * U);
    EXPECT_LT(distance(found, R), 1e-11);
    EXPECT_LT(distance(found * transpose(found), unit_matrix), 1e-14);
    EXPECT_NEAR(det(found), 1, 1e-14);
  }
}

TEST(Rotation, OfAVectorTurnsAboutIt) {
  EXPECT_LT(distance(rotation_of({{0, 0, 0}}), unit_matrix), 1e-16);
  const Mat3<double> quarter{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
  EXPECT_LT(distance(rotation_of({{0, 0, M_PI / 2}}), quarter), 1e-15);
  const Vec3<double> w{{1e-5, -2e-5, 3e-5}};
  const Mat3<double> R = rotation_of(w);
  EXPECT_LT(distance(R * transpose(R), unit_matrix), 1e-15);
  EXPECT_LT(norm(R * w - w), 1e-19);
}

// The paper's way (P2 eqs. 77 to 83): h = integral of N x (R^T x) over the reference surface, R by Gauss-Newton.
TEST(Rotation, OfABodyIsThatOfThePapersSurfaceIntegral) {
  for (const char* element : {"hex8", "hexa3843"}) {
    const std::string text = std::string(R"(
materials: {m: {type: isotropic, E: 1e6, nu: 0.3, density: 1000}}
bodies:
  b: {element: )") + element + R"(, material: m, mesh: {type: block, corner: [0.2, 0, 0], length: [0.8, 0.6, 0],
      width: [-0.3, 0.4, 0], height: [0, 0, 0.7], elements: [2, 2, 1]}}
analysis: {type: dynamic, duration: 1, step: 0.1}
)";
    Reading reading;
    const Model model = read_model(parse_yaml(text, "test"), reading);
    const System system = compile(model);
    const std::shared_ptr<Shape> shape = free_shape(model, "b", false);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Mat3<double> turn = rotation_of({{0.5, -1.1, 0.8}});
    std::vector<double> q = system.q0;
    shape->turn(turn, q.data(), q.data());
    for (double& x : q) x += 0.02 * uniform(random);
    // Moments of the boundary: B = sum over its points of N (as dA) x^T; h is the axial vector of R^T B^T.
    Mat3<double> B{};
    static const double gauss[4] = {-0.861136311594053, -0.339981043584856, 0.339981043584856, 0.861136311594053};
    static const double weight[4] = {0.347854845137454, 0.652145154862546, 0.652145154862546, 0.347854845137454};
    for (const Face& face : system.surface.of(0))
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const SurfacePoint rest = surface_point(system, face, {gauss[i], gauss[j]}, system.q0),
                             now = surface_point(system, face, {gauss[i], gauss[j]}, q);
          const double area = weight[i] * weight[j] * norm(cross(rest.slope[0], rest.slope[1]));
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) B[a][b] += area * now.position[a] * rest.normal[b];
        }
    Mat3<double> R = turn;
    for (int k = 0; k < 50; ++k) {
      const auto axial = [&](const Mat3<double>& rotation) {
        const Mat3<double> C = transpose(rotation) * B;
        return Vec3<double>{{C[2][1] - C[1][2], C[0][2] - C[2][0], C[1][0] - C[0][1]}};
      };
      const Vec3<double> h = axial(R);
      Mat3<double> slope;
      for (int m = 0; m < 3; ++m) {
        Vec3<double> e{};
        e[m] = 1e-6;
        const Vec3<double> up = axial(R * rotation_of(e)), down = axial(R * rotation_of(-1.0 * e));
        for (int i = 0; i < 3; ++i) slope[i][m] = (up[i] - down[i]) / 2e-6;
      }
      R = R * rotation_of(-1.0 * (inverse(slope) * h));
    }
    EXPECT_LT(distance(R, nearest_rotation(shape->mean_gradient(q.data()))), 1e-12) << element;
  }
}

}  // namespace
}  // namespace lithe
