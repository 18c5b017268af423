// The arithmetic of moments, and of forces that turn with the body, over plain views that may point into a device.
//
// A dead moment M does the work M . dtheta on the rotation of the body at its point. With the axes e_j of the frame
// there (constraints/frame.h), dtheta = sum_j e_j x de_j / 2, so with E_a = de/dx_a, E_ab = d2e/dx_a dx_b over the
// scalars x_a of the frame's arguments
//
//   f_a = sum_j (M x e_j) . E_j,a / 2,   df_a/dx_b = sum_j ((M x E_j,b) . E_j,a + (M x e_j) . E_j,ab) / 2,
//
// which is not symmetric: a dead moment has no potential. E comes from hyper-dual numbers. One that turns with the body
// is M = sum_k s_k e_k with constant s, whose derivative comes in addition; and so is a force, f = sum_k s_k e_k.
//
// On all gradients alike (P0, and rigid bodies, where both are the same): the work is M . axial(skew(dF F^-1)),
//
//   f_i = M x h_i / 2,   df_i/dq_j = -(M x h_j) (x) h_i / 2,   h_i = J^-T grad S_i,   J = sum_i q_i (x) grad S_i.
#pragma once

#include <cstdint>

#include "lithe/base/hyper_dual.h"
#include "lithe/base/small.h"
#include "lithe/constraints/forms.h"
#include "lithe/constraints/frame.h"
#include "lithe/constraints/part_view.h"
#include "lithe/elements/kinds.h"

namespace lithe {

struct MomentLaw {
  enum class Kind : std::uint8_t {
    gradients,  // dead, on all gradients alike
    dead,       // on the rotation of the frame
    turning,    // the same, and turns with the frame
    force       // at a point, turns with the frame
  } kind = Kind::dead;
  FrameRule rule = FrameRule::section;
  Mat3<double> to_axes{};  // turning, force: rows are the frame's axes in the reference configuration
};

struct MomentView {
  MomentLaw law;
  int vectors, arguments;
  const std::int32_t* vector;    // [vector]
  const Vec3<double>* gradient;  // [vector] gradients: of S_i, in the element's natural coordinates
  const double* force_weight;    // [vector] force: of its point
  const double* weight;          // [vector][argument]
  FormsView forms;               // of the frame: `arguments` of them from first_argument on
  int first_argument;
};

namespace moment_detail {

constexpr int most_scalars = 3 * most_frame_arguments;

// sum_k s_k e_k, and along direction a or b.
struct Turned {
  Vec3<double> value{}, of_a{}, of_b{};
  LITHE_HD Turned(const Vec3<double>& s, const Vec3<HyperDual>* e) {
    for (int k = 0; k < 3; ++k)
      for (int m = 0; m < 3; ++m) {
        value[m] += s[k] * e[k][m].v;
        of_a[m] += s[k] * e[k][m].a;
        of_b[m] += s[k] * e[k][m].b;
      }
  }
};

// The force at a state and its derivative over the scalars of the arguments.
struct FrameForce {
  Vec3<double> value{}, slope[most_scalars];

  LITHE_HD FrameForce(const MomentView& force, const Vec3<double>& given, const double* q) {
    const Vec3<double> s = force.law.to_axes * given;
    const int n = force.arguments;
    Vec3<double> at[most_frame_arguments];
    for (int i = 0; i < n; ++i) at[i] = force.forms.value(force.first_argument + i, q);
    for (int a = 0; a < 3 * n; ++a) {
      Vec3<HyperDual> x[most_frame_arguments], e[3];
      seed(at, n, a, a, x);
      frame_axes(force.law.rule, x, e);
      const Turned turned(s, e);
      value = turned.value;
      slope[a] = turned.of_a;
    }
  }
};

// f_a over the scalars of the arguments and, where wanted, D_ab = df_a/dx_b.
struct FrameWork {
  int scalars;
  double f[most_scalars] = {}, D[most_scalars][most_scalars] = {};

