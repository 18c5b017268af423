// Shell 3443 in polynomial modes: the force's way between coordinate vectors and points
// (docs/theory/section_kernel.md). With q(x) = 1 - x^2 and r = A(xi,eta) + zeta B(xi,eta),
//   A = a00 + a10 xi + a01 eta + a11 xi eta + q(xi) (c00 + c10 xi + c01 eta + c11 xi eta)
//                                           + q(eta) (d00 + d10 xi + d01 eta + d11 xi eta),
//   B = b00 + b10 xi + b01 eta + b11 xi eta.
// Most weights of these modes are 0 or 1, and derivatives with respect to xi and eta share parts; a00 has no strain.
#pragma once

#include "lithe/elements/section_point.h"
#include "lithe/elements/shell3443/section.h"

namespace lithe {

// x, q = 1 - x^2, s = x q and their slopes -2x, 1 - 3x^2.
struct ModeValues {
  double x, q, s, dq, ds;
  LITHE_FORCE_INLINE LITHE_HD explicit ModeValues(double at)
      : x(at), q(1 - at * at), s(at * (1 - at * at)), dq(-2 * at), ds(1 - 3 * at * at) {}
};

struct ShellModes {
  enum Mode { a10, a01, a11, c00, c10, c01, c11, d00, d10, d01, d11, b00, b10, b01, b11, modes };
  // At xi: A_xi = X0 + eta X1 + q d10 + s d11, A_eta = Y0 - 2 eta Y1 + (1 - 3 eta^2) Y2, B = N0 + eta N1.
  enum Gradient { X0, X1, Y0, Y1, Y2, N0, N1, gradients };
  enum LineGradient { A_xi, A_eta, B_xi, B_eta, B, line_gradients };

  // Coordinates are differences of the linear functions, which every plan holds.
  LITHE_FORCE_INLINE LITHE_HD static double xi(const SectionPlan& plan, int section) {
    const double* w = plan.weights + section * SectionSizes<SectionScheme<Shell3443>>::weights;
    return w[3] - w[1];
  }
  LITHE_FORCE_INLINE LITHE_HD static double eta(const SectionPlan& plan, int line) {
    const double* c = plan.line_values + plan.line_rule[line] * SectionScheme<Shell3443>::LineStage::feeds;
    return c[2] - c[0];
  }
  LITHE_FORCE_INLINE LITHE_HD static double zeta(const SectionPlan& plan, int fibre) {
    return plan.fibre_values[plan.fibre_rule[fibre] * SectionScheme<Shell3443>::FibreStage::feeds + 2];
  }
};

// The four corner values against 1, xi, eta, xi eta; and the adjoint.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void corner_sums(const T& q0, const T& q1, const T& q2, const T& q3, T* sum) {
  const T bottom = q0 + q1, top = q3 + q2, along_bottom = q1 - q0, along_top = q2 - q3;
  sum[0] = bottom + top;
  sum[1] = along_bottom + along_top;
  sum[2] = top - bottom;
  sum[3] = along_top - along_bottom;
}
template <class T>
LITHE_FORCE_INLINE LITHE_HD void corner_values(const T* sum, T* q) {
  const T bottom = sum[0] - sum[2], top = sum[0] + sum[2], along_bottom = sum[1] - sum[3], along_top = sum[1] + sum[3];
  q[0] = bottom - along_bottom;
  q[1] = bottom + along_bottom;
  q[2] = top + along_top;
  q[3] = top - along_top;
}

// Slopes in modes: q (1 -+ x)/4 along an edge, (1 -+ x)/2 across; the normals are bilinear.
template <class T>
struct ModeScale {
  typename LaneTraits<T>::Data xi, eta, zeta;
  LITHE_FORCE_INLINE LITHE_HD explicit ModeScale(const double* half_size)
      : xi(-0.125 * LaneTraits<T>::data(half_size, 0)),
        eta(-0.125 * LaneTraits<T>::data(half_size, 1)),
        zeta(0.25 * LaneTraits<T>::data(half_size, 2)) {}
};

