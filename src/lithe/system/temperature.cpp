#include "lithe/system/temperature.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/error.h"
#include "lithe/system/laws.h"
#include "lithe/system/loads.h"
#include "lithe/system/outputs.h"
#include "lithe/system/pattern.h"

namespace lithe {

namespace {

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
  static constexpr int most = 3 * 16;  // coordinates of a shell
  double f[most], K[most * most];

  Evaluated(const System& system, const HeatedElement& heated, const State& state, bool tangent) {
    const CompiledTemperature& temperature = system.temperatures[heated.temperature];
    const BodyInfo& body = system.bodies[temperature.body];
    const Batch& batch = system.batches[body.batch];
    const int element = body.first_element + heated.element, n = 3 * vector_count(body.kind);
    double e[3 * most_vectors], resultants[8] = {};
    resultants_of(system, temperature, state, heated.element, resultants);
    gather_element(state.q, body, heated.element, e);
    LITHE_INVARIANT(n <= most);
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
  if (body.kind->dimension == 1)
    temperature.expansion = material_expansion(*system.model.materials.find(given.material))[0];
  else shell_thermal_resultants(system.model, given, temperature.resultants);
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
    if (temperature.body == body) resultants_of(system, temperature, state, element, resultants);
}

double temperature_change(const System& system, const State& state, int b, const MaterialPoint& point) {
  double change = 0;
  for (const CompiledTemperature& temperature : system.temperatures) {
    if (temperature.body != b) continue;
    const Vec3<double> half = system.bodies[b].half_size(point.element);
    change += value_at(temperature.signal[0], state);
    for (int k = 1; k < 3; ++k) change += point.xi[k] * half[k] * value_at(temperature.signal[k], state);
  }
  return change;
}

}  // namespace lithe
