#include "lithe/model/sections.h"

#include "lithe/base/describe.h"
#include "lithe/model/length_field.h"
#include "lithe/model/spot.h"

namespace lithe {

LITHE_DESCRIBE(Rectangle, "rectangle", "rectangular section of a beam") {
  visit("width", &Rectangle::width, length_field("width, along the body's y"));
  visit("thickness", &Rectangle::thickness, length_field("thickness, along the body's z"));
  visit("shear_factors", &Rectangle::shear_factors,
        Field{.help = "shear factors of the 13 and 12 components; default 10(1+nu)/(12+11nu) for both",
              .allowed = positive});
}

LITHE_DESCRIBE(Circle, "circle", "round section of a cable") {
  visit("radius", &Circle::radius, length_field("radius"));
}

LITHE_DESCRIBE(Bar, "bar", "section of a cable given by its area and second moment") {
  visit("area", &Bar::area, Field{.help = "area", .unit = "m^2", .required = true, .allowed = positive});
  visit("inertia", &Bar::inertia,
        Field{.help = "second moment of area", .unit = "m^4", .required = true, .allowed = not_negative});
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

void check(const Spot& here, const Section& section) {
  const Layered* layered = std::get_if<Layered>(&section);
  if (!layered) return;
  if (layered->layers.empty())
    here["layers"].fail("the list of layers is empty; give at least one {thickness, angle, material}");
  for (std::size_t i = 0; i < layered->layers.size(); ++i)
    if (const std::string& material = layered->layers[i].material; !material.empty())
      existing(here["layers"][i]["material"], "material", "materials", here.model().materials, material);
}

}  // namespace lithe
