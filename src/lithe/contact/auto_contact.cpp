// `auto`: Gauss-Seidel from the warm start, as long as its contraction says that it will be there before Newton's
// method would; then methods that factor, the quick one first:
//
//   newton    from where warm starts and sweeps leave it: mostly some steps are enough;
//   interior  what no guess helps: deep stacks, great mass ratios;
//   newton    many steps, from the best result so far;
//   admm, nsgs  whatever is left.
//
// Sweeps are given in bunches that grow, and how many more it takes follows from what the last bunch gained. What a
// sweep and a factorisation cost is taken from counts (choose_linear_solver), so that the choice is the same in each
// run.
#include <array>
#include <cmath>

#include "lithe/contact/nsgs.h"
#include "lithe/contact/shifted_matrix.h"
#include "lithe/linalg/choose_solver.h"

namespace lithe {

namespace {

constexpr int first_bunch = 20;
constexpr double sweep_block = 0.008, sweep_contact = 0.05;  // microseconds, of blocks of W and local solves
constexpr double steps_of_others = 12;                       // factorisations that solve a problem, usually

double sweep_microseconds(const ContactProblem& problem) {
  return sweep_block * static_cast<double>(problem.column.size()) + sweep_contact * problem.count();
}

// Share of the affordable sweeps after which they are believed to crawl: residuals go up and down, with momentum more
// than without.
constexpr double worth_a_look = 0.3;

// Sweeps that take as long as a method that factors.
double affordable_sweeps(const ContactProblem& problem) {
  const SolverChoice choice = choose_linear_solver(contact_pattern(problem, true), MatrixKind::positive_definite);
  return steps_of_others * (choice.microseconds / sweep_microseconds(problem) + 10);
}

class AutoContact final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override {
    ContactReport best = sweep(island, goal, R, U);
    if (best.ok()) return best;
    struct Rung {
      ContactMethod& method;
      int steps;
    };
    const std::array<Rung, 5> ladder{Rung{*newton_, 40}, Rung{*interior_, 60}, Rung{*newton_, 300}, Rung{*admm_, 2000},
                                     Rung{sweeps_, 10000}};
    int fallbacks = 0, iterations = best.iterations;
    for (const Rung& rung : ladder) {
      next_R_ = R;
      ContactReport report = rung.method.solve(island, goal.within(rung.steps), next_R_, next_U_);
      iterations += report.iterations;
      report.fallbacks = fallbacks++;
      if (!report.ok() && !(report.residual < best.residual)) continue;
      best = report;
      R = next_R_;
      U = next_U_;
      if (best.ok()) break;
    }
    best.iterations = iterations;
    return best;
  }

 private:
  // What is gained is judged by the last bunch and by all since the first, whichever says more: with momentum residuals
  // go up and down, and down faster towards the end.
  ContactReport sweep(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) {
    double affordable = 0, bunch = first_bunch, best = 0, first = 0, looked = 0;
    ContactReport report;
    sweeps_.begin(island, goal, R);
    while (true) {
      const double before = report.iterations;
      report = sweeps_.go_on(island, static_cast<int>(bunch), R, U);
      const double used = report.iterations;
      if (report.reason != ContactReport::Reason::not_converged) return report;
      if (goal.iterations > 0 && used >= goal.iterations) return report;
      if (before == 0) {
        best = first = report.residual;
        looked = used;
        bunch *= 2;
        continue;
      }
      if (affordable == 0) affordable = affordable_sweeps(island.problem);
      const double gain = std::max(std::log(best / report.residual) / (used - before),
                                   std::log(first / report.residual) / (used - looked));  // a sweep
      const double needed = std::log(report.residual / goal.tolerance) / gain;
      const bool crawls = !(gain > 0) || needed > affordable - used;
      if (used >= affordable || (crawls && used > worth_a_look * affordable)) return report;
      best = std::min(best, report.residual);
      bunch = std::min({2 * bunch, gain > 0 ? 1.1 * needed + 5 : bunch, affordable - used + 1});
    }
  }

  Nsgs sweeps_;
  std::unique_ptr<ContactMethod> newton_ = make_contact_newton(), interior_ = make_contact_interior(),
                                 admm_ = make_contact_admm();
  std::vector<double> next_R_, next_U_;
};

}  // namespace

std::unique_ptr<ContactMethod> make_auto_contact() { return std::make_unique<AutoContact>(); }

}  // namespace lithe
