#include "lithe/elements/beam3243/resultant_kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/elements/beam3243/beam3243.h"
#include "lithe/elements/forward.h"

namespace lithe {

namespace {

constexpr double mean_square = 4.0 / 45;  // of xi^2 less its mean

// Coordinate vectors with r_x times L/2.
template <class T, class Load>
LITHE_FORCE_INLINE inline void scaled_vectors(const typename LaneTraits<T>::Data& half, Load&& load, Vec3<T>* x) {
  for (int i = 0; i < 8; ++i)
    for (int m = 0; m < 3; ++m) {
      x[i][m] = load(3 * i + m);
      if (i % 4 == 1) x[i][m] = half * x[i][m];
    }
}

BeamStrains<double> strains_of(const double* e, double half, BeamStations<double>& stations) {
  Vec3<double> x[8];
  scaled_vectors<double>(half, [&](int k) { return e[k]; }, x);
  stations.at(x);
  BeamStrains<double> strains;
  beam_strains_of(stations, strains);
  return strains;
}

template <bool symmetric, bool damped>
class BeamResultantKernel final : public BatchKernel {
  static constexpr int W = batched_width;

 public:
  explicit BeamResultantKernel(const ContinuumBatch& batch)
      : packs_((batch.elements + W - 1) / W), tau_(batch.section.front().tau) {
    numbers_.resize(static_cast<std::size_t>(packs_) * BeamNumbers::count * W);
    half_.resize(static_cast<std::size_t>(packs_) * W);
    for (int pack = 0; pack < packs_; ++pack)
      for (int lane = 0; lane < W; ++lane) {
        const int element = std::min(pack * W + lane, batch.elements - 1);  // the last pack repeats the last element
        half_[static_cast<std::size_t>(pack) * W + lane] = batch.half_size[3ul * element];
        const BeamNumberList one = beam_numbers(batch, element);
        for (int k = 0; k < BeamNumbers::count; ++k)
          numbers_[(static_cast<std::size_t>(pack) * BeamNumbers::count + k) * W + lane] = one[static_cast<std::size_t>(k)];
      }
  }

  int width() const override { return W; }
  int vectors() const override { return Beam3243::N; }
  int packs() const override { return packs_; }
  TangentForm form() const override { return symmetric ? TangentForm::symmetric : TangentForm::exact; }
  std::size_t scratch_doubles() const override { return 24ul * 24 * W; }
  std::size_t stored_bytes() const override { return sizeof(double) * (numbers_.size() + half_.size()); }
  // By hand: frames 3 x 61; strains 45 + 108 + 18; rates 3 x 69 + 135 + 216 + 30; field 57; resultants 144 + 26; force 27 +
  // 81 + 225 + 3 x 33 + 90.
  double force_flops() const override { return 183 + 171 + (damped ? 588 : 0) + 57 + 170 + 522; }
  // Forward differentiation along 21 directions: three operations for one on the average.
  double tangent_flops() const override { return (7 + 21 * 2.5) * force_flops(); }

  void force(int pack, const double* e, const double* v, double* f, double*, double*) const override {
    const Lanes half = LaneTraits<Lanes>::load(&half_[static_cast<std::size_t>(pack) * W], 0);
    Vec3<Lanes> x[8], rate[8], out[8];
    scaled_vectors<Lanes>(half, [&](int k) LITHE_FORCE_INLINE { return LaneTraits<Lanes>::load(e, k); }, x);
    if constexpr (damped)
      scaled_vectors<Lanes>(half, [&](int k) LITHE_FORCE_INLINE { return LaneTraits<Lanes>::load(v, k); }, rate);
    beam_resultant_force<damped, Lanes>(numbers(pack), tau_, x, rate, out);
    for (int i = 0; i < 8; ++i)
      for (int m = 0; m < 3; ++m)
        LaneTraits<Lanes>::store(f, 3 * i + m, i % 4 == 1 ? half * out[i][m] : out[i][m]);
  }

  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    const Lanes half = LaneTraits<Lanes>::load(&half_[static_cast<std::size_t>(pack) * W], 0);
    Lanes* full = reinterpret_cast<Lanes*>(scratch);  // [24][24]
    // One vector at a time; forces do not change when both ends move alike, so that r of node 0 follows from node 1.
    for (const int j : {1, 2, 3, 4, 5, 6, 7}) column(pack, e, v, c_q, c_v, half, j, full);
    for (int i = 0; i < 24; ++i)
      for (int n = 0; n < 3; ++n) full[24 * i + n] = -full[24 * i + 12 + n];
    int at = 0;
    for (int i = 0; i < 8; ++i)
      for (int j = symmetric ? i : 0; j < 8; ++j)
        for (int m = 0; m < 3; ++m)
          for (int n = 0; n < 3; ++n) {
            const Lanes one = full[24 * (3 * i + m) + 3 * j + n];
            if constexpr (symmetric)
              LaneTraits<Lanes>::store(K, at++, 0.5 * (one + full[24 * (3 * j + n) + 3 * i + m]));
            else LaneTraits<Lanes>::store(K, at++, one);
          }
  }

