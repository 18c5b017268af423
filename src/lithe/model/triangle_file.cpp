// Surfaces of triangles from files.
//
//   STL, text     solid NAME { facet normal n { outer loop { vertex x y z } x 3 endloop } endfacet } endsolid NAME
//   STL, binary   80 bytes of any content, number of triangles (32 bits), for each normal and corners (12 floats of 32
//                 bits) and 2 bytes; little-endian
//   OBJ           v x y z; f with three or more corners, each i, i/texture, i//normal or i/texture/normal, counted from
//   1
//                 or, negative, from the last one; what has to do with colour, groups, lines and points is skipped
//
// Sides are as corners run; normals of the file do not count. Corners with the same coordinates are one.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>

#include "lithe/model/mesh_file_text.h"
#include "lithe/model/triangle_surface.h"

namespace lithe {

namespace {

// Coordinates stay below this, so that moments of the fifth power do not overflow.
constexpr double largest_coordinate = 1e30;
// A triangle is flat where it is thinner than this share of its longest edge: rounding then says where it looks.
constexpr double thinnest = 1e-10;

// Words of a text, line by line; what follows # is a comment, a line that ends with \ goes on in the next one.
class Lines {
 public:
  Lines(std::string_view text, bool joined) : text_(text), joined_(joined) {}

  // The words of the next line that has any; false: there is none.
  bool next(std::vector<std::string_view>& words) {
    words.clear();
    while (words.empty() && at_ < text_.size()) {
      bool more = true;
      number = next_ + 1;
      while (more && at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = end + 1;
        ++next_;
        if (joined_) line = line.substr(0, line.find('#'));
        line = trimmed(line);
        more = joined_ && line.ends_with('\\');
        if (more) line.remove_suffix(1);
        split(line, words);
      }
    }
    return !words.empty();
  }
  int number = 0;  // of the line

 private:
  static void split(std::string_view line, std::vector<std::string_view>& words) {
    constexpr std::string_view blank = " \t\r\f\v";
    for (std::size_t begin = line.find_first_not_of(blank); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(blank, begin), line.size());
      words.push_back(line.substr(begin, end - begin));
      begin = line.find_first_not_of(blank, end);
    }
  }

  std::string_view text_;
  bool joined_;
  std::size_t at_ = 0;
  int next_ = 0;
};

// Corners as a file gives them, and which triangles they make.
class Reader {
 public:
  explicit Reader(TriangleSurface& surface) : surface_(surface) {}

  void read_stl_text(std::string_view text) {
    Lines lines(text, false);
    std::vector<std::string_view> words;
    const auto expect = [&](const char* what, std::size_t least, std::initializer_list<const char*> said) {
      if (!lines.next(words))
        fail(lines.number, std::string("the file ends where '") + what + "' is expected; save it again");
      bool same = words.size() >= least;
      std::size_t i = 0;
      for (const char* word : said) {
        same = same && i < words.size() && upper(words[i]) == word;
        ++i;
      }
      if (!same)
        fail(lines.number, std::string("'") + what + "' is expected, but the line begins with " + in_quotes(words[0]) +
                               (words.size() > 1 ? " " + in_quotes(words[1]) : "") + "; save the file again");
    };
    bool inside = false;
    while (lines.next(words)) {
      const std::string word = upper(words[0]);
      if (!inside && word == "SOLID") {
        inside = true;
      } else if (inside && word == "ENDSOLID") {
        inside = false;
      } else if (inside && word == "FACET") {
        const int line = lines.number;
        expect("outer loop", 2, {"OUTER", "LOOP"});
        const int first = static_cast<int>(corners_.size());
        for (int k = 0; k < 3; ++k) {
          expect("vertex x y z", 4, {"VERTEX"});
          corners_.push_back(corner(words, lines.number));
        }
        expect("endloop", 1, {"ENDLOOP"});
        expect("endfacet", 1, {"ENDFACET"});
        add({first, first + 1, first + 2}, line);
      } else {
        fail(lines.number, std::string("'") + (inside ? "facet' or 'endsolid" : "solid") +
                               "' is expected, but the line begins with " + in_quotes(words[0]) +
                               "; save the file again");
      }
    }
    if (inside) fail(lines.number, "the file ends without 'endsolid': it was cut short; save it again");
  }

