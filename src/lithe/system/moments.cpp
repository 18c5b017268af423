#include "lithe/system/moments.h"

#include <algorithm>
#include <type_traits>

#include "lithe/elements/continuum.h"
#include "lithe/system/loads.h"

namespace lithe {

namespace {

static_assert(std::is_trivially_copyable_v<MomentLaw>);  // what a device copies byte by byte

// Before it goes to the arrays, which say what its parts are.
struct CompiledMoment : MomentLaw {
  Signals moment;
  std::vector<int> vectors;
  std::vector<Vec3<double>> gradient;
  std::vector<double> force_weights;
  std::vector<Form> arguments;
  std::vector<double> weights;
};

void add(Moments& moments, CompiledMoment moment) {
  moment.gradient.resize(moment.vectors.size());
  moment.force_weights.resize(moment.vectors.size());
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  moments.law.push_back(moment);
  moments.moment.push_back(moment.moment);
  append(moments.vector, moment.vectors);
  append(moments.gradient, moment.gradient);
  append(moments.force_weight, moment.force_weights);
  append(moments.weight, moment.weights);
  for (const Form& x : moment.arguments) moments.arguments.add(x);
  moments.vector_start.push_back(static_cast<std::int32_t>(moments.vector.size()));
  moments.argument_start.push_back(moments.arguments.count());
  moments.weight_start.push_back(static_cast<std::int32_t>(moments.weight.size()));
}

void work_on_gradients(const BodyInfo& body, const MaterialPoint& point, CompiledMoment& moment) {
  const Vec3<double> half = is_flexible(body.kind) ? body.half_size(point.element) : Vec3<double>{{1, 1, 1}};
  double dS[3 * most_vectors];
  shape_derivatives(body.kind, point.xi.data(), dS);
  moment.kind = MomentLaw::Kind::gradients;
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

void turn_with(const Marker& marker, MomentLaw::Kind kind, CompiledMoment& moment) {
  moment.kind = kind;
  for (int k = 0; k < 3; ++k)
    for (int m = 0; m < 3; ++m) moment.to_axes[k][m] = marker.frame[m][marker.axis(k)];
}

}  // namespace

MomentView Moments::operator[](int i) const {
  const int first = vector_start[i];
  return {law[i],
          vector_start[i + 1] - first,
          argument_start[i + 1] - argument_start[i],
          vector.data() + first,
          gradient.data() + first,
          force_weight.data() + first,
          weight.data() + weight_start[i],
          arguments.view(),
          argument_start[i]};
}

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
    if (load.follower) turn_with(marker, MomentLaw::Kind::turning, moment);
  }
  add(system.moments, std::move(moment));
}

void compile_follower(System& system, const PointForce& load) {
  const Marker marker = make_marker(system, load.at);
  CompiledMoment force;
  force.moment = load.force;
  work_on_frame(marker, force);
  turn_with(marker, MomentLaw::Kind::force, force);
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
  add(system.moments, std::move(force));
}

void add_moment_force(const Moments& moments, int moment, const State& state, const ForceSink& sink) {
  add_moment_force(moments[moment], value_at(moments.moment[moment], state), state.q.data(), sink);
}

void add_moment_tangent(const Moments& moments, int moment, const State& state, double c_q, const TangentSink& sink) {
  add_moment_tangent(moments[moment], value_at(moments.moment[moment], state), state.q.data(), c_q, sink);
}

}  // namespace lithe
