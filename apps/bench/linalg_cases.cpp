#include "linalg_cases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>

#include "four_bar.h"
#include "linalg_twins.h"
#include "lithe/base/error.h"
#include "machine.h"

namespace lithe::app {

namespace {

using Entries = std::map<std::pair<int, int>, double>;  // (column, row): both triangles

struct Random {
  std::mt19937 engine{20070711};
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
};

// Symmetric nonzeros until n^2 fill / 100 entries are in use; the diagonal grows by as much as its row.
void fill_up(Entries& entries, int n, double fill, Random& random) {
  const std::size_t wanted = std::size_t(0.01 * fill * n * n);
  std::vector<std::pair<int, int>> free;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      if (!entries.contains({j, i})) free.emplace_back(j, i);
  std::shuffle(free.begin(), free.end(), random.engine);
  const double scale = 1.0 / n;
  for (const auto& [j, i] : free) {
    if (entries.size() + 1 >= wanted) break;
    const double a = scale * random.uniform();
    entries[{j, i}] = entries[{i, j}] = a;
    entries[{j, j}] += std::abs(a);
    entries[{i, i}] += std::abs(a);
  }
}

// Signs or triangles of their own for kinds that are not positive definite; a dominant diagonal keeps them regular.
void change_kind(Entries& entries, int n, MatrixKind kind, Random& random) {
  if (kind == MatrixKind::positive_definite) return;
  std::vector<double> sum(n, 0.0);
  for (auto& [place, a] : entries) {
    if (place.first == place.second) continue;
    if (kind == MatrixKind::unsymmetric) a *= 1 + 0.5 * random.uniform();
    sum[place.second] += std::abs(a);
  }
  for (int i = 0; i < n; ++i) entries[{i, i}] = (random.uniform() < 0 ? -1 : 1) * (1.1 * sum[i] + 1e-3);
}

MatrixCase assemble(const char* family, MatrixKind kind, int n, double fill, const Entries& entries, Random& random) {
  MatrixCase matrix{family, kind, fill, {}, {}};
  const bool symmetric = kind != MatrixKind::unsymmetric;
  matrix.pattern = {n, std::vector<std::int32_t>(n + 1, 0), {}, symmetric};
  for (const auto& [place, value] : entries) {
    if (symmetric && place.second > place.first) continue;
    ++matrix.pattern.column_start[place.first + 1];
    matrix.pattern.row.push_back(place.second);
    matrix.values[0].push_back(value);
  }
  for (int j = 0; j < n; ++j) matrix.pattern.column_start[j + 1] += matrix.pattern.column_start[j];
  for (double a : matrix.values[0]) matrix.values[1].push_back(a * (1 + 1e-6 * random.uniform()));
  return matrix;
}

struct Contender {
  CaseTime time;
  std::unique_ptr<LinearSolver> solver;
  std::vector<double> x;
  int factor_repeats = 1, solve_repeats = 1;
  double spent = 0;  // s

  void factor(const MatrixCase& matrix, int which) {
    const FactorReport report = solver->factor(matrix.values[which]);
    if (!report.ok() && time.failure.empty()) time.failure = report.text();
  }
  void solve(const std::vector<double>& b) {
    if (!solver->solve(b, x).ok() && time.failure.empty()) time.failure = "the solution is inaccurate";
  }
  void round(const MatrixCase& matrix, const std::vector<double>& b) {
    const double start = clock_seconds(1);
    for (int r = 0; r < factor_repeats; ++r) factor(matrix, r % 2);
    const double middle = clock_seconds(1);
    for (int r = 0; r < solve_repeats; ++r) solve(b);
    const double end = clock_seconds(1);
    time.factor_us = std::min(time.factor_us, 1e6 * (middle - start) / factor_repeats);
    time.solve_us = std::min(time.solve_us, 1e6 * (end - middle) / solve_repeats);
    spent += end - start;
  }
};

double backward_error(const MatrixCase& matrix, const std::vector<double>& values, const std::vector<double>& x,
                      const std::vector<double>& b) {
  std::vector<double> ax(x.size()), size(x.size());
  const std::vector<double> ones(x.size(), 1.0);
  multiply(matrix.pattern, values, x, ax);
  multiply_absolute(matrix.pattern, values, ones, size);
  double error = 0, norm_x = 0, norm_b = 0, norm_a = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, std::abs(b[i] - ax[i]));
    norm_x = std::max(norm_x, std::abs(x[i]));
    norm_b = std::max(norm_b, std::abs(b[i]));
    norm_a = std::max(norm_a, size[i]);
  }
  return error / (norm_a * norm_x + norm_b);
}

// Minimum degree; for large matrices also nested dissection, which CHOLMOD's own choice (automatic) tries as well.
std::vector<Ordering> orderings_of(const SolverInfo& info, int n) {
  constexpr int large = 1000;
  if (info.name.starts_with("lapack")) return {Ordering::automatic};
  if (n < large) return {Ordering::amd};
  return {Ordering::amd, info.name.starts_with("cholmod") ? Ordering::automatic : Ordering::metis};
}

