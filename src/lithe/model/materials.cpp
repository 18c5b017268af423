#include "lithe/model/materials.h"

#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/spot.h"

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
  visit("expansion", &Isotropic::expansion, Field{.help = "thermal expansion", .unit = "1/K"});
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
  visit("expansion", &Orthotropic::expansion, Field{.help = "thermal expansion along 1, 2 and 3", .unit = "1/K"});
}

// ---- rules ----

void check(const Spot& here, const Material& material) {
  const Orthotropic* m = std::get_if<Orthotropic>(&material);
  if (!m) return;
  // Positive definite compliance: nu_ij^2 < E_i/E_j for each pair, and its determinant (times E1 E2 E3) positive.
  const struct {
    const char* key;
    double nu, a, b;
    const char* ratio;
  } pairs[] = {{"nu12", m->nu12, m->E1, m->E2, "E1/E2"},
               {"nu13", m->nu13, m->E1, m->E3, "E1/E3"},
               {"nu23", m->nu23, m->E2, m->E3, "E2/E3"}};
  for (const auto& p : pairs)
    if (!(p.nu * p.nu < p.a / p.b))
      here[p.key].fail("this is " + number_text(p.nu) + ", but it must be below sqrt(" + p.ratio +
                       ") = " + short_text(std::sqrt(p.a / p.b)) +
                       " in size, or the material would release energy when strained");
  const double n12 = m->nu12 * m->nu12 * m->E2 / m->E1, n13 = m->nu13 * m->nu13 * m->E3 / m->E1,
               n23 = m->nu23 * m->nu23 * m->E3 / m->E2;
  const double rest = 1 - n12 - n13 - n23 - 2 * m->nu12 * m->nu13 * m->nu23 * m->E3 / m->E1;
  if (!(rest > 0))
    here.fail(
        "nu12, nu13 and nu23 are too large together: 1 - nu12^2 E2/E1 - nu13^2 E3/E1 - nu23^2 E3/E2 - "
        "2 nu12 nu13 nu23 E3/E1 is " +
        short_text(rest) + ", but it must be greater than 0; reduce one of them");
}

}  // namespace lithe
