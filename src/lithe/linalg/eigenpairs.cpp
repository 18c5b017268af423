#include "lithe/linalg/eigenpairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/linalg/dense_pencil.h"

namespace lithe {

namespace {

// Up to this many motions, or where most of the pairs are wanted, a dense matrix is as fast.
constexpr int always_dense = 60, largest_dense_pencil = 3000;
// Eigenvalues closer than this, relative to their distance from the shift, are one cluster.
constexpr double cluster = 1e-6;
constexpr int most_searches = 12;
constexpr double worst_residual = 1e-4;

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

double form(const BorderedPencil& pencil, const Combination& c, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  pencil.multiply(c.a, c.b, x.data(), y.data());
  return dot(x, y);
}

bool is_dense(const BorderedPencil& pencil, int count) {
  const int most = most_eigenpairs(pencil);
  if (most <= always_dense) return true;
  if (4 * count + 40 <= most) return false;
  if (pencil.size() <= largest_dense_pencil) return true;
  if (2 * count + 40 <= most) return false;
  throw RunError(fmt::format(
      "{} of at most {} modes are more than Lanczos' method can find, and {} unknowns are too many for a dense matrix "
      "(at most {}); ask for fewer modes",
      count, most, pencil.size(), largest_dense_pencil));
}

void sort(Eigenpairs& pairs, auto before) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](std::size_t i, std::size_t j) { return before(pairs.values[i], pairs.values[j]); });
  Eigenpairs sorted;
  for (const std::size_t i : order) {
    sorted.values.push_back(pairs.values[i]);
    sorted.vectors.push_back(std::move(pairs.vectors[i]));
  }
  pairs = std::move(sorted);
}

void keep(Eigenpairs& pairs, std::size_t count) {
  pairs.values.resize(std::min(count, pairs.size()));
  pairs.vectors.resize(pairs.values.size());
}

// What is searched for: theta of N x = theta P x, the largest ones or the largest in size.
struct Search {
  BorderedPencil& pencil;
  Combination N, P, metric;
  bool by_size = false;
  bool positive = false;  // what is not is of no use; it stays among what is found, to be left out of later searches

  // P positive definite: how many are larger.
  int count_above(double theta) const { return pencil.count_negative(P.a - N.a / theta, P.b - N.b / theta); }
};

int added(int count) { return std::max(4, count / 20); }

int basis(const BorderedPencil& pencil, int count) {
  return std::min({pencil.size(), most_eigenpairs(pencil) - 1, std::max(2 * count + 1, count + 24)});
}

// The place at or after `count` where two neighbours are farthest apart, relative to the larger: rounding puts equal
// ones apart too, and no count between those would be worth anything. 0: one cluster to the end.
std::size_t gap(const std::vector<double>& sizes, std::size_t count) {
  std::size_t widest = 0;
  double width = cluster;
  for (std::size_t j = std::max<std::size_t>(count, 1); j < sizes.size(); ++j) {
    const double here = (sizes[j - 1] - sizes[j]) / sizes[j - 1];
    if (here <= width) continue;
    widest = j;
    width = here;
  }
  return widest;
}

[[noreturn]] void not_converged() {
  throw RunError("Lanczos' method did not converge; ask for more or fewer modes, or look for those near a frequency");
}

// A vector of which less than this is left beside those that are known is a copy of them.
constexpr double least_left = 0.1;

// `more` beside `found`, orthonormal in the metric: where products with it lose digits, Lanczos' method may find a mode
// again, and a copy would be counted twice.
void take(const Search& s, Eigenpairs& found, Eigenpairs& more) {
  const std::size_t n = s.pencil.size();
  std::vector<double> image(n);
  for (std::size_t k = 0; k < more.size(); ++k) {
    std::vector<double>& x = more.vectors[k];
    double size = 0;
    for (int round = 0; round < 2; ++round) {
      s.pencil.multiply(s.metric.a, s.metric.b, x.data(), image.data());
      if (round == 0) size = std::sqrt(std::max(0.0, dot(x, image)));
      for (const std::vector<double>& known : found.vectors) {
        const double share = dot(known, image);
        for (std::size_t i = 0; i < n; ++i) x[i] -= share * known[i];
      }
    }
    const double left = std::sqrt(std::max(0.0, form(s.pencil, s.metric, x)));
    if (!(left > least_left * size)) continue;
    for (double& value : x) value /= left;
    found.values.push_back(more.values[k]);
    found.vectors.push_back(std::move(x));
  }
}

