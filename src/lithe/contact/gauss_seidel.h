// Sweeps of Gauss and Seidel over an island: contact by contact the local problem is solved exactly with what all
// others have by then (Jean and Moreau's nonsmooth contact dynamics).
//
// Contacts are coloured: those of one colour do not couple, so that their order means nothing and threads share them.
// Colours follow each other in a fixed order, and the bits are the same for any number of threads.
#pragma once

#include "lithe/contact/contact_method.h"
#include "lithe/contact/local_contact.h"

namespace lithe {

class GaussSeidel {
 public:
  // Takes memory; sweeps take none.
  void prepare(const ContactIsland& island);
  // The largest w_k |change of R_k|, m/s.
  double sweep(const ContactIsland& island, std::vector<double>& R);

 private:
  void find_colours(const ContactProblem& problem);
  double improve(const ContactProblem& problem, int k, double* R);

  std::vector<LocalContact> local_;         // [contact]
  std::vector<const double*> block_;        // [contact] W_kk
  std::vector<std::int32_t> colour_;        // [contact]
  std::vector<std::int32_t> colour_start_;  // [colour + 1] into order_
  std::vector<std::int32_t> order_;         // contacts by colour
  std::vector<std::int32_t> taken_;         // [colour] last contact with a neighbour of this colour
  std::vector<double> change_;              // [task of a colour]
};

}  // namespace lithe
