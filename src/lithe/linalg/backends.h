// What linear_solver.cpp registers, one function per file. For the registry alone.
#pragma once

#include "lithe/linalg/linear_solver.h"

namespace lithe {

std::unique_ptr<LinearSolver> make_lapack(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_cholmod(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_components(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_klu(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_umfpack(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_superlu(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_mumps(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_eigen_sparselu(const SolverInfo& info, const SolverOptions& options);
std::unique_ptr<LinearSolver> make_krylov(const SolverInfo& info, const SolverOptions& options);

}  // namespace lithe
