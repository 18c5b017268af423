// Checkpoints: every field of a State is written and read back bit by bit, and none is forgotten.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "lithe/base/error.h"
#include "lithe/io/checkpoint.h"
#include "lithe/system/state_fields.h"

namespace lithe {
namespace {

namespace fs = std::filesystem;

// Number of members of an aggregate: how many initialisers it takes (elements of a member array count one by one).
struct Anything {
  template <class T>
  operator T() const;
};
template <class T, class... A>
consteval int member_count() {
  if constexpr (requires { T{A{}..., Anything{}}; }) return member_count<T, A..., Anything>();
  else return sizeof...(A);
}

struct Counter {
  int& count;
  template <class T>
  void operator()(const std::string&, const T&) const {
    ++count;
  }
};

TEST(Checkpoint, EveryMemberOfAStateIsVisited) {
  State state;
  int slots = 0, past = 0, memory = 0, energy = 0, linearisation = 0, all = 0;
  visit_slots(state.slots, Counter{slots});
  visit_past(state.past, Counter{past});
  visit_memory(state.memory, Counter{memory});
  visit_energy(state.energy, Counter{energy});
  visit_linearisation(state.linearisation, Counter{linearisation});
  visit_state(state, Counter{all});
  EXPECT_EQ(slots, member_count<Slots>()) << "state_fields.h does not name every member of Slots";
  EXPECT_EQ(past, member_count<Past>() - 1 + member_count<PastSteps>())
      << "state_fields.h does not name every member of Past";
  EXPECT_EQ(memory, member_count<StepMemory>()) << "state_fields.h does not name every member of StepMemory";
  EXPECT_EQ(energy, member_count<EnergyBalance>()) << "state_fields.h does not name every member of EnergyBalance";
  EXPECT_EQ(linearisation, member_count<Linearisation>()) << "state_fields.h does not name every one of Linearisation";
  EXPECT_EQ(all - slots - past - memory - energy - linearisation, member_count<State>() - 5)
      << "nor every member of State";
}

// Different in every field, with numbers that texts and careless copies lose.
struct Fill {
  int& k;
  void operator()(const std::string&, double& x) const { x = std::nextafter(1.0 / ++k, 2.0); }
  void operator()(const std::string&, int& x) const { x = 1000 + ++k; }
  void operator()(const std::string&, long long& x) const { x = (1LL << 40) + ++k; }
  void operator()(const std::string&, bool& x) const { x = true; }
  void operator()(const std::string&, std::string& x) const { x = "slot " + std::to_string(++k) + "\n"; }
  void operator()(const std::string&, std::vector<double>& x) const {
    x = {-0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::quiet_NaN()};
    for (int i = 0; i < ++k % 7; ++i) x.push_back(std::sqrt(i + k));
  }
};

// The bytes of every field under its name.
struct Bytes {
  std::vector<std::pair<std::string, std::string>>& out;
  template <class T>
  void operator()(const std::string& name, const T& x) const {
    out.emplace_back(name, std::string(reinterpret_cast<const char*>(&x), sizeof x));
  }
  void operator()(const std::string& name, const std::string& x) const { out.emplace_back(name, x); }
  void operator()(const std::string& name, const std::vector<double>& x) const {
    out.emplace_back(name, std::string(reinterpret_cast<const char*>(x.data()), sizeof(double) * x.size()));
  }
};
std::vector<std::pair<std::string, std::string>> bytes(const State& state) {
  std::vector<std::pair<std::string, std::string>> out;
  visit_state(state, Bytes{out});
  return out;
}

class CheckpointFile : public ::testing::Test {
 protected:
  CheckpointFile() {
    folder_ = fs::temp_directory_path() / ("lithe_checkpoint_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~CheckpointFile() override { fs::remove_all(folder_); }
  std::string path(const char* name = "out.h5") const { return (folder_ / name).string(); }
  fs::path folder_;
};

TEST_F(CheckpointFile, RoundTripBitByBit) {
  Checkpoint written{"run-1", 1234567890123, "name: a\n", {}};
  int k = 0;
  visit_state(written.state, Fill{k});
  write_checkpoint(path(), written);
  const Checkpoint read = read_checkpoint(path());
  EXPECT_EQ(read.first_run, written.first_run);
  EXPECT_EQ(read.rows, written.rows);
  EXPECT_EQ(read.model_yaml, written.model_yaml);
  EXPECT_EQ(bytes(read.state), bytes(written.state));

  write_checkpoint(path(), Checkpoint{"run-2", 0, "", {}});  // replaces it; empty arrays are arrays
  EXPECT_EQ(bytes(read_checkpoint(path()).state), bytes(State{}));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "no draft stays behind";
}

TEST_F(CheckpointFile, PlacesThatCannotBeWritten) {
  std::ofstream(path("file")) << "not a folder";
  EXPECT_THROW(write_checkpoint(path("file/out.h5"), Checkpoint{}), RunError);
  EXPECT_EQ(checkpoint_path("a/out.h5"), "a/out.checkpoint.h5");
  EXPECT_THROW((void)read_checkpoint(path("missing.h5")), InputError);
}

}  // namespace
}  // namespace lithe
