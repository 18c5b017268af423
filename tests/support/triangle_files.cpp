#include "support/triangle_files.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>

namespace lithe {

using std::numbers::pi;

Soup box_soup(const Vec3<double>& size, const Vec3<double>& at) {
  Soup soup;
  for (int k = 0; k < 8; ++k)
    soup.corners.push_back({{at[0] + (k & 1 ? 0.5 : -0.5) * size[0], at[1] + (k & 2 ? 0.5 : -0.5) * size[1],
                             at[2] + (k & 4 ? 0.5 : -0.5) * size[2]}});
  for (const auto& [a, b, c, d] :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    soup.triangles.push_back({a, b, c});
    soup.triangles.push_back({a, c, d});
  }
  return soup;
}

Soup ball_soup(double radius, int n) {
  Soup soup;
  const int rings = n / 2;
  soup.corners.push_back({{0, 0, -radius}});
  for (int i = 1; i < rings; ++i)
    for (int k = 0; k < n; ++k) {
      const double up = pi * i / rings - pi / 2, around = 2 * pi * k / n;
      soup.corners.push_back({{radius * std::cos(up) * std::cos(around), radius * std::cos(up) * std::sin(around),
                               radius * std::sin(up)}});
    }
  soup.corners.push_back({{0, 0, radius}});
  const int last = static_cast<int>(soup.corners.size()) - 1;
  for (int k = 0; k < n; ++k) {
    const int l = (k + 1) % n;
    soup.triangles.push_back({0, 1 + l, 1 + k});
    for (int i = 0; i + 2 < rings; ++i) {
      const int a = 1 + i * n, b = a + n;
      soup.triangles.push_back({a + k, a + l, b + l});
      soup.triangles.push_back({a + k, b + l, b + k});
    }
    soup.triangles.push_back({last, last - n + k, last - n + l});
  }
  return soup;
}

Soup ring_soup(double radius, double thickness, int n) {
  Soup soup;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const double around = 2 * pi * i / n, across = 2 * pi * k / n, r = radius + thickness * std::cos(across);
      soup.corners.push_back({{r * std::cos(around), r * std::sin(around), thickness * std::sin(across)}});
    }
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const int a = i * n, b = (i + 1) % n * n, l = (k + 1) % n;
      soup.triangles.push_back({a + k, b + k, b + l});
      soup.triangles.push_back({a + k, b + l, a + l});
    }
  return soup;
}

Soup turned_inside_out(Soup soup) {
  for (auto& [a, b, c] : soup.triangles) std::swap(b, c);
  return soup;
}

Soup together(const Soup& a, const Soup& b) {
  Soup soup = a;
  const int first = static_cast<int>(a.corners.size());
  soup.corners.insert(soup.corners.end(), b.corners.begin(), b.corners.end());
  for (const auto& [x, y, z] : b.triangles) soup.triangles.push_back({first + x, first + y, first + z});
  return soup;
}

std::string stl_text(const Soup& soup) {
  std::string text = "solid made here\n";
  for (const auto& triangle : soup.triangles) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const int c : triangle)
      text += fmt::format("      vertex {} {} {}\n", soup.corners[c][0], soup.corners[c][1], soup.corners[c][2]);
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid made here\n";
}

std::string stl_binary(const Soup& soup) {
  std::string bytes(80, ' ');
  bytes.replace(0, 5, "solid");  // as some programs begin
  const auto count = static_cast<std::uint32_t>(soup.triangles.size());
  const auto put = [&](const void* from, std::size_t size) { bytes.append(static_cast<const char*>(from), size); };
  put(&count, 4);
  for (const auto& triangle : soup.triangles) {
    const float normal[3] = {0, 0, 0};
    put(normal, sizeof normal);
    for (const int c : triangle)
      for (int m = 0; m < 3; ++m) {
        const auto x = static_cast<float>(soup.corners[c][m]);
        put(&x, sizeof x);
      }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

std::string obj_text(const Soup& soup) {
  std::string text = "# a surface\nmtllib none.mtl\no made here\n";
  for (const Vec3<double>& x : soup.corners) text += fmt::format("v {} {} {}\n", x[0], x[1], x[2]);
  text += "vn 0 0 1\ns off\n";
  for (const auto& [a, b, c] : soup.triangles) text += fmt::format("f {}//1 {}//1 {}//1\n", a + 1, b + 1, c + 1);
  return text;
}

}  // namespace lithe
