#include "lithe/io/runner.h"

namespace lithe {

// An alternative of Analysis without a runner_of() does not compile here.
std::unique_ptr<Runner> make_runner(const Analysis& analysis) {
  return std::visit([](const auto& options) { return runner_of(options); }, analysis);
}

}  // namespace lithe
