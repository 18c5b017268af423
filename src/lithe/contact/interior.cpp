// Interior point method on De Saxce's form (Acary, Armand, Nguyen and Shpakovych 2023). With V = U + s n, s = mu |U_T|,
//
//   x = (mu R_N, R_T) = S R,    y = (V_N / mu, V_T) = S^-1 V,    x, y in the cone a_0 >= |(a_1, a_2)|,    x . y = 0,
//
// Newton's method follows x o y = m e down to m = 0, o the product of Jordan's algebra of the cone. Scaled after
// Nesterov and Todd, Theta x = y, a step solves one system with a symmetric positive definite matrix, W itself in it:
//
//   (W + S Theta S) dR = r - V + S (m x^-1 - correction),    dV = W dR - r,    r = V - (W R + B + s n)
//
// once as a prediction with m = 0 and once with Mehrotra's correction. s is renewed after each step. As many points as
// one likes and masses of any ratio cost it nothing; a good guess gains it nothing either. Of a given R_N x_0 stands
// still, and y_0, which is free, follows from its row of x o y = m e alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/contact/cone.h"
#include "lithe/contact/shifted_matrix.h"

namespace lithe {

namespace {

constexpr int enough_interior_steps = 100;
// Steps within which the best residual or x . y must fall to a half: where the shift does not settle nothing else will.
constexpr int interior_patience = 20;
constexpr double velocity_rounding = 1e-14;  // of velocities against w |R|
constexpr double least_given = 1e-12;        // over what stops a contact: a disc without room has no inside

// x0^2 - |x_T|^2 without cancellation.
double cone_square(const Vec3<double>& x) {
  const double tangent = std::hypot(x[1], x[2]);
  return (x[0] - tangent) * (x[0] + tangent);
}

Vec3<double> cone_mirror(const Vec3<double>& x) { return {{x[0], -x[1], -x[2]}}; }

// Off the boundary by more than rounding.
Vec3<double> inward(const Vec3<double>& x) {
  return {{std::max(x[0], std::hypot(x[1], x[2]) * (1 + 1e-14)), x[1], x[2]}};
}

// Jordan's product, and a with x o a = b.
Vec3<double> jordan(const Vec3<double>& x, const Vec3<double>& y) {
  return {{dot(x, y), x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]}};
}
Vec3<double> jordan_solve(const Vec3<double>& x, const Vec3<double>& b) {
  const double first = dot(cone_mirror(x), b) / cone_square(x);
  return {{first, (b[1] - first * x[1]) / x[0], (b[2] - first * x[2]) / x[0]}};
}

// The longest step t <= 1 with x + t d in the cone.
double step_inside(const Vec3<double>& x, const Vec3<double>& d) {
  const double a = cone_square(d), b = dot(cone_mirror(x), d), c = cone_square(x);
  double longest = 1;
  if (d[0] < 0) longest = std::min(longest, -x[0] / d[0]);
  const double square = b * b - a * c;
  if (square < 0) return longest;
  const double root = std::sqrt(square), q = b > 0 ? -b - root : -b + root;  // roots of a t^2 + 2 b t + c
  for (const double t : {q / a, c / q})
    if (t > 0) longest = std::min(longest, t);
  return longest;
}

class ContactInterior final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override;

 private:
  // Nesterov and Todd's scaling of a contact: G x = G^-1 y, G = beta (2 v v^T - J).
  struct Scaling {
    Vec3<double> x, y, v;
    double beta = 1;
    Vec3<double> times(const Vec3<double>& a) const { return beta * (2 * dot(v, a) * v - cone_mirror(a)); }
    Vec3<double> over(const Vec3<double>& a) const {
      const Vec3<double> u = cone_mirror(v);
      return (1 / beta) * (2 * dot(u, a) * u - cone_mirror(a));
    }
  };
  void begin(const ContactIsland& island);
  bool scale(const ContactIsland& island);
  bool factor(const ContactIsland& island);
  bool step(const ContactIsland& island);
  bool direction(const ContactIsland& island, double m, bool correct);
  double longest_step(const ContactIsland& island) const;
  double product(const ContactIsland& island, double length) const;
  void find_residual(const ContactIsland& island);

  ShiftedContactMatrix matrix_;
  std::vector<Scaling> scaling_;           // [contact]
  std::vector<double> R_, V_, dR_, dV_;    // [contact][3]
  std::vector<double> inside_, inside_U_;  // R in the cones
  std::vector<double> spring_, residual_, right_;
  std::vector<double> driven_;  // [contact] of a given R_N: dV_N less what dR_T takes from it
  double least_spring_ = 0;     // share of w_k on the diagonal
  double product_ = 0;          // x . y of a contact on average
  double least_product_ = 0;    // m/s, of x . y over R: what the tolerance does not see
};

