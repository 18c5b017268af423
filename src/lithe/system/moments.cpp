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
#include "lithe/system/moments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/base/hyper_dual.h"
#include "lithe/elements/continuum.h"
#include "lithe/system/loads.h"

namespace lithe {

namespace {

constexpr int most_scalars = 3 * most_frame_arguments;

void work_on_gradients(const BodyInfo& body, const MaterialPoint& point, CompiledMoment& moment) {
  const Vec3<double> half = is_flexible(body.kind) ? body.half_size(point.element) : Vec3<double>{{1, 1, 1}};
  double dS[3 * most_vectors];
  shape_derivatives(body.kind, point.xi.data(), dS);
  moment.section = false;
  for (int i = 0; i < vector_count(body.kind); ++i) {
    const double scale = vector_scale(body.kind, half.a, i);
    const Vec3<double> gradient{{scale * dS[3 * i], scale * dS[3 * i + 1], scale * dS[3 * i + 2]}};
    if (dot(gradient, gradient) == 0) continue;
    moment.vectors.push_back(body.element_vector(point.element, i));
    moment.gradient.push_back(gradient);
  }
}

void work_on_frame(const Marker& marker, CompiledMoment& moment) {
  moment.rule = marker.rule;
  moment.arguments = marker.frame_arguments();
  for (const Form& x : moment.arguments)
    for (int v : x.vectors)
      if (std::find(moment.vectors.begin(), moment.vectors.end(), v) == moment.vectors.end())
        moment.vectors.push_back(v);
  const std::size_t n = moment.arguments.size();
  moment.weights.assign(moment.vectors.size() * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < moment.arguments[i].vectors.size(); ++k) {
      const auto at_vector = std::find(moment.vectors.begin(), moment.vectors.end(), moment.arguments[i].vectors[k]) -
                             moment.vectors.begin();
      moment.weights[static_cast<std::size_t>(at_vector) * n + i] += moment.arguments[i].weights[k];
    }
}

void turn_with(const Marker& marker, CompiledMoment& moment) {
  moment.follower = true;
  for (int k = 0; k < 3; ++k)
    for (int m = 0; m < 3; ++m) moment.to_axes[k][m] = marker.frame[m][marker.axis(k)];
}

// sum_k s_k e_k, and along direction a or b.
struct Turned {
  Vec3<double> value{}, of_a{}, of_b{};
  Turned(const Vec3<double>& s, const Vec3<HyperDual>* e) {
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

  FrameForce(const CompiledMoment& force, const Vec3<double>& given, const State& state) {
    const Vec3<double> s = force.to_axes * given;
    const int n = static_cast<int>(force.arguments.size());
    Vec3<double> at[most_frame_arguments];
    for (int i = 0; i < n; ++i) at[i] = force.arguments[i].value(state.q);
    for (int a = 0; a < 3 * n; ++a) {
      Vec3<HyperDual> x[most_frame_arguments], e[3];
      seed(at, n, a, a, x);
      frame_axes(force.rule, x, e);
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

  FrameWork(const CompiledMoment& moment, const Vec3<double>& given, const State& state, bool second) {
    const int n = static_cast<int>(moment.arguments.size());
    const Vec3<double> s = moment.to_axes * given;
    scalars = 3 * n;
    Vec3<double> value[most_frame_arguments];
    for (int i = 0; i < n; ++i) value[i] = moment.arguments[i].value(state.q);
    for (int a = 0; a < scalars; ++a)
      for (int b = a; b < (second ? scalars : a + 1); ++b) {
        Vec3<HyperDual> x[most_frame_arguments], e[3];
        seed(value, n, a, b, x);
        frame_axes(moment.rule, x, e);
        const Turned turned_moment(s, e);
        const Vec3<double> M = moment.follower ? turned_moment.value : given;
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
          if (!moment.follower) continue;
          ab += 0.5 * dot(cross(turned_moment.of_b, v), of_a);
          ba += 0.5 * dot(cross(turned_moment.of_a, v), of_b);
        }
        f[a] = first;
        D[a][b] = ab;
        D[b][a] = ba;
      }
  }
};

std::array<Vec3<double>, most_vectors> dual_gradients(const CompiledMoment& moment, const State& state) {
  Mat3<double> J{};
  for (std::size_t i = 0; i < moment.vectors.size(); ++i)
    for (int m = 0; m < 3; ++m)
      for (int a = 0; a < 3; ++a) J[m][a] += state.q[3ul * moment.vectors[i] + m] * moment.gradient[i][a];
  const Mat3<double> back = transpose(inverse(J));
  std::array<Vec3<double>, most_vectors> h;
  for (std::size_t i = 0; i < moment.vectors.size(); ++i) h[i] = back * moment.gradient[i];
  return h;
}

}  // namespace

void compile_moment(System& system, const PointMoment& load) {
  const PointWeights point = system.resolve_point(load.at);
  const BodyInfo& body = system.bodies[point.body];
  CompiledMoment moment;
  moment.moment = load.moment;
  if (load.turns == MomentTurns::gradients || (body.kind == ElementKind::rigid && !load.follower)) {
    work_on_gradients(body, point.point, moment);
  } else {
    const Marker marker = make_marker(system, load.at);
    work_on_frame(marker, moment);
    if (load.follower) turn_with(marker, moment);
  }
  system.moments.push_back(std::move(moment));
}

void compile_follower(System& system, const PointForce& load) {
  const Marker marker = make_marker(system, load.at);
  CompiledMoment force;
  force.moment = load.force;
  work_on_frame(marker, force);
  turn_with(marker, force);
  const std::size_t n = force.arguments.size();
  force.force_weights.assign(force.vectors.size(), 0.0);
  for (std::size_t k = 0; k < marker.position.vectors.size(); ++k) {
    const int vector = marker.position.vectors[k];
    const auto at = std::find(force.vectors.begin(), force.vectors.end(), vector) - force.vectors.begin();
    if (at == static_cast<std::ptrdiff_t>(force.vectors.size())) {
      force.vectors.push_back(vector);
      force.force_weights.push_back(0);
      force.weights.resize(force.weights.size() + n, 0.0);
    }
    force.force_weights[static_cast<std::size_t>(at)] += marker.position.weights[k];
  }
  system.moments.push_back(std::move(force));
}

void add_moment_force(const CompiledMoment& moment, const State& state, const ForceSink& sink) {
  const Vec3<double> M = value_at(moment.moment, state);
  if (!moment.section) {
    const auto h = dual_gradients(moment, state);
    for (std::size_t i = 0; i < moment.vectors.size(); ++i) {
      sink.add(moment.vectors[i], 0.5 * cross(M, h[i]));
    }
    return;
  }
  if (!moment.force_weights.empty()) {
    const Vec3<double> force = FrameForce(moment, M, state).value;
    for (std::size_t v = 0; v < moment.vectors.size(); ++v)
      if (moment.force_weights[v] != 0) sink.add(moment.vectors[v], moment.force_weights[v] * force);
    return;
  }
  const FrameWork work(moment, M, state, false);
  const std::size_t n = moment.arguments.size();
  for (std::size_t v = 0; v < moment.vectors.size(); ++v)
    for (std::size_t i = 0; i < n; ++i)
      sink.add(moment.vectors[v],
               moment.weights[v * n + i] * Vec3<double>{{work.f[3 * i], work.f[3 * i + 1], work.f[3 * i + 2]}});
}

void add_moment_tangent(const CompiledMoment& moment, const State& state, double c_q, const TangentSink& sink) {
  const Vec3<double> M = value_at(moment.moment, state);
  const std::size_t count = moment.vectors.size();
  if (!moment.section) {
    const auto h = dual_gradients(moment, state);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        const Vec3<double> f = cross(M, h[j]);
        Mat3<double> block;
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) block[m][n] = 0.5 * c_q * f[m] * h[i][n];
        sink.add(moment.vectors[i], moment.vectors[j], block);
      }
    return;
  }
  const std::size_t n = moment.arguments.size();
  if (!moment.force_weights.empty()) {
    const FrameForce force(moment, M, state);
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t w = 0; w < count; ++w) {
        if (moment.force_weights[v] == 0) continue;
        Mat3<double> block{};
        for (std::size_t j = 0; j < n; ++j)
          for (int m = 0; m < 3; ++m)
            for (int p = 0; p < 3; ++p)
              block[m][p] -= c_q * moment.force_weights[v] * moment.weights[w * n + j] * force.slope[3 * j + p][m];
        sink.add(moment.vectors[v], moment.vectors[w], block);
      }
    return;
  }
  const FrameWork work(moment, M, state, true);
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t w = 0; w < count; ++w) {
      Mat3<double> block{};
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          for (int m = 0; m < 3; ++m)
            for (int p = 0; p < 3; ++p)
              block[m][p] -= c_q * moment.weights[v * n + i] * moment.weights[w * n + j] * work.D[3 * i + m][3 * j + p];
      sink.add(moment.vectors[v], moment.vectors[w], block);
    }
}

}  // namespace lithe
