#include "lithe/io/result_bodies.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lithe {

namespace {

// The whole numbers of a row of the table.
struct Column {
  const char* name;
  std::int32_t (*value)(const ResultBody& body);
};

constexpr Column columns[] = {
    {"nodes", [](const ResultBody& body) { return body.nodes; }},
    {"vectors", [](const ResultBody& body) { return body.vectors; }},
    {"elements", [](const ResultBody& body) { return body.elements(); }},
    {"element_nodes", [](const ResultBody& body) { return body.element_nodes; }},
    {"first_node", [](const ResultBody& body) { return body.place.node; }},
    {"first_vector", [](const ResultBody& body) { return body.place.vector; }},
    {"first_element", [](const ResultBody& body) { return body.place.element; }},
    {"first_index", [](const ResultBody& body) { return body.place.index; }},
    {"first_stress", [](const ResultBody& body) { return body.stress ? body.place.stress : -1; }},
};
// Since format 6.
constexpr Column reduced_columns[] = {
    {"base", [](const ResultBody& body) { return body.base; }},
    {"modes", [](const ResultBody& body) { return body.modes; }},
    {"first_mode", [](const ResultBody& body) { return body.place.mode; }},
    {"first_rotation", [](const ResultBody& body) { return body.place.rotation; }},
};

std::vector<double> connectivity(const ResultInfo& info, const std::vector<std::size_t>& order, bool by_kind) {
  std::vector<double> all;
  const ResultBody* first = nullptr;  // of its kind
  for (const std::size_t b : order) {
    const ResultBody& body = info.bodies[b];
    if (!first || !same_kind(*first, body)) first = &body;
    for (const int node : body.connectivity) all.push_back(by_kind ? node + body.place.node - first->place.node : node);
  }
  return all;
}

hdf5::Table table_of(const ResultInfo& info) {
  std::vector<std::string> names, kinds;
  for (const ResultBody& body : info.bodies) {
    names.push_back(body.name);
    kinds.push_back(body.element);
  }
  hdf5::Table table;
  table.texts = {{"name", std::move(names)}, {"kind", std::move(kinds)}};
  const auto add = [&](const Column& column) {
    std::vector<std::int32_t> numbers;
    for (const ResultBody& body : info.bodies) numbers.push_back(column.value(body));
    table.numbers.emplace_back(column.name, std::move(numbers));
  };
  for (const Column& column : columns) add(column);
  for (const Column& column : reduced_columns) add(column);
  return table;
}

void write_bases(hid_t mesh, const ResultInfo& info) {
  hdf5::Table table;
  table.texts = {{"kind", {}}, {"method", {}}, {"source", {}}};
  table.numbers = {{"vectors", {}}, {"modes", {}}, {"first_vector", {}}, {"first_mode_vector", {}}};
  std::vector<double> shape, modes;
  for (const ResultBase& base : info.bases) {
    const std::string* texts[] = {&base.kind, &base.method, &base.source};
    const std::size_t numbers[] = {base.shape.size() / 3, static_cast<std::size_t>(base.count()), shape.size() / 3,
                                   modes.size() / 3};
    for (std::size_t k = 0; k < table.texts.size(); ++k) table.texts[k].second.push_back(*texts[k]);
    for (std::size_t k = 0; k < table.numbers.size(); ++k)
      table.numbers[k].second.push_back(static_cast<std::int32_t>(numbers[k]));
    shape.insert(shape.end(), base.shape.begin(), base.shape.end());
    modes.insert(modes.end(), base.modes.begin(), base.modes.end());
  }
  hdf5::write_table(mesh, "bases", table);
  hdf5::write_array(mesh, "base_shape", H5T_NATIVE_DOUBLE, {shape.size() / 3, 3}, shape);
  hdf5::write_array(mesh, "base_modes", H5T_NATIVE_DOUBLE, {modes.size() / 3, 3}, modes);
}

void read_bases(hid_t file, ResultInfo& info) {
  if (!hdf5::exists(file, "mesh/bases")) return;
  const hdf5::Table table = hdf5::read_table(hdf5::open_dataset(file, "mesh/bases"));
  const std::vector<double> shape = hdf5::read_array(hdf5::open_dataset(file, "mesh/base_shape")),
                            modes = hdf5::read_array(hdf5::open_dataset(file, "mesh/base_modes"));
  const auto cut = [](const std::vector<double>& all, std::int32_t first, std::size_t count) {
    const std::size_t from = 3 * static_cast<std::size_t>(first);
    if (first < 0 || from > all.size() || count > all.size() - from)
      throw RunError("it is damaged: a base reaches beyond the arrays");
    return std::vector<double>(all.data() + from, all.data() + from + count);
  };
  for (std::size_t k = 0; k < table.text("kind").size(); ++k) {
    const std::int32_t vectors = table.number("vectors")[k], count = table.number("modes")[k];
    if (vectors <= 0 || count <= 0) throw RunError("it is damaged: a base without modes");
    const std::size_t n = 3 * static_cast<std::size_t>(vectors);
    info.bases.push_back({table.text("kind")[k], table.text("method")[k], table.text("source")[k],
                          cut(shape, table.number("first_vector")[k], n),
                          cut(modes, table.number("first_mode_vector")[k], n * static_cast<std::size_t>(count))});
  }
}

// The base of a body of a file that has them, which must fit it.
void read_reduced(const hdf5::Table& table, std::size_t b, const ResultInfo& info, ResultBody& body) {
  body.base = table.number("base")[b];
  if (body.base < 0) return;
  body.modes = table.number("modes")[b];
  body.place.mode = table.number("first_mode")[b];
  body.place.rotation = table.number("first_rotation")[b];
  const auto base = static_cast<std::size_t>(body.base);
  if (base >= info.bases.size() || info.bases[base].count() != body.modes ||
      info.bases[base].shape.size() != body.reference.size() || body.place.mode < 0 || body.place.rotation < 0)
    throw RunError("it is damaged: body '" + body.name + "' does not fit its base");
}

// A piece of an array, which must be there.
template <class T>
std::vector<T> piece(const std::vector<double>& all, const ResultBody& body, std::size_t first, std::size_t count) {
  if (first > all.size() || count > all.size() - first)
    throw RunError("it is damaged: body '" + body.name + "' reaches beyond the arrays");
  std::vector<T> own(count);
  std::transform(all.data() + first, all.data() + first + count, own.begin(),
                 [](double x) { return static_cast<T>(x); });
  return own;
}

}  // namespace

