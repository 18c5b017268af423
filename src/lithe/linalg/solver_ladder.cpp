#include "lithe/linalg/solver_ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/linalg/choose_solver.h"

namespace lithe {

namespace {

// Adaptive preconditioners: so many iterations more than at first are no reason for a new one.
constexpr int few_iterations = 2;
constexpr int dense_size = 120;  // below this a dense matrix is as fast to count negative pivots

}  // namespace

MatrixKind kind_for(const std::string& solver, MatrixKind kind) {
  const SolverInfo& info = find_linear_solver(solver);
  for (MatrixKind k : {kind, MatrixKind::symmetric_indefinite, MatrixKind::unsymmetric})
    if (k >= kind && std::find(info.kinds.begin(), info.kinds.end(), k) != info.kinds.end() &&
        (kind != MatrixKind::symmetric_indefinite || info.zero_diagonal))
      return k;
  throw InputError(Where{"", 0, "analysis.solver"},
                   "linear solver '" + solver + "' is for " + to_string(info.kinds.back()) +
                       " matrices, but that of this model is " + to_string(kind) + "; use 'auto'" +
                       (kind == MatrixKind::symmetric_indefinite ? ", or 'treatment: augmented'" : ""));
}

SolverLadder::SolverLadder(const SparsePattern& pattern, MatrixKind kind, const LadderOptions& options)
    : pattern_(&pattern), options_(options) {
  if (options.count_negative) {
    const bool dense = pattern.size <= dense_size || !has_linear_solver("mumps");
    add(dense ? "lapack_ldl" : "mumps", MatrixKind::symmetric_indefinite);
    report_.reason = "it counts negative pivots";
    solver_at(0);
    return;
  }
  const Ordering wanted = options.ordering == "auto" ? Ordering::automatic : ordering_named(options.ordering);
  const auto choose = [&] {
    const std::optional<SolverChoice> components = choose_components(pattern, kind, options.multipliers);
    return components ? *components : choose_linear_solver(pattern, kind);
  };
  if (options.solver == "auto") {
    const SolverChoice choice = choose();
    add(choice.name, kind, wanted == Ordering::automatic ? choice.ordering : wanted);
    report_.reason = choice.why;
    expected_ = choice.counts;
  } else {
    add(options.solver, kind_for(options.solver, kind), wanted);
    report_.reason = options.why + (options.why == "as asked" ? std::string("; the matrix is ") + to_string(kind) : "");
  }
  if (iterative_[0]) {
    const SolverChoice choice = choose();
    add(choice.name, kind, choice.ordering);
  }
  if (kinds_[0] == MatrixKind::positive_definite) {
    add("cholmod_ldl", MatrixKind::symmetric_indefinite);
    if (has_linear_solver("mumps")) add("mumps", MatrixKind::symmetric_indefinite);
  } else if (report_.rungs.back().solver == "components" && has_linear_solver("mumps")) {
    add("mumps", MatrixKind::symmetric_indefinite);
  }
  const std::string last = has_linear_solver("umfpack") ? "umfpack" : "klu";
  if (report_.rungs.back().solver != last && report_.rungs[0].solver != last) add(last, MatrixKind::unsymmetric);
  if (options.solver != "auto") solver_at(0);  // what it refuses is refused now
}

void SolverLadder::add(const std::string& solver, MatrixKind kind, Ordering ordering) {
  report_.rungs.push_back({solver, ordering, 0});
  kinds_.push_back(kind);
  pivots_.push_back(find_linear_solver(solver).zero_diagonal);
  iterative_.push_back(find_linear_solver(solver).iterative);
  solvers_.emplace_back();
}

LinearSolver& SolverLadder::solver_at(std::size_t rung) {
  auto& solver = solvers_[rung];
  if (!solver) {
    const LinearReport::Rung& r = report_.rungs[rung];
    solver = make_linear_solver(r.solver, SolverOptions{.kind = kinds_[rung],
                                                        .ordering = r.ordering,
                                                        .krylov = options_.krylov,
                                                        .multipliers = options_.multipliers,
                                                        .mass = options_.mass,
                                                        .team = options_.team,
                                                        .product = options_.product});
    solver->analyse(*pattern_);
  }
  return *solver;
}

// Kept preconditioners, by counts alone.
bool SolverLadder::keeps_preconditioner() const {
  if (!made_ || solvers_.empty() || !iterative_[0]) return false;
  if (resuming_) return true;
  const KrylovOptions& krylov = options_.krylov;
  switch (krylov.update) {
    case PreconditionerUpdate::never:
      return true;
    case PreconditionerUpdate::uniform:
      return matrices_ < krylov.update_every;
    case PreconditionerUpdate::threshold:
      return most_ <= krylov.update_above;
    case PreconditionerUpdate::adaptive:
      break;
  }
  return first_ < 0 || most_ <= first_ + first_ / 2 + few_iterations;
}

void SolverLadder::keep() {
  LITHE_INVARIANT(keeps());
  active_ = 0;
  factor_report_ = {};
  ++report_.rungs[0].used;
  ++report_.kept;
  ++matrices_;
  stale_ = true;
}

void SolverLadder::renew_values() {
  if (stale_) options_.assemble(values_);
  stale_ = false;
}

bool SolverLadder::factor(const std::vector<double>& values) {
  if (!solvers_.empty() && iterative_[0]) values_ = values;
  stale_ = false;
  if (keeps_preconditioner() && solver_at(0).renew(values)) {
    active_ = 0;
    factor_report_ = {};
    ++report_.rungs[0].used;
    ++report_.kept;
    ++matrices_;
    return true;
  }
  const bool stays =
      options_.keep_rung && active_ > 0 && active_ < solvers_.size() && factor_report_.negative_pivots > 0;
  if (stays) ++report_.indefinite;
  return factor_from(stays ? active_ : 0, values);
}

bool SolverLadder::factor_from(std::size_t rung, const std::vector<double>& values) {
  using Reason = FactorReport::Reason;
  const std::size_t none = solvers_.size();
  std::size_t usable = none;  // the last one that could solve, and count its negative pivots where one can
  FactorReport usable_report;
  for (active_ = rung; active_ < none; ++active_) {
    ++report_.factorisations;
    report_.updates += iterative_[active_];
    factor_report_ = solver_at(active_).factor(values);
    if (active_ == 0) {
      made_ = factor_report_.ok();
      matrices_ = 1;
      first_ = -1;
      most_ = 0;
    }
    const bool taken = factor_report_.ok() || (options_.take_singular && factor_report_.usable);
    if (taken && (factor_report_.negative_pivots <= 0 || pivots_[active_] || accurate(values))) {
      ++report_.rungs[active_].used;
      return true;
    }
    if (taken) ++report_.inaccurate;
    if (factor_report_.reason == Reason::not_positive_definite) ++report_.indefinite;
    if (factor_report_.usable && (usable == none || factor_report_.negative_pivots >= 0)) {
      usable = active_;
      usable_report = factor_report_;
    }
    if (factor_report_.reason == Reason::not_finite || factor_report_.reason == Reason::out_of_memory) break;
  }
  active_ = std::min(active_, none - 1);
  if (usable < none && !factor_report_.ok()) {
    active_ = usable;
    factor_report_ = usable_report;
  }
  return false;
}

// A solve with a known solution, of no particular shape.
bool SolverLadder::accurate(const std::vector<double>& values) {
  known_.resize(pattern_->size);
  for (int i = 0; i < pattern_->size; ++i) known_[i] = 1 + 0.3 * std::sin(1.7 * i);
  multiply(*pattern_, values, known_, image_);
  return solver_at(active_).solve(image_, found_).ok();
}

SolveReport SolverLadder::solve(const std::vector<double>& b, std::vector<double>& x, const SolveRequest& request) {
  report_.solves += request.columns;
  if (active_ == solvers_.size()) return {SolveReport::Reason::not_finite};
  if (!iterative_[active_]) return solver_at(active_).solve(b, x, request);
  rhs_ = b;  // x may be b
  SolveReport report = solve_once(rhs_, x, request);
  if (report.ok() || !all_finite(rhs_)) return report;
  bool usable = true;
  renew_values();
  if (matrices_ > 1) {
    ++report_.remade;
    usable = factor_from(0, values_);
    if (usable && iterative_[active_]) report = solve_once(rhs_, x, request);
  }
  if (report.ok()) return report;
  if (usable && iterative_[active_]) usable = factor_from(active_ + 1, values_);
  if (usable) {
    ++report_.fallbacks;
    made_ = false;
    return solver_at(active_).solve(rhs_, x, {.operation = request.operation, .columns = request.columns});
  }
  // Nobody can: there is nothing to solve with until the next matrix.
  active_ = solvers_.size();
  made_ = false;
  report.reason = SolveReport::Reason::not_finite;
  return report;
}

SolveReport SolverLadder::solve_once(const std::vector<double>& b, std::vector<double>& x,
                                     const SolveRequest& request) {
  const SolveReport report = solver_at(active_).solve(b, x, request);
  report_.iterations += report.iterations;
  report_.products += report.products;
  if (first_ < 0) first_ = report.iterations;
  most_ = std::max(most_, report.iterations);
  report_.most_iterations = std::max(report_.most_iterations, report.iterations);
  return report;
}

LinearReport SolverLadder::whole_report() const {
  LinearReport report = report_;
  if (!solvers_.empty() && solvers_[0] && iterative_[0]) report.figures = solvers_[0]->figures();
  return report;
}

const std::vector<double>* SolverLadder::pivot_values() const {
  return !solvers_.empty() && solvers_[0] ? solvers_[0]->pivot_values() : nullptr;
}

void SolverLadder::set_pivots(const std::vector<double>& values) {
  made_ = solver_at(0).factor(values).ok();
  resuming_ = true;
}

std::vector<double> SolverLadder::counts() const {
  if (solvers_.empty() || !iterative_[0]) return {};
  return {double(made_), double(matrices_), double(first_), double(most_), double(active_)};
}

void SolverLadder::set_counts(const std::vector<double>& counts) {
  resuming_ = false;
  if (counts.size() != 5) return;
  made_ = counts[0] != 0;
  matrices_ = static_cast<int>(counts[1]);
  first_ = static_cast<int>(counts[2]);
  most_ = static_cast<int>(counts[3]);
  const auto rung = static_cast<std::size_t>(counts[4]);
  if (rung == 0 || rung >= solvers_.size()) return;
  renew_values();
  if (!values_.empty()) factor_from(rung, values_);
}

void SolverLadder::go_on_from(const LinearReport& before) {
  report_.factorisations += before.factorisations;
  report_.solves += before.solves;
  report_.iterations += before.iterations;
  report_.products += before.products;
  report_.kept += before.kept;
  report_.remade += before.remade;
  report_.fallbacks += before.fallbacks;
}

std::string LinearReport::text() const {
  if (rungs.empty()) return "none: no coordinate is free";
  std::string text = fmt::format(
      "{}{} ({})", rungs[0].solver,
      rungs[0].ordering == Ordering::automatic ? std::string() : std::string(", ") + to_string(rungs[0].ordering),
      reason);
  // The usual reason for another rung is said with it, once.
  for (std::size_t i = 1; i < rungs.size(); ++i)
    if (rungs[i].used > 0 && rungs[i].used == indefinite && inaccurate == 0 && iterations == 0)
      return text + fmt::format("; {} for {} that {} not positive definite", rungs[i].solver,
                                indefinite == 1 ? "one matrix" : fmt::format("{} matrices", indefinite),
                                indefinite == 1 ? "was" : "were");
  for (std::size_t i = 1; i < rungs.size(); ++i)
    if (rungs[i].used > 0)
      text += fmt::format(", {} for {} of {} factorisations where that failed", rungs[i].solver, rungs[i].used,
                          factorisations);
  if (iterations > 0)
    text += fmt::format("; {} iterations in {} solves, {} of {} preconditioners kept", iterations, solves, kept,
                        kept + factorisations);
  if (remade > 0) text += fmt::format(", {} made anew after a solve that failed", remade);
  if (fallbacks > 0) text += fmt::format(", {} solves by another solver where they failed", fallbacks);
  if (indefinite > 0) text += fmt::format("; not positive definite {}x", indefinite);
  if (inaccurate > 0) text += fmt::format("; LDLt without pivoting inaccurate {}x", inaccurate);
  return text;
}

}  // namespace lithe
