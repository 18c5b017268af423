// Expressions: what they accept, what they are worth, their derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

#include "lithe/base/error.h"
#include "lithe/base/expression.h"

namespace lithe {
namespace {

double value(const std::string& text, double t = 0.3) {
  return Expression(text, {"t"}).value(std::span<const double>(&t, 1));
}
HyperDual derivatives(const std::string& text, double t) {
  const HyperDual x(t, 1, 1);
  return Expression(text, {"t"}).value(std::span<const HyperDual>(&x, 1));
}

TEST(Expression, FollowsTheUsualRules) {
  const struct {
    const char* text;
    double value;
  } rows[] = {{"-2^2", -4},
              {"2^-2", 0.25},
              {"2^3^2", 512},
              {"1<2<3", 1},
              {"1?2:3", 2},
              {"0?2:3", 3},
              {"2*-3", -6},
              {"+3", 3},
              {"1==1&&0||1", 1},
              {"1.", 1},
              {".5", 0.5},
              {"2e-3*1E3", 2},
              {"t?1:2?3:4", 1},
              {"0?1:2?3:4", 3},
              {"rint(2.5)", 3},
              {"rint(-0.5)", 0},
              {"sign(-2)", -1},
              {"sign(0)", 0},
              {"sum(1,2,3)", 6},
              {"avg(1,2)", 1.5},
              {"min(3,1,2)", 1},
              {"max(3,1,2)", 3},
              {"log(10)", std::log(10)},
              {"ln(10)", std::log(10)},
              {"log2(8)", 3},
              {"log10(1000)", 3},
              {"2--3", 5},
              {"3 - -2^2", 7},
              {"_pi*2", 2 * M_PI},
              {"pi", M_PI},
              {"_e", M_E},
              {"abs(-3)", 3},
              {"1!=2", 1},
              {"t<1 && t>0 ? 2 : 3", 2},
              {"2^t?1:0", 1},
              {" ( 1 + 2 )\t* 3 ", 9},
              {"6/3/2", 1},
              {"1-2-3", -4},
              {"1 > 2 ? 5 : 1 >= 1 ? 7 : 8", 7},
              {"atan2(1,-1)", std::atan2(1, -1)},
              {"-(-3)", 3},
              {"1<=1", 1},
              {"2 + (1 ? 3 : 4) * 2", 8}};
  for (const auto& row : rows) EXPECT_DOUBLE_EQ(value(row.text), row.value) << row.text;
}

TEST(Expression, ErrorsNameWhatIsWrong) {
  const struct {
    const char *text, *part;
  } rows[] = {{"", "empty"},
              {"3 4", "operator is missing"},
              {"2t", "operator is missing before 't'"},
              {"sin 3", "'sin' (character 1) has no '('"},
              {"sin()", "takes 1 argument, not 0"},
              {"sin(1,2)", "takes 1 argument, not 2"},
              {"atan2(1)", "takes 2 arguments, not 1"},
              {"min()", "takes 1 or more argument, not 0"},
              {"3*sin(", "ends where a value is expected"},
              {"(1", "')' is missing"},
              {"1)", "has no '('"},
              {"1 ? 2", "has no ':'"},
              {"1:2", "has no '?'"},
              {"1,5", "decimals take a point"},
              {"t=3", "'==' compares"},
              {"!1", "a value is expected"},
              {"5%3", "operator is missing"},
              {"* 3", "a value is expected"},
              {"sinn(t)", "did you mean 'sin'?"},
              {"force*t", "'force' (character 1) is not known"},
              {"1e400", "no number"},
              {".", "no number"}};
  for (const auto& row : rows) {
    try {
      value(row.text);
      ADD_FAILURE() << row.text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(row.part), std::string::npos) << row.text << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find("the variable is t"), std::string::npos) << error.what();
    }
  }
}

TEST(Expression, LongAndDeepTextsAreNoDanger) {
  std::string sum = "t";
  for (int i = 0; i < 100000; ++i) sum += "+t";
  EXPECT_NEAR(value(sum, 1e-5), 1.00001, 1e-9);
  EXPECT_THROW(value(std::string(100000, '(') + "t"), InputError);
  EXPECT_THROW(value(std::string(100000, '-') + "t"), InputError);
  std::string choices;
  for (int i = 0; i < 100000; ++i) choices += "t?";
  EXPECT_THROW(value(choices), InputError);
  std::string deep = "t";
  for (int i = 0; i < 60; ++i) deep = "max(t,1+(2*" + deep + "))";  // a stack that is larger than the small one
  EXPECT_GT(value(deep), 0);
}

