// What is said where a dynamic run cannot start.
#include <gtest/gtest.h>

#include "lithe/dynamics/start_failure.h"
#include "support/models.h"

namespace lithe {
namespace {

TEST(StartFailure, NamesMemoryMassesAndConstraints) {
  Model model;
  model.bodies.add("p", PointMass{1.0, {0, 0, 0}, {0, 0, 0}});
  const System free = compile(model);
  std::vector<double> mass(free.pattern.nonzeros(), 1.0);
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  FactorReport report;
  report.reason = FactorReport::Reason::out_of_memory;
  const std::string memory = start_failure(free, mass, report, report.text());
  has(memory, "not enough memory");
  EXPECT_EQ(memory.find("singular"), std::string::npos) << memory;
  report.reason = FactorReport::Reason::singular;
  has(start_failure(free, mass, report, ""), "singular to rounding");
  mass.assign(mass.size(), 0.0);
  has(start_failure(free, mass, report, ""), "nothing gives body 'p'");
  model.bodies.add("q", PointMass{1.0, {1, 0, 0}, {0, 0, 0}});
  model.joints.add("rod", Distance{test::at("p", ""), test::at("q", ""), {}});
  model.treatment = Treatment::lagrange;
  const System joined = compile(model);
  mass.assign(joined.pattern.nonzeros(), 1.0);
  has(start_failure(joined, mass, report, ""), "dead centre");
}

}  // namespace
}  // namespace lithe
