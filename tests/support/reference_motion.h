// Motions to compare with, by another way: the index-1 form of the equations of motion,
//
//   [T^T M T  G^T] [z'']       [T^T (f_int - f_ext + M a_d)]
//   [G        0  ] [lambda] = -[second rates at z'' = 0    ],    q = T z + driven coordinates,
//
// dense, integrated by the classical Runge-Kutta method with small steps. Forces and constraints are the engine's,
// integration and linear algebra are not.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "lithe/system/mass.h"
#include "lithe/system/outputs.h"
#include "lithe/system/system.h"

namespace lithe::test {

class ReferenceMotion {
 public:
  ReferenceMotion(const System& system, const State& start) : system_(system), work_(system, 1), mass_(system) {
    const int n = system.map.size;
    T_.setZero(static_cast<Eigen::Index>(system.q0.size()), n);
    std::vector<double> z(n, 0.0), q(system.q0.size());
    Eigen::MatrixXd MT = T_;
    for (int i = 0; i < n; ++i) {
      z.assign(n, 0.0);
      z[i] = 1;
      q.assign(q.size(), 0.0);
      system.map.prolong({}, z, 1, q);
      T_.col(i) = vector(q);
      std::vector<double> y(q.size(), 0.0);
      mass_.multiply(q, y);
      MT.col(i) = vector(y);
    }
    M_ = T_.transpose() * MT;
    state = start;
    accelerate(state);
  }

  State state;  // with accelerations and multipliers

  void advance(double duration, int steps) {
    const double h = duration / steps;
    const double begin = state.t;
    for (int k = 0; k < steps; ++k) {
      State y = state;
      std::vector<double> dq(y.q.size(), 0.0), dv(y.q.size(), 0.0);
      const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
      for (int s = 0; s < 4; ++s) {
        const State last = y;
        y.t = begin + (k + share[s]) * h;
        for (std::size_t i = 0; i < y.q.size(); ++i) {
          y.q[i] = state.q[i] + share[s] * h * last.v[i];
          y.v[i] = state.v[i] + share[s] * h * last.a[i];
        }
        accelerate(y);
        for (std::size_t i = 0; i < y.q.size(); ++i) {
          dq[i] += weight[s] * h * y.v[i];
          dv[i] += weight[s] * h * y.a[i];
        }
      }
      state.t = begin + (k + 1) * h;
      for (std::size_t i = 0; i < dq.size(); ++i) {
        state.q[i] += dq[i];
        state.v[i] += dv[i];
      }
      accelerate(state);
      for (std::size_t i = 0; i < system_.angles.size(); ++i)
        state.slots.values[i] = angle_value(system_.angles[i], state.q, state.slots.values[i]);
    }
  }

  std::vector<double> channels() {
    evaluate_internal(system_, state, work_);
    evaluate_external(system_, state, work_);
    return channel_values(system_, state, work_);
  }

 private:
  static Eigen::VectorXd vector(const std::vector<double>& x) {
    return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
  }

  // Driven coordinates, then accelerations and multipliers.
  void accelerate(State& s) {
    const int n = system_.map.size, m = system_.row_count();
    s.a.assign(s.q.size(), 0.0);
    system_.map.follow(system_.q0, s.t, s.t, s.q, s.v, s.a);
    evaluate_internal(system_, s, work_);
    evaluate_external(system_, s, work_);
    evaluate_constraints(system_, s, work_);
    std::vector<double> f(s.q.size()), second;
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = work_.internal[i] - work_.external[i];
    mass_.add_product(1, s.a, f);
    constraint_accelerations(system_, s, second);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = M_;
    const ConstraintJacobian& J = system_.jacobian;
    for (int r = 0; r < m; ++r)
      for (int e = J.row_start[r]; e < J.row_start[r + 1]; ++e)
        A(n + r, J.column[e]) = A(J.column[e], n + r) = work_.G[e];
    Eigen::VectorXd b(n + m);
    b.head(n) = -T_.transpose() * vector(f);
    for (int r = 0; r < m; ++r) b[n + r] = -second[r];
    const Eigen::VectorXd x = A.partialPivLu().solve(b);
    std::vector<double> z(n);
    for (int i = 0; i < n; ++i) z[i] = x[i];
    system_.map.prolong({}, z, 1, s.a);
    s.lambda.assign(m, 0.0);
    for (int r = 0; r < m; ++r) s.lambda[r] = x[n + r];
  }

  const System& system_;
  Workspace work_;
  MassMatrix mass_;
  Eigen::MatrixXd T_, M_;
};

}  // namespace lithe::test
