// Batches and states that the tests of the continuum elements share: every kind, straight, curved and twisted, layered.
#pragma once

#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "lithe/base/dual.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/elements/quadrature.h"

namespace lithe::fixtures {

inline constexpr ElementKind kinds[] = {ElementKind::beam3243, ElementKind::shell3443, ElementKind::hexa3843};

inline const char* kind_name(ElementKind kind) {
  return with_kind(kind, [](auto k) { return decltype(k)::name; });
}

enum class Reference { straight, curved };

struct Options {
  Reference reference = Reference::straight;
  double tau = 0.02;
  bool layered = false;  // shell: three orthotropic layers at different angles; other kinds: one orthotropic law
  int elements = 2;
  int extra_points = 0;  // more Gauss points along each axis than by default
};

inline Law isotropic(double E, double nu, double tau) {
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), G = E / (2 * (1 + nu));
  return {lambda + 2 * G, lambda + 2 * G, lambda + 2 * G, lambda, lambda, lambda, G, G, G, tau};
}

inline Law orthotropic(double scale, double tau) {
  return {9 * scale, 4 * scale, 3 * scale, 0.9 * scale, 1.1 * scale, 1.3 * scale, scale, 1.4 * scale, 1.7 * scale, tau};
}

inline void add_rule(ContinuumBatch& batch, int nx, int ny, int nz, int law, double z0, double z1, double angle) {
  const GaussRule x = gauss_rule(nx), y = gauss_rule(ny), z = gauss_rule(nz);
  const double h = (z1 - z0) / 2;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        batch.points.push_back(
            {{x.x[i], y.x[j], (z0 + z1) / 2 + h * z.x[k]}, x.w[i] * y.w[j] * z.w[k] * h, law, angle});
}

// The position of a material point of the curved body and its gradient: a strip bent and twisted about its axis.
inline void curved(const double* X, double* r, double (*gradient)[3]) {
  const auto place = [](const Dual* x, Dual* out) {
    const auto sine = [](Dual a) { return Dual(std::sin(a.v), std::cos(a.v) * a.d); };
    const auto cosine = [](Dual a) { return Dual(std::cos(a.v), -std::sin(a.v) * a.d); };
    const double radius = 0.4;
    const Dual angle = x[0] / Dual(radius), twist = x[0] * 3.0 + Dual(0.3);
    const Dual y = cosine(twist) * x[1] - sine(twist) * x[2], z = sine(twist) * x[1] + cosine(twist) * x[2];
    out[0] = sine(angle) * (Dual(radius) + y);
    out[1] = cosine(angle) * (Dual(radius) + y);
    out[2] = z + 0.2 * x[0] * x[1];
  };
  for (int a = 0; a < 3; ++a) {
    Dual x[3], out[3];
    for (int b = 0; b < 3; ++b) x[b] = Dual(X[b], a == b);
    place(x, out);
    for (int m = 0; m < 3; ++m) {
      r[m] = out[m].v;
      gradient[a][m] = out[m].d;
    }
  }
}

inline void corner(ElementKind kind, int node, double* xi) {
  with_kind(kind, [&](auto k) {
    for (int a = 0; a < 3; ++a) xi[a] = decltype(k)::corner[node][a];
  });
}

