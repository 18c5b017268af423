#include "lithe/model/section_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "lithe/model/section_taper.h"

namespace lithe {

namespace {

constexpr int ring_points = 16;

template <class Shape>
std::vector<SectionPoint> rim(const Shape& shape, [[maybe_unused]] int around) {
  std::vector<SectionPoint> points;
  if constexpr (std::is_same_v<Shape, Circle> || std::is_same_v<Shape, Tube>) {
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * k / around;
      points.push_back({shape.radius * std::cos(angle), shape.radius * std::sin(angle)});
    }
  } else if constexpr (requires { outline(shape); }) {
    const Outline drawn = outline(shape);
    const SectionPoint centroid = area_moments(drawn).centroid;
    for (const SectionPoint& p : drawn.loops.front()) points.push_back({p[0] - centroid[0], p[1] - centroid[1]});
  }
  if constexpr (requires { shape.offset; })
    for (SectionPoint& p : points) p = {p[0] - shape.offset[0], p[1] - shape.offset[1]};
  return points;
}

}  // namespace

std::vector<SectionPoint> section_rim(const Section& section) {
  return std::visit([](const auto& shape) { return rim(shape, ring_points); }, section);
}

std::vector<SectionPoint> section_edge(const Named<Section>& sections, const Section& section, double s,
                                       int round_points) {
  const auto* tapered = std::get_if<Tapered>(&section);
  const Section here =
      tapered ? section_between(*sections.find(tapered->from), *sections.find(tapered->to), s) : section;
  return std::visit([&](const auto& shape) { return rim(shape, round_points); }, here);
}

std::array<double, 2> section_size(const Section& section) {
  if (const auto* rectangle = std::get_if<Rectangle>(&section); rectangle && rectangle->offset == Offset{})
    return {rectangle->width, rectangle->thickness};
  if (const auto* general = std::get_if<General>(&section)) {
    const auto& C = general->stiffness.rows;
    return {std::sqrt(12 * C[5][5] / C[0][0]), std::sqrt(12 * C[4][4] / C[0][0])};
  }
  std::array<double, 2> size{};
  for (const SectionPoint& p : section_rim(section))
    for (int d = 0; d < 2; ++d) size[d] = std::max(size[d], 2 * std::abs(p[d]));
  return size;
}

std::vector<SectionPoint> section_rim(const Named<Section>& sections, const Section& section, double s) {
  const auto* tapered = std::get_if<Tapered>(&section);
  if (!tapered) return section_rim(section);
  return section_rim(section_between(*sections.find(tapered->from), *sections.find(tapered->to), s));
}

std::array<double, 2> section_size(const Named<Section>& sections, const Section& section) {
  const auto* tapered = std::get_if<Tapered>(&section);
  if (!tapered) return section_size(section);
  const std::array<double, 2> from = section_size(*sections.find(tapered->from)),
                              to = section_size(*sections.find(tapered->to));
  return {std::max(from[0], to[0]), std::max(from[1], to[1])};
}

bool is_inside(const Named<Section>& sections, const Section& section, double s, const SectionPoint& point) {
  const auto* tapered = std::get_if<Tapered>(&section);
  const Section here =
      tapered ? section_between(*sections.find(tapered->from), *sections.find(tapered->to), s) : section;
  const std::vector<SectionPoint> rim = section_rim(here);
  const std::array<double, 2> size = section_size(here);
  const double slack = 1e-6 * std::max(size[0], size[1]);
  bool inside = false;
  for (std::size_t i = 0, j = rim.size() - 1; i < rim.size(); j = i++) {
    const SectionPoint &a = rim[i], &b = rim[j];
    const double dy = b[0] - a[0], dz = b[1] - a[1], length = std::hypot(dy, dz);
    if (length == 0) continue;
    const double along = ((point[0] - a[0]) * dy + (point[1] - a[1]) * dz) / (length * length);
    const double off = std::abs((point[0] - a[0]) * dz - (point[1] - a[1]) * dy) / length;
    // On the edge; of a ring also on the arc over the chord.
    const bool ring = std::holds_alternative<Circle>(here) || std::holds_alternative<Tube>(here);
    if (along >= 0 && along <= 1 && off <= slack + (ring ? 0.02 * size[0] : 0)) return true;
    if ((a[1] > point[1]) != (b[1] > point[1]) && point[0] < a[0] + (point[1] - a[1]) / dz * dy) inside = !inside;
  }
  return inside;
}

bool fills_its_box(const Section& section) {
  if (const auto* rectangle = std::get_if<Rectangle>(&section)) return rectangle->offset == Offset{};
  if (const auto* box = std::get_if<Box>(&section)) return box->offset == Offset{};
  return false;
}

}  // namespace lithe
