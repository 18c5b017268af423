// Preconditioners: fixed linear maps, symmetric and positive where methods need it, every one with every method that
// can use it, and the reason where one cannot. Krylov solvers of the registry: renewed products, reports, the ladder.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "../net_matrix.h"
#include "lithe/base/error.h"
#include "lithe/linalg/krylov/preconditioner.h"
#include "lithe/linalg/solver_ladder.h"

namespace lithe {
namespace {

using namespace fixtures;
using Kind = PreconditionerKind;
constexpr Kind all_kinds[] = {Kind::automatic,  Kind::none,   Kind::jacobi,     Kind::block_jacobi,
                              Kind::incomplete, Kind::factor, Kind::constraint, Kind::spike};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Nodes of three unknowns in a chain, coupled with their neighbours.
Matrix nodes(int count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Entries entries;
  for (int a = 0; a < count; ++a)
    for (int b = a; b < std::min(count, a + 2); ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          if (a == b && j < i) continue;
          const int r = 3 * a + i, c = 3 * b + j;
          entries[{r, c}] = entries[{c, r}] = r == c ? 12 + uniform(engine) : uniform(engine) * (a == b ? 3 : 1);
        }
  return assemble(3 * count, entries, true);
}

TEST(RowMatrix, ProductsAreThoseOfTheMatrix) {
  for (const Matrix& m :
       {random_matrix(50, true, 3, 1), random_matrix(50, false, 3, 2), saddle_point(30, 9, true, 3)}) {
    const auto x = random_vector(m.pattern.size, 4);
    std::vector<double> expected, y(x.size());
    for (const bool transposed : {false, true}) {
      RowMatrix rows(m.pattern, transposed);
      rows.gather(m.values);
      rows.multiply(x, y);
      if (transposed) multiply_transposed(m.pattern, m.values, x, expected);
      else multiply(m.pattern, m.values, x, expected);
      for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], expected[i], 1e-13);
    }
  }
}

// Rows side by side and rows alone, in one chunk and in many: each is one sum from left to right.
TEST(RowMatrix, ThreadsChangeNoBit) {
  const Matrix vectors = nodes(20000, 3), single = random_matrix(30000, false, 3, 4);
  for (const Matrix* m : {&vectors, &single}) {
    RowMatrix rows(m->pattern);
    rows.gather(m->values);
    const auto x = random_vector(m->pattern.size, 4);
    std::vector<double> plain(x.size(), 0.0), y(x.size());
    for (int i = 0; i < rows.size(); ++i)
      for (int p = rows.pattern.row_start[i]; p < rows.pattern.row_start[i + 1]; ++p)
        plain[i] = std::fma(rows.values[p], x[rows.pattern.column[p]], plain[i]);
    rows.multiply(x, y);
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(y[i], plain[i], 1e-14);
    const std::vector<double> alone = y;
    for (const int threads : {2, 3, 7}) {
      Team team(threads);
      std::ranges::fill(y, 0.0);
      rows.multiply(x, y, &team);
      ASSERT_EQ(y, alone);
    }
  }
}

TEST(Preconditioners, BlocksOnThreadsChangeNoBit) {
  const Matrix plain = nodes(20000, 3), net = net_matrix({.n = 16});
  int multipliers = 0;
  for (int j = net.pattern.size - 1; net.values[net.pattern.column_start[j + 1] - 1] == 0; --j) ++multipliers;
  for (const auto& [m, of] :
       {std::pair<const Matrix&, PreconditionerCase>{plain, {KrylovMethod::cg, MatrixKind::positive_definite, 0}},
        {net, {KrylovMethod::cg, MatrixKind::symmetric_indefinite, multipliers}}}) {
    RowMatrix rows(m.pattern);
    rows.gather(m.values);
    const auto r = random_vector(m.pattern.size, 4);
    std::vector<double> alone(r.size()), z(r.size());
    for (const int threads : {1, 2, 3, 7}) {
      Team team(threads);
      PreconditionerCase with = of;
      with.options.preconditioner = of.multipliers > 0 ? Kind::constraint : Kind::block_jacobi;
      with.team = threads > 1 ? &team : nullptr;
      const auto preconditioner = make_preconditioner(with, m.pattern, rows);
      ASSERT_TRUE(preconditioner->make(rows, m.values).ok());
      preconditioner->apply(r, threads > 1 ? z : alone, false);
      if (threads > 1) {
        ASSERT_EQ(z, alone);
      }
    }
  }
}