// Modes from what load(i) says of coordinate i.
template <class T, class Load>
LITHE_FORCE_INLINE LITHE_HD void read_modes(const ModeScale<T>& scale, Load load, T (*x)[3]) {
  using S = ShellModes;
  unrolled<3>([&](auto m) LITHE_FORCE_INLINE {
    auto corners = [&](int k, T* sum) LITHE_FORCE_INLINE {
      corner_sums<T>(load(3 * k + m), load(3 * (4 + k) + m), load(3 * (8 + k) + m), load(3 * (12 + k) + m), sum);
    };
    T sum[4];
    corners(0, sum);
    x[S::a10][m] = 0.25 * sum[1];
    x[S::a01][m] = 0.25 * sum[2];
    x[S::a11][m] = 0.25 * sum[3];
    corners(1, sum);
    x[S::c00][m] = scale.xi * sum[1];
    x[S::c01][m] = scale.xi * sum[3];
    x[S::c10][m] = scale.xi * sum[0] + 0.5 * x[S::a10][m];
    x[S::c11][m] = scale.xi * sum[2] + 0.5 * x[S::a11][m];
    corners(2, sum);
    x[S::d00][m] = scale.eta * sum[2];
    x[S::d10][m] = scale.eta * sum[3];
    x[S::d01][m] = scale.eta * sum[0] + 0.5 * x[S::a01][m];
    x[S::d11][m] = scale.eta * sum[1] + 0.5 * x[S::a11][m];
    corners(3, sum);
    x[S::b00][m] = scale.zeta * sum[0];
    x[S::b10][m] = scale.zeta * sum[1];
    x[S::b01][m] = scale.zeta * sum[2];
    x[S::b11][m] = scale.zeta * sum[3];
  });
}

// Its adjoint.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void write_modes(const ModeScale<T>& scale, const T (*x)[3],
                                             typename LaneTraits<T>::Scalar* f) {
  using S = ShellModes;
  unrolled<3>([&](auto m) LITHE_FORCE_INLINE {
    auto corners = [&](int k, const T* sum) LITHE_FORCE_INLINE {
      T q[4];
      corner_values<T>(sum, q);
      for (int node = 0; node < 4; ++node) LaneTraits<T>::store(f, 3 * (4 * node + k) + m, q[node]);
    };
    const T a10 = x[S::a10][m] + 0.5 * x[S::c10][m], a01 = x[S::a01][m] + 0.5 * x[S::d01][m],
            a11 = x[S::a11][m] + 0.5 * (x[S::c11][m] + x[S::d11][m]);
    const T position[4] = {T{}, 0.25 * a10, 0.25 * a01, 0.25 * a11};
    corners(0, position);
    const T slope_xi[4] = {scale.xi * x[S::c10][m], scale.xi * x[S::c00][m], scale.xi * x[S::c11][m],
                           scale.xi * x[S::c01][m]};
    corners(1, slope_xi);
    const T slope_eta[4] = {scale.eta * x[S::d01][m], scale.eta * x[S::d11][m], scale.eta * x[S::d00][m],
                            scale.eta * x[S::d10][m]};
    corners(2, slope_eta);
    const T normal[4] = {scale.zeta * x[S::b00][m], scale.zeta * x[S::b10][m], scale.zeta * x[S::b01][m],
                         scale.zeta * x[S::b11][m]};
    corners(3, normal);
  });
}