  LITHE_HD FrameWork(const MomentView& moment, const Vec3<double>& given, const double* q, bool second) {
    const int n = moment.arguments;
    const bool follower = moment.law.kind == MomentLaw::Kind::turning;
    const Vec3<double> s = moment.law.to_axes * given;
    scalars = 3 * n;
    Vec3<double> value[most_frame_arguments];
    for (int i = 0; i < n; ++i) value[i] = moment.forms.value(moment.first_argument + i, q);
    for (int a = 0; a < scalars; ++a)
      for (int b = a; b < (second ? scalars : a + 1); ++b) {
        Vec3<HyperDual> x[most_frame_arguments], e[3];
        seed(value, n, a, b, x);
        frame_axes(moment.law.rule, x, e);
        const Turned turned_moment(s, e);
        const Vec3<double> M = follower ? turned_moment.value : given;
        double first = 0, ab = 0, ba = 0;
        for (const Vec3<HyperDual>& axis : e) {
          Vec3<double> v, of_a, of_b, mixed;
          for (int m = 0; m < 3; ++m) {
            v[m] = axis[m].v;
            of_a[m] = axis[m].a;
            of_b[m] = axis[m].b;
            mixed[m] = axis[m].ab;
          }
          const Vec3<double> turned = cross(M, v);
          first += 0.5 * dot(turned, of_a);
          ab += 0.5 * (dot(cross(M, of_b), of_a) + dot(turned, mixed));
          ba += 0.5 * (dot(cross(M, of_a), of_b) + dot(turned, mixed));
          if (!follower) continue;
          ab += 0.5 * dot(cross(turned_moment.of_b, v), of_a);
          ba += 0.5 * dot(cross(turned_moment.of_a, v), of_b);
        }
        f[a] = first;
        D[a][b] = ab;
        D[b][a] = ba;
      }
  }
};

// h[vector].
LITHE_HD void dual_gradients(const MomentView& moment, const double* q, Vec3<double>* h) {
  Mat3<double> J{};
  for (int i = 0; i < moment.vectors; ++i)
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) J[m][a] += q[3l * moment.vector[i] + m] * moment.gradient[i][a];
  const Mat3<double> back = transpose(inverse(J));
  for (int i = 0; i < moment.vectors; ++i) h[i] = back * moment.gradient[i];
}

}  // namespace moment_detail

// What the moment (or force) `given` does to the coordinates q: sink.add(vector, force).
template <class Sink>
LITHE_HD void add_moment_force(const MomentView& moment, const Vec3<double>& given, const double* q, const Sink& sink) {
  using namespace moment_detail;
  const int n = moment.arguments;
  if (moment.law.kind == MomentLaw::Kind::gradients) {
    Vec3<double> h[most_vectors];
    dual_gradients(moment, q, h);
    for (int i = 0; i < moment.vectors; ++i) sink.add(moment.vector[i], 0.5 * cross(given, h[i]));
  } else if (moment.law.kind == MomentLaw::Kind::force) {
    const Vec3<double> force = FrameForce(moment, given, q).value;
    for (int v = 0; v < moment.vectors; ++v)
      if (moment.force_weight[v] != 0) sink.add(moment.vector[v], moment.force_weight[v] * force);
  } else {
    const FrameWork work(moment, given, q, false);
    for (int v = 0; v < moment.vectors; ++v)
      for (int i = 0; i < n; ++i)
        sink.add(moment.vector[v],
                 moment.weight[v * n + i] * Vec3<double>{{work.f[3 * i], work.f[3 * i + 1], work.f[3 * i + 2]}});
  }
}

// -c_q times its derivative: sink.add(row, column, block).
template <class Sink>
LITHE_HD void add_moment_tangent(const MomentView& moment, const Vec3<double>& given, const double* q, double c_q,
                                 const Sink& sink) {
  using namespace moment_detail;
  const int n = moment.arguments, count = moment.vectors;
  if (moment.law.kind == MomentLaw::Kind::gradients) {
    Vec3<double> h[most_vectors];
    dual_gradients(moment, q, h);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) {
        const Vec3<double> f = cross(given, h[j]);
        Mat3<double> block;
        for (int m = 0; m < 3; ++m)
          for (int p = 0; p < 3; ++p) block[m][p] = 0.5 * c_q * f[m] * h[i][p];
        sink.add(moment.vector[i], moment.vector[j], block);
      }
  } else if (moment.law.kind == MomentLaw::Kind::force) {
    const FrameForce force(moment, given, q);
    for (int v = 0; v < count; ++v)
      for (int w = 0; w < count; ++w) {
        if (moment.force_weight[v] == 0) continue;
        Mat3<double> block{};
        for (int j = 0; j < n; ++j)
          for (int m = 0; m < 3; ++m)
            for (int p = 0; p < 3; ++p)
              block[m][p] -= c_q * moment.force_weight[v] * moment.weight[w * n + j] * force.slope[3 * j + p][m];
        sink.add(moment.vector[v], moment.vector[w], block);
      }
  } else {
    const FrameWork work(moment, given, q, true);
    for (int v = 0; v < count; ++v)
      for (int w = 0; w < count; ++w) {
        Mat3<double> block{};
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            for (int m = 0; m < 3; ++m)
              for (int p = 0; p < 3; ++p)
                block[m][p] -= c_q * moment.weight[v * n + i] * moment.weight[w * n + j] * work.D[3 * i + m][3 * j + p];
        sink.add(moment.vector[v], moment.vector[w], block);
      }
  }
}

}  // namespace lithe