// The mass of the same model makes a matrix that is a small change of it one for a few iterations.
TEST(Preconditioners, MassOfShortSteps) {
  const Matrix mass = nodes(400, 1);
  std::vector<double> A = mass.values;
  const Matrix change = nodes(400, 2);
  for (std::size_t p = 0; p < A.size(); ++p) A[p] = 1e6 * (A[p] + 1e-3 * change.values[p]);
  for (const char* method : {"cg", "minres", "gmres", "bicgstab2"}) {
    const auto solver = make_linear_solver(
        method, SolverOptions{.kind = method[0] == 'g' || method[0] == 'b' ? MatrixKind::symmetric_indefinite
                                                                           : MatrixKind::positive_definite,
                              .krylov = {.preconditioner = Kind::mass, .tolerance = {}},
                              .multipliers = 0,
                              .mass = &mass.values});
    solver->analyse(mass.pattern);
    ASSERT_TRUE(solver->factor(A).ok()) << method;
    const auto b = random_vector(mass.pattern.size, 5);
    std::vector<double> x;
    const SolveReport report = solver->solve(b, x, {.tolerance = 1e-10});
    EXPECT_TRUE(report.ok()) << method;
    EXPECT_LE(report.iterations, 5) << method;
  }
  EXPECT_THROW(
      {
        const auto solver =
            make_linear_solver("cg", SolverOptions{.krylov = {.preconditioner = Kind::mass, .tolerance = {}}});
        solver->analyse(mass.pattern);
        (void)solver->factor(A);
      },
      InputError);
}

TEST(RowMatrix, BlocksAreNodesOrPartsThatStandAlone) {
  const UnknownBlocks chain = find_blocks(RowMatrix(nodes(40, 1).pattern).pattern, 120);
  ASSERT_GE(chain.count(), 38);  // the two at either end are coupled with the same others
  EXPECT_EQ(chain.start[2] - chain.start[1], 3);
  Entries entries;
  for (int block = 0; block < 5; ++block)
    for (int i = 0; i < 6; ++i) {
      const int a = block + 5 * i;  // not neighbours
      entries[{a, a}] = 2;
      if (i > 0) entries[{a, a - 5}] = entries[{a - 5, a}] = 1;
    }
  const UnknownBlocks alone = find_blocks(RowMatrix(assemble(30, entries, true).pattern).pattern, 30);
  ASSERT_EQ(alone.count(), 5);
  for (int b = 0; b < 5; ++b)
    for (int k = 0; k < 6; ++k) EXPECT_EQ(alone.unknown[alone.start[b] + k], b + 5 * k);
}

