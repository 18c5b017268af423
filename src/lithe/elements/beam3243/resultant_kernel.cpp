#include "lithe/elements/beam3243/resultant_kernel.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/elements/beam3243/beam3243.h"
#include "lithe/elements/beam3243/resultant_tangent.h"
#include "lithe/elements/dual_lanes.h"

namespace lithe {

namespace {

constexpr double mean_square = 4.0 / 45;  // of xi^2 less its mean

BeamStrains<double> strains_of(const double* e, double half, BeamStations<double>& stations) {
  Vec3<double> x[8];
  beam_vectors<double>(half, e, x);
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
          numbers_[(static_cast<std::size_t>(pack) * BeamNumbers::count + k) * W + lane] =
              one[static_cast<std::size_t>(k)];
      }
  }

  int width() const override { return W; }
  int vectors() const override { return Beam3243::N; }
  int packs() const override { return packs_; }
  TangentForm form() const override { return symmetric ? TangentForm::symmetric : TangentForm::exact; }
  std::size_t scratch_doubles() const override { return 24ul * 24 * W; }
  std::size_t stored_bytes() const override { return sizeof(double) * (numbers_.size() + half_.size()); }
  double force_flops() const override { return beam_force_flops(damped); }
  double tangent_flops() const override { return beam_tangent_flops(damped); }

  void force(int pack, const double* e, const double* v, double* f, double*, double*) const override {
    beam_element_force<damped, Lanes>(numbers(pack), tau_, half(pack), e, v, f);
  }
  void tangent(int pack, const double* e, const double* v, double c_q, double c_v, double* K, const double*,
               double* scratch) const override {
    beam_element_tangent<damped, symmetric, Lanes>(numbers(pack), tau_, half(pack), e, v, c_q, c_v, K,
                                                   reinterpret_cast<Lanes*>(scratch));
  }
  bool has_product() const override { return true; }
  void product(int pack, const ContinuumBatch&, const double* e, const double* v, double* f, double*) const override {
    beam_element_force<damped, DualLanes<Lanes>>(numbers(pack), tau_, half(pack), e, v, f);
  }

 private:
  const double* numbers(int pack) const { return &numbers_[static_cast<std::size_t>(pack) * BeamNumbers::count * W]; }
  const double* half(int pack) const { return &half_[static_cast<std::size_t>(pack) * W]; }

  int packs_;
  double tau_;
  AlignedVector<double> numbers_;  // constructor | [pack][BeamNumbers][W]
  AlignedVector<double> half_;     // constructor | [pack][W] | m, L/2
};

}  // namespace

namespace {

// Mean and slope over the element of the six strains of the section, and the quadratic part of the stretch, from the
// measures: rows mean [6], slope [6], quadratic.
struct BeamField {
  double row[13][beam_measures] = {};
  double length = 0;

  explicit BeamField(const BeamStations<double>& reference) {
    double j[3];
    for (int s = 0; s < 3; ++s) j[s] = norm(reference.A[s]);
    length = (j[0] + 4 * j[1] + j[2]) / 3;
    const auto at = [&](int r, int s, int k, double c) { row[r][3 * s + k] += c / j[s]; };
    for (int s = 0; s < 3; ++s) {
      at(0, s, 0, s == 1 ? 4.0 / 6 : 1.0 / 6);
      at(12, s, 0, s == 1 ? -1.0 : 0.5);
    }
    for (int k = 0; k < 3; ++k) {
      if (k > 0)
        for (const int s : {0, 2}) at(k, s, k, 0.5);
      at(6 + k, 0, k, -0.5);
      at(6 + k, 2, k, 0.5);
      row[3 + k][9 + k] = 1 / length;
    }
    // theta_3 takes Gamma_2's bubble times (xi^2 - 1), theta_2 that of -Gamma_3; 2 xi / j is 4 xi / length.
    for (int s = 0; s < 3; ++s) {
      const double difference = s == 1 ? -1.0 : 0.5;
      at(10, s, 2, -4 / length * difference);
      at(11, s, 1, 4 / length * difference);
    }
  }
};

}  // namespace