// f, f' and f'' of every function in closed form.
TEST(Expression, DerivativesAreThoseOfTheClosedForms) {
  using F = std::function<double(double)>;
  const struct {
    const char* text;
    F f, d, dd;
    double low, high;
  } rows[] = {
      {"sin(t)", [](double t) { return std::sin(t); }, [](double t) { return std::cos(t); },
       [](double t) { return -std::sin(t); }, -9, 9},
      {"cos(t)", [](double t) { return std::cos(t); }, [](double t) { return -std::sin(t); },
       [](double t) { return -std::cos(t); }, -9, 9},
      {"tan(t)", [](double t) { return std::tan(t); }, [](double t) { return 1 / std::pow(std::cos(t), 2); },
       [](double t) { return 2 * std::sin(t) / std::pow(std::cos(t), 3); }, -1.5, 1.5},
      {"asin(t)", [](double t) { return std::asin(t); }, [](double t) { return 1 / std::sqrt(1 - t * t); },
       [](double t) { return t / std::pow(1 - t * t, 1.5); }, -0.9, 0.9},
      {"acos(t)", [](double t) { return std::acos(t); }, [](double t) { return -1 / std::sqrt(1 - t * t); },
       [](double t) { return -t / std::pow(1 - t * t, 1.5); }, -0.9, 0.9},
      {"atan(t)", [](double t) { return std::atan(t); }, [](double t) { return 1 / (1 + t * t); },
       [](double t) { return -2 * t / std::pow(1 + t * t, 2); }, -5, 5},
      {"sinh(t)", [](double t) { return std::sinh(t); }, [](double t) { return std::cosh(t); },
       [](double t) { return std::sinh(t); }, -3, 3},
      {"cosh(t)", [](double t) { return std::cosh(t); }, [](double t) { return std::sinh(t); },
       [](double t) { return std::cosh(t); }, -3, 3},
      {"tanh(t)", [](double t) { return std::tanh(t); }, [](double t) { return std::pow(std::cosh(t), -2); },
       [](double t) { return -2 * std::tanh(t) * std::pow(std::cosh(t), -2); }, -9, 9},
      {"asinh(t)", [](double t) { return std::asinh(t); }, [](double t) { return 1 / std::sqrt(1 + t * t); },
       [](double t) { return -t / std::pow(1 + t * t, 1.5); }, -5, 5},
      {"acosh(t)", [](double t) { return std::acosh(t); }, [](double t) { return 1 / std::sqrt(t * t - 1); },
       [](double t) { return -t / std::pow(t * t - 1, 1.5); }, 1.1, 5},
      {"atanh(t)", [](double t) { return std::atanh(t); }, [](double t) { return 1 / (1 - t * t); },
       [](double t) { return 2 * t / std::pow(1 - t * t, 2); }, -0.9, 0.9},
      {"exp(t)", [](double t) { return std::exp(t); }, [](double t) { return std::exp(t); },
       [](double t) { return std::exp(t); }, -3, 3},
      {"ln(t)", [](double t) { return std::log(t); }, [](double t) { return 1 / t; },
       [](double t) { return -1 / (t * t); }, 0.1, 5},
      {"log(t)", [](double t) { return std::log(t); }, [](double t) { return 1 / t; },
       [](double t) { return -1 / (t * t); }, 0.1, 5},
      {"log2(t)", [](double t) { return std::log2(t); }, [](double t) { return 1 / (t * std::log(2)); },
       [](double t) { return -1 / (t * t * std::log(2)); }, 0.1, 5},
      {"log10(t)", [](double t) { return std::log10(t); }, [](double t) { return 1 / (t * std::log(10)); },
       [](double t) { return -1 / (t * t * std::log(10)); }, 0.1, 5},
      {"sqrt(t)", [](double t) { return std::sqrt(t); }, [](double t) { return 0.5 / std::sqrt(t); },
       [](double t) { return -0.25 / std::pow(t, 1.5); }, 0.1, 5},
      {"abs(t)", [](double t) { return std::abs(t); }, [](double t) { return t < 0 ? -1 : 1; },
       [](double) { return 0; }, -2, 2},
      {"sign(t)+rint(t)", [](double t) { return (t > 0) - (t < 0) + std::floor(t + 0.5); }, [](double) { return 0; },
       [](double) { return 0; }, -2, 2},
      {"atan2(t,1+t)", [](double t) { return std::atan2(t, 1 + t); },
       [](double t) { return 1 / (1 + 2 * t + 2 * t * t); },
       [](double t) { return -(2 + 4 * t) / std::pow(1 + 2 * t + 2 * t * t, 2); }, -0.9, 5},
      {"t^3", [](double t) { return t * t * t; }, [](double t) { return 3 * t * t; }, [](double t) { return 6 * t; },
       -2, 2},
      {"t^-1.5", [](double t) { return std::pow(t, -1.5); }, [](double t) { return -1.5 * std::pow(t, -2.5); },
       [](double t) { return 3.75 * std::pow(t, -3.5); }, 0.1, 5},
      {"2^t", [](double t) { return std::exp2(t); }, [](double t) { return std::log(2) * std::exp2(t); },
       [](double t) { return std::pow(std::log(2), 2) * std::exp2(t); }, -3, 3},
      {"t^t", [](double t) { return std::pow(t, t); }, [](double t) { return std::pow(t, t) * (std::log(t) + 1); },
       [](double t) { return std::pow(t, t) * (std::pow(std::log(t) + 1, 2) + 1 / t); }, 0.1, 3},
      {"1/t-t*t+t/2", [](double t) { return 1 / t - t * t + t / 2; },
       [](double t) { return -1 / (t * t) - 2 * t + 0.5; }, [](double t) { return 2 / (t * t * t) - 2; }, 0.1, 5},
      {"min(t,t^2,7)+max(t,1)", [](double t) { return std::min(t, t * t) + std::max(t, 1.0); },
       [](double t) { return t < 1 ? 2 * t : 2; }, [](double t) { return t < 1 ? 2 : 0; }, 0.1, 5},
      {"sum(t,t^2)-avg(t,t^2)", [](double t) { return (t + t * t) / 2; }, [](double t) { return 0.5 + t; },
       [](double) { return 1; }, -2, 2},
      {"t<1 ? t^2 : sqrt(t)", [](double t) { return t < 1 ? t * t : std::sqrt(t); },
       [](double t) { return t < 1 ? 2 * t : 0.5 / std::sqrt(t); },
       [](double t) { return t < 1 ? 2 : -0.25 / std::pow(t, 1.5); }, -2, 5},
      {"exp(-t)*sin(2*pi*2000*t)", [](double t) { return std::exp(-t) * std::sin(4000 * M_PI * t); },
       [](double t) { return std::exp(-t) * (4000 * M_PI * std::cos(4000 * M_PI * t) - std::sin(4000 * M_PI * t)); },
       [](double t) {
         const double w = 4000 * M_PI;
         return std::exp(-t) * ((1 - w * w) * std::sin(w * t) - 2 * w * std::cos(w * t));
       },
       0, 1}};
  for (const auto& row : rows)
    for (int i = 0; i <= 20; ++i) {
      const double t = row.low + (row.high - row.low) * (i + 0.37) / 21;
      const HyperDual x = derivatives(row.text, t);
      const auto near = [&](double is, double expected) {
        EXPECT_NEAR(is, expected, 1e-11 * std::max(1.0, std::abs(expected))) << row.text << " at " << t;
      };
      near(x.v, row.f(t));
      near(x.a, row.d(t));
      near(x.ab, row.dd(t));
      EXPECT_NEAR(x.v, value(row.text, t), 1e-14 * std::max(1.0, std::abs(x.v)));
    }
}

