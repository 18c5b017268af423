// Redundant equations are dropped with a note, contradictions name their joints, starts slightly off are assembled.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/base/error.h"
#include "support/joints.h"

namespace lithe::test {
namespace {

At ground() {
  At a;
  a.body = "ground";
  return a;
}

void add_link(Model& model, const std::string& name, const Triple& from, const Triple& to) {
  RigidBody link;
  link.position = {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2};
  link.x_axis = Triple{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  link.mass = 1;
  link.inertia = std::vector<double>{0.1, 0.2, 0.2};
  model.bodies.add(name, link);
}

std::string message_of(const Model& model) {
  try {
    compile(model);
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing was wrong";
}
std::string all(const std::vector<std::string>& list) {
  std::string text;
  for (const auto& s : list) text += s + "\n";
  return text;
}
int noted(const System& system) {
  int sum = 0;
  for (const ConstraintOwner& owner : system.owners) sum += owner.redundant;
  return sum;
}

// Crank, coupler and rocker in the plane z = 0.
Model four_bar(const Triple& a, const Triple& b, const Triple& c, const Triple& d) {
  Model model;
  add_link(model, "crank", a, b);
  add_link(model, "coupler", b, c);
  add_link(model, "rocker", c, d);
  model.joints.add("hinge_1", Revolute{ground(), at("crank", ""), a, {0, 0, 1}});
  model.joints.add("hinge_2", Revolute{at("crank", ""), at("coupler", ""), b, {0, 0, 1}});
  model.joints.add("hinge_3", Revolute{at("coupler", ""), at("rocker", ""), c, {0, 0, 1}});
  model.joints.add("hinge_4", Revolute{at("rocker", ""), ground(), d, {0, 0, 1}});
  return model;
}

TEST(Redundancy, PlanarFourBarInSpace) {
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented})
    for (const Triple& c : {Triple{2.5, 1.5, 0}, Triple{2, 1, 0}}) {  // general, and a parallelogram
      Model model = four_bar({0, 0, 0}, {0, 1, 0}, c, {2, 0, 0});
      model.treatment = treatment;
      const System system = compile(model);
      EXPECT_EQ(system.map.size - system.row_count(), 1);
      EXPECT_EQ(noted(system), 3) << all(system.warnings);
      EXPECT_NE(all(system.warnings).find("of others; they were dropped"), std::string::npos) << all(system.warnings);
      for (const ConstraintOwner& owner : system.owners)
        for (int r : owner.rows) EXPECT_EQ(&system.owners[system.rows.owner[r]], &owner);
    }
}

// All links on one line: the rank at the start is lower still, but only there.
TEST(Redundancy, AFlatParallelogramIsJudgedBesideItsSingularPosition) {
  const System system = compile(four_bar({0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}));
  EXPECT_EQ(system.map.size - system.row_count(), 1);
  EXPECT_EQ(noted(system), 3);
}

// One axis out of parallel: that hinge cannot turn, the other three make a triangle. 20 equations, 18 of them count.
TEST(Redundancy, AHingeAtAnAngleLocksTheLoop) {
  Model model = four_bar({0, 0, 0}, {0, 1, 0}, {2.5, 1.5, 0}, {2, 0, 0});
  std::get<Revolute>(model.joints.items[3].second).axis = {0.2, 0.1, 1};
  const System system = compile(model);
  EXPECT_EQ(system.map.size - system.row_count(), 0);
  EXPECT_EQ(noted(system), 2);
}

TEST(Redundancy, WeldAndBallAtOnePlace) {
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange})
    for (Side a : {Side::ground, Side::rigid, Side::node})
      for (Side b : {Side::rigid, Side::node}) {
        SCOPED_TRACE(std::string(side_name(a)) + "-" + side_name(b));
        Model model;
        const Vec3<double> p{{0.1, 0.2, 0.3}};
        const At at_a = add_side(model, a, "a", p, {{1, 0.2, 0}}, {{0, 1, 0.4}}),
                 at_b = add_side(model, b, "b", p, {{0.5, 0.2, 1}}, {{0, 1, 0.1}});
        model.joints.add("weld", Weld{at_a, at_b, {}});
        model.joints.add("ball", Spherical{at_a, at_b, {}});
        model.joints.add("again", Weld{at_a, at_b, {}});
        model.treatment = treatment;
        const System system = compile(model);
        const int equations = b == Side::node || a == Side::node ? 7 : 6;  // a section's angle, said once
        EXPECT_EQ(system.map.size - system.row_count(), side_dof(a) + side_dof(b) - equations);
        EXPECT_EQ(noted(system), 9) << all(system.warnings);
        EXPECT_NE(all(system.warnings).find("joint 'ball' repeats 3 equations of others; they were dropped"),
                  std::string::npos)
            << all(system.warnings);
        EXPECT_NE(all(system.warnings).find("joint 'again' repeats 6 equations"), std::string::npos)
            << all(system.warnings);
      }
}