std::size_t FieldPart::entries() const {
  // Entries are vectors where the last index counts coordinates.
  std::size_t count = 1;
  for (std::size_t k = 0; k + (row.size() > 1) < row.size(); ++k) count *= row[k];
  return count;
}

bool same_kind(const ResultBody& a, const ResultBody& b) {
  return a.element == b.element && a.element_nodes == b.element_nodes && a.vectors == b.vectors &&
         a.stress == b.stress && a.reduced() == b.reduced();
}

void place_bodies(ResultInfo& info) {
  std::vector<const ResultBody*> kinds;  // the first of each
  std::vector<std::size_t> kind_of, order(info.bodies.size());
  for (const ResultBody& body : info.bodies) {
    const auto known = std::ranges::find_if(kinds, [&](const ResultBody* other) { return same_kind(*other, body); });
    kind_of.push_back(static_cast<std::size_t>(known - kinds.begin()));
    if (known == kinds.end()) kinds.push_back(&body);
  }
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t b) { return std::pair(info.bodies[b].reduced(), kind_of[b]); });
  BodyPlace next;
  info.in_full = {};
  for (const std::size_t b : order) {
    ResultBody& body = info.bodies[b];
    body.place = next;
    next.node += body.nodes;
    next.vector += body.nodes * body.vectors;
    next.element += body.elements();
    next.index += static_cast<int>(body.connectivity.size());
    if (body.stress) next.stress += body.nodes;
    next.mode += body.modes;
    next.rotation += body.reduced();
    if (!body.reduced()) info.in_full = next;
  }
  info.end = next;
}

std::vector<std::size_t> order_in_file(const ResultInfo& info) {
  std::vector<std::size_t> order(info.bodies.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t b) { return info.bodies[b].place.node; });
  return order;
}

