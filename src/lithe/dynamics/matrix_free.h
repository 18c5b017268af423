// The matrix of a step as a map, without its entries (docs/theory/krylov.md). With x = [dz, y] of unknowns and
// multipliers, P of the coordinate map and f_e the forces of the elements,
//
//   A dz = P^T (c_q d f_e/dq + c_v d f_e/dv + c_a M) P dz + R dz + (c_g p G^T G dz, augmented),
//   [A s G^T; s G 0] x   with multipliers.
//
// The first term is one evaluation of the forces over dual numbers; it is the exact tangent, damping included. R is
// what no kernel makes (springs, moments, pressure, temperatures, masses without elasticity, curvature of rows): a few
// entries, assembled where there are any. G is the one that was there when the borders were set.
#pragma once

#include <span>
#include <vector>

#include "lithe/dynamics/equations.h"
#include "lithe/linalg/krylov/space.h"

namespace lithe {

// Throws InputError where products with the matrix need what this model or its solver has not.
void require_products(const System& system, const std::string& solver);

class MatrixFree final : public LinearMap {
 public:
  explicit MatrixFree(Equations& model);
  // At `state`, with what LinearSystem::evaluate takes.
  void linearise(const State& state, double c_q, double c_v, double c_a, double c_g, bool stiffness);
  // factor: s, or c_g p.
  void set_rows(const Array& G, double factor);
  void apply(const Array& x, Array& y) override;

  // Where it was linearised: t, q, v, lambda, load factor, slots.
  const State& state() const { return at_; }
  std::span<const double> G() const { return G_; }

 private:
  struct Entry {
    std::int32_t row, column;
    double value;
  };
  void find_others(double c_g, bool stiffness);

  Equations& model_;
  const System& system_;
  State at_;
  double c_q_ = 0, c_v_ = 0, c_a_ = 0, factor_ = 0;
  bool any_others_ = false;
  std::vector<double> values_;               // [nonzero] R over the pattern; empty: there is none
  std::vector<Entry> others_;                // its entries that are not zero
  std::vector<double> direction_, product_;  // [vector][3]
  std::vector<double> from_, to_;            // where vectors live elsewhere
  std::vector<double> G_, rows_;             // [entry], [row]
};

}  // namespace lithe
