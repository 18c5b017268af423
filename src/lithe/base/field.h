// What is said of one field of a struct: help, unit, what it may be.
#pragma once

#include <string>
#include <vector>

namespace lithe {

struct Allowed {
  bool (*holds)(double) = nullptr;
  const char* text = "";
};
inline constexpr Allowed anything{};
inline constexpr Allowed positive{[](double x) { return x > 0; }, "greater than 0"};
inline constexpr Allowed not_negative{[](double x) { return x >= 0; }, "0 or more"};
inline constexpr Allowed poisson_ratio{[](double x) { return x > -1 && x < 0.5; }, "between -1 and 0.5 (exclusive)"};
inline constexpr Allowed thread_count{[](double x) { return x >= 0 && x <= 1024; }, "0 (all cores) to 1024"};
inline constexpr Allowed fraction{[](double x) { return x > 0 && x < 1; }, "between 0 and 1 (exclusive)"};

struct Field {
  const char* help = "";
  const char* unit = "";
  bool required = false;
  Allowed allowed = anything;
  // Magnitudes outside [usual_low, usual_high] are probably in other units: a warning, not an error.
  double usual_low = 0, usual_high = 0;
};

// What reading noticed beside errors.
struct Reading {
  std::vector<std::string> warnings;
};

}  // namespace lithe
