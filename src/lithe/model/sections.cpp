#include "lithe/model/sections.h"

#include <algorithm>
#include <cmath>

#include "lithe/base/describe.h"
#include "lithe/model/length_field.h"
#include "lithe/model/section_mesh.h"
#include "lithe/model/section_taper.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {

constexpr Field offset_field{.help = "the beam's line, y and z from the centroid of the section", .unit = "m"};

Field optional_length(const char* help) {
  Field field = length_field(help);
  field.required = false;
  return field;
}

}  // namespace

LITHE_DESCRIBE(Rectangle, "rectangle", "rectangular section of a beam") {
  visit("width", &Rectangle::width, length_field("width, along the body's y"));
  visit("thickness", &Rectangle::thickness, length_field("thickness, along the body's z"));
  visit("shear_factors", &Rectangle::shear_factors,
        Field{.help = "shear factors of the 13 and 12 components; default 10(1+nu)/(12+11nu) for both",
              .allowed = positive});
  visit("offset", &Rectangle::offset, offset_field);
}

LITHE_DESCRIBE(Circle, "circle", "round section of a cable or beam") {
  visit("radius", &Circle::radius, length_field("radius"));
  visit("offset", &Circle::offset, offset_field);
}

LITHE_DESCRIBE(Bar, "bar", "section of a cable given by its area and second moment, or by its stiffness") {
  visit("area", &Bar::area,
        Field{.help = "area; needed where EA is not given", .unit = "m^2", .allowed = not_negative});
  visit("inertia", &Bar::inertia, Field{.help = "second moment of area", .unit = "m^4", .allowed = not_negative});
  visit("EA", &Bar::EA, Field{.help = "in place of E times area", .unit = "N", .allowed = not_negative});
  visit("EI", &Bar::EI, Field{.help = "in place of E times inertia", .unit = "N m^2", .allowed = not_negative});
  visit("mass", &Bar::mass,
        Field{.help = "mass per length, in place of density times area", .unit = "kg/m", .allowed = not_negative});
}

LITHE_DESCRIBE(Tube, "tube", "round hollow section of a beam or cable") {
  visit("radius", &Tube::radius, length_field("outer radius"));
  visit("wall", &Tube::wall, length_field("thickness of the wall"));
  visit("offset", &Tube::offset, offset_field);
}

LITHE_DESCRIBE(Box, "box", "rectangular hollow section of a beam") {
  visit("width", &Box::width, length_field("outer width, along the body's y"));
  visit("height", &Box::height, length_field("outer height, along the body's z"));
  visit("wall", &Box::wall, length_field("thickness of the walls"));
  visit("top_wall", &Box::top_wall, optional_length("thickness of the walls across z; default: wall"));
  visit("offset", &Box::offset, offset_field);
}

LITHE_DESCRIBE(ISection, "I", "section of a beam with a web along z and two flanges along y") {
  visit("height", &ISection::height, length_field("whole height, along the body's z"));
  visit("width", &ISection::width, length_field("width of the flanges, along the body's y"));
  visit("flange", &ISection::flange, length_field("thickness of the flanges"));
  visit("web", &ISection::web, length_field("thickness of the web"));
  visit("bottom_width", &ISection::bottom_width, optional_length("width of the flange at -z; default: width"));
  visit("bottom_flange", &ISection::bottom_flange, optional_length("thickness of the flange at -z; default: flange"));
  visit("offset", &ISection::offset, offset_field);
}

LITHE_DESCRIBE(ChannelSection, "channel", "section of a beam with a web along z and two flanges towards y") {
  visit("height", &ChannelSection::height, length_field("whole height, along the body's z"));
  visit("width", &ChannelSection::width, length_field("whole width, along the body's y"));
  visit("flange", &ChannelSection::flange, length_field("thickness of the flanges"));
  visit("web", &ChannelSection::web, length_field("thickness of the web"));
  visit("offset", &ChannelSection::offset, offset_field);
}

