// Alternating directions of multipliers over one factorisation (Tasora, Mangoni, Benatti and Garziera 2021; Carpentier,
// Le Lidec and Montaut 2024). R is split into x, which meets the linear equations, and z, which lies in the cones:
//
//   (W + rho w) x = rho w z - y - (B + s),    z' = P_K(x + y / (rho w)),    y' = y + rho w (x - z'),
//
// w = w_k contact by contact, so that masses of any ratio look alike. At rest x = z and y = -(U + s); De Saxce's shift
// s = mu |U_T| n is renewed in each iteration with U_T = -y_T. x is taken too far by a factor, which helps.
//
// rho balances the two residuals, w |x - z'| against w |z| and rho w |z' - z| against |y|: where one is much larger
// than the other it moves by a power of their ratio and the matrix is factored anew. It becomes small where impulses
// are large against what they change, as those under a heavy body on light ones.
#include <algorithm>
#include <cmath>

#include "lithe/contact/cone.h"
#include "lithe/contact/shifted_matrix.h"

namespace lithe {

namespace {

constexpr int enough_directions = 4000;
constexpr int look_every = 10;  // iterations between natural maps
constexpr double too_far = 1.6;
constexpr double first_rho = 0.1;
constexpr double unbalanced = 5;  // ratio of the residuals

class ContactAdmm final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override;

 private:
  bool factor(const ContactIsland& island);
  void begin(const ContactIsland& island, const std::vector<double>& R);
  bool iterate(const ContactIsland& island);
  bool adapt(const ContactIsland& island);

  ShiftedContactMatrix matrix_;
  std::vector<double> x_, y_, z_, velocity_of_z_, spring_;
  double rho_ = 0, primal_ = 0, dual_ = 0;  // residuals in m/s
  double impulse_ = 0, velocity_ = 0;       // largest w |z| and |y|, m/s
  int since_ = 0, wait_ = 0;                // iterations since rho changed; before it may again
};

bool ContactAdmm::factor(const ContactIsland& island) {
  spring_.assign(9 * static_cast<std::size_t>(island.count()), 0.0);
  for (int k = 0; k < island.count(); ++k)
    for (int i = 0; i < 3; ++i) spring_[9 * static_cast<std::size_t>(k) + 4 * i] = rho_ * island.size[k];
  since_ = 0;
  return matrix_.factor(island, spring_);
}

void ContactAdmm::begin(const ContactIsland& island, const std::vector<double>& R) {
  z_ = R;
  contact_velocities(island, R, y_);
  for (int k = 0; k < island.count(); ++k) {
    const Vec3<double> U = contact_vector(y_, k);
    set_contact_vector(y_, k, -1.0 * shifted_velocity(island.problem.cone(k), U));
  }
}

bool ContactAdmm::iterate(const ContactIsland& island) {
  const ContactProblem& problem = island.problem;
  const int n = problem.count();
  x_.resize(z_.size());
  for (int k = 0; k < n; ++k) {
    const Vec3<double> y = contact_vector(y_, k);
    Vec3<double> right = (rho_ * island.size[k]) * contact_vector(z_, k) - y - contact_vector(problem.B, k);
    right[0] -= cone_shift(problem.cone(k), y[1], y[2]);
    set_contact_vector(x_, k, right);
  }
  if (!matrix_.solve(x_)) return false;
  double primal = 0, dual = 0, impulse = 0, velocity = 0;
  for (int k = 0; k < n; ++k) {
    const double w = island.size[k];
    if (w == 0) continue;
    const Vec3<double> old = contact_vector(z_, k), y = contact_vector(y_, k);
    const Vec3<double> x = too_far * contact_vector(x_, k) + (1 - too_far) * old;
    const Vec3<double> z = project_to_cone(problem.cone(k), x + (1 / (rho_ * w)) * y);
    set_contact_vector(z_, k, z);
    set_contact_vector(y_, k, y + (rho_ * w) * (x - z));
    primal = std::max(primal, w * norm(contact_vector(x_, k) - z));
    dual = std::max(dual, rho_ * w * norm(z - old));
    impulse = std::max(impulse, w * norm(z));
    velocity = std::max(velocity, norm(contact_vector(y_, k)));
  }
  primal_ = primal;
  impulse_ = impulse;
  velocity_ = velocity;
  dual_ = dual;
  return true;
}

// False: no factors for the new rho.
bool ContactAdmm::adapt(const ContactIsland& island) {
  if (++since_ < wait_ || primal_ == 0 || dual_ == 0 || impulse_ == 0) return true;
  const double ratio = primal_ / dual_ * velocity_ / impulse_;
  if (ratio < unbalanced && ratio > 1 / unbalanced) return true;
  rho_ = std::clamp(rho_ * std::clamp(std::sqrt(ratio), 0.1, 10.0), 1e-9, 1e3);
  wait_ = std::min(2 * wait_, 200);
  return factor(island);
}

ContactReport ContactAdmm::solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                                 std::vector<double>& U) {
  using enum ContactReport::Reason;
  ContactReport report, now;
  report.solver = "admm";
  contact_velocities(island, R, U);
  measure_residual(island, R, U, report);
  matrix_.analyse(island, true);
  rho_ = first_rho;
  wait_ = 10;
  bool usable = factor(island);
  begin(island, R);
  for (const int most = goal.most(enough_directions);;) {
    report.reason = report.residual <= goal.tolerance ? done : usable ? not_converged : singular;
    if (report.reason != not_converged || report.iterations == most) return report;
    usable = iterate(island);
    ++report.iterations;
    if (!usable) continue;
    if (std::max(primal_, dual_) <= goal.tolerance || report.iterations % look_every == 0) {
      contact_velocities(island, z_, velocity_of_z_);
      measure_residual(island, z_, velocity_of_z_, now);
      if (now.residual < report.residual) {
        report.residual = now.residual;
        report.impulse_residual = now.impulse_residual;
        report.worst = now.worst;
        R = z_;
        U = velocity_of_z_;
      }
    }
    usable = adapt(island);
  }
}

}  // namespace

std::unique_ptr<ContactMethod> make_contact_admm() { return std::make_unique<ContactAdmm>(); }

}  // namespace lithe
