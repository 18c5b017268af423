#include "contact_scenes.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "lithe/base/error.h"
#include "lithe/dynamics/half_step_stepper.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"

namespace lithe::app {

namespace {

// A model and the times at whose steps problems are taken.
struct Scene {
  std::string name, model;
  double step;
  std::vector<double> times;
};

std::string text_of(const std::string& parts, const std::string& obstacles, double friction, double step) {
  return fmt::format(
      "materials: {{soft: {{E: 1e7, nu: 0.3, density: 1000}}, stone: {{E: 1e9, nu: 0.2, density: 2000}}}}\n"
      "sections: {{rope: {{type: circle, radius: 0.01}}}}\n"
      "{}obstacles:\n{}contacts: {{touch: {{between: all, friction: {}, initial_overlap: accept}}}}\n"
      "loads: {{gravity: {{type: gravity}}}}\n"
      "analysis: {{type: dynamic, duration: 10, step: {}, integrator: half_step, contact: {{tolerance: 1e-8}}}}\n",
      parts, obstacles, friction, step);
}

const std::string floor_text = "  floor: {shape: {type: plane}}\n";

std::string plane(const std::string& name, double x, double y, double z, const std::string& normal) {
  return fmt::format("  {}: {{shape: {{type: plane}}, position: [{}, {}, {}], normal: {}}}\n", name, x, y, z, normal);
}

// Bricks of P2's kind side by side on a floor, pushed together from one end.
Scene bricks(int side) {
  std::string bodies = "bodies:\n";
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      bodies += fmt::format(
          "  b{0}_{1}: {{element: hex8, material: stone, kinematics: BC, eta: 1e-4, mesh: {{type: block, corner: "
          "[{2}, {3}, 0], length: [0.2, 0, 0], width: [0, 0.2, 0], height: [0, 0, 0.5], elements: [2, 2, 3]}}}}\n",
          i, j, 0.201 * i, 0.201 * j);
  const std::string push = fmt::format(
      "  plate: {{shape: {{type: box, size: [0.1, 4, 1]}}, position: [-0.055, 0, 0.5], displacement: "
      "[\"0.1 * t\", null, null]}}\n");
  return {"bricks", text_of(bodies, floor_text + push, 0.5, 1e-3), 1e-3, {0.02, 0.06, 0.1}};
}

// Boxes, balls and capsules that fall into a bin.
Scene pile(int layers) {
  std::mt19937 random(7);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
  std::string bodies = "bodies:\n";
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int kind = static_cast<int>(uniform(0, 3));
        const std::string shape = kind == 0   ? fmt::format("box, size: [{:.4f}, {:.4f}, {:.4f}]", uniform(0.1, 0.2),
                                                            uniform(0.1, 0.2), uniform(0.1, 0.2))
                                  : kind == 1 ? fmt::format("sphere, radius: {:.4f}", uniform(0.06, 0.1))
                                              : fmt::format("capsule, radius: {:.4f}, length: {:.4f}",
                                                            uniform(0.04, 0.07), uniform(0.05, 0.1));
        const double x = -0.25 + 0.25 * i + uniform(-0.02, 0.02), y = -0.25 + 0.25 * j + uniform(-0.02, 0.02);
        bodies += fmt::format(
            "  p{}_{}_{}: {{type: rigid, shape: {{type: {}}}, density: 1000, position: [{:.4f}, {:.4f}, {:.4f}], "
            "x_axis: [1, {:.3f}, {:.3f}], y_axis: [0, 1, 0]}}\n",
            k, i, j, shape, x, y, 0.2 + 0.25 * k, uniform(-1, 1), uniform(-1, 1));
      }
  const std::string bin = floor_text + plane("left", -0.4, 0, 0, "[1, 0, 0]") +
                          plane("right", 0.4, 0, 0, "[-1, 0, 0]") + plane("front", 0, -0.4, 0, "[0, 1, 0]") +
                          plane("back", 0, 0.4, 0, "[0, -1, 0]");
  return {"pile", text_of(bodies, bin, 0.4, 0.002), 0.002, {0.3, 0.5, 1}};
}

// Boxes on each other whose masses grow evenly in their logarithm to `ratio`; bumped so that it is not at rest.
Scene stack(int boxes, double ratio) {
  std::string bodies = "bodies:\n";
  for (int k = 0; k < boxes; ++k)
    bodies += fmt::format(
        "  box{}: {{type: rigid, shape: {{type: box, size: [0.2, 0.2, 0.2]}}, density: {}, position: [{}, {}, {}]}}\n",
        k, 1000 * std::pow(ratio, k / (boxes - 1.0)), 0.004 * (k % 3), 0.003 * (k % 2), 0.1 + 0.2 * k);
  return {fmt::format("stack 1:{:.0e}", ratio), text_of(bodies, floor_text, 0.5, 0.005), 0.005, {0.01, 0.1}};
}

// Voussoirs of one element between two abutments; radius 1 in the middle, 0.4 across.
Scene arch(int stones, double thickness) {
  std::string bodies = "bodies:\n";
  const auto corner = [&](double angle, double radius, double y) {
    return fmt::format("[{:.12f}, {}, {:.12f}]", -radius * std::cos(angle), y, radius * std::sin(angle));
  };
  for (int k = 0; k < stones; ++k) {
    const double a = std::numbers::pi * k / stones, b = std::numbers::pi * (k + 1) / stones,
                 inner = 1 - 0.5 * thickness, outer = 1 + 0.5 * thickness;
    std::string nodes;
    for (const double y : {-0.2, 0.2})
      for (const auto& [angle, radius] :
           {std::pair{a, inner}, std::pair{b, inner}, std::pair{b, outer}, std::pair{a, outer}})
        nodes += (nodes.empty() ? "" : ", ") + corner(angle, radius, y);
    bodies += fmt::format(
        "  stone{}: {{element: hex8, material: stone, kinematics: BC, eta: 1e-4, mesh: {{type: nodes, nodes: [{}], "
        "elements: [[4, 5, 6, 7, 0, 1, 2, 3]]}}}}\n",
        k, nodes);
  }
  return {"arch", text_of(bodies, floor_text, 0.6, 5e-4), 5e-4, {0.005, 0.05}};
}

// A tapered block pressed down between two planes that lean by 15 degrees.
Scene wedge(int cuts) {
  const double lean = std::numbers::pi / 12, low = 0.2, high = low + 0.4 * std::tan(lean);
  std::string nodes, elements;
  for (int k = 0; k <= cuts; ++k)
    for (int j = 0; j <= cuts; ++j)
      for (int i = 0; i <= cuts; ++i) {
        const double z = 1.0 * k / cuts, half = low + (high - low) * z;
        nodes += fmt::format("{}[{:.12f}, {:.12f}, {:.12f}]", nodes.empty() ? "" : ", ", half * (2.0 * i / cuts - 1),
                             0.4 * j / cuts, 0.4 * z);
      }
  const auto at = [&](int i, int j, int k) { return (k * (cuts + 1) + j) * (cuts + 1) + i; };
  for (int k = 0; k < cuts; ++k)
    for (int j = 0; j < cuts; ++j)
      for (int i = 0; i < cuts; ++i)
        elements += fmt::format("{}[{}, {}, {}, {}, {}, {}, {}, {}]", elements.empty() ? "" : ", ", at(i, j, k),
                                at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k), at(i, j, k + 1),
                                at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1));
  const std::string bodies = fmt::format(
      "bodies:\n  block: {{element: hex8, material: stone, kinematics: BC, eta: 1e-4, mesh: {{type: nodes, nodes: "
      "[{}], elements: [{}]}}}}\ninitial_velocities: {{push: {{on: block, velocity: [0.02, 0, -0.1]}}}}\n",
      nodes, elements);
  const std::string sides = plane("left", -low, 0, 0, fmt::format("[{}, 0, {}]", std::cos(lean), std::sin(lean))) +
                            plane("right", low, 0, 0, fmt::format("[{}, 0, {}]", -std::cos(lean), std::sin(lean)));
  return {"wedge", text_of(bodies, sides, 0.3, 1e-3), 1e-3, {0.002, 0.02}};
}

