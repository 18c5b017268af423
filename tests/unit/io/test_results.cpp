// Results: what is written is read back, from a file, from a file that is still open, and from memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lithe/io/load_model.h"
#include "lithe/io/replace_file.h"
#include "lithe/io/results.h"
#include "lithe/io/xdmf.h"
#include "lithe/io/yaml.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

constexpr const char* yaml = R"(
name: four kinds
materials:
  steel: {type: isotropic, E: 2.1e11, nu: 0.3, density: 7850}
sections:
  flat: {type: rectangle, width: 0.1, thickness: 0.05}
  round: {type: circle, radius: 0.01}
  sheet: {type: plate, thickness: 0.02}
bodies:
  beam: {element: beam3243, material: steel, section: flat,
         mesh: {type: line, from: [0, 0, 0], to: [2, 0, 0], elements: 3}}
  wire: {element: cable, material: steel, section: round,
         mesh: {type: line, from: [0, 1, 0], to: [1, 1, 0], elements: 2}}
  sheet: {element: shell3443, material: steel, section: sheet,
          mesh: {type: plate, corner: [0, 2, 0], length: [1, 0, 0], width: [0, 1, 0], elements: [2, 1]}}
  block: {element: hexa3843, material: steel,
          mesh: {type: block, corner: [0, 4, 0], length: [1, 0, 0], width: [0, 1, 0], height: [0, 0, 1],
                 elements: [1, 1, 2]}}
outputs:
  tip: {type: displacement, at: beam.end}
  corner: {type: position, at: {body: block, node: 0}}
)";

