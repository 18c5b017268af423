#include "lithe/dynamics/step_prediction.h"

#include <algorithm>

namespace lithe {

void StepPrediction::begin(double h) {
  StepData& d = data_;
  const Past& past = d.now.scalars().past;
  const bool weighted = d.scheme.m != 0 || d.scheme.f != 0, start = past.count == 0;
  const bool goes_on = past.weighted && same_size(past.step, h);
  d.place.copy(d.begin.v, d.begin.scheme_v);
  if (goes_on && (weighted || !(d.projects || d.fallback))) return d.place.copy(d.now.scheme, d.begin.a);
  d.place.copy(d.begin.w, d.begin.a);
  if (d.projects || d.fallback) return;
  const double lag = start || weighted ? d.scheme.lag() : 0;
  const double share = lag * h / past.step, shift = start ? d.scheme.error_h2 * h * h / past.step : 0;
  if (share != 0) d.place.combine({{1, d.begin.w}, {-share, d.begin.w}, {share, d.now.past[0]}}, d.begin.a);
  if (shift != 0) d.place.combine({{1, d.begin.v}, {-shift, d.begin.w}, {shift, d.now.past[0]}}, d.begin.scheme_v);
  d.follow_accelerations(d.begin.t - lag * h, d.begin.a);
}

int StepPrediction::order(double h) const {
  const Past& past = data_.now.scalars().past;
  return same_size(past.step, h) ? std::min(past.order, past.count) : 0;
}

void StepPrediction::extrapolate(int order) {
  StepData& d = data_;
  const Array &a = d.begin.a, &w = d.begin.w, &p0 = d.now.past[0], &p1 = d.now.past[1];
  if (order == 0) d.place.copy(a, d.now.a);
  if (order == 1) d.place.combine({{1, a}, {1, w}, {-1, p0}}, d.now.a);
  if (order == 2) d.place.combine({{1, a}, {2, w}, {-3, p0}, {1, p1}}, d.now.a);
}

void StepPrediction::coast() {
  data_.place.combine({{-data_.scheme.b0 / data_.scheme.b1, data_.begin.a}}, data_.now.a);
}

void StepPrediction::advance(double h) {
  StepData& d = data_;
  const Scheme& s = d.scheme;
  const Array &a0 = d.begin.a, &v0 = d.begin.scheme_v;
  const Term q[] = {{1, d.begin.q}, {h, v0}, {h * h * s.b0, a0}, {h * h * s.b1, d.now.a}};
  const Term v[] = {{1, v0}, {h * s.g0, a0}, {h * s.g1, d.now.a}};
  d.chain.run({{.terms = q, .y = &d.now.q}, {.terms = v, .y = &d.now.v}});
  d.model.follow(d.now.t(), d.now.t() - (s.f - s.m) * h, d.now.q, d.now.v, d.now.a);
}

void StepPrediction::remember(double h) {
  StepData& d = data_;
  Past& past = d.now.scalars().past;
  if (!same_size(past.step, h)) past.count = 0;
  past.step = h;
  const Array &a = d.now.a, &w = d.begin.w, &p0 = d.now.past[0], &p1 = d.now.past[1];
  double miss[3] = {0, 0, 0};
  const Product square[] = {{&d.coordinate_correction_weight, d.scratch, d.scratch}};
  const Term constant[] = {{1, a}, {-1, w}}, linear[] = {{1, a}, {-2, w}, {1, p0}},
             quadratic[] = {{1, a}, {-3, w}, {3, p0}, {-1, p1}}, older[] = {{1, p0}}, newer[] = {{1, w}};
  const std::span<const Term> misses[] = {constant, linear, quadratic};
  VectorStep steps[8];
  int count = 0;
  for (int k = 0; k <= past.count; ++k) {
    steps[count++] = {.terms = misses[k], .y = &d.scratch};
    steps[count++] = {.products = square, .sums = &miss[k]};
  }
  steps[count++] = {.terms = older, .y = &d.now.past[1]};
  steps[count++] = {.terms = newer, .y = &d.now.past[0]};
  d.chain.run(std::span(steps, count));
  past.order = 0;
  for (int k = 1; k <= past.count; ++k)
    if (miss[k] < miss[past.order]) past.order = k;
  past.count = std::min(2, past.count + 1);
}

}  // namespace lithe
