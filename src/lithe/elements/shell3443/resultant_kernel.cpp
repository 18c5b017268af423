#include "lithe/elements/shell3443/resultant_kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/elements/dual_lanes.h"
#include "lithe/elements/shell3443/resultant_tangent.h"

namespace lithe {

namespace {

// Of the membrane's stiffness: with all of it thin curved shells are too stiff on coarse meshes (pinched hemisphere),
// with a tenth too soft where they buckle in wrinkles (pullout of a cylinder).
constexpr double hourglass_share = 0.3;
// Slopes along an edge that grow take bending off (K_ss - 2/3 b); this much of the bending stiffness over the square of
// half the edge holds them: thick shells bent sharply were too soft by 3 (T/R)^2.
constexpr double slope_share = 36;

constexpr double gauss = shell_gauss;
// 1 / 3 xi^2 as its mean square over an edge: what a second difference of one is worth against a constant.
constexpr double mean_square = 4.0 / 45;

}  // namespace

ShellShapes make_shell_shapes() {
  ShellShapes shapes;
  for (int p = 0; p < 4; ++p) {
    const double xi[3] = {gauss * Shell3443::corner[p][0], gauss * Shell3443::corner[p][1], 1};
    double dS[16][3];
    Shell3443::derivative(xi, dS);
    for (int a = 0; a < 2; ++a) {
      for (int i = 0; i < 12; ++i) shapes.A[p][i][a] = dS[surface_vector(i)][a];
      for (int n = 0; n < 4; ++n) shapes.B[p][n][a] = dS[4 * n + 3][a];
    }
  }
  return shapes;
}

namespace {

using Vec = Vec3<double>;
Vec vec(const double* x) { return {{x[0], x[1], x[2]}}; }

// Rows of the transformation from covariant to local strains (E11, E22, 2 E12), J[a][i] = A_a . t_i.
struct LocalFrame {
  double inverse[2][2];  // [local][covariant]
  double area;

  LocalFrame(const Vec& A1, const Vec& A2, MaterialAxes axes) {
    const Vec normal = cross(A1, A2);
    area = std::sqrt(dot(normal, normal));
    const Vec n = (1 / area) * normal;
    Vec t1 = A1;
    if (axes == MaterialAxes::global) {
      const Vec x{{1, 0, 0}}, y{{0, 1, 0}};
      t1 = x - dot(x, n) * n;
      if (dot(t1, t1) < 1e-12) t1 = y - dot(y, n) * n;
    }
    t1 = (1 / std::sqrt(dot(t1, t1))) * t1;
    const Vec t2 = cross(n, t1);
    const double J[2][2] = {{dot(A1, t1), dot(A1, t2)}, {dot(A2, t1), dot(A2, t2)}};
    const double d = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    // E_cov = J E J^T, so E = J^-1 E_cov J^-T.
    inverse[0][0] = J[1][1] / d;
    inverse[0][1] = -J[0][1] / d;
    inverse[1][0] = -J[1][0] / d;
    inverse[1][1] = J[0][0] / d;
  }
  void voigt(double (*T)[3]) const {
    const auto& i = inverse;
    const double rows[3][3] = {{i[0][0] * i[0][0], i[0][1] * i[0][1], i[0][0] * i[0][1]},
                               {i[1][0] * i[1][0], i[1][1] * i[1][1], i[1][0] * i[1][1]},
                               {2 * i[0][0] * i[1][0], 2 * i[0][1] * i[1][1], i[0][0] * i[1][1] + i[0][1] * i[1][0]}};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) T[a][b] = rows[a][b];
  }
};

// A diagonal in the reference: slopes and middle of diagonal.h, half of it in the middle, and where that lies.
struct Diagonal {
  double slope[4], middle[4];
  Vec along;
  double xi[2];

