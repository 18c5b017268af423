// SPIKE (Polizzi and Sameh 2006; P3 section 3.1.2). With A_i the partitions of the reordered matrix A, B_i and C_i what
// couples partition i with its neighbours, and D = diag(A_i):
//
//   D^-1 A x = g:   x_i + V_i x_{i+1}^(t) + W_i x_{i-1}^(b) = g_i,   V_i = A_i^-1 B_i,  W_i = A_i^-1 C_i,  g = D^-1 b
//
// Only the tips are coupled: (b) the unknowns of partition i that C_{i+1} sees, (t) those of i+1 that B_i sees. They
// solve the reduced system of blocks R_i = [I V_i^(b); W_{i+1}^(t) I], one for each cut; with `truncate` its couplings
// V_i^(t), W_i^(b) between cuts are left out, which decay where A is diagonally dominant. Then D x = b - B x^(t) - C x^(b).
//
// In matrices: P^-1 = D^-1 (I - F R^-1 E^T D^-1) with F the couplings as columns of tips and E^T x the tips of x. Hence
// P^-T = (I - D^-T E R^-T F^T) D^-T: the same two sweeps. Untruncated P = A.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/spike/skyline_lu.h"
#include "lithe/linalg/spike/spike_plan.h"

namespace lithe {

// Columns that a partition sees of a neighbour, one for each tip there; rows of the partition.
template <class T>
struct SpikeCoupling {
  std::vector<std::int32_t> start;  // [tip + 1]
  std::vector<std::int32_t> row;
  std::vector<T> value;
  int columns() const { return static_cast<int>(start.size()) - 1; }
};

template <class T>
class SpikeSolver {
 public:
  // False: structurally singular.
  [[nodiscard]] bool factor(const RowMatrix& a, const KrylovOptions& options, Team& team);
  // x may be b. Takes no memory.
  void solve(std::span<const double> b, std::span<double> x, bool transposed, Team& team);
  const SpikeReport& report() const { return report_; }

 private:
  static constexpr int side = SkylineLU<T>::side;
  struct Partition {
    SkylineLU<T> lu;
    SpikeCoupling<T> after, before;  // B_i: tips at the head of i+1; C_i: tips at the tail of i-1
    AlignedVector<T> x;              // [padded]
    int boosted = 0;
  };
  // The unknowns on both sides of cut i, between partitions i and i+1: tail of i first, then head of i+1.
  struct Cut {
    std::vector<std::int32_t> tail, head;  // places within their partitions, ascending
    std::vector<T> inverse;                // [column][row] of R_i, or of what the elimination from the first cut leaves of it
    std::vector<T> previous, next;         // couplings with the cuts beside it: [column][row]; empty: truncated
    std::vector<T> g, x;                   // [tip]
    int size() const { return static_cast<int>(tail.size() + head.size()); }
  };
  // Rows of V_i or W_i at the tips of partition i: [column][row]; empty: not wanted.
  struct Spike {
    std::vector<T> at_head, at_tail;
  };

  void find_tips(const RowMatrix& a);
  void couple(const RowMatrix& a, Team& team);
  // Of one partition; `reversed`: last row and column first.
  void fill(const RowMatrix& a, int part, bool reversed, SkylineLU<T>& lu) const;
  void compute_spikes(const RowMatrix& a, Team& team);
  void compute_panel(int part, bool after, int first, const SkylineLU<T>& lu, bool reversed, AlignedVector<T>& panel);
  void reduce(Team& team);
  void solve_reduced(bool transposed, Team& team);
  int length(int part) const { return plan_.start[part + 1] - plan_.start[part]; }

  SpikePlan plan_;
  bool truncate_ = true, second_stage_ = true;
  std::vector<Partition> partitions_;
  std::vector<Cut> cuts_;
  std::vector<Spike> v_, w_;  // [partition], while the reduced system is made
  SpikeReport report_;
};

extern template class SpikeSolver<float>;
extern template class SpikeSolver<double>;

}  // namespace lithe
