// Semismooth Newton on the function of Alart and Curnier (1991). With r_N = R_N - U_N / w, y = R_T - U_T / w, w = 3
// w_k,
//
//   Phi_N = R_N - max(0, r_N),    Phi_T = R_T - (y, cut to the length mu r_N),
//
// its pieces say of each contact, t = y / |y|, s across it:
//
//   open   r_N <= 0             R = 0
//   stick  |y| <= mu r_N        U = 0
//   slide  kappa = mu r_N / |y| < 1:
//          U_N = 0,  R = R_N (n + mu t) + R_s s,  U_s + w (1 - kappa) / kappa R_s = 0
//
// A given R_N is no unknown: R = R_N n + R_T where it sticks, R_N (n + mu t) + R_s s where it slides.
//
// So a step has three to no unknowns a contact: (C^T W P + D) x = -(C^T U + D x), P = [n + mu t, s],
// C = [n, s] where it slides. W may be deficient (more points than bodies have freedoms): a share of w_k C^T P is added
// to the matrix, not to the function, a step of the proximal point method. What it holds back the next step makes good.
//
// The share follows the residual (Kelley and Keyes 1998, pseudo-transient continuation): far from the solution steps
// are short and pieces change one by one, near it nothing is left of the share and the convergence is quadratic. No
// step is refused: Phi rises on the way over a ridge, and line searches on it stall there. Where the best residual
// stands for too long the way begins again from there with another share.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/contact/cone.h"
#include "lithe/contact/gauss_seidel.h"
#include "lithe/linalg/choose_solver.h"

namespace lithe {

namespace {

constexpr int enough_newton_steps = 300;
constexpr int first_sweeps = 10;
constexpr int newton_patience = 60;  // steps within which the best residual must fall to a half
constexpr double least_share = 1e-12, most_share = 1;
constexpr double share_cycle[] = {0.03, 0.3, 0.003};  // share / (residual / largest |B|)
constexpr double piece_weight = 3;                    // of R against U / w_k, where pieces are chosen

class ContactNewton final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override;

 private:
  // What a contact adds to the unknowns: columns of P and C, spring w (1 - kappa) / kappa of the last where it slides;
  // R less these.
  struct Piece {
    int unknowns = 0;
    Vec3<double> P[3], C[3], rest{};
    double spring[3]{};
    void add(const Vec3<double>& p, const Vec3<double>& c, double s = 0) {
      P[unknowns] = p;
      C[unknowns] = c;
      spring[unknowns++] = s;
    }
  };
  void linearise(const ContactIsland& island);
  Piece piece_of(const FrictionCone& cone, double w, const Vec3<double>& R, const Vec3<double>& U) const;
  void assemble(const ContactIsland& island);
  bool factor();
  bool step(const ContactIsland& island);
  void sweep(const ContactIsland& island, int sweeps);
  void judge_projected(const ContactIsland& island, ContactReport& report);