  Diagonal(int d, const double (*x)[3]) {
    const int i = d, j = d + 2;
    const Vec half = 0.5 * (vec(x[4 * j]) - vec(x[4 * i]));
    for (int end = 0; end < 2; ++end) {
      const int first = 4 * (end ? j : i);
      combine(vec(x[first + 1]), vec(x[first + 2]), half, slope + 2 * end);
    }
    // Corners c + a xi + b eta + h xi eta; the middle of the diagonal is c + h (d = 0) or c - h, and a xi + b eta = h
    // (1 - xi eta) or -h (1 + xi eta) has the smaller root of a quadratic equation.
    Vec a{}, b{}, h{};
    for (int n = 0; n < 4; ++n) {
      const double s = Shell3443::corner[n][0], t = Shell3443::corner[n][1];
      a = a + (0.25 * s) * vec(x[4 * n]);
      b = b + (0.25 * t) * vec(x[4 * n]);
      h = h + (0.25 * s * t) * vec(x[4 * n]);
    }
    double of_h[2];
    combine(a, b, h, of_h);
    const double sign = d == 0 ? 1 : -1, product = of_h[0] * of_h[1],
                 twist = 2 * product / (1 + 2 * sign * product + std::sqrt(std::max(0.0, 1 + 4 * sign * product)));
    for (int k = 0; k < 2; ++k) xi[k] = sign * of_h[k] * (1 - sign * twist);
    for (int n = 0; n < 4; ++n)
      middle[n] = 0.25 * (1 + xi[0] * Shell3443::corner[n][0]) * (1 + xi[1] * Shell3443::corner[n][1]);
    along = half;
  }

 private:
  // to[0] a + to[1] b nearest to v.
  static void combine(const Vec& a, const Vec& b, const Vec& v, double* to) {
    const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), det = aa * bb - ab * ab;
    to[0] = (bb * dot(a, v) - ab * dot(b, v)) / det;
    to[1] = (aa * dot(b, v) - ab * dot(a, v)) / det;
  }
};

// The turn of the director in the middle of the element by each diagonal's bubble of one. It is the one that gives both
// diagonals their shear where they cross at a large angle. Where they are nearly parallel, in long elements, the part
// across them would bend far more than the true field does: it is scaled by 2 sqrt(1 - |cos|), at most 1.
struct MiddleTurn {
  Vec by[2];
  explicit MiddleTurn(const Diagonal (&of)[2]) {
    const double l0 = norm(of[0].along), l1 = norm(of[1].along);
    const Vec e0 = (1 / l0) * of[0].along, e1 = (1 / l1) * of[1].along;
    const double cosine = dot(e0, e1), sine2 = 1 - cosine * cosine;
    const Vec difference = e0 - (cosine < 0 ? -1.0 : 1.0) * e1;
    const Vec across = (1 / norm(difference)) * difference;
    const double share = std::min(1.0, 2 * std::sqrt(1 - std::abs(cosine)));
    by[0] = (1 / (l0 * sine2)) * (e0 - cosine * e1);
    by[1] = (1 / (l1 * sine2)) * (e1 - cosine * e0);
    for (Vec& turn : by) turn = turn - ((1 - share) * dot(turn, across)) * across;
  }
};

// Covariant bending, at a point with the tangents A, by a turn `by` of the director that grows with slopes d.
void bending_of(const Vec (&A)[2], const Vec& by, const double* d, double* to) {
  const double along[2] = {dot(A[0], by), dot(A[1], by)};
  to[0] = along[0] * d[0];
  to[1] = along[1] * d[1];
  to[2] = along[0] * d[1] + along[1] * d[0];
}

// (1 - s^2) (1 + side t) / 2 of an edge.
double edge_bubble(const ShellEdge& k, const double* xi) {
  const double s = xi[k.axis], t = xi[1 - k.axis];
  return 0.5 * (1 - s * s) * (1 + k.side * t);
}

