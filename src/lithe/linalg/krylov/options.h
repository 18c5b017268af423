// What the user says about Krylov methods (`krylov:` of an analysis). One definition for YAML, Python and C++.
#pragma once

#include <string>

#include "lithe/base/described.h"

namespace lithe {

enum class PreconditionerKind { automatic, none, jacobi, block_jacobi, incomplete, factor, constraint, mass };
template <>
struct Words<PreconditionerKind> {
  static constexpr std::array<const char*, 8> names{"auto",       "none",   "jacobi",     "block_jacobi",
                                                    "incomplete", "factor", "constraint", "mass"};
};
enum class PreconditionerUpdate { adaptive, never, uniform, threshold };
template <>
struct Words<PreconditionerUpdate> {
  static constexpr std::array<const char*, 4> names{"adaptive", "never", "uniform", "threshold"};
};

// Of |b - A x| / |b|. automatic: what Newton can use, from the corrections of the steps before; a direct use of a solver
// has its own. paper: P3, section 3.2.
struct KrylovTolerance {
  enum class Rule { automatic, paper, given } rule = Rule::automatic;
  double value = 0;  // given
  double value_or(double other) const { return rule == Rule::given ? value : other; }
  bool operator==(const KrylovTolerance&) const = default;
};
template <>
struct Custom<KrylovTolerance> {
  static constexpr bool exists = true;
  static constexpr const char* text = "auto, paper or number";
  static constexpr const char* annotation = "float | str";
  static void read(const Value& value, KrylovTolerance& out);
  static Value write(const KrylovTolerance& x);
};

struct KrylovOptions {
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  std::string factor = "auto";  // preconditioner factor: the direct solver
  KrylovTolerance tolerance;
  int iterations = 2000;            // at most in a solve
  int restart = 30;                 // gmres: vectors kept
  PreconditionerUpdate update = PreconditionerUpdate::adaptive;
  int update_every = 500;  // uniform: matrices
  int update_above = 10;   // threshold: iterations of a solve
};
const Schema& schema(const KrylovOptions*);

}  // namespace lithe
