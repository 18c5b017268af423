// Results of reduced bodies: what is held of them, what is rebuilt of it, in memory, in a file and in an expanded one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/io/load_model.h"
#include "lithe/io/make_base.h"
#include "lithe/io/results.h"
#include "lithe/io/run.h"
#include "lithe/io/series.h"
#include "lithe/io/xdmf.h"
#include "lithe/io/yaml.h"
#include "lithe/reduction/base_file.h"
#include "lithe/system/mapped_bodies.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

constexpr const char* bar = R"(
materials: {soft: {type: isotropic, E: 2e6, nu: 0.26, density: 7800, damping: 1e-4}}
bodies:
  bar: {element: hex8, material: soft, kinematics: KINEMATICS, BASE
        mesh: {type: block, corner: [-0.05, -0.05, -0.5], length: [0.1, 0, 0], width: [0, 0.1, 0], height: [0, 0, 1],
               elements: [1, 1, 4]}}
)";
constexpr const char* rest = R"(
  lump: {element: hex8, material: soft,
         mesh: {type: block, corner: [3, 0, 0], length: [0.2, 0, 0], width: [0, 0.2, 0], height: [0, 0, 0.2],
                elements: [1, 1, 1]}}
  twin: {element: hex8, material: soft, kinematics: KINEMATICS, BASE
         mesh: {type: block, corner: [0.05, 0.95, -0.5], length: [0, 0.1, 0], width: [-0.1, 0, 0], height: [0, 0, 1],
                elements: [1, 1, 4]}}
initial_velocities:
  spin: {on: bar, angular_velocity: [2, 0.5, 0], center: [0, 0, 0]}
  roll: {on: twin, angular_velocity: [0, 1, 3], center: [0, 1, 0]}
outputs: {top: {type: position, at: {body: bar, node: 0}}}
analysis: {type: dynamic, duration: 0.2, step: 0.01, ANALYSIS}
)";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

// Keeps the states of the rows themselves.
struct Witness final : Recorder {
  std::vector<State> states;
  void write(const OutputRow& row) override { states.push_back(row.state); }
  void checkpoint(const State&, const StagePlace&) override {}
  void finish(const std::string&) override {}
};

class ReducedResults : public ::testing::Test {
 protected:
  ReducedResults() {
    folder_ = fs::temp_directory_path() / ("lithe_reduced_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    const std::string alone = replaced(replaced(bar, "KINEMATICS", "BC"), "BASE", "");
    Base modes = modal_base(read(alone + "analysis: {type: dynamic, duration: 1, step: 0.1}"), "bar",
                            read_mode_numbers("1-9,14-16"), "test");
    write_base(path("modal.h5"), modes);
    orthonormalise(modes.vectors, static_cast<int>(modes.mesh.size()));
    modes.method = "pod";
    write_base(path("pod.h5"), modes);
  }
  ~ReducedResults() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static Model read(const std::string& text) {
    Reading reading;
    return read_model(parse_yaml(text, "test"), reading);
  }
  std::string model_yaml(const std::string& analysis = "", bool modal = true) const {
    std::string text = replaced(std::string(bar) + rest, "KINEMATICS", modal ? "BC-MODAL" : "BC-RO");
    text = replaced(text, "BASE", "base: " + path(modal ? "modal.h5" : "pod.h5") + ",");
    return replaced(text, "ANALYSIS", analysis);
  }

  // Into memory, into out.h5, and the states themselves.
  void run(const std::string& analysis = "", bool modal = true) {
    yaml_ = model_yaml(analysis, modal);
    system_ = std::make_unique<System>(compile(read(yaml_)));
    Workspace work(*system_, 1);
    State state = system_->initial_state();
    memory_ = std::make_unique<Recording>(*system_, yaml_);
    ResultWriter writer(path("out.h5"), *system_, yaml_);
    const auto go_on = [](const State&, const RecordedStep&) { return true; };
    ASSERT_TRUE(run_analysis(*system_, state, work, {memory_.get(), &writer, &witness_}, go_on).ok);
    memory_->finish("{}");
    EXPECT_EQ(writer.reduced_bodies(), 2);
    writer.finish("{}");
    file_ = std::make_unique<ResultFile>(path("out.h5"));
  }

  std::size_t first(const std::string& body) const {
    for (const BodyInfo& info : system_->bodies)
      if (info.name == body) return 3ul * info.first_vector;
    return 0;
  }
  // Largest distance of a field's numbers from those of the states.
  double distance(const std::string& body, const std::vector<double>& values, std::vector<double> State::*field) const {
    const std::size_t width = values.size() / witness_.states.size(), from = first(body);
    double most = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      most = std::fmax(most, std::fabs(values[k] - (witness_.states[k / width].*field)[from + k % width]));
    return most;
  }
  std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(path(name)).rdbuf();
    return all.str();
  }

  fs::path folder_;
  std::string yaml_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Recording> memory_;
  std::unique_ptr<ResultFile> file_;
  Witness witness_;
};

