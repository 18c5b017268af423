// mass: P = M, factored once for the whole run, by parts that nothing couples (part_factors.h). Where steps are short
// the matrix is c_a M with a small change: Krylov methods do not see the factor c_a.
#include "lithe/base/error.h"
#include "lithe/linalg/krylov/preconditioner.h"
#include "lithe/linalg/part_factors.h"

namespace lithe {

namespace {

class MassPreconditioner final : public Preconditioner {
 public:
  MassPreconditioner(const PreconditionerCase& of, const SparsePattern& stored) : of_(of), stored_(stored) {}

  FactorReport make(const RowMatrix&, const std::vector<double>&) override {
    if (!factors_) factors_ = std::make_unique<PartFactors>(stored_, *of_.mass);
    return factors_->report();
  }
  void apply(std::span<const double> r, std::span<double> z, bool) override { factors_->solve(r, z); }
  double nonzeros() const override { return factors_ ? 2 * factors_->nonzeros() : 0; }
  double flops() const override { return factors_ ? factors_->flops() : 0; }

 private:
  const PreconditionerCase of_;
  const SparsePattern stored_;
  std::unique_ptr<PartFactors> factors_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_mass(const PreconditionerCase& of, const SparsePattern& stored) {
  if (!of.mass)
    throw InputError(
        Where{"", 0, "analysis.krylov"},
        "preconditioner 'mass' is for the motion of models, whose mass matrix it takes; use 'block_jacobi'");
  return std::make_unique<MassPreconditioner>(of, stored);
}

}  // namespace lithe
