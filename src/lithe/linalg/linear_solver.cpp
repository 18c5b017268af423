#include "lithe/linalg/linear_solver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>

#include "lithe/base/error.h"
#include "lithe/linalg/backends.h"

namespace lithe {

const char* to_string(MatrixKind kind) {
  switch (kind) {
    case MatrixKind::positive_definite:
      return "positive definite";
    case MatrixKind::symmetric_indefinite:
      return "symmetric indefinite";
    case MatrixKind::unsymmetric:
      return "unsymmetric";
  }
  return "";
}

std::string FactorReport::text() const {
  const std::string at = column >= 0 ? fmt::format(" at column {}", column) : "";
  switch (reason) {
    case Reason::done:
      return "factorised";
    case Reason::not_positive_definite:
      return "the matrix is not positive definite" + at;
    case Reason::singular:
      return fmt::format("the matrix is singular{} (pivot {:.1e} of its column)", at, smallest_pivot);
    case Reason::not_finite:
      return "the matrix contains a number that is not finite" + at;
    case Reason::out_of_memory:
      return "the factorisation ran out of memory";
    case Reason::failed:
      return "the factorisation failed";
  }
  return "";
}

void SolveReport::join(const SolveReport& column) {
  reason = std::max(reason, column.reason);
  backward_error = std::max(backward_error, column.backward_error);
  iterations = std::max(iterations, column.iterations);
  products += column.products;
  first_residual = std::max(first_residual, column.first_residual);
  last_residual = std::max(last_residual, column.last_residual);
}

const char* SolveReport::text() const {
  switch (reason) {
    case Reason::done:
      return "solved";
    case Reason::inaccurate:
      return "the solution is inaccurate";
    case Reason::not_converged:
      return "the iterations were used up";
    case Reason::stagnated:
      return "the iterations gained nothing any more";
    case Reason::breakdown:
      return "the iteration broke down";
    case Reason::not_finite:
      return "the solution contains a number that is not finite";
  }
  return "";
}

SolveReport LinearSolver::solve(const std::vector<double>& b, std::vector<double>& x, const SolveRequest& request) {
  LITHE_INVARIANT(request.columns >= 0 && b.size() % std::max(1, request.columns) == 0);
  if (request.half() && !find_linear_solver(name()).halves) {
    std::string names;
    for (const SolverInfo& info : linear_solvers())
      if (info.halves) names += (names.empty() ? "" : ", ") + info.name;
    throw RunError(std::string("linear solver '") + name() + "' has no half solves: it makes no L L^T; use " + names);
  }
  if (request.columns == 0) {
    x.clear();
    return {};
  }
  return solve_columns(b, x, request);
}

const std::vector<SolverInfo>& linear_solvers() {
  using enum MatrixKind;
  using enum Ordering;
  static const std::vector<SolverInfo> list{
      {"lapack_cholesky",
       {positive_definite},
       {automatic, natural},
       false,
       true,
       "dense LLt (dpotrf): small or full matrices",
       make_lapack},
      {"lapack_ldl",
       {positive_definite, symmetric_indefinite},
       {automatic, natural},
       true,
       false,
       "dense LDLt with symmetric pivoting (dsytrf): small or full matrices, counts negative pivots",
       make_lapack},
      {"lapack_lu",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic, natural},
       true,
       false,
       "dense LU with row pivoting (dgetrf): small or full matrices",
       make_lapack},
      {"cholmod",
       {positive_definite},
       {automatic, natural, amd, colamd, metis},
       false,
       true,
       "LLt, supernodal where that pays",
       make_cholmod},
      {"cholmod_simplicial",
       {positive_definite},
       {automatic, natural, amd, colamd, metis},
       false,
       true,
       "LLt column by column: little fill, small matrices",
       make_cholmod},
      {"cholmod_supernodal",
       {positive_definite},
       {automatic, natural, amd, colamd, metis},
       false,
       true,
       "LLt on dense blocks with BLAS: much fill, large matrices",
       make_cholmod},
      {"cholmod_ldl",
       {positive_definite, symmetric_indefinite},
       {automatic, natural, amd, colamd, metis},
       false,
       false,
       "LDLt without pivoting: counts negative pivots, measures its error at each solve",
       make_cholmod},
      {"components",
       {positive_definite, symmetric_indefinite},
       {automatic, natural},
       true,
       true,
       "band LLt of many small components side by side, those of one shape at once: forests; multipliers, but no other "
       "indefinite matrix",
       make_components,
       false,
       true},
#ifdef LITHE_WITH_MUMPS
      {"mumps",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic, natural, amd, metis, amf, scotch},
       true,
       false,
       "multifrontal LLt, LDLt with pivoting or LU, by the kind of matrix",
       make_mumps},
#endif
      {"klu",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic, natural, amd, colamd, metis},
       true,
       false,
       "LU for very sparse matrices; keeps its pivot order while that stays accurate",
       make_klu},
#ifdef LITHE_WITH_UMFPACK
      {"umfpack",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic, natural, amd, colamd, metis},
       true,
       false,
       "multifrontal LU with refinement in each solve",
       make_umfpack},
