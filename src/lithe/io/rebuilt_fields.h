// Fields of reduced bodies, from the few numbers that results hold of them (P2 eq. 58), with Z and E of their base:
//
//   coordinates = R (Z + E reduced_coordinates),   velocities = R E reduced_rates,   R the rotation of the row,
//
// positions, displacements and the stress at the nodes from these. A run integrates the coordinates in full: what of
// them lies outside the span of E, as it is turned at that row, is not in a result.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "lithe/io/results.h"

namespace lithe {

class FieldRebuilder {
 public:
  FieldRebuilder();
  ~FieldRebuilder();

  // Whether results have this field of the body, and not in their arrays.
  static bool makes(const ResultInfo& info, const ResultBody& body, const std::string& field);
  // The same bits whichever rows are asked for together.
  ResultArray make(const ResultSource& source, const ResultBody& body, const std::string& field, RowRange rows);

 private:
  class Stress;
  ResultArray von_mises(const ResultSource& source, const ResultBody& body, RowRange rows);

  std::mutex alone_;
  std::map<std::string, std::unique_ptr<Stress>> stress_;  // by the names of bodies, made when first needed
};

}  // namespace lithe