TEST_F(ReducedResults, HoldModesAndOneBaseInPlaceOfFields) {
  run();
  const ResultInfo& info = file_->info();
  ASSERT_EQ(info.bases.size(), 1u);
  EXPECT_EQ(info.bases[0].count(), 12);
  EXPECT_EQ(info.bases[0].method, "modal");
  for (const ResultBody& body : info.bodies) EXPECT_EQ(body.modes, body.name == "lump" ? 0 : 12);
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(file_->read("fields/coordinates").shape, (Sizes{21, 8, 3}));  // of the lump
  EXPECT_EQ(file_->read("fields/von_mises").shape, (Sizes{21, 8}));
  EXPECT_EQ(file_->read("fields/reduced_coordinates").shape, (Sizes{21, 24}));
  EXPECT_EQ(file_->read("bodies/twin/reduced_rates").shape, (Sizes{21, 12}));
  EXPECT_EQ(file_->read("bodies/twin/rotation").shape, (Sizes{21, 3, 3}));
  EXPECT_EQ(file_->read("bodies/twin/coordinates").shape, (Sizes{21, 20, 1, 3}));
  EXPECT_EQ(file_->read_last("bodies/twin/position").shape, (Sizes{1, 20, 3}));
  EXPECT_THROW((void)file_->read("bodies/lump/reduced_rates"), InputError);
  EXPECT_THROW((void)file_->read("bodies/twin/nothing"), InputError);
  // Memory and file hold and make the same bits.
  for (const std::string body : {"bar", "twin", "lump"})
    for (const std::string field : {"coordinates", "velocities", "von_mises"})
      EXPECT_EQ(*file_->read("bodies/" + body + "/" + field).values,
                *memory_->read("bodies/" + body + "/" + field).values)
          << body << ", " << field;
}

TEST_F(ReducedResults, RebuildWhatTheSpanOfTheModesHolds) {
  for (const bool modal : {true, false}) {
    witness_.states.clear();
    run("", modal);
    for (std::size_t b = 0; b < system_->bodies.size(); ++b) {
      const ReducedMap* map = reduced_map(*system_, b);
      if (!map) continue;
      const std::string name = system_->bodies[b].name, here = "bodies/" + name + "/";
      const Shape& shape = map->shape();
      const std::vector<double> q = *file_->read(here + "coordinates").values;
      // P2 eq. 58 by itself.
      double off = 0;
      for (std::size_t row = 0; row < witness_.states.size(); ++row) {
        const State& state = witness_.states[row];
        const Mat3<double> R = map->rotation(state.slots);
        std::vector<double> x(map->size()), d(shape.size(), 0.0);
        map->coordinates(&state.q[first(name)], R, x.data());
        for (int k = 0; k < map->size(); ++k)
          for (int i = 0; i < shape.size(); ++i)
            d[i] += x[k] * shape.base.vectors[static_cast<std::size_t>(shape.size()) * k + i];
        for (int i = 0; i < shape.size(); ++i) d[i] += shape.Z[i / 3][i % 3];
        shape.turn(R, d.data(), d.data());
        for (int i = 0; i < shape.size(); ++i)
          off = std::fmax(off, std::fabs(d[i] - q[static_cast<std::size_t>(shape.size()) * row + i]));
      }
      EXPECT_LT(off, 1e-13) << name;
      // What it loses of the coordinates, in m of a bar of 1 m; rates lie in the span.
      EXPECT_LT(distance(name, q, &State::q), 2e-3) << name;
      EXPECT_LT(distance(name, *file_->read(here + "velocities").values, &State::v), 1e-12) << name;
    }
    EXPECT_EQ(distance("lump", *file_->read("bodies/lump/coordinates").values, &State::q), 0);
  }
}

TEST_F(ReducedResults, StressIsThatOfTheRebuiltFields) {
  run();
  for (const std::string name : {"bar", "twin"}) {
    const std::vector<double> q = *file_->read("bodies/" + name + "/coordinates").values,
                              v = *file_->read("bodies/" + name + "/velocities").values,
                              stress = *file_->read("bodies/" + name + "/von_mises").values;
    // Total Lagrangian, at the fields as they were read.
    const System alone = compile(body_alone(system_->model, name));
    State state = alone.initial_state();
    const std::size_t n = state.q.size();
    const double largest = std::ranges::max(stress);
    for (std::size_t row = 0; row < witness_.states.size(); ++row) {
      state.t = witness_.states[row].t;
      std::copy_n(&q[n * row], n, state.q.begin());
      std::copy_n(&v[n * row], n, state.v.begin());
      const auto expected = nodal_von_mises(alone, state, 0);
      const auto in_step = nodal_von_mises(*system_, witness_.states[row], name == "bar" ? 0 : 2);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        const double here = stress[expected.size() * row + k];
        EXPECT_NEAR(here, expected[k], 1e-10 * largest);
        // Fields have the rotation of the slots, found before the rates were turned into the span of the modes;
        // channels that of the coordinates after it.
        EXPECT_NEAR(here, in_step[k], 1e-3 * largest);
      }
    }
    EXPECT_GT(largest, 100);
  }
}