  GaussSeidel sweeps_;
  std::vector<Piece> piece_;               // [contact]
  std::vector<int> unknowns_, analysed_;   // [contact], now and in the pattern
  std::vector<std::int32_t> first_;        // [contact + 1] unknown
  std::vector<double> R_, U_;              // [contact][3], R anywhere
  std::vector<double> inside_, inside_U_;  // R in the cones
  std::vector<double> held_;               // R_, what the proximal share holds on to
  std::vector<double> values_, x_;
  SparsePattern pattern_;
  std::unique_ptr<LinearSolver> solver_;
  double share_ = least_share;
};

ContactNewton::Piece ContactNewton::piece_of(const FrictionCone& cone, double w, const Vec3<double>& R,
                                             const Vec3<double>& U) const {
  Piece piece;
  const bool given = cone.is_given();
  const double mu = cone.friction, normal = given ? w * cone.given : w * R[0] - U[0], first = w * R[1] - U[1],
               second = w * R[2] - U[2];
  const Vec3<double> n{{1, 0, 0}};
  if (given) piece.rest = cone.given * n;
  if (normal <= 0) return piece;
  const double length = std::hypot(first, second), limit = mu * normal;
  if (length <= limit && mu > 0) {
    if (!given) piece.add(n, n);
    for (const Vec3<double>& t : {Vec3<double>{{0, 1, 0}}, Vec3<double>{{0, 0, 1}}}) piece.add(t, t);
    return piece;
  }
  const double c = length > 0 ? first / length : 1, s = length > 0 ? second / length : 0;
  const Vec3<double> across{{0, -s, c}};
  if (given) piece.rest = cone.given * Vec3<double>{{1, mu * c, mu * s}};
  else piece.add({{1, mu * c, mu * s}}, n);
  if (limit > 1e-12 * length) piece.add(across, across, w * (length - limit) / limit);
  return piece;
}

// The pieces at (R_, U_), R_ brought onto them and its velocities.
void ContactNewton::linearise(const ContactIsland& island) {
  const int n = island.count();
  piece_.resize(n);
  unknowns_.resize(n);
  first_.resize(n + 1);
  first_[0] = 0;
  held_ = R_;
  for (int k = 0; k < n; ++k) {
    const Vec3<double> r = contact_vector(R_, k);
    Piece& piece = piece_[k];
    piece = piece_of(island.problem.cone(k), piece_weight * island.size[k], r, contact_vector(U_, k));
    unknowns_[k] = piece.unknowns;
    first_[k + 1] = first_[k] + piece.unknowns;
    Vec3<double> on = piece.rest;
    for (int i = 0; i < piece.unknowns; ++i) on = on + dot(piece.C[i], r) * piece.P[i];
    set_contact_vector(R_, k, on);
  }
  contact_velocities(island, R_, U_);
}

// By columns: column (j, b) holds C_i . W_ij P_jb, and W_ij = W_ji^T stands in row j of W.
void ContactNewton::assemble(const ContactIsland& island) {
  const ContactProblem& problem = island.problem;
  const bool same = unknowns_ == analysed_;
  if (!same) {
    pattern_.size = first_.back();
    pattern_.symmetric = false;
    pattern_.column_start.assign(1, 0);
    pattern_.row.clear();
  }
  values_.clear();
  for (int j = 0; j < island.count(); ++j)
    for (int b = 0; b < unknowns_[j]; ++b) {
      const Vec3<double> P = piece_[j].P[b];
      for (std::int32_t p = problem.row_start[j]; p < problem.row_start[j + 1]; ++p) {
        const int i = problem.column[p];
        if (unknowns_[i] == 0) continue;
        const double* W = &problem.W[9 * static_cast<std::size_t>(p)];
        Vec3<double> u;
        for (int c = 0; c < 3; ++c) u[c] = W[c] * P[0] + W[3 + c] * P[1] + W[6 + c] * P[2];
        for (int a = 0; a < unknowns_[i]; ++a) {
          double value = dot(piece_[i].C[a], u);
          if (i == j && a == b) value += share_ * island.size[j] + piece_[j].spring[a];
          values_.push_back(value);
          if (!same) pattern_.row.push_back(first_[i] + a);
        }
      }
      if (!same) pattern_.column_start.push_back(static_cast<std::int32_t>(values_.size()));
    }
}

bool ContactNewton::factor() {
  if (unknowns_ != analysed_) {
    const SolverChoice choice = choose_linear_solver(pattern_, MatrixKind::unsymmetric);
    if (!solver_ || choice.name != solver_->name())
      solver_ = make_linear_solver(choice.name, {.ordering = choice.ordering, .keep_pivots = false});
    solver_->analyse(pattern_);
    analysed_ = unknowns_;
  }
  return solver_->factor(values_).usable;
}

// R_ and U_ go to what solves the pieces at hand. False: no factors, or not finite; then R_ stays on the pieces.
bool ContactNewton::step(const ContactIsland& island) {
  linearise(island);
  if (first_.back() == 0) return true;
  assemble(island);
  if (!factor()) return false;
  x_.resize(first_.back());
  for (int k = 0; k < island.count(); ++k) {
    const Piece& piece = piece_[k];
    const Vec3<double> R = contact_vector(R_, k), U = contact_vector(U_, k),
                       behind = (share_ * island.size[k]) * (R - contact_vector(held_, k));
    for (int a = 0; a < piece.unknowns; ++a)
      x_[first_[k] + a] = -dot(piece.C[a], U + behind) - piece.spring[a] * dot(piece.C[a], R);
  }
  if (!solver_->solve(x_, x_).ok()) return false;
  for (int k = 0; k < island.count(); ++k) {
    Vec3<double> R = contact_vector(R_, k);
    for (int a = 0; a < piece_[k].unknowns; ++a) R = R + x_[first_[k] + a] * piece_[k].P[a];
    set_contact_vector(R_, k, R);
  }
  contact_velocities(island, R_, U_);
  return true;
}

void ContactNewton::sweep(const ContactIsland& island, int sweeps) {
  for (int i = 0; i < sweeps; ++i) sweeps_.sweep(island, R_);
  contact_velocities(island, R_, U_);
}

void ContactNewton::judge_projected(const ContactIsland& island, ContactReport& report) {
  inside_.resize(R_.size());
  for (int k = 0; k < island.count(); ++k)
    set_contact_vector(inside_, k, project_to_cone(island.problem.cone(k), contact_vector(R_, k)));
  contact_velocities(island, inside_, inside_U_);
  measure_residual(island, inside_, inside_U_, report);
}

ContactReport ContactNewton::solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                                   std::vector<double>& U) {
  using enum ContactReport::Reason;
  ContactReport report, now;
  report.solver = "newton";
  report.residual = std::numeric_limits<double>::infinity();
  sweeps_.prepare(island);
  analysed_.clear();
  double speed = 0, halved = report.residual;
  for (int k = 0; k < island.count(); ++k) speed = std::max(speed, norm(contact_vector(island.problem.B, k)));
  R_ = R;
  sweep(island, 0);
  const int most = goal.most(enough_newton_steps);
  for (int i = 0, halved_at = 0, cycle = 0;; ++i) {
    judge_projected(island, now);
    report.iterations = i;
    if (now.residual < report.residual) {
      report.residual = now.residual;
      report.impulse_residual = now.impulse_residual;
      report.worst = now.worst;
      R = inside_;
      U = inside_U_;
    }
    report.reason = report.residual <= goal.tolerance ? done : not_converged;
    if (report.ok() || i == most) return report;
    if (i == 0) sweep(island, first_sweeps);
    if (report.residual < 0.5 * halved) {
      halved = report.residual;
      halved_at = i;
    } else if (i - halved_at > newton_patience) {
      halved_at = i;
      ++cycle;
      R_ = R;
      U_ = U;
    }
    share_ = std::clamp(share_cycle[cycle % std::size(share_cycle)] * std::min(now.residual, speed) / speed,
                        least_share, most_share);
    if (step(island) && all_finite(U_)) continue;
    R_ = R;
    sweep(island, first_sweeps);
  }
}

}  // namespace

std::unique_ptr<ContactMethod> make_contact_newton() { return std::make_unique<ContactNewton>(); }

}  // namespace lithe