TEST(Preconditioners, AreLinearSymmetricAndPositive) {
  const Matrix definite = nodes(40, 1), saddle = saddle_point(90, 30, true, 2),
               general = random_matrix(80, false, 8, 3);
  for (const Matrix* m : {&definite, &saddle, &general})
    for (const KrylovMethod method :
         {KrylovMethod::cg, KrylovMethod::minres, KrylovMethod::projected_minres, KrylovMethod::gmres})
      for (const Kind kind : all_kinds) {
        const MatrixKind matrix = m == &definite ? MatrixKind::positive_definite
                                  : m == &saddle ? MatrixKind::symmetric_indefinite
                                                 : MatrixKind::unsymmetric;
        if (matrix == MatrixKind::unsymmetric && method != KrylovMethod::gmres) continue;
        PreconditionerCase of{method, matrix, m == &saddle ? 30 : 0, {.preconditioner = kind, .tolerance = {}}};
        of.options.precision = SpikePrecision::full;  // linear to the digits that are tested here
        try {
          require_preconditioner(of);
        } catch (const InputError& error) {
          EXPECT_NE(std::string(error.what()).find("use '"), std::string::npos) << error.what();
          continue;
        }
        RowMatrix rows(m->pattern);
        rows.gather(m->values);
        const auto p = make_preconditioner(of, m->pattern, rows);
        if (!p) continue;
        const std::string where = std::string(word(kind)) + ", " + to_string(matrix);
        ASSERT_TRUE(p->make(rows, m->values).ok()) << where;
        const int n = m->pattern.size;
        const auto x = random_vector(n, 5), y = random_vector(n, 6);
        std::vector<double> sum(n), px(n), py(n), ps(n), again(n), tx(n);
        for (int i = 0; i < n; ++i) sum[i] = 2 * x[i] - 3 * y[i];
        p->apply(x, px, false);
        p->apply(y, py, false);
        p->apply(sum, ps, false);
        p->apply(x, again, false);
        EXPECT_EQ(px, again) << where;
        for (int i = 0; i < n; ++i) ASSERT_NEAR(ps[i], 2 * px[i] - 3 * py[i], 1e-11) << where;
        p->apply(x, tx, true);
        EXPECT_NEAR(dot(y, tx), dot(x, py), 1e-10) << where << ": the transpose";
        if (matrix != MatrixKind::unsymmetric) {
          EXPECT_NEAR(dot(x, py), dot(y, px), 1e-10) << where << ": symmetric";
        }
        if (of.positive()) {
          EXPECT_GT(dot(x, px), 0) << where;
          EXPECT_GT(dot(y, py), 0) << where;
        }
        again = x;
        p->apply(again, again, false);
        EXPECT_EQ(px, again) << where << ", in place";
      }
}

TEST(Preconditioners, TheConstraintOneContainsTheRows) {
  const int n = 90, m = 30;
  const Matrix saddle = saddle_point(n, m, true, 2);
  RowMatrix rows(saddle.pattern);
  rows.gather(saddle.values);
  for (const Kind kind : {Kind::none, Kind::jacobi, Kind::constraint}) {
    const auto p = make_preconditioner({KrylovMethod::projected_minres,
                                        MatrixKind::symmetric_indefinite,
                                        m,
                                        {.preconditioner = kind, .tolerance = {}}},
                                       saddle.pattern, rows);
    ASSERT_TRUE(p->make(rows, saddle.values).ok());
    const auto r = random_vector(n + m, 4);
    std::vector<double> z(n + m), image;
    p->apply(r, z, false);
    multiply(saddle.pattern, saddle.values, z, image);
    for (int i = n; i < n + m; ++i) ASSERT_NEAR(image[i], r[i], 1e-12) << word(kind);
  }
}

// Where nothing but constraints couples blocks, one step solves.
TEST(Preconditioners, BlocksJoinedByConstraintsAreSolvedAtOnce) {
  Entries entries;
  const int blocks = 30, side = 6, n = blocks * side;
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int b = 0; b < blocks; ++b)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j <= i; ++j) {
        const int r = b * side + i, c = b * side + j;
        entries[{r, c}] = entries[{c, r}] = i == j ? 8 + uniform(engine) : uniform(engine);
      }
  const int rows = 2 * (blocks - 1);
  for (int k = 0; k < rows; ++k) {
    const int a = (k / 2) * side + 4 + k % 2, b = (k / 2 + 1) * side + k % 2, row = n + k;
    entries[{row, row}] = 0;
    entries[{row, a}] = entries[{a, row}] = 1;
    entries[{row, b}] = entries[{b, row}] = -1;
  }
  const Matrix m = assemble(n + rows, entries, true);
  const auto b = random_vector(n + rows, 4);
  for (const auto& [name, most] : std::vector<std::pair<const char*, int>>{
           {"projected_minres", 1}, {"gmres", 1}, {"bicgstab", 1}, {"bicgstab2", 1}, {"minres", 4}}) {
    auto solver = make_linear_solver(name);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok()) << name;
    std::vector<double> x;
    const SolveReport report = solver->solve(b, x, {.tolerance = 1e-10});
    ASSERT_TRUE(report.ok()) << name << ": " << report.text();
    EXPECT_LE(report.iterations, most) << name;
    // Its only product gave the residual: no other one repeats it.
    if (std::string(name) == "projected_minres") {
      EXPECT_EQ(report.products, 1);
    }
    std::vector<double> image;
    multiply(m.pattern, m.values, x, image);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      error += (b[i] - image[i]) * (b[i] - image[i]);
      size += b[i] * b[i];
    }
    EXPECT_NEAR(report.last_residual, std::sqrt(error), 1e-14 * std::sqrt(size)) << name;
  }
}

