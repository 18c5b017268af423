// Texts of files that are damaged at random: the same seed, the same damage.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lithe {

class TextMutator {
 public:
  // `words` and `lines` are what is put into the texts.
  TextMutator(std::vector<std::string> texts, std::vector<std::string> words, std::vector<std::string> lines)
      : texts_(std::move(texts)), words_(std::move(words)), lines_(std::move(lines)) {}

  std::string make(std::uint64_t seed) {
    random_.seed(seed);
    std::string text = texts_[pick(texts_.size())];
    for (std::size_t k = 0, times = 1 + pick(pick(4) == 0 ? 8 : 2); k < times; ++k) damage(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  // A line with its end: begin and length.
  std::pair<std::size_t, std::size_t> line(const std::string& text) {
    const std::size_t at = pick(text.size()), before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1, end = text.find('\n', begin);
    return {begin, (end == std::string::npos ? text.size() : end + 1) - begin};
  }
  std::pair<std::size_t, std::size_t> word(const std::string& text) {
    const auto blank = [](char c) { return c == ' ' || c == '\n' || c == ',' || c == '='; };
    std::size_t begin = pick(text.size());
    while (begin > 0 && !blank(text[begin - 1])) --begin;
    std::size_t end = begin;
    while (end < text.size() && !blank(text[end])) ++end;
    return {begin, end - begin};
  }
  void damage(std::string& text) {
    if (text.empty()) return;
    const auto [at, length] = pick(2) == 0 ? line(text) : word(text);
    const std::string piece = text.substr(at, length);
    switch (pick(10)) {
      case 0:
        text.resize(pick(text.size()));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, piece);
        break;
      case 3:
        text[pick(text.size())] = static_cast<char>(pick(256));
        break;
      case 4:
        text.erase(pick(text.size()), 1 + pick(40));
        break;
      case 5: {  // exchanged with another word or line
        const auto [other, size] = length > 0 && piece.back() == '\n' ? line(text) : word(text);
        const std::string second = text.substr(other, size);
        if (other >= at + length) text.replace(other, size, piece), text.replace(at, length, second);
        break;
      }
      case 6:
        text.insert(line(text).first, lines_[pick(lines_.size())]);
        break;
      case 7: {  // a piece of another file
        const std::string& other = texts_[pick(texts_.size())];
        text.insert(line(text).first, other.substr(pick(other.size()), pick(200)));
        break;
      }
      default: {
        const auto [begin, size] = word(text);
        text.replace(begin, size, words_[pick(words_.size())]);
      }
    }
  }

  std::vector<std::string> texts_, words_, lines_;
  std::mt19937_64 random_;
};

}  // namespace lithe