TEST(Expression, KinksHaveTheDerivativeOfWhatComesAfterThem) {
  EXPECT_EQ(derivatives("abs(t)", 0).a, 1);
  EXPECT_EQ(derivatives("abs(-t)", 0).a, 1);
  EXPECT_EQ(derivatives("max(t,0)", 0).a, 1);
  EXPECT_EQ(derivatives("max(0,t)", 0).a, 1);
  EXPECT_EQ(derivatives("min(t,0)", 0).a, 0);
  EXPECT_EQ(derivatives("t^2", 0).ab, 2);
  EXPECT_EQ(derivatives("t^1", 0).ab, 0);
  EXPECT_EQ(derivatives("t^0", 0).a, 0);
  EXPECT_EQ(derivatives("t*sqrt(0)", 1).a, 0);  // infinite slope of what does not move
  EXPECT_EQ(derivatives("0^2+t", 0).a, 1);
  EXPECT_TRUE(std::isinf(derivatives("sqrt(t)", 0).a));
}

TEST(Expression, ManyThreadsMayEvaluateOne) {
  const Expression f("exp(-x)*sin(3*y)+z^2", {"x", "y", "z"});
  std::vector<std::thread> threads;
  std::array<int, 8> wrong{};
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 20000; ++i) {
        const double x[] = {k + 1e-4 * i, 1e-3 * i, 0.1 * k};
        wrong[k] += std::abs(f.value(std::span<const double>(x)) -
                             (std::exp(-x[0]) * std::sin(3 * x[1]) + x[2] * x[2])) > 1e-14;
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (int count : wrong) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace lithe
