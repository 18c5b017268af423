#include "lithe/dynamics/static_prediction.h"

namespace lithe {

namespace {
constexpr std::size_t most_kept = 4;
}

Array StaticPrediction::copy_of(const Array& x) {
  Array copy(problem_.place, x.size());
  problem_.place.copy(x, copy);
  return copy;
}

void StaticPrediction::remember(double s, const Configuration& state) {
  if (past_.size() == most_kept) past_.erase(past_.begin());
  past_.push_back({s, copy_of(state.q), copy_of(state.lambda)});
}

void StaticPrediction::predict(Configuration& trial, double s) {
  // Forces do not notice an increment below their rounding error: Newton would add it once more.
  if (past_.size() < 2 || problem_.tiny_load()) return;
  Place& place = problem_.place;
  Array best = copy_of(trial.q), best_lambda = copy_of(trial.lambda);
  double smallest = problem_.residual(trial).norm;
  for (std::size_t points = 2; points <= past_.size(); ++points) {
    place.fill(0, trial.q);
    place.fill(0, trial.lambda);
    for (std::size_t i = past_.size() - points; i < past_.size(); ++i) {
      double weight = 1;  // Lagrange
      for (std::size_t j = past_.size() - points; j < past_.size(); ++j)
        if (j != i) weight *= (s - past_[j].s) / (past_[i].s - past_[j].s);
      place.combine({{1, trial.q}, {weight, past_[i].q}}, trial.q);
      place.combine({{1, trial.lambda}, {weight, past_[i].lambda}}, trial.lambda);
    }
    problem_.follow(trial);
    const ResidualSize size = problem_.residual(trial);
    if (!size.finite || !(size.norm < smallest) || !problem_.inverted_node(trial).empty()) continue;
    smallest = size.norm;
    place.copy(trial.q, best);
    place.copy(trial.lambda, best_lambda);
  }
  place.copy(best, trial.q);
  place.copy(best_lambda, trial.lambda);
}

}  // namespace lithe
