// Contact problems in the form of the Frictional Contact Library (FCLIB 3.1; Acary, Bremond, Koziara and Perignon),
// which Siconos and collections of problems understand: its "local" problem U = W R + q, with friction mu of each
// contact.
//
//   /fclib_local              spacedim = 3
//   /fclib_local/W            sparse: m, n rows and columns, nzmax entries x; nz = -2 by rows (p: [m + 1] starts, i:
//                             columns), -1 by columns, else their number, (p, i) = (row, column)
//   /fclib_local/vectors      q, mu
//   /fclib_local/info         title
//   /guesses/1, /solution     u, r
//
// W is written by rows; all three forms are read. Impulses that are given (joint friction) have no place there.
#pragma once

#include <string>
#include <vector>

#include "lithe/contact/contact_problem.h"

namespace lithe {

struct ContactFile {
  ContactProblem problem;
  std::vector<double> guess;                   // [contact][3] impulses, or none
  std::vector<double> solution_R, solution_U;  // [contact][3], or none
  std::string title;
};

// Throw RunError with the file's name.
void write_fclib(const std::string& path, const ContactFile& file);
ContactFile read_fclib(const std::string& path);

}  // namespace lithe
