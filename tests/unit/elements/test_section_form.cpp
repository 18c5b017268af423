// Formulation `section` of beam and shell: rigid motion, objectivity, energy, tangents, rank, patches, damping, heap.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "../allocation_counter.h"
#include "continuum_fixtures.h"
#include "lithe/elements/shell3443/shell3443.h"

namespace lithe {
namespace {

using namespace fixtures;

struct Case {
  ElementKind kind;
  Reference reference;
  double thinness;  // times the thickness
};

class SectionFormOf : public ::testing::TestWithParam<Case> {
 protected:
  ElementKind kind = GetParam().kind;
  int N = vector_count(kind), n = 3 * N;

  // A section with every coupling; shells of two parts with damping of their own.
  ContinuumBatch batch(double tau = 0.02, int elements = 3) const {
    ContinuumBatch made = make_batch(kind, {.reference = GetParam().reference, .tau = tau, .elements = elements});
    made.formulation = Formulation::section;
    for (int e = 0; e < elements; ++e) made.half_size[3ul * e + 2] *= GetParam().thinness;
    const double T = 2 * made.half_size[2], W = 2 * made.half_size[1];
    const int strains = kind->section_form->strains;
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> uniform(-0.3, 0.3);
    for (int part = 0; part < (strains == 8 ? 2 : 1); ++part) {
      SectionLaw law{strains, std::vector<double>(static_cast<std::size_t>(strains) * strains), 0, tau * (1 + part)};
      Eigen::MatrixXd L = Eigen::MatrixXd::Identity(strains, strains);
      for (int i = 0; i < strains; ++i)
        for (int j = 0; j < i; ++j)
          if (strains == 6 || (i < 6) == (j < 6)) L(i, j) = uniform(generator);
      Eigen::VectorXd size(strains);  // of a unit strain
      for (int i = 0; i < strains; ++i) {
        const bool bends = strains == 6 ? i >= 3 : i >= 3 && i < 6;
        size(i) = std::sqrt(2e6 * T * (strains == 6 ? W : 1)) * (bends ? T / 3.5 : 1);
      }
      const Eigen::MatrixXd C = size.asDiagonal() * (L * L.transpose()) * size.asDiagonal();
      for (int i = 0; i < strains; ++i)
        for (int j = 0; j < strains; ++j) law.stiffness[static_cast<std::size_t>(i) * strains + j] = C(i, j);
      law.across = C(0, 0);
      made.section.push_back(law);
    }
    return made;
  }
  static std::unique_ptr<BatchKernel> kernel(const ContinuumBatch& made, TangentForm form = TangentForm::exact) {
    return made.kind->section_form->make_kernel(made, form);
  }
  std::vector<double> reference(const ContinuumBatch& made, int element) const {
    return {made.reference.begin() + n * element, made.reference.begin() + n * (element + 1)};
  }
  // Entry (i, j) of a stored tangent.
  double entry(const std::vector<double>& K, TangentForm form, int i, int j) const {
    if (form == TangentForm::exact) return K[9ul * ((i / 3) * N + j / 3) + 3 * (i % 3) + j % 3];
    if (i / 3 > j / 3) std::swap(i, j);
    return K[9ul * symmetric_block(N, i / 3, j / 3) + 3 * (i % 3) + j % 3];
  }
};

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return std::string(kind_name(info.param.kind)) +
         (info.param.reference == Reference::curved ? "_curved" : "_straight") +
         (info.param.thinness < 1 ? "_thin" : "");
}
INSTANTIATE_TEST_SUITE_P(Section, SectionFormOf,
                         ::testing::Values(Case{ElementKind::beam3243, Reference::straight, 1},
                                           Case{ElementKind::beam3243, Reference::curved, 1},
                                           Case{ElementKind::beam3243, Reference::straight, 0.01},
                                           Case{ElementKind::shell3443, Reference::straight, 1},
                                           Case{ElementKind::shell3443, Reference::curved, 1},
                                           Case{ElementKind::shell3443, Reference::straight, 0.01}),
                         case_name);

class FlatSectionFormOf : public SectionFormOf {};
INSTANTIATE_TEST_SUITE_P(Section, FlatSectionFormOf,
                         ::testing::Values(Case{ElementKind::beam3243, Reference::straight, 1},
                                           Case{ElementKind::beam3243, Reference::straight, 0.01},
                                           Case{ElementKind::shell3443, Reference::straight, 1},
                                           Case{ElementKind::shell3443, Reference::straight, 0.01}),
                         case_name);

Eigen::Matrix3d turned_by(double x, double y, double z) {
  const Eigen::Vector3d axis(x, y, z);
  return Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
}
const Eigen::Matrix3d turn = turned_by(0.7, -1.1, 2.0);
const Eigen::Matrix3d spin = (Eigen::Matrix3d() << 0, -3, 2, 3, 0, -1, -2, 1, 0).finished();

std::vector<double> transformed(const Eigen::Matrix3d& A, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); i += 3)
    for (int m = 0; m < 3; ++m) y[i + m] = A(m, 0) * x[i] + A(m, 1) * x[i + 1] + A(m, 2) * x[i + 2];
  return y;
}
std::vector<double> moved(std::vector<double> x) {
  for (std::size_t i = 0; i < x.size(); i += 12)
    for (int m = 0; m < 3; ++m) x[i + m] += 1.0 + m;
  return x;
}
double largest_of(const std::vector<double>& x) {
  double most = 0;
  for (const double a : x) most = std::max(most, std::abs(a));
  return most;
}

