// The blocks of a half step. A step changes the rates w of the unknowns by x,
//
//   A x = b + H^T R,    A = M + h/2 C + h^2/4 K  at q1 = q + h/2 v,
//
// and A is one block for each mapped body and one for everything else (P2 sections 3 to 5). Here is what a step asks of
// the blocks of one kind; delassus.h joins them where rows of constraints do.
#pragma once

#include <memory>
#include <vector>

#include "lithe/system/system.h"

namespace lithe {

// Where a step stands.
struct HalfStep {
  double h = 0;           // s; 0: A = M, for consistent starts
  State middle;           // q1 and the rates of the beginning; t + h/2
  std::vector<double> v;  // [vector][3] rates of the beginning
  // The same over the shape of the middle, to which x adds: rigid and reduced bodies have turned, drives gone on. For
  // contact.
  std::vector<double> seen;  // [vector][3]
};

class StepBlocks {
 public:
  virtual ~StepBlocks() = default;

  // A of this step size, where it does not depend on the coordinates. False: singular.
  virtual bool set_step(double h) = 0;
  // After q1 = q + h/2 v: rotations, and coordinates that do not add up (rigid bodies), into the middle.
  virtual void to_middle(const State& begin, HalfStep& step) = 0;
  // step.seen, which holds v, where it differs.
  virtual void see(HalfStep&) {}
  // b from the middle and the forces there, f_ext - f_int over all coordinates, elastic ones of mapped bodies left out.
  virtual void right_side(const HalfStep& step, const std::vector<double>& load, std::vector<double>& b) = 0;
  // A x = b for all of its blocks at once; b may be x.
  virtual void solve(const std::vector<double>& b, std::vector<double>& x) = 0;
  // The end of the step, as x makes it; y: displacements on top (over the unknowns), which leave rates as they are.
  virtual void finish(const HalfStep& step, const std::vector<double>& x, const std::vector<double>& y, State& end) = 0;

  // ---- block by block, for rows ----
  virtual int count() const = 0;
  // Which block has an unknown, -1: none of these.
  virtual int block_of(int unknown) const = 0;
  // A z = f for columns of one block, [column][unknown of the block], in place.
  virtual void apply_inverse(int block, int columns, double* f) = 0;
  // May several threads do so at once?
  virtual bool inverts_side_by_side() const { return false; }
  // A differs where this does; -1: it changes from step to step.
  virtual long long version() const { return -1; }
  // Blocks with one A have one number.
  virtual int family(int block) const { return block; }
  virtual int first(int block) const = 0;  // its unknowns: from first on
  virtual int size(int block) const = 0;
};

// Blocks of one kind are made where there are such bodies.
std::unique_ptr<StepBlocks> make_corotated_blocks(const System& system, Team& team);
std::unique_ptr<StepBlocks> make_reduced_blocks(const System& system, Team& team);
std::unique_ptr<StepBlocks> make_rigid_blocks(const System& system, Team& team);

}  // namespace lithe