// Searches until as many are found beyond a gap as `count_beyond` counts there; all of those. refactor: the pencil for
// P again, after a count.
template <class CountBeyond, class Refactor>
Eigenpairs search(const Search& s, int wanted, CountBeyond count_beyond, Refactor refactor, ProvedPairs& proof) {
  Eigenpairs found;
  const int most = most_eigenpairs(s.pencil) - 2;
  int missing = std::min(wanted + added(wanted), most);
  for (unsigned round = 0; round < most_searches; ++round) {
    const std::size_t before = found.size();
    Eigenpairs more = lanczos(s.pencil, {.N = s.N,
                                         .metric = s.metric,
                                         .by_size = s.by_size,
                                         .count = missing,
                                         .basis = std::max(missing + 2, basis(s.pencil, missing)),
                                         .start = round,
                                         .found = before > 0 ? &found : nullptr});
    if (more.size() + before == 0) not_converged();
    take(s, found, more);
    if (s.by_size) sort(found, [](double a, double b) { return std::abs(a) > std::abs(b); });
    else sort(found, std::greater<>());
    std::vector<double> sizes;
    for (const double theta : found.values)
      if (!s.positive || theta > 0) sizes.push_back(std::abs(theta));
    std::size_t enough = static_cast<std::size_t>(wanted);
    if (s.positive && sizes.size() <= enough) {  // there may be no more of them
      enough = sizes.size();
      sizes.push_back(0);
    }
    if (enough == 0) return {};
    const std::size_t cut = sizes.size() > enough ? gap(sizes, enough) : 0;
    missing = wanted;  // one cluster to the end: more of it
    if (cut > 0) {
      const int have = static_cast<int>(cut);
      const double end = sizes[cut], width = sizes[cut - 1] - end;
      int there = count_beyond(end + 0.5 * width);
      // No mode lies in the gap: a count that rounding spoiled is one place's alone.
      if (there >= 0 && there < have && count_beyond(end + 0.3 * width) == have)
        there = count_beyond(end + 0.7 * width);
      if (there < 0) throw RunError("the number of modes could not be counted: the shifted matrix is singular");
      if (there < have)
        throw RunError(fmt::format("Lanczos' method gave {} modes where Sylvester's law counts {}", have, there));
      if (there == have) {
        proof.counted = there;
        keep(found, cut);
        return found;
      }
      if (found.size() == before)
        throw RunError(fmt::format("{} modes are missing: Sylvester's law counts {} where {} were found", there - have,
                                   there, have));
      proof.more += there - have;
      missing = there - have + 2;
    }
    missing = std::min(missing, most - static_cast<int>(found.size()));
    if (missing < 1) not_converged();
    refactor();
  }
  not_converged();
}

}  // namespace

int most_eigenpairs(const BorderedPencil& pencil) {
  std::vector<char> has(pencil.size(), 0);
  const SparsePattern& pattern = pencil.pattern();
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pencil.B()[p] != 0) has[pattern.row[p]] = has[j] = 1;
  const int with = static_cast<int>(std::ranges::count(has, 1));
  return std::max(0, std::min(with, pencil.size() - pencil.rows()));
}

