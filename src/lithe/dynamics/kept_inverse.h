// Columns of A^-1 where A does not change from step to step (co-rotated bodies): what contacts touched once is solved
// for once, for all bodies of one shape, and W is read off. Columns of a coordinate vector are solved for together and
// by themselves, so that they are the same bits whatever is kept; where memory runs out all are dropped, and what the
// step needs is made again.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "lithe/dynamics/blocks/step_blocks.h"

namespace lithe {

class KeptInverse {
 public:
  explicit KeptInverse(std::size_t most_doubles = std::size_t{1} << 25) : most_(most_doubles) {}

  // Vectors of a block (its unknowns in threes) that a step touches.
  struct Need {
    StepBlocks* kind;
    int block;
    std::span<const std::int32_t> vectors;
  };
  // Makes what is missing. False: it would not fit.
  bool hold(const std::vector<Need>& needs);
  struct Family {
    int size = 0;
    long long version = -1;
    std::vector<std::int32_t> place;  // [vector] -1: not kept
    std::vector<double> columns;      // [place][3][size]
    int count = 0;
    // A^-1 of an unknown that is held, over the unknowns of the block.
    const double* column(int unknown) const { return &columns[(3ul * place[unknown / 3] + unknown % 3) * size]; }
  };
  // Of a block that is held.
  const Family& of(const StepBlocks* kind, int block) const {
    return families_.find({kind, kind->family(block)})->second;
  }

 private:
  Family& family(const Need& need);

  std::size_t most_;
  std::map<std::pair<const StepBlocks*, int>, Family> families_;
};

}  // namespace lithe
