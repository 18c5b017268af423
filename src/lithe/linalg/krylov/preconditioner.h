// Preconditioners of the Krylov methods: fixed linear maps z = P^-1 r, made of the values of one matrix and kept for
// those that follow it. [A G^T; G 0] has `multipliers` rows and columns at its end; without them it is A alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lithe/linalg/krylov/method.h"
#include "lithe/linalg/krylov/options.h"
#include "lithe/linalg/krylov/row_matrix.h"
#include "lithe/linalg/linear_solver.h"

namespace lithe {

class Team;

// Of which matrix, and for which method.
struct PreconditionerCase {
  KrylovMethod method = KrylovMethod::gmres;
  MatrixKind kind = MatrixKind::unsymmetric;
  int multipliers = 0;
  KrylovOptions options = {};
  const std::vector<double>* mass = nullptr;  // SolverOptions
  Team* team = nullptr;
  // cg and minres need one that is symmetric and positive definite; so does projected_minres where it has no rows, and
  // cg that has some projects, too.
  bool positive() const {
    return method == KrylovMethod::minres ||
           ((method == KrylovMethod::cg || method == KrylovMethod::projected_minres) && multipliers == 0);
  }
  bool symmetric() const { return kind != MatrixKind::unsymmetric; }
};

// Of a solver of the registry that is iterative.
KrylovMethod krylov_method(const std::string& solver);
// What `auto` stands for.
PreconditionerKind preconditioner_for(const PreconditionerCase& of);
// Throws InputError where the method cannot use the preconditioner of the options, and says why.
void require_preconditioner(const PreconditionerCase& of);

// What a preconditioner tells of its last set-up: counts, and seconds by a name that ends with _s.
struct PreconditionerFigure {
  const char* name;
  double value;
};

class Preconditioner {
 public:
  virtual ~Preconditioner() = default;
  // `stored` for those that hand the matrix on.
  virtual FactorReport make(const RowMatrix& a, const std::vector<double>& stored) = 0;
  // r and z may be the same. Transposed: P^-T.
  virtual void apply(std::span<const double> r, std::span<double> z, bool transposed) = 0;
  virtual double nonzeros() const = 0;  // numbers read in apply()
  virtual double flops() const = 0;     // of make()
  virtual std::vector<PreconditionerFigure> figures() const { return {}; }
};

// Null: the identity.
std::unique_ptr<Preconditioner> make_preconditioner(const PreconditionerCase& of, const SparsePattern& stored,
                                                    const RowMatrix& a);

// The kinds, a file each.
std::unique_ptr<Preconditioner> make_block_jacobi(const PreconditionerCase& of, const RowMatrix& a, bool blocks);
std::unique_ptr<Preconditioner> make_incomplete(const PreconditionerCase& of, const RowMatrix& a);
std::unique_ptr<Preconditioner> make_constraint(const PreconditionerCase& of, const RowMatrix& a);
std::unique_ptr<Preconditioner> make_mass(const PreconditionerCase& of, const SparsePattern& stored);
std::unique_ptr<Preconditioner> make_spike(const PreconditionerCase& of);

}  // namespace lithe