BeamNumberList beam_numbers(const ContinuumBatch& batch, int element) {
  using N = BeamNumbers;
  BeamNumberList out{};
  BeamStations<double> stations;
  const BeamStrains<double> strains =
      strains_of(&batch.reference[24ul * element], batch.half_size[3ul * element], stations);
  const SectionLaw& law = batch.section.front();
  const double* C = law.of(element).data();
  const BeamField field(stations);
  for (int p = 0; p < beam_measures; ++p)
    for (int q = p; q < beam_measures; ++q) {
      double sum = mean_square * C[0] * field.row[12][p] * field.row[12][q];
      for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
          sum += C[6 * i + k] * (field.row[i][p] * field.row[k][q] + field.row[6 + i][p] * field.row[6 + k][q] / 3);
      out[static_cast<std::size_t>(beam_place(p, q))] = field.length * sum;
    }
  for (int p = 0; p < beam_measures; ++p) out[static_cast<std::size_t>(N::reference + p)] = strains.measure[p];
  out[N::across] = 0.5 * field.length * law.across;
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c) out[static_cast<std::size_t>(N::section + 3 * n + c)] = strains.section[n][c];
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
  BeamForces<double> forces;
  forces.of(numbers.data(), strains);
  double energy = 0;
  for (int p = 0; p < beam_measures; ++p)
    energy +=
        0.5 * forces.measure[p] * (strains.measure[p] - numbers[static_cast<std::size_t>(BeamNumbers::reference + p)]);
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 3; ++c)
      energy += 0.5 * forces.section[n][c] *
                (strains.section[n][c] - numbers[static_cast<std::size_t>(BeamNumbers::section + 3 * n + c)]);
  return energy;
}

// Strains of the section at xi: of the state, or their rates.
void beam_generalised(const ContinuumBatch& batch, int element, const double* xi, const double* e, const double* v,
                      double* out) {
  const double half = batch.half_size[3ul * element];
  BeamStations<double> reference, stations;
  const BeamStrains<double> before = strains_of(&batch.reference[24ul * element], half, reference);
  BeamStrains<double> strains = strains_of(e, half, stations);
  if (v) {
    Vec3<double> rate[8];
    beam_vectors<double>(half, v, rate);
    const BeamStretch<double> stretch(strains);
    strains = BeamStrains<double>{};
    add_beam_rates(stations, stretch, rate, 1.0, strains);
  } else {
    for (int p = 0; p < beam_measures; ++p) strains.measure[p] -= before.measure[p];
  }
  const BeamField field(reference);
  for (int k = 0; k < 6; ++k) {
    out[k] = 0;
    for (int p = 0; p < beam_measures; ++p)
      out[k] += (field.row[k][p] + xi[0] * field.row[6 + k][p]) * strains.measure[p];
  }
}

void beam_force(const ContinuumBatch& batch, int element, const double* e, const double* resultants, double* f,
                double* K) {
  const double half = batch.half_size[3ul * element];
  const auto scale = [&](int i) { return i % 4 == 1 ? half : 1.0; };
  BeamStations<double> reference, stations;
  strains_of(&batch.reference[24ul * element], half, reference);
  const BeamField field(reference);
  BeamForces<double> forces{};
  for (int p = 0; p < beam_measures; ++p)
    for (int k = 0; k < 6; ++k) forces.measure[p] += field.length * field.row[k][p] * resultants[k];
  Vec3<double> x[8], out[8];
  beam_vectors<double>(half, e, x);
  BeamForces<double> spread = forces;
  BeamStretch<double>(strains_of(e, half, stations)).spread(spread.measure);
  beam_force_of(stations, spread, out);
  for (int i = 0; i < 24; ++i) f[i] = scale(i / 3) * out[i / 3][i % 3];
  if (!K) return;
  const BeamNumberList none{};  // no stiffness: what is left is the forces' part
  beam_resultant_tangent<false, double>(none.data(), 0, x, nullptr, 1, 0, K, &forces);
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < 24; ++j)
      if (j / 3 >= i / 3) K[24 * i + j] *= scale(i / 3) * scale(j / 3);
      else K[24 * i + j] = 0;
  for (int i = 0; i < 24; ++i)
    for (int j = 0; j < i - i % 3; ++j) K[24 * i + j] = K[24 * j + i];
}

// Plane sections: no warping.
void beam_strain(const ContinuumBatch& batch, int element, const double* xi, const double* e, const double* v,
                 double* E, double* rate) {
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

constinit const SectionForm beam_section_form{beam_strains, make_beam_resultant_kernel, beam_energy,
                                              beam_strain,  beam_generalised,           beam_force};

}  // namespace lithe