// Of a contact without friction x and y are numbers, and R_T stays 0.
struct ConeScale {
  double normal, tangent;
  bool given;  // R_N
  explicit ConeScale(const FrictionCone& cone)
      : normal(cone.friction > 0 ? cone.friction : 1), tangent(cone.friction > 0 ? 1 : 0), given(cone.is_given()) {}
  // A component of R that does not move.
  bool holds(int i) const { return i == 0 ? given : tangent == 0; }
  Vec3<double> free(const Vec3<double>& a) const {
    return {{holds(0) ? 0 : a[0], holds(1) ? 0 : a[1], holds(2) ? 0 : a[2]}};
  }
  Vec3<double> times(const Vec3<double>& a) const { return {{normal * a[0], tangent * a[1], tangent * a[2]}}; }
  Vec3<double> over(const Vec3<double>& a) const { return {{a[0] / normal, tangent * a[1], tangent * a[2]}}; }
};

void ContactInterior::begin(const ContactIsland& island) {
  const std::size_t size = island.problem.B.size();
  double speed = 0;
  for (int k = 0; k < island.count(); ++k) speed = std::max(speed, norm(contact_vector(island.problem.B, k)));
  for (std::vector<double>* x : {&R_, &V_}) x->assign(size, 0.0);
  for (std::vector<double>* x : {&dR_, &dV_, &residual_, &right_, &inside_}) x->resize(size);
  scaling_.resize(island.count());
  driven_.assign(island.count(), 0.0);
  spring_.assign(3 * size, 0.0);
  for (int k = 0; k < island.count(); ++k) {
    const double usual = island.size[k] > 0 ? speed / island.size[k] : 1;
    const FrictionCone cone = island.problem.cone(k);
    R_[3 * static_cast<std::size_t>(k)] = cone.is_given() ? std::max(cone.given, least_given * usual) : usual;
    V_[3 * static_cast<std::size_t>(k)] = speed;
  }
}

// False: not inside of the cones.
bool ContactInterior::scale(const ContactIsland& island) {
  for (int k = 0; k < island.count(); ++k) {
    const ConeScale S(island.problem.cone(k));
    Scaling& own = scaling_[k];
    own.x = inward(S.times(contact_vector(R_, k)));
    own.y = inward(S.over(contact_vector(V_, k)));
    const double x2 = cone_square(own.x), y2 = cone_square(own.y);
    if (!(x2 > 0 && y2 > 0)) return false;
    const Vec3<double> x = (1 / std::sqrt(x2)) * own.x, y = (1 / std::sqrt(y2)) * own.y;
    const double beta2 = std::sqrt(y2 / x2);
    const Vec3<double> w = (1 / std::sqrt(2 * (1 + dot(x, y)))) * (y + cone_mirror(x));
    own.beta = std::sqrt(beta2);
    own.v = (1 / std::sqrt(2 * (w[0] + 1))) * Vec3<double>{{w[0] + 1, w[1], w[2]}};
    double* D = &spring_[9 * static_cast<std::size_t>(k)];
    const double scale[3] = {S.normal, S.tangent, S.tangent};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        D[3 * i + j] = beta2 * scale[i] * scale[j] * (2 * w[i] * w[j] - (i == j ? (i == 0 ? 1 : -1) : 0));
    if (S.given) D[0] = D[1] = D[2] = D[3] = D[6] = 0;
    for (int i = 0; i < 3; ++i) D[4 * i] += (S.holds(i) ? 1e8 : least_spring_) * island.size[k];
  }
  return true;
}

// With as little more on the diagonal as it takes.
bool ContactInterior::factor(const ContactIsland& island) {
  for (least_spring_ = 1e-13; least_spring_ < 1e-7; least_spring_ *= 100)
    if (scale(island) && matrix_.factor(island, spring_)) return true;
  return false;
}

bool ContactInterior::direction(const ContactIsland& island, double m, bool correct) {
  const ContactProblem& problem = island.problem;
  for (int k = 0; k < problem.count(); ++k) {
    const ConeScale S(problem.cone(k));
    const Scaling& own = scaling_[k];
    Vec3<double> right = (m / cone_square(own.x)) * cone_mirror(own.x);
    if (correct) {
      const Vec3<double> lambda = own.times(own.x), dx = S.times(contact_vector(dR_, k)),
                         dy = S.over(contact_vector(dV_, k));
      right = right - own.times(jordan_solve(lambda, jordan(own.times(dx), own.over(dy))));
    }
    right = S.times(right) - contact_vector(V_, k);
    if (S.given) driven_[k] = right[0];
    set_contact_vector(right_, k, S.free(contact_vector(residual_, k) + right));
  }
  dR_ = right_;
  if (!matrix_.solve(dR_)) return false;
  for (int k = 0; k < problem.count(); ++k)
    set_contact_vector(dR_, k, ConeScale(problem.cone(k)).free(contact_vector(dR_, k)));
  over_contacts(island.team, problem.count(), [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const Vec3<double> dU = contact_velocity(problem, k, dR_.data()) - contact_vector(problem.B, k);
      set_contact_vector(dV_, k, dU - contact_vector(residual_, k));
      const ConeScale S(problem.cone(k));
      if (!S.given) continue;
      const Scaling& own = scaling_[k];
      dV_[3 * static_cast<std::size_t>(k)] =
          driven_[k] - S.normal * own.times(own.times(S.times(contact_vector(dR_, k))))[0];
    }
  });
  return true;
}

