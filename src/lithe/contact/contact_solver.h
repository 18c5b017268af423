// One interface for all solvers of frictional contact; each has a file and a line in the registry. Whatever the method,
// its result is projected into the cones and judged by one measure, the natural map
//
//   e_k = R_k - P_K(R_k - (U_k + mu_k |U_Tk| n) / w_k),    w_k = largest eigenvalue of W_kk,
//
// in N s and, times w_k, in m/s. It vanishes at solutions alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/contact/contact_problem.h"

namespace lithe {

struct ContactOptions {
  double tolerance = 1e-8;  // of the natural map in m/s, over `speed`
  double speed = 0;         // m/s; 0: the largest |B|
  int iterations = 0;       // 0: what the method takes to be enough
};

struct ContactReport {
  enum class Reason { done, not_converged, stagnated, not_finite, singular } reason = Reason::done;
  int iterations = 0;           // sweeps, Newton or gradient steps: of the island that took most
  double residual = 0;          // m/s, largest w_k |e_k|
  double impulse_residual = 0;  // N s, largest |e_k|
  int worst = -1;               // contact that has it
  std::string solver;           // that made the result; of `auto` the one it ended with
  int fallbacks = 0;            // `auto`: methods that failed before it, summed over islands; sweeps come first anyway
  bool ok() const { return reason == Reason::done; }
  std::string text() const;  // a clause: "newton did not converge in 50 iterations, ..."
};

class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  // R: the guess (warm start; empty: none), then the result, [contact][3], in the cones; U: velocities W R + B of it.
  // Where a number of the problem or of the guess is not finite R becomes 0.
  [[nodiscard]] virtual ContactReport solve(const ContactProblem& problem, const ContactOptions& options,
                                            std::vector<double>& R, std::vector<double>& U) = 0;
};

struct ContactSolverInfo {
  std::string name;
  std::string help;
  std::unique_ptr<ContactSolver> (*make)(const std::string& name, Team* team);  // null: one thread
};

const std::vector<ContactSolverInfo>& contact_solvers();
// Throws InputError with a suggestion for an unknown name.
std::unique_ptr<ContactSolver> make_contact_solver(const std::string& name, Team* team = nullptr);

// The natural map of R; makes U = W R + B.
ContactReport judge(const ContactProblem& problem, const std::vector<double>& R, std::vector<double>& U);

}  // namespace lithe