// Rows hold to rounding, not to rounding times what the blocks amplify.
TEST(Preconditioners, RowsHoldHoweverStiffTheBlocks) {
  for (const double stiff : {1e3, 1e6, 1e9}) {
    Entries entries;
    const int blocks = 20, side = 6, n = blocks * side, m = 3 * (blocks - 1);
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    // 1 + stiff v v^T.
    for (int b = 0; b < blocks; ++b) {
      double v[side];
      for (double& x : v) x = uniform(engine);
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) entries[{b * side + i, b * side + j}] = (i == j) + stiff * v[i] * v[j];
    }
    for (int k = 0; k < m; ++k) {
      const int a = (k / 3) * side + 3 + k % 3, b = (k / 3 + 1) * side + k % 3, row = n + k;
      entries[{row, row}] = 0;
      entries[{row, a}] = entries[{a, row}] = 1;
      entries[{row, b}] = entries[{b, row}] = -1;
    }
    const Matrix saddle = assemble(n + m, entries, true);
    RowMatrix rows(saddle.pattern);
    rows.gather(saddle.values);
    const auto p = make_preconditioner({KrylovMethod::projected_minres,
                                        MatrixKind::symmetric_indefinite,
                                        m,
                                        {.preconditioner = Kind::constraint, .tolerance = {}}},
                                       saddle.pattern, rows);
    ASSERT_TRUE(p->make(rows, saddle.values).ok());
    const auto r = random_vector(n + m, 4);
    std::vector<double> z(n + m), image;
    p->apply(r, z, false);
    multiply(saddle.pattern, saddle.values, z, image);
    for (int i = n; i < n + m; ++i) ASSERT_NEAR(image[i], r[i], 1e-13) << stiff;
  }
}

TEST(Preconditioners, SpikeTellsOfItsSetUp) {
  const Matrix m = nodes(300, 4);
  RowMatrix rows(m.pattern);
  rows.gather(m.values);
  PreconditionerCase of{.method = KrylovMethod::gmres, .kind = MatrixKind::positive_definite};
  of.options.preconditioner = Kind::spike;
  of.options.partitions = 4;
  const auto p = make_preconditioner(of, m.pattern, rows);
  ASSERT_TRUE(p->make(rows, m.values).ok());
  const auto figure = [&](const std::string& name) {
    for (const PreconditionerFigure& f : p->figures())
      if (f.name == name) return f.value;
    ADD_FAILURE() << name;
    return -1.0;
  };
  EXPECT_EQ(figure("partitions"), 4);
  EXPECT_LE(figure("ordered_bandwidth"), 5);
  EXPECT_LE(figure("largest_partition_bandwidth"), figure("ordered_bandwidth"));
  EXPECT_EQ(figure("kept_share"), 1);
  EXPECT_EQ(figure("boosted_pivots"), 0);
  EXPECT_GT(figure("factor_s"), 0);
  EXPECT_GT(p->nonzeros(), figure("numbers"));
}

