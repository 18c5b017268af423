// Strategies D and E (P0 section 2, after Taylor, Serban and Negrut): the sums of C with all points side by side, so
// that they become a few products of matrices. A chunk is n points of one structure, S^D [N x 3n] with columns (a, p),
// column major:
//   [F; Fdot] = [ebar; ebardot] S^D                [6 x N][N x 3n], the 6 rows padded to 8, then as arrays of n
//   S = w D E, P = F S                             arrays of n
//   f = S^D P                                      [N x 3n][3n x 3]
//   J = sum_k B_k (D B^C)_k^T                      six of [3N x n][n x 3N]
//   compact geometric part S^D (S^D S)^T           [N x 3n][3n x N]
// B_k [3N x n] is the k-th strain's derivative at all points. D recomputes F, Fdot and S in the tangent; E keeps them,
// 24 values a point, from the force.
//
// One chunk holds the default rule (one layer of a shell) with n known to the compiler; longer rules take several, any
// other n runs with the same code and n at run time. Of the beam's points those of D^0 couple no normal strains and
// those of D^v have no shear: two chunks.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "lithe/elements/continuum_dispatch.h"
#include "lithe/elements/strategies/classic.h"

namespace lithe::classic {

// What of D is not zero.
enum class Structure { full, uncoupled, shearless };

inline Structure structure(ElementKind kind, const Law& law) {
  if (!kind->split_law) return Structure::full;
  if (law.G23 == 0 && law.G13 == 0 && law.G12 == 0) return Structure::shearless;
  return law.C12 == 0 && law.C13 == 0 && law.C23 == 0 ? Structure::uncoupled : Structure::full;
}

// One chunk of points: n_ >= 1 fixed, or Eigen::Dynamic with at most `most`.
template <int N, int n_, int most, Structure D>
struct Chunk {
  static constexpr int n3_ = n_ == Eigen::Dynamic ? Eigen::Dynamic : 3 * n_;
  static constexpr int strains = D == Structure::shearless ? 3 : 6;
  template <int rows, int columns, int options, int most_rows = rows, int most_columns = columns>
  using Map = Eigen::Map<Eigen::Matrix<double, rows, columns, options, most_rows, most_columns>, Eigen::Aligned64>;
  template <int rows, int columns, int options, int most_rows = rows, int most_columns = columns>
  using ConstMap =
      Eigen::Map<const Eigen::Matrix<double, rows, columns, options, most_rows, most_columns>, Eigen::Aligned64>;
  using Derivatives = ConstMap<N, n3_, Eigen::ColMajor, N, 3 * most>;
  using Gradients = Map<8, n3_, Eigen::ColMajor, 8, 3 * most>;
  using Stresses = Map<n3_, 3, Eigen::ColMajor, 3 * most, 3>;
  using Rows = ConstMap<3 * N, n_, Eigen::ColMajor, 3 * N, most>;

  static int count(int n) { return n_ == Eigen::Dynamic ? n : n_; }

  // FC [6][3n]: F by (m; a, p), then Fdot; ev is [N][8], work 24n doubles.
  static void gradients(int points, const double* SD, const double* ev, double* __restrict FC,
                        double* __restrict work) {
    const int n = count(points);
    Gradients(work, 8, 3 * n).noalias() = ConstMap<8, N, Eigen::ColMajor>(ev).lazyProduct(Derivatives(SD, N, 3 * n));
    for (int m = 0; m < 6; ++m)
      for (int c = 0; c < 3 * n; ++c) FC[m * 3 * n + c] = work[8 * c + m];
  }

