#include "lithe/system/mass.h"

#include <algorithm>

namespace lithe {

MassMatrix::MassMatrix(const System& system) {
  // action(row, column, entry of the compact mass) for all that is not zero, in the order of the elements.
  const auto visit = [&](auto&& action) {
    for (const Batch& batch : system.batches) {
      const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
      for (int e = 0; e < batch.elements; ++e) {
        const std::int32_t* c = &batch.connectivity[static_cast<std::size_t>(e / W) * N * W + e % W];
        const double* M = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
        for (int i = 0, k = 0; i < N; ++i)
          for (int j = i; j < N; ++j, ++k) {
            if (M[k] == 0) continue;
            action(c[i * W], c[j * W], M[k]);
            if (i != j) action(c[j * W], c[i * W], M[k]);
          }
      }
    }
  };
  struct Entry {
    std::int32_t column;
    double value;
  };
  const int vectors = system.vectors();
  std::vector<std::size_t> start(vectors + 1, 0);
  visit([&](int row, int, double) { ++start[row + 1]; });
  for (int v = 0; v < vectors; ++v) start[v + 1] += start[v];
  std::vector<Entry> entries(start[vectors]);
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  visit([&](int row, int column, double value) { entries[next[row]++] = {column, value}; });
  row_start_.assign(vectors + 1, 0);
  for (int v = 0; v < vectors; ++v) {
    const auto first = entries.begin() + start[v], last = entries.begin() + start[v + 1];
    std::stable_sort(first, last, [](const Entry& a, const Entry& b) { return a.column < b.column; });
    for (auto e = first; e != last; ++e) {
      if (e != first && (e - 1)->column == e->column) {
        value_.back() += e->value;
        continue;
      }
      column_.push_back(e->column);
      value_.push_back(e->value);
    }
    row_start_[v + 1] = static_cast<std::int32_t>(column_.size());
  }
}

double MassMatrix::mean_diagonal() const {
  double sum = 0;
  int count = 0;
  for (std::size_t r = 0; r + 1 < row_start_.size(); ++r)
    for (int k = row_start_[r]; k < row_start_[r + 1]; ++k)
      if (column_[k] == static_cast<std::int32_t>(r)) {
        sum += value_[k];
        ++count;
      }
  return count ? sum / count : 0;
}

void MassMatrix::row_product(int r, std::span<const double> x, double* sum) const {
  sum[0] = sum[1] = sum[2] = 0;
  for (int k = row_start_[r]; k < row_start_[r + 1]; ++k) {
    const double* from = &x[3ul * column_[k]];
    for (int m = 0; m < 3; ++m) sum[m] += value_[k] * from[m];
  }
}

void MassMatrix::add_product(double factor, std::span<const double> x, std::span<double> y) const {
  const int rows = static_cast<int>(row_start_.size()) - 1;
  for (int r = 0; r < rows; ++r) {
    double sum[3];
    row_product(r, x, sum);
    for (int m = 0; m < 3; ++m) y[3ul * r + m] += factor * sum[m];
  }
}

void MassMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const int rows = static_cast<int>(row_start_.size()) - 1;
  for (int r = 0; r < rows; ++r) row_product(r, x, &y[3ul * r]);
}

void MassMatrix::multiply(std::span<const double> x, std::span<double> y, Team& team) const {
  constexpr int at_once = 512;  // some ten microseconds
  const int rows = static_cast<int>(row_start_.size()) - 1;
  team.run((rows + at_once - 1) / at_once, [&](int part, int) {
    for (int r = part * at_once; r < std::min(rows, (part + 1) * at_once); ++r) row_product(r, x, &y[3ul * r]);
  });
}

}  // namespace lithe