TEST(Preconditioners, IncompleteFactorsAreShiftedWhereTheyBreakDown) {
  // Positive definite (a cycle of four around a strong diagonal makes no pivot negative; Kershaw's does).
  Entries kershaw;
  const double v[4][4] = {{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (v[i][j] != 0) kershaw[{i, j}] = v[i][j];
  const Matrix m = assemble(4, kershaw, true);
  SolverOptions options;
  options.krylov.preconditioner = Kind::incomplete;
  auto solver = make_linear_solver("cg", options);
  solver->analyse(m.pattern);
  ASSERT_TRUE(solver->factor(m.values).ok());
  std::vector<double> x;
  EXPECT_TRUE(solver->solve({1, 2, -1, 0.5}, x).ok());
}

TEST(KrylovSolvers, EveryPreconditionerThatApplies) {
  const Matrix definite = nodes(60, 7), saddle = saddle_point(150, 50, true, 8),
               general = random_matrix(150, false, 8, 9);
  int refused = 0, solved = 0;
  for (const SolverInfo& info : linear_solvers())
    for (const Matrix* m : {&definite, &saddle, &general})
      for (const Kind kind : all_kinds) {
        if (!info.iterative) continue;
        const MatrixKind matrix = m == &definite ? MatrixKind::positive_definite
                                  : m == &saddle ? MatrixKind::symmetric_indefinite
                                                 : MatrixKind::unsymmetric;
        if (std::ranges::find(info.kinds, matrix) == info.kinds.end()) continue;
        SolverOptions options{.kind = matrix};
        options.krylov.preconditioner = kind;
        options.krylov.restart = 100;
        auto solver = make_linear_solver(info.name, options);
        const std::string where = info.name + ", " + word(kind) + ", " + to_string(matrix);
        solver->analyse(m->pattern);
        const auto expected = random_vector(m->pattern.size, 4);
        std::vector<double> b, x;
        multiply(m->pattern, m->values, expected, b);
        try {
          ASSERT_TRUE(solver->factor(m->values).ok()) << where;
        } catch (const InputError&) {
          ++refused;
          continue;
        }
        const SolveReport report = solver->solve(b, x);
        ASSERT_TRUE(report.ok()) << where << ": " << report.text() << ", " << report.last_residual;
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-10) << where;
        EXPECT_GT(report.iterations, 0) << where;
        EXPECT_GT(report.first_residual, report.last_residual) << where;
        ++solved;
      }
  // constraint without multipliers: 6 + 3; projected_minres and minres: incomplete and factor; with cg also spike, and
  // cg with multipliers all but constraint (and auto, which is that).
  EXPECT_EQ(refused, 9 + 2 + 2 + 2 + 5 + 6);
  EXPECT_GT(solved, 60);
}

// What rounding leaves of rows that hold is solved, too: below the smallest number of single precision.
TEST(KrylovSolvers, SmallRightHandSidesAreNoOthers) {
  const Matrix m = saddle_point(150, 50, true, 8);
  for (const char* method : {"gmres", "bicgstab", "bicgstab2"}) {
    SolverOptions options{.kind = MatrixKind::symmetric_indefinite};
    options.krylov.preconditioner = Kind::spike;
    auto solver = make_linear_solver(method, options);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    std::vector<double> b = random_vector(m.pattern.size, 4), x, tiny;
    ASSERT_TRUE(solver->solve(b, x).ok()) << method;
    for (double& value : b) value = std::ldexp(value, -170);
    const SolveReport report = solver->solve(b, tiny);
    ASSERT_TRUE(report.ok()) << method << ": " << report.text();
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(tiny[i], std::ldexp(x[i], -170)) << method;
  }
}

TEST(KrylovSolvers, RenewedProductsKeepThePreconditioner) {
  Matrix m = nodes(60, 7);
  for (const SolverInfo& info : linear_solvers()) {
    if (!info.iterative) continue;
    SolverOptions options{.kind = MatrixKind::positive_definite};
    options.krylov.preconditioner = info.name == "projected_minres" ? Kind::block_jacobi : Kind::factor;
    auto solver = make_linear_solver(info.name, options);
    solver->analyse(m.pattern);
    ASSERT_TRUE(solver->factor(m.values).ok());
    auto other = m;
    for (std::size_t p = 0; p < other.values.size(); ++p) other.values[p] *= 1 + 0.01 * std::sin(p);
    ASSERT_TRUE(solver->renew(other.values));
    EXPECT_EQ(*solver->pivot_values(), m.values);
    const auto expected = random_vector(180, 4);
    std::vector<double> b, x;
    multiply(other.pattern, other.values, expected, b);
    const SolveReport report = solver->solve(b, x);
    ASSERT_TRUE(report.ok()) << info.name;
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-11) << info.name;
    if (options.krylov.preconditioner == Kind::factor) {
      EXPECT_LT(report.iterations, 20) << info.name;
      EXPECT_GT(report.iterations, 1) << info.name << ": of another matrix";
    }
    other.values[3] = NAN;
    EXPECT_FALSE(solver->renew(other.values));
  }
}