 private:
  using Direction = Forward<Lanes, 3>;

  // Columns of coordinate vector j of the tangent.
  LITHE_NOINLINE void column(int pack, const double* e, const double* v, double c_q, double c_v, const Lanes& half, int j,
                             Lanes* full) const {
    Vec3<Direction> x[8], rate[8], out[8];
    scaled_vectors<Direction>(
        half, [&](int k) LITHE_FORCE_INLINE { return Direction::constant(LaneTraits<Lanes>::load(e, k)); }, x);
    if constexpr (damped)
      scaled_vectors<Direction>(
          half, [&](int k) LITHE_FORCE_INLINE { return Direction::constant(LaneTraits<Lanes>::load(v, k)); }, rate);
    const Lanes scale = j % 4 == 1 ? half : Lanes{} + 1.0;
    for (int n = 0; n < 3; ++n) {
      x[j][n].d[n] = c_q * scale;
      if constexpr (damped) rate[j][n].d[n] = c_v * scale;
    }
    beam_resultant_force<damped, Direction>(numbers(pack), tau_, x, rate, out);
    for (int i = 0; i < 8; ++i)
      for (int m = 0; m < 3; ++m)
        for (int n = 0; n < 3; ++n)
          full[24 * (3 * i + m) + 3 * j + n] = i % 4 == 1 ? half * out[i][m].d[n] : out[i][m].d[n];
  }
  const double* numbers(int pack) const { return &numbers_[static_cast<std::size_t>(pack) * BeamNumbers::count * W]; }

  int packs_;
  double tau_;
  AlignedVector<double> numbers_;  // constructor | [pack][BeamNumbers][W]
  AlignedVector<double> half_;     // constructor | [pack][W] | m, L/2
};

}  // namespace

BeamNumberList beam_numbers(const ContinuumBatch& batch, int element) {
  using N = BeamNumbers;
  BeamNumberList out{};
  const double half = batch.half_size[3ul * element];
  BeamStations<double> stations;
  const BeamStrains<double> strains = strains_of(&batch.reference[24ul * element], half, stations);
  double j[3];
  for (int s = 0; s < 3; ++s) {
    j[s] = norm(stations.A[s]);
    out[N::inverse + s] = 1 / j[s];
    for (int k = 0; k < 3; ++k) out[N::gamma + 3 * s + k] = strains.gamma[s][k] / j[s];
  }
  const double length = (j[0] + 4 * j[1] + j[2]) / 3;
  const SectionLaw& law = batch.section.front();
  const double* C = law.of(element).data();
  for (int i = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) out[N::stiffness + BeamResultants<double>::upper_place(6, i, k)] = C[6 * i + k];
  out[N::length] = length;
  // As thick as long: the full stiffness. Slender: so little that bending without stretch stays free.
  const double slender = 12 * std::min(C[6 * 4 + 4], C[6 * 5 + 5]) / (C[0] * length * length);
  out[N::hourglass] = std::min(1.0, slender) * mean_square * length * C[0];
  out[N::across] = law.across;
  for (int k = 0; k < 3; ++k) out[N::curvature + k] = strains.curvature[k] / length;
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c) out[N::section + 3 * n + c] = strains.section[n][c];
  return out;
}

std::unique_ptr<BatchKernel> make_beam_resultant_kernel(const ContinuumBatch& batch, TangentForm form) {
  LITHE_INVARIANT(batch.elements > 0 && batch.section.size() == 1);
  if (form == TangentForm::exact) return std::make_unique<BeamResultantKernel<false, true>>(batch);
  if (batch.section.front().tau != 0) return std::make_unique<BeamResultantKernel<true, true>>(batch);
  return std::make_unique<BeamResultantKernel<true, false>>(batch);
}