// The numbers of one element (ShellNumbers) for one part of its section's law.
void fill_numbers(const ShellShapes& shapes, const ContinuumBatch& batch, const SectionLaw& law, int element,
                  double* out) {
  using N = ShellNumbers;
  const double* reference = &batch.reference[48ul * element];
  const double* half = &batch.half_size[3ul * element];
  double x[16][3], y[16][3];
  shell_coordinates<double>(half, reference, x);
  for (int i = 0; i < 16; ++i)
    for (int m = 0; m < 3; ++m) y[i][m] = 0.5 * x[i][m];
  ShellGradients<double> g, h;
  g.at(shapes, x);
  h.at(shapes, y);
  std::fill(out, out + N::count, 0.0);
  const Diagonal diagonals[2] = {Diagonal(0, x), Diagonal(1, x)};
  for (int d = 0; d < 2; ++d) {
    double* to = out + N::diagonal + d * N::diagonal_numbers;
    std::copy(diagonals[d].slope, diagonals[d].slope + 4, to);
    std::copy(diagonals[d].middle, diagonals[d].middle + 4, to + 4);
  }
  const MiddleTurn turn(diagonals);
  ShellStrains<double> strains;
  strains.of(out, g, h, x, y);
  const double r = 1 / half[2];  // B = (T/2) r_z
  const std::span<const double> stiffness = law.of(element);
  const auto C = [&](int i, int j) {
    return stiffness[static_cast<std::size_t>(i) * shell_strains + j] * (i >= 3 ? r : 1.0) * (j >= 3 ? r : 1.0);
  };
  double area = 0;
  Vec middle[4];
  for (int e = 0; e < 4; ++e) middle[e] = vec(EdgeMiddle<double>(shell_edge(e), x).A);
  for (int p = 0; p < 4; ++p) {
    double* to = out + p * N::point;
    const Vec A[2] = {vec(g.A[p][0]), vec(g.A[p][1])};
    const LocalFrame frame(A[0], A[1], batch.axes);
    area += frame.area;
    double T[3][3];
    frame.voigt(T);
    for (int i = 0; i < 6; ++i)
      for (int j = i; j < 6; ++j) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) sum += T[k][i % 3] * C(k + i / 3 * 3, l + j / 3 * 3) * T[l][j % 3];
        to[upper(6, i, j)] = frame.area * sum;
      }
    const double xi[2] = {gauss * Shell3443::corner[p][0], gauss * Shell3443::corner[p][1]};
    for (int d = 0; d < 2; ++d) {
      const double slopes[2] = {-2 * xi[0] * (1 - xi[1] * xi[1]), -2 * xi[1] * (1 - xi[0] * xi[0])};
      bending_of(A, turn.by[d], slopes, to + N::bubble + 3 * (4 + d));
    }
    for (int e = 0; e < 4; ++e) {
      const ShellEdge& k = shell_edge(e);
      double slopes[2];  // of edge_bubble
      slopes[k.axis] = -xi[k.axis] * (1 + k.side * xi[1 - k.axis]);
      slopes[1 - k.axis] = 0.5 * (1 - xi[k.axis] * xi[k.axis]) * k.side;
      const Vec by = (1 / dot(middle[e], middle[e])) * middle[e];
      double* bubble = to + N::bubble + 3 * e;
      bending_of(A, by, slopes, bubble);
      for (int d = 0; d < 2; ++d) {  // the diagonals make up for the rest
        const double had = edge_bubble(k, diagonals[d].xi) * dot(by, diagonals[d].along);
        for (int c = 0; c < 3; ++c) bubble[c] -= had * to[N::bubble + 3 * (4 + d) + c];
      }
    }
    for (int c = 0; c < 6; ++c) to[N::reference + c] = strains.point[p][c];
    double Nn[4];
    for (int n = 0; n < 4; ++n)
      Nn[n] = 0.25 * (1 + xi[0] * Shell3443::corner[n][0]) * (1 + xi[1] * Shell3443::corner[n][1]);
    for (int k = 0; k < 8; ++k)
      for (int l = k; l < 8; ++l) {
        double sum = 0;
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) sum += frame.inverse[i][k % 2] * C(6 + i, 6 + j) * frame.inverse[j][l % 2];
        out[N::shear + upper(8, k, l)] += frame.area * Nn[k / 2] * Nn[l / 2] * sum;
      }
    for (int n = 0; n < 4; ++n) out[N::thickness + 2 * n] += r * r * r * r * law.across * frame.area * Nn[n];
  }
  for (int k = 0; k < 8; ++k) out[N::shear_reference + k] = strains.shear[k / 2][k % 2];
  for (int n = 0; n < 4; ++n) out[N::thickness + 2 * n + 1] = strains.thickness[n];
  for (int e = 0; e < 4; ++e) {
    const ShellEdge& k = shell_edge(e);
    const Vec across = vec(EdgeMiddle<double>(k, x).across);
    const double l2 = dot(middle[e], middle[e]), m2 = dot(across, across), weight = mean_square * area / 2,
                 bending = C(3 + k.axis, 3 + k.axis) * half[2] * half[2];
    double* to = out + N::edge + e * N::edge_numbers;
    to[0] = weight * (hourglass_share * C(k.axis, k.axis) + slope_share * bending / l2) / (l2 * l2);
    to[1] = weight * hourglass_share * C(2, 2) / (l2 * m2);
    for (int c = 0; c < 3; ++c) to[2 + c] = strains.edge[e][c];
  }
  for (int k = 0; k < N::bubbles; ++k) out[N::bubble_reference + k] = strains.bubble[k];
  const ShellWarp<double> warp(x);
  for (int a = 0; a < 2; ++a) {
    const double m2 = dot(vec(warp.m[a]), vec(warp.m[a]));
    out[N::warp + 2 * a] = hourglass_share * mean_square * area * C(1 - a, 1 - a) / (m2 * m2);
    out[N::warp + 2 * a + 1] = strains.warp[a];
  }
}

}  // namespace