TEST_P(SectionFormOf, FeelsNoForceInRigidMotion) {
  const ContinuumBatch made = batch();
  const auto of = kernel(made);
  Evaluator evaluate(*of);
  const std::vector<double> e = transformed(turn, reference(made, 1));
  const double scale = largest_of(evaluate(1, random_state(made, 1, 5), 1, 0).f);
  const State still{moved(e), moved(transformed(spin, e))};
  for (const double f : evaluate(1, still, 1, 0).f) EXPECT_NEAR(f, 0, 1e-11 * scale);
}

TEST_P(SectionFormOf, IsObjective) {
  const ContinuumBatch made = batch();
  const auto of = kernel(made);
  Evaluator evaluate(*of);
  const State state = random_state(made, 1, 4);
  const std::vector<double> expected = transformed(turn, evaluate(1, state, 1, 0).f);
  const std::vector<double> e = transformed(turn, state.e), drag = transformed(spin, e);
  std::vector<double> v = transformed(turn, state.v);
  for (int i = 0; i < n; ++i) v[i] += drag[i];
  const std::vector<double> f = evaluate(1, {moved(e), v}, 1, 0).f;
  for (int i = 0; i < n; ++i) EXPECT_NEAR(f[i], expected[i], 1e-10 * largest_of(expected));
}

// Differences of fourth order: exact but for rounding where the strains are polynomials.
template <class Function>
double difference(Function&& at, double step) {
  return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
}

TEST_P(SectionFormOf, TakesItsForceFromAnEnergy) {
  const ContinuumBatch made = batch(0);
  const auto of = kernel(made);
  const State state = random_state(made, 2, 6);
  const std::vector<double> f = Evaluator(*of)(2, state, 1, 0).f;
  for (int j = 0; j < n; ++j) {
    std::vector<double> e = state.e;
    const double step = (j / 3) % 4 ? 1e-3 : 1e-3 * made.half_size[2];
    const double slope = difference(
        [&](double d) {
          e[j] = state.e[j] + d;
          return kind->section_form->energy(made, 2, e.data());
        },
        step);
    EXPECT_NEAR(slope, f[j], 2e-8 * largest_of(f)) << j;
  }
}