  // S [6][n] = volume D (E + tau dE/dt).
  static void second_piola(int points, const double* __restrict FC, const double* __restrict laws,
                           const double* __restrict volume, double* __restrict S) {
    const int n = count(points);
    const double* __restrict tau = laws + 9 * n;
    for (int p = 0; p < n; ++p) {
      double F[3][3], H[3][3];
      for (int m = 0; m < 3; ++m)
        for (int a = 0; a < 3; ++a) {
          F[m][a] = FC[(3 * m + a) * n + p];
          H[m][a] = 0.5 * F[m][a] + tau[p] * FC[(9 + 3 * m + a) * n + p];
        }
      auto fh = [&](int a, int b) { return F[0][a] * H[0][b] + F[1][a] * H[1][b] + F[2][a] * H[2][b]; };
      const double w = volume[p];
      const double E0 = w * (fh(0, 0) - 0.5), E1 = w * (fh(1, 1) - 0.5), E2 = w * (fh(2, 2) - 0.5);
      if constexpr (D == Structure::uncoupled) {
        S[p] = laws[p] * E0;
        S[n + p] = laws[n + p] * E1;
        S[2 * n + p] = laws[2 * n + p] * E2;
      } else {
        const double C23 = laws[3 * n + p], C13 = laws[4 * n + p], C12 = laws[5 * n + p];
        S[p] = laws[p] * E0 + C12 * E1 + C13 * E2;
        S[n + p] = C12 * E0 + laws[n + p] * E1 + C23 * E2;
        S[2 * n + p] = C13 * E0 + C23 * E1 + laws[2 * n + p] * E2;
      }
      if constexpr (D == Structure::shearless) {
        S[3 * n + p] = S[4 * n + p] = S[5 * n + p] = 0;
      } else {
        S[3 * n + p] = w * laws[6 * n + p] * (fh(1, 2) + fh(2, 1));
        S[4 * n + p] = w * laws[7 * n + p] * (fh(0, 2) + fh(2, 0));
        S[5 * n + p] = w * laws[8 * n + p] * (fh(0, 1) + fh(1, 0));
      }
    }
  }

  // f [N x 3] += S^D P.
  static void add_force(int points, const double* SD, const double* __restrict FC, const double* __restrict S,
                        double* P, double* f) {
    const int n = count(points);
    for (int m = 0; m < 3; ++m) {
      const double* __restrict F = FC + 3 * m * n;
      double* __restrict p_m = P + 3 * m * n;
      for (int p = 0; p < n; ++p) {
        const double F0 = F[p], F1 = F[n + p], F2 = F[2 * n + p];
        if constexpr (D == Structure::shearless) {
          p_m[p] = F0 * S[p];
          p_m[n + p] = F1 * S[n + p];
          p_m[2 * n + p] = F2 * S[2 * n + p];
        } else {
          p_m[p] = F0 * S[p] + F1 * S[5 * n + p] + F2 * S[4 * n + p];
          p_m[n + p] = F0 * S[5 * n + p] + F1 * S[n + p] + F2 * S[3 * n + p];
          p_m[2 * n + p] = F0 * S[4 * n + p] + F1 * S[3 * n + p] + F2 * S[2 * n + p];
        }
      }
    }
    Map<N, 3, Eigen::ColMajor>(f).noalias() += Derivatives(SD, N, 3 * n).lazyProduct(Stresses(P, 3 * n, 3));
  }

