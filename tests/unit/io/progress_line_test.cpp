#include "lithe/io/progress_line.h"

#include <gtest/gtest.h>

namespace lithe {
namespace {

const std::vector<ProgressWord> words{{1, "t = 0.4213 of 1 s"},
                                      {2, "step 4213"},
                                      {4, "h = 0.0001 s"},
                                      {3, "1.23e+03 steps/s"},
                                      {0, "about 3 min 20 s left"}};

TEST(ProgressLine, IsShorterThanAnyTerminal) {
  for (int columns = 0; columns <= 250; ++columns)
    for (const double share : {0.0, 1e-9, 0.42, 0.999, 1.0}) {
      const std::string line = progress_line(share, words, columns);
      EXPECT_LT(static_cast<int>(line.size()), std::max(columns, 1)) << columns << ": " << line;
    }
}

TEST(ProgressLine, KeepsWhatMattersMost) {
  EXPECT_EQ(progress_line(0.42, words, 20), "[##....]  42 %");
  const std::string narrow = progress_line(0.42, words, 60);
  EXPECT_NE(narrow.find("3 min 20 s left"), std::string::npos) << narrow;
  EXPECT_EQ(narrow.find("h = "), std::string::npos) << narrow;
  const std::string wide = progress_line(0.42, words, 200);
  for (const ProgressWord& word : words) EXPECT_NE(wide.find(word.text), std::string::npos) << wide;
  EXPECT_LT(wide.find("t = "), wide.find("left"));
}

TEST(ProgressLine, TimeLeftIsKnownAfterAWhile) {
  EXPECT_FALSE(seconds_left(0.01, 0.001));  // the first step
  EXPECT_FALSE(seconds_left(1, 0.5));
  EXPECT_FALSE(seconds_left(10, 0.001));
  EXPECT_FALSE(seconds_left(100, 0));
  EXPECT_FALSE(seconds_left(100, 1));
  EXPECT_DOUBLE_EQ(seconds_left(10, 0.25).value(), 30);
  EXPECT_DOUBLE_EQ(seconds_left(100, 0.001).value(), 99900);
  EXPECT_EQ(duration_text(99900), "27 h 45 min");
  EXPECT_EQ(duration_text(1e300), "years");
}

TEST(ProgressLine, DrawsOverItselfAndLeavesNothing) {
  std::string shown;
  int columns = 60;
  {
    ProgressLine line({[&](const std::string& text) { shown += text; }, [&] { return columns; }}, DynamicAnalysis{}, 0);
    State state;
    state.t = 0.5;
    line.step(state, {1, 2, 1e-9, 1e-3});
    EXPECT_NE(shown.find(" 50 %"), std::string::npos);
    columns = 10;  // the line now lies over several rows
    line.clear();
  }
  EXPECT_NE(shown.find("A\033[J"), std::string::npos);
  shown.clear();
  columns = 0;
  {
    ProgressLine line({[&](const std::string& text) { shown += text; }, [&] { return columns; }}, StaticAnalysis{}, 0);
    State state;
    state.load_factor = 0.5;
    line.step(state, {1, 1, 1e-9, 0});
  }
  EXPECT_EQ(shown, "step 1, load 0.5, 1 iteration, residual 1e-09\n");
}

}  // namespace
}  // namespace lithe
