#include "lithe/system/reactions.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>

#include "lithe/base/error.h"

namespace lithe {

namespace {

const Form& form_of(const System& system, const EliminatedEquation& e) {
  return e.tie >= 0 ? system.ties[e.tie].x : system.eliminated_rows[e.row].part.arguments[0];
}
const std::vector<Bearing>& bearings_of(const System& system, const EliminatedEquation& e) {
  return e.tie >= 0 ? system.ties[e.tie].bearings : system.eliminated_rows[e.row].bearings;
}

// What turns or moves with b feels the force `f` on the argument.
void bear(const Bearing& bearing, const std::vector<double>& q, const Vec3<double>& f, Wrench& wrench) {
  if (bearing.position) wrench.force = wrench.force + f;
  else wrench.torque = wrench.torque + bearing.sign * cross(bearing.arm.value(q), f);
}

bool is_position(const System& system, int vector) {
  const auto after = std::upper_bound(system.bodies.begin(), system.bodies.end(), vector,
                                      [](int v, const BodyInfo& body) { return v < body.first_vector; });
  const BodyInfo& body = *(after - 1);
  return (vector - body.first_vector) % body.node_vectors == 0;
}

double position_weight(const System& system, const Form& x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.vectors.size(); ++k)
    if (is_position(system, x.vectors[k])) sum += x.weights[k];
  return sum;
}

}  // namespace

// W W^T of the equations, factored.
struct EliminatedMultipliers::Factor {
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> normal;
};

EliminatedMultipliers::~EliminatedMultipliers() = default;

EliminatedMultipliers::EliminatedMultipliers(const System& system, const std::vector<int>& owners)
    : factor_(std::make_unique<Factor>()) {
  const int count = static_cast<int>(system.eliminated.size());
  std::vector<std::vector<int>> at(system.vectors());  // equations of each vector
  for (int e = 0; e < count; ++e)
    for (int v : form_of(system, system.eliminated[e]).vectors) at[v].push_back(e);
  // Equations of the owners and, again and again, those that meet them.
  std::vector<char> wanted(count, 0), seen(system.vectors(), 0);
  std::vector<int> queue;
  for (int e = 0; e < count; ++e)
    if (std::find(owners.begin(), owners.end(), system.eliminated[e].owner) != owners.end()) {
      wanted[e] = 1;
      queue.push_back(e);
    }
  while (!queue.empty()) {
    const int e = queue.back();
    queue.pop_back();
    for (int v : form_of(system, system.eliminated[e]).vectors) {
      if (seen[v]) continue;
      seen[v] = 1;
      for (int other : at[v])
        if (!wanted[other]) {
          wanted[other] = 1;
          queue.push_back(other);
        }
    }
  }
  std::vector<int> number(count, -1);
  for (int e = 0; e < count; ++e)
    if (wanted[e]) {
      number[e] = static_cast<int>(equations_.size());
      equations_.push_back(e);
    }
  std::vector<Eigen::Triplet<double>> entries;
  for (int e : equations_) {
    const EliminatedEquation& first = system.eliminated[e];
    const Form& x = form_of(system, first);
    for (std::size_t k = 0; k < x.vectors.size(); ++k)
      for (int other : at[x.vectors[k]]) {
        const EliminatedEquation& second = system.eliminated[other];
        const Form& y = form_of(system, second);
        const auto found = std::find(y.vectors.begin(), y.vectors.end(), x.vectors[k]) - y.vectors.begin();
        const double value = x.weights[k] * y.weights[found] * dot(first.along, second.along);
        if (value != 0) entries.emplace_back(number[e], number[other], value);
      }
  }
  const int n = static_cast<int>(equations_.size());
  if (n == 0) return;
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  factor_->normal.compute(matrix);
  LITHE_INVARIANT(factor_->normal.info() == Eigen::Success);
}

