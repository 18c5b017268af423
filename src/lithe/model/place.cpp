#include "lithe/model/place.h"

#include "lithe/base/describe.h"

namespace lithe {

// The long form of a place, {body: plate, element: 3, xi: [1, 0, 0]}; the short form is the text "plate.right".
struct AtForm {
  std::string body, name;
  std::optional<int> node, element;
  std::optional<Triple> xi, point;
};

LITHE_DESCRIBE(AtForm, "at", "a place: body.name, or {body, node | element and xi | point}") {
  visit("body", &AtForm::body, Field{.help = "name of a body", .required = true});
  visit("name", &AtForm::name, Field{.help = "named point, node set, edge or surface"});
  visit("node", &AtForm::node, Field{.help = "number of a node, from 0", .allowed = not_negative});
  visit("element", &AtForm::element, Field{.help = "number of an element, from 0", .allowed = not_negative});
  visit("xi", &AtForm::xi, Field{.help = "material coordinates in the element, -1 to 1"});
  visit("point", &AtForm::point, Field{.help = "coordinates in the reference configuration", .unit = "m"});
}

void Custom<At>::read(const Value& value, At& out) {
  out = At{};
  out.where = value.where;
  if (value.kind == Value::Kind::scalar) {
    const std::string said = to_string(value);
    const std::size_t dot = said.find('.');
    out.body = said.substr(0, dot);
    if (dot != std::string::npos) out.name = said.substr(dot + 1);
    return;
  }
  AtForm form;
  Reading reading;
  read_value(value, form, Field{}, reading);
  const int ways = !form.name.empty() + form.node.has_value() + form.element.has_value() + form.point.has_value();
  if (ways > 1 || form.xi.has_value() != form.element.has_value())
    throw InputError(value.where, "a place is one of name, node, element with xi, or point");
  out.body = form.body;
  out.name = form.name;
  out.node = form.node;
  out.element = form.element;
  out.xi = form.xi;
  out.point = form.point;
}

Value Custom<At>::write(const At& x) {
  if (!x.node && !x.element && !x.point) {
    Value v = Value::scalar(x.name.empty() ? x.body : x.body + "." + x.name);
    v.quoted = true;
    return v;
  }
  return write_value(AtForm{x.body, x.name, x.node, x.element, x.xi, x.point});
}

std::string At::text() const {
  if (node) return body + " node " + std::to_string(*node);
  if (element) return body + " element " + std::to_string(*element);
  if (point)
    return body + " at (" + number_text((*point)[0]) + ", " + number_text((*point)[1]) + ", " +
           number_text((*point)[2]) + ")";
  return name.empty() ? body : body + "." + name;
}

}  // namespace lithe
