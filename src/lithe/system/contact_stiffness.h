// Stiffness of penalty contacts where the model gives none, Hertz's for any exponent,
//
//   F = 4/3 E* R*^2 (d / R*)^exponent,    1/E* = sum (1 - nu^2) / E,    1/R* = sum 1 / R,
//
// of both sides; 4/3 E* sqrt(R*) for the exponent 3/2. R of a ball, a rod or a cable is its radius, of a flexible face
// half the mean length of its edges at rest: a point of contact stands for one of its corners, which gives way with
// what is as large as an element. Flat rigid faces have no R, rigid bodies and obstacles no material: they do not give
// way.
#pragma once

#include <vector>

namespace lithe {

struct System;
class ContactSurfaces;

class ContactStiffness {
 public:
  // Throws InputError where two may touch that both have no material, and their contact gives no stiffness.
  ContactStiffness(const System& system, const ContactSurfaces& surfaces);
  // N/m^exponent, of a point of contact between two surfaces by an entry of model.contacts.
  double of(int entry, int surface, int other) const;

 private:
  const System& system_;
  std::vector<double> compliance_;  // [surface] (1 - nu^2) / E
  std::vector<double> curvature_;   // [surface] 1 / R
};

}  // namespace lithe