  // J [3N x 3N] and compact [N x N] += the chunk's part of the tangent. work: 9n + 6Nn doubles.
  static void add_tangent(int points, const double* SD, const double* laws, const double* volume, const double* FC,
                          const double* S, double c_q, double c_v, double* J, double* compact, double* work) {
    const int n = count(points);
    double* G = work;  // [3][3n]  volume F^C, then B_k and (D B^C)_k, [n][3N] each
    double* B = G + padded(9 * n);
    double* DB = B + padded(3 * N * n);
    scaled_gradients(n, FC, laws, volume, c_q, c_v, G);
    const double *C11 = laws, *C22 = laws + n, *C33 = laws + 2 * n, *C23 = laws + 3 * n, *C13 = laws + 4 * n,
                 *C12 = laws + 5 * n;
    Map<3 * N, 3 * N, Eigen::RowMajor> out(J);
    const auto add = [&] {
      // For the beam's few points Eigen's blocked product costs more in packing than it saves.
      if constexpr (N == 8) out.noalias() += Rows(B, 3 * N, n).lazyProduct(Rows(DB, 3 * N, n).transpose());
      else out.noalias() += Rows(B, 3 * N, n) * Rows(DB, 3 * N, n).transpose();
    };
    if constexpr (D == Structure::uncoupled) {
      normal_rows_uncoupled(n, 0, SD, FC, G, C11, B, DB), add();
      normal_rows_uncoupled(n, 1, SD, FC, G, C22, B, DB), add();
      normal_rows_uncoupled(n, 2, SD, FC, G, C33, B, DB), add();
    } else {
      normal_rows(n, 0, SD, FC, G, C11, C12, C13, B, DB), add();
      normal_rows(n, 1, SD, FC, G, C12, C22, C23, B, DB), add();
      normal_rows(n, 2, SD, FC, G, C13, C23, C33, B, DB), add();
    }
    if constexpr (D != Structure::shearless) {
      shear_rows(n, 1, 2, SD, FC, G, laws + 6 * n, B, DB), add();
      shear_rows(n, 0, 2, SD, FC, G, laws + 7 * n, B, DB), add();
      shear_rows(n, 0, 1, SD, FC, G, laws + 8 * n, B, DB), add();
    }
    geometric_rows(n, SD, S, c_q, B);
    Map<N, N, Eigen::RowMajor>(compact).noalias() += Derivatives(SD, N, 3 * n) * Derivatives(B, N, 3 * n).transpose();
  }

  static double force_flops(double n) {
    const double point =
        27 + (strains == 6 ? 18 + 33 + 6 : 18 + 3) + (D == Structure::uncoupled ? 3 : 15) + (strains == 6 ? 3 + 45 : 9);
    return product_flops(6, N, 3 * n) + product_flops(N, 3 * n, 3) + n * point;
  }
  static double stress_flops(double n) {
    return product_flops(6, N, 3 * n) + n * (27 + (strains == 6 ? 18 + 33 + 6 : 18 + 3) +
                                             (D == Structure::uncoupled ? 3 : 15) + (strains == 6 ? 3 : 0));
  }
  static double tangent_flops(double n) {
    double rows = 3 * (1 + (D == Structure::uncoupled ? 1 : 5)) * 3 * N * n;
    if (strains == 6) rows += 3 * (3 + 3) * 3 * N * n;
    return n * (4 + 27) + rows + strains * product_flops(3 * N, n, 3 * N) + (strains - 1) * 9 * N * N +
           (strains == 6 ? 15 : 3) * N * n + product_flops(N, 3 * n, N);
  }

 private:
  static void scaled_gradients(int n, const double* __restrict FC, const double* __restrict laws,
                               const double* __restrict volume, double c_q, double c_v, double* __restrict G) {
    n = count(n);
    const double* __restrict tau = laws + 9 * n;
    for (int c = 0; c < 9; ++c)
      for (int p = 0; p < n; ++p)
        G[c * n + p] = volume[p] * ((c_q + tau[p] * c_v) * FC[c * n + p] + c_q * tau[p] * FC[(9 + c) * n + p]);
  }

  // Row of strain aa: B = S^D_a F_ma, (D B^C) = D_a0 S^D_0 G_m0 + D_a1 S^D_1 G_m1 + D_a2 S^D_2 G_m2.
  static void normal_rows(int n, int a, const double* __restrict SD, const double* __restrict FC,
                          const double* __restrict G, const double* D0, const double* D1, const double* D2,
                          double* __restrict B, double* __restrict DB) {
    n = count(n);
    for (int p = 0; p < n; ++p) {
      const double* __restrict s0 = SD + p * N;
      const double* __restrict s1 = s0 + n * N;
      const double* __restrict s2 = s1 + n * N;
      const double* __restrict s = SD + (a * n + p) * N;
      for (int m = 0; m < 3; ++m) {
        const double F = FC[(3 * m + a) * n + p];
        const double x0 = D0[p] * G[3 * m * n + p], x1 = D1[p] * G[(3 * m + 1) * n + p],
                     x2 = D2[p] * G[(3 * m + 2) * n + p];
        double* __restrict b = B + (3 * p + m) * N;
        double* __restrict d = DB + (3 * p + m) * N;
        for (int i = 0; i < N; ++i) {
          b[i] = s[i] * F;
          d[i] = s0[i] * x0 + s1[i] * x1 + s2[i] * x2;
        }
      }
    }
  }

