#include "lithe/model/materials.h"

#include "lithe/base/describe.h"

namespace lithe {

LITHE_DESCRIBE(Isotropic, "isotropic", "isotropic St. Venant-Kirchhoff with Kelvin-Voigt damping") {
  visit("E", &Isotropic::E,
        Field{.help = "Young's modulus",
              .unit = "Pa",
              .required = true,
              .allowed = positive,
              .usual_low = 1e3,
              .usual_high = 2e12});
  visit("nu", &Isotropic::nu, Field{.help = "Poisson's ratio", .allowed = poisson_ratio});
  visit("density", &Isotropic::density,
        Field{.help = "mass density", .unit = "kg/m^3", .allowed = not_negative, .usual_low = 1, .usual_high = 3e4});
  visit("damping", &Isotropic::damping,
        Field{.help = "Kelvin-Voigt coefficient tau: S = D (E + tau dE/dt)", .unit = "s", .allowed = not_negative});
}

LITHE_DESCRIBE(Orthotropic, "orthotropic", "orthotropic along the axes of the body or layer") {
  const Field modulus{
      .help = "modulus", .unit = "Pa", .required = true, .allowed = positive, .usual_low = 1e3, .usual_high = 2e12};
  visit("E1", &Orthotropic::E1, modulus);
  visit("E2", &Orthotropic::E2, modulus);
  visit("E3", &Orthotropic::E3, modulus);
  visit("nu12", &Orthotropic::nu12, Field{.help = "Poisson's ratio: strain along 2 under stress along 1"});
  visit("nu13", &Orthotropic::nu13, Field{.help = "Poisson's ratio: strain along 3 under stress along 1"});
  visit("nu23", &Orthotropic::nu23, Field{.help = "Poisson's ratio: strain along 3 under stress along 2"});
  visit("G12", &Orthotropic::G12, modulus);
  visit("G13", &Orthotropic::G13, modulus);
  visit("G23", &Orthotropic::G23, modulus);
  visit("density", &Orthotropic::density,
        Field{.help = "mass density", .unit = "kg/m^3", .allowed = not_negative, .usual_low = 1, .usual_high = 3e4});
  visit("damping", &Orthotropic::damping,
        Field{.help = "Kelvin-Voigt coefficient tau", .unit = "s", .allowed = not_negative});
}

}  // namespace lithe