ShellNumberList shell_numbers(const ContinuumBatch& batch, int part, int element) {
  ShellNumberList numbers;
  fill_numbers(make_shell_shapes(), batch, batch.section[static_cast<std::size_t>(part)], element, numbers.data());
  return numbers;
}

namespace {

template <bool symmetric, bool damped>
class ShellResultantKernel final : public BatchKernel {
  static constexpr int W = batched_width;

 public:
  explicit ShellResultantKernel(const ContinuumBatch& batch)
      : shapes_(make_shell_shapes()), packs_((batch.elements + W - 1) / W) {
    for (const SectionLaw& law : batch.section) tau_.push_back(law.tau);
    const std::size_t parts = tau_.size();
    numbers_.resize(static_cast<std::size_t>(packs_) * parts * ShellNumbers::count * W);
    half_size_.resize(static_cast<std::size_t>(packs_) * 3 * W);
    double one[ShellNumbers::count];
    for (int pack = 0; pack < packs_; ++pack)
      for (int lane = 0; lane < W; ++lane) {
        const int element = std::min(pack * W + lane, batch.elements - 1);  // the last pack repeats the last element
        for (int d = 0; d < 3; ++d)
          half_size_[(static_cast<std::size_t>(pack) * 3 + d) * W + lane] = batch.half_size[3ul * element + d];
        for (std::size_t part = 0; part < parts; ++part) {
          fill_numbers(shapes_, batch, batch.section[part], element, one);
          for (int k = 0; k < ShellNumbers::count; ++k)
            numbers_[((static_cast<std::size_t>(pack) * parts + part) * ShellNumbers::count + k) * W + lane] = one[k];
        }
      }
  }

  int width() const override { return W; }
  int vectors() const override { return Shell3443::N; }
  int packs() const override { return packs_; }
  TangentForm form() const override { return symmetric ? TangentForm::symmetric : TangentForm::exact; }
  std::size_t scratch_doubles() const override { return static_cast<std::size_t>(shell_tangent_scratch) * W; }
  std::size_t stored_bytes() const override { return sizeof(double) * (numbers_.size() + half_size_.size()); }
  double force_flops() const override { return static_cast<double>(tau_.size()) * shell_force_flops(damped); }
  double tangent_flops() const override {
    return static_cast<double>(tau_.size()) * shell_tangent_flops(damped, symmetric);
  }

  void force(int pack, const double* e, const double* v, double* f, double*, double*) const override {
    shell_resultant_force<damped, Lanes>(shapes_, static_cast<int>(tau_.size()), tau_.data(), numbers(pack),
                                         half_size(pack), e, v, f);
  }
  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    shell_resultant_tangent<damped, symmetric, Lanes>(shapes_, static_cast<int>(tau_.size()), tau_.data(),
                                                      numbers(pack), half_size(pack), e, v, c_q, c_v, K,
                                                      reinterpret_cast<Lanes*>(scratch));
  }
  bool has_product() const override { return true; }
  void product(int pack, const ContinuumBatch&, const double* e, const double* v, double* f, double*) const override {
    shell_resultant_force<damped, DualLanes<Lanes>>(shapes_, static_cast<int>(tau_.size()), tau_.data(), numbers(pack),
                                                    half_size(pack), e, v, f);
  }

 private:
  const double* numbers(int pack) const {
    return &numbers_[static_cast<std::size_t>(pack) * tau_.size() * ShellNumbers::count * W];
  }
  const double* half_size(int pack) const { return &half_size_[static_cast<std::size_t>(pack) * 3 * W]; }

