// spike: truncated SPIKE of the reordered matrix, by default in single precision (P3 section 3.1.3).
#include "lithe/linalg/krylov/preconditioner.h"
#include "lithe/linalg/spike/spike_solver.h"

namespace lithe {

namespace {

template <class T>
class SpikePreconditioner final : public Preconditioner {
 public:
  explicit SpikePreconditioner(const PreconditionerCase& of) : options_(of.options), team_(of.team ? *of.team : own_) {}

  FactorReport make(const RowMatrix& a, const std::vector<double>&) override {
    FactorReport report;
    if (!spike_.factor(a, options_, team_)) {
      report.reason = FactorReport::Reason::singular;
      report.usable = false;
    }
    return report;
  }
  void apply(std::span<const double> r, std::span<double> z, bool transposed) override {
    spike_.solve(r, z, transposed, team_);
  }
  // Each partition's factors are swept over twice.
  double nonzeros() const override { return spike_.report().read; }
  double flops() const override { return spike_.report().flops; }
  std::vector<PreconditionerFigure> figures() const override {
    const SpikeReport& r = spike_.report();
    double widest = 0, mean = 0;
    for (const int width : r.widths) {
      widest = std::max<double>(widest, width);
      mean += static_cast<double>(width) / r.partitions;
    }
    return {{"bandwidth", double(r.width)},
            {"ordered_bandwidth", double(r.ordered_width)},
            {"kept_bandwidth", double(r.kept_width)},
            {"kept_share", r.kept},
            {"partitions", double(r.partitions)},
            {"mean_partition_bandwidth", mean},
            {"largest_partition_bandwidth", widest},
            {"largest_tips", double(r.largest_tip)},
            {"boosted_pivots", double(r.boosted)},
            {"numbers", r.numbers},
            {"matching_s", r.matching_s},
            {"ordering_s", r.order_s},
            {"drop_off_s", r.drop_s},
            {"second_stage_s", r.second_stage_s},
            {"fill_s", r.fill_s},
            {"factor_s", r.factor_s},
            {"spikes_s", r.spikes_s},
            {"reduced_s", r.reduced_s}};
  }

 private:
  const KrylovOptions options_;
  Team own_{1};
  Team& team_;
  SpikeSolver<T> spike_;
};

}  // namespace

std::unique_ptr<Preconditioner> make_spike(const PreconditionerCase& of) {
  if (of.options.precision == SpikePrecision::single) return std::make_unique<SpikePreconditioner<float>>(of);
  return std::make_unique<SpikePreconditioner<double>>(of);
}

}  // namespace lithe