// Rigid boxes on each other, the lowest on more balls than it has freedoms.
Scene redundant(int side) {
  std::string balls;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      balls += fmt::format("  ball{}_{}: {{shape: {{type: sphere, radius: 0.05}}, position: [{}, {}, -0.05]}}\n", i, j,
                           -0.4 + 0.8 * i / (side - 1), -0.4 + 0.8 * j / (side - 1));
  const std::string bodies =
      "bodies:\n"
      "  low: {type: rigid, shape: {type: box, size: [1, 1, 0.2]}, density: 1000, position: [0, 0, 0.1], velocity: "
      "[0.3, 0.1, 0]}\n"
      "  high: {type: rigid, shape: {type: box, size: [0.8, 0.8, 0.2]}, density: 3000, position: [0, 0, 0.3]}\n";
  return {"redundant", text_of(bodies, balls, 0.3, 0.002), 0.002, {0.01, 0.2}};
}

// Cables that fall crosswise onto a ball and each other.
Scene cables(int many) {
  std::string bodies = "bodies:\n";
  for (int k = 0; k < many; ++k) {
    const double across = 0.03 * (k / 2) - 0.015 * (many / 2 - 1), height = 0.26 + 0.03 * k;
    const std::string from = k % 2 == 0 ? fmt::format("[-0.6, {}, {}]", across, height)
                                        : fmt::format("[{}, -0.6, {}]", across, height),
                      to = k % 2 == 0 ? fmt::format("[0.6, {}, {}]", across, height)
                                      : fmt::format("[{}, 0.6, {}]", across, height);
    bodies += fmt::format(
        "  cable{}: {{element: cable, material: soft, section: rope, mesh: {{type: line, from: {}, to: {}, elements: "
        "16}}}}\n",
        k, from, to);
  }
  const std::string ball = "  ball: {shape: {type: sphere, radius: 0.2}}\n";
  return {"cables", text_of(bodies, floor_text.substr(0, 0) + ball, 0.3, 1e-3), 1e-3, {0.15, 0.25}};
}

