// What the user says about Krylov methods (`krylov:` of an analysis). One definition for YAML, Python and C++.
#pragma once

#include <optional>
#include <string>

#include "lithe/base/described.h"

namespace lithe {

enum class PreconditionerKind { automatic, none, jacobi, block_jacobi, incomplete, factor, constraint };
template <>
struct Words<PreconditionerKind> {
  static constexpr std::array<const char*, 7> names{"auto",       "none",   "jacobi",    "block_jacobi",
                                                    "incomplete", "factor", "constraint"};
};
enum class PreconditionerUpdate { adaptive, never, uniform, threshold };
template <>
struct Words<PreconditionerUpdate> {
  static constexpr std::array<const char*, 4> names{"adaptive", "never", "uniform", "threshold"};
};

struct KrylovOptions {
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  std::string factor = "auto";      // preconditioner factor: the direct solver
  std::optional<double> tolerance;  // of |b - A x| / |b|
  int iterations = 2000;            // at most in a solve
  int restart = 30;                 // gmres: vectors kept
  PreconditionerUpdate update = PreconditionerUpdate::adaptive;
  int update_every = 500;  // uniform: matrices
  int update_above = 10;   // threshold: iterations of a solve
};
const Schema& schema(const KrylovOptions*);

}  // namespace lithe