#endif
#ifdef LITHE_WITH_SUPERLU
      {"superlu",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic, natural, amd, colamd, metis, mmd, mmd_ata},
       true,
       false,
       "supernodal LU; keeps its row order while the pivots stay large",
       make_superlu},
#endif
      {"eigen_sparselu",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic, natural, amd, colamd, metis},
       true,
       false,
       "Eigen's supernodal LU, analysed once: the baseline of comparisons",
       make_eigen_sparselu},
      {"cg",
       {positive_definite, symmetric_indefinite},
       {automatic},
       true,
       false,
       "conjugate gradients, preconditioned; saddle points among what satisfies the constraints, with the constraint "
       "preconditioner",
       make_krylov,
       true,
       true},
      {"minres",
       {positive_definite, symmetric_indefinite},
       {automatic},
       true,
       false,
       "smallest residual, preconditioned: symmetric matrices, definite or not",
       make_krylov,
       true},
      {"projected_minres",
       {positive_definite, symmetric_indefinite},
       {automatic},
       true,
       false,
       "minres among what satisfies the constraints: saddle points, with the constraint preconditioner",
       make_krylov,
       true},
      {"gmres",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic},
       true,
       false,
       "smallest residual with restarts, preconditioned: any matrix",
       make_krylov,
       true},
      {"bicgstab",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic},
       true,
       false,
       "stabilised bi-conjugate gradients, preconditioned: any matrix, few vectors",
       make_krylov,
       true},
      {"bicgstab2",
       {positive_definite, symmetric_indefinite, unsymmetric},
       {automatic},
       true,
       false,
       "the same, stabilised over two directions at once (P3)",
       make_krylov,
       true},
  };
  return list;
}

const std::vector<AbsentSolver>& absent_linear_solvers() {
  static const std::vector<AbsentSolver> list{
#ifndef LITHE_WITH_MUMPS
      {"mumps", "configure with -DLITHE_WITH_MUMPS=ON (Debian: libmumps-seq-dev)"},
#endif
#ifndef LITHE_WITH_UMFPACK
      {"umfpack", "configure with -DLITHE_WITH_UMFPACK=ON (Debian: libsuitesparse-dev)"},
#endif
#ifndef LITHE_WITH_SUPERLU
      {"superlu", "configure with -DLITHE_WITH_SUPERLU=ON (Debian: libsuperlu-dev)"},
#endif
  };
  return list;
}

bool has_linear_solver(const std::string& name) {
  return std::ranges::find(linear_solvers(), name, &SolverInfo::name) != linear_solvers().end();
}

const SolverInfo& find_linear_solver(const std::string& name) {
  for (const AbsentSolver& absent : absent_linear_solvers())
    if (absent.name == name)
      throw InputError("this build has no linear solver '" + name + "'; " + absent.remedy + ", or use 'auto'");
  std::vector<std::string> names;
  for (const SolverInfo& info : linear_solvers()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw InputError("linear solver '" + name + "' is not known" + suggestion(name, names));
}

namespace {

std::string listed(const auto& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.emplace_back(to_string(one));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void require_ordering(const SolverInfo& info, Ordering ordering) {
  if (std::ranges::find(info.orderings, ordering) == info.orderings.end())
    throw InputError(fmt::format("linear solver '{}' has no ordering '{}' (it has: {})", info.name, to_string(ordering),
                                 listed(info.orderings)));
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, const SolverOptions& options) {
  const SolverInfo& info = find_linear_solver(name);
  if (options.kind && std::ranges::find(info.kinds, *options.kind) == info.kinds.end())
    throw InputError(fmt::format("linear solver '{}' takes no {} matrices (it takes: {})", name,
                                 to_string(*options.kind), listed(info.kinds)));
  require_ordering(info, options.ordering);
  return info.make(info, options);
}

MatrixKind kind_of(const SolverInfo& info, const SolverOptions& options, const SparsePattern& pattern) {
  const bool general = info.kinds.back() == MatrixKind::unsymmetric;
  if (options.kind) {
    require(pattern.symmetric || general,
            info.name + " takes symmetric matrices, upper triangle stored; use klu or umfpack");
    return *options.kind;
  }
  if (!pattern.symmetric) {
    require(general, info.name + " takes symmetric matrices; use klu or umfpack");
    return MatrixKind::unsymmetric;
  }
  return std::min(info.kinds.back(), MatrixKind::symmetric_indefinite);
}

namespace {

// Present when the BLAS that SuiteSparse found at run time is OpenBLAS (on Debian an alternative, so not known when
// this was compiled).
struct OpenBlas {
  void (*set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  int (*get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  std::mutex mutex;
  int alive = 0;   // SingleThreadedBlas objects
  int before = 0;  // threads to restore
};

OpenBlas& open_blas() {
  static OpenBlas functions;
  return functions;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  OpenBlas& blas = open_blas();
  if (!blas.set || !blas.get) return;
  const std::lock_guard lock(blas.mutex);
  if (blas.alive++ > 0) return;
  blas.before = blas.get();
  if (blas.before != 1) blas.set(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  OpenBlas& blas = open_blas();
  if (!blas.set || !blas.get) return;
  const std::lock_guard lock(blas.mutex);
  if (--blas.alive == 0 && blas.before > 1) blas.set(blas.before);
}

}  // namespace lithe
