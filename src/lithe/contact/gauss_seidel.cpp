#include "lithe/contact/gauss_seidel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "lithe/contact/cone.h"

namespace lithe {

namespace {

constexpr double most_momentum = 30, less_momentum = 0.8;
constexpr int plain_sweeps = 6;
constexpr double plain_gain = 2.5;  // of as many

double next_momentum(double t) { return 0.5 * (1 + std::sqrt(1 + 4 * t * t)); }

}  // namespace

void GaussSeidel::prepare(const ContactIsland& island) {
  local_.resize(island.count());
  block_.resize(island.count());
  over_contacts(island.team, island.count(), [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      block_[k] = diagonal_block(island.problem, k);
      local_[k] = LocalContact(block_[k], island.problem.cone(k));
    }
  });
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

// visit(contact) of all, colour by colour; the largest of what it returns.
template <class Visit>
double GaussSeidel::in_colours(const ContactIsland& island, Visit&& visit) {
  double largest = 0;
  for (std::size_t c = 0; c + 1 < colour_start_.size(); ++c) {
    const std::int32_t begin = colour_start_[c], count = colour_start_[c + 1] - begin;
    std::fill(change_.begin(), change_.end(), 0.0);  // without a team there is one task
    over_contacts(island.team, count, [&](int first, int last) {
      double change = 0;
      for (int i = first; i < last; ++i) change = std::max(change, visit(order_[begin + i]));
      change_[first / contacts_per_task] = change;
    });
    largest = std::max(largest, *std::max_element(change_.begin(), change_.end()));
  }
  return largest;
}

double GaussSeidel::sweep(const ContactIsland& island, std::vector<double>& R) {
  return in_colours(island, [&](int k) { return improve(island.problem, k, R.data()); });
}

void GaussSeidel::begin(const ContactIsland& island, const std::vector<double>& R, double quiet) {
  last_ = begin_ = told_ = R;
  momentum_.assign(island.count(), 1.0);
  most_.assign(island.count(), most_momentum);
  moving_.assign(island.count(), 0);
  mark_ = std::numeric_limits<double>::infinity();
  plain_ = 0;
  has_momentum_ = false;
  wake(quiet);
}

void GaussSeidel::wake(double quiet) {
  quiet_ = quiet;
  awake_.assign(momentum_.size(), 1);
}

double GaussSeidel::sweep_on(const ContactIsland& island, std::vector<double>& R) {
  over_contacts(island.team, island.count(), [&](int first, int last) {
    for (int k = first; k < last; ++k)
      if (moving_[k]) go_on(island, k, R);
  });
  const double change = in_colours(island, [&](int k) { return awake_[k] ? visit(island, k, R) : 0; });
  over_contacts(island.team, island.count(), [&](int first, int last) {
    for (int k = first; k < last; ++k)
      if (moving_[k]) look_back(k, R);
  });
  if (!has_momentum_ && ++plain_ % plain_sweeps == 0) {
    has_momentum_ = plain_gain * change > mark_;
    mark_ = change;
  }
  return change;
}

// Its neighbours look at it again once it has moved far enough; several may say so to one at a time.
void GaussSeidel::tell(const ContactIsland& island, int k, const Vec3<double>& R) {
  if (!(island.size[k] * norm(R - contact_vector(told_, k)) > quiet_)) return;
  set_contact_vector(told_, k, R);
  const ContactProblem& problem = island.problem;
  for (std::int32_t p = problem.row_start[k]; p < problem.row_start[k + 1]; ++p)
    std::atomic_ref(awake_[problem.column[p]]).store(1, std::memory_order_relaxed);
}

void GaussSeidel::go_on(const ContactIsland& island, int k, std::vector<double>& R) {
  const Vec3<double> now = contact_vector(R, k);
  Vec3<double> to = now;
  if (const double t = momentum_[k]; t > 1) {
    to = project_to_cone(island.problem.cone(k), now + ((t - 1) / next_momentum(t)) * (now - contact_vector(last_, k)));
    set_contact_vector(R, k, to);
    tell(island, k, to);
  }
  set_contact_vector(last_, k, now);
  set_contact_vector(begin_, k, to);
}

double GaussSeidel::visit(const ContactIsland& island, int k, std::vector<double>& R) {
  awake_[k] = 0;
  const double change = improve(island.problem, k, R.data());
  if (!(change > 0)) return 0;
  moving_[k] = 1;
  tell(island, k, contact_vector(R, k));
  return change;
}

void GaussSeidel::look_back(int k, const std::vector<double>& R) {
  const Vec3<double> now = contact_vector(R, k), way = now - contact_vector(last_, k);
  const double ahead = dot(now - contact_vector(begin_, k), way);
  if (!has_momentum_) momentum_[k] = 1;
  else if (ahead < 0) {
    most_[k] *= less_momentum;
    momentum_[k] = 1;
  } else momentum_[k] = std::max(1.0, std::min(most_[k], next_momentum(momentum_[k])));
  moving_[k] = awake_[k] && dot(way, way) > 0;
  if (moving_[k]) return;
  set_contact_vector(last_, k, now);
  set_contact_vector(begin_, k, now);
}

}  // namespace lithe