// Gradients of a section, of a line and of a point.
template <class T>
LITHE_FORCE_INLINE LITHE_HD void modes_to_section(const ModeValues& v, const T (*x)[3], T (*g)[3]) {
  using S = ShellModes;
  for (int m = 0; m < 3; ++m) {
    g[S::X0][m] = x[S::a10][m] + v.dq * x[S::c00][m] + v.ds * x[S::c10][m];
    g[S::X1][m] = x[S::a11][m] + v.dq * x[S::c01][m] + v.ds * x[S::c11][m];
    g[S::Y0][m] = x[S::a01][m] + v.x * x[S::a11][m] + v.q * x[S::c01][m] + v.s * x[S::c11][m];
    g[S::Y1][m] = x[S::d00][m] + v.x * x[S::d10][m];
    g[S::Y2][m] = x[S::d01][m] + v.x * x[S::d11][m];
    g[S::N0][m] = x[S::b00][m] + v.x * x[S::b10][m];
    g[S::N1][m] = x[S::b01][m] + v.x * x[S::b11][m];
  }
}
template <class T>
LITHE_FORCE_INLINE LITHE_HD void section_to_line(const ModeValues& v, const T (*x)[3], const T (*g)[3], T (*line)[3]) {
  using S = ShellModes;
  for (int m = 0; m < 3; ++m) {
    line[S::A_xi][m] = g[S::X0][m] + v.x * g[S::X1][m] + v.q * x[S::d10][m] + v.s * x[S::d11][m];
    line[S::A_eta][m] = g[S::Y0][m] + v.dq * g[S::Y1][m] + v.ds * g[S::Y2][m];
    line[S::B_xi][m] = x[S::b10][m] + v.x * x[S::b11][m];
    line[S::B_eta][m] = g[S::N1][m];
    line[S::B][m] = g[S::N0][m] + v.x * g[S::N1][m];
  }
}
template <class T>
LITHE_FORCE_INLINE LITHE_HD void line_to_point(double zeta, const T (*line)[3], T (*G)[3]) {
  using S = ShellModes;
  for (int m = 0; m < 3; ++m) {
    G[0][m] = line[S::A_xi][m] + zeta * line[S::B_xi][m];
    G[1][m] = line[S::A_eta][m] + zeta * line[S::B_eta][m];
    G[2][m] = line[S::B][m];
  }
}

// Forces of a line from its points, p [fibre][3][3] -> [line_gradients][3].
template <class T>
LITHE_FORCE_INLINE LITHE_HD void points_to_line(const SectionPlan& plan, int first, int end, const T* p, T* line) {
  using S = ShellModes;
  T sum[S::line_gradients][3] = {};
  for (int q = first; q < end; ++q, p += 9) {
    const double zeta = ShellModes::zeta(plan, q);
    for (int m = 0; m < 3; ++m) {
      const T along_xi = p[m], along_eta = p[3 + m];
      sum[S::A_xi][m] += along_xi;
      sum[S::B_xi][m] += zeta * along_xi;
      sum[S::A_eta][m] += along_eta;
      sum[S::B_eta][m] += zeta * along_eta;
      sum[S::B][m] += p[6 + m];
    }
  }
  for (int k = 0; k < S::line_gradients; ++k)
    for (int m = 0; m < 3; ++m) line[3 * k + m] = sum[k][m];
}

// Forces on the modes from the lines of a section, p [line][line_gradients][3]; three passes fit into registers. A
// function of its own: inlined, what it needs would be spilled across the lines.
template <class T>
LITHE_NOINLINE LITHE_HD void lines_to_modes(const SectionPlan& plan, int section, const T* p, T (*f)[3]) {
  using S = ShellModes;
  constexpr int stride = 3 * S::line_gradients;
  const int first = plan.section_line[section], end = plan.section_line[section + 1];
  const ModeValues v(S::xi(plan, section));
  {
    T x0[3] = {}, x1[3] = {}, d10[3] = {}, d11[3] = {};
    for (int l = first; l < end; ++l) {
      const ModeValues u(S::eta(plan, l));
      for (int m = 0; m < 3; ++m) {
        const T along = p[stride * (l - first) + 3 * S::A_xi + m];
        x0[m] += along;
        x1[m] += u.x * along;
        d10[m] += u.q * along;
        d11[m] += u.s * along;
      }
    }
    for (int m = 0; m < 3; ++m) {
      f[S::a10][m] += x0[m];
      f[S::c00][m] += v.dq * x0[m];
      f[S::c10][m] += v.ds * x0[m];
      f[S::a11][m] += x1[m];
      f[S::c01][m] += v.dq * x1[m];
      f[S::c11][m] += v.ds * x1[m];
      f[S::d10][m] += d10[m];
      f[S::d11][m] += d11[m];
    }
  }
  {
    T y0[3] = {}, y1[3] = {}, y2[3] = {};
    for (int l = first; l < end; ++l) {
      const ModeValues u(S::eta(plan, l));
      for (int m = 0; m < 3; ++m) {
        const T along = p[stride * (l - first) + 3 * S::A_eta + m];
        y0[m] += along;
        y1[m] += u.dq * along;
        y2[m] += u.ds * along;
      }
    }
    for (int m = 0; m < 3; ++m) {
      f[S::a01][m] += y0[m];
      f[S::a11][m] += v.x * y0[m];
      f[S::c01][m] += v.q * y0[m];
      f[S::c11][m] += v.s * y0[m];
      f[S::d00][m] += y1[m];
      f[S::d10][m] += v.x * y1[m];
      f[S::d01][m] += y2[m];
      f[S::d11][m] += v.x * y2[m];
    }
  }
  {
    T b10[3] = {}, b11[3] = {}, n0[3] = {}, n1[3] = {};
    for (int l = first; l < end; ++l) {
      const double y = S::eta(plan, l);
      const T* line = p + stride * (l - first);
      for (int m = 0; m < 3; ++m) {
        const T along = line[3 * S::B_xi + m], normal = line[3 * S::B + m];
        b10[m] += along;
        b11[m] += y * along;
        n0[m] += normal;
        n1[m] += line[3 * S::B_eta + m];
        n1[m] += y * normal;
      }
    }
    for (int m = 0; m < 3; ++m) {
      f[S::b10][m] += b10[m];
      f[S::b11][m] += b11[m];
      f[S::b00][m] += n0[m];
      f[S::b10][m] += v.x * n0[m];
      f[S::b01][m] += n1[m];
      f[S::b11][m] += v.x * n1[m];
    }
  }
}

