// A spring acts on scalar strains e_k(x_1, ..., x_n) of 3-vectors that are linear in the coordinates (Form): a length,
// the angle of a joint counted on from turn to turn, its travel, or the six of a bushing (spring_strains.h). With the
// forces F_k = stiffness_k (e_k - rest_k) + damping_k de_k/dt + actuator(t), g_k = de_k/dx, H_k = d2e_k/dx2 and the
// velocities u of the arguments, the generalised force and its tangent are
//
//   f = sum_k F_k g_k,   df/dx = sum_k stiffness_k g_k g_k^T + F_k H_k + damping_k g_k (H_k u)^T,
//   df/du = sum_k damping_k g_k g_k^T.
//
// A force law F(e, de/dt, t), friction, stops and pd drives act on the first strain, with their slopes dF/de and
// dF/d(de/dt) in place of stiffness and damping.
//
// Strains do not change in a rigid motion of everything, so forces and moments balance, with damping too. The third
// term is the only unsymmetric one; a symmetric pattern gets its symmetric part. g and H come from hyper-dual numbers.
#include "lithe/system/springs.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lithe/system/system.h"

namespace lithe {

namespace {

using Kind = SpringLaw::Kind;
static_assert(std::is_trivially_copyable_v<SpringLaw>);  // what a device copies byte by byte

constexpr int most_arguments = most_spring_arguments, most_strains = 6, most_scalars = 3 * most_arguments;

// Values, gradients and, where wanted, second derivatives over the scalars [argument][3].
struct Strains {
  int arguments, scalars, count;
  Vec3<double> x[most_arguments]{}, u[most_arguments]{};
  double value[most_strains], rate[most_strains];
  double gradient[most_strains][most_scalars];
  double hessian[most_strains][most_scalars][most_scalars];

  Strains(const Springs& springs, int spring, const State& state, bool second) {
    const SpringLaw& law = springs.law[spring];
    const FormsView forms = springs.arguments.view();
    const int first = springs.argument_start[spring];
    arguments = springs.argument_start[spring + 1] - first;
    scalars = 3 * arguments;
    count = law.strains;
    for (int i = 0; i < arguments; ++i) {
      x[i] = forms.value(first + i, state.q.data());
      u[i] = forms.rate(first + i, state.v.data());
    }
    if (law.kind == Kind::length || law.kind == Kind::frames) of_functions(law, &forms.start[first], second);
    else of_part(law, state, second);
    if (law.kind == Kind::cone) of_cosine(second);
    for (int k = 0; k < count; ++k) {
      rate[k] = 0;
      for (int a = 0; a < scalars; ++a) rate[k] += gradient[k][a] * u[a / 3][a % 3];
    }
  }

 private:
  void of_part(const SpringLaw& law, const State& state, bool second) {
    const PartView part = law.part(arguments);
    Vec3<double> g[largest_argument_count];
    value[0] = part_gradient(part, x, state.slots.values.data(), g);
    if (law.kind == Kind::travel) value[0] -= law.offset;
    for (int a = 0; a < scalars; ++a) gradient[0][a] = g[a / 3][a % 3];
    if (!second) return;
    Mat3<double> h[most_arguments * most_arguments];
    part_hessian(part, x, h);
    for (int a = 0; a < scalars; ++a)
      for (int b = 0; b < scalars; ++b) hessian[0][a][b] = h[a / 3 * arguments + b / 3][a % 3][b % 3];
  }

  // The angle e = arccos c of a cosine c: de = -dc / s, d2e = -d2c / s - c dc^2 / s^3 with s = sin e, which does not
  // get smaller than what rounding leaves of it: where the axes meet nothing acts.
  void of_cosine(bool second) {
    const double c = std::clamp(value[0], -1.0, 1.0), s = std::sqrt(std::max(1 - c * c, 1e-16));
    value[0] = std::acos(c);
    for (int a = 0; a < scalars && second; ++a)
      for (int b = 0; b < scalars; ++b)
        hessian[0][a][b] = -hessian[0][a][b] / s - c * gradient[0][a] * gradient[0][b] / (s * s * s);
    for (int a = 0; a < scalars; ++a) gradient[0][a] /= -s;
  }