  ShellShapes shapes_;
  int packs_;
  std::vector<double> tau_;          // of the parts of the law
  AlignedVector<double> numbers_;    // constructor | [pack][part][ShellNumbers][W]
  AlignedVector<double> half_size_;  // constructor | [pack][3][W] | m
};

}  // namespace

std::unique_ptr<BatchKernel> make_shell_resultant_kernel(const ContinuumBatch& batch, TangentForm form) {
  LITHE_INVARIANT(batch.elements > 0 && !batch.section.empty());
  const bool damped = std::ranges::any_of(batch.section, [](const SectionLaw& law) { return law.tau != 0; });
  if (form == TangentForm::exact) return std::make_unique<ShellResultantKernel<false, true>>(batch);
  if (damped) return std::make_unique<ShellResultantKernel<true, true>>(batch);
  return std::make_unique<ShellResultantKernel<true, false>>(batch);
}

namespace {

// Strains of an element, those of the reference taken off and the bubbles added, and the stresses of one part.
struct ShellEvaluation {
  ShellStrains<double> strains;
  ShellStresses<double> stresses;
  double x[16][3];
  ShellGradients<double> g;
  ShellEvaluation(const ContinuumBatch& batch, int part, int element, const double* e, const double* v) {
    static const ShellShapes shapes = make_shell_shapes();
    const ShellNumberList numbers = shell_numbers(batch, part, element);
    const double* half = &batch.half_size[3ul * element];
    double y[16][3];
    shell_coordinates<double>(half, e, x);
    shell_coordinates<double>(half, v ? v : e, y);
    for (auto& row : y)
      for (double& c : row) c *= v ? 1.0 : 0.5;
    ShellGradients<double> h;
    g.at(shapes, x);
    h.at(shapes, y);
    strains.of(numbers.data(), g, h, x, y);
    if (!v) {
      stresses.of(numbers.data(), strains);
      return;
    }
    for (int p = 0; p < 4; ++p) {  // rates
      for (int k = 0; k < ShellNumbers::bubbles; ++k)
        for (int c = 0; c < 3; ++c)
          strains.point[p][3 + c] +=
              numbers[p * ShellNumbers::point + ShellNumbers::bubble + 3 * k + c] * strains.bubble[k];
      for (int k = 0; k < 4; ++k) strains.point[p][3 + shell_edge(k).axis] += bow_share(k, p) * strains.edge[k][2];
    }
  }
};

double shell_energy(const ContinuumBatch& batch, int element, const double* e) {
  double energy = 0;
  for (std::size_t part = 0; part < batch.section.size(); ++part) {
    const ShellEvaluation at(batch, static_cast<int>(part), element, e, nullptr);
    for (int k = 0; k < 4; ++k) {
      for (int c = 0; c < 6; ++c) energy += 0.5 * at.strains.point[k][c] * at.stresses.point[k][c];
      for (int c = 0; c < 2; ++c)
        energy +=
            0.5 * (at.strains.shear[k][c] * at.stresses.shear[k][c] + at.strains.edge[k][c] * at.stresses.edge[k][c]);
      energy += 0.5 * at.strains.thickness[k] * at.stresses.thickness[k];
      if (k < 2) energy += 0.5 * at.strains.warp[k] * at.stresses.warp[k];
    }
  }
  return energy;
}

// Strains of the points, carried on bilinearly, and shears of the nodes, in the local axes.
void shell_generalised(const ContinuumBatch& batch, int element, const double* xi, const double* e, const double* v,
                       double* out) {
  static const ShellShapes shapes = make_shell_shapes();
  double x0[16][3];
  shell_coordinates<double>(&batch.half_size[3ul * element], &batch.reference[48ul * element], x0);
  ShellGradients<double> g0;
  g0.at(shapes, x0);
  double dS[16][3];
  Shell3443::derivative(xi, dS);
  Vec A[2]{};
  for (int i = 0; i < 12; ++i)
    for (int a = 0; a < 2; ++a) A[a] = A[a] + dS[surface_vector(i)][a] * vec(x0[surface_vector(i)]);
  const LocalFrame here(A[0], A[1], batch.axes);
  const double r = 1 / batch.half_size[3ul * element + 2];
  const ShellEvaluation at(batch, 0, element, e, v);
  std::fill(out, out + shell_strains, 0.0);
  for (int p = 0; p < 4; ++p) {
    const double share =
        0.25 * (1 + xi[0] * Shell3443::corner[p][0] / gauss) * (1 + xi[1] * Shell3443::corner[p][1] / gauss);
    double T[3][3];
    LocalFrame(vec(g0.A[p][0]), vec(g0.A[p][1]), batch.axes).voigt(T);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        out[i] += share * T[i][j] * at.strains.point[p][j];
        out[3 + i] += share * T[i][j] * r * at.strains.point[p][3 + j];
      }
  }
  for (int n = 0; n < 4; ++n) {
    const double share = 0.25 * (1 + xi[0] * Shell3443::corner[n][0]) * (1 + xi[1] * Shell3443::corner[n][1]);
    for (int i = 0; i < 2; ++i)
      for (int a = 0; a < 2; ++a) out[6 + i] += here.inverse[i][a] * share * r * at.strains.shear[n][a];
  }
}

