// Times of every strategy on one mesh, taken in turns so that whatever else the machine does hits all alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "lithe/elements/kinds.h"

namespace lithe::app {

// Microseconds per element over the iterations.
struct Times {
  double sum = 0, least = 1e300, most = 0;
  int count = 0;
  void add(double us) {
    sum += us;
    least = std::min(least, us);
    most = std::max(most, us);
    ++count;
  }
  double mean() const { return count ? sum / count : 0; }
};

struct Row {
  ElementKind kind;
  std::string strategy;
  int threads = 1, elements = 0, layers = 1;
  Times force, tangent;                       // us
  double bytes_per_element = 0;               // held: precomputed and saved (P0 table 4)
  double force_flops = 0, tangent_flops = 0;  // per element, counted
  double force_bytes = 0, tangent_bytes = 0;  // per element, moved (P0 tables 8 and 9)
  double setup_us = 0;                        // per element, to build the kernel

  double force_gflops() const { return 1e-3 * force_flops / force.least; }
  double tangent_gflops() const { return 1e-3 * tangent_flops / tangent.least; }
};

struct MeasureOptions {
  std::vector<std::string> strategies;
  std::vector<int> threads{1};
  int iterations = 100;    // perturbed states, at most
  double seconds = 3;      // per strategy and mesh; at least three iterations are made all the same
  std::size_t memory = 0;  // bytes for all kernels of a mesh; strategies that need more get fewer elements
};

std::vector<Row> measure_mesh(ElementKind kind, int elements, int layers, const MeasureOptions& options);

}  // namespace lithe::app