  // start: [argument + 1] of its vectors.
  void of_functions(const SpringLaw& spring, const std::int32_t* start, bool second) {
    Vec3<HyperDual> y[most_arguments];
    HyperDual e[most_strains];
    int active[most_scalars], n = 0;  // the ground does not move
    for (int i = 0; i < arguments; ++i)
      for (int m = 0; m < 3; ++m) {
        if (start[i + 1] > start[i]) active[n++] = 3 * i + m;
      }
    for (int k = 0; k < count; ++k) {
      std::fill(gradient[k], gradient[k] + scalars, 0.0);
      if (second)
        for (int a = 0; a < scalars; ++a) std::fill(hessian[k][a], hessian[k][a] + scalars, 0.0);
    }
    const auto with = [&](int a, int b, auto&& action) {
      seed(x, arguments, a, b, y);
      evaluate_strains(spring, y, e);
      for (int k = 0; k < count; ++k) action(k);
    };
    if (second) {
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
          with(active[i], active[j],
               [&](int k) { hessian[k][active[i]][active[j]] = hessian[k][active[j]][active[i]] = e[k].ab; });
    }
    for (int i = 0; i < n; i += 2) {  // two derivatives at a time
      const int a = active[i], b = active[std::min(i + 1, n - 1)];
      with(a, b, [&](int k) {
        gradient[k][a] = e[k].a;
        gradient[k][b] = e[k].b;
      });
    }
    evaluate_strains(spring, x, value);
  }
};

// Statics ramp the prestress with the loads: the reference configuration is free of force at load factor 0.
double rest_at(const SpringLaw& spring, const State& state, int k) {
  return state.load_factor * spring.rest[k] + (1 - state.load_factor) * spring.start[k];
}

// F and its slopes over strain and rate.
struct Response {
  double force, stiffness, damping;
  void add(const ForceLaw::Point& p) {
    force += p.force;
    stiffness += p.stiffness;
    damping += p.damping;
  }
};

ForceLaw::Point friction(const JointForces& law, const State& state, double rate) {
  const double share = std::tanh(rate / law.slow),
               most = law.friction + (law.pressed < 0 ? 0 : law.coefficient * state.slots.values[law.pressed]);
  return {most * share, 0, most * (1 - share * share) / law.slow};
}

// By how far a limit is passed, d, the stiffness sets in over a width w: phi = d^2 / (2 w), then d - w / 2. The damper
// comes with phi', so that the force begins at 0; a stop never pulls.
struct Depth {
  double phi = 0, slope = 0, bend = 0, energy = 0;
  Depth(double d, double w) {
    if (!(d > 0)) return;
    if (d < w) {
      phi = d * d / (2 * w);
      slope = d / w;
      bend = 1 / w;
      energy = d * d * d / (6 * w);
    } else {
      phi = d - w / 2;
      slope = 1;
      energy = d * d / 2 - w * d / 2 + w * w / 6;
    }
  }
};
ForceLaw::Point stop(const JointForces& law, double x, double rate) {
  for (const double sign : {1.0, -1.0}) {
    const Depth depth(sign > 0 ? x - law.upper : law.lower - x, law.width);
    const double out = sign * rate, force = law.stop * depth.phi + law.bump * depth.slope * out;
    if (!(force > 0)) continue;
    return {sign * force, law.stop * depth.slope + law.bump * depth.bend * out, law.bump * depth.slope};
  }
  return {};
}

// A constant target grows with the load factor; in statics nothing has a rate.
ForceLaw::Point follow(const JointForces& law, const Signal& target, const State& state, double x, double rate) {
  const double s = target.is_constant() ? state.load_factor * target.constant() : target(state.t);
  const double s_rate = state.a.empty() ? 0 : target.rate(state.t);
  const double wanted = law.kp * (s - x) + law.kd * (s_rate - rate);
  if (law.limit == JointForces::none) return {-wanted, law.kp, law.kd};
  const double share = std::tanh(wanted / law.limit), slope = 1 - share * share;
  return {-law.limit * share, slope * law.kp, slope * law.kd};
}

// A rope pulls by EA (l - L) / L where it is longer than L, and by its damper as long as both together pull. One that
// has just its length is taut: it starts with its stiffness and without force.
struct RopePull {
  double rest, stiffness, stretch, rounding;
  RopePull(const Springs& springs, int spring, const State& state, double length)
      : rest(springs.law[spring].driven ? springs.target[spring](state.t) : rest_at(springs.law[spring], state, 0)),
        stiffness(springs.law[spring].EA / (springs.law[spring].driven ? rest : springs.law[spring].rest[0])),
        stretch(length - rest),
        rounding(1e-13 * springs.law[spring].start[0]) {}
  bool taut() const { return stretch >= -rounding; }
};
ForceLaw::Point pull(const Springs& springs, int spring, const State& state, double length, double rate) {
  const double damping = springs.law[spring].rope_damping;
  const RopePull rope(springs, spring, state, length);
  if (springs.law[spring].driven && !state.a.empty()) rate -= springs.target[spring].rate(state.t);
  const double force = rope.stiffness * rope.stretch + damping * rate;
  if (!rope.taut() || !(force >= -rope.stiffness * rope.rounding)) return {};
  return {std::max(force, 0.0), rope.stiffness, damping};
}

Response respond(const Springs& springs, int spring, const State& state, const Strains& s, int k) {
  const SpringLaw& law = springs.law[spring];
  const double stretch = s.value[k] - rest_at(law, state, k);
  Response r{law.stiffness[k] * stretch + law.damping[k] * s.rate[k], law.stiffness[k], law.damping[k]};
  if (k > 0 || !law.bent) return r;
  if (law.kind == Kind::lengths) r.add(pull(springs, spring, state, s.value[0], s.rate[0]));
  r.add(springs.bent[spring](stretch, s.rate[0], state.t));
  if (law.joint.friction > 0 || law.joint.coefficient > 0) r.add(friction(law.joint, state, s.rate[0]));
  if (law.joint.stop > 0) r.add(stop(law.joint, s.value[0], s.rate[0]));
  if (law.joint.kp > 0) r.add(follow(law.joint, springs.target[spring], state, s.value[0], s.rate[0]));
  return r;
}
// Constant actuators grow with the load factor; tables and expressions follow the time.
double actuator_force(const Springs& springs, int spring, const State& state) {
  const Signal& signal = springs.actuator[spring];
  return springs.law[spring].actuator_sign *
         (signal.is_constant() ? state.load_factor * signal.constant() : signal(state.t));
}

// force += factor sum_k F_k g_k over the vectors.
void scatter_strains(const Springs& springs, int spring, const Strains& s, const double* F, const ForceSink& sink) {
  double on[most_scalars] = {};
  for (int k = 0; k < s.count; ++k)
    for (int a = 0; a < s.scalars; ++a) on[a] += F[k] * s.gradient[k][a];
  for (int i = 0; i < s.arguments; ++i) {
    const Forms& x = springs.arguments;
    const int form = springs.argument_start[spring] + i;
    for (int k = x.start[form]; k < x.start[form + 1]; ++k)
      sink.add(x.vector[k], {{x.weight[k] * on[3 * i], x.weight[k] * on[3 * i + 1], x.weight[k] * on[3 * i + 2]}});
  }
}

}  // namespace

bool springs_symmetric(const System& system) {
  if (system.model.tangent == TangentForm::symmetric) return true;
  return std::ranges::none_of(system.springs.law, [](const SpringLaw& spring) {
    return spring.viscous ||
           std::any_of(std::begin(spring.damping), std::end(spring.damping), [](double c) { return c > 0; });
  });
}

void add_spring_force(const Springs& springs, int spring, const State& state, const ForceSink& sink) {
  const Strains s(springs, spring, state, false);
  double F[most_strains];
  for (int k = 0; k < s.count; ++k) F[k] = respond(springs, spring, state, s, k).force;
  scatter_strains(springs, spring, s, F, sink);
}

void add_actuator_force(const Springs& springs, int spring, const State& state, const ForceSink& sink) {
  const Signal& actuator = springs.actuator[spring];
  if (actuator.is_constant() && actuator.constant() == 0) return;
  const double F[most_strains] = {-actuator_force(springs, spring, state)};
  scatter_strains(springs, spring, Strains(springs, spring, state, false), F, sink);
}

void add_prestress(const System& system, const State& state, std::vector<double>& force) {
  const Springs& springs = system.springs;
  for (int i = 0; i < springs.count(); ++i) {
    const SpringLaw& spring = springs.law[i];
    double F[most_strains];
    bool any = spring.bent;
    for (int k = 0; k < spring.strains; ++k) {
      F[k] = spring.stiffness[k] * (spring.rest[k] - spring.start[k]);
      any = any || F[k] != 0;
    }
    if (!any) continue;
    const Strains s(springs, i, state, false);
    if (spring.bent) {
      const double more = spring.rest[0] - spring.start[0];
      if (spring.kind == Kind::lengths && !spring.driven)
        F[0] += pull(springs, i, state, s.value[0], s.rate[0]).stiffness * more;
      F[0] += springs.bent[i](s.value[0] - rest_at(spring, state, 0), s.rate[0], state.t).stiffness * more;
      if (spring.joint.kp > 0 && springs.target[i].is_constant())
        F[0] += follow(spring.joint, springs.target[i], state, s.value[0], s.rate[0]).stiffness *
                springs.target[i].constant();
    }
    scatter_strains(springs, i, s, F, ForceSink(force));
  }
}

void add_spring_tangent(const System& system, int number, const State& state, double c_q, double c_v,
                        const TangentSink& sink) {
  const Springs& springs = system.springs;
  const Strains s(springs, number, state, true);
  // Over the scalars of the arguments.
  double K[most_scalars][most_scalars] = {};
  for (int k = 0; k < s.count; ++k) {
    const Response r = respond(springs, number, state, s, k);
    const double F = r.force + (k == 0 ? actuator_force(springs, number, state) : 0.0);
    const double stiffness = c_q * r.stiffness + c_v * r.damping, damping = c_q * r.damping;
    double turning[most_scalars];  // H u
    for (int a = 0; a < s.scalars; ++a) {
      turning[a] = 0;
      for (int b = 0; b < s.scalars; ++b) turning[a] += s.hessian[k][a][b] * s.u[b / 3][b % 3];
    }
    const double* g = s.gradient[k];
    for (int a = 0; a < s.scalars; ++a)
      for (int b = 0; b < s.scalars; ++b) {
        const double viscous = system.symmetric ? 0.5 * (g[a] * turning[b] + turning[a] * g[b]) : g[a] * turning[b];
        K[a][b] += stiffness * g[a] * g[b] + c_q * F * s.hessian[k][a][b] + damping * viscous;
      }
  }
  // Over the vectors: block (v, w) = sum_ij weight_vi weight_wj K_ij.
  const int n = s.arguments, first = springs.vector_start[number], vectors = springs.vector_start[number + 1] - first;
  const std::int32_t* vector = springs.vector.data() + first;
  const double* weights = springs.weight.data() + springs.weight_start[number];
  for (int v = 0; v < vectors; ++v) {
    const double* left = weights + static_cast<std::size_t>(v) * n;
    double rows[3][most_scalars] = {};
    for (int i = 0; i < n; ++i)
      for (int m = 0; m < 3 && left[i] != 0; ++m)
        for (int b = 0; b < s.scalars; ++b) rows[m][b] += left[i] * K[3 * i + m][b];
    for (int w = system.symmetric ? v : 0; w < vectors; ++w) {
      const double* right = weights + static_cast<std::size_t>(w) * n;
      Mat3<double> block{};
      for (int j = 0; j < n; ++j)
        for (int m = 0; m < 3; ++m)
          for (int p = 0; p < 3; ++p) block[m][p] += right[j] * rows[m][3 * j + p];
      sink.add(vector[v], vector[w], block);
    }
  }
}

void spring_slopes(const Springs& springs, int spring, const State& state, SpringSlopes& slopes) {
  const Strains s(springs, spring, state, false);
  const int vectors = springs.vector_start[spring + 1] - springs.vector_start[spring];
  const double* weights = springs.weight.data() + springs.weight_start[spring];
  slopes.strains = s.count;
  slopes.gradient.assign(static_cast<std::size_t>(s.count) * vectors, Vec3<double>{});
  for (int k = 0; k < s.count; ++k) {
    const Response r = respond(springs, spring, state, s, k);
    slopes.stiffness[k] = r.stiffness;
    slopes.damping[k] = r.damping;
    slopes.value[k] = s.value[k];
    for (int v = 0; v < vectors; ++v)
      for (int a = 0; a < s.scalars; ++a)
        slopes.gradient[static_cast<std::size_t>(k) * vectors + v][a % 3] +=
            weights[v * s.arguments + a / 3] * s.gradient[k][a];
  }
}

double spring_work(const Springs& springs, int spring, const State& begin, const State& end) {
  const Strains first(springs, spring, begin, false), last(springs, spring, end, false);
  double work = 0;
  for (int k = 0; k < last.count; ++k)
    work += 0.5 * (last.value[k] - first.value[k]) *
            (respond(springs, spring, begin, first, k).force + respond(springs, spring, end, last, k).force);
  return work;
}

double spring_energy(const System& system, const State& state) {
  double energy = 0;
  for (int i = 0; i < system.springs.count(); ++i) {
    const SpringLaw& spring = system.springs.law[i];
    const Strains s(system.springs, i, state, false);
    for (int k = 0; k < s.count; ++k) {
      const double e = s.value[k] - rest_at(spring, state, k);
      energy += 0.5 * spring.stiffness[k] * e * e;
    }
    if (!spring.bent) continue;
    const JointForces& joint = spring.joint;
    energy += system.springs.bent[i].energy(s.value[0] - rest_at(spring, state, 0), state.t);
    energy += joint.stop * (Depth(s.value[0] - joint.upper, joint.width).energy +
                            Depth(joint.lower - s.value[0], joint.width).energy);
    if (spring.kind == Kind::lengths) {
      const RopePull rope(system.springs, i, state, s.value[0]);
      if (rope.taut()) energy += 0.5 * rope.stiffness * rope.stretch * rope.stretch;
    }
  }
  return energy;
}

std::vector<double> spring_values(const System& system, const State& state, int index) {
  const Strains s(system.springs, index, state, false);
  std::vector<double> values(s.value, s.value + s.count);
  values.insert(values.end(), s.rate, s.rate + s.count);
  for (int k = 0; k < s.count; ++k)
    values.push_back(respond(system.springs, index, state, s, k).force +
                     (k == 0 ? actuator_force(system.springs, index, state) : 0.0));
  if (const JointForces& joint = system.springs.law[index].joint; joint.exact)
    values.back() += state.slots.values[joint.exerted];
  return values;
}

SpringColumns spring_columns(const System& system, int index) {
  const SpringLaw& spring = system.springs.law[index];
  if (spring.kind == Kind::length) return {{"length", "rate", "force"}, {"m", "m/s", "N"}};
  if (spring.kind == Kind::lengths) return {{"length", "rate", "tension"}, {"m", "m/s", "N"}};
  if (spring.kind == Kind::travel) return {{"travel", "rate", "force"}, {"m", "m/s", "N"}};
  if (spring.kind == Kind::angle || spring.kind == Kind::cone)
    return {{"angle", "rate", "moment"}, {"rad", "rad/s", "N m"}};
  SpringColumns columns;
  const struct {
    const char *travel, *rotation, *travel_unit, *rotation_unit;
  } groups[3] = {{"travel_", "rotation_", "m", "rad"},
                 {"travel_rate_", "rotation_rate_", "m/s", "rad/s"},
                 {"force_", "moment_", "N", "N m"}};
  for (const auto& group : groups)
    for (int k = 0; k < spring.strains; ++k) {
      columns.names.push_back(std::string(k < 3 ? group.travel : group.rotation) + "xyz"[k % 3]);
      columns.units.emplace_back(k < 3 ? group.travel_unit : group.rotation_unit);
    }
  return columns;
}

}  // namespace lithe