LITHE_DESCRIBE(AngleSection, "angle", "section of a beam with a leg towards y and a leg towards z") {
  visit("height", &AngleSection::height, length_field("length of the leg along the body's z, with the corner"));
  visit("width", &AngleSection::width, length_field("length of the leg along the body's y, with the corner"));
  visit("thickness", &AngleSection::thickness, length_field("thickness of both legs"));
  visit("offset", &AngleSection::offset, offset_field);
}

LITHE_DESCRIBE(Polygon, "polygon", "section of a beam of any outline") {
  visit("points", &Polygon::points, Field{.help = "corners [y, z], in order around it", .unit = "m", .required = true});
  visit("holes", &Polygon::holes, Field{.help = "corners [y, z] of each hole, in order around it", .unit = "m"});
  visit("offset", &Polygon::offset, offset_field);
}

LITHE_DESCRIBE(General, "general",
               "section of a beam given by its stiffness and mass; of the material only damping and expansion count") {
  visit(
      "stiffness", &General::stiffness,
      Field{.help = "of stretch, shear along y and z, twist, curvature about y and z: EA, GA_y, GA_z, GJ, EI_y, EI_z, "
                    "or the whole matrix",
            .unit = "N, N m, N m^2",
            .required = true});
  visit("mass", &General::mass, Field{.help = "mass per length", .unit = "kg/m", .allowed = not_negative});
  visit("mass_first", &General::mass_first, Field{.help = "integrals of density times y, z", .unit = "kg"});
  visit("mass_second", &General::mass_second, Field{.help = "integrals of density times yy, zz, yz", .unit = "kg m"});
  visit("centroid", &General::centroid,
        Field{.help = "y, z of the point that EA, EI_y and EI_z are about (with six stiffnesses)", .unit = "m"});
  visit("shear_centre", &General::shear_centre,
        Field{.help = "y, z of the point that GA_y, GA_z and GJ are about (with six stiffnesses)", .unit = "m"});
  visit("offset", &General::offset,
        Field{.help = "the beam's line, y and z from the point that all of this is about", .unit = "m"});
}

LITHE_DESCRIBE(Tapered, "tapered", "section of a beam that changes evenly along its line, between two of one type") {
  visit("from", &Tapered::from, Field{.help = "name of the section at the start", .required = true});
  visit("to", &Tapered::to, Field{.help = "name of the section at the end", .required = true});
}

void Custom<StiffnessMatrix>::read(const Value& value, StiffnessMatrix& out) {
  if (value.kind != Value::Kind::list || value.items.size() != 6)
    throw InputError(value.where, "a list of 6 numbers, or of 6 rows of 6, is expected, but this is " + spoken(value));
  Reading reading;
  out = {};
  const Value& head = value.items[0];
  out.diagonal = head.kind != Value::Kind::list && head.kind != Value::Kind::numbers;
  if (!out.diagonal) return read_value(value, out.rows, Field{}, reading);
  std::array<double, 6> diagonal;
  read_value(value, diagonal, Field{}, reading);
  for (int i = 0; i < 6; ++i) out.rows[i][i] = diagonal[i];
}
Value Custom<StiffnessMatrix>::write(const StiffnessMatrix& x) {
  if (!x.diagonal) return write_value(x.rows);
  std::array<double, 6> diagonal;
  for (int i = 0; i < 6; ++i) diagonal[i] = x.rows[i][i];
  return write_value(diagonal);
}

LITHE_DESCRIBE(Plate, "plate", "shell or plate of one layer") {
  visit("thickness", &Plate::thickness, length_field("thickness"));
}

LITHE_DESCRIBE(Layer, "layer", "one layer of a shell") {
  visit("thickness", &Layer::thickness, length_field("thickness of the layer"));
  visit("angle", &Layer::angle,
        Field{.help = "from the body's x to the material's 1, about the normal", .unit = "deg"});
  visit("material", &Layer::material, Field{.help = "name of a material; default: the body's"});
}

