// Accelerated projected gradients (Nesterov 1983; Mazhar, Heyn, Negrut and Tasora 2015): products with W alone. For a
// given shift s = mu |U_T| n the problem is convex, min R.W R / 2 + (B + s).R over the cones, and a step is
//
//   R' = P_K(Y - (U(Y) + s) / (L w)),    Y = R' + b (R' - R),
//
// w = w_k contact by contact, L as large as this step needs. U(Y) follows from U(R), U(R'): one product a step, and
// the natural map costs nothing. Momentum is dropped where it points uphill (O'Donoghue and Candes 2015). De Saxce's
// shift is renewed where the convex problem is solved better than the shift is known; so this solves the problem
// itself, not the convex one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/contact/cone.h"
#include "lithe/contact/contact_method.h"

namespace lithe {

namespace {

constexpr int enough_gradients = 20000;
// L would be 1 of contacts that do not couple. Where none is needed (impulses that hold each other) it stays above
// this.
constexpr double least_L = 0.01;
constexpr double solved_share = 0.3;  // of the residual that the shift leaves

class Apgd final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override;

 private:
  void renew_shift(const ContactIsland& island, const std::vector<double>& U);
  void project(const ContactIsland& island);
  bool is_short_enough(const ContactIsland& island) const;
  bool points_uphill(const ContactIsland& island, const std::vector<double>& R) const;
  double convex_residual(const ContactIsland& island, const std::vector<double>& R, const std::vector<double>& U) const;

  std::vector<double> shift_;              // [contact] mu |U_T|
  std::vector<double> Y_, U_Y_, R_, U_R_;  // [contact][3] where the gradient is taken, where the step leads
  double L_ = 1;
};

void Apgd::renew_shift(const ContactIsland& island, const std::vector<double>& U) {
  shift_.resize(island.count());
  for (int k = 0; k < island.count(); ++k) {
    const Vec3<double> u = contact_vector(U, k);
    shift_[k] = cone_shift(island.problem.cone(k), u[1], u[2]);
  }
}

void Apgd::project(const ContactIsland& island) {
  for (int k = 0; k < island.count(); ++k) {
    const double w = island.size[k];
    if (w == 0) continue;
    Vec3<double> gradient = contact_vector(U_Y_, k);
    gradient[0] += shift_[k];
    set_contact_vector(R_, k,
                       project_to_cone(island.problem.cone(k), contact_vector(Y_, k) - (1 / (L_ * w)) * gradient));
  }
  contact_velocities(island, R_, U_R_);
}

// (R - Y).W (R - Y) <= L |R - Y|_w^2
bool Apgd::is_short_enough(const ContactIsland& island) const {
  double curved = 0, square = 0;
  for (int k = 0; k < island.count(); ++k) {
    const Vec3<double> d = contact_vector(R_, k) - contact_vector(Y_, k);
    curved += dot(d, contact_vector(U_R_, k) - contact_vector(U_Y_, k));
    square += island.size[k] * dot(d, d);
  }
  return curved <= L_ * square * (1 + 1e-12);
}

bool Apgd::points_uphill(const ContactIsland& island, const std::vector<double>& R) const {
  double sum = 0;
  for (int k = 0; k < island.count(); ++k)
    sum += island.size[k] *
           dot(contact_vector(Y_, k) - contact_vector(R_, k), contact_vector(R_, k) - contact_vector(R, k));
  return sum > 0;
}

double Apgd::convex_residual(const ContactIsland& island, const std::vector<double>& R,
                             const std::vector<double>& U) const {
  double largest = 0;
  for (int k = 0; k < island.count(); ++k) {
    const Vec3<double> scaled = island.size[k] * contact_vector(R, k);
    Vec3<double> gradient = contact_vector(U, k);
    gradient[0] += shift_[k];
    largest = std::max(largest,
                       norm(scaled - project_to_cone(island.problem.cone(k).times(island.size[k]), scaled - gradient)));
  }
  return largest;
}

ContactReport Apgd::solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                          std::vector<double>& U) {
  using enum ContactReport::Reason;
  ContactReport report;
  report.solver = "apgd";
  contact_velocities(island, R, U);
  renew_shift(island, U);
  Y_ = R_ = R;
  U_Y_ = U;
  L_ = 1;
  double t = 1;
  for (const int most = goal.most(enough_gradients);; ++report.iterations) {
    measure_residual(island, R, U, report);
    report.reason = report.residual <= goal.tolerance ? done : not_converged;
    if (report.ok() || report.iterations >= most) return report;
    if (convex_residual(island, R, U) < solved_share * report.residual) {
      renew_shift(island, U);
      Y_ = R;
      U_Y_ = U;
      t = 1;
    }
    for (project(island); !is_short_enough(island); project(island)) L_ *= 2;
    const bool uphill = points_uphill(island, R);
    const double next = uphill ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * t * t)), b = uphill ? 0 : (t - 1) / next;
    for (std::size_t i = 0; i < R.size(); ++i) {
      Y_[i] = R_[i] + b * (R_[i] - R[i]);
      U_Y_[i] = U_R_[i] + b * (U_R_[i] - U[i]);
    }
    R.swap(R_);
    U.swap(U_R_);
    t = next;
    L_ = std::max(least_L, 0.95 * L_);
  }
}

}  // namespace

std::unique_ptr<ContactMethod> make_apgd() { return std::make_unique<Apgd>(); }

}  // namespace lithe