TEST_P(SectionFormOf, DifferentiatesItsForce) {
  const ContinuumBatch made = batch();
  const State state = random_state(made, 1, 7);
  const double c_q = 1.3, c_v = 0.4;
  const auto exact = kernel(made), symmetric = kernel(made, TangentForm::symmetric);
  Evaluator evaluate(*exact);
  const std::vector<double> K = evaluate(1, state, c_q, c_v).K;
  const std::vector<double> S = Evaluator(*symmetric)(1, state, c_q, c_v).K;
  for (int j = 0; j < n; ++j) {
    std::vector<std::vector<double>> f;
    const double step = (j / 3) % 4 ? 1e-3 : 1e-3 * made.half_size[2];
    for (const int k : {-2, -1, 1, 2}) {
      State near = state;
      near.e[j] += c_q * k * step;
      near.v[j] += c_v * k * step;
      f.push_back(evaluate(1, near, 1, 0).f);
    }
    for (int i = 0; i < n; ++i) {
      const double slope = (8 * (f[2][i] - f[1][i]) - (f[3][i] - f[0][i])) / (12 * step);
      ASSERT_NEAR(entry(K, TangentForm::exact, i, j), slope, 1e-8 * largest_of(K)) << i << " " << j;
    }
  }
  // The symmetric part; of shells the square of (c_q tau / 2 c) v comes with it, which the viscous tangent at v shows.
  std::vector<double> square(K.size(), 0.0);
  if (GetParam().kind == ElementKind::shell3443) {
    ContinuumBatch part = made;
    for (const SectionLaw& law : made.section) {
      part.section = {law};
      const auto of = kernel(part);
      const std::vector<double> C = Evaluator(*of)(1, {state.v, std::vector<double>(n, 0.0)}, 0, 1).K;
      for (std::size_t k = 0; k < C.size(); ++k) square[k] += c_q * law.tau * c_q / (4 * (c_q + c_v * law.tau)) * C[k];
    }
    EXPECT_GT(largest_of(square), 1e-10 * largest_of(K));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      ASSERT_NEAR(entry(S, TangentForm::symmetric, i, j),
                  0.5 * (entry(K, TangentForm::exact, i, j) + entry(K, TangentForm::exact, j, i)) +
                      entry(square, TangentForm::exact, i, j),
                  1e-12 * largest_of(K))
          << i << " " << j;
}

TEST_P(SectionFormOf, UndampedKernelsAgreeWithDampedOnes) {
  const ContinuumBatch made = batch(0);
  const State state = random_state(made, 1, 8);
  const auto exact = kernel(made), quick = kernel(made, TangentForm::symmetric);
  const Evaluation a = Evaluator(*exact)(1, state, 1, 0.5), b = Evaluator(*quick)(1, state, 1, 0.5);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(a.f[i], b.f[i], 1e-12 * largest_of(a.f));
    for (int j = 0; j < n; ++j)
      ASSERT_NEAR(entry(a.K, TangentForm::exact, i, j), entry(b.K, TangentForm::symmetric, i, j),
                  1e-12 * largest_of(a.K));
  }
}

// Six motions without strain, and none else: no mode of the element is free.
TEST_P(SectionFormOf, HasSixZeroModes) {
  const ContinuumBatch made = batch(0);
  const auto of = kernel(made);
  const State still{reference(made, 1), std::vector<double>(n, 0.0)};
  const std::vector<double> K = Evaluator(*of)(1, still, 1, 0).K;
  Eigen::MatrixXd scaled(n, n);  // so that a strain of one is a step of one in every coordinate
  const auto size = [&](int i) { return (i / 3) % 4 == 0 ? made.half_size[0] : 1.0; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) scaled(i, j) = size(i) * size(j) * entry(K, TangentForm::exact, i, j);
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled).eigenvalues();
  const double bending = std::pow(made.half_size[2] / made.half_size[0], 2);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(values(i), 0, 1e-12 * values(n - 1));
  EXPECT_GT(values(6), 1e-4 * bending * values(n - 1));
}

TEST_P(SectionFormOf, NeverGainsEnergyFromDamping) {
  const ContinuumBatch made = batch();
  const auto of = kernel(made);
  Evaluator evaluate(*of);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const State state = random_state(made, 0, seed, 0.2);
    const std::vector<double> moving = evaluate(0, state, 1, 0).f,
                              still = evaluate(0, {state.e, std::vector<double>(n, 0.0)}, 1, 0).f;
    double power = 0;
    for (int i = 0; i < n; ++i) power += state.v[i] * (moving[i] - still[i]);
    EXPECT_GT(power, 0);
  }
}

