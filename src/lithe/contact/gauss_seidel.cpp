#include "lithe/contact/gauss_seidel.h"

#include <algorithm>

namespace lithe {

void GaussSeidel::prepare(const ContactIsland& island) {
  local_.clear();
  block_.clear();
  for (int k = 0; k < island.count(); ++k) {
    block_.push_back(diagonal_block(island.problem, k));
    local_.emplace_back(block_[k], island.problem.cone(k));
  }
  find_colours(island.problem);
}

// First fit: each contact takes the lowest colour that no neighbour before it has.
void GaussSeidel::find_colours(const ContactProblem& problem) {
  const int n = problem.count();
  colour_.assign(n, 0);
  taken_.clear();
  for (int k = 0; k < n; ++k) {
    for (std::int32_t p = problem.row_start[k]; p < problem.row_start[k + 1] && problem.column[p] < k; ++p)
      taken_[colour_[problem.column[p]]] = k;
    std::int32_t colour = 0;
    while (colour < static_cast<std::int32_t>(taken_.size()) && taken_[colour] == k) ++colour;
    if (colour == static_cast<std::int32_t>(taken_.size())) taken_.push_back(-1);
    colour_[k] = colour;
  }
  colour_start_.assign(taken_.size() + 1, 0);
  for (const std::int32_t colour : colour_) ++colour_start_[colour + 1];
  int largest = 0;
  for (std::size_t c = 0; c < taken_.size(); ++c) {
    largest = std::max(largest, colour_start_[c + 1]);
    colour_start_[c + 1] += colour_start_[c];
    taken_[c] = colour_start_[c];
  }
  order_.resize(n);
  for (int k = 0; k < n; ++k) order_[taken_[colour_[k]]++] = k;
  change_.assign(largest / contacts_per_task + 1, 0);
}

double GaussSeidel::improve(const ContactProblem& problem, int k, double* R) {
  const Vec3<double> U = contact_velocity(problem, k, R);
  const double* W = block_[k];
  double* r = &R[3 * static_cast<std::size_t>(k)];
  const Vec3<double> old{{r[0], r[1], r[2]}};
  Vec3<double> b = U;
  for (int i = 0; i < 3; ++i) b[i] -= W[3 * i] * old[0] + W[3 * i + 1] * old[1] + W[3 * i + 2] * old[2];
  const Vec3<double> now = local_[k].solve(b);
  for (int i = 0; i < 3; ++i) r[i] = now[i];
  return local_[k].size() * norm(now - old);
}

double GaussSeidel::sweep(const ContactIsland& island, std::vector<double>& R) {
  double largest = 0;
  for (std::size_t c = 0; c + 1 < colour_start_.size(); ++c) {
    const std::int32_t begin = colour_start_[c], count = colour_start_[c + 1] - begin;
    std::fill(change_.begin(), change_.end(), 0.0);  // without a team there is one task
    over_contacts(island.team, count, [&](int first, int last) {
      double change = 0;
      for (int i = first; i < last; ++i)
        change = std::max(change, improve(island.problem, order_[begin + i], R.data()));
      change_[first / contacts_per_task] = change;
    });
    largest = std::max(largest, *std::max_element(change_.begin(), change_.end()));
  }
  return largest;
}

}  // namespace lithe