void write_bodies(hid_t file, const ResultInfo& info) {
  using namespace hdf5;
  const std::vector<std::size_t> order = order_in_file(info);
  write_table(file, "bodies", table_of(info));
  const Handle mesh = group(file, "mesh");
  const auto count = [](int n) { return static_cast<hsize_t>(n); };
  std::vector<double> size, reference, cell_bodies;
  for (const std::size_t b : order) {
    const ResultBody& body = info.bodies[b];
    size.insert(size.end(), body.size.begin(), body.size.end());
    reference.insert(reference.end(), body.reference.begin(), body.reference.end());
    cell_bodies.insert(cell_bodies.end(), count(body.elements()), static_cast<double>(b));
  }
  write_array(mesh, "connectivity", H5T_NATIVE_INT32, {count(info.end.index)}, connectivity(info, order, false));
  write_array(mesh, "size", H5T_NATIVE_DOUBLE, {count(info.end.element), 3}, size);
  write_array(mesh, "reference", H5T_NATIVE_DOUBLE, {count(info.end.vector), 3}, reference);
  if (!info.bases.empty()) write_bases(mesh, info);
  if (info.bodies.size() <= most_grids) return;
  write_array(mesh, "cells", H5T_NATIVE_INT32, {count(info.end.index)}, connectivity(info, order, true));
  write_array(mesh, "cell_bodies", H5T_NATIVE_INT32, {count(info.end.element)}, cell_bodies);
}

void read_bodies(hid_t file, ResultInfo& info) {
  using namespace hdf5;
  const hdf5::Table table = read_table(open_dataset(file, "bodies"));
  const std::vector<std::string>&names = table.text("name"), &kinds = table.text("kind");
  std::vector<const std::vector<std::int32_t>*> numbers;
  for (const Column& column : columns) numbers.push_back(&table.number(column.name));
  const std::vector<double> connectivity = read_array(open_dataset(file, "mesh/connectivity")),
                            size = read_array(open_dataset(file, "mesh/size")),
                            reference = read_array(open_dataset(file, "mesh/reference"));
  read_bases(file, info);
  for (std::size_t b = 0; b < names.size(); ++b) {
    const auto number = [&](std::size_t column) { return (*numbers[column])[b]; };
    for (std::size_t k = 0; k + 1 < numbers.size(); ++k)
      if (number(k) < 0 || (k < 4 && number(k) == 0))
        throw RunError("it is damaged: body '" + names[b] + "' has no " + columns[k].name);
    ResultBody body;
    body.name = names[b];
    body.element = kinds[b];
    body.nodes = number(0);
    body.vectors = number(1);
    body.element_nodes = number(3);
    body.place = {number(4), number(5), number(6), number(7), std::max(0, number(8))};
    body.stress = number(8) >= 0;
    const auto at = [](int n) { return static_cast<std::size_t>(n); };
    body.connectivity = piece<int>(connectivity, body, at(body.place.index), at(number(2)) * at(body.element_nodes));
    body.size = piece<double>(size, body, 3 * at(body.place.element), 3 * at(number(2)));
    body.reference = piece<double>(reference, body, 3 * at(body.place.vector), 3 * at(body.nodes) * at(body.vectors));
    if (info.format > 5) read_reduced(table, b, info, body);
    const auto reach = [&](BodyPlace& end) {
      end.node = std::max(end.node, body.place.node + body.nodes);
      end.vector = std::max(end.vector, body.place.vector + body.nodes * body.vectors);
      end.element = std::max(end.element, body.place.element + number(2));
      end.index = std::max(end.index, body.place.index + number(2) * body.element_nodes);
      if (body.stress) end.stress = std::max(end.stress, body.place.stress + body.nodes);
      end.mode = std::max(end.mode, body.place.mode + body.modes);
      end.rotation = std::max(end.rotation, body.place.rotation + body.reduced());
    };
    reach(info.end);
    if (!body.reduced()) reach(info.in_full);
    info.bodies.push_back(std::move(body));
  }
}

FieldPart field_part(const ResultBody& body, const std::string& field) {
  const auto nodes = static_cast<std::size_t>(body.nodes), vectors = static_cast<std::size_t>(body.vectors);
  const std::string dataset = "fields/" + field;
  if (body.reduced()) {
    if (field == "reduced_coordinates" || field == "reduced_rates")
      return {dataset, static_cast<std::size_t>(body.place.mode), {static_cast<std::size_t>(body.modes)}};
    if (field == "rotation") return {dataset, 3 * static_cast<std::size_t>(body.place.rotation), {3, 3}};
    return {};
  }
  if (field == "coordinates" || field == "velocities")
    return {dataset, static_cast<std::size_t>(body.place.vector), {nodes, vectors, 3}};
  if (field == "position" || field == "displacement")
    return {dataset, static_cast<std::size_t>(body.place.node), {nodes, 3}};
  if (field == "von_mises" && body.stress) return {dataset, static_cast<std::size_t>(body.place.stress), {nodes}};
  return {};
}

}  // namespace lithe