double ContactInterior::longest_step(const ContactIsland& island) const {
  double longest = 1;
  for (int k = 0; k < island.count(); ++k) {
    const ConeScale S(island.problem.cone(k));
    longest = std::min({longest, step_inside(scaling_[k].x, S.times(contact_vector(dR_, k))),
                        step_inside(scaling_[k].y, S.over(contact_vector(dV_, k)))});
  }
  return longest;
}

// x . y of a contact on average, after a step of this length.
double ContactInterior::product(const ContactIsland& island, double length) const {
  double sum = 0;
  for (int k = 0; k < island.count(); ++k) {
    const ConeScale S(island.problem.cone(k));
    sum += dot(scaling_[k].x + length * S.times(contact_vector(dR_, k)),
               scaling_[k].y + length * S.over(contact_vector(dV_, k)));
  }
  return sum / island.count();
}

bool ContactInterior::step(const ContactIsland& island) {
  if (!factor(island) || !direction(island, 0, false)) return false;
  const double now = product_ = product(island, 0), ahead = product(island, longest_step(island)) / now;
  // What the shift still moves, as energy: ahead of it the corner of the cone would be reached too soon.
  double left = 0, impulse = 0;
  for (int k = 0; k < island.count(); ++k) {
    const double R = norm(contact_vector(R_, k)), r = norm(contact_vector(residual_, k));
    left += R * std::max(0.0, r - velocity_rounding * island.size[k] * R);
    impulse += R;
  }
  const double target =
      std::max({now * std::clamp(ahead * ahead * ahead, 1e-6, 1.0), std::min(0.5 * left / island.count(), now),
                least_product_ * impulse / island.count()});
  if (!direction(island, target, true)) return false;
  const double length = std::min(1.0, 0.99 * longest_step(island));
  for (std::size_t i = 0; i < R_.size(); ++i) {
    R_[i] += length * dR_[i];
    V_[i] += length * dV_[i];
  }
  return all_finite(R_) && all_finite(V_);
}

// V - (W R + B + s n).
void ContactInterior::find_residual(const ContactIsland& island) {
  contact_velocities(island, R_, residual_);
  for (int k = 0; k < island.count(); ++k) {
    const FrictionCone cone = island.problem.cone(k);
    const Vec3<double> V = contact_vector(V_, k);
    Vec3<double> r = V - contact_vector(residual_, k);
    r[0] -= cone_shift(cone, V[1], V[2]);
    set_contact_vector(residual_, k, ConeScale(cone).free(r));
  }
}

ContactReport ContactInterior::solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                                     std::vector<double>& U) {
  using enum ContactReport::Reason;
  ContactReport report, now;
  report.solver = "interior";
  matrix_.analyse(island, true);
  begin(island);
  product_ = std::numeric_limits<double>::infinity();
  contact_velocities(island, R, U);
  measure_residual(island, R, U, report);
  const int most = goal.most(enough_interior_steps);
  least_product_ = 1e-6 * goal.tolerance;
  double halved = report.residual, halved_product = product_;
  int halved_at = 0;
  for (bool usable = true;; ++report.iterations) {
    if (report.residual < 0.5 * halved || product_ < 0.5 * halved_product) {
      halved = report.residual;
      halved_product = product_;
      halved_at = report.iterations;
    }
    report.reason = report.residual <= goal.tolerance                   ? done
                    : !usable                                           ? singular
                    : report.iterations - halved_at > interior_patience ? stagnated
                                                                        : not_converged;
    if (report.reason != not_converged || report.iterations == most) return report;
    find_residual(island);
    usable = step(island);
    if (!usable) continue;
    for (int k = 0; k < island.count(); ++k)
      set_contact_vector(inside_, k, project_to_cone(island.problem.cone(k), contact_vector(R_, k)));
    contact_velocities(island, inside_, inside_U_);
    measure_residual(island, inside_, inside_U_, now);
    if (now.residual >= report.residual) continue;
    report.residual = now.residual;
    report.impulse_residual = now.impulse_residual;
    report.worst = now.worst;
    R = inside_;
    U = inside_U_;
  }
}

}  // namespace

std::unique_ptr<ContactMethod> make_contact_interior() { return std::make_unique<ContactInterior>(); }

}  // namespace lithe
