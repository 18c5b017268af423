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
  for (const Column& column : columns) {
    std::vector<std::int32_t> numbers;
    for (const ResultBody& body : info.bodies) numbers.push_back(column.value(body));
    table.numbers.emplace_back(column.name, std::move(numbers));
  }
  return table;
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
  return a.element == b.element && a.element_nodes == b.element_nodes && a.vectors == b.vectors && a.stress == b.stress;
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
  std::ranges::stable_sort(order, {}, [&](std::size_t b) { return kind_of[b]; });
  BodyPlace next;
  for (const std::size_t b : order) {
    ResultBody& body = info.bodies[b];
    body.place = next;
    next.node += body.nodes;
    next.vector += body.nodes * body.vectors;
    next.element += body.elements();
    next.index += static_cast<int>(body.connectivity.size());
    if (body.stress) next.stress += body.nodes;
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
    info.end.node = std::max(info.end.node, body.place.node + body.nodes);
    info.end.vector = std::max(info.end.vector, body.place.vector + body.nodes * body.vectors);
    info.end.element = std::max(info.end.element, body.place.element + number(2));
    info.end.index = std::max(info.end.index, body.place.index + number(2) * body.element_nodes);
    if (body.stress) info.end.stress = std::max(info.end.stress, body.place.stress + body.nodes);
    info.bodies.push_back(std::move(body));
  }
}

FieldPart field_part(const ResultBody& body, const std::string& field) {
  const auto nodes = static_cast<std::size_t>(body.nodes), vectors = static_cast<std::size_t>(body.vectors);
  const std::string dataset = "fields/" + field;
  if (field == "coordinates" || field == "velocities")
    return {dataset, static_cast<std::size_t>(body.place.vector), {nodes, vectors, 3}};
  if (field == "position" || field == "displacement")
    return {dataset, static_cast<std::size_t>(body.place.node), {nodes, 3}};
  if (field == "von_mises" && body.stress) return {dataset, static_cast<std::size_t>(body.place.stress), {nodes}};
  return {};
}

}  // namespace lithe
