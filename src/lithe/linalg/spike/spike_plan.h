// Where the rows and columns of a matrix go before SPIKE factors it (P3 section 3.1): rows matched to places of the
// diagonal and scaled, an order that makes a band, small entries far from the diagonal dropped, partitions, and in each
// an order of its own.
//
// Without a matching (`none`) rows and columns keep company: then the order is symmetric, and each row whose diagonal
// entry is zero, a multiplier, stands right behind a coordinate that it holds. With positive definite coordinates every
// leading block [A G^T; G 0] is then regular, because G of the multipliers so far has full rank on coordinates so far.
#pragma once

#include <cstdlib>
#include <span>
#include <vector>

#include "lithe/base/team.h"
#include "lithe/linalg/krylov/options.h"
#include "lithe/linalg/krylov/row_matrix.h"
#include "lithe/linalg/spike/band_order.h"

namespace lithe {

// Of one set-up: what it found, and the seconds of its parts as P3 section 5.1 tells them.
struct SpikeReport {
  int unknowns = 0;
  int width = 0, ordered_width = 0;  // half-bandwidth K after the matching, after the order
  int kept_width = 0;                // after drop-off
  double kept = 1;                   // share of the sum of magnitudes
  int partitions = 0;
  std::vector<std::int32_t> widths;         // [partition] K_i after its own order
  int largest_tip = 0;                      // unknowns on one side of a cut that the other side sees, at most
  int boosted = 0;                          // pivots
  double numbers = 0, read = 0, flops = 0;  // kept; read in an application; of the set-up
  double matching_s = 0, order_s = 0, drop_s = 0, second_stage_s = 0, fill_s = 0, factor_s = 0, spikes_s = 0,
         reduced_s = 0;
  double seconds() const {
    return matching_s + order_s + drop_s + second_stage_s + fill_s + factor_s + spikes_s + reduced_s;
  }
};

// Columns that stay together, in this order: a multiplier right behind a coordinate that it holds.
struct Groups {
  std::vector<std::int32_t> start{0};  // [group + 1]
  std::vector<std::int32_t> member;    // columns
  int count() const { return static_cast<int>(start.size()) - 1; }
};

class SpikePlan {
 public:
  // Of matrices of one pattern. Orders are kept from the last time where the matching is the same: a plan is a function
  // of a and the options. False: rows are left for which there is no place on the diagonal.
  [[nodiscard]] bool make(const RowMatrix& a, const KrylovOptions& options, Team& team, SpikeReport& report);

  int size() const { return static_cast<int>(row_at.size()); }
  int partitions() const { return static_cast<int>(start.size()) - 1; }
  // Dropped: too far from the diagonal of the band.
  double scaled(const RowMatrix& a, int row, int entry) const {
    return row_scale[row] * a.values[entry] * column_scale[a.pattern.column[entry]];
  }
  bool keeps(int row, int column) const { return std::abs(row_band_[row] - column_band_[column]) <= kept_width_; }

  std::vector<std::int32_t> row_at, column_at;        // [place]
  std::vector<std::int32_t> row_place, column_place;  // [row], [column]
  std::vector<double> row_scale, column_scale;        // [row], [column]
  std::vector<std::int32_t> start;                    // [partition + 1] place

 private:
  bool match(const RowMatrix& a, const KrylovOptions& options);
  void order(const RowMatrix& a, const KrylovOptions& options);
  void drop(const RowMatrix& a, double keep, SpikeReport& report);
  void cut(int wanted);
  void second_stage(bool wanted, Team& team, SpikeReport& report);

  std::vector<std::int32_t> row_of_, last_row_of_;  // [column] that stands there with it
  Groups groups_, last_groups_;
  Graph graph_;                                       // of Q A + (Q A)^T, over columns
  std::vector<std::int32_t> group_order_;             // [place among groups] group, before partitions were ordered
  std::vector<std::int32_t> last_order_;              // as the ordering itself left it
  std::vector<std::int32_t> row_band_, column_band_;  // [row], [column] place in the band that drop-off is counted in
  std::vector<std::int32_t> cut_;                     // [partition + 1] place among groups
  int width_ = 0, ordered_width_ = 0, kept_width_ = 0;
};

}  // namespace lithe
