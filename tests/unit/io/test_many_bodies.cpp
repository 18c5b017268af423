// Results of very many bodies: what a file takes grows with its numbers, not with the objects that HDF5 keeps track of.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "lithe/base/hdf5.h"
#include "lithe/io/load_model.h"
#include "lithe/io/results.h"
#include "lithe/io/xdmf.h"
#include "lithe/io/yaml.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

// Boxes and stones by turns, and a beam at the end.
System crowd(int bodies) {
  std::ostringstream text;
  text << "materials: {steel: {type: isotropic, E: 2.1e11, nu: 0.3, density: 7850}}\n"
          "sections: {flat: {type: rectangle, width: 0.1, thickness: 0.05}}\n"
          "loads: {gravity: {type: gravity}}\nanalysis: {type: dynamic, duration: 1, step: 0.1}\nbodies:\n";
  for (int i = 1; i < bodies; ++i) {
    text << "  part" << i << ": {type: " << (i % 2 ? "rigid, inertia: [1, 1, 1]" : "point_mass")
         << ", mass: 1, position: [" << i << ", 0, 0]}\n";
  }
  text << "  beam: {element: beam3243, material: steel, section: flat,\n"
          "         mesh: {type: line, from: [0, 1, 0], to: [2, 1, 0], elements: 3}}\n";
  Reading reading;
  return compile(read_model(parse_yaml(text.str(), "test"), reading));
}

class ManyBodies : public ::testing::Test {
 protected:
  ManyBodies() {
    folder_ = fs::temp_directory_path() / ("lithe_many_" + std::to_string(::getpid()) + "_" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  ~ManyBodies() override { fs::remove_all(folder_); }
  std::string path() const { return (folder_ / "out.h5").string(); }

  static State state(const System& system, int step) {
    State state = system.initial_state();
    state.t = 0.1 * step;
    for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] += 1e-4 * step * static_cast<double>(i % 97);
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = static_cast<double>(step) + static_cast<double>(i);
    return state;
  }
  static void write(const System& system, Recorder& recorder, int steps) {
    Workspace work(system, 1);
    NodalStress stress(system);
    evaluate_internal(system, system.initial_state(), work);
    evaluate_external(system, system.initial_state(), work);
    for (int i = 0; i < steps; ++i) {
      const State reached = state(system, i);
      const RecordedStep step{.step = i};
      recorder.write(OutputRow(system, reached, step, work, stress));
    }
    recorder.finish("{}");
  }
  void write_file(const System& system, int steps) {
    ResultWriter writer(path(), system, "");
    write(system, writer, steps);
  }
  // Groups, datasets and types in the file.
  std::size_t objects() const {
    const hdf5::Quiet quiet;
    const hdf5::Handle file = hdf5::open_to_read(path());
    std::size_t count = 0;
    const auto visit = [](hid_t, const char*, const H5O_info_t*, void* data) -> herr_t {
      ++*static_cast<std::size_t*>(data);
      return 0;
    };
    hdf5::check(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &count));
    return count;
  }
  std::string companion() const {
    std::ifstream file(folder_ / "out.xdmf");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

TEST_F(ManyBodies, FilesHaveAsManyObjectsAsThoseOfFewBodies) {
  write_file(crowd(200), 2);
  const std::size_t objects_of_few = objects(), bytes_of_few = fs::file_size(path()),
                    companion_of_few = companion().size();
  EXPECT_GT(objects_of_few, 10u);
  write_file(crowd(2000), 2);
  EXPECT_EQ(objects(), objects_of_few);
  EXPECT_LT(fs::file_size(path()), 10 * bytes_of_few);
  EXPECT_LT(companion().size(), companion_of_few + 500) << "grids of kinds, not of bodies";
}

// Bodies of one kind lie side by side in the file; each is read back as its own, in the order of the model.
TEST_F(ManyBodies, EachIsReadAsItsOwn) {
  for (const int bodies : {7, 1500}) {
    const System system = crowd(bodies);
    write_file(system, 3);
    Recording memory(system, "");
    write(system, memory, 3);
    const ResultFile file(path());
    ASSERT_EQ(file.info().bodies.size(), static_cast<std::size_t>(bodies));
    for (std::size_t b = 0; b < file.info().bodies.size(); b += b < 10 ? 1 : 37) {
      const ResultBody &read = file.info().bodies[b], &expected = memory.info().bodies[b];
      EXPECT_EQ(read.name, expected.name);
      EXPECT_EQ(read.element, expected.element);
      EXPECT_EQ(read.connectivity, expected.connectivity);
      EXPECT_EQ(read.size, expected.size);
      EXPECT_EQ(read.reference, expected.reference);
      for (const char* field : {"coordinates", "velocities"}) {
        const std::string name = "bodies/" + read.name + "/" + field;
        EXPECT_EQ(file.read(name).shape, memory.read(name).shape) << name;
        EXPECT_EQ(*file.read(name).values, *memory.read(name).values) << name;
      }
    }
    const ResultArray stress = file.read("bodies/beam/von_mises"), last = file.read_last("bodies/beam/von_mises");
    EXPECT_EQ(*stress.values, *memory.read("bodies/beam/von_mises").values);
    EXPECT_EQ(last.shape, (std::vector<std::size_t>{1, 4}));
    EXPECT_EQ(*last.values, std::vector<double>(stress.values->end() - 4, stress.values->end()));
    EXPECT_THROW((void)file.read("bodies/part1/von_mises"), InputError);
    EXPECT_THROW((void)file.read("bodies"), InputError);
  }
}

TEST_F(ManyBodies, ADamagedBodyIsNoticedAndOthersAreRead) {
  const System system = crowd(2001);  // 4000 vectors of boxes and more: several pieces
  write_file(system, 2);
  {
    const hdf5::Handle file = hdf5::check(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle data = hdf5::open_dataset(file, "fields/coordinates");
    const hsize_t at[3] = {1, 2, 0}, one[3] = {1, 1, 1}, single = 1;
    const hdf5::Handle space = hdf5::check(H5Dget_space(data), H5Sclose),
                       memory = hdf5::check(H5Screate_simple(1, &single, nullptr), H5Sclose);
    hdf5::check(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, one, nullptr));
    const double wrong = 17;
    hdf5::check(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &wrong));
  }
  const ResultFile file(path());
  EXPECT_THROW((void)file.read("bodies/part1/coordinates"), RunError);
  EXPECT_EQ(file.read("bodies/part1999/coordinates").values->size(), 2u * 12u);
  EXPECT_NE(describe_results(path()).find("and 1951 more bodies: 1 beam3243, 975 point, 975 rigid"), std::string::npos)
      << describe_results(path());
}

}  // namespace
}  // namespace lithe
