// Linear constraints leave the unknowns: the reduced tangent is T^T K T of the free one, over every kind of element,
// with aliases, slaves of four masters and held directions; restriction is the transpose of prolongation.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "lithe/base/error.h"
#include "lithe/system/elimination.h"
#include "lithe/system/joints.h"
#include "lithe/system/mass.h"
#include "lithe/system/pattern.h"
#include "support/models.h"

namespace lithe {
namespace {

using test::at;
using test::at_node;
using Dense = std::vector<std::vector<double>>;

Vec3<double> entry(const std::vector<double>& x, int vector) {
  return {{x[3ul * vector], x[3ul * vector + 1], x[3ul * vector + 2]}};
}
Form form_of(const PointWeights& p) { return {p.vectors, p.weights, {}}; }
Form vector_form(int vector) { return {{vector}, {1.0}, {}}; }

// A compiled system without constraints, and equations for it.
struct Draft {
  System system;
  ConstraintEquations equations;
};

// compile() with more equations: `add` puts ties and rows into a draft.
System compile_with(const Model& model, const std::function<void(Draft&)>& add) {
  Draft draft{compile(model), {}};
  System& system = draft.system;
  system.owners.clear();
  draft.equations = compile_constraints(system);
  if (system.owners.empty()) add_owner(system, ConstraintOwner::Kind::joint, 0, "test");
  add(draft);
  system.map.unknowns.assign(system.map.unknowns.size(), {});
  eliminate(system, draft.equations);
  for (Batch& batch : system.batches)
    if (batch.kernel) connect(system, batch);
  build_pattern(system);
  cut_into_chunks(system);
  return std::move(draft.system);
}

void tie(Draft& draft, const Form& x) { draft.equations.ties.push_back({x, x.value(draft.system.q0), 0}); }
void hold(Draft& draft, int vector, const Vec3<double>& direction) {
  const Vec3<double> d = (1 / std::sqrt(dot(direction, direction))) * direction;
  draft.equations.rows.push_back(
      {Part::linear(d, vector_form(vector)), dot(d, entry(draft.system.q0, vector)), Signal(0), 0});
}

// Columns of T: what each unknown does to all coordinates.
Dense prolongation(const System& system) {
  Dense T(system.map.size, std::vector<double>(system.q0.size(), 0.0));
  std::vector<double> dz(system.map.size, 0.0);
  for (int j = 0; j < system.map.size; ++j) {
    dz[j] = 1;
    system.map.prolong({}, dz, 1, T[j]);
    dz[j] = 0;
  }
  return T;
}

Dense dense(const System& system, const std::vector<double>& values) {
  Dense K(system.map.size, std::vector<double>(system.map.size, 0.0));
  for (int c = 0; c < system.map.size; ++c)
    for (int k = system.pattern.column_start[c]; k < system.pattern.column_start[c + 1]; ++k) {
      const int r = system.pattern.row[k];
      if (r >= system.map.size) continue;
      K[r][c] = values[k];
      if (system.symmetric) K[c][r] = values[k];
    }
  return K;
}

// T^T K T with T by columns.
Dense project(const Dense& T, const Dense& K) {
  const std::size_t n = T.size(), N = K.size();
  Dense half(n, std::vector<double>(N, 0.0)), result(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < N; ++r)
      if (T[i][r] != 0)
        for (std::size_t c = 0; c < N; ++c) half[i][c] += T[i][r] * K[r][c];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t c = 0; c < N; ++c) result[i][j] += half[i][c] * T[j][c];
  return result;
}

void expect_equal(const Dense& a, const Dense& b, double tolerance) {
  double scale = 0;
  for (const auto& row : b)
    for (double x : row) scale = std::max(scale, std::abs(x));
  ASSERT_GT(scale, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[i][j], b[i][j], tolerance * scale) << i << " " << j;
}

State disturbed(const System& system, unsigned seed) {
  State state = system.initial_state();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (double& x : state.q) x += 2e-3 * unit(random);
  for (double& x : state.v) x = unit(random);
  return state;
}

// Two strips of a kind, end to end, a cable beside them and a rigid body.
struct Joined {
  Model model;
  explicit Joined(ElementKind kind, double damping = 0, int elements = 2) {
    model = test::make_strip(kind, damping, elements).model;
    const Body first = std::get<Body>(model.bodies.items[0].second);
    Body second = first;
    if (auto* line = std::get_if<LineMesh>(&second.mesh)) {
      line->from[0] += 0.5;
      line->to[0] += 0.5;
    }
    if (auto* plate = std::get_if<PlateMesh>(&second.mesh)) plate->corner[0] += 0.5;
    if (auto* block = std::get_if<BlockMesh>(&second.mesh)) block->corner[0] += 0.5;
    model.bodies.add("second", second);
    model.sections.add("round", Circle{0.004});
    Body cable;
    cable.element = ElementKind::cable;
    cable.material = "metal";
    cable.section = "round";
    cable.mesh = LineMesh{{0, 1, 0}, {1, 1, 0}, 2, {}};
    cable.strategy = "batched";
    model.bodies.add("cable", cable);
    RigidBody rigid;
    rigid.position = {1.2, 0.1, 0};
    rigid.mass = 1;
    rigid.inertia = {1e-2, 1e-2, 1e-2};
    model.bodies.add("rigid", rigid);
  }
};

// Last node of the first strip and first node of the second are one, in all vectors; a node of the second strip follows
// a point of the rigid body, one of the first a point of the cable; directions are held in turned bases.
void join(Draft& draft, unsigned seed) {
  const System& system = draft.system;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const BodyInfo &first = system.bodies[0], &second = system.bodies[1], &cable = system.bodies[2];
  const bool line = element_info(first.kind).dimension == 1;
  for (std::size_t n = 0; n < first.mesh.sets.find(line ? "end" : "x_max")->size(); ++n) {
    const int a = (*first.mesh.sets.find(line ? "end" : "x_max"))[n];
    const int b = (*second.mesh.sets.find(line ? "start" : "x_min"))[n];
    for (int k = 0; k < first.node_vectors; ++k)
      tie(draft, vector_form(second.vector(b, k)) - vector_form(first.vector(a, k)));
  }
  const auto any_direction = [&] { return Vec3<double>{{unit(random), unit(random), 1 + unit(random)}}; };
  At lug = at("rigid", "");
  const int tip = second.mesh.sets.find(line ? "end" : "x_max")->back();
  const Vec3<double> r = entry(system.q0, second.vector(tip, 0));
  lug.point = Triple{r[0], r[1], r[2]};
  tie(draft, vector_form(second.vector(tip, 0)) - form_of(system.resolve_point(lug)));
  At point = at("cable", "");
  point.element = 1;
  point.xi = Triple{0.3, 0, 0};
  tie(draft, vector_form(first.vector(0, 0)) - form_of(system.resolve_point(point)));
  // A gradient half another one, a master that is held along one direction, and a slave of slaves.
  if (first.node_vectors == 4) {
    tie(draft, combine(1, vector_form(first.vector(0, 2)), -0.5, vector_form(cable.vector(1, 1))));
    hold(draft, second.vector(0, 2), any_direction());
  }
  hold(draft, cable.vector(1, 0), any_direction());
  hold(draft, cable.vector(2, 0), {{0, 1, 0}});
  hold(draft, cable.vector(0, 1), any_direction());
  hold(draft, cable.vector(0, 1), any_direction());
  tie(draft, vector_form(cable.vector(0, 0)));  // held altogether
  hold(draft, first.vector(first.mesh.node_count() / 2, 0), any_direction());
}

struct Way {
  TangentForm form;
  double damping;
  bool moment;  // makes the pattern unsymmetric
};

class EliminationOfEveryKind : public ::testing::TestWithParam<ElementKind> {};

TEST_P(EliminationOfEveryKind, TangentIsTheProjectedFreeTangent) {
  const Way ways[] = {{TangentForm::symmetric, 1e-3, false},
                      {TangentForm::exact, 0, false},
                      {TangentForm::exact, 1e-3, false},
                      {TangentForm::symmetric, 1e-3, true}};
  unsigned seed = 1;
  for (const Way& way : ways) {
    if (way.moment && GetParam()->gradients() < 3) continue;
    Joined joined(GetParam(), way.damping);
    joined.model.tangent = way.form;
    if (way.moment) joined.model.loads.add("moment", PointMoment{at_node("second", 0), test::constant(30, -40, 50)});
    const System free = compile_with(joined.model, [](Draft&) {});
    ASSERT_EQ(free.map.size, static_cast<int>(free.q0.size()));
    const System system = compile_with(joined.model, [&](Draft& s) { join(s, seed); });
    EXPECT_EQ(system.symmetric, !way.moment && (way.form == TangentForm::symmetric || way.damping == 0));
    EXPECT_FALSE(system.map.slaves.empty());
    EXPECT_FALSE(system.map.bases.empty());
    const State state = disturbed(free, 7 + seed);
    Workspace work(system, 1), free_work(free, 1);
    std::vector<double> values, free_values;
    const Dense T = prolongation(system);
    evaluate_tangent(system, state, 0.8, 0.3, work, values, 1e5);
    evaluate_tangent(free, state, 0.8, 0.3, free_work, free_values, 1e5);
    expect_equal(dense(system, values), project(T, dense(free, free_values)), 1e-12);
    ++seed;
  }
}

TEST_P(EliminationOfEveryKind, MassOfTheTangentIsTheMassMatrix) {
  Joined joined(GetParam());
  const System system = compile_with(joined.model, [](Draft& s) { join(s, 5); });
  const Dense T = prolongation(system);
  Workspace work(system, 1);
  std::vector<double> values, none;
  const State state = system.initial_state();
  evaluate_tangent(system, state, 0, 0, work, values, 2.5);
  const MassMatrix mass(system);
  const std::size_t N = system.q0.size();
  Dense M(N, std::vector<double>(N, 0.0));
  std::vector<double> unit(N, 0.0);
  for (std::size_t c = 0; c < N; ++c) {
    unit[c] = 1;
    std::vector<double> column(N, 0.0);
    mass.add_product(2.5, unit, column);
    for (std::size_t r = 0; r < N; ++r) M[r][c] = column[r];
    unit[c] = 0;
  }
  expect_equal(dense(system, values), project(T, M), 1e-13);
}

TEST_P(EliminationOfEveryKind, TiesHoldWhateverTheUnknownsDo) {
  Joined joined(GetParam());
  std::vector<Tie> ties;
  std::vector<ConstraintRow> rows;
  const System system = compile_with(joined.model, [&](Draft& s) {
    const std::size_t rigidity = s.equations.rows.size();
    join(s, 6);
    ties = s.equations.ties;
    rows.assign(s.equations.rows.begin() + static_cast<std::ptrdiff_t>(rigidity), s.equations.rows.end());
  });
  EXPECT_EQ(system.row_count(), 6);  // the rigid body's own
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> dz(system.map.size), q = system.q0;
  for (double& x : dz) x = unit(random);
  system.map.prolong({}, dz, 0.3, q);
  for (const Tie& t : ties) {
    const Vec3<double> gap = t.x.value(q) - t.constant;
    EXPECT_NEAR(std::sqrt(dot(gap, gap)), 0, 1e-12);
  }
  for (const ConstraintRow& row : rows)
    EXPECT_NEAR(dot(row.part.along, row.part.arguments[0].value(q)), row.constant, 1e-12);
  // As many unknowns as coordinates without equations.
  EXPECT_EQ(system.map.size,
            static_cast<int>(system.q0.size()) - 3 * static_cast<int>(ties.size()) - static_cast<int>(rows.size()));
  // Slaves follow their masters also through follow().
  std::vector<double> v(q.size(), 0.0), a(q.size(), 0.0), again = q;
  system.map.follow(system.q0, 0, 0, again, v, a);
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(again[k], q[k], 1e-12);
}

TEST_P(EliminationOfEveryKind, RestrictionIsTheTransposeOfProlongation) {
  Joined joined(GetParam());
  const System system = compile_with(joined.model, [](Draft& s) { join(s, 8); });
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<double> dz(system.map.size), f(system.q0.size()), prolonged(system.q0.size(), 0.0), restricted;
  for (double& x : dz) x = unit(random);
  for (double& x : f) x = unit(random);
  system.map.prolong({}, dz, 1, prolonged);
  system.map.restrict({}, f, restricted);
  double left = 0, right = 0;
  for (std::size_t k = 0; k < f.size(); ++k) left += f[k] * prolonged[k];
  for (int i = 0; i < system.map.size; ++i) right += dz[i] * restricted[i];
  EXPECT_NEAR(left, right, 1e-11);
}

TEST_P(EliminationOfEveryKind, SameNumbersForOneAndTwoThreadsBitByBit) {
  for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    Joined joined(GetParam(), 1e-3, 1501);
    joined.model.tangent = form;
    // Every seventh node of the second strip follows the rigid body, every eleventh the node of the first.
    const System system = compile_with(joined.model, [](Draft& s) {
      join(s, 9);
      const BodyInfo &first = s.system.bodies[0], &second = s.system.bodies[1];
      for (int n = 14; n + 14 < second.mesh.node_count() && n < 500; n += 7) {
        At lug = at("rigid", "");
        const Vec3<double> r = entry(s.system.q0, second.vector(n, 0));
        lug.point = Triple{r[0], r[1], r[2]};
        tie(s, vector_form(second.vector(n, 0)) - form_of(s.system.resolve_point(lug)));
      }
      for (int n = 11; n + 11 < second.mesh.node_count(); n += 11)
        tie(s, vector_form(second.vector(n, 1)) - vector_form(first.vector(n, 1)));
    });
    const State state = disturbed(system, 12);
    Workspace one(system, 1), two(system, 2);
    std::vector<double> a, b;
    for (int repeat = 0; repeat < 2; ++repeat) {
      evaluate_internal(system, state, one);
      evaluate_internal(system, state, two);
      EXPECT_EQ(one.internal, two.internal);
      evaluate_tangent(system, state, 1, 0.5, one, a, 3);
      evaluate_tangent(system, state, 1, 0.5, two, b, 3);
      EXPECT_EQ(a, b);
    }
  }
}