void shell_force(const ContinuumBatch& batch, int element, const double* e, const double* resultants, double* f,
                 double* K) {
  static const ShellShapes shapes = make_shell_shapes();
  using N = ShellNumbers;
  const ShellNumberList numbers = shell_numbers(batch, 0, element);
  const double* half = &batch.half_size[3ul * element];
  const double r = 1 / half[2];
  double x[16][3];
  shell_coordinates<double>(half, &batch.reference[48ul * element], x);
  ShellGradients<double> g;
  g.at(shapes, x);
  ShellStresses<double> s{};
  for (int p = 0; p < 4; ++p) {
    const LocalFrame frame(vec(g.A[p][0]), vec(g.A[p][1]), batch.axes);
    double T[3][3];
    frame.voigt(T);
    for (int c = 0; c < 6; ++c)
      for (int k = 0; k < 3; ++k)
        s.point[p][c] += frame.area * (c < 3 ? 1.0 : r) * T[k][c % 3] * resultants[k + c / 3 * 3];
    for (int k = 0; k < N::bubbles; ++k)
      for (int c = 0; c < 3; ++c) s.bubble[k] += numbers[p * N::point + N::bubble + 3 * k + c] * s.point[p][3 + c];
    for (int k = 0; k < 4; ++k) s.edge[k][2] += bow_share(k, p) * s.point[p][3 + shell_edge(k).axis];
    const double xi = gauss * Shell3443::corner[p][0], eta = gauss * Shell3443::corner[p][1];
    for (int n = 0; n < 4; ++n) {
      const double share = 0.25 * (1 + xi * Shell3443::corner[n][0]) * (1 + eta * Shell3443::corner[n][1]);
      for (int i = 0; i < 2; ++i)
        for (int a = 0; a < 2; ++a) s.shear[n][a] += frame.area * share * r * frame.inverse[i][a] * resultants[6 + i];
    }
  }
  const auto force = [&](double* to, int stride) {
    double out[16][3] = {};
    g.at(shapes, x);
    add_shell_force<double>(shapes, numbers.data(), g, x, s, out);
    for (int i = 0; i < 48; ++i) to[i * stride] = (i / 3 % 4 ? half[i / 3 % 4 - 1] : 1.0) * out[i / 3][i % 3];
  };
  shell_coordinates<double>(half, e, x);
  force(f, 1);
  for (int j = 0; K && j < 48; ++j) {  // it is linear in the coordinates
    double one[48] = {};
    one[j] = 1;
    shell_coordinates<double>(half, one, x);
    force(K + j, 48);
  }
}

void shell_strain(const ContinuumBatch& batch, int element, const double* xi, const double* e, const double* v,
                  double* E, double* rate) {
  const double z = xi[2] * batch.half_size[3ul * element + 2];
  for (double* out : {E, rate}) {
    double s[shell_strains];
    shell_generalised(batch, element, xi, e, out == rate ? v : nullptr, s);
    out[0] = s[0] + z * s[3];
    out[1] = s[1] + z * s[4];
    out[2] = 0;
    out[3] = s[7];
    out[4] = s[6];
    out[5] = s[2] + z * s[5];
  }
}

}  // namespace

constinit const SectionForm shell_section_form{shell_strains, make_shell_resultant_kernel, shell_energy,
                                               shell_strain,  shell_generalised,           shell_force};

}  // namespace lithe
