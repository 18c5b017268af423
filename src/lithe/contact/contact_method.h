// What a solver of frictional contact is behind ContactSolver: a method for one island, a problem that does not fall
// apart. contact_solver.cpp splits problems into islands and hands them over (islands.h).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "lithe/base/small.h"
#include "lithe/base/team.h"
#include "lithe/contact/contact_solver.h"

namespace lithe {

struct ContactIsland {
  const ContactProblem& problem;
  const std::vector<double>& size;  // [contact] w_k, largest eigenvalue of W_kk
  Team* team = nullptr;             // null: one thread
  int count() const { return problem.count(); }
};

struct ContactGoal {
  double tolerance;  // m/s, of the largest w_k |e_k|
  int iterations;    // at most; 0: what the method takes to be enough
  int most(int enough) const { return iterations > 0 ? iterations : enough; }
  // For a method that is one of several.
  ContactGoal within(int most_of_it) const {
    return {tolerance, iterations > 0 ? std::min(iterations, most_of_it) : most_of_it};
  }
};

class ContactMethod {
 public:
  virtual ~ContactMethod() = default;
  // R: the guess, then the result, in the cones. U = W R + B of it. All numbers are finite. What methods keep is room:
  // a result depends on nothing that was solved before.
  virtual ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                              std::vector<double>& U) = 0;
};

std::unique_ptr<ContactMethod> make_nsgs();
std::unique_ptr<ContactMethod> make_contact_newton();
std::unique_ptr<ContactMethod> make_contact_admm();
std::unique_ptr<ContactMethod> make_contact_interior();
std::unique_ptr<ContactMethod> make_apgd();
std::unique_ptr<ContactMethod> make_auto_contact();

// U_k = B_k + sum_j W_kj R_j. Nine sums side by side: the compiler makes vectors of them.
inline Vec3<double> contact_velocity(const ContactProblem& problem, int k, const double* R) {
  double sum[9]{};
  for (std::int32_t p = problem.row_start[k]; p < problem.row_start[k + 1]; ++p) {
    const double* W = &problem.W[9 * static_cast<std::size_t>(p)];
    const double* r = &R[3 * static_cast<std::size_t>(problem.column[p])];
    for (int i = 0; i < 9; ++i) sum[i] += W[i] * r[i % 3];
  }
  const double* B = &problem.B[3 * static_cast<std::size_t>(k)];
  return {{B[0] + (sum[0] + sum[1] + sum[2]), B[1] + (sum[3] + sum[4] + sum[5]), B[2] + (sum[6] + sum[7] + sum[8])}};
}

inline Vec3<double> contact_vector(const std::vector<double>& x, int k) {
  const double* a = &x[3 * static_cast<std::size_t>(k)];
  return {{a[0], a[1], a[2]}};
}
inline void set_contact_vector(std::vector<double>& x, int k, const Vec3<double>& value) {
  for (int i = 0; i < 3; ++i) x[3 * static_cast<std::size_t>(k) + i] = value[i];
}

// Where the diagonal block of contact k begins in W.
const double* diagonal_block(const ContactProblem& problem, int k);

// task(first, last) over pieces of [0, count), on the team where there is one.
inline constexpr int contacts_per_task = 64;
template <class Task>
void over_contacts(Team* team, int count, Task&& task) {
  if (!team || count <= contacts_per_task) {
    task(0, count);
    return;
  }
  team->run((count + contacts_per_task - 1) / contacts_per_task,
            [&](int piece, int) { task(piece * contacts_per_task, std::min(count, (piece + 1) * contacts_per_task)); });
}

// U = W R + B.
void contact_velocities(const ContactIsland& island, const std::vector<double>& R, std::vector<double>& U);
// Residuals and the worst contact of R with its U; reason, iterations and names are the caller's.
void measure_residual(const ContactIsland& island, const std::vector<double>& R, const std::vector<double>& U,
                      ContactReport& report);

}  // namespace lithe
