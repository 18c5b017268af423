// What the user says about Krylov methods (`krylov:` of an analysis). One definition for YAML, Python and C++.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "lithe/base/described.h"

namespace lithe {

enum class PreconditionerKind { automatic, none, jacobi, block_jacobi, incomplete, factor, constraint, mass, spike };
template <>
struct Words<PreconditionerKind> {
  static constexpr std::array<const char*, 9> names{"auto",   "none",       "jacobi", "block_jacobi", "incomplete",
                                                    "factor", "constraint", "mass",   "spike"};
};
enum class KrylovOperator { assembled, matrix_free };
template <>
struct Words<KrylovOperator> {
  static constexpr std::array<const char*, 2> names{"assembled", "matrix_free"};
};
enum class PreconditionerUpdate { adaptive, never, uniform, threshold };
template <>
struct Words<PreconditionerUpdate> {
  static constexpr std::array<const char*, 4> names{"adaptive", "never", "uniform", "threshold"};
};
enum class SpikePrecision { single, full };
template <>
struct Words<SpikePrecision> {
  static constexpr std::array<const char*, 2> names{"single", "double"};
};
enum class SpikeOrdering { rcm, spectral };
template <>
struct Words<SpikeOrdering> {
  static constexpr std::array<const char*, 2> names{"rcm", "spectral"};
};
enum class SpikeMatching { product, cardinality, none };
template <>
struct Words<SpikeMatching> {
  static constexpr std::array<const char*, 3> names{"product", "cardinality", "none"};
};

// Of |b - A x| / |b|. automatic: what Newton can use, from the corrections of the steps before; a direct use of a
// solver has its own. paper: P3, section 3.2.
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

// A number, or auto: chosen from counts, as the documentation of the option says.
template <class T>
struct OrAuto {
  std::optional<T> given;  // none: auto
  OrAuto(std::optional<T> said = {}) : given(said) {}
  OrAuto(T said) : given(said) {}
  T value_or(T other) const { return given.value_or(other); }
  bool operator==(const OrAuto&) const = default;
};
template <class T>
struct Custom<OrAuto<T>> {
  static constexpr bool exists = true;
  static constexpr const char* text = "auto or number";
  static constexpr const char* annotation = std::is_same_v<T, int> ? "int | str" : "float | str";
  static void read(const Value& value, OrAuto<T>& out);
  static Value write(const OrAuto<T>& x);
};

struct KrylovOptions {
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  std::string factor = "auto";                         // preconditioner factor: the direct solver
  KrylovOperator product = KrylovOperator::assembled;  // `operator`
  KrylovTolerance tolerance;
  int iterations = 2000;  // at most in a solve
  int restart = 30;       // gmres: vectors kept
  PreconditionerUpdate update = PreconditionerUpdate::adaptive;
  int update_every = 500;  // uniform: matrices
  int update_above = 10;   // threshold: iterations of a solve
  // preconditioner spike
  SpikePrecision precision = SpikePrecision::single;
  OrAuto<int> partitions = {};
  OrAuto<double> keep = {};  // share of the sum of magnitudes that the band holds
  bool truncate = true;      // cuts do not see each other
  bool second_stage = true;  // each partition has an order of its own
  SpikeOrdering ordering = SpikeOrdering::rcm;
  SpikeMatching matching = SpikeMatching::product;
  bool operator==(const KrylovOptions&) const = default;
};
const Schema& schema(const KrylovOptions*);

}  // namespace lithe