namespace {

double beam_energy(const ContinuumBatch& batch, int element, const double* e) {
  const BeamNumberList numbers = beam_numbers(batch, element);
  BeamStations<double> stations;
  const BeamStrains<double> strains = strains_of(e, batch.half_size[3ul * element], stations);
  BeamField<double> field;
  field.of(numbers.data(), strains);
  BeamResultants<double> stress;
  stress.of(numbers.data(), field, strains);
  double energy = 0.5 * field.hourglass * stress.hourglass;
  for (int k = 0; k < 6; ++k) energy += 0.5 * (field.mean[k] * stress.mean[k] + field.slope[k] * stress.slope[k]);
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c)
      energy += 0.5 * stress.section[n][c] *
                (strains.section[n][c] - numbers[static_cast<std::size_t>(BeamNumbers::section + 3 * n + c)]);
  return energy;
}

// Strains of the section at xi: of the state, or their rates.
void beam_field(const ContinuumBatch& batch, int element, const double* e, const double* v, BeamField<double>& field) {
  BeamNumberList numbers = beam_numbers(batch, element);
  const double half = batch.half_size[3ul * element];
  BeamStations<double> stations;
  BeamStrains<double> strains = strains_of(e, half, stations);
  if (v) {
    Vec3<double> rate[8];
    scaled_vectors<double>(half, [&](int k) { return v[k]; }, rate);
    strains = BeamStrains<double>{};
    add_beam_rates(stations, rate, 1.0, strains);
    std::fill(numbers.begin() + BeamNumbers::gamma, numbers.end(), 0.0);
  }
  field.of(numbers.data(), strains);
}

void beam_generalised(const ContinuumBatch& batch, int element, const double* xi, const double* e, const double* v,
                      double* out) {
  BeamField<double> field;
  beam_field(batch, element, e, v, field);
  for (int k = 0; k < 6; ++k) out[k] = field.mean[k] + xi[0] * field.slope[k];
}

template <class T>
void force_of(const BeamNumberList& numbers, const double* resultants, const Vec3<T>* x, Vec3<T>* f) {
  BeamStations<T> stations;
  stations.at(x);
  BeamResultants<T> r{};
  for (int k = 0; k < 6; ++k) r.mean[k] = T(numbers[BeamNumbers::length] * resultants[k]);
  beam_force_of(numbers.data(), stations, r, f);
}

void beam_force(const ContinuumBatch& batch, int element, const double* e, const double* resultants, double* f, double* K) {
  const BeamNumberList numbers = beam_numbers(batch, element);
  const double half = batch.half_size[3ul * element];
  const auto scale = [&](int i) { return i % 4 == 1 ? half : 1.0; };
  Vec3<double> x[8], out[8];
  scaled_vectors<double>(half, [&](int k) { return e[k]; }, x);
  force_of(numbers, resultants, x, out);
  for (int i = 0; i < 24; ++i) f[i] = scale(i / 3) * out[i / 3][i % 3];
  if (!K) return;
  using Direction = Forward<double, 3>;
  for (int j = 0; j < 8; ++j) {
    Vec3<Direction> y[8], force[8];
    for (int i = 0; i < 24; ++i) y[i / 3][i % 3] = Direction(x[i / 3][i % 3]);
    for (int n = 0; n < 3; ++n) y[j][n].d[n] = scale(j);
    force_of(numbers, resultants, y, force);
    for (int i = 0; i < 24; ++i)
      for (int n = 0; n < 3; ++n) K[24 * i + 3 * j + n] = scale(i / 3) * force[i / 3][i % 3].d[n];
  }
}

// Plane sections: no warping.
void beam_strain(const ContinuumBatch& batch, int element, const double* xi, const double* e, const double* v, double* E,
                 double* rate) {
  const double y = xi[1] * batch.half_size[3ul * element + 1], z = xi[2] * batch.half_size[3ul * element + 2];
  for (double* out : {E, rate}) {
    double s[6];
    beam_generalised(batch, element, xi, e, out == rate ? v : nullptr, s);
    std::fill(out, out + 6, 0.0);
    out[0] = s[0] + z * s[4] - y * s[5];
    out[5] = s[1] - z * s[3];
    out[4] = s[2] + y * s[3];
  }
}

}  // namespace

constinit const SectionForm beam_section_form{beam_strains, make_beam_resultant_kernel, beam_energy, beam_strain,
                                              beam_generalised, beam_force};

}  // namespace lithe