TEST(Redundancy, AClampedRigidBodyNeedsNoRigidity) {
  Model model;
  add_link(model, "link", {0, 0, 0}, {1, 0, 0});
  model.constraints.add("clamp", Clamp{at("link", "")});
  const System system = compile(model);
  EXPECT_EQ(system.map.size, 0);
  EXPECT_EQ(system.row_count(), 0);
  EXPECT_TRUE(system.warnings.empty()) << all(system.warnings);
}

Model two_rods(double first, double second) {
  Model model;
  model.bodies.add("p", PointMass{1, {0, 0, 0}, {}});
  model.bodies.add("q", PointMass{1, {2, 0, 0}, {}});
  model.joints.add("rod_1", Distance{at("p", ""), at("q", ""), Signal(first)});
  model.joints.add("rod_2", Distance{at("p", ""), at("q", ""), Signal(second)});
  return model;
}

TEST(Redundancy, ContradictingDistancesAreNamed) {
  EXPECT_EQ(compile(two_rods(2, 2)).row_count(), 1);
  for (double second : {2.0001, 2.1, 3.0}) {
    const std::string text = message_of(two_rods(2, second));
    EXPECT_NE(text.find("joint 'rod_1' and joint 'rod_2' contradict each other"), std::string::npos) << text;
  }
}