TEST_F(ReducedResults, RowsBetweenTheEndsOfStepsHaveRotationsOfTheirOwn) {
  run("output_step: 0.004");
  for (const std::string name : {"bar", "twin"}) {
    const std::vector<double> R = *file_->read("bodies/" + name + "/rotation").values;
    for (std::size_t row = 0; 9 * row < R.size(); ++row)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          double product = 0;
          for (int m = 0; m < 3; ++m) product += R[9 * row + 3 * m + a] * R[9 * row + 3 * m + b];
          EXPECT_NEAR(product, a == b, 1e-13) << name << ", row " << row;
        }
    EXPECT_LT(distance(name, *file_->read("bodies/" + name + "/coordinates").values, &State::q), 2e-3);
    EXPECT_LT(distance(name, *file_->read("bodies/" + name + "/velocities").values, &State::v), 2e-2);
  }
}

TEST_F(ReducedResults, FieldsThatWereNotAskedForAreNotRebuilt) {
  run("fields: [stress], fields_every: 4");
  EXPECT_FALSE(file_->info().position);
  EXPECT_EQ(file_->read("bodies/bar/von_mises").shape, (std::vector<std::size_t>{6, 20}));
  for (const ResultSource* source :
       {static_cast<ResultSource*>(file_.get()), static_cast<ResultSource*>(memory_.get())}) {
    EXPECT_THROW((void)source->read("bodies/bar/coordinates"), InputError);
    EXPECT_THROW((void)source->read("bodies/bar/velocities"), InputError);
  }
  run("fields: []");
  EXPECT_THROW((void)file_->read("bodies/bar/von_mises"), InputError);
  EXPECT_THROW((void)file_->read("bodies/bar/reduced_rates"), InputError);
}

TEST_F(ReducedResults, ExpandedTheyHoldTheSameInFull) {
  for (const std::string analysis : {"", "fields_every: 3"}) {
    run(analysis);
    EXPECT_EQ(text("out.xdmf").find("Name=\"bar\""), std::string::npos);
    EXPECT_NE(text("out.xdmf").find("lithe expand out.h5"), std::string::npos);
    expand_results(path("out.h5"), path("full.h5"), false);
    const ResultFile full(path("full.h5"));
    const ResultInfo &info = full.info(), &before = file_->info();
    EXPECT_TRUE(info.complete && info.bases.empty());
    EXPECT_EQ(info.steps, before.steps);
    EXPECT_EQ(info.field_rows, before.field_rows);
    EXPECT_EQ(info.model_yaml, before.model_yaml);
    for (const std::string name : {"time", "step_size", "residual", "channels/top"})
      EXPECT_EQ(*full.read(name).values, *file_->read(name).values) << name;
    for (const std::string body : {"bar", "twin", "lump"})
      for (const std::string field : {"coordinates", "velocities", "position", "displacement", "von_mises"})
        EXPECT_EQ(*full.read("bodies/" + body + "/" + field).values,
                  *file_->read("bodies/" + body + "/" + field).values)
            << body << ", " << field;
    EXPECT_NE(text("full.xdmf").find("Name=\"bar\""), std::string::npos);
    EXPECT_EQ(text("full.xdmf").find("lithe expand"), std::string::npos);
    EXPECT_NE(
        describe_results(path("out.h5")).find("body 'bar': hex8, 4 elements, 20 nodes, reduced to 12 modes (modal)"),
        std::string::npos);
    EXPECT_THROW(expand_results(path("full.h5"), path("more.h5"), false), InputError);
    EXPECT_FALSE(fs::exists(path("more.h5")));
    EXPECT_THROW(expand_results(path("out.h5"), path("out.h5"), true), InputError);
    fs::remove(path("full.h5"));
    witness_.states.clear();
  }
}

// A run that was killed leaves rows up to its last flush: these expand.
TEST_F(ReducedResults, OfARunThatWasNotCompleteTheRowsAreExpanded) {
  run();
  Workspace work(*system_, 1);
  NodalStress stress(*system_);
  {
    ResultWriter writer(path("part.h5"), *system_, yaml_);
    for (int i = 0; i < 5; ++i) {
      const State& state = witness_.states[static_cast<std::size_t>(i)];
      evaluate_internal(*system_, state, work);
      evaluate_external(*system_, state, work);
      const RecordedStep step{.step = i};
      writer.write(OutputRow(*system_, state, step, work, stress));
    }
    writer.abandon();
  }
  expand_results(path("part.h5"), path("full.h5"), false);
  const ResultFile full(path("full.h5"));
  EXPECT_FALSE(full.info().complete);
  ASSERT_EQ(full.info().steps, 5);
  const std::vector<double> whole = *file_->read_rows("bodies/twin/coordinates", {0, 5}).values;
  EXPECT_EQ(*full.read("bodies/twin/coordinates").values, whole);
}

}  // namespace
}  // namespace lithe
