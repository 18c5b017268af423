// Runs in stages with several recorders: each sees every row, and what costs something is evaluated once for all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "lithe/io/load_model.h"
#include "lithe/io/memory_plan.h"
#include "lithe/io/results.h"
#include "lithe/io/run.h"
#include "lithe/io/runner.h"
#include "lithe/io/yaml.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

constexpr const char* yaml = R"(
name: two stages
materials:
  rubber: {E: 1e7, nu: 0.3, density: 1100, damping: 1e-3}
sections:
  flat: {type: rectangle, width: 0.02, thickness: 0.02}
  sheet: {type: plate, thickness: 0.01}
bodies:
  rod: {element: beam3243, material: rubber, section: flat,
        mesh: {type: line, from: [0, 0, 0], to: [1, 0, 0], elements: 3}}
  sheet: {element: shell3443, material: rubber, section: sheet,
          mesh: {type: plate, corner: [0, 1, 0], length: [0.5, 0, 0], width: [0, 0.5, 0], elements: [3, 2]}}
constraints:
  root: {type: clamp, at: rod.start}
  edge: {type: clamp, at: sheet.x_min}
loads:
  gravity: {type: gravity}
outputs:
  tip: {type: position, at: rod.end}
analysis:
  - {type: static, name: sag, duration: 0}
  - {type: dynamic, name: swing, duration: 0.02, step: 0.001, fields_every: 3}
)";

Model model() {
  Reading reading;
  return read_model(parse_yaml(yaml, "test"), reading);
}

// Takes the rows as a live view would: nothing is kept but what it looks at.
class Watcher final : public Recorder {
 public:
  void write(const OutputRow& row) override {
    tips.insert(tips.end(), row.channels().begin(), row.channels().end());
    if (row.fields) stresses.push_back(row.von_mises(1));
    stages.push_back(row.step.stage);
    last = &row.channels();
  }
  void checkpoint(const State&, const StagePlace&) override {}
  void finish(const std::string& report) override { told = report; }
  std::vector<double> tips;
  std::vector<std::vector<double>> stresses;
  std::vector<int> stages;
  const std::vector<double>* last = nullptr;
  std::string told;
};

TEST(Stages, RecordersSeeTheSameRows) {
  const fs::path folder = fs::temp_directory_path() / ("lithe_stages_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "out.h5").string();
  const System system = compile(model());
  State state = system.initial_state();
  Workspace work(system, 2);
  Recording memory(system, yaml);
  Watcher first, second;
  std::vector<Extreme> extremes;
  {
    ResultWriter file(path, system, yaml);
    const RecorderList recorders{&first, &file, &memory, &second};
    const RunReport report =
        run_analysis(system, state, work, recorders, [](const State&, const RecordedStep&) { return true; });
    EXPECT_TRUE(report.ok) << report.message;
    ASSERT_EQ(report.stages.size(), 2u);
    extremes = report.extremes;
    EXPECT_EQ(report.stages[1].steps, 20);
    for (Recorder* recorder : recorders) recorder->finish("{}");
  }
  const ResultFile file(path);
  ASSERT_EQ(file.info().steps, memory.info().steps);
  EXPECT_EQ(file.info().field_rows, memory.info().field_rows);
  EXPECT_LT(file.info().field_rows, file.info().steps);
  for (const char* name :
       {"time", "stage", "load_factor", "step_size", "iterations", "residual", "channels/tip", "field_rows",
        "bodies/rod/coordinates", "bodies/rod/velocities", "bodies/rod/von_mises", "bodies/sheet/von_mises"}) {
    EXPECT_EQ(file.read(name).shape, memory.read(name).shape) << name;
    EXPECT_EQ(*file.read(name).values, *memory.read(name).values) << name;
  }
  EXPECT_EQ(first.tips, *memory.read("channels/tip").values);
  // The extremes are those of the rows.
  const std::vector<double>& time = *memory.read("time").values;
  const std::size_t columns = first.tips.size() / time.size();
  ASSERT_EQ(extremes.size(), columns);
  for (std::size_t k = 0; k < columns; ++k) {
    Extreme wanted{first.tips[k], time[0], first.tips[k], time[0]};
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double x = first.tips[i * columns + k];
      if (x > wanted.max) wanted = {x, time[i], wanted.min, wanted.min_time};
      if (x < wanted.min) wanted = {wanted.max, wanted.max_time, x, time[i]};
    }
    EXPECT_EQ(extremes[k].max, wanted.max);
    EXPECT_EQ(extremes[k].max_time, wanted.max_time);
    EXPECT_EQ(extremes[k].min, wanted.min);
    EXPECT_EQ(extremes[k].min_time, wanted.min_time);
    if (k == 2) {
      EXPECT_LT(wanted.min, wanted.max);
    }
  }
  EXPECT_EQ(first.tips, second.tips);
  EXPECT_EQ(first.last, second.last) << "evaluated once";
  std::vector<double> stresses;
  for (const auto& row : second.stresses) stresses.insert(stresses.end(), row.begin(), row.end());
  EXPECT_EQ(stresses, *memory.read("bodies/sheet/von_mises").values);
  EXPECT_EQ(first.told, "{}");
  for (const ResultSource* source :
       {static_cast<const ResultSource*>(&file), static_cast<const ResultSource*>(&memory)}) {
    ASSERT_EQ(source->info().stages.size(), 2u);
    EXPECT_EQ(source->info().stages[1].name, "swing");
    EXPECT_EQ(source->info().stages[1].first_row, source->info().stages[0].rows);
    EXPECT_EQ(source->info().stages[1].rows, 21);
  }
  fs::remove_all(folder);
}

