// Outlines of sections cut into triangles over their corners.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "lithe/model/section_outline.h"

namespace lithe {
namespace {

double area(const SectionPoint& a, const SectionPoint& b, const SectionPoint& c) {
  return 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

// All turn one way, fill the outline, and have its edges: each once, those within twice, in opposite directions.
void expect_filled(const SectionLoop& loop) {
  const std::vector<std::array<int, 3>> triangles = triangles_of(loop);
  EXPECT_EQ(triangles.size(), loop.size() - 2);
  double sum = 0;
  std::set<std::pair<int, int>> edges;
  for (const auto& t : triangles) {
    const double own = area(loop[t[0]], loop[t[1]], loop[t[2]]);
    EXPECT_GT(own, 0);
    sum += own;
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(edges.emplace(t[k], t[(k + 1) % 3]).second);
  }
  EXPECT_NEAR(sum, area_moments(Outline{{loop}}).area, 1e-12);
  const int n = static_cast<int>(loop.size());
  for (int i = 0; i < n; ++i) EXPECT_TRUE(edges.contains({i, (i + 1) % n}));
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.contains({b, a}) || (a + 1) % n == b);
}

TEST(SectionTriangles, FillOutlinesThatDent) {
  expect_filled(outline(Rectangle{2, 1}).loops[0]);
  expect_filled(outline(ISection{.height = 2, .width = 1.5, .flange = 0.2, .web = 0.1}).loops[0]);
  expect_filled(outline(ChannelSection{.height = 2, .width = 1, .flange = 0.2, .web = 0.1}).loops[0]);
  expect_filled(outline(AngleSection{.height = 2, .width = 1, .thickness = 0.1}).loops[0]);
}

TEST(SectionTriangles, PointsOnEdgesAreCornersToo) {
  expect_filled({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}});
  expect_filled({{0, 0}, {1, 0}, {2, 0}, {1, 1}});
  SectionLoop star;
  for (int k = 0; k < 40; ++k) {
    const double r = k % 2 ? 1 : 0.4, angle = 2 * M_PI * k / 40;
    star.push_back(SectionPoint{r * std::cos(angle), r * std::sin(angle)});
  }
  expect_filled(star);
}

}  // namespace
}  // namespace lithe