// Elements in a row along x, sharing a face.
inline ContinuumBatch make_batch(ElementKind kind, const Options& options = {}) {
  ContinuumBatch batch;
  batch.kind = kind;
  batch.elements = options.elements;
  const double E = 2e6, nu = 0.3, tau = options.tau;
  const int x = options.extra_points;
  if (kind == ElementKind::beam3243) {
    const double G = E / (2 * (1 + nu)), c = E * nu / ((1 + nu) * (1 - 2 * nu));
    batch.laws = {{E, E, E, 0, 0, 0, G, 0.9 * G, 0.85 * G, tau},
                  {2 * nu * c, 2 * nu * c, 2 * nu * c, c, c, c, 0, 0, 0, tau}};
    if (options.layered) batch.laws[0] = orthotropic(1e6, tau);
    add_rule(batch, 3 + x, 2 + x, 2 + x, 0, -1, 1, 0);
    add_rule(batch, 3 + x, 1, 1, 1, -1, 1, 0);
  } else if (kind == ElementKind::shell3443) {
    batch.laws = {isotropic(E, nu, tau), orthotropic(1e6, tau)};
    if (options.layered) {
      add_rule(batch, 4 + x, 4 + x, 2 + x, 1, -1, -0.4, 0.5);
      add_rule(batch, 4 + x, 4 + x, 2 + x, 0, -0.4, 0.5, 0);
      add_rule(batch, 4 + x, 4 + x, 2 + x, 1, 0.5, 1, -1.1);
    } else {
      add_rule(batch, 4 + x, 4 + x, 2 + x, 0, -1, 1, 0);
    }
  } else {
    batch.laws = {options.layered ? orthotropic(1e6, tau) : isotropic(E, nu, tau)};
    add_rule(batch, 4 + x, 4 + x, 4 + x, 0, -1, 1, options.layered ? 0.7 : 0);
  }
  const double half[3] = {0.06, kind == ElementKind::beam3243 ? 0.01 : 0.05,
                          kind == ElementKind::hexa3843 ? 0.03 : 0.008};
  const int nodes = vector_count(kind) / 4;
  for (int element = 0; element < options.elements; ++element) {
    for (int a = 0; a < 3; ++a) batch.half_size.push_back(half[a]);
    for (int node = 0; node < nodes; ++node) {
      double xi[3], X[3], r[3], gradient[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      corner(kind, node, xi);
      for (int a = 0; a < 3; ++a) r[a] = X[a] = half[a] * xi[a] + (a == 0 ? 2 * half[0] * element : 0);
      if (options.reference == Reference::curved) curved(X, r, gradient);
      batch.reference.insert(batch.reference.end(), r, r + 3);
      for (const auto& g : gradient) batch.reference.insert(batch.reference.end(), g, g + 3);
    }
  }
  batch.density.assign(batch.points.size(), 1000.0);
  return batch;
}

// A deformed and moving state of one element: strains of some per cent.
struct State {
  std::vector<double> e, v;
};
inline State random_state(const ContinuumBatch& batch, int element, unsigned seed, double size = 0.05) {
  const int n = 3 * vector_count(batch.kind);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  State state{std::vector<double>(n), std::vector<double>(n)};
  for (int k = 0; k < n; ++k) {
    double scale = size;
    if ((k / 3) % 4 == 0) scale *= batch.half_size[3 * element + 2];
    state.e[k] = batch.reference[std::size_t(n) * element + k] + scale * uniform(generator);
    state.v[k] = 20 * scale * uniform(generator);
  }
  return state;
}

// An array of doubles on a cache line.
class Aligned {
 public:
  explicit Aligned(std::size_t n)
      : size_(n),
        data_(static_cast<double*>(std::aligned_alloc(64, (n * sizeof(double) + 127) / 64 * 64)), &std::free) {
    for (std::size_t i = 0; i < n; ++i) data_.get()[i] = 0;
  }
  double* data() { return data_.get(); }
  double& operator[](std::size_t i) { return data_.get()[i]; }
  double operator[](std::size_t i) const { return data_.get()[i]; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::unique_ptr<double, void (*)(void*)> data_;
};

// Runs one element of a kernel of any width: the element sits in its lane, the other lanes hold their own elements.
struct Evaluation {
  std::vector<double> f;  // [3N]
  std::vector<double> K;  // [blocks][3][3]
};
class Evaluator {
 public:
  explicit Evaluator(const BatchKernel& kernel)
      : kernel_(kernel),
        e_(3 * kernel.vectors() * kernel.width()),
        v_(e_.size()),
        f_(e_.size()),
        K_(9 * std::size_t(tangent_blocks(kernel.vectors(), kernel.form())) * kernel.width()),
        saved_(kernel.saved_doubles()),
        scratch_(kernel.scratch_doubles()) {}

  // All lanes get the same state; the answer is that of `element`.
  Evaluation operator()(int element, const State& state, double c_q, double c_v) {
    const int W = kernel_.width(), pack = element / W, lane = element % W;
    load(state);
    kernel_.force(pack, e_.data(), v_.data(), f_.data(), saved_.data(), scratch_.data());
    for (std::size_t i = 0; i < scratch_.size(); ++i) scratch_[i] = 1e300;  // contents disposable
    kernel_.tangent(pack, e_.data(), v_.data(), c_q, c_v, K_.data(), saved_.data(), scratch_.data());
    Evaluation result;
    for (std::size_t k = lane; k < f_.size(); k += W) result.f.push_back(f_[k]);
    for (std::size_t k = lane; k < K_.size(); k += W) result.K.push_back(K_[k]);
    return result;
  }

  void load(const State& state) {
    for (std::size_t k = 0; k < e_.size(); ++k) {
      e_[k] = state.e[k / kernel_.width()];
      v_[k] = state.v[k / kernel_.width()];
    }
  }
  // Evaluation alone, for the test that nothing is allocated.
  void evaluate(int pack) {
    kernel_.force(pack, e_.data(), v_.data(), f_.data(), saved_.data(), scratch_.data());
    kernel_.tangent(pack, e_.data(), v_.data(), 1.0, 0.5, K_.data(), saved_.data(), scratch_.data());
  }

 private:
  const BatchKernel& kernel_;
  Aligned e_, v_, f_, K_, saved_, scratch_;
};

// d f / d e_j times c_q plus d f / d v_j times c_v by Dual, [3N][3N] row i, column j.
inline std::vector<double> dual_tangent(const ContinuumBatch& batch, int element, const State& state, double c_q,
                                        double c_v) {
  const int n = 3 * vector_count(batch.kind);
  std::vector<Dual> e(n), v(n), f(n);
  std::vector<double> J(std::size_t(n) * n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      e[i] = Dual(state.e[i], i == j ? c_q : 0.0);
      v[i] = Dual(state.v[i], i == j ? c_v : 0.0);
    }
    plain_force(batch, element, e.data(), v.data(), f.data());
    for (int i = 0; i < n; ++i) J[std::size_t(i) * n + j] = f[i].d;
  }
  return J;
}

inline double largest(const std::vector<double>& x) {
  double most = 0;
  for (double a : x) most = std::max(most, std::abs(a));
  return most;
}

// The size of what cancels in the force of G and L at rest: the largest entry of K2 e, about that of -K1 e (P0 eq. 12).
inline double force_scale(const ContinuumBatch& batch, int element, const State& state) {
  const int n = 3 * vector_count(batch.kind);
  // f(e) = K2(e) e + K1 e is odd in e: f(2e) - 2 f(e) = 6 K2(e) e at v = 0.
  std::vector<double> e2(n), zero(n, 0.0), f1(n), f2(n);
  for (int i = 0; i < n; ++i) e2[i] = 2 * state.e[i];
  plain_force(batch, element, state.e.data(), zero.data(), f1.data());
  plain_force(batch, element, e2.data(), zero.data(), f2.data());
  for (int i = 0; i < n; ++i) f2[i] = (f2[i] - 2 * f1[i]) / 6;
  return largest(f2);
}

}  // namespace lithe::fixtures