std::vector<Contender> contenders_of(const MatrixCase& matrix, const FactorCounts& counts) {
  constexpr int largest_dense = 2000;
  // For solvers that go column by column without BLAS, and for those that are never the fastest of their kind there.
  constexpr double largest_flops = 2e8;
  std::vector<Contender> contenders;
  for (const SolverInfo& info : linear_solvers()) {
    const bool takes = std::ranges::find(info.kinds, matrix.kind) != info.kinds.end() &&
                       (matrix.kind != MatrixKind::symmetric_indefinite || info.zero_diagonal);
    // cholmod is one of its two other forms; the matrices are of one component
    if (!takes || info.iterative || info.name == "cholmod" || info.name == "components") continue;
    if (info.name.starts_with("lapack") && matrix.pattern.size > largest_dense) continue;
    const bool slow = info.name == "klu" || info.name == "cholmod_simplicial" || info.name == "cholmod_ldl" ||
                      info.name == "umfpack" || info.name == "eigen_sparselu";
    if (slow && counts.flops > largest_flops) continue;
    for (Ordering ordering : orderings_of(info, matrix.pattern.size))
      for (bool keep : {true, false}) {
        if (!keep && info.name != "klu" && info.name != "superlu") continue;
        Contender c;
        c.time.solver = info.name;
        c.time.ordering = ordering;
        c.time.keep_pivots = keep;
        c.solver = make_linear_solver(info.name, {.kind = matrix.kind, .ordering = ordering, .keep_pivots = keep});
        contenders.push_back(std::move(c));
      }
  }
  return contenders;
}

}  // namespace

double MatrixCase::fill() const {
  double entries = double(pattern.nonzeros());
  if (pattern.symmetric) entries = 2 * entries - pattern.size;  // every diagonal entry is stored
  return 100 * entries / (double(pattern.size) * pattern.size);
}

MatrixCase four_bar_case(MatrixKind kind, int variables, double fill) {
  LITHE_INVARIANT(variables >= 4 && variables % 2 == 0);
  const int loops = variables / 2 - 1;
  auto operations = make_sparse_operations("lithe", loops);
  operations->jacobian(four_bar_position(loops));
  operations->normal_product(std::vector<double>(2 * loops + 1, four_bar_penalty));
  operations->sum(1, 0.25 * four_bar_step * four_bar_step);
  const std::vector<double> dense = operations->dense_sum();
  Entries entries;
  for (int i = 0; i < variables; ++i)
    for (int j = 0; j < variables; ++j)
      if (const double a = dense[std::size_t(i) * variables + j]; a != 0) entries[{j, i}] = a;
  Random random;
  fill_up(entries, variables, fill, random);
  change_kind(entries, variables, kind, random);
  return assemble("four_bar", kind, variables, fill, entries, random);
}

MatrixCase saddle_case(MatrixKind kind, int loops, double fill) {
  const int n = 2 * loops + 2, m = 2 * loops + 1;
  Random random;
  Entries entries;
  four_bar_mass(loops, [&](int i, int j, double a) { entries[{j, i}] = a; });
  fill_up(entries, n, fill, random);
  const auto border = [&](int row, int column, double a) {
    entries[{column, n + row}] = a;
    entries[{n + row, column}] = kind == MatrixKind::unsymmetric ? a * (1 + 0.1 * random.uniform()) : a;
  };
  four_bar_jacobian(loops, four_bar_position(loops).data(), border);
  for (int r = 0; r < m; ++r) entries[{n + r, n + r}] = 0;
  return assemble("saddle", kind, n + m, fill, entries, random);
}

MatrixCase grid_case(MatrixKind kind, int nx, int ny, int nz) {
  const int n = 3 * nx * ny * nz;
  Random random;
  Entries entries;
  const auto node = [&](int x, int y, int z) { return (z * ny + y) * nx + x; };
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        for (int dz = -1; dz <= 1; ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny || z + dz < 0 || z + dz >= nz) continue;
              const int a = node(x, y, z), b = node(x + dx, y + dy, z + dz);
              if (b > a) continue;
              for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                  if (3 * b + j <= 3 * a + i)
                    entries[{3 * a + i, 3 * b + j}] = entries[{3 * b + j, 3 * a + i}] = random.uniform();
            }
  std::vector<double> sum(n, 0.0);
  for (const auto& [place, a] : entries)
    if (place.first != place.second) sum[place.first] += std::abs(a);
  for (int i = 0; i < n; ++i) entries[{i, i}] = 1.01 * sum[i];
  change_kind(entries, n, kind, random);
  return assemble(nz > 1 ? "block" : "plate", kind, n, 0, entries, random);
}

MeasuredCase measure_case(const MatrixCase& matrix, double seconds) {
  constexpr double grain = 2e-4;  // s, of a batch
  MeasuredCase measured{
      matrix.family, matrix.kind, matrix.wanted_fill, matrix.fill(), matrix.pattern, count_factors(matrix.pattern), {}};
  std::vector<double> b(matrix.pattern.size);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::cos(double(i));
  std::vector<Contender> contenders = contenders_of(matrix, measured.counts);
  for (Contender& c : contenders) {  // warm up, check, and find out how long it takes
    c.solver->analyse(matrix.pattern);
    for (int which : {0, 1}) {
      const double start = clock_seconds(1);
      c.factor(matrix, which);
      const double middle = clock_seconds(1);
      if (!c.time.ok()) break;
      c.solve(b);
      const double end = clock_seconds(1);
      c.time.backward_error = std::max(c.time.backward_error, backward_error(matrix, matrix.values[which], c.x, b));
      c.factor_repeats = std::clamp(int(std::ceil(grain / (middle - start))), 1, 1000);
      c.solve_repeats = std::clamp(int(std::ceil(grain / (end - middle))), 1, 1000);
      c.spent = end - start;  // counted once: the second state is what the others look like
    }
  }
  bool more = true;
  for (int round = 0; more; ++round) {
    more = false;
    for (Contender& c : contenders) {
      if (!c.time.ok() || (round >= 2 && c.spent > seconds)) continue;
      c.round(matrix, b);
      more = true;
    }
  }
  for (Contender& c : contenders) measured.times.push_back(c.time);
  return measured;
}

}  // namespace lithe::app
