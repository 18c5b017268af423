#include "lithe/system/reactions.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/system/elimination.h"

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

// The force `f` on the argument x, as a rigid motion of everything feels it: positions turn about a point.
void bear(const System& system, const Form& x, const std::vector<double>& q, const Vec3<double>& f,
          const Vec3<double>& about, Wrench& wrench) {
  for (std::size_t k = 0; k < x.vectors.size(); ++k) {
    const std::size_t i = 3ul * x.vectors[k];
    const Vec3<double> force = x.weights[k] * f;
    Vec3<double> arm{{q[i], q[i + 1], q[i + 2]}};
    if (is_position(system, x.vectors[k])) {
      wrench.force = wrench.force + force;
      arm = arm - about;
    }
    wrench.torque = wrench.torque + cross(arm, force);
  }
}

}  // namespace

// A W D^2 W^T A of the equations, factored. W^T mu = -r has a solution, so any weights D of the vectors lead to it;
// those that make the largest weight of each vector 1 keep equations apart that reach far from the centre of a body.
struct EliminatedMultipliers::Factor {
  Eigen::VectorXd row;         // A: makes the diagonal 1
  std::vector<double> weight;  // D^2, [vector]
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
  factor_->weight.assign(system.vectors(), 0.0);
  for (int e : equations_) {
    const Form& x = form_of(system, system.eliminated[e]);
    for (std::size_t k = 0; k < x.vectors.size(); ++k) {
      double& largest = factor_->weight[x.vectors[k]];
      largest = std::max(largest, x.weights[k] * x.weights[k]);
    }
  }
  for (double& w : factor_->weight) w = w > 0 ? 1 / w : 0;
  std::vector<Eigen::Triplet<double>> entries;
  for (int e : equations_) {
    const EliminatedEquation& first = system.eliminated[e];
    const Form& x = form_of(system, first);
    for (std::size_t k = 0; k < x.vectors.size(); ++k)
      for (int other : at[x.vectors[k]]) {
        const EliminatedEquation& second = system.eliminated[other];
        const Form& y = form_of(system, second);
        const auto found = std::find(y.vectors.begin(), y.vectors.end(), x.vectors[k]) - y.vectors.begin();
        const double value =
            factor_->weight[x.vectors[k]] * x.weights[k] * y.weights[found] * dot(first.along, second.along);
        if (value != 0) entries.emplace_back(number[e], number[other], value);
      }
  }
  const int n = static_cast<int>(equations_.size());
  if (n == 0) return;
  Eigen::SparseMatrix<double> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  factor_->row = matrix.diagonal().cwiseSqrt().cwiseInverse();
  matrix = factor_->row.asDiagonal() * matrix * factor_->row.asDiagonal();
  factor_->normal.compute(matrix);
  // A pivot is the square of the sine of the angle between an equation and others: rounding leaves nothing below this.
  constexpr double smallest = 1e-14;
  Eigen::Index worst = 0;
  if (factor_->normal.info() == Eigen::Success && factor_->normal.vectorD().minCoeff(&worst) > smallest) return;
  const int owner = system.eliminated[equations_[factor_->normal.permutationPinv().indices()[worst]]].owner;
  throw InputError(
      where_of(system, owner),
      system.owners[owner].text +
          ": its reaction cannot be told from those of the joints it meets, because they act at almost the "
          "same place of a body that is very far away; check the positions of bodies and points, or ask "
          "for no reactions ('joint' and 'reaction' under 'outputs')");
}

void EliminatedMultipliers::solve(const System& system, const std::vector<double>& left_over,
                                  std::vector<double>& mu) const {
  mu.assign(system.eliminated.size(), 0.0);
  if (equations_.empty()) return;
  Eigen::VectorXd right(static_cast<Eigen::Index>(equations_.size()));
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const EliminatedEquation& e = system.eliminated[equations_[i]];
    const Form& x = form_of(system, e);
    double sum = 0;
    for (std::size_t k = 0; k < x.vectors.size(); ++k)
      for (int m = 0; m < 3; ++m)
        sum += factor_->weight[x.vectors[k]] * x.weights[k] * e.along[m] * left_over[3ul * x.vectors[k] + m];
    right[static_cast<Eigen::Index>(i)] = -factor_->row[static_cast<Eigen::Index>(i)] * sum;
  }
  const Eigen::VectorXd solution = factor_->row.cwiseProduct(factor_->normal.solve(right));
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

void forces_left_over(const System& system, const State& state, const Workspace& work, std::vector<double>& force) {
  force.resize(work.internal.size());
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = work.internal[i] - work.external[i];
  if (!state.a.empty()) add_inertia(system, state.a, force);
  if (!system.rows.empty() && !state.lambda.empty()) add_row_forces(system, state, state.lambda, force);
}

Wrench joint_reaction(const System& system, const State& state, int joint, const std::vector<double>& mu) {
  Wrench wrench;
  const int owner = system.joints[joint].owner;
  Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
  for (int r : system.owners[owner].rows) {
    const ConstraintRow& row = system.rows[r];
    for (int i = 0; i < row.part.count(); ++i) x[i] = row.part.arguments[i].value(state.q);
    part_gradient(row.part, x, state.slots.values, gradient);
    for (const Bearing& b : row.bearings) bear(b, state.q, -state.lambda[r] * gradient[b.argument], wrench);
  }
  for (int e : system.owners[owner].eliminated)
    for (const Bearing& b : bearings_of(system, system.eliminated[e]))
      bear(b, state.q, -mu[e] * system.eliminated[e].along, wrench);
  return wrench;
}

Wrench constraint_reaction(const System& system, const State& state, int constraint, const Vec3<double>& about,
                           const std::vector<double>& mu) {
  Wrench wrench;
  for (const ConstraintOwner& owner : system.owners) {
    if (owner.kind != ConstraintOwner::Kind::constraint || owner.index != constraint) continue;
    for (int r : owner.rows) {
      const Part& part = system.rows[r].part;
      bear(system, part.arguments[0], state.q, -state.lambda[r] * part.along, about, wrench);
    }
    for (int e : owner.eliminated) {
      const EliminatedEquation& equation = system.eliminated[e];
      bear(system, form_of(system, equation), state.q, -mu[e] * equation.along, about, wrench);
    }
  }
  return wrench;
}

}  // namespace lithe
