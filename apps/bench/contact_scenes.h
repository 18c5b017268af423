// Contact problems of scenes: what half steps of a few models hand to their contact solver.
#pragma once

#include <string>
#include <vector>

#include "lithe/contact/contact_problem.h"

namespace lithe::app {

struct SavedProblem {
  std::string name;  // scene, and the time of the step
  ContactProblem problem;
  std::vector<double> guess;  // [contact][3] | N s | what the step began with: impulses of the step before
};

// Bricks, a pile, stacks with mass ratios to 1e6, an arch, a wedged block, one on redundant points, cables, a net.
// quick: smaller scenes, for tests.
std::vector<SavedProblem> problems_of_scenes(bool quick);

// Balls of two sizes that fall a little and settle in a box, `tolerance` of the contact solver.
std::string settling_balls(int count, double step, double tolerance);

}  // namespace lithe::app