void EliminatedMultipliers::solve(const System& system, const std::vector<double>& left_over,
                                  std::vector<double>& mu) const {
  mu.assign(system.eliminated.size(), 0.0);
  if (equations_.empty()) return;
  Eigen::VectorXd right(static_cast<Eigen::Index>(equations_.size()));
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const EliminatedEquation& e = system.eliminated[equations_[i]];
    right[static_cast<Eigen::Index>(i)] = -dot(e.along, form_of(system, e).rate(left_over));
  }
  const Eigen::VectorXd solution = factor_->normal.solve(right);
  for (std::size_t i = 0; i < equations_.size(); ++i) mu[equations_[i]] = solution[static_cast<Eigen::Index>(i)];
}

void add_inertia(const System& system, const std::vector<double>& x, std::vector<double>& f) {
  for (const Batch& batch : system.batches) {
    const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
    for (int e = 0; e < batch.elements; ++e) {
      const std::int32_t* c = &batch.connectivity[static_cast<std::size_t>(e / W) * N * W + e % W];
      const double* M = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
      for (int i = 0, k = 0; i < N; ++i)
        for (int j = i; j < N; ++j, ++k)
          for (int m = 0; m < 3; ++m) {
            f[3ul * c[i * W] + m] += M[k] * x[3ul * c[j * W] + m];
            if (i != j) f[3ul * c[j * W] + m] += M[k] * x[3ul * c[i * W] + m];
          }
    }
  }
}

Vec3<double> acceleration_of(const State& state, int vector) {
  Vec3<double> a{};
  if (state.a.empty()) return a;
  const Past& past = state.past;
  const bool lags = past.count >= 1 && past.lag != 0 && past.a[0].size() == state.a.size();
  for (int m = 0; m < 3; ++m) {
    const std::size_t i = 3ul * vector + m;
    a[m] = lags ? state.a[i] + past.lag * (state.a[i] - past.a[0][i]) : state.a[i];
  }
  return a;
}

void forces_left_over(const System& system, const State& state, const Workspace& work, std::vector<double>& force) {
  force.resize(work.internal.size());
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = work.internal[i] - work.external[i];
  if (!state.a.empty()) {
    std::vector<double> a(force.size());
    for (int v = 0; v < system.vectors(); ++v) {
      const Vec3<double> of_vector = acceleration_of(state, v);
      for (int m = 0; m < 3; ++m) a[3ul * v + m] = of_vector[m];
    }
    add_inertia(system, a, force);
  }
  if (!system.rows.empty() && !state.lambda.empty()) add_row_forces(system, state, state.lambda, force);
}

Wrench joint_reaction(const System& system, const State& state, int joint, const std::vector<double>& mu) {
  Wrench wrench;
  const int owner = system.joints[joint].owner;
  Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
  for (int r : system.owners[owner].rows) {
    const ConstraintRow& row = system.rows[r];
    for (int i = 0; i < row.part.count(); ++i) x[i] = row.part.arguments[i].value(state.q);
    part_gradient(row.part, x, state.angles, gradient);
    for (const Bearing& b : row.bearings) bear(b, state.q, -state.lambda[r] * gradient[b.argument], wrench);
  }
  for (int e : system.owners[owner].eliminated)
    for (const Bearing& b : bearings_of(system, system.eliminated[e]))
      bear(b, state.q, -mu[e] * system.eliminated[e].along, wrench);
  return wrench;
}

Vec3<double> constraint_reaction(const System& system, const State& state, int constraint,
                                 const std::vector<double>& mu) {
  Vec3<double> sum{};
  for (const ConstraintOwner& owner : system.owners) {
    if (owner.kind != ConstraintOwner::Kind::constraint || owner.index != constraint) continue;
    for (int r : owner.rows) {
      const Part& part = system.rows[r].part;
      sum = sum - state.lambda[r] * position_weight(system, part.arguments[0]) * part.along;
    }
    for (int e : owner.eliminated)
      sum = sum - mu[e] * position_weight(system, form_of(system, system.eliminated[e])) * system.eliminated[e].along;
  }
  return sum;
}

}  // namespace lithe
