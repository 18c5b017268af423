#include "lithe/elements/strategies/strategies.h"

#include <vector>

#include "lithe/base/error.h"
#include "lithe/elements/strategies/batched.h"
#include "lithe/elements/strategies/c.h"
#include "lithe/elements/strategies/d.h"
#include "lithe/elements/strategies/e.h"
#include "lithe/elements/strategies/finite_difference.h"
#include "lithe/elements/strategies/g.h"
#include "lithe/elements/strategies/l.h"

namespace lithe {

std::span<const Strategy> strategies() {
  static constexpr Strategy list[] = {
      {"batched", "several elements side by side in SIMD registers; the default", make_batched_kernel},
      {"C", "one quadrature point after another", make_c_kernel},
      {"D", "all quadrature points of an element at once, as products of matrices", make_d_kernel},
      {"E", "as D, keeping the force's intermediates for the tangent", make_e_kernel},
      {"G", "pre-integrated, one matrix per block of the stiffness; cost independent of points and layers",
       make_g_kernel},
      {"L", "pre-integrated, as one large matrix; cost independent of points and layers", make_l_kernel},
      {"finite_difference", "force as C, tangent by central differences; for comparison",
       make_finite_difference_kernel},
  };
  return list;
}

std::unique_ptr<BatchKernel> make_continuum_kernel(const ContinuumBatch& batch, const std::string& strategy,
                                                   TangentForm form) {
  if (batch.formulation == Formulation::section) {
    require(strategy == "batched", "strategy '" + strategy + "' is for formulation 'continuum'");
    return batch.kind->section_form->make_kernel(batch, form);
  }
  std::vector<std::string> known;
  for (const Strategy& candidate : strategies()) {
    if (strategy == candidate.name) return candidate.make(batch, form);
    known.push_back(candidate.name);
  }
  throw InputError("strategy '" + strategy + "' is not known" + suggestion(strategy, known));
}

}  // namespace lithe
