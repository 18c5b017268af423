#include "commands.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lithe/base/error.h"
#include "lithe/io/file_guard.h"
#include "lithe/io/replace_file.h"

namespace lithe::app {

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

std::vector<int> split_numbers(const std::string& option, const std::string& text) {
  std::vector<int> numbers;
  bool doubling = false;
  for (const std::string& part : split_list(text)) {
    if (part == "...") {
      require(!numbers.empty(), option + ": '...' needs a number before it, as in 8,...,8192");
      doubling = true;
      continue;
    }
    int number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    require(error == std::errc() && end == part.data() + part.size() && number > 0 && number <= 10'000'000,
            option + ": '" + part + "' is not a whole number from 1 to 10000000; give a list such as 8,64,512 or " +
                "8,...,8192");
    if (doubling)
      for (long next = 2l * numbers.back(); next < number; next *= 2) numbers.push_back(int(next));
    doubling = false;
    numbers.push_back(number);
  }
  require(!doubling, option + ": '...' needs a number after it, as in 8,...,8192");
  return numbers;
}

void check_figures(const std::string& file) {
  if (file.empty()) return;
  const PlannedFile planned{file, FileKind::figures, "--json " + file};
  check_place(planned, false, "");
  check_folder(planned);
}

void write_json(const std::string& file, const nlohmann::json& json) {
  replace_file(file, json.dump(1) + "\n", "the report");
  fmt::print("figures   {}\n", file);
}

}  // namespace lithe::app