  static void normal_rows_uncoupled(int n, int a, const double* __restrict SD, const double* __restrict FC,
                                    const double* __restrict G, const double* Da, double* __restrict B,
                                    double* __restrict DB) {
    n = count(n);
    for (int p = 0; p < n; ++p) {
      const double* __restrict s = SD + (a * n + p) * N;
      for (int m = 0; m < 3; ++m) {
        const double F = FC[(3 * m + a) * n + p], x = Da[p] * G[(3 * m + a) * n + p];
        double* __restrict b = B + (3 * p + m) * N;
        double* __restrict d = DB + (3 * p + m) * N;
        for (int i = 0; i < N; ++i) {
          b[i] = s[i] * F;
          d[i] = s[i] * x;
        }
      }
    }
  }

  // Row of strain ab: B = S^D_a F_mb + S^D_b F_ma.
  static void shear_rows(int n, int a, int b_axis, const double* __restrict SD, const double* __restrict FC,
                         const double* __restrict G, const double* modulus, double* __restrict B,
                         double* __restrict DB) {
    n = count(n);
    for (int p = 0; p < n; ++p) {
      const double* __restrict sa = SD + (a * n + p) * N;
      const double* __restrict sb = SD + (b_axis * n + p) * N;
      for (int m = 0; m < 3; ++m) {
        const double Fa = FC[(3 * m + a) * n + p], Fb = FC[(3 * m + b_axis) * n + p];
        const double xa = modulus[p] * G[(3 * m + a) * n + p], xb = modulus[p] * G[(3 * m + b_axis) * n + p];
        double* __restrict b = B + (3 * p + m) * N;
        double* __restrict d = DB + (3 * p + m) * N;
        for (int i = 0; i < N; ++i) {
          b[i] = sa[i] * Fb + sb[i] * Fa;
          d[i] = sa[i] * xb + sb[i] * xa;
        }
      }
    }
  }

  // [N x 3n]: c_q S^D S.
  static void geometric_rows(int n, const double* __restrict SD, const double* S, double c_q, double* __restrict SS) {
    n = count(n);
    for (int p = 0; p < n; ++p) {
      const double* __restrict s0 = SD + p * N;
      const double* __restrict s1 = s0 + n * N;
      const double* __restrict s2 = s1 + n * N;
      double* __restrict t0 = SS + p * N;
      double* __restrict t1 = t0 + n * N;
      double* __restrict t2 = t1 + n * N;
      const double S0 = c_q * S[p], S1 = c_q * S[n + p], S2 = c_q * S[2 * n + p];
      if constexpr (D == Structure::shearless) {
        for (int i = 0; i < N; ++i) {
          t0[i] = s0[i] * S0;
          t1[i] = s1[i] * S1;
          t2[i] = s2[i] * S2;
        }
      } else {
        const double S3 = c_q * S[3 * n + p], S4 = c_q * S[4 * n + p], S5 = c_q * S[5 * n + p];
        for (int i = 0; i < N; ++i) {
          t0[i] = s0[i] * S0 + s1[i] * S5 + s2[i] * S4;
          t1[i] = s0[i] * S5 + s1[i] * S1 + s2[i] * S3;
          t2[i] = s0[i] * S4 + s1[i] * S3 + s2[i] * S2;
        }
      }
    }
  }
};

// The functions of a chunk, chosen once when the kernel is made.
struct ChunkFunctions {
  decltype(&Chunk<8, 1, 1, Structure::full>::gradients) gradients;
  decltype(&Chunk<8, 1, 1, Structure::full>::second_piola) second_piola;
  decltype(&Chunk<8, 1, 1, Structure::full>::add_force) add_force;
  decltype(&Chunk<8, 1, 1, Structure::full>::add_tangent) add_tangent;
  double (*force_flops)(double);
  double (*stress_flops)(double);
  double (*tangent_flops)(double);
};

template <class C>
ChunkFunctions functions_of() {
  return {C::gradients,   C::second_piola, C::add_force,    C::add_tangent,
          C::force_flops, C::stress_flops, C::tangent_flops};
}

// Points in one chunk: those of the default rule with one structure.
template <class Kind>
constexpr int chunk_points(Structure structure) {
  if (Kind::N == 32) return 64;
  if (Kind::N == 16) return 32;
  return structure == Structure::shearless ? 3 : 12;
}

template <class Kind, Structure structure>
ChunkFunctions choose(int n) {
  constexpr int most = chunk_points<Kind>(structure);
  return n == most ? functions_of<Chunk<Kind::N, most, most, structure>>()
                   : functions_of<Chunk<Kind::N, Eigen::Dynamic, most, structure>>();
}

template <class Kind>
ChunkFunctions choose(Structure structure, int n) {
  if constexpr (Kind::N == 8) {
    if (structure == Structure::uncoupled) return choose<Kind, Structure::uncoupled>(n);
    if (structure == Structure::shearless) return choose<Kind, Structure::shearless>(n);
  }
  return choose<Kind, Structure::full>(n);
}

// Instantiated once, in d.cpp: the products are slow to compile.
extern template ChunkFunctions choose<Beam3243>(Structure, int);
extern template ChunkFunctions choose<Shell3443>(Structure, int);
extern template ChunkFunctions choose<Hexa3843>(Structure, int);

// D (keep = false) and E (keep = true).
template <class Kind, bool keep>
class AllPointsKernel final : public ClassicKernel {
  static constexpr int N = Kind::N;
  static constexpr int most = Kind::N == 32 ? 64 : Kind::N == 16 ? 32 : 12;

