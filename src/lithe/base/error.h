// Three kinds of check: require (user input, throws with a remedy), invariant (always on, a bug of ours), debug_check
// (hot loops, debug builds only). The library never prints and never exits.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lithe {

// Where in the user's input something was said; empty file: built in code.
struct Where {
  std::string file;
  int line = 0;
  std::string path;  // e.g. bodies.net.material
};

// The user's input is wrong: where, value, what is allowed, remedy, all in what().
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const Where& where, const std::string& message);
};

// The run could not go on: time, reason, worst coordinate, suggestion, all in what().
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

void require(bool ok, const std::string& message);
[[noreturn]] void invariant_failed(const char* expression, const char* file, int line);

// " (did you mean 'cable'?)" when a known name is close, else a list of the known names.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace lithe

#define LITHE_INVARIANT(expression) \
  ((expression) ? (void)0 : ::lithe::invariant_failed(#expression, __FILE__, __LINE__))
#ifdef NDEBUG
#define LITHE_DEBUG_CHECK(expression) ((void)0)
#else
#define LITHE_DEBUG_CHECK(expression) LITHE_INVARIANT(expression)
#endif