// Where fields are thinned the plan counts those that are recorded.
TEST(Stages, MemoryPlanIsWhatResultsTake) {
  for (const char* thinned : {"fields_every: 3", "fields_every: 1", "fields_every: 50", "fields_step: 0.004"}) {
    std::string text = yaml;
    text.replace(text.find("fields_every: 3"), 15, thinned);
    text.replace(text.find("{type: gravity}"), 15, "{type: gravity, acceleration: [0, 0, -0.01]}");  // one load step
    Reading reading;
    const System system = compile(read_model(parse_yaml(text, "test"), reading));
    State state = system.initial_state();
    Workspace work(system, 1);
    Recording memory(system, text);
    const RunReport report =
        run_analysis(system, state, work, {&memory}, [](const State&, const RecordedStep&) { return true; });
    ASSERT_TRUE(report.ok) << report.message;
    std::vector<std::string> names{"time",       "stage",    "load_factor", "step_size",
                                   "iterations", "residual", "channels/tip"};
    for (const std::string body : {"rod", "sheet"})
      for (const char* field : {"coordinates", "velocities", "von_mises"})
        names.push_back("bodies/" + body + "/" + field);
    double bytes = 0;
    for (const std::string& name : names) bytes += 8.0 * static_cast<double>(memory.read(name).values->size());
    const double planned = plan_memory(system, true).results;
    EXPECT_GE(planned, bytes) << thinned;
    EXPECT_LE(planned, 1.4 * bytes) << thinned;
  }
}

TEST(Stages, NodalStressIsThatOfItsPoints) {
  const System system = compile(model());
  State state = system.initial_state();
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    state.q[i] += 1e-3 * std::sin(1.0 + static_cast<double>(i));
    state.v[i] = 0.1 * std::cos(2.0 + static_cast<double>(i));
  }
  NodalStress stress(system);
  for (int b = 0; b < 2; ++b) {
    const BodyInfo& body = system.bodies[b];
    const ElementInfo& info = element_info(body.kind);
    std::vector<double> expected(body.mesh.node_count(), 0.0);
    for (int e = 0; e < body.elements(); ++e)
      for (int n = 0; n < info.nodes; ++n)
        for (const double eta : {-1.0, 1.0})
          for (const double zeta : {-1.0, 1.0}) {
            const auto corner = element_corner(body.kind, n);
            double& largest = expected[body.mesh.elements[static_cast<std::size_t>(e) * info.nodes + n]];
            largest = std::max(
                largest,
                stress_at(system, state, b, {e, {corner[0], info.dimension == 1 ? eta : corner[1], zeta}}).von_mises);
          }
    for (const int threads : {1, 2, 3}) {
      Team team(threads);
      EXPECT_EQ(stress.von_mises(b, state, team), expected) << body.name << " on " << threads << " threads";
    }
  }
}

TEST(Stages, OneClock) {
  const Stages stages = model().analysis;
  EXPECT_EQ(begin_of(stages, 1), 0);
  EXPECT_EQ(end_of(stages), 0.02);
  EXPECT_EQ(first_dynamic(stages), 1u);
  EXPECT_EQ(stage_text(stages, 1), "stage 'swing' (2 of 2)");
  EXPECT_EQ(make_runner(stages[1])->rows(), 21);
  Stages one = DynamicAnalysis{};
  EXPECT_EQ(stage_name(one, 0), "stage1");
  EXPECT_EQ(one.size(), 1u);
}

}  // namespace
}  // namespace lithe