// Shared nodes, or own nodes joined by constraints: the same matrix after elimination.
TEST_P(EliminationOfEveryKind, AMeshJoinedByConstraintsIsTheSharedMesh) {
  test::Strip strip = test::make_strip(GetParam(), 1e-3, 4);
  strip.model.constraints.add("root", Clamp{at("strip", strip.start)});
  const System shared = compile(strip.model);
  std::get<Body>(strip.model.bodies.items[0].second).connect = Connect::constraints;
  const System joined = compile(strip.model);
  ASSERT_EQ(joined.map.size, shared.map.size);
  EXPECT_EQ(joined.row_count(), 0);
  EXPECT_EQ(joined.pattern.nonzeros(), shared.pattern.nonzeros());
  // The same motion of both: along random unknowns of the shared mesh, matched by coordinates.
  const auto matching = [&](const System& from, const System& to, const std::vector<double>& x) {
    std::vector<double> y(to.q0.size());
    const BodyInfo &a = from.bodies[0], &b = to.bodies[0];
    for (int n = 0; n < b.mesh.node_count(); ++n) {
      int same = 0;
      for (int m = 0; m < a.mesh.node_count(); ++m) {
        const Vec3<double> gap = entry(from.q0, a.vector(m, 0)) - entry(to.q0, b.vector(n, 0));
        if (dot(gap, gap) < 1e-20) same = m;
      }
      for (int k = 0; k < 3 * a.node_vectors; ++k) y[3 * b.vector(n, 0) + k] = x[3 * a.vector(same, 0) + k];
    }
    return y;
  };
  const State state = disturbed(shared, 2);
  State other = joined.initial_state();
  other.q = matching(shared, joined, state.q);
  other.v = matching(shared, joined, state.v);
  Workspace work(shared, 1), other_work(joined, 1);
  std::vector<double> values, other_values;
  evaluate_tangent(shared, state, 1, 0.2, work, values, 10);
  evaluate_tangent(joined, other, 1, 0.2, other_work, other_values, 10);
  // Quadratic forms with the same random motions agree.
  const Dense T = prolongation(shared), K = dense(shared, values), L = dense(joined, other_values);
  const Dense U = prolongation(joined);
  double scale = 0;
  for (double x : values) scale = std::max(scale, std::abs(x));
  for (int i = 0; i < shared.map.size; ++i) {
    const std::vector<double> moved = matching(shared, joined, T[i]);
    int partner = -1;  // the unknown of the joined mesh that does the same
    for (int j = 0; j < joined.map.size; ++j)
      if (U[j] == moved) partner = j;
    ASSERT_GE(partner, 0);
    EXPECT_NEAR(K[i][i], L[partner][partner], 1e-12 * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Elimination, EliminationOfEveryKind, ::testing::ValuesIn([] {
                           std::vector<ElementKind> kinds;
                           for (const ElementKind kind : element_registry()) kinds.push_back(kind);
                           return kinds;
                         }()),
                         [](const auto& kind) { return std::string(element_info(kind.param).name); });

TEST(Elimination, SpringsAndMassesSpreadOverSlaves) {
  Model model = Joined(ElementKind::beam3243).model;
  Spring spring;
  spring.a = at_node("second", 2);  // a slave of the rigid body
  spring.b = at_node("strip", 0);   // a slave of the cable
  spring.stiffness = 1e6;
  spring.damping = 1e3;
  spring.free_length = 0.1;
  model.springs.add("spring", spring);
  for (TangentForm form : {TangentForm::symmetric, TangentForm::exact}) {
    model.tangent = form;
    const System free = compile_with(model, [](Draft&) {});
    const System system = compile_with(model, [](Draft& s) { join(s, 4); });
    EXPECT_EQ(system.symmetric, form == TangentForm::symmetric);
    const State state = disturbed(free, 3);
    Workspace work(system, 1), free_work(free, 1);
    std::vector<double> values, free_values;
    evaluate_tangent(system, state, 1, 0.3, work, values);
    evaluate_tangent(free, state, 1, 0.3, free_work, free_values);
    expect_equal(dense(system, values), project(prolongation(system), dense(free, free_values)), 1e-12);
  }
}

TEST(Elimination, DrivenDirectionsFollowTheirSignalThroughAliases) {
  Joined joined(ElementKind::beam3243);
  const System system = compile_with(joined.model, [](Draft& s) {
    const BodyInfo &first = s.system.bodies[0], &second = s.system.bodies[1];
    tie(s, vector_form(second.vector(0, 0)) - vector_form(first.vector(2, 0)));
    s.equations.rows.push_back({Part::linear({{0, 0, 1}}, vector_form(first.vector(2, 0))),
                                entry(s.system.q0, first.vector(2, 0))[2], Signal::expression("0.1*sin(3*t)"), 0});
  });
  State state = system.initial_state();
  state.a.assign(state.q.size(), 0.0);
  const double t = 0.7;
  system.map.follow(system.q0, t, t, state.q, state.v, state.a);
  for (int vector : {system.bodies[0].vector(2, 0), system.bodies[1].vector(0, 0)}) {
    EXPECT_NEAR(state.q[3 * vector + 2], 0.1 * std::sin(3 * t), 1e-14);
    EXPECT_NEAR(state.v[3 * vector + 2], 0.3 * std::cos(3 * t), 1e-9);
    EXPECT_NEAR(state.a[3 * vector + 2], -0.9 * std::sin(3 * t), 1e-6);
  }
}

TEST(Elimination, EquationsThatContradictAreErrors) {
  const Model model = Joined(ElementKind::beam3243).model;
  const auto error = [&](const std::function<void(Draft&)>& add) {
    try {
      compile_with(model, add);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(error([](Draft& s) {
              tie(s, vector_form(3) - vector_form(0));
              s.equations.ties.push_back({vector_form(3) - vector_form(0), {{5, 0, 0}}, 0});
            }).find("contradicts"),
            std::string::npos);
  EXPECT_NE(error([](Draft& s) {
              s.equations.ties.push_back({vector_form(0), {{1, 0, 0}}, 0});
            }).find("reference configuration"),
            std::string::npos);
  EXPECT_EQ(error([](Draft& s) {  // the same equation twice is no harm
              tie(s, vector_form(3) - vector_form(0));
              tie(s, vector_form(3) - vector_form(0));
              tie(s, vector_form(3));
              tie(s, vector_form(0));
            }),
            "");
}

}  // namespace
}  // namespace lithe