// Two elements, stretched, sheared and turned alike: what they exert on the nodes they share cancels.
TEST_P(FlatSectionFormOf, PassesThePatchTest) {
  ContinuumBatch made = batch(0, 2);
  const double nu = 0.3, E11 = 0.2;      // large: what rounding leaves of bending does not grow with it
  if (kind == ElementKind::shell3443) {  // stress along x alone: the sides along it are free
    SectionLaw law = made.section.front();
    std::fill(law.stiffness.begin(), law.stiffness.end(), 0.0);
    for (int i = 0; i < 8; ++i) law.stiffness[9ul * i] = i == 2 || i == 5 ? 1e4 * (1 - nu) / 2 : 1e4;
    for (const int i : {0, 3}) law.stiffness[8ul * i + i + 1] = law.stiffness[8ul * (i + 1) + i] = nu * 1e4;
    made.section = {law};
  }
  if (kind == ElementKind::shell3443) {  // parallelograms
    for (std::size_t i = 0; i < made.reference.size(); i += 3) made.reference[i] += 0.4 * made.reference[i + 1];
  }
  const auto of = kernel(made);
  Evaluator evaluate(*of);
  Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
  F(0, 0) = std::sqrt(1 + 2 * E11);
  if (kind == ElementKind::shell3443) F(1, 1) = std::sqrt(1 - 2 * nu * E11);
  F = turn * F;
  const std::vector<double> zero(n, 0.0);
  const std::vector<double> left = evaluate(0, {transformed(F, reference(made, 0)), zero}, 1, 0).f;
  const std::vector<double> right = evaluate(1, {transformed(F, reference(made, 1)), zero}, 1, 0).f;
  int shared = 0;
  for (int a = 0; a < N / 4; ++a)
    for (int b = 0; b < N / 4; ++b) {
      double distance = 0;
      for (int m = 0; m < 3; ++m)
        distance += std::abs(made.reference[12ul * a + m] - made.reference[static_cast<std::size_t>(n) + 12 * b + m]);
      if (distance > 1e-12) continue;
      ++shared;
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(left[12 * a + k] + right[12 * b + k], 0, 1e-11 * largest_of(left));
    }
  EXPECT_EQ(shared, N / 8);
}