namespace {

// One step of inverse iteration with N for all of them at once, length 1 in the metric, and the quotient of Rayleigh;
// how far the step turns each of them stands in residuals.
void iterate(BorderedPencil& pencil, const Combination& N, const Combination& metric, ProvedPairs& pairs) {
  const std::size_t n = pencil.size();
  const int columns = static_cast<int>(pairs.size());
  std::vector<double> f(n * columns), x, image(n), change(n);
  for (int k = 0; k < columns; ++k) pencil.multiply(N.a, N.b, pairs.vectors[k].data(), &f[k * n]);
  if (!pencil.solve(f, x, columns)) throw RunError("the shifted matrix of the modes has no finite solution");
  pairs.residuals.assign(pairs.size(), 0.0);
  for (int k = 0; k < columns; ++k) {
    std::vector<double>& z = pairs.vectors[k];
    const std::vector<double> turned(x.begin() + k * n, x.begin() + (k + 1) * n);
    pencil.multiply(metric.a, metric.b, z.data(), image.data());
    const double length = dot(z, image), along = dot(turned, image) / length;
    for (std::size_t i = 0; i < n; ++i) change[i] = turned[i] / along - z[i];
    pairs.residuals[k] = std::sqrt(std::max(0.0, form(pencil, metric, change)) / length);
    const double size = std::sqrt(form(pencil, metric, turned));
    for (std::size_t i = 0; i < n; ++i) z[i] = turned[i] / size;
    pairs.values[k] = form(pencil, {1, 0}, z) / form(pencil, {0, 1}, z);
  }
}

// What rounding left in the vectors of the search goes with an iteration or two; a pair that still turns is none.
void refine(BorderedPencil& pencil, const Combination& N, const Combination& metric, ProvedPairs& pairs) {
  const auto turns = [](double residual) { return !(residual < worst_residual); };
  for (int tries = 0; tries < 4; ++tries) {
    iterate(pencil, N, metric, pairs);
    if (std::ranges::none_of(pairs.residuals, turns)) break;
  }
  if (const auto worst = std::ranges::find_if(pairs.residuals, turns); worst != pairs.residuals.end())
    throw RunError(fmt::format("mode {} did not converge: an iteration still turns it by {:.2g}",
                               worst - pairs.residuals.begin() + 1, *worst));
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return pairs.values[k]; });
  ProvedPairs sorted = pairs;
  for (std::size_t k = 0; k < order.size(); ++k) {
    sorted.values[k] = pairs.values[order[k]];
    sorted.residuals[k] = pairs.residuals[order[k]];
    sorted.vectors[k] = std::move(pairs.vectors[order[k]]);
  }
  pairs = std::move(sorted);
}

ProvedPairs dense_pairs(const BorderedPencil& pencil) {
  ProvedPairs pairs;
  static_cast<Eigenpairs&>(pairs) = dense_eigenpairs(pencil, {1, 0}, {0, 1});
  pairs.residuals.assign(pairs.size(), 0.0);
  pairs.dense = true;
  return pairs;
}

bool positive_diagonal(const BorderedPencil& pencil) {
  const SparsePattern& pattern = pencil.pattern();
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j ? !(pencil.B()[p] > 0) : pencil.B()[p] != 0) return false;
  return true;
}

double diagonal_sum(const BorderedPencil& pencil, const std::vector<double>& values) {
  double sum = 0;
  const SparsePattern& pattern = pencil.pattern();
  for (int j = 0; j < pattern.size; ++j)
    for (int p = pattern.column_start[j]; p < pattern.column_start[j + 1]; ++p)
      if (pattern.row[p] == j) sum += std::abs(values[p]);
  return sum;
}

}  // namespace

namespace {

// About where the wanted part of the spectrum ends: powers of ten around `guess`, below which Sylvester's law counts no
// more than `count`. A shift of this size tells rigid motions and modes apart, and both keep their digits.
double end_of_lowest(BorderedPencil& pencil, int count, double guess, double least) {
  const auto fewer = [&](double value) {
    const int below = pencil.count_negative(1, -value);
    return below >= 0 && below <= count;
  };
  if (fewer(guess)) {
    for (int up = 0; up < 8 && fewer(10 * guess); ++up) guess *= 10;
    return guess;
  }
  while (guess > least && !fewer(guess)) guess /= 10;
  return guess;
}

}  // namespace

ProvedPairs lowest_eigenpairs(BorderedPencil& pencil, int count) {
  if (is_dense(pencil, count)) {
    ProvedPairs pairs = dense_pairs(pencil);
    keep(pairs, static_cast<std::size_t>(count));
    pairs.residuals.resize(pairs.size());
    return pairs;
  }
  // Of the middle of the spectrum, about; the lowest are usually many orders below it.
  const double A = diagonal_sum(pencil, pencil.A()), B = diagonal_sum(pencil, pencil.B());
  const double middle = A > 0 && B > 0 ? A / B : 1;
  // The shift is -below: regular with rigid motions, too.
  double below = 0.1 * end_of_lowest(pencil, count, 1e-3 * middle, 1e-12 * middle);
  // Directions that give way: the shift goes below them.
  for (int tries = 0;; ++tries, below *= 10) {
    const int negative = pencil.factor(1, below, true);
    if (negative == 0) break;
    if (negative < 0 && tries < 3) continue;
    if (tries > 24)
      throw RunError(
          "what has no mass gives way under its load, or the mass is not positive: there are no modes; look at the "
          "parts without density, and at what presses them");
  }
  const auto refactor = [&] {
    if (pencil.factor(1, below, true) != 0) throw RunError("the shifted matrix of the modes could not be factored");
  };
  const double shift = -below;
  ProvedPairs pairs;
  pairs.shift = shift;
  pairs.low = shift;
  // Products with a lumped mass cost nothing; one that is singular is no metric.
  const Combination metric = positive_diagonal(pencil) ? Combination{0, 1} : Combination{1, below};
  const Search s{pencil, {0, 1}, {1, below}, metric};
  double cut = 0;
  static_cast<Eigenpairs&>(pairs) = search(
      s, count,
      [&](double theta) {
        cut = shift + 1 / theta;
        return s.count_above(theta);
      },
      refactor, pairs);
  pairs.high = cut;
  for (double& value : pairs.values) value = shift + 1 / value;
  keep(pairs, static_cast<std::size_t>(count));
  refactor();
  refine(pencil, {0, 1}, {0, 1}, pairs);
  return pairs;
}

