#include "lithe/elements/strategies/classic.h"

#include <string>

#include "lithe/base/error.h"

namespace lithe::classic {

void scaled_derivatives(const ContinuumBatch& batch, const std::vector<double>& dS, int element, double* SD,
                        double* volume) {
  const int N = vector_count(batch.kind);
  const double* half = &batch.half_size[std::size_t(3) * element];
  for (std::size_t p = 0; p < batch.points.size(); ++p) {
    const double* d = &dS[p * 3 * N];
    const PointMap map = map_point(batch, element, d, batch.points[p].weight, batch.points[p].angle);
    for (int i = 0; i < N; ++i)
      for (int a = 0; a < 3; ++a)
        SD[(p * 3 + a) * N + i] = vector_scale(batch.kind, half, i) *
                                  (d[3 * i] * map.B[0][a] + d[3 * i + 1] * map.B[1][a] + d[3 * i + 2] * map.B[2][a]);
    volume[p] = map.volume;
  }
}

double common_tau(const ContinuumBatch& batch, const char* strategy) {
  for (const Law& law : batch.laws)
    if (law.tau != batch.laws[0].tau)
      throw InputError(std::string("strategy '") + strategy + "' integrates the stiffness once and needs one damping " +
                       "time tau in all layers and materials of a body, but " + std::to_string(batch.laws[0].tau) +
                       " s and " + std::to_string(law.tau) +
                       " s are given; use strategy 'batched', 'C', 'D' or 'E', or give all of them the same tau");
  return batch.laws.at(0).tau;
}

void preintegrate(const ContinuumBatch& batch, const double* SD, const double* volume, double* theta, double* k3) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;
  const int N = vector_count(batch.kind), pairs = N * (N + 1) / 2, points = int(batch.points.size());
  // X: s^(s) of all pairs t <= k at all points; Y = X D volume.
  Matrix X(pairs, 6 * points), Y(pairs, 6 * points);
  Eigen::VectorXd constant = Eigen::VectorXd::Zero(pairs);
  for (int p = 0; p < points; ++p) {
    const Law& D = batch.laws[batch.points[p].law];
    const double* s = SD + std::size_t(3) * N * p;
    for (int t = 0, row = 0; t < N; ++t)
      for (int k = t; k < N; ++k, ++row) {
        auto ss = [&](int a, int b) { return s[a * N + t] * s[b * N + k]; };
        const double x[6] = {ss(0, 0),           ss(1, 1), ss(2, 2), ss(1, 2) + ss(2, 1), ss(0, 2) + ss(2, 0),
                             ss(0, 1) + ss(1, 0)};
        double y[6];
        stress(D, x, y);
        for (int c = 0; c < 6; ++c) {
          X(row, 6 * p + c) = x[c];
          Y(row, 6 * p + c) = volume[p] * y[c];
        }
        constant[row] -= 0.5 * volume[p] * (y[0] + y[1] + y[2]);
      }
  }
  const Matrix half = X * Y.transpose();
  const auto pair = [N](int t, int k) { return t <= k ? symmetric_block(N, t, k) : symmetric_block(N, k, t); };
  for (int t = 0; t < N; ++t)
    for (int k = 0; k < N; ++k) {
      const int row = pair(t, k);
      k3[t * N + k] = constant[row];
      double* out = theta + std::size_t(t * N + k) * N * N;
      for (int f = 0; f < N; ++f)
        for (int v = 0; v < N; ++v) out[f * N + v] = half(pair(f, v), row);
    }
}

}  // namespace lithe::classic
