#include "lithe/linalg/krylov/preconditioner.h"

#include <algorithm>

#include "lithe/base/error.h"
#include "lithe/linalg/choose_solver.h"

namespace lithe {

namespace {

// In the order of KrylovMethod.
constexpr std::string_view method_names[] = {"cg", "minres", "projected_minres", "gmres", "bicgstab", "bicgstab2"};

// A direct solver's factors, of this matrix or of an earlier one.
class FactorPreconditioner final : public Preconditioner {
 public:
  FactorPreconditioner(const PreconditionerCase& of, const SparsePattern& stored) {
    SolverOptions options{.kind = of.kind};
    std::string name = of.options.factor;
    if (name == "auto") {
      const SolverChoice choice = choose_linear_solver(stored, of.kind);
      name = choice.name;
      options.ordering = choice.ordering;
    }
    solver_ = make_linear_solver(name, options);
    solver_->analyse(stored);
  }
  FactorReport make(const RowMatrix&, const std::vector<double>& stored) override { return solver_->factor(stored); }
  void apply(std::span<const double> r, std::span<double> z, bool transposed) override {
    b_.assign(r.begin(), r.end());
    // What comes out is what there is: the residual of the iteration judges it.
    (void)solver_->solve(
        b_, x_,
        {.operation = transposed ? SolveRequest::Operation::transposed : SolveRequest::Operation::plain,
         .iterations = 0});
    std::copy(x_.begin(), x_.end(), z.begin());
  }
  double nonzeros() const override { return std::max(0.0, solver_->factor_nonzeros()) * 2; }
  double flops() const override { return std::max(0.0, solver_->factor_flops()); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  std::vector<double> b_, x_;
};

[[noreturn]] void refuse(const std::string& why) { throw InputError(Where{"", 0, "analysis.krylov"}, why); }

}  // namespace

KrylovMethod krylov_method(const std::string& solver) {
  const auto found = std::ranges::find(method_names, solver);
  LITHE_INVARIANT(found != std::end(method_names));
  return static_cast<KrylovMethod>(found - std::begin(method_names));
}

PreconditionerKind preconditioner_for(const PreconditionerCase& of) {
  using enum PreconditionerKind;
  if (of.options.preconditioner != automatic) return of.options.preconditioner;
  if (of.multipliers > 0) return constraint;
  return of.method == KrylovMethod::cg || of.symmetric() ? block_jacobi : incomplete;
}

void require_preconditioner(const PreconditionerCase& of) {
  using enum PreconditionerKind;
  const PreconditionerKind kind = preconditioner_for(of);
  const std::string name = word(kind);
  if (of.method == KrylovMethod::cg && of.multipliers > 0 && kind != constraint)
    refuse(
        "cg is for positive definite matrices, which that of this model is among what satisfies the constraints alone; "
        "use 'constraint' rather than '" +
        name + "' as its preconditioner, or gmres, or 'treatment: augmented'");
  if (kind == constraint && of.multipliers == 0)
    refuse(
        "preconditioner 'constraint' is for matrices with multipliers, but that of this model has none; use "
        "'block_jacobi', or 'treatment: lagrange' for a model with constraints");
  if (of.method == KrylovMethod::projected_minres && (kind == incomplete || kind == factor))
    refuse("projected_minres needs a preconditioner that contains the constraints as they are, which '" + name +
           "' does not; use 'constraint', or gmres");
  if (kind == mass && of.multipliers > 0)
    refuse("preconditioner 'mass' knows no multipliers, which this model has; use 'constraint'");
  if (kind == mass && !of.symmetric())
    refuse("preconditioner 'mass' is for symmetric matrices, and that of this model is not; use 'incomplete'");
  if (kind == spike && (of.positive() || of.method == KrylovMethod::projected_minres))
    refuse(std::string(method_names[static_cast<int>(of.method)]) +
           " needs a symmetric preconditioner, which 'spike' is not: what it leaves out is not symmetric; use 'gmres', "
           "'bicgstab' or 'bicgstab2'");
  const bool indefinite = of.kind == MatrixKind::symmetric_indefinite;
  if (of.method == KrylovMethod::minres && indefinite && (kind == incomplete || kind == factor))
    refuse("minres needs a positive definite preconditioner, but '" + name + "' of this model's matrix is " +
           to_string(of.kind) + "; use 'constraint', 'block_jacobi' or 'jacobi', or gmres");
  if (kind == factor && of.options.factor != "auto") {
    const SolverInfo& info = find_linear_solver(of.options.factor);
    if (info.iterative)
      refuse("'factor: " + info.name + "' is an iterative solver; name a direct one, such as cholmod");
    if (std::ranges::find(info.kinds, of.kind) == info.kinds.end() || (of.multipliers > 0 && !info.zero_diagonal))
      refuse("'factor: " + info.name + "' is not for matrices that are " + to_string(of.kind) + "; use 'factor: auto'");
  }
}

std::unique_ptr<Preconditioner> make_preconditioner(const PreconditionerCase& of, const SparsePattern& stored,
                                                    const RowMatrix& a) {
  using enum PreconditionerKind;
  const PreconditionerKind kind = preconditioner_for(of);
  if (of.method == KrylovMethod::projected_minres && of.multipliers > 0) return make_constraint(of, a);
  switch (kind) {
    case jacobi:
      return make_block_jacobi(of, a, false);
    case block_jacobi:
      return make_block_jacobi(of, a, true);
    case incomplete:
      return make_incomplete(of, a);
    case factor:
      return std::make_unique<FactorPreconditioner>(of, stored);
    case constraint:
      return make_constraint(of, a);
    case mass:
      return make_mass(of, stored);
    case spike:
      return make_spike(of);
    case automatic:
    case none:
      break;
  }
  return nullptr;
}

}  // namespace lithe
