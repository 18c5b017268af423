// The operator of the constraints of a half step, W = H A^-1 H^T + D: A by blocks, H the rows over the unknowns, D the
// compliance of rows that give way (springs between blocks), 0 of those that do not. W is sparse over the rows that
// meet in a block. Contacts will add rows of their own to it.
//
// Rows may depend on each other: W has a share of 1e-10 more on its diagonal, which leaves the null space of H^T alone
// and costs the others, which are solved again and again until they are met, nothing.
//
// Blocks whose A does not change (co-rotated bodies) keep A^-1 of the unknowns that rows meet.
#pragma once

#include <vector>

#include "lithe/dynamics/blocks/step_blocks.h"
#include "lithe/linalg/solver_ladder.h"

namespace lithe {

// Rows over the unknowns.
struct BlockRows {
  std::vector<std::int32_t> row_start{0}, column;
  std::vector<double> value, compliance;
  int count() const { return static_cast<int>(row_start.size()) - 1; }
};

class Delassus {
 public:
  // `kinds` must outlive it; every unknown is in a block of one of them.
  explicit Delassus(std::vector<StepBlocks*> kinds) : kinds_(std::move(kinds)) {}

  // W of these rows, factored; the pattern is made again only where rows or columns changed. False: singular.
  bool factor(const BlockRows& rows);
  // R with W R = -rates.
  void solve(const std::vector<double>& rates, std::vector<double>& R);
  // x += A^-1 H^T R.
  void add(const std::vector<double>& R, std::vector<double>& x);
  int count() const { return rows_ ? rows_->count() : 0; }

  // ---- for contacts, whose bodies these rows hold ----
  // Blocks that rows join, by a number; -1: no row meets the block that has this unknown.
  int cluster(int unknown) const {
    const bool met = unknown < static_cast<int>(of_unknown_.size()) && of_unknown_[unknown] >= 0;
    return met ? clusters_[of_unknown_[unknown]] : -1;
  }
  int clusters() const { return static_cast<int>(cluster_rows_.size()); }
  const std::vector<int>& rows_of(int cluster) const { return cluster_rows_[cluster]; }
  // W over the rows of a cluster, [row][row].
  void operator_of(int cluster, std::vector<double>& W) const;
  // rates += H A^-1 f of a force f on one unknown.
  void couple(int unknown, double f, std::vector<double>& rates) const;
  const LinearReport& report() const { return ladder_.report(); }
  const FactorReport& factor_report() const { return ladder_.factor_report(); }

 private:
  struct Block {
    StepBlocks* kind;
    int number, first, size;
    std::vector<int> rows;              // that have entries in it
    std::vector<std::int32_t> entry;    // of these rows, [row + 1] into entries
    std::vector<std::int32_t> entries;  // into BlockRows::column
    std::size_t image;                  // of A^-1 H^T, [row][size]
    std::vector<std::int32_t> place;    // [row][row] in W
    // Constant A: unknowns that rows meet, A^-1 of them, [met][size], and for every entry which it is.
    std::vector<std::int32_t> met, which;
    std::vector<double> inverse;
    long long version = -1;
  };
  void arrange(const BlockRows& rows);
  void find_clusters(const BlockRows& rows);
  void add_block(const BlockRows& rows, Block& block);
  void add_kept_columns(const BlockRows& rows, Block& block, double* image);

  std::vector<StepBlocks*> kinds_;
  std::vector<std::int32_t> row_start_, column_;  // for which it was arranged
  std::vector<Block> blocks_;
  std::vector<std::int32_t> of_unknown_;        // [unknown] into blocks_, -1: no row meets its block
  std::vector<int> clusters_;                   // [block]
  std::vector<std::vector<int>> cluster_rows_;  // [cluster]
  std::vector<double> image_, values_, room_;
  const BlockRows* rows_ = nullptr;  // factored
  SparsePattern pattern_;
  SolverLadder ladder_;
};

}  // namespace lithe
