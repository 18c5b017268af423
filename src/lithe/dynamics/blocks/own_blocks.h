// Bodies with unknowns of their own, total Lagrangian (P2 section 3) and everything else that no BodyMap moves: the
// matrix is that of evaluate_tangent at the middle of the step, one block for all that hangs together by elements and
// springs.
#pragma once

#include <string>

#include "lithe/dynamics/blocks/step_blocks.h"
#include "lithe/dynamics/stepper.h"
#include "lithe/linalg/solver_ladder.h"
#include "lithe/system/mass.h"

namespace lithe {

class OwnBlocks final : public StepBlocks {
 public:
  OwnBlocks(const System& system, const DynamicAnalysis& options, Workspace& work, Phases& phases);

  bool set_step(double) override { return true; }
  void to_middle(const State& begin, HalfStep& step) override;
  void see(HalfStep& step) override;
  // A at the middle, factored. False: singular, see `why`.
  bool factor(const HalfStep& step);
  void right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) override;
  void solve(const std::vector<double>& b, std::vector<double>& x) override;
  void finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) override;

  int count() const override { return static_cast<int>(blocks_.size()); }
  int block_of(int unknown) const override { return unknown < own_ ? block_[unknown] : -1; }
  void apply_inverse(int block, int columns, double* f) override;
  int first(int block) const override { return blocks_[block]->first; }
  int size(int block) const override { return blocks_[block]->pattern.size; }

  const std::string& why() const { return why_; }
  LinearReport report() const;  // of all blocks

 private:
  struct Block {
    int first = 0;
    SparsePattern pattern;
    std::vector<std::int32_t> from;  // [entry] of the system's matrix
    std::vector<double> values, columns;
    SolverLadder ladder;
  };
  void arrange(const DynamicAnalysis& options);
  void driven_change(const HalfStep& step);  // of rates in this step, into change_

  const System& system_;
  Workspace& work_;
  Phases& phases_;
  const MassMatrix mass_;
  const int own_;                    // unknowns
  std::vector<std::int32_t> block_;  // [unknown]
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<double> values_;
  std::vector<double> change_, image_, reduced_, coordinates_, second_;  // room
  std::string why_;
};

}  // namespace lithe