LITHE_DESCRIBE(Layered, "layered", "shell of several layers, bottom first") {
  visit("layers", &Layered::layers, Field{.help = "the layers, bottom first", .required = true});
}

// ---- rules ----

namespace {

// The value under `key` must be below `limit`, which is `what`.
void below(const Spot& here, const char* key, double value, double limit, const std::string& what) {
  if (!(value < limit))
    here[key].fail("this is " + number_text(value) + " m, but it must be below " + what + " = " + short_text(limit) +
                   " m");
}

struct SectionRules {
  const Spot& here;

  void operator()(const Layered& s) const {
    if (s.layers.empty())
      here["layers"].fail("the list of layers is empty; give at least one {thickness, angle, material}");
    for (std::size_t i = 0; i < s.layers.size(); ++i)
      if (const std::string& material = s.layers[i].material; !material.empty())
        existing(here["layers"][i]["material"], "material", "materials", here.model().materials, material);
  }
  void operator()(const Bar& s) const {
    if (s.area == 0 && s.EA == 0)
      here.fail("'area' is missing (area, m^2); give 'area' and 'inertia', or the stiffness itself as 'EA' and 'EI'");
    if (s.area == 0 && s.mass == 0 && first_dynamic(here.analysis()) < here.analysis().size())
      here.fail("'mass' is missing (mass per length, kg/m): without an area the density does not give it");
  }
  void operator()(const Tube& s) const {
    if (!(s.wall < s.radius))
      here["wall"].fail("this is " + number_text(s.wall) + " m, but it must be below radius = " +
                        number_text(s.radius) + " m; a section without a hole is 'type: circle'");
  }
  void operator()(const Box& s) const {
    below(here, "wall", s.wall, s.width / 2, "width/2");
    below(here, s.top_wall ? "top_wall" : "wall", s.top_wall.value_or(s.wall), s.height / 2, "height/2");
    meshable(s);
  }
  void operator()(const ISection& s) const {
    const double bottom = s.bottom_flange.value_or(s.flange);
    if (!(s.flange + bottom < s.height))
      here["flange"].fail(
          "the flanges are " + short_text(s.flange + bottom) +
          " m thick together, but they must leave room for a web within height = " + number_text(s.height) + " m");
    below(here, "web", s.web, std::min(s.width, s.bottom_width.value_or(s.width)), "the width of the narrower flange");
    meshable(s);
  }
  void operator()(const ChannelSection& s) const {
    below(here, "flange", s.flange, s.height / 2, "height/2");
    below(here, "web", s.web, s.width, "width");
    meshable(s);
  }
  void operator()(const AngleSection& s) const {
    below(here, "thickness", s.thickness, std::min(s.width, s.height), "the shorter leg");
    meshable(s);
  }
  void operator()(const Polygon& s) const {
    const OutlineFault fault = find_fault(s);
    if (fault.message.empty()) return meshable(s);
    (fault.hole < 0 ? here["points"] : here["holes"][static_cast<std::size_t>(fault.hole)]).fail(fault.message);
  }
  void operator()(const General& s) const;
  void operator()(const Tapered& s) const {
    const Named<Section>& sections = here.model().sections;
    const Section &from = existing(here["from"], "section", "sections", sections, s.from),
                  &to = existing(here["to"], "section", "sections", sections, s.to);
    here.guard([&] { (void)section_between(from, to, 0.5); });
  }
  template <class Other>
  void operator()(const Other&) const {}
  template <class Shape>
  void meshable(const Shape& s) const {
    here.guard([&] { require_meshable(outline(s)); });
  }
};

constexpr const char* stiffness_names[] = {"stretch", "shear along y",     "shear along z",
                                           "twist",   "curvature about y", "curvature about z"};

// Symmetric to rounding, and no strain without energy (Cholesky of the matrix scaled to ones on its diagonal).
void check_stiffness(const Spot& here, const StiffnessMatrix& given) {
  const auto& C = given.rows;
  double L[6][6] = {};
  for (int i = 0; i < 6; ++i)
    if (!(C[i][i] > 0))
      here.fail(std::string("the stiffness of ") + stiffness_names[i] + " is " + number_text(C[i][i]) +
                ", but it must be greater than 0");
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      const double scale = std::sqrt(C[i][i]) * std::sqrt(C[j][j]);
      if (!(std::abs(C[i][j] - C[j][i]) <= 1e-6 * scale))
        here.fail("row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1) + " is " + number_text(C[i][j]) +
                  ", but row " + std::to_string(j + 1) + ", column " + std::to_string(i + 1) + " is " +
                  number_text(C[j][i]) + "; a stiffness is symmetric");
      double rest = (C[i][j] + C[j][i]) / 2 / scale;
      for (int k = 0; k < j; ++k) rest -= L[i][k] * L[j][k];
      if (i == j && !(rest > 1e-12))
        here.fail(
            std::string("this stiffness is not positive: ") + stiffness_names[i] +
            " together with the ones before it would cost no energy; reduce what stands off the diagonal in row " +
            std::to_string(i + 1));
      L[i][j] = i == j ? std::sqrt(rest) : rest / L[j][j];
    }
}