class Results : public ::testing::Test {
 protected:
  Results() : system_(compile(model())), work_(system_, 1), stress_(system_) {
    folder_ = fs::temp_directory_path() / ("lithe_results_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    evaluate_internal(system_, system_.initial_state(), work_);
    evaluate_external(system_, system_.initial_state(), work_);
  }
  ~Results() override { fs::remove_all(folder_); }

  static Model model() {
    Reading reading;
    return read_model(parse_yaml(yaml, "test"), reading);
  }
  std::string path(const std::string& name = "out.h5") const { return (folder_ / name).string(); }

  // A state that differs at every step and coordinate.
  State state(int step) const {
    State s = system_.initial_state();
    s.t = 0.25 * step;
    s.load_factor = 0.125 * step;
    for (std::size_t i = 0; i < s.q.size(); ++i) s.q[i] += 1e-5 * step * std::sin(1.0 + static_cast<double>(i));
    return s;
  }
  static RecordedStep step(int i) {
    RecordedStep s;
    s.step = i;
    s.iterations = 3 * i;
    s.residual = 1e-10 * i;
    return s;
  }
  template <class Recorder>
  void write(Recorder& recorder, int steps) {
    for (int i = 0; i < steps; ++i) {
      const State s = state(i);
      const RecordedStep recorded = step(i);
      recorder.write(OutputRow(system_, s, recorded, work_, stress_));
    }
  }

  // Everything of `steps` steps is in the source.
  void expect_all(const ResultSource& source, int steps, bool file) {
    const ResultInfo& info = source.info();
    ASSERT_EQ(info.steps, steps);
    EXPECT_EQ(info.name, "four kinds");
    ASSERT_EQ(info.bodies.size(), 4u);
    const auto time = source.read("time"), load = source.read("load_factor"), tip = source.read("channels/tip"),
               iterations = source.read("iterations");
    ASSERT_EQ(time.shape, std::vector<std::size_t>{static_cast<std::size_t>(steps)});
    EXPECT_EQ(tip.shape, (std::vector<std::size_t>{static_cast<std::size_t>(steps), 3}));
    for (std::size_t b = 0; b < info.bodies.size(); ++b) {
      const ResultBody& body = info.bodies[b];
      const BodyInfo& expected = system_.bodies[b];
      EXPECT_EQ(body.name, expected.name);
      EXPECT_EQ(body.element, element_info(expected.kind).name);
      EXPECT_EQ(body.connectivity, expected.mesh.elements);
      EXPECT_EQ(body.size, expected.mesh.size);
      const std::size_t row = body.reference.size(), offset = 3 * static_cast<std::size_t>(expected.first_vector);
      const auto coordinates = *source.read("bodies/" + body.name + "/coordinates").values;
      ASSERT_EQ(coordinates.size(), row * static_cast<std::size_t>(steps));
      for (int i = 0; i < steps; ++i) {
        const State s = state(i);
        for (std::size_t k = 0; k < row; ++k)
          ASSERT_EQ(coordinates[static_cast<std::size_t>(i) * row + k], s.q[offset + k]) << body.name << " step " << i;
      }
      if (body.element == "cable") {
        EXPECT_THROW((void)source.read("bodies/" + body.name + "/von_mises"), InputError);
      } else {
        for (int i = 0; i < steps; ++i) {
          const auto stress = nodal_von_mises(system_, state(i), static_cast<int>(b));
          const auto read = *source.read("bodies/" + body.name + "/von_mises").values;
          for (std::size_t k = 0; k < stress.size(); ++k)
            ASSERT_EQ(read[static_cast<std::size_t>(i) * stress.size() + k], stress[k]);
        }
      }
      if (file) {
        const auto position = *source.read("bodies/" + body.name + "/position").values;
        const auto displacement = *source.read("bodies/" + body.name + "/displacement").values;
        const std::size_t vectors = static_cast<std::size_t>(body.vectors);
        for (std::size_t k = 0; k < position.size(); ++k) {
          const std::size_t node = k / 3 % static_cast<std::size_t>(body.nodes), from = node * vectors * 3 + k % 3;
          const std::size_t i = k / (3 * static_cast<std::size_t>(body.nodes));
          ASSERT_EQ(position[k], coordinates[i * row + from]);
          ASSERT_EQ(displacement[k], position[k] - body.reference[from]);
        }
      }
    }
    for (int i = 0; i < steps; ++i) {
      EXPECT_EQ((*time.values)[static_cast<std::size_t>(i)], 0.25 * i);
      EXPECT_EQ((*load.values)[static_cast<std::size_t>(i)], 0.125 * i);
      EXPECT_EQ((*iterations.values)[static_cast<std::size_t>(i)], 3 * i);
      const auto values = channel_values(system_, state(i), work_);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ((*tip.values)[3 * static_cast<std::size_t>(i) + k], values[k]);
    }
  }

  fs::path folder_;
  System system_;
  Workspace work_;
  NodalStress stress_;
};

TEST_F(Results, RoundTripThroughAFile) {
  {
    ResultWriter writer(path(), system_, yaml);
    write(writer, 5);
    writer.finish(R"({"reason": "done", "message": ""})");
    EXPECT_EQ(writer.path(), path());
    EXPECT_EQ(writer.companion(), path("out.xdmf"));
  }
  const ResultFile file(path());
  expect_all(file, 5, true);
  EXPECT_TRUE(file.info().complete);
  EXPECT_EQ(file.info().model_yaml, yaml);
  EXPECT_EQ(file.info().report_json, R"({"reason": "done", "message": ""})");
  ASSERT_EQ(file.info().channels.size(), 2u);
  EXPECT_EQ(file.info().channels[0].columns, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(file.info().channels[0].units, (std::vector<std::string>{"m", "m", "m"}));
  EXPECT_THROW((void)file.read("bodies/nobody/coordinates"), InputError);
  EXPECT_THROW((void)file.read("nothing"), InputError);
}

TEST_F(Results, RoundTripThroughMemory) {
  Recording recording(system_, yaml);
  write(recording, 4);
  recording.finish("{}");
  expect_all(recording, 4, false);
  EXPECT_EQ(recording.read("time").values.get(), recording.read("time").values.get()) << "arrays are shared";
}

TEST_F(Results, ReadableWhileBeingWritten) {
  ResultWriter writer(path(), system_, yaml);
  {
    const ResultFile none(path());
    EXPECT_EQ(none.info().steps, 0);
  }
  write(writer, 3);
  EXPECT_GE(ResultFile(path()).info().steps, 1) << "the first step is there at once";
  writer.flush();
  const ResultFile file(path());
  expect_all(file, 3, true);
  EXPECT_FALSE(file.info().complete);
  EXPECT_TRUE(file.info().report_json.empty());
}

TEST_F(Results, SurviveAnUnfinishedWriter) {
  {
    ResultWriter writer(path(), system_, yaml);
    write(writer, 2);
  }
  const ResultFile file(path());
  expect_all(file, 2, true);
  EXPECT_FALSE(file.info().complete);
  EXPECT_NE(describe_results(path()).find("not complete"), std::string::npos);
}

TEST_F(Results, ManySteps) {
  const int steps = 600;  // more than a chunk of any dataset
  ResultWriter writer(path(), system_, yaml);
  write(writer, steps);
  writer.finish("{}");
  const ResultFile file(path());
  EXPECT_EQ(file.info().steps, steps);
  EXPECT_EQ(file.read("time").values->back(), 0.25 * (steps - 1));
  for (const ResultBody& body : file.info().bodies) {
    const ResultArray coordinates = file.read("bodies/" + body.name + "/coordinates");
    for (const double x : *coordinates.values) ASSERT_TRUE(std::isfinite(x));
  }
}

TEST_F(Results, Description) {
  ResultWriter writer(path(), system_, yaml);
  write(writer, 3);
  writer.finish(R"({"reason": "step_too_small", "message": "the beam buckles"})");
  const std::string text = describe_results(path());
  for (const char* part : {"four kinds", "3 steps", "time 0 to 0.5 s", "step_too_small: the beam buckles",
                           "body 'wire': cable, 2 elements, 3 nodes", "channel 'tip'"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST_F(Results, UnwritablePlaces) {
  std::ofstream(path("file")) << "not a folder";
  try {
    ResultWriter writer(path("file/out.h5"), system_, yaml);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find(path("file/out.h5")), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("irectory"), std::string::npos) << error.what();
  }
  EXPECT_THROW(ResultWriter(folder_.string(), system_, yaml), InputError);
}

TEST_F(Results, FilesThatAreNoResults) {
  EXPECT_THROW(ResultFile(path("missing.h5")), InputError);
  std::ofstream(path("text.h5")) << "hello";
  EXPECT_THROW(ResultFile(path("text.h5")), InputError);
  std::ofstream(path("empty.h5")).close();
  EXPECT_THROW(ResultFile(path("empty.h5")), InputError);
  {
    ResultWriter writer(path(), system_, yaml);
    write(writer, 3);
    writer.finish("{}");
  }
  fs::resize_file(path(), fs::file_size(path()) / 2);
  EXPECT_THROW(ResultFile{path()}, InputError);
}

TEST_F(Results, NamesThatHdf5CannotHold) {
  System system = compile(model());
  system.bodies[0].name = "a/b";
  EXPECT_THROW(ResultWriter(path(), system, yaml), InputError);
}

TEST_F(Results, CompanionFollowsTheSteps) {
  auto text = [&] {
    std::stringstream out;
    out << std::ifstream(path("out.xdmf")).rdbuf();
    return out.str();
  };
  ResultWriter writer(path(), system_, yaml);
  EXPECT_NE(text().find("</Xdmf>"), std::string::npos);
  write(writer, 2);
  writer.finish("{}");
  EXPECT_NE(text().find("<Time Value=\"0.25\"/>"), std::string::npos);
  const auto grid = [&](const std::string& body) {  // the first one's text
    const std::size_t start = text().find("<Grid Name=\"" + body + "\" GridType=\"Uniform\">");
    return text().substr(start, text().find("</Grid>", start) - start);
  };
  EXPECT_NE(grid("sheet").find("out.h5:/fields/von_mises"), std::string::npos);
  EXPECT_NE(grid("wire").find("out.h5:/fields/displacement"), std::string::npos);
  EXPECT_EQ(grid("wire").find("out.h5:/fields/von_mises"), std::string::npos);
  EXPECT_FALSE(fs::exists(draft_path(path("out.xdmf"))));
  EXPECT_FALSE(fs::exists(draft_path(path())));
}

TEST_F(Results, TimesThatDoNotIncreaseBecomeSteps) {
  ResultInfo info;
  info.path = "a.h5";
  info.bodies.push_back({"a<b", "beam3243", 2, 4, 2, {0, 1}, {1, 1, 1}, {}});
  const std::string text = xdmf_text(info, {0, 0.5, 0.25});
  EXPECT_NE(text.find("<Time Value=\"2\"/>"), std::string::npos);
  EXPECT_EQ(text.find("<Time Value=\"0.5\"/>"), std::string::npos);
  EXPECT_NE(text.find("a&lt;b"), std::string::npos);
}

}  // namespace
}  // namespace lithe
