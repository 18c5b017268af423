#include "lithe/system/reactions.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/system/elimination.h"

namespace lithe {

namespace {

// What turns or moves with b feels the force `f` on the argument of bearing number `b`.
void bear(const Bearings& bearings, int b, const std::vector<double>& q, const Vec3<double>& f, Wrench& wrench) {
  if (bearings.position[b]) wrench.force = wrench.force + f;
  else wrench.torque = wrench.torque + bearings.sign[b] * cross(bearings.arm.value(b, q), f);
}

bool is_position(const System& system, int vector) {
  const auto after = std::upper_bound(system.bodies.begin(), system.bodies.end(), vector,
                                      [](int v, const BodyInfo& body) { return v < body.first_vector; });
  const BodyInfo& body = *(after - 1);
  return (vector - body.first_vector) % body.node_vectors == 0;
}

// The force `f` on argument number `form`, as a rigid motion of everything feels it: positions turn about a point.
void bear(const System& system, const Forms& forms, int form, const std::vector<double>& q, const Vec3<double>& f,
          const Vec3<double>& about, Wrench& wrench) {
  for (int k = forms.start[form]; k < forms.start[form + 1]; ++k) {
    const std::size_t i = 3ul * forms.vector[k];
    const Vec3<double> force = forms.weight[k] * f;
    Vec3<double> arm{{q[i], q[i + 1], q[i + 2]}};
    if (is_position(system, forms.vector[k])) {
      wrench.force = wrench.force + force;
      arm = arm - about;
    }
    wrench.torque = wrench.torque + cross(arm, force);
  }
}

// function(vector, weight) for the form of an eliminated equation.
template <class Function>
void for_terms(const EliminatedEquations& list, int equation, Function&& function) {
  const Forms& x = list.x;
  const int form = list.form[equation];
  for (int k = x.start[form]; k < x.start[form + 1]; ++k) function(x.vector[k], x.weight[k]);
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
  const EliminatedEquations& list = system.eliminated;
  const int count = list.count();
  struct Use {
    int equation;
    double weight;
  };
  std::vector<std::vector<Use>> at(system.vectors());  // equations of each vector
  for (int e = 0; e < count; ++e) for_terms(list, e, [&](int v, double w) { at[v].push_back({e, w}); });
  // Equations of the owners and, again and again, those that meet them.
  std::vector<char> wanted(count, 0), seen(system.vectors(), 0);
  std::vector<int> queue;
  for (int e = 0; e < count; ++e)
    if (std::find(owners.begin(), owners.end(), list.owner[e]) != owners.end()) {
      wanted[e] = 1;
      queue.push_back(e);
    }
  while (!queue.empty()) {
    const int e = queue.back();
    queue.pop_back();
    for_terms(list, e, [&](int v, double) {
      if (seen[v]) return;
      seen[v] = 1;
      for (const Use& other : at[v])
        if (!wanted[other.equation]) {
          wanted[other.equation] = 1;
          queue.push_back(other.equation);
        }
    });
  }
  std::vector<int> number(count, -1);
  for (int e = 0; e < count; ++e)
    if (wanted[e]) {
      number[e] = static_cast<int>(equations_.size());
      equations_.push_back(e);
    }
  factor_->weight.assign(system.vectors(), 0.0);
  for (int e : equations_)
    for_terms(list, e, [&](int v, double w) {
      double& largest = factor_->weight[v];
      largest = std::max(largest, w * w);
    });
  for (double& x : factor_->weight) x = x > 0 ? 1 / x : 0;
  std::vector<Eigen::Triplet<double>> entries;
  for (int e : equations_)
    for_terms(list, e, [&](int v, double w) {
      for (const Use& other : at[v]) {
        const double value = factor_->weight[v] * w * other.weight * dot(list.along[e], list.along[other.equation]);
        if (value != 0) entries.emplace_back(number[e], number[other.equation], value);
      }
    });
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
  const int owner = list.owner[equations_[factor_->normal.permutationPinv().indices()[worst]]];
  throw InputError(
      where_of(system, owner),
      system.owners[owner].text +
          ": its reaction cannot be told from those of the joints it meets, because they act at almost the "
          "same place of a body that is very far away; check the positions of bodies and points, or ask "
          "for no reactions ('joint' and 'reaction' under 'outputs')");
}

void EliminatedMultipliers::solve(const System& system, const std::vector<double>& left_over,
                                  std::vector<double>& mu) const {
  mu.assign(system.eliminated.count(), 0.0);
  if (equations_.empty()) return;
  Eigen::VectorXd right(static_cast<Eigen::Index>(equations_.size()));
  for (std::size_t i = 0; i < equations_.size(); ++i) {
    const Vec3<double>& along = system.eliminated.along[equations_[i]];
    double sum = 0;
    for_terms(system.eliminated, equations_[i], [&](int v, double w) {
      for (int m = 0; m < 3; ++m) sum += factor_->weight[v] * w * along[m] * left_over[3ul * v + m];
    });
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
  const ConstraintOwner& owner = system.owners[system.joints[joint].owner];
  const ConstraintRows& rows = system.rows;
  Vec3<double> x[largest_argument_count], gradient[largest_argument_count];
  for (int r : owner.rows) {
    rows.parts.values(r, state.q, x);
    part_gradient(rows.parts[r], x, state.slots.values.data(), gradient);
    for (int b = rows.bearings.start[r]; b < rows.bearings.start[r + 1]; ++b)
      bear(rows.bearings, b, state.q, -state.lambda[r] * gradient[rows.bearings.argument[b]], wrench);
  }
  const EliminatedEquations& list = system.eliminated;
  for (int e : owner.eliminated)
    for (int b = list.bearings.start[list.form[e]]; b < list.bearings.start[list.form[e] + 1]; ++b)
      bear(list.bearings, b, state.q, -mu[e] * list.along[e], wrench);
  return wrench;
}

Wrench constraint_reaction(const System& system, const State& state, int constraint, const Vec3<double>& about,
                           const std::vector<double>& mu) {
  Wrench wrench;
  const Parts& parts = system.rows.parts;
  const EliminatedEquations& list = system.eliminated;
  for (const ConstraintOwner& owner : system.owners) {
    if (owner.kind != ConstraintOwner::Kind::constraint || owner.index != constraint) continue;
    for (int r : owner.rows)
      bear(system, parts.arguments, parts.argument_start[r], state.q, -state.lambda[r] * parts.along[r], about, wrench);
    for (int e : owner.eliminated) bear(system, list.x, list.form[e], state.q, -mu[e] * list.along[e], about, wrench);
  }
  return wrench;
}

}  // namespace lithe