void SectionRules::operator()(const General& s) const {
  check_stiffness(here["stiffness"], s.stiffness);
  if (!s.stiffness.diagonal)
    for (const auto& [key, place] : {std::pair{"centroid", s.centroid}, std::pair{"shear_centre", s.shear_centre}})
      if (place[0] != 0 || place[1] != 0)
        here[key].fail("this goes with six stiffnesses; a whole matrix holds it already: remove this key");
  if (s.mass == 0 && first_dynamic(here.analysis()) < here.analysis().size())
    here["mass"].fail("this is 0, so a beam of this section has no motion in time; give 'mass' in kg/m");
  // Moments of some distribution of mass: those about the centre of mass are not negative.
  const auto& [y, z] = s.mass_first;
  const auto& [yy, zz, yz] = s.mass_second;
  const bool second = yy != 0 || zz != 0 || yz != 0;
  if (yy < 0 || zz < 0)
    here["mass_second"].fail("this is [" + short_text(yy) + ", " + short_text(zz) + ", " + short_text(yz) +
                             "], but integrals of density times yy and zz are 0 or more");
  if (s.mass == 0) {
    if (y != 0 || z != 0 || second)
      here[second ? "mass_second" : "mass_first"].fail(
          "there is a moment of mass here, but 'mass' is 0; give 'mass' in kg/m (the density of the material is not "
          "used), or remove this key");
    return;
  }
  const double a = yy - y * y / s.mass, b = zz - z * z / s.mass, c = yz - y * z / s.mass, least = -1e-9 * (yy + zz);
  if (a < least || b < least || a * b - c * c < least * (yy + zz))
    here[second ? "mass_second" : "mass_first"].fail(
        "mass_first puts the centre of mass at y = " + short_text(y / s.mass) + ", z = " + short_text(z / s.mass) +
        " m, and mass_second about the section's origin" +
        (second ? " would leave [" + short_text(a) + ", " + short_text(b) + ", " + short_text(c) + "] about that centre"
                : " is not given") +
        "; all the mass in its centre already has mass_second = [" + short_text(y * y / s.mass) + ", " +
        short_text(z * z / s.mass) + ", " + short_text(y * z / s.mass) +
        "]: add to it the moments [yy, zz, yz] about the centre, yy and zz 0 or more and |yz| at most sqrt(yy zz)");
}

}  // namespace

void check(const Spot& here, const Section& section) { std::visit(SectionRules{here}, section); }

}  // namespace lithe