TEST(KrylovLadder, PoliciesCountTheirPreconditioners) {
  Matrix m = nodes(60, 7);
  const auto run = [&](KrylovOptions krylov, int matrices, double change) {
    krylov.preconditioner = Kind::factor;
    SolverLadder ladder(m.pattern, MatrixKind::positive_definite, {.solver = "cg", .krylov = krylov});
    Matrix now = m;
    for (int k = 0; k < matrices; ++k) {
      for (std::size_t p = 0; p < now.values.size(); ++p) now.values[p] = m.values[p] * (1 + change * k * std::sin(p));
      EXPECT_TRUE(ladder.factor(now.values));
      std::vector<double> x;
      EXPECT_TRUE(ladder.solve(random_vector(180, k), x).ok());
    }
    EXPECT_EQ(ladder.report().kept + ladder.report().factorisations, matrices);
    EXPECT_EQ(ladder.report().fallbacks, 0);
    EXPECT_GT(ladder.report().iterations, 0);
    return ladder.report().factorisations;
  };
  EXPECT_EQ(run({.tolerance = {}, .update = PreconditionerUpdate::never}, 12, 1e-3), 1);
  EXPECT_EQ(run({.tolerance = {}, .update = PreconditionerUpdate::uniform, .update_every = 4}, 12, 1e-3), 3);
  EXPECT_EQ(run({.tolerance = {}, .update = PreconditionerUpdate::threshold, .update_above = 1000}, 12, 1e-3), 1);
  EXPECT_EQ(run({.tolerance = {}, .update = PreconditionerUpdate::threshold, .update_above = 1}, 12, 1e-3), 6)
      << "a new one serves twice";
  EXPECT_EQ(run({}, 12, 0), 1) << "adaptive: the same matrix";
  const long long adaptive = run({}, 12, 5e-3);
  EXPECT_GT(adaptive, 1);
  EXPECT_LT(adaptive, 12);
}

TEST(KrylovLadder, AFailureRenewsAndThenFallsBack) {
  const Matrix m = nodes(60, 7);
  Matrix other = m;  // of another size altogether: an old preconditioner is of no use within few iterations
  for (int j = 0; j < 180; ++j) {
    const double f = std::pow(10.0, j % 7);
    for (int p = m.pattern.column_start[j]; p < m.pattern.column_start[j + 1]; ++p)
      other.values[p] *= f * std::pow(10.0, m.pattern.row[p] % 7);
  }
  const auto b = random_vector(180, 1);
  std::vector<double> x, y, expected;
  KrylovOptions krylov{
      .preconditioner = Kind::factor, .tolerance = {}, .iterations = 3, .update = PreconditionerUpdate::never};
  SolverLadder ladder(m.pattern, MatrixKind::positive_definite, {.solver = "cg", .krylov = krylov});
  ASSERT_TRUE(ladder.factor(m.values));
  ASSERT_TRUE(ladder.solve(b, x).ok());
  ASSERT_TRUE(ladder.factor(other.values));
  ASSERT_TRUE(ladder.solve(b, x).ok());
  EXPECT_EQ(ladder.report().remade, 1);
  EXPECT_EQ(ladder.report().fallbacks, 0);
  EXPECT_NE(ladder.report().text().find("1 made anew"), std::string::npos) << ladder.report().text();
  // Without any help three iterations do not suffice.
  krylov.preconditioner = Kind::none;
  SolverLadder poor(m.pattern, MatrixKind::positive_definite, {.solver = "cg", .krylov = krylov});
  ASSERT_TRUE(poor.factor(m.values));
  ASSERT_TRUE(poor.solve(b, y).ok());
  EXPECT_EQ(poor.report().fallbacks, 1);
  EXPECT_EQ(poor.report().rungs[1].used, 1);
  EXPECT_NE(poor.report().text().find("1 solves by another solver"), std::string::npos) << poor.report().text();
  SolverLadder direct(m.pattern, MatrixKind::positive_definite, {});
  ASSERT_TRUE(direct.factor(m.values) && direct.solve(b, expected).ok());
  for (int i = 0; i < 180; ++i) ASSERT_NEAR(y[i], expected[i], 1e-14);
  ASSERT_TRUE(poor.factor(m.values));
  EXPECT_EQ(poor.report().rungs[0].used, 2) << "the next matrix begins at the top";
}

}  // namespace
}  // namespace lithe