 public:
  AllPointsKernel(const ContinuumBatch& batch, TangentForm form)
      : ClassicKernel(batch, form),
        points_(int(batch.points.size())),
        derivatives_(std::size_t(batch.elements) * points_ * 3 * N),
        volume_(std::size_t(batch.elements) * points_) {
    std::vector<int> order;  // points by structure, then as given
    for (Structure s : {Structure::full, Structure::uncoupled, Structure::shearless}) {
      const int first = int(order.size());
      for (int p = 0; p < points_; ++p)
        if (structure(batch.kind, batch.laws[batch.points[p].law]) == s) order.push_back(p);
      for (int at = first; at < int(order.size());) {
        const int n = std::min(chunk_points<Kind>(s), int(order.size()) - at);
        chunks_.push_back({at, n, laws_.size(), saved_, choose<Kind>(s, n)});
        for (int c = 0; c < 10; ++c)
          for (int p = at; p < at + n; ++p) {
            const Law& law = batch.laws[batch.points[order[p]].law];
            const double values[10] = {law.C11, law.C22, law.C33, law.C23, law.C13,
                                       law.C12, law.G23, law.G13, law.G12, law.tau};
            laws_.push_back(values[c]);
          }
        laws_.resize(padded(laws_.size()));
        saved_ += 24 * n;
        at += n;
      }
    }
    fill(batch, order);
  }

  std::size_t saved_doubles() const override { return keep ? saved_ : 0; }
  std::size_t scratch_doubles() const override {
    return 8 * N + padded(24 * most) + padded(24 * most) + 6 * N * most + 9 * N * N + N * N;
  }
  std::size_t stored_bytes() const override {
    return (derivatives_.size() + volume_.size() + laws_.size()) * sizeof(double) + chunks_.size() * sizeof(ChunkPlan);
  }
  double force_flops() const override {
    double sum = 0;
    for (const auto& chunk : chunks_) sum += chunk.run.force_flops(chunk.n);
    return sum + double(chunks_.size() - 1) * 3 * N;
  }
  double tangent_flops() const override {
    double sum = 0;
    for (const auto& chunk : chunks_)
      sum += chunk.run.tangent_flops(chunk.n) + (keep ? 0 : chunk.run.stress_flops(chunk.n));
    return sum + double(chunks_.size() - 1) * 10 * N * N + 3 * N * N;
  }

