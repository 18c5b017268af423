// A model of ten times as many parts takes ten times the work to read and to check: counted, not timed.
#include <gtest/gtest.h>

#include <sstream>

#include "../allocation_counter.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"
#include "lithe/model/validate.h"

namespace lithe {
namespace {

// A chain of rigid bodies, each hinged to the one before it.
std::string chain_text(int bodies) {
  std::ostringstream text, joints;
  for (int i = 0; i < bodies; ++i) {
    const int n = 1'000'000 + i;  // names of equal lengths
    text << "  link" << n << ": {type: rigid, position: [" << n << ", 0, 0], mass: 1, inertia: [1, 1, 1]}\n";
    joints << "  pin" << n << ": {type: spherical, a: ";
    if (i) joints << "link" << n - 1;
    else joints << "ground";
    joints << ", b: link" << n << ", point: [" << n << ".5, 0, 0]}\n";
  }
  return "bodies:\n" + text.str() + "joints:\n" + joints.str() + "analysis: {type: dynamic, duration: 1, step: 0.1}\n";
}

struct Work {
  long parse = 0, read = 0, validate = 0;
  bool indexed = false;
};

Work work(int bodies) {
  const std::string text = chain_text(bodies);
  Work result;
  const fixtures::AllocationCounter parsing;
  const Value root = parse_yaml(text, "chain.yaml");
  result.parse = parsing.taken();
  Reading reading;
  const fixtures::AllocationCounter counter;
  const Model model = read_model(root, reading);
  result.read = counter.taken();
  const fixtures::AllocationCounter checking;
  validate(model, reading);
  result.validate = checking.taken();
  result.indexed = model.bodies.indexed() && model.joints.indexed();
  return result;
}

TEST(ReadingScales, AllocationsGrowWithTheNumberOfParts) {
  if (!fixtures::AllocationCounter::available()) GTEST_SKIP();
  work(10);  // makes the schemas
  const Work few = work(300), many = work(3000);
  EXPECT_TRUE(many.indexed) << "names are found through maps";
  EXPECT_LT(static_cast<double>(many.parse), 10.5 * static_cast<double>(few.parse));
  EXPECT_LT(static_cast<double>(many.read), 10.5 * static_cast<double>(few.read));
  EXPECT_LT(static_cast<double>(many.validate), 10.5 * static_cast<double>(few.validate));
  EXPECT_LT(many.validate, 60 * 6000) << "allocations a part";
}

}  // namespace
}  // namespace lithe
