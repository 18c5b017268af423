#include "lithe/dynamics/spring_rows.h"

#include <algorithm>
#include <cmath>

#include "lithe/system/pattern.h"

namespace lithe {

SpringRows::SpringRows(const System& system) : system_(system) {
  for (int s = 0; s < system.springs.count(); ++s)
    if (system.springs.is_mapped(s) && !system.springs.law[s].joint.exact) springs_.push_back(s);
}

void SpringRows::append_to(BlockRows& rows) {
  first_ = rows.count();
  for (const int s : springs_) {
    std::vector<std::int32_t> columns;
    system_.springs.for_vectors(s, [&](int vector) {
      for_masters(system_, vector, [&](int v, double) {
        const BodyMap::Range range = system_.map.moved_by(v);
        for (int c = 0; c < range.count; ++c) columns.push_back(range.first + c);
      });
    });
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (int k = 0; k < system_.springs.law[s].strains; ++k) {
      rows.column.insert(rows.column.end(), columns.begin(), columns.end());
      rows.row_start.push_back(static_cast<std::int32_t>(rows.column.size()));
      rows.compliance.push_back(1);
    }
  }
}

void SpringRows::set(const HalfStep& step, BlockRows& rows, std::vector<double>& sizes) {
  const double h = step.h;
  int row = first_;
  std::fill(rows.value.begin() + rows.row_start[row], rows.value.end(), 0.0);
  gradient_.clear();
  for (const int s : springs_) {
    spring_slopes(system_.springs, s, step.middle, slopes_);
    const int vectors = static_cast<int>(slopes_.gradient.size()) / slopes_.strains;
    for (int k = 0; k < slopes_.strains; ++k, ++row) {
      const double slope = h / 2 * slopes_.damping[k] + h * h / 4 * slopes_.stiffness[k];
      const double root = std::sqrt(std::fmax(slope, 0.0));
      int v = 0;
      double size = 0;
      const auto first = rows.column.begin() + rows.row_start[row],
                 last = rows.column.begin() + rows.row_start[row + 1];
      system_.springs.for_vectors(s, [&](int vector) {
        const Vec3<double> g = root * slopes_.gradient[static_cast<std::size_t>(k) * vectors + v++];
        gradient_.push_back(g);
        size += dot(g, g);
        for_masters(system_, vector, [&](int own, double share) {
          const BodyMap::Range range = system_.map.moved_by(own);
          if (range.count == 0) return;
          const auto at = std::lower_bound(first, last, range.first) - rows.column.begin();
          system_.map.pull(step.middle.slots, own, share * g, &rows.value[at]);
        });
      });
      sizes[row] = std::fmax(std::sqrt(size), 1e-300);
    }
  }
}

void SpringRows::find_rates(const std::vector<double>& begin, const std::vector<double>& end,
                            const std::vector<double>& R, std::vector<double>& rates) const {
  int row = first_;
  auto g = gradient_.begin();
  for (const int s : springs_)
    for (int k = 0; k < system_.springs.law[s].strains; ++k, ++row) {
      rates[row] = R[row];
      system_.springs.for_vectors(s, [&](int v) {
        for (int m = 0; m < 3; ++m) rates[row] += (*g)[m] * (end[3ul * v + m] - begin[3ul * v + m]);
        ++g;
      });
    }
}

}  // namespace lithe
