#include "lithe/dynamics/blocks/own_blocks.h"

#include <algorithm>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/dynamics/timed.h"
#include "lithe/system/pattern.h"

namespace lithe {

OwnBlocks::OwnBlocks(const System& system, const DynamicAnalysis& options, Workspace& work, Phases& phases)
    : system_(system), work_(work), phases_(phases), mass_(system), own_(system.map.own_unknowns()) {
  for (auto* x : {&change_, &image_, &coordinates_, &second_}) x->resize(system.q0.size());
  reduced_.resize(system.map.size);
  arrange(options);
}

// Unknowns that share elements or springs hang together; ranges that overlap are one block.
void OwnBlocks::arrange(const DynamicAnalysis& options) {
  std::vector<int> parent(own_);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  int last = -1;
  const auto join = [&](int vector) {
    for_masters(system_, vector, [&](int v, double) {
      const VectorUnknowns& u = system_.map.unknowns[v];
      for (int c = 0; c < u.count; ++c) {
        if (last >= 0) parent[root(u.first + c)] = root(last);
        last = u.first + c;
      }
    });
  };
  for (const Batch& batch : system_.batches) {
    const int N = vector_count(batch.continuum.kind), W = batch.kernel ? batch.kernel->width() : 1;
    for (int e = 0; e < batch.elements; ++e, last = -1)
      for (int i = 0; i < N; ++i) join(batch.connectivity[static_cast<std::size_t>(e / W) * N * W + i * W + e % W]);
  }
  for (int s = 0; s < system_.springs.count(); ++s, last = -1)
    if (!system_.springs.is_mapped(s)) system_.springs.for_vectors(s, join);
  for (int v = 0; v < system_.vectors(); ++v, last = -1) join(v);
  std::vector<int> end(own_, 0);  // [root] one past the last of its unknowns
  for (int i = 0; i < own_; ++i) end[root(i)] = i + 1;
  block_.assign(own_, 0);
  for (int i = 0; i < own_;) {
    auto block = std::make_unique<Block>();
    block->first = i;
    int to = end[root(i)];
    for (; i < to; ++i) {
      to = std::max(to, end[root(i)]);
      block_[i] = count();
    }
    SparsePattern& pattern = block->pattern;
    pattern.size = to - block->first;
    pattern.symmetric = system_.symmetric;
    pattern.column_start = {0};
    for (int j = block->first; j < to; ++j) {
      for (int p = system_.pattern.column_start[j]; p < system_.pattern.column_start[j + 1]; ++p) {
        const int row = system_.pattern.row[p];
        if (row < block->first || row >= to) continue;  // coupled by rows of constraints alone, or a multiplier
        pattern.row.push_back(row - block->first);
        block->from.push_back(p);
      }
      pattern.column_start.push_back(static_cast<std::int32_t>(pattern.row.size()));
    }
    block->values.resize(pattern.nonzeros());
    const MatrixKind kind = system_.symmetric ? MatrixKind::positive_definite : MatrixKind::unsymmetric;
    block->ladder = SolverLadder(pattern, kind, {.solver = options.solver, .ordering = options.ordering});
    blocks_.push_back(std::move(block));
  }
}

void OwnBlocks::to_middle(const State&, HalfStep& step) {
  // Drives and slaves at the middle; forces see their rates there.
  if (!system_.map.follows_time()) return;
  system_.map.follow(system_.q0, step.middle.t, step.middle.t, step.middle.q, step.middle.v, second_);
}

bool OwnBlocks::factor(const HalfStep& step) {
  if (own_ == 0) return true;
  const double h = step.h;
  {
    const Timed timed(phases_.tangent);
    evaluate_tangent(system_, step.middle, h * h / 4, h / 2, work_, values_, 1);
  }
  const Timed timed(phases_.factorisation);
  for (auto& block : blocks_) {
    for (std::size_t k = 0; k < block->from.size(); ++k) block->values[k] = values_[block->from[k]];
    if (block->ladder.factor(block->values)) continue;
    const FactorReport& report = block->ladder.factor_report();
    why_ = report.text() + (report.column >= 0 ? " at " + system_.unknown_name(block->first + report.column) : "");
    return false;
  }
  return true;
}

void OwnBlocks::driven_change(const HalfStep& step) {
  std::ranges::copy(step.v, change_.begin());
  std::ranges::copy(step.middle.q, coordinates_.begin());
  const double end = step.middle.t + 0.5 * step.h;
  system_.map.follow(system_.q0, end, end, coordinates_, change_, second_);
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] -= step.v[i];
}

