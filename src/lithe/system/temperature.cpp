#include "lithe/system/temperature.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/elements/continuum_plain.h"
#include "lithe/model/body_material.h"
#include "lithe/system/laws.h"
#include "lithe/system/loads.h"
#include "lithe/system/outputs.h"
#include "lithe/system/pattern.h"

namespace lithe {

namespace {

// Strains at points of a volume, not of the section as a whole.
bool has_points(const System& system, const BodyInfo& body) {
  return body.kind->volume && system.batches[body.batch].continuum.formulation == Formulation::continuum;
}

// The change at a point: y and z from the line or middle surface, of a solid those of its reference.
double change_at(const System& system, const CompiledTemperature& temperature, const State& state, int element,
                 const double* xi) {
  const BodyInfo& body = system.bodies[temperature.body];
  const Vec3<double> half = body.half_size(element);
  Vec3<double> x{{0, xi[1] * half[1], xi[2] * half[2]}};
  if (body.kind->dimension == 3) {
    const int N = vector_count(body.kind);
    const double* reference =
        &system.batches[body.batch]
             .continuum.reference[3ul * N * (body.first_element + static_cast<std::size_t>(element))];
    double S[most_vectors];
    shape_functions(body.kind, xi, S);
    x = {};
    for (int i = 0; i < N; ++i)
      for (int m = 0; m < 3; ++m) x[m] += S[i] * vector_scale(body.kind, half.a, i) * reference[3 * i + m];
  }
  double change = value_at(temperature.signal[0], state);
  for (int k = 1; k < 3; ++k) change += x[k] * value_at(temperature.signal[k], state);
  return change;
}

// f_i = sum w F S_T g_i, K_ij = sum w g_i . S_T g_j, with S_T = D alpha T at a point and g_i = dS_i B.
void add_point_forces(const System& system, const CompiledTemperature& temperature, const State& state, int element,
                      const double* e, double* f, double* K) {
  const BodyInfo& body = system.bodies[temperature.body];
  const ContinuumBatch& batch = system.batches[body.batch].continuum;
  const int N = vector_count(body.kind), n = 3 * N, own = body.first_element + element;
  const double* half = &batch.half_size[3ul * own];
  double dS[3 * most_vectors], g[most_vectors][3];
  for (const QuadraturePoint& point : batch.points) {
    shape_derivatives(body.kind, point.xi.data(), dS);
    const PointMap map = map_point(batch, own, dS, point.weight, point.angle);
    const Slice& slice = body.slices[body.kind->split_law ? 0 : static_cast<std::size_t>(point.law)];
    const double change = change_at(system, temperature, state, element, point.xi.data());
    double strain[6] = {}, S[6];
    for (int a = 0; a < 3; ++a) strain[a] = map.volume * change * material_expansion(slice.material)[a];
    stress(batch.laws[point.law], strain, S);
    const Mat3<double> F = deformation_gradient(body.kind, dS, half, map.B, e);
    for (int i = 0; i < N; ++i)
      for (int a = 0; a < 3; ++a) {
        g[i][a] = 0;
        for (int b = 0; b < 3; ++b) g[i][a] += vector_scale(body.kind, half, i) * dS[3 * i + b] * map.B[b][a];
        for (int m = 0; m < 3; ++m) f[3 * i + m] += F[m][a] * S[a] * g[i][a];
      }
    for (int i = 0; K && i < N; ++i)
      for (int j = 0; j < N; ++j) {
        const double value = g[i][0] * S[0] * g[j][0] + g[i][1] * S[1] * g[j][1] + g[i][2] * S[2] * g[j][2];
        for (int m = 0; m < 3; ++m) K[(3 * i + m) * n + 3 * j + m] += value;
      }
  }
}

void resultants_of(const System& system, const CompiledTemperature& temperature, const State& state, int element,
                   double* out) {
  const BodyInfo& body = system.bodies[temperature.body];
  const Batch& batch = system.batches[body.batch];
  double value[3];
  for (int k = 0; k < 3; ++k) value[k] = value_at(temperature.signal[k], state);
  const double a = temperature.expansion;
  if (!body.kind->volume) {
    out[0] += batch.cable.EA * a * value[0];
  } else if (body.kind->dimension == 1) {
    const double strain[6] = {a * value[0], 0, 0, 0, a * value[2], -a * value[1]};
    for (const SectionLaw& law : batch.continuum.section)
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) out[i] += law.of(body.first_element + element)[6ul * i + j] * strain[j];
  } else {
    for (int i = 0; i < 6; ++i)
      out[i] += value[0] * temperature.resultants[0][i] + value[2] * temperature.resultants[1][i];
  }
}

// int S'_i S'_j dx of a cable of length L.
double slopes(double L, int i, int j) {
  const double table[4][4] = {{36, 3 * L, -36, 3 * L},
                              {3 * L, 4 * L * L, -3 * L, -L * L},
                              {-36, -3 * L, 36, -3 * L},
                              {3 * L, -L * L, -3 * L, 4 * L * L}};
  return table[i][j] / (30 * L);
}

struct Evaluated {
  static constexpr int most = 3 * most_vectors;
  double f[most], K[most * most];