  void force(int pack, const double* e, const double* v, double* f, double* saved, double* scratch) const override {
    double* ev = scratch;
    double* state = ev + 8 * N;
    double* P = state + padded(24 * most);
    double* sum = P + padded(24 * most);
    gather(e, v, ev);
    std::memset(sum, 0, 3 * N * sizeof(double));
    for (const auto& chunk : chunks_) {
      const double* SD = &derivatives_[(std::size_t(pack) * points_ + chunk.first) * 3 * N];
      const double* volume = &volume_[std::size_t(pack) * points_ + chunk.first];
      double* FC = keep ? saved + chunk.saved : state;
      double* S = FC + 18 * chunk.n;
      chunk.run.gradients(chunk.n, SD, ev, FC, P);
      chunk.run.second_piola(chunk.n, FC, &laws_[chunk.laws], volume, S);
      chunk.run.add_force(chunk.n, SD, FC, S, P, sum);
    }
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) f[3 * i + m] = sum[m * N + i];
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double* saved,
               double* scratch) const override {
    double* ev = scratch;
    double* state = ev + 8 * N;
    double* work = state + padded(24 * most);
    double* J = work + padded(24 * most) + 6 * N * most;
    double* compact = J + 9 * N * N;
    if (!keep) gather(e, v, ev);
    std::memset(J, 0, 10 * N * N * sizeof(double));
    for (const auto& chunk : chunks_) {
      const double* SD = &derivatives_[(std::size_t(pack) * points_ + chunk.first) * 3 * N];
      const double* volume = &volume_[std::size_t(pack) * points_ + chunk.first];
      const double* FC = keep ? saved + chunk.saved : state;
      const double* S = FC + 18 * chunk.n;
      if (!keep) {
        chunk.run.gradients(chunk.n, SD, ev, state, work);
        chunk.run.second_piola(chunk.n, state, &laws_[chunk.laws], volume, state + 18 * chunk.n);
      }
      chunk.run.add_tangent(chunk.n, SD, &laws_[chunk.laws], volume, FC, S, c_q, c_v, J, compact, work);
    }
    pack_tangent<N>(form_, J, compact, K);
  }

 private:
  struct ChunkPlan {
    int first, n;
    std::size_t laws, saved;
    ChunkFunctions run;
  };

  static void gather(const double* e, const double* v, double* ev) {
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) {
        ev[8 * i + m] = e[3 * i + m];
        ev[8 * i + 3 + m] = v[3 * i + m];
        ev[8 * i + 6] = ev[8 * i + 7] = 0;
      }
  }

  void fill(const ContinuumBatch& batch, const std::vector<int>& order) {
    const std::vector<double> dS = shape_derivatives(batch);
    std::vector<double> SD(std::size_t(points_) * 3 * N), volume(points_);
    for (int element = 0; element < elements_; ++element) {
      scaled_derivatives(batch, dS, element, SD.data(), volume.data());
      double* out = &derivatives_[std::size_t(element) * points_ * 3 * N];
      for (const auto& chunk : chunks_)
        for (int p = 0; p < chunk.n; ++p) {
          const int point = order[chunk.first + p];
          volume_[std::size_t(element) * points_ + chunk.first + p] = volume[point];
          for (int a = 0; a < 3; ++a)
            for (int i = 0; i < N; ++i)
              out[chunk.first * 3 * N + (a * chunk.n + p) * N + i] = SD[(std::size_t(point) * 3 + a) * N + i];
        }
    }
  }

  int points_;
  AlignedDoubles derivatives_;  // [element][chunk][3][n][N]  S^D, 1/m and 1
  AlignedDoubles volume_;       // [element][point by chunk]  m^3
  AlignedDoubles laws_;         // [chunk][10][n]             constants of Law in its order, Pa, and tau, s
  std::vector<ChunkPlan> chunks_;
  std::size_t saved_ = 0;
};

}  // namespace lithe::classic
