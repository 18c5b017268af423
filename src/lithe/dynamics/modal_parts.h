// What makes up the matrices of a model about a state (modal_matrices.h): parts that say where their entries are, and
// add them.
#pragma once

#include <memory>
#include <span>

#include "lithe/dynamics/modal_matrices.h"

namespace lithe {

// Entries over a pattern of the upper triangle, those of the lower one apart until the symmetric part is taken.
class Halves {
 public:
  explicit Halves(const SparsePattern& pattern) : pattern_(pattern), upper_(pattern.nonzeros()), lower_(upper_) {}
  void add(int i, int j, double x);
  void add_symmetric(int i, int j, double x);  // at (i, j) and (j, i)
  // skew: what it leaves away, over the largest entry.
  std::vector<double> symmetric_part(double* skew = nullptr) const;

 private:
  std::size_t place(int i, int j) const;

  const SparsePattern& pattern_;
  std::vector<double> upper_, lower_;
};

// A pattern of the upper triangle from entries in any order; the diagonal is always there.
class PatternMaker {
 public:
  void add(int i, int j);
  SparsePattern pattern(int size);

 private:
  std::vector<std::uint64_t> entries_;  // column, row
};

class ModalPart {
 public:
  virtual ~ModalPart() = default;
  virtual int unknowns() const { return 0; }  // of its own, behind those of the system
  virtual void add_pattern(PatternMaker& to) const = 0;
  virtual void add(Halves& K, Halves& M) const = 0;
  virtual void add_rows(ModalMatrices&) const {}
};

// Of the mapped bodies themselves. force: f_int - f_ext + G^T lambda over all coordinates, without their elastic
// forces.
std::unique_ptr<ModalPart> make_mapped_matrices(const System& system, const State& state,
                                                std::span<const double> force);
// Of springs, loads and rows that meet a mapped body.
std::unique_ptr<ModalPart> make_pulled_stiffness(const System& system, const State& state);

}  // namespace lithe