// section_force for the shell; scratch holds [line of a section][line_gradients][3] and [fibre of a line][3][3].
template <Damping damping, class T>
LITHE_HD void shell_force(const SectionPlan& plan, const double* geometry, const double* half_size,
                          const typename LaneTraits<T>::Scalar* e, const typename LaneTraits<T>::Scalar* v,
                          typename LaneTraits<T>::Scalar* f, T* scratch) {
  using S = ShellModes;
  using Lane = LaneTraits<T>;
  constexpr int lanes = sizeof(typename Lane::Data) / sizeof(double);
  constexpr int fields = damping == Damping::none ? 1 : 2, other = fields - 1;
  T* p_fibre = scratch;
  T* p_line = p_fibre + 9 * plan.max_line_fibres;
  T x[fields][S::modes][3], section[fields][S::gradients][3], line[fields][S::line_gradients][3], G[fields][3][3];
  T sum[S::modes][3] = {};
  const ModeScale<T> scale(half_size);
  read_modes<T>(
      scale, [&](int i) LITHE_FORCE_INLINE { return Lane::load(e, i); }, x[0]);
  if constexpr (damping != Damping::none) {
    auto rate = [&](int i) LITHE_FORCE_INLINE {
      if constexpr (damping == Damping::own) return Lane::load(v, i);
      else return half_and_rate<T>(plan.tau, Lane::load(e, i), Lane::load(v, i));
    };
    read_modes<T>(scale, rate, x[other]);
  }
  for (int s = 0; s < plan.sections; ++s) {
    const ModeValues at_xi(S::xi(plan, s));
    for (int r = 0; r < fields; ++r) modes_to_section<T>(at_xi, x[r], section[r]);
    const int first_line = plan.section_line[s], end_line = plan.section_line[s + 1];
    for (int l = first_line; l < end_line; ++l) {
      const ModeValues at_eta(S::eta(plan, l));
      for (int r = 0; r < fields; ++r) section_to_line<T>(at_eta, x[r], section[r], line[r]);
      const int first = plan.line_fibre[l], end = plan.line_fibre[l + 1];
      for (int q = first; q < end; ++q) {
        const double zeta = S::zeta(plan, q);
        for (int r = 0; r < fields; ++r) line_to_point<T>(zeta, line[r], G[r]);
        point_force<damping, T>(plan.fibre_law[q], PointGeometry<T>(geometry + 10 * lanes * q), G[0], G[other],
                                p_fibre + 9 * (q - first));
      }
      points_to_line<T>(plan, first, end, p_fibre, p_line + 3 * S::line_gradients * (l - first_line));
    }
    lines_to_modes<T>(plan, s, p_line, sum);
  }
  write_modes<T>(scale, sum, f);
}

}  // namespace lithe