  Evaluated(const System& system, const HeatedElement& heated, const State& state, bool tangent) {
    const CompiledTemperature& temperature = system.temperatures[heated.temperature];
    const BodyInfo& body = system.bodies[temperature.body];
    const Batch& batch = system.batches[body.batch];
    const int element = body.first_element + heated.element, n = 3 * vector_count(body.kind);
    double e[most], resultants[8] = {};
    gather_element(state.q, body, heated.element, e);
    LITHE_INVARIANT(n <= most);
    if (has_points(system, body)) {
      std::fill(f, f + n, 0.0);
      std::fill(K, K + n * n, 0.0);
      add_point_forces(system, temperature, state, heated.element, e, f, tangent ? K : nullptr);
      return;
    }
    resultants_of(system, temperature, state, heated.element, resultants);
    if (body.kind->volume) {
      body.kind->section_form->resultant_force(batch.continuum, element, e, resultants, f, tangent ? K : nullptr);
      return;
    }
    std::fill(f, f + n, 0.0);
    std::fill(K, K + n * n, 0.0);
    for (int i = 0; i < n / 3; ++i)
      for (int j = 0; j < n / 3; ++j) {
        const double c = resultants[0] * slopes(batch.cable.length[element], i, j);
        for (int m = 0; m < 3; ++m) {
          f[3 * i + m] += c * e[3 * j + m];
          K[(3 * i + m) * n + 3 * j + m] = c;
        }
      }
  }
};

}  // namespace

void compile_temperature(System& system, const Temperature& load) {
  const auto b = static_cast<int>(system.model.bodies.position(load.body));
  const Body& given = std::get<Body>(system.model.bodies.items[static_cast<std::size_t>(b)].second);
  const BodyInfo& body = system.bodies[b];
  CompiledTemperature temperature;
  temperature.body = b;
  temperature.signal[0] = load.change;
  temperature.signal[1] = load.gradient_y;
  temperature.signal[2] = load.gradient_z;
  if (body.kind->dimension == 1 && !has_points(system, body))
    temperature.expansion = material_expansion(material_of(system.model, given))[0];
  else if (!has_points(system, body)) shell_thermal_resultants(system.model, given, temperature.resultants);
  for (int e = 0; e < body.elements(); ++e) {
    HeatedElement& heated = system.heated.emplace_back();
    heated.temperature = static_cast<int>(system.temperatures.size());
    heated.element = e;
  }
  system.temperatures.push_back(std::move(temperature));
}

void add_thermal_force(const System& system, const HeatedElement& heated, const State& state, const ForceSink& sink) {
  const Evaluated at(system, heated, state, false);
  const BodyInfo& body = system.bodies[system.temperatures[heated.temperature].body];
  for (int i = 0; i < vector_count(body.kind); ++i)
    sink.add(body.element_vector(heated.element, i), Vec3<double>{{at.f[3 * i], at.f[3 * i + 1], at.f[3 * i + 2]}});
}

void add_thermal_tangent(const System& system, const HeatedElement& heated, const State& state, double c_q,
                         const TangentSink& sink) {
  const Evaluated at(system, heated, state, true);
  const BodyInfo& body = system.bodies[system.temperatures[heated.temperature].body];
  const int N = vector_count(body.kind);
  for (int i = 0; i < N; ++i)
    for (int j = system.symmetric ? i : 0; j < N; ++j) {
      Mat3<double> block;
      for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n) block[m][n] = -c_q * at.K[(3 * i + m) * 3 * N + 3 * j + n];
      sink.add(body.element_vector(heated.element, i), body.element_vector(heated.element, j), block);
    }
}

void add_thermal_resultants(const System& system, const State& state, int body, int element, double* resultants) {
  for (const CompiledTemperature& temperature : system.temperatures)
    if (temperature.body == body && !has_points(system, system.bodies[body]))
      resultants_of(system, temperature, state, element, resultants);
}

double temperature_change(const System& system, const State& state, int b, const MaterialPoint& point) {
  double change = 0;
  for (const CompiledTemperature& temperature : system.temperatures)
    if (temperature.body == b) change += change_at(system, temperature, state, point.element, point.xi.data());
  return change;
}

}  // namespace lithe