// Three rods that cannot make a triangle, through a third point.
TEST(Redundancy, ContradictionsThroughOthersAreNamed) {
  Model model = two_rods(2, 2);
  model.joints.items.pop_back();
  model.joints.where.pop_back();
  model.bodies.add("r", PointMass{1, {4, 0, 0}, {}});
  model.joints.add("rod_3", Distance{at("q", ""), at("r", ""), {}});
  model.joints.add("rod_4", Distance{at("p", ""), at("r", ""), Signal(4.5)});
  const std::string text = message_of(model);
  for (const char* name : {"'rod_1'", "'rod_3'", "'rod_4'"}) EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST(Redundancy, MotionsOfOnePointMustAgree) {
  Model model;
  add_link(model, "link", {0, 0, 0}, {1, 0, 0});
  At end = at("link", "");
  end.point = Triple{1, 0, 0};
  model.joints.add("one", Motion{end, {Signal::expression("sin(t)"), std::nullopt, std::nullopt}});
  model.joints.add("two", Motion{end, {Signal::expression("sin(t)"), std::nullopt, std::nullopt}});
  EXPECT_EQ(noted(compile(model)), 1);
  std::get<Motion>(model.joints.items[1].second).displacement[0] = Signal::expression("sin(2*t)");
  const std::string text = message_of(model);
  EXPECT_NE(text.find("joint 'one' and joint 'two' contradict each other: they prescribe the same motion"),
            std::string::npos)
      << text;
}

// Ties that are eliminated: a body held at two distances from the ground.
TEST(Redundancy, EliminatedContradictionsAreNamed) {
  Model model;
  model.bodies.add("p", PointMass{1, {0, 0, 0}, {}});
  At g = ground();
  g.point = Triple{0, 0, 0};
  model.joints.add("pin", Spherical{g, at("p", ""), {}});
  model.joints.add("drive", Motion{at("p", ""), {Signal::expression("t"), std::nullopt, std::nullopt}});
  const std::string text = message_of(model);
  EXPECT_NE(text.find("'drive'"), std::string::npos) << text;
  EXPECT_NE(text.find("'pin'"), std::string::npos) << text;
}

// A drive on what others hold: everything it acts on was eliminated, or its row depends on theirs.
TEST(Redundancy, ADriveOfWhatIsHeldContradicts) {
  for (Treatment treatment : {Treatment::eliminate, Treatment::lagrange, Treatment::augmented}) {
    Model model;
    add_link(model, "link", {0, 0, 0}, {1, 0, 0});
    At start = at("link", ""), end = at("link", "");
    start.point = Triple{0, 0, 0};
    end.point = Triple{1, 0, 0};
    model.joints.add("hinge", Revolute{ground(), start, {}, {0, 0, 1}});
    model.joints.add("weld", Weld{ground(), end, {}});
    model.treatment = treatment;
    model.analysis = Analysis(DynamicAnalysis{});  // 1 s
    const auto with = [&](const Joint& drive) {
      Model driven = model;
      driven.joints.add("drive", drive);
      return message_of(driven);
    };
    At post = ground();
    post.point = Triple{0.5, 3, 0};
    At middle = at("link", "");
    middle.point = Triple{0.5, 0, 0};
    for (const Joint& drive :
         {Joint(Turn{"hinge", Signal::expression("t")}), Joint(Turn{"hinge", Signal::expression("sin(2*pi*16*t)")}),
          Joint(Turn{"hinge", Signal::expression("max(0, t-0.995)")}),
          Joint(Turn{"hinge", Signal::table({0, 0.3, 0.302, 0.304, 1}, {0, 0, 0.1, 0, 0})}),
          Joint(Distance{post, middle, Signal::expression("3+t")}),
          Joint(Motion{middle, {std::nullopt, Signal::expression("t^2"), std::nullopt}})}) {
      const std::string text = with(drive);
      EXPECT_NE(text.find("contradict"), std::string::npos) << text;
      EXPECT_NE(text.find("'drive'"), std::string::npos) << text;
      EXPECT_NE(text.find("'weld'"), std::string::npos) << text;
    }
    Model resting = model;
    resting.joints.add("drive", Turn{"hinge", Signal(0)});
    EXPECT_NO_THROW(compile(resting));
  }
}

// One rule for the start of all drives.
TEST(Redundancy, DrivesStartAtTheReference) {
  Model model;
  add_link(model, "link", {0, 0, 0}, {1, 0, 0});
  add_link(model, "block", {0, 0, 2}, {1, 0, 2});
  At start = at("link", "");
  start.point = Triple{0, 0, 0};
  model.joints.add("hinge", Revolute{ground(), start, {}, {0, 0, 1}});
  model.joints.add("rail", Prismatic{ground(), at("block", ""), {}, {1, 0, 0}});
  model.bodies.add("p", PointMass{1, {0, 0, 1}, {}});
  At post = ground();
  post.point = Triple{0, 3, 1};
  const auto with = [&](const Joint& drive, const Analysis& analysis) {
    Model driven = model;
    driven.joints.add("drive", drive);
    driven.analysis = analysis;
    return message_of(driven);
  };
  const auto motion = [](const Signal& s) { return Joint(Motion{at("p", ""), {s, std::nullopt, std::nullopt}}); };
  const Signal off = Signal::expression("0.5+t");
  for (const Analysis& analysis : {Analysis(StaticAnalysis{}), Analysis(DynamicAnalysis{})})
    for (const Joint& drive : {motion(off), Joint(Turn{"hinge", off}), Joint(Slide{"rail", off}),
                               Joint(Distance{post, at("p", ""), Signal::expression("3.5+t")})}) {
      const std::string text = with(drive, analysis);
      EXPECT_NE(text.find("joint 'drive': its"), std::string::npos) << text;
      EXPECT_NE(text.find("would start with a jump of 0.5"), std::string::npos) << text;
    }
  for (const Joint& drive :
       {motion(Signal(0.5)), Joint(Turn{"hinge", Signal(0.5)}), Joint(Slide{"rail", Signal(0.5)})}) {
    EXPECT_NE(with(drive, DynamicAnalysis{}).find("would start with a jump of 0.5"), std::string::npos);
    EXPECT_EQ(with(drive, StaticAnalysis{}), "nothing was wrong");  // reached along with the load
  }
}

TEST(Redundancy, AStartSlightlyOffIsAssembled) {
  const System system = compile(two_rods(2.004, 2.004));
  EXPECT_EQ(system.row_count(), 1);
  const double length = system.q0[3] - system.q0[0];
  EXPECT_NEAR(length, 2.004, 1e-12);
  EXPECT_NEAR(system.q0[0], -0.002, 1e-12);  // both ends move alike
  Model far = two_rods(2.5, 2.5);
  const std::string text = message_of(far);
  EXPECT_NE(text.find("joint 'rod_1' does not hold at the start"), std::string::npos) << text;
  // A linkage of rigid bodies whose coupler is 0.3 % too short for its holes.
  Model model = four_bar({0, 0, 0}, {0, 1, 0}, {2.5, 1.5, 0}, {2, 0, 0});
  std::get<RigidBody>(model.bodies.items[1].second).points.add("c", Triple{1.269, 0, 0});
  At hole = at("coupler", "c");
  At end = at("rocker", "");
  end.point = Triple{2.5, 1.5, 0};
  model.joints.items.erase(model.joints.items.begin() + 2);
  model.joints.where.erase(model.joints.where.begin() + 2);
  model.joints.add("pin", Distance{hole, end, Signal(0.01)});
  model.treatment = Treatment::lagrange;
  const System assembled = compile(model);
  EXPECT_LT(largest(constraints_at(assembled, assembled.q0)), 1e-10);
}

// P4's test mechanism: N squares side by side, starting upright; every bar counts.
Linkage p4_linkage(int squares) {
  Linkage linkage;
  for (int i = 0; i <= squares; ++i) {
    linkage.points.push_back({1.0 * i, 0, 0});
    linkage.points.push_back({1.0 * i, 1, 0});
    linkage.ground.push_back(2 * i);
    linkage.bars.push_back({2 * i, 2 * i + 1});
    if (i > 0) linkage.bars.push_back({2 * i - 1, 2 * i + 1});
  }
  linkage.plane = Triple{0, 0, 1};
  linkage.bar_mass = 1;
  return linkage;
}

TEST(Redundancy, ParallelFourBarsOfP4) {
  // Upright the first parallelogram moves, and with equal lengths so do all: 2(N+1) - (2N+1) = 1 without redundancy.
  for (int squares : {1, 3, 10}) {
    Model model;
    model.bodies.add("linkage", p4_linkage(squares));
    const System system = compile(model);
    EXPECT_EQ(system.row_count(), 2 * squares + 1);
    EXPECT_EQ(system.map.size - system.row_count(), 1);
    EXPECT_TRUE(system.warnings.empty());
  }
}

// That they cost little is counted in RowRank.OperationsGrowLikeTheRows.
TEST(Redundancy, LargeSystems) {
  Model long_linkage;
  long_linkage.bodies.add("linkage", p4_linkage(4000));
  EXPECT_EQ(compile(long_linkage).row_count(), 8001);
  Model net;
  net.materials.add("fibre", Isotropic{1e9, 0.3, 1000, 0});
  net.sections.add("thread", Circle{0.001});
  Body body;
  body.element = ElementKind::cable;
  body.material = "fibre";
  body.section = "thread";
  NetMesh mesh;
  mesh.cells = {36, 36};
  mesh.along = {0.1, 0, 0};
  mesh.across = {0, 0.1, 0};
  mesh.elements = 1;
  body.mesh = mesh;
  body.connect = Connect::constraints;
  net.bodies.add("net", body);
  net.treatment = Treatment::lagrange;
  EXPECT_GT(compile(net).row_count(), 15000);
}

// Chains of so many hinged links side by side, each hung on the ground.
Model chains(int bodies, int links) {
  Model model;
  for (int i = 0; i < bodies; ++i) {
    const int link = i % links;
    const double x = link, y = 2.0 * (i / links);
    const std::string name = "link" + std::to_string(i);
    add_link(model, name, {x, y, 0}, {x + 1, y, 0});
    const At before = link == 0 ? ground() : at("link" + std::to_string(i - 1), "");
    model.joints.add("pin" + std::to_string(i), Revolute{before, at(name, ""), Triple{x, y, 0}, {0, 0, 1}});
  }
  return model;
}

// Ten times as many bodies and joints are ten times the work, by counts: those of a pendulum each by itself, and those
// of groups whose rows are too many to be orthogonalised one after the other.
TEST(Redundancy, OperationsGrowLikeTheBodies) {
  for (const int links : {1, 10, 25}) {
    const double few = compile(chains(500, links)).settling_operations,
                 many = compile(chains(5000, links)).settling_operations;
    EXPECT_GT(few, 0);
    EXPECT_LT(many, 10.5 * few) << links;
    EXPECT_LT(few, 500 * 1e6) << links << ": operations a body";
  }
}

}  // namespace
}  // namespace lithe::test