ProvedPairs eigenpairs_near(BorderedPencil& pencil, double value, int count) {
  const auto nearer = [&](double a, double b) { return std::abs(a - value) < std::abs(b - value); };
  if (is_dense(pencil, count)) {
    ProvedPairs pairs = dense_pairs(pencil);
    sort(pairs, nearer);
    keep(pairs, static_cast<std::size_t>(count));
    sort(pairs, std::less<>());
    pairs.residuals.resize(pairs.size());
    return pairs;
  }
  ProvedPairs pairs;
  const auto refactor = [&] {
    for (int tries = 0; tries < 6; ++tries) {  // a shift on an eigenvalue steps aside
      pairs.shift = value * (1 + 1e-5 * tries * tries);
      if (pencil.factor(1, -pairs.shift, false) >= 0) return;
    }
    throw RunError("the shifted matrix of the modes could not be factored");
  };
  refactor();
  const Search s{pencil, {0, 1}, {1, -pairs.shift}, {0, 1}, true};
  static_cast<Eigenpairs&>(pairs) = search(
      s, count,
      [&](double theta) {
        pairs.low = pairs.shift - 1 / theta;
        pairs.high = pairs.shift + 1 / theta;
        const int low = pencil.count_negative(1, -pairs.low), high = pencil.count_negative(1, -pairs.high);
        return low < 0 || high < 0 ? -1 : high - low;
      },
      refactor, pairs);
  for (double& theta : pairs.values) theta = pairs.shift + 1 / theta;
  sort(pairs, nearer);
  keep(pairs, static_cast<std::size_t>(count));
  sort(pairs, std::less<>());
  refactor();
  refine(pencil, {0, 1}, {0, 1}, pairs);
  return pairs;
}

ProvedPairs critical_eigenpairs(BorderedPencil& pencil, int count) {
  if (const int negative = pencil.factor(1, 0, true); negative != 0)
    throw RunError(negative > 0
                       ? fmt::format("it is unstable already, in {} direction{}", negative, negative > 1 ? "s" : "")
                       : "its stiffness is singular");
  ProvedPairs pairs;
  const Combination N{0, -1}, P{1, 0};
  if (is_dense(pencil, count)) {
    static_cast<Eigenpairs&>(pairs) = dense_eigenpairs(pencil, N, P);
    pairs.dense = true;
    sort(pairs, std::greater<>());
  } else {
    const auto refactor = [&] {
      if (pencil.factor(1, 0, true) != 0) throw RunError("the stiffness could not be factored");
    };
    const Search s{.pencil = pencil, .N = N, .P = P, .metric = P, .positive = true};
    static_cast<Eigenpairs&>(pairs) = search(
        s, count,
        [&](double theta) {
          pairs.high = 1 / theta;
          return s.count_above(theta);
        },
        refactor, pairs);
  }
  double largest = 0;
  for (const double theta : pairs.values) largest = std::max(largest, std::abs(theta));
  std::size_t positive = 0;
  while (positive < pairs.size() && pairs.values[positive] > 1e-10 * largest) ++positive;
  keep(pairs, std::min(positive, static_cast<std::size_t>(count)));
  if (pencil.factor(1, 0, true) != 0) throw RunError("the stiffness could not be factored");
  refine(pencil, N, P, pairs);
  for (double& value : pairs.values) value = -value;  // of A x = value B x
  std::ranges::reverse(pairs.values);
  std::ranges::reverse(pairs.residuals);
  std::ranges::reverse(pairs.vectors);
  return pairs;
}

}  // namespace lithe