  void read_stl_binary(std::string_view bytes) {
    const std::uint32_t count = stl_count(bytes);
    surface_.binary = true;
    corners_.reserve(3ul * count);
    for (std::uint32_t t = 0; t < count; ++t) {
      const char* at = bytes.data() + 84 + 50ul * t + 12;  // after its normal
      for (int k = 0; k < 3; ++k) {
        Triple x;
        for (int m = 0; m < 3; ++m) {
          x[m] = number_at(at + 12 * k + 4 * m);
          if (!(std::abs(x[m]) <= largest_coordinate))
            fail(0,
                 fmt::format("triangle {}: a coordinate is {}, but numbers up to {:g} are taken; save the file again",
                             t + 1, x[m], largest_coordinate));
        }
        corners_.push_back(x);
      }
      const int first = static_cast<int>(3 * t);
      add({first, first + 1, first + 2}, static_cast<int>(t + 1));
    }
  }

  void read_obj(std::string_view text) {
    static constexpr std::string_view skipped[] = {
        "vn",     "vt",     "vp",     "g",          "o",         "s",   "l",     "p",        "mg",      "usemtl",
        "mtllib", "usemap", "maplib", "shadow_obj", "trace_obj", "lod", "bevel", "c_interp", "d_interp"};
    Lines lines(text, true);
    std::vector<std::string_view> words;
    std::vector<int> polygon;
    while (lines.next(words)) {
      if (words[0] == "v") {
        corners_.push_back(corner(words, lines.number));
      } else if (words[0] == "f" || words[0] == "fo") {
        polygon.clear();
        for (std::size_t i = 1; i < words.size(); ++i) polygon.push_back(corner_number(words[i], lines.number));
        add_polygon(polygon, lines.number);
      } else if (std::ranges::find(skipped, words[0]) == std::end(skipped)) {
        fail(lines.number, "lines of OBJ that begin with " + in_quotes(words[0]) +
                               " are not read: surfaces are polygons ('v' and 'f'); export them as such");
      }
    }
  }

  // Corners at one place are one; those in no triangle go.
  void finish() {
    if (surface_.triangles.empty()) fail(0, "the file has no triangles; save the surface again");
    std::vector<int> order, one(corners_.size(), -1);
    for (const auto& triangle : surface_.triangles)
      for (const int c : triangle)
        if (one[c] < 0) {
          one[c] = 0;
          order.push_back(c);
        }
    const auto before = [&](int a, int b) { return std::pair(corners_[a], a) < std::pair(corners_[b], b); };
    std::ranges::sort(order, before);
    std::vector<int> first(corners_.size());  // of those at its place
    for (std::size_t i = 0; i < order.size(); ++i)
      first[order[i]] = i > 0 && corners_[order[i]] == corners_[order[i - 1]] ? first[order[i - 1]] : order[i];
    std::ranges::fill(one, -1);
    std::size_t kept = 0, points = 0;
    for (std::size_t t = 0; t < surface_.triangles.size(); ++t) {
      std::array<int, 3> triangle = surface_.triangles[t];
      for (int& c : triangle) c = first[c];
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) {
        ++points;  // without it its neighbours are neighbours
        continue;
      }
      check_area(triangle, static_cast<int>(t));
      for (int& c : triangle) {
        if (one[c] < 0) {
          one[c] = static_cast<int>(surface_.corners.size());
          surface_.corners.push_back(corners_[c]);
        }
        c = one[c];
      }
      surface_.triangles[kept] = triangle;
      surface_.lines[kept++] = surface_.lines[t];
    }
    surface_.triangles.resize(kept);
    surface_.lines.resize(kept);
    if (kept == 0) fail(0, "all triangles have corners that are the same; save the surface again");
    if (points > 0)
      surface_.notes.push_back(
          fmt::format("{} of {} with two corners in one place left out", counted(points, "triangle"), surface_.path));
  }

  static std::uint32_t stl_count(std::string_view bytes) {
    std::uint32_t count = 0;
    for (int i = 3; i >= 0; --i) count = count << 8 | static_cast<unsigned char>(bytes[80 + i]);
    return count;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& why) const {
    throw InputError(Where{surface_.path, line, ""}, why);
  }

