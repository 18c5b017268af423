// Sweeps of Gauss and Seidel over an island: contact by contact the local problem is solved exactly with what all
// others have by then (Jean and Moreau's nonsmooth contact dynamics).
//
// Contacts are coloured: those of one colour do not couple, so that their order means nothing and threads share them.
// Colours follow each other in a fixed order, and the bits are the same for any number of threads.
//
// Momentum. Blows go through a heap one contact a sweep; momentum (Nesterov 1983) makes of N sweeps about sqrt(N). A
// sweep S begins where the last two point to,
//
//   y = P_K(R_k + (t_k - 1) / t_(k+1) (R_k - R_(k-1))),   R_(k+1) = S(y),   t_(k+1) = (1 + sqrt(1 + 4 t_k^2)) / 2,
//
// and a contact that the sweep leads back, (R_(k+1) - y) . (R_(k+1) - R_k) < 0, begins again with t = 1 (O'Donoghue and
// Candes 2015; here each contact by itself, since with friction some spots swing while others are on their way) and
// may not come as far again: t <= 30 * 0.8^(times it was led back). What swings for ever so ends in plain sweeps. Where
// plain sweeps contract fast (a wedge, a block on a floor) momentum would overshoot: it begins when six of them have
// not brought the change of a sweep down by 2.5.
//
// Sleep. A contact is visited when a neighbour's impulse has moved since it last said so, by more than `quiet`. Late
// sweeps cost what is still going on.
#pragma once

#include "lithe/contact/contact_method.h"
#include "lithe/contact/local_contact.h"

namespace lithe {

class GaussSeidel {
 public:
  // Takes memory; sweeps take none.
  void prepare(const ContactIsland& island);
  // All contacts, without momentum. The largest w_k |change of R_k|, m/s.
  double sweep(const ContactIsland& island, std::vector<double>& R);
  // With momentum and sleep, from begin() on; quiet: m/s, as w_k |change of R_k|.
  void begin(const ContactIsland& island, const std::vector<double>& R, double quiet);
  double sweep_on(const ContactIsland& island, std::vector<double>& R);
  // Looks at all contacts again.
  void wake(double quiet);

 private:
  void find_colours(const ContactProblem& problem);
  template <class Visit>
  double in_colours(const ContactIsland& island, Visit&& visit);
  double improve(const ContactProblem& problem, int k, double* R);
  void go_on(const ContactIsland& island, int k, std::vector<double>& R);
  double visit(const ContactIsland& island, int k, std::vector<double>& R);
  void look_back(int k, const std::vector<double>& R);
  void tell(const ContactIsland& island, int k, const Vec3<double>& R);

  std::vector<LocalContact> local_;         // [contact]
  std::vector<const double*> block_;        // [contact] W_kk
  std::vector<std::int32_t> colour_;        // [contact]
  std::vector<std::int32_t> colour_start_;  // [colour + 1] into order_
  std::vector<std::int32_t> order_;         // contacts by colour
  std::vector<std::int32_t> taken_;         // [colour] last contact with a neighbour of this colour
  std::vector<double> change_;              // [task of a colour]
  std::vector<double> last_, begin_;        // [contact][3] after the sweep before, where this one begins
  std::vector<double> told_;                // [contact][3] what its neighbours know
  std::vector<double> momentum_, most_;     // [contact] t, and what it may become
  std::vector<std::uint8_t> awake_;         // [contact] to be visited
  std::vector<std::uint8_t> moving_;  // [contact] goes on, or has moved in this sweep; of others last_ = begin_ = R
  double quiet_ = 0, mark_ = 0;       // m/s; change of the last sweep of six
  int plain_ = 0;                     // sweeps without momentum
  bool has_momentum_ = false;
};

}  // namespace lithe
