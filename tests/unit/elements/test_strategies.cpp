// Every strategy against the plain twin, for every kind, reference and rule: the registry is walked, so a strategy that
// is added is tested.
#include <gtest/gtest.h>

#include "continuum_fixtures.h"
#include "lithe/base/error.h"
#include "lithe/elements/strategies/strategies.h"

namespace lithe {
namespace {

using namespace fixtures;

struct Case {
  const char* name;
  Options options;
};
const Case cases[] = {
    {"straight", {}},
    {"curved", {.reference = Reference::curved}},
    {"curved, orthotropic or layered", {.reference = Reference::curved, .layered = true}},
    {"curved, one more point each way", {.reference = Reference::curved, .elements = 1, .extra_points = 1}},
    {"straight, undamped", {.tau = 0}},
};

// Relative to the terms that cancel.
double tolerance(const std::string& strategy, bool tangent) {
  if (strategy == "finite_difference" && tangent) return 1e-7;
  return strategy == "G" || strategy == "L" ? 1e-10 : 1e-12;
}

class EveryStrategy : public ::testing::TestWithParam<Strategy> {};

TEST_P(EveryStrategy, AgreesWithThePlainTwin) {
  const std::string name = GetParam().name;
  const double c_q = 1.3, c_v = 0.4;
  for (ElementKind kind : kinds)
    for (const Case& c : cases) {
      SCOPED_TRACE(name + ", " + kind_name(kind) + ", " + c.name);
      const ContinuumBatch batch = make_batch(kind, c.options);
      const auto exact = GetParam().make(batch, TangentForm::exact);
      const auto symmetric = GetParam().make(batch, TangentForm::symmetric);
      ASSERT_EQ(exact->form(), TangentForm::exact);
      ASSERT_EQ(symmetric->form(), TangentForm::symmetric);
      ASSERT_EQ(exact->packs(), (batch.elements + exact->width() - 1) / exact->width());
      const int element = batch.elements - 1, N = vector_count(kind), n = 3 * N;
      ASSERT_EQ(exact->vectors(), N);
      const State state = random_state(batch, element, 7);
      std::vector<double> f(n);
      plain_force(batch, element, state.e.data(), state.v.data(), f.data());
      const std::vector<double> J = dual_tangent(batch, element, state, c_q, c_v);
      const bool cancels = name == "G" || name == "L";
      const double f_scale = cancels ? force_scale(batch, element, state) : largest(f), J_scale = largest(J);

      const Evaluation full = Evaluator(*exact)(element, state, c_q, c_v);
      for (int i = 0; i < n; ++i) ASSERT_NEAR(full.f[i], f[i], tolerance(name, false) * f_scale);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          ASSERT_NEAR(full.K[((i / 3) * N + j / 3) * 9 + 3 * (i % 3) + j % 3], J[i * n + j],
                      tolerance(name, true) * J_scale)
              << i << ", " << j;

      const Evaluation half = Evaluator(*symmetric)(element, state, c_q, c_v);
      for (int i = 0; i < n; ++i) ASSERT_NEAR(half.f[i], f[i], tolerance(name, false) * f_scale);
      for (int i = 0; i < n; ++i)
        for (int j = 3 * (i / 3); j < n; ++j)
          ASSERT_NEAR(half.K[symmetric_block(N, i / 3, j / 3) * 9 + 3 * (i % 3) + j % 3],
                      0.5 * (J[i * n + j] + J[j * n + i]), tolerance(name, true) * J_scale)
              << i << ", " << j;
    }
}

// A translation makes no force. What its rounding may do: one part in 2^53 of the distance against the element's size,
// not its third power.
TEST_P(EveryStrategy, KeepsItsDigitsFarFromTheOrigin) {
  for (ElementKind kind : kinds) {
    SCOPED_TRACE(GetParam().name + std::string(", ") + kind_name(kind));
    const ContinuumBatch batch = make_batch(kind);
    const auto kernel = GetParam().make(batch, TangentForm::exact);
    const State here = random_state(batch, 0, 11);
    State there = here;
    const double distance[3] = {1024, -512, 2048};  // sums are exact but for the last bits of e
    for (std::size_t k = 0; k < here.e.size(); ++k)
      if ((k / 3) % 4 == 0) {
        there.e[k] += distance[k % 3];
        there.v[k] += distance[k % 3];
      }
    const Evaluation a = Evaluator(*kernel)(0, here, 1.0, 0.3), b = Evaluator(*kernel)(0, there, 1.0, 0.3);
    const double bound = 1e-8;  // 2048 / 0.016 * 2^-53, times sums over points and functions
    const double scale = force_scale(batch, 0, here);
    for (std::size_t i = 0; i < a.f.size(); ++i) ASSERT_NEAR(a.f[i], b.f[i], bound * scale) << i;
    const double difference = GetParam().name == std::string("finite_difference") ? 1e-2 : bound;
    for (std::size_t i = 0; i < a.K.size(); ++i) ASSERT_NEAR(a.K[i], b.K[i], difference * largest(a.K)) << i;
  }
}

// The tangent of a strategy that saves nothing stands alone; one that saves does not need the state's scratch.
TEST_P(EveryStrategy, KeepsTheContractOfSaved) {
  for (ElementKind kind : kinds) {
    const ContinuumBatch batch = make_batch(kind);
    const auto kernel = GetParam().make(batch, TangentForm::exact);
    const State state = random_state(batch, 0, 3);
    const Evaluation expected = Evaluator(*kernel)(0, state, 1.0, 0.5);
    const int W = kernel->width(), n = 3 * kernel->vectors();
    Aligned e(n * W), v(n * W), f(n * W), saved(kernel->saved_doubles() + 8), scratch(kernel->scratch_doubles() + 8),
        K(std::size_t(n) * n * W + 8);
    for (int k = 0; k < n * W; ++k) {
      e[k] = state.e[k / W];
      v[k] = state.v[k / W];
    }
    const double guard = 123.5;
    for (int k = 0; k < 8; ++k)
      saved[kernel->saved_doubles() + k] = scratch[kernel->scratch_doubles() + k] = K[std::size_t(n) * n * W + k] =
          guard;
    if (kernel->saved_doubles() > 0) kernel->force(0, e.data(), v.data(), f.data(), saved.data(), scratch.data());
    kernel->tangent(0, e.data(), v.data(), 1.0, 0.5, K.data(), saved.data(), scratch.data());
    for (std::size_t k = 0; k < expected.K.size(); ++k) ASSERT_EQ(K[k * W], expected.K[k]);
    for (int k = 0; k < 8; ++k) {
      ASSERT_EQ(saved[kernel->saved_doubles() + k], guard);
      ASSERT_EQ(scratch[kernel->scratch_doubles() + k], guard);
      ASSERT_EQ(K[std::size_t(n) * n * W + k], guard);
    }
  }
}

TEST_P(EveryStrategy, CountsItsWork) {
  for (ElementKind kind : kinds) {
    const auto kernel = GetParam().make(make_batch(kind), TangentForm::exact);
    EXPECT_GT(kernel->force_flops(), 0);
    EXPECT_GT(kernel->tangent_flops(), kernel->force_flops());
    EXPECT_GT(kernel->stored_bytes(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryStrategy, ::testing::ValuesIn(strategies().begin(), strategies().end()),
                         [](const auto& test) { return std::string(test.param.name); });

// P0 table 4 (without the mass matrix, although its caption counts it: table 5 does add it) and tables 6 and 7.
struct Published {
  const char* strategy;
  double bytes[3], force[3], tangent[3];  // bytes; kFLOPs
};
const Published published[] = {
    {"C", {3000, 12544, 49664}, {8.2, 34, 123}, {112, 1014, 7664}},
    {"D", {3000, 12544, 49664}, {8.2, 34, 123}, {112, 1014, 7664}},
    {"E", {5880, 18688, 61952}, {8.2, 34, 123}, {106, 990, 7581}},
    {"G", {27648, 315392, 4472832}, {20.7, 252, 3539}, {47, 633, 9247}},
    {"L", {66560, 1052672, 16793600}, {8.9, 134, 2109}, {74, 1181, 18878}},
    {"finite_difference", {0, 0, 0}, {8.2, 34, 123}, {403, 3294, 23781}},
};

TEST(Strategies, StoreAndCountAsPublished) {
  for (const Published& row : published)
    for (int k = 0; k < 3; ++k) {
      SCOPED_TRACE(std::string(row.strategy) + ", " + kind_name(kinds[k]));
      const auto one = make_continuum_kernel(make_batch(kinds[k], {.elements = 1}), row.strategy, TangentForm::exact);
      const auto two = make_continuum_kernel(make_batch(kinds[k], {.elements = 2}), row.strategy, TangentForm::exact);
      // What one more element costs: tables that a batch shares drop out.
      if (row.bytes[k] > 0) {
        EXPECT_EQ(double(two->stored_bytes() - one->stored_bytes() + one->saved_doubles() * sizeof(double)),
                  row.bytes[k]);
      }
      EXPECT_NEAR(one->force_flops() / 1000, row.force[k], 0.08 * row.force[k]);
      EXPECT_NEAR(one->tangent_flops() / 1000, row.tangent[k], 0.08 * row.tangent[k]);
    }
}

TEST(Strategies, PreIntegrationDoesNotSeeLayers) {
  for (const char* name : {"G", "L"}) {
    const auto one = make_continuum_kernel(make_batch(ElementKind::shell3443), name, TangentForm::exact);
    const auto three =
        make_continuum_kernel(make_batch(ElementKind::shell3443, {.layered = true}), name, TangentForm::exact);
    EXPECT_EQ(one->force_flops(), three->force_flops());
    EXPECT_EQ(one->tangent_flops(), three->tangent_flops());
    EXPECT_EQ(one->stored_bytes(), three->stored_bytes());
  }
}

TEST(Strategies, PreIntegrationNeedsOneDampingTime) {
  ContinuumBatch batch = make_batch(ElementKind::shell3443, {.layered = true});
  batch.laws[1].tau = 0.5;
  for (const char* name : {"G", "L"}) try {
      make_continuum_kernel(batch, name, TangentForm::exact);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("'" + std::string(name) + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("batched"), std::string::npos) << message;
    }
  for (const char* name : {"C", "D", "E"}) {  // a tau for each layer
    const auto kernel = make_continuum_kernel(batch, name, TangentForm::exact);
    const State state = random_state(batch, 0, 5);
    const std::vector<double> J = dual_tangent(batch, 0, state, 1.0, 0.3);
    const Evaluation result = Evaluator(*kernel)(0, state, 1.0, 0.3);
    const int N = 16, n = 48;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        ASSERT_NEAR(result.K[((i / 3) * N + j / 3) * 9 + 3 * (i % 3) + j % 3], J[i * n + j], 1e-12 * largest(J));
  }
}

TEST(Strategies, AnUnknownNameGetsAHint) {
  try {
    make_continuum_kernel(make_batch(ElementKind::beam3243), "finite_diference", TangentForm::exact);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'finite_difference'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lithe