// Four quadrilaterals of no shape in particular around a node, bent to constant curvatures and by as much as is linear:
// the energy is that of the plate, and the node between them feels nothing.
TEST(ShellSectionForm, BendsWithConstantCurvatureInDistortedMeshes) {
  const ElementKind kind = ElementKind::shell3443;
  const double nu = 0.3, stiffness = 1e4, small = 1e-5;
  SectionLaw law{8, std::vector<double>(64, 0.0), stiffness, 0};
  for (int i = 0; i < 8; ++i) law.stiffness[9ul * i] = i == 2 || i == 5 ? stiffness * (1 - nu) / 2 : stiffness;
  for (const int i : {0, 3}) law.stiffness[8ul * i + i + 1] = law.stiffness[8ul * (i + 1) + i] = nu * stiffness;
  ContinuumBatch made = make_batch(kind, {.tau = 0, .elements = 4});
  made.formulation = Formulation::section;
  made.section = {law};
  const double x[9][2] = {{0, 0},   {1.1, -0.2}, {2, 0.3},   {-0.3, 0.9}, {1.3, 1.2},
                          {2.2, 1}, {0.2, 2},    {0.8, 2.3}, {2, 1.9}};
  const int corner[4][4] = {{0, 1, 4, 3}, {1, 2, 5, 4}, {3, 4, 7, 6}, {4, 5, 8, 7}};
  const auto along = [&](int e, int n, int axis, int m) {  // half of the edge at corner n
    const int other = axis == 0 ? (n ^ 1) : 3 - n;
    return 0.5 * Shell3443::corner[n][axis] * (x[corner[e][n]][m] - x[corner[e][other]][m]);
  };
  double area = 0;
  for (int e = 0; e < 4; ++e) {
    const auto *a = x[corner[e][0]], *b = x[corner[e][1]], *c = x[corner[e][2]], *d = x[corner[e][3]];
    area += 0.5 * ((c[0] - a[0]) * (d[1] - b[1]) - (c[1] - a[1]) * (d[0] - b[0]));
    for (int n = 0; n < 4; ++n) {
      double* to = &made.reference[48ul * e + 12 * n];
      std::fill(to, to + 12, 0.0);
      for (int m = 0; m < 2; ++m) {
        to[m] = x[corner[e][n]][m];
        for (int axis = 0; axis < 2; ++axis)
          to[3 + 3 * axis + m] = along(e, n, axis, m) / made.half_size[3ul * e + axis];
      }
      to[11] = 1;
    }
  }
  const auto of = kind->section_form->make_kernel(made, TangentForm::exact);
  for (const Eigen::Vector3d& k :
       {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0), Eigen::Vector3d(0.3, -0.4, 0.7)}) {
    const auto slope = [&](const double* at, int m) {
      return small * (m == 0 ? k(0) * at[0] + k(2) * at[1] : k(1) * at[1] + k(2) * at[0]);
    };
    double energy = 0, on_node[5] = {}, largest = 0;
    for (int e = 0; e < 4; ++e) {
      std::vector<double> q(made.reference.begin() + 48 * e, made.reference.begin() + 48 * (e + 1));
      for (int n = 0; n < 4; ++n) {
        const double* at = x[corner[e][n]];
        q[12 * n + 2] = 0.5 * (slope(at, 0) * at[0] + slope(at, 1) * at[1]);
        for (int m = 0; m < 2; ++m) {
          for (int axis = 0; axis < 2; ++axis) q[12 * n + 5 + 3 * axis] += slope(at, m) * q[12 * n + 3 + 3 * axis + m];
          q[12 * n + 9 + m] = -slope(at, m);
        }
      }
      energy += kind->section_form->energy(made, e, q.data());
      const std::vector<double> f = Evaluator(*of)(e, {q, std::vector<double>(48, 0.0)}, 1, 0).f;
      for (int n = 0; n < 4; ++n) {
        const double* g = &f[12ul * n];
        const double* r = &q[12ul * n];
        const double part[5] = {g[2], g[5] * r[3] + g[8] * r[6], g[5] * r[4] + g[8] * r[7], g[9], g[10]};
        for (int i = 0; i < 5; ++i) {
          largest = std::max(largest, std::abs(part[i]));
          if (corner[e][n] == 4) on_node[i] += part[i];
        }
      }
    }
    const double exact = 0.5 * stiffness * small * small * area *
                         (k(0) * k(0) + k(1) * k(1) + 2 * nu * k(0) * k(1) + 2 * (1 - nu) * k(2) * k(2));
    EXPECT_NEAR(energy, exact, 1e-6 * exact);
    for (const double f : on_node) EXPECT_NEAR(f, 0, 1e-6 * largest);
  }
}

TEST_P(SectionFormOf, TakesNothingFromTheHeapInEvaluation) {
  if (!AllocationCounter::available()) GTEST_SKIP() << "a sanitizer owns malloc in this build";
  for (const TangentForm form : {TangentForm::exact, TangentForm::symmetric}) {
    const ContinuumBatch made = batch();
    const auto of = kernel(made, form);
    Evaluator evaluate(*of);
    evaluate.load(random_state(made, 0, 9));
    AllocationCounter counter;
    evaluate.evaluate(0);
    EXPECT_EQ(counter.taken(), 0);
  }
}

TEST_P(SectionFormOf, StoresLessThanThePublishedElement) {
  const ContinuumBatch made = batch(0.02, 400);
  ContinuumBatch published = make_batch(kind, {.elements = 400});
  ContinuumBatch one_part = made;
  one_part.section.resize(1);
  EXPECT_LT(kernel(one_part)->stored_bytes(),
            make_continuum_kernel(published, "batched", TangentForm::exact)->stored_bytes());
}

}  // namespace
}  // namespace lithe
