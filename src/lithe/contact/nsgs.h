// Gauss-Seidel until the natural map is small. The change of a sweep is measured as it goes; where it has become small
// the velocities of the whole island are made and the natural map decides.
#pragma once

#include "lithe/contact/gauss_seidel.h"

namespace lithe {

class Nsgs final : public ContactMethod {
 public:
  ContactReport solve(const ContactIsland& island, const ContactGoal& goal, std::vector<double>& R,
                      std::vector<double>& U) override;
  // The same in bunches: sweeps go on where they were.
  void begin(const ContactIsland& island, const ContactGoal& goal, const std::vector<double>& R);
  ContactReport go_on(const ContactIsland& island, int sweeps, std::vector<double>& R, std::vector<double>& U);

 private:
  GaussSeidel sweeps_;
  double tolerance_ = 0, small_ = 0, best_ = 0;  // m/s, of changes
  int used_ = 0, best_at_ = 0;
};

}  // namespace lithe