// A net, held at its corners, that catches a ball.
Scene net(int cells) {
  const std::string bodies = fmt::format(
      "bodies:\n  net: {{element: cable, material: soft, section: rope, mesh: {{type: net, cells: [{0}, {0}], along: "
      "[{1}, 0, 0], across: [0, {1}, 0]}}}}\n"
      "  ball: {{type: rigid, shape: {{type: sphere, radius: 0.25}}, density: 300, position: [0.5, 0.5, 0.3], "
      "velocity: [0, 0, -2]}}\nconstraints: {{corners: {{type: fix, at: net.corners}}}}\n",
      cells, 1.0 / cells);
  return {"net", text_of(bodies, plane("floor", 0, 0, -5, "[0, 0, 1]"), 0.3, 1e-3), 1e-3, {0.03, 0.1}};
}

void take(const Scene& scene, std::vector<SavedProblem>& problems) {
  Reading reading;
  const System system = compile(read_model(parse_yaml(scene.model, scene.name), reading));
  const auto& options = std::get<DynamicAnalysis>(system.model.analysis[0]);
  Workspace work(system, 1);
  HalfStepStepper stepper(system, options, work);
  State state = system.initial_state();
  state.v = system.v0;
  stepper.start(state);
  int steps = 0;
  for (const double time : scene.times) {
    for (const int last = static_cast<int>(std::lround(time / scene.step)); steps < last; ++steps) {
      const StepReport report = stepper.step(scene.step, state);
      if (!report.ok()) throw RunError(fmt::format("scene '{}' at {:.4g} s: {}", scene.name, state.t, report.text()));
      ++state.memory.steps;
    }
    const ContactStep& contacts = *stepper.contacts();
    if (contacts.count() == 0) throw RunError(fmt::format("scene '{}' at {:.4g} s: nothing touches", scene.name, time));
    problems.push_back({fmt::format("{}, {:g} s", scene.name, time), contacts.problem(), contacts.guess()});
  }
}

}  // namespace

std::string settling_balls(int count, double step, double tolerance) {
  std::mt19937 random(3);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.0); };
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  const double spacing = 0.102, half = 0.5 * spacing * side;
  std::string bodies = "bodies:\n";
  for (int k = 0; k < count; ++k) {
    const int i = k % side, j = k / side % side, layer = k / side / side;
    bodies += fmt::format(
        "  b{}: {{type: rigid, shape: {{type: sphere, radius: {:.4f}}}, density: 1000, position: [{:.4f}, {:.4f}, "
        "{:.4f}]}}\n",
        k, uniform(0.045, 0.05), spacing * (i + 0.5) - half + uniform(-1e-3, 1e-3),
        spacing * (j + 0.5) - half + uniform(-1e-3, 1e-3), spacing * (layer + 0.5));
  }
  const std::string walls = floor_text + plane("left", -half, 0, 0, "[1, 0, 0]") +
                            plane("right", half, 0, 0, "[-1, 0, 0]") + plane("front", 0, -half, 0, "[0, 1, 0]") +
                            plane("back", 0, half, 0, "[0, -1, 0]");
  return fmt::format(
      "{}obstacles:\n{}contacts: {{touch: {{between: all, friction: 0.4}}}}\nloads: {{gravity: {{type: gravity}}}}\n"
      "analysis: {{type: dynamic, duration: 10, step: {}, integrator: half_step, contact: {{tolerance: {}}}}}\n",
      bodies, walls, step, tolerance);
}

std::vector<SavedProblem> problems_of_scenes(bool quick) {
  std::vector<Scene> scenes{bricks(quick ? 2 : 4),      pile(quick ? 2 : 10),  stack(quick ? 4 : 10, 1),
                            stack(quick ? 4 : 10, 1e6), arch(27, 0.125),       wedge(quick ? 2 : 6),
                            redundant(quick ? 3 : 7),   cables(quick ? 2 : 8), net(quick ? 4 : 12)};
  std::vector<SavedProblem> problems;
  for (Scene& scene : scenes) {
    if (quick) scene.times.resize(1);
    take(scene, problems);
  }
  return problems;
}

}  // namespace lithe::app