void OwnBlocks::see(HalfStep& step) {
  if (system_.map.driven.empty()) return;
  driven_change(step);
  for (std::size_t i = 0; i < change_.size(); ++i) step.seen[i] += change_[i];
}

void OwnBlocks::right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) {
  if (own_ == 0) return;
  for (std::size_t i = 0; i < load.size(); ++i) image_[i] = step.h * load[i];
  if (!system_.map.driven.empty()) {
    driven_change(step);
    mass_.add_product(-1, change_, image_);
  }
  for (const MappedBody& body : system_.map.bodies)  // not these
    std::fill_n(image_.begin() + 3l * body.first_vector, 3l * body.vectors, 0.0);
  system_.map.restrict(step.middle.slots, image_, std::span(reduced_));
  std::copy_n(reduced_.begin(), own_, b.begin());
}

void OwnBlocks::solve(const std::vector<double>& b, std::vector<double>& x) {
  for (int k = 0; k < count(); ++k) {
    const Block& block = *blocks_[k];
    std::copy_n(b.begin() + block.first, block.pattern.size, x.begin() + block.first);
    apply_inverse(k, 1, &x[block.first]);
  }
}

void OwnBlocks::apply_inverse(int number, int columns, double* f) {
  Block& block = *blocks_[number];
  SolveRequest request;
  request.columns = columns;
  block.columns.assign(f, f + static_cast<std::size_t>(block.pattern.size) * columns);
  // Rates of rows and energies tell how good it was.
  [[maybe_unused]] const SolveReport report = block.ladder.solve(block.columns, block.columns, request);
  std::ranges::copy(block.columns, f);
}

void OwnBlocks::finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) {
  if (own_ == 0 && !system_.map.follows_time()) return;
  std::ranges::fill(reduced_, 0.0);
  std::copy_n(x.begin(), own_, reduced_.begin());
  std::ranges::copy(step.v, change_.begin());
  system_.map.prolong(step.middle.slots, reduced_, 1, change_);
  std::copy_n(y.begin(), own_, reduced_.begin());
  for (std::size_t i = 0; i < change_.size(); ++i) coordinates_[i] = step.middle.q[i] + 0.5 * step.h * change_[i];
  system_.map.prolong(step.middle.slots, reduced_, 1, coordinates_);
  const double t = step.middle.t + 0.5 * step.h;
  system_.map.follow(system_.q0, t, t, coordinates_, change_, second_);
  for (int v = 0; v < system_.vectors(); ++v) {
    if (system_.map.body_of(v) >= 0) continue;
    std::copy_n(&coordinates_[3ul * v], 3, &end.q[3ul * v]);
    std::copy_n(&change_[3ul * v], 3, &end.v[3ul * v]);
  }
}

LinearReport OwnBlocks::report() const {
  LinearReport all;
  for (const auto& block : blocks_) {
    const LinearReport& one = block->ladder.report();
    if (all.rungs.empty()) all = one;
    else {
      all.factorisations += one.factorisations;
      all.solves += one.solves;
      all.indefinite += one.indefinite;
      all.inaccurate += one.inaccurate;
      for (std::size_t k = 0; k < std::min(all.rungs.size(), one.rungs.size()); ++k)
        all.rungs[k].used += one.rungs[k].used;
    }
  }
  return all;
}

}  // namespace lithe
