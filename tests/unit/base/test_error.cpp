// Messages: places, suggestions, internal errors.
#include <gtest/gtest.h>

#include <string>

#include "lithe/base/error.h"
#include "support/messages.h"

namespace lithe {
namespace {

TEST(Error, InputErrorsSayWhereAsFarAsItIsKnown) {
  EXPECT_STREQ(InputError("too long").what(), "too long");
  EXPECT_STREQ(InputError(Where{}, "too long").what(), "too long");
  const Where hinge{"m.yaml", 7, "joints.hinge"};
  EXPECT_STREQ(InputError(hinge, "joint 'hinge': too long").what(), "m.yaml:7: joints.hinge: too long");
  EXPECT_STREQ(InputError(hinge, "joint 'hinges': no").what(), "m.yaml:7: joints.hinge: joint 'hinges': no");
  EXPECT_STREQ(InputError(Where{"m.yaml", 3, ""}, "too long").what(), "m.yaml:3: too long");
  EXPECT_STREQ(InputError(Where{"m.yaml", 0, ""}, "too long").what(), "m.yaml: too long");
  EXPECT_STREQ(InputError(Where{"m.yaml", 3, "bodies.rod"}, "too long").what(), "m.yaml:3: bodies.rod: too long");
  EXPECT_STREQ(InputError(Where{"", 3, "bodies.rod"}, "too long").what(), "bodies.rod: too long");
}

TEST(Error, RequireThrowsWhenItMust) {
  EXPECT_NO_THROW(require(true, "no"));
  EXPECT_EQ(message_of<InputError>([] { require(false, "give a length"); }), "give a length");
}

// Wherever the project was built: the path starts at its root.
TEST(Error, InternalErrorsNameTheirSourceFromTheProjectsRoot) {
  const int line = __LINE__ + 1;
  const std::string message = message_of<InvariantError>([] { LITHE_INVARIANT(1 + 1 == 3); });
  EXPECT_EQ(message, "internal error: 1 + 1 == 3 does not hold (tests/unit/base/test_error.cpp:" +
                         std::to_string(line) + "); please report it");
}

TEST(Error, InvariantsAreEvaluatedOnce) {
  int count = 0;
  LITHE_INVARIANT(++count == 1);
  EXPECT_EQ(count, 1);
}

TEST(Error, SuggestsANameThatIsClose) {
  EXPECT_EQ(suggestion("cabel", {"beam3243", "cable"}), " (did you mean 'cable'?)");
  EXPECT_EQ(suggestion("beam", {"beam3243", "cable"}), " (known: beam3243, cable)");
  EXPECT_EQ(suggestion("stel", {"steel", "stern"}), " (did you mean 'steel'?)") << "the closest one wins";
  EXPECT_EQ(suggestion("zz", {"aluminium"}), " (known: aluminium)");
  EXPECT_EQ(suggestion("x", {}), "");
  EXPECT_EQ(suggestion("", {"aluminium"}), " (known: aluminium)");
}

}  // namespace
}  // namespace lithe
