// What all Krylov methods share: from x towards A x = b until |b - A x| <= tolerance |b|, 2-norms.
//
// A method is a cycle: from d = 0 towards A d = r, by its own recurrences, until its own estimate of |r - A d| is small
// enough or it can do no more. After each cycle the residual is computed anew, if it was not by the cycle itself, so
// that what a recurrence believes is never reported: a cycle that lost digits, broke down or was short by design
// (restarts) is followed by another one from where it came to, and ends the iteration only when it brought nothing.
#pragma once

#include <algorithm>
#include <cmath>

#include "lithe/linalg/krylov/space.h"

namespace lithe {

struct KrylovReport {
  // not_converged: the iterations are used up; stagnated: nothing is gained any more; breakdown: the method cannot go
  // on (a matrix that is not of its kind, or an unlucky start).
  enum class Reason { done, not_converged, stagnated, breakdown, not_finite } reason = Reason::done;
  int iterations = 0, products = 0;  // products with A, those of the residuals included
  double first = 0, last = 0;        // |b - A x|, true residuals
  bool ok() const { return reason == Reason::done; }
};

struct KrylovLimits {
  double tolerance = 1e-10;                // of |b - A x| / |b|
  int iterations = 2000;                   // of all cycles together
  int restart = 30;                        // gmres: vectors of a cycle
  bool zero_start = false;                 // x = 0 whatever it holds
  std::vector<double>* history = nullptr;  // the method's own estimate after each iteration
};

// What a cycle may do, and what it tells.
struct KrylovCycle {
  using Reason = KrylovReport::Reason;
  double target;        // of |r - A d|
  int iterations_left;  // at most
  int restart;
  std::vector<double>* history;
  int iterations = 0, products = 0;
  bool exact = false;            // r is r - A d as a product gave it, not as a recurrence has it
  Reason reason = Reason::done;  // not_converged: iterations used up, or a short cycle

  // Notes an iteration and its residual; true: the cycle is over.
  bool over(double residual) {
    ++iterations;
    if (history) history->push_back(residual);
    if (!std::isfinite(residual)) return end(Reason::not_finite);
    if (residual <= target) return end(Reason::done);
    if (iterations >= iterations_left) return end(Reason::not_converged);
    if (!(residual <= progress * best)) {
      if (++idle >= patience) return end(Reason::stagnated);
      // What a good preconditioner brought to a few digits and then loses is begun anew from there.
      if (best <= a_lot * start && idle > some + 2 * at_best) return end(Reason::not_converged);
    } else {
      best = residual;
      at_best = iterations;
      idle = 0;
    }
    return false;
  }
  bool end(Reason why) {
    reason = why;
    return true;
  }

  static constexpr double progress = 0.9;
  static constexpr int patience = 500;  // iterations without progress
  static constexpr double a_lot = 1e-2;
  static constexpr int some = 10;
  double start = HUGE_VAL;  // |r|
  double best = HUGE_VAL;
  int at_best = 0, idle = 0;
};

// The share that a cycle must take away from the residual to be followed by another one.
inline constexpr double krylov_gain = 0.1;

// cycle(space, room, first free vector, r, d, KrylovCycle&): d on return, r is its own to change.
template <VectorSpace Space, class Cycle>
[[nodiscard]] KrylovReport krylov_iterate(Space& space, KrylovRoom<Space>& room, const KrylovLimits& limits,
                                          const typename Space::Vector& b, typename Space::Vector& x, Cycle&& cycle) {
  using Reason = KrylovReport::Reason;
  auto &r = room.vector(space, 0), &d = room.vector(space, 1), &trial = room.vector(space, 2);
  constexpr std::size_t first_free = 3;
  KrylovReport report;
  const auto end = [&](Reason reason) {
    report.reason = reason;
    return report;
  };
  const double size = std::sqrt(dot(space, b, b));
  if (limits.zero_start || size == 0) space.fill(0, x);
  if (!std::isfinite(size)) return end(Reason::not_finite);
  if (size == 0) return report;
  const auto residual_of = [&](const typename Space::Vector& at) {
    space.apply(at, r);
    ++report.products;
    space.combine({{1, b}, {-1, r}}, r);
    return std::sqrt(dot(space, r, r));
  };
  if (limits.zero_start) {
    space.copy(b, r);
    report.first = report.last = size;
  } else {
    report.first = report.last = residual_of(x);
  }
  if (!std::isfinite(report.first)) return end(Reason::not_finite);
  const double wanted = limits.tolerance * size;
  // What cycles aim at lies a little below, so that rounding does not ask for one more.
  const double target = 0.8 * wanted;
  while (report.last > wanted) {
    const int left = limits.iterations - report.iterations;
    if (left <= 0) return end(Reason::not_converged);
    KrylovCycle state{.target = target, .iterations_left = left, .restart = limits.restart, .history = limits.history};
    state.start = report.last;
    cycle(space, room, first_free, r, d, state);
    report.iterations += state.iterations;
    report.products += state.products;
    space.combine({{1, x}, {1, d}}, trial);
    const double now = state.exact ? std::sqrt(dot(space, r, r)) : residual_of(trial);
    const bool better = now < report.last;  // false for NaN
    const bool enough = now <= (1 - krylov_gain) * report.last;
    if (better) {
      space.copy(trial, x);
      report.last = now;
    }
    if (report.last <= wanted) break;
    if (!enough) {
      if (!std::isfinite(now) && state.reason == Reason::done) return end(Reason::not_finite);
      if (state.reason == Reason::done) return end(Reason::stagnated);  // the recurrence drifted away from the truth
      if (state.reason == Reason::not_converged) {
        const bool all_used = report.iterations >= limits.iterations;
        return end(all_used ? Reason::not_converged : Reason::stagnated);
      }
      return end(state.reason);
    }
  }
  return report;
}

}  // namespace lithe
