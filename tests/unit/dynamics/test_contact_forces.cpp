// Penalty contacts of whole models: forces and tangent over the unknowns, the pattern that they ask for, what the State
// keeps of them.
#include <gtest/gtest.h>

#include <random>

#include "lithe/dynamics/contact_forces.h"
#include "support/models.h"

namespace lithe::test {
namespace {

Model base(double friction) {
  Model model;
  model.materials.add("rubber", Isotropic{1e6, 0.3, 1000, 0});
  model.sections.add("plate", Plate{0.02});
  model.sections.add("round", Circle{0.02});
  Contact contact;
  contact.between = OneOrMore<std::string>(std::string("all"));
  contact.law = ContactLaw::penalty;
  contact.friction = friction;
  contact.tangential_stiffness = 3000;
  contact.stiffness = 1e5;
  contact.damping = 0.3;
  contact.initial_overlap = InitialOverlap::accept;
  model.contacts.add("touch", contact);
  model.analysis = Analysis(DynamicAnalysis{});
  return model;
}

// A bed of any kind below, and what lies a little too deep in it.
Model scene(const std::string& bed, const std::string& upper, double friction) {
  Model model = base(friction);
  Body body;
  body.material = "rubber";
  const auto add = [&](const std::string& kind, double low, double turn, const std::string& name) {
    const double c = std::cos(turn), s = std::sin(turn);
    if (kind == "ball" || kind == "box") {
      RigidBody rigid;
      if (kind == "ball") rigid.shape = SphereShape{0.1};
      else rigid.shape = BoxShape{{0.2, 0.2, 0.2}};
      rigid.density = 500;
      rigid.position = {0.03, 0.02, low + 0.1};
      rigid.x_axis = Triple{c, s, 0.02};
      model.bodies.add(name, rigid);
      return;
    }
    if (kind == "floor") {
      Obstacle obstacle;
      obstacle.shape = PlaneShape{};
      obstacle.position = {0, 0, low};
      obstacle.displacement[0] = Drive{Signal(0.0)};
      model.obstacles.add(name, obstacle);
      return;
    }
    Body one = body;
    one.element = kind == "cable"   ? ElementKind::cable
                  : kind == "shell" ? ElementKind::shell3443
                  : kind == "hexa"  ? ElementKind::hexa3843
                  : kind == "tet10" ? ElementKind::tet10
                                    : ElementKind::hex8;
    if (kind == "cable") {
      one.section = "round";
      one.mesh = LineMesh{{-0.5 * c, -0.5 * s, low + 0.02}, {0.5 * c, 0.5 * s, low + 0.021}, 2, {}};
    } else if (kind == "shell") {
      one.section = "plate";
      one.mesh = PlateMesh{{-0.3, -0.3, low + 0.01}, {0.6 * c, 0.6 * s, 0}, {-0.6 * s, 0.6 * c, 0}, {2, 2}};
    } else {
      one.mesh = BlockMesh{{-0.3, -0.31, low}, {0.6 * c, 0.6 * s, 0}, {-0.6 * s, 0.6 * c, 0}, {0, 0, 0.2}, {2, 2, 1}};
    }
    model.bodies.add(name, one);
  };
  const double height = bed == "floor" ? 0 : bed == "shell" ? 0.02 : bed == "cable" ? 0.04 : 0.2;
  add(bed, 0, 0, "bed");
  add(upper, height - 0.004, upper == "cable" ? 1.1 : 0.1, "upper");
  return model;
}

// What the forces of contacts at `state` do to the unknowns.
std::vector<double> reduced_force(const System& system, ContactForces& contacts, const State& state) {
  std::vector<double> full(state.q.size(), 0.0), reduced;
  contacts.add(state, full);
  system.map.restrict(state.slots, full, reduced);
  return reduced;
}

const std::vector<std::pair<std::string, std::string>> pairs{
    {"floor", "ball"},  {"floor", "hex8"},  {"hex8", "box"},  {"hex8", "hex8"},  {"hexa", "ball"},  {"shell", "ball"},
    {"shell", "cable"}, {"cable", "cable"}, {"tet10", "box"}, {"hexa", "shell"}, {"hex8", "cable"}, {"box", "ball"}};

TEST(ContactForces, TangentsAreThoseOfTheForces) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> some(-1, 1);
  for (const double friction : {0.0, 0.02, 5.0})
    for (const auto& [bed, upper] : pairs) {
      SCOPED_TRACE(bed + ", " + upper + ", friction " + std::to_string(friction));
      Model model = scene(bed, upper, friction);
      model.tangent = TangentForm::exact;
      // Some directions are held, askew, and one node follows another.
      if (bed == "hex8") model.constraints.add("held", Fix{at_node("bed", 0), {Coordinate::position}, {{1, 0.3, 0.2}}});
      const System system = compile(model);
      Team team(1);
      ContactForces contacts(system, team);
      State state = system.initial_state();
      state.a.assign(state.q.size(), 0.0);
      contacts.find_first(state, 0.01);
      const std::vector<double> before = reduced_force(system, contacts, state);
      ASSERT_GT(contacts.count(), 0);
      std::vector<double> dz(system.map.size), image;
      // Off the begin of the step: friction has a way, and rates.
      for (double& z : dz) z = some(random);
      system.map.prolong(state.slots, dz, 2e-4, state.q);
      system.map.prolong(state.slots, dz, 0.02, state.v);
      for (double& z : dz) z = some(random);
      const double c_q = 1, c_v = 0.01, step = 1e-8;
      contacts.linearise(state, c_q, c_v);
      const SparsePattern& pattern = *contacts.pattern().pattern();
      std::vector<double> values(pattern.nonzeros(), 0.0), x(dz);
      contacts.add_tangent(values);
      x.resize(pattern.size, 0.0);
      multiply(pattern, values, x, image);
      const auto moved = [&](double by) {
        State there = state;
        system.map.prolong(state.slots, dz, by * c_q, there.q);
        system.map.prolong(state.slots, dz, by * c_v, there.v);
        return reduced_force(system, contacts, there);
      };
      const std::vector<double> ahead = moved(step), behind = moved(-step);
      double size = 0, force = 0;
      for (int i = 0; i < system.map.size; ++i) {
        size = std::max(size, std::abs(image[i]));
        force = std::max(force, std::abs(before[i]));
      }
      EXPECT_GT(force, 0);
      EXPECT_GT(size, 0);
      for (int i = 0; i < system.map.size; ++i)
        EXPECT_NEAR((ahead[i] - behind[i]) / (2 * step), image[i], 2e-5 * size) << i;
    }
}

// The State keeps what presses: read again it gives the same forces, to the last bit.
TEST(ContactForces, AreTheSameFromTheState) {
  for (const auto& [bed, upper] : pairs) {
    SCOPED_TRACE(bed + ", " + upper);
    const System system = compile(scene(bed, upper, 0.3));
    Team team(1);
    ContactForces contacts(system, team), others(system, team);
    State state = system.initial_state();
    state.a.assign(state.q.size(), 0.0);
    contacts.find_first(state, 0.01);
    State end = state;
    for (std::size_t i = 0; i < end.q.size(); ++i) end.q[i] += 1e-4 * std::sin(static_cast<double>(i));
    const std::vector<double> pressed = reduced_force(system, contacts, end);
    contacts.keep(end, end);
    const std::vector<double> kept = reduced_force(system, contacts, end);
    others.resume(end);
    EXPECT_EQ(kept, reduced_force(system, others, end));
    EXPECT_EQ(contacts.pattern().pairs(), others.pattern().pairs());
    double size = 0;
    for (const double f : pressed) size = std::max(size, std::abs(f));
    for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_NEAR(kept[i], pressed[i], 1e-12 * size);
  }
}

// Its own pattern holds as long as the pairs that are asked for are in it.
TEST(ContactForces, PatternsGrowWithTheSet) {
  const System system = compile(scene("box", "ball", 0));
  ContactPattern pattern(system);
  EXPECT_EQ(pattern.pattern().get(), &system.pattern);
  std::vector<ContactPattern::Pair> some{{0, 4}, {1, 5}}, fewer{{1, 5}}, others{{2, 6}}, none;
  pattern.cover(some);
  EXPECT_EQ(pattern.epochs(), 1);
  const auto first = pattern.pattern();
  EXPECT_GT(first->nonzeros(), system.pattern.nonzeros());
  for (int c = 0; c < first->size; ++c)
    EXPECT_TRUE(
        std::is_sorted(first->row.begin() + first->column_start[c], first->row.begin() + first->column_start[c + 1]));
  pattern.cover(fewer);
  pattern.cover(none);
  EXPECT_EQ(pattern.epochs(), 1);
  EXPECT_EQ(pattern.pattern(), first);
  pattern.cover(others);
  EXPECT_EQ(pattern.epochs(), 2);
  EXPECT_TRUE(pattern.has(0, 4) && pattern.has(6, 2));
  // Values of the System keep their places.
  std::vector<double> own(system.pattern.nonzeros()), values, x(system.pattern.size), y, z;
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = 1 + std::sin(static_cast<double>(k));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(static_cast<double>(i));
  pattern.spread(own, values);
  multiply(system.pattern, own, x, y);
  multiply(*pattern.pattern(), values, x, z);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], z[i], 1e-12);
}

}  // namespace
}  // namespace lithe::test
