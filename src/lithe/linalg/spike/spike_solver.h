// SPIKE (Polizzi and Sameh 2006; P3 section 3.1.2). With A_i the partitions of the reordered matrix A, B_i and C_i what
// couples partition i with its neighbours, and D = diag(A_i):
//
//   x_i + V_i x_{i+1} + W_i x_{i-1} = g_i,   V_i = A_i^-1 B_i,  W_i = A_i^-1 C_i,  g = D^-1 b
//
// Only the tips are coupled, the unknowns that a neighbour sees: of x_{i-1} those at its end (b), of x_{i+1} those at
// its start (t). They solve the reduced system of blocks R_i = [I V_i^(b); W_{i+1}^(t) I], one for each cut; with
// `truncate` what couples it with the next cut is left out, V_i^(t) and W_i^(b), which decay where A is diagonally
// dominant. Then D x = b - B x^(t) - C x^(b).
//
// In matrices: A = D + F E^T, F E^T = B + C with a column of F and E for each tip, P^-1 = D^-1 (I - F R^-1 E^T D^-1)
// with R = I + E^T D^-1 F, P^-T = (I - D^-T E R^-T F^T) D^-T. Where fewer rows than columns of B_i or C_i have entries,
// F are unit columns and the tips are sums of unknowns that come into these rows. Untruncated P = A.
#pragma once

#include <span>
#include <vector>

#include "lithe/linalg/spike/skyline_lu.h"
#include "lithe/linalg/spike/spike_plan.h"

namespace lithe {

// Sparse columns.
template <class T>
struct SpikeColumns {
  std::vector<std::int32_t> start{0};  // [column + 1]
  std::vector<std::int32_t> row;
  std::vector<T> value;
  int count() const { return static_cast<int>(start.size()) - 1; }
};

// B_i or C_i = F E^T: rows of the partition, rows of the neighbour.
template <class T>
struct SpikeCoupling {
  SpikeColumns<T> F, E;
  int tips() const { return F.count(); }
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
    SpikeCoupling<T> after, before;  // B_i, C_i
    AlignedVector<T> x;              // [padded]
    int boosted = 0;
    double flops = 0;
    SpikeCoupling<T>& along(bool forward) { return forward ? after : before; }
  };
  // Numbers at a cut, rounded up to lines: of the tips of C_{i+1} at the tail of i, of those of B_i at the head of i+1.
  struct Tips {
    AlignedVector<T> tail, head;
  };
  // Between partitions i and i+1.
  struct Cut {
    int tails = 0, heads = 0;
    // R_i = [I V; W I], or what the elimination from the first cut leaves of it, and S = (I - W V)^-1. What couples
    // them with the cuts beside it; empty: truncated.
    Lines<T> V, W, S, previous, next;
    Tips g, x, z;
  };
  // E^T V_i or E^T W_i of the tips of partition i: [column][row]; empty: not wanted.
  struct Spike {
    std::vector<T> at_head, at_tail;
  };

  SpikeCoupling<T> couple(const RowMatrix& a, int part, bool after) const;
  // Of one partition; `reversed`: last row and column first.
  void fill(const RowMatrix& a, int part, bool reversed, SkylineTiles<T>& tiles) const;
  void compute_spikes(const RowMatrix& a, Team& team);
  void compute_panel(int part, bool after, int first, const SkylineLU<T>& lu, bool reversed, AlignedVector<T>& panel);
  void reduce(Team& team);
  void solve_cut(Cut& cut, bool transposed) const;
  void solve_reduced(bool transposed);
  int length(int part) const { return plan_.start[part + 1] - plan_.start[part]; }

  SpikePlan plan_;
  bool truncate_ = true, second_stage_ = true;
  std::vector<Partition> partitions_;
  std::vector<Cut> cuts_;
  std::vector<Spike> v_, w_;            // [partition], while the reduced system is made
  std::vector<SkylineTiles<T>> tiles_;  // [thread] room of set-ups
  SpikeReport report_;
};

extern template class SpikeSolver<float>;
extern template class SpikeSolver<double>;

}  // namespace lithe
