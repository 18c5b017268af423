#include "lithe/contact/islands.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/contact/cone.h"
#include "lithe/linalg/sparse.h"

namespace lithe {

namespace {

// Islands of more contacts get all threads: a sweep of fewer is over before they come.
constexpr int large_island = 256;

void check_shape(const ContactProblem& problem) {
  const std::size_t n = problem.count(), blocks = problem.column.size();
  LITHE_INVARIANT(problem.W.size() == 9 * blocks && problem.B.size() == 3 * n && problem.friction.size() == n &&
                  (problem.given.empty() || problem.given.size() == n) &&
                  problem.row_start.back() == static_cast<std::int32_t>(blocks));
  for (const double mu : problem.friction) LITHE_INVARIANT(!(mu < 0));
}

bool is_finite(const ContactProblem& problem, const std::vector<double>& R) {
  return all_finite(problem.W) && all_finite(problem.B) && all_finite(problem.friction) && all_finite(problem.given) &&
         all_finite(R);
}

bool is_open(const ContactProblem& problem, const ContactIslands& islands, int island) {
  for (std::int32_t i = islands.start[island]; i < islands.start[island + 1]; ++i)
    if (const int k = islands.contact[i]; problem.cone(k).is_given() || problem.B[3 * static_cast<std::size_t>(k)] < 0)
      return false;
  return true;
}

void extract(const ContactProblem& whole, const ContactIslands& islands, int island, ContactProblem& part) {
  part.row_start.assign(1, 0);
  part.column.clear();
  part.W.clear();
  part.B.clear();
  part.friction.clear();
  part.given.clear();
  for (std::int32_t i = islands.start[island]; i < islands.start[island + 1]; ++i) {
    const std::size_t k = islands.contact[i], first = whole.row_start[k], last = whole.row_start[k + 1];
    for (std::size_t p = first; p < last; ++p) part.column.push_back(islands.local[whole.column[p]]);
    part.W.insert(part.W.end(), &whole.W[9 * first], &whole.W[9 * first] + 9 * (last - first));
    part.B.insert(part.B.end(), &whole.B[3 * k], &whole.B[3 * k] + 3);
    part.friction.push_back(whole.friction[k]);
    if (!whole.given.empty()) part.given.push_back(whole.given[k]);
    part.row_start.push_back(static_cast<std::int32_t>(part.column.size()));
  }
}

}  // namespace

void split_into_islands(const ContactProblem& problem, ContactIslands& islands) {
  const int n = problem.count();
  std::vector<std::int32_t>&start = islands.start, &contact = islands.contact, &local = islands.local;
  start.assign(1, 0);
  contact.clear();
  local.assign(n, -1);
  for (int seed = 0; seed < n; ++seed) {
    if (local[seed] >= 0) continue;
    local[seed] = 0;
    contact.push_back(seed);
    for (std::size_t next = start.back(); next < contact.size(); ++next) {
      const std::int32_t k = contact[next];
      for (std::int32_t p = problem.row_start[k]; p < problem.row_start[k + 1]; ++p)
        if (const std::int32_t j = problem.column[p]; local[j] < 0) {
          local[j] = 0;
          contact.push_back(j);
        }
    }
    std::sort(contact.begin() + start.back(), contact.end());
    for (std::size_t i = start.back(); i < contact.size(); ++i)
      local[contact[i]] = static_cast<std::int32_t>(i) - start.back();
    start.push_back(static_cast<std::int32_t>(contact.size()));
  }
}

// Impulses that take energy in, R . B + R . W R > 0, are those of a blow that is over: what of them does not.
void hold_back(const ContactIsland& island, std::vector<double>& R, std::vector<double>& U) {
  contact_velocities(island, R, U);
  double free = 0, all = 0;
  for (std::size_t i = 0; i < R.size(); ++i) free += R[i] * island.problem.B[i], all += R[i] * U[i];
  if (!(all > 0)) return;
  const double share = std::max(0.0, -free / (all - free));
  for (double& r : R) r *= share;
}

IslandSolver::Room& IslandSolver::room(int thread) {
  Room& mine = room_[thread];
  if (!mine.method) mine.method = make_();
  return mine;
}

void IslandSolver::solve_island(const Job& job, int island, Room& room, Team* team) {
  const std::int32_t first = islands_.start[island], count = islands_.start[island + 1] - first;
  if (is_open(job.problem, islands_, island)) {  // nothing approaches: no impulse is a solution
    for (std::int32_t i = first; i < first + count; ++i) {
      set_contact_vector(job.R, islands_.contact[i], {{0, 0, 0}});
      set_contact_vector(job.U, islands_.contact[i], contact_vector(job.problem.B, islands_.contact[i]));
    }
    report_[island].solver = name_;
    return;
  }
  if (count == job.problem.count()) {
    const ContactIsland all{job.problem, size_, team};
    hold_back(all, job.R, job.U);
    report_[island] = room.method->solve(all, job.goal, job.R, job.U);
    return;
  }
  extract(job.problem, islands_, island, room.problem);
  room.size.resize(count);
  room.R.resize(3 * static_cast<std::size_t>(count));
  const std::int32_t* contact = &islands_.contact[first];
  for (std::int32_t i = 0; i < count; ++i) {
    room.size[i] = size_[contact[i]];
    set_contact_vector(room.R, i, contact_vector(job.R, contact[i]));
  }
  ContactReport& report = report_[island];
  const ContactIsland part{room.problem, room.size, team};
  hold_back(part, room.R, room.U);
  report = room.method->solve(part, job.goal, room.R, room.U);
  if (report.worst >= 0) report.worst = contact[report.worst];
  for (std::int32_t i = 0; i < count; ++i) {
    set_contact_vector(job.R, contact[i], contact_vector(room.R, i));
    set_contact_vector(job.U, contact[i], contact_vector(room.U, i));
  }
}

void IslandSolver::solve_all(const Job& job) {
  small_.clear();
  task_.assign(1, 0);
  int contacts = 0;
  for (int island = 0; island < islands_.count(); ++island) {
    const int count = islands_.start[island + 1] - islands_.start[island];
    if (count > large_island) {
      solve_island(job, island, room(0), team_);
      continue;
    }
    small_.push_back(island);
    contacts += count;
    if (contacts < contacts_per_task) continue;
    task_.push_back(static_cast<std::int32_t>(small_.size()));
    contacts = 0;
  }
  if (task_.back() < static_cast<std::int32_t>(small_.size()))
    task_.push_back(static_cast<std::int32_t>(small_.size()));
  const auto solve_task = [&](int task, int thread) {
    for (std::int32_t i = task_[task]; i < task_[task + 1]; ++i) solve_island(job, small_[i], room(thread), nullptr);
  };
  const int tasks = static_cast<int>(task_.size()) - 1;
  if (team_) team_->run(tasks, solve_task);
  else
    for (int task = 0; task < tasks; ++task) solve_task(task, 0);
}

// The worst of all islands: one that failed, else the one that took a method furthest down the ladder.
ContactReport IslandSolver::joined() const {
  ContactReport all;
  all.solver = name_;
  int furthest = -1;
  for (const ContactReport& one : report_) {
    const int rank = one.ok() ? one.fallbacks : 1000 + static_cast<int>(one.reason);
    if (rank > furthest) {
      furthest = rank;
      all.solver = one.solver;
      all.reason = one.reason;
    }
    all.fallbacks += one.fallbacks;
    all.iterations = std::max(all.iterations, one.iterations);
    all.impulse_residual = std::max(all.impulse_residual, one.impulse_residual);
    if (all.worst >= 0 && one.residual <= all.residual) continue;
    all.residual = one.residual;
    all.worst = one.worst;
  }
  return all;
}

ContactReport IslandSolver::solve(const ContactProblem& problem, const ContactOptions& options, std::vector<double>& R,
                                  std::vector<double>& U) {
  check_shape(problem);
  if (R.empty()) R.resize(problem.B.size(), 0.0);
  LITHE_INVARIANT(R.size() == problem.B.size());
  U.resize(R.size());
  if (!is_finite(problem, R)) {
    std::fill(R.begin(), R.end(), 0.0);
    U = problem.B;
    ContactReport report;
    report.reason = ContactReport::Reason::not_finite;
    report.solver = name_;
    return report;
  }
  const int n = problem.count();
  size_.resize(n);
  double fastest = 0;
  for (int k = 0; k < n; ++k) {
    size_[k] = std::max(0.0, largest_eigenvalue(diagonal_block(problem, k)));
    set_contact_vector(R, k, project_to_cone(problem.cone(k), contact_vector(R, k)));
    fastest = std::max(fastest, norm(contact_vector(problem.B, k)));
  }
  split_into_islands(problem, islands_);
  report_.assign(islands_.count(), {});
  room_.resize(team_ ? team_->size() : 1);
  const double speed = options.speed > 0 ? options.speed : fastest;
  solve_all({problem, {options.tolerance * speed, options.iterations}, R, U});
  return joined();
}

}  // namespace lithe