  static double number_at(const char* at) {
    std::uint32_t bits = 0;
    for (int i = 3; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(at[i]);
    return static_cast<double>(std::bit_cast<float>(bits)) + 0.0;  // -0 is 0
  }

  Triple corner(const std::vector<std::string_view>& words, int line) const {
    if (words.size() < 4)
      fail(line, "a corner has three coordinates, but the line has " + counted(words.size() - 1, "number"));
    Triple x;
    for (int m = 0; m < 3; ++m) {
      if (!parse(words[m + 1], x[m]) || std::abs(x[m]) > largest_coordinate)
        fail(line,
             "a coordinate is expected (up to 1e30), but this is " + in_quotes(words[m + 1]) + "; save the file again");
      x[m] += 0.0;  // -0 is 0
    }
    return x;
  }

  int corner_number(std::string_view word, int line) const {
    const std::string_view said = word.substr(0, word.find('/'));
    const int count = static_cast<int>(corners_.size());
    int number = 0;
    if (!parse(said, number) || number == 0)
      fail(line, "the number of a corner is expected, but this is " + in_quotes(word));
    if (number > count || number < -count)
      fail(line,
           fmt::format("there is no corner {}; {} stand before this line", number, counted(corners_.size(), "corner")));
    return number > 0 ? number - 1 : count + number;
  }

  void add(const std::array<int, 3>& triangle, int line) {
    if (surface_.triangles.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max()) / 8)
      fail(line, "the file has more triangles than can be counted; use a coarser surface");
    surface_.triangles.push_back(triangle);
    surface_.lines.push_back(line);
  }

  // Cut from one of its corners, so that all triangles look where the polygon does.
  void add_polygon(const std::vector<int>& polygon, int line) {
    const int n = static_cast<int>(polygon.size());
    if (n < 3) fail(line, "a face has three corners or more, but this one has " + std::to_string(n));
    if (n == 3) return add({polygon[0], polygon[1], polygon[2]}, line);
    const auto at = [&](int i) { return vec(corners_[polygon[i % n]]); };
    Vec3<double> normal{};  // twice its area (M. Newell)
    for (int i = 1; i + 1 < n; ++i) normal = normal + cross(at(i) - at(0), at(i + 1) - at(0));
    for (int from = 0; from < n; ++from) {
      bool fits = true;
      for (int i = 1; fits && i + 1 < n; ++i)
        fits = dot(normal, cross(at(from + i) - at(from), at(from + i + 1) - at(from))) > 0;
      if (!fits) continue;
      for (int i = 1; i + 1 < n; ++i) add({polygon[from], polygon[(from + i) % n], polygon[(from + i + 1) % n]}, line);
      return;
    }
    fail(line,
         fmt::format("a face of {} corners cannot be cut into triangles from any of them: it has no area, or dents; "
                     "export triangles",
                     n));
  }

  void check_area(const std::array<int, 3>& triangle, int t) const {
    const Vec3<double> x = vec(corners_[triangle[0]]), a = vec(corners_[triangle[1]]) - x,
                       b = vec(corners_[triangle[2]]) - x;
    const double longest = std::max({dot(a, a), dot(b, b), dot(b - a, b - a)});
    if (norm(cross(a, b)) > thinnest * longest) return;
    throw InputError(surface_.where(t),
                     surface_.place(t) +
                         " has its corners in one line, so that no side of it is outside; merge such "
                         "triangles with their neighbours, or mesh the surface again");
  }

  TriangleSurface& surface_;
  std::vector<Triple> corners_;  // of the file
};

}  // namespace

TriangleSurface read_triangles(const std::string& path) {
  TriangleSurface surface;
  surface.path = path;
  const Where here{path, 0, ""};
  try {
    const std::string text = load_text(path);
    const std::string ending = upper(std::filesystem::path(path).extension().string());
    Reader reader(surface);
    // The length tells binary files, some of which begin with 'solid', too.
    const bool fits = text.size() >= 84 && text.size() == 84 + 50ul * Reader::stl_count(text);
    const std::string_view start = std::string_view(text).substr(0, 512);
    const bool solid = upper(trimmed(start).substr(0, 5)) == "SOLID" && start.find('\0') == std::string_view::npos;
    if (trimmed(std::string_view(text).substr(0, 4096)).empty() && !fits)
      throw InputError(here, "the file is empty; save the surface again");
    if (fits) reader.read_stl_binary(text);
    else if (ending == ".OBJ") reader.read_obj(text);
    else if (solid) reader.read_stl_text(text);
    else if (ending == ".STL")
      throw InputError(here, text.size() < 84
                                 ? "a text of STL begins with 'solid', this file with " + in_quotes(text.substr(0, 20))
                                 : fmt::format("a binary STL of {} has {} bytes, this file {}: it was cut short, or is "
                                               "something else; save it again",
                                               counted(Reader::stl_count(text), "triangle"),
                                               84 + 50ul * Reader::stl_count(text), text.size()));
    else throw InputError(here, "this is no surface that is read: STL (.stl, binary and text) and OBJ (.obj)");
    reader.finish();
  } catch (const std::bad_alloc&) {
    throw InputError(here, "the surface does not fit into memory; use a coarser one, or a machine with more");
  }
  return surface;
}

}  // namespace lithe
