#include "lithe/linalg/linear_solver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "lithe/base/error.h"

namespace lithe {

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

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name) {
  if (name == "cholmod") return make_cholmod(true);
  if (name == "cholmod_ldl") return make_cholmod(false);
  if (name == "umfpack") return make_umfpack();
  throw InputError("linear solver '" + name + "' is not known" +
                   suggestion(name, {"cholmod", "cholmod_ldl", "umfpack"}));
}

namespace {

// Present when the BLAS that SuiteSparse found at run time is OpenBLAS (on Debian an alternative, so not known when
// this was compiled).
struct OpenBlas {
  void (*set)(int) = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  int (*get)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
};

const OpenBlas& open_blas() {
  static const OpenBlas functions;
  return functions;
}

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const auto& blas = open_blas();
  if (!blas.set || !blas.get) return;
  before_ = blas.get();
  if (before_ != 1) blas.set(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (before_ > 1) open_blas().set(before_);
}

}  // namespace lithe
