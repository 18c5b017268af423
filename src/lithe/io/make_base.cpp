#include "lithe/io/make_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "lithe/base/error.h"
#include "lithe/base/version.h"
#include "lithe/dynamics/modes.h"
#include "lithe/io/load_model.h"
#include "lithe/io/results.h"
#include "lithe/io/yaml.h"
#include "lithe/linalg/eigenpairs.h"
#include "lithe/linalg/solver_ladder.h"
#include "lithe/reduction/rotation.h"
#include "lithe/system/mapped_bodies.h"

namespace lithe {

namespace {

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return list;
}

const Body& meshed(const Model& model, const std::string& name) {
  const AnyBody* any = model.bodies.find(name);
  const Where where{model.name, 0, ""};
  if (!any) throw InputError(where, "there is no body '" + name + "' in this model");
  const Body* body = std::get_if<Body>(any);
  if (!body || !body->element->volume)
    throw InputError(where, "body '" + name + "' has no base: only bodies with a volume deform in modes");
  return *body;
}

Base empty_base(const Model& model, const Body& body, const std::string& name, const std::string& method,
                const std::string& command) {
  Base base;
  base.kind = body.element->name;
  base.method = method;
  base.source = fmt::format("model '{}', body '{}', {}, lithe {}", model.name, name, command, version());
  return base;
}

}  // namespace

Base pod_base(const std::string& result, const std::string& name, int count, const std::string& command) {
  const ResultFile file(result);
  const ResultInfo& info = file.info();
  const auto found = std::ranges::find(info.bodies, name, &ResultBody::name);
  const Where where{result, 0, ""};
  if (found == info.bodies.end()) throw InputError(where, "the result has no body '" + name + "'");
  Reading reading;
  const Model model = read_model(parse_yaml(info.model_yaml, result), reading);
  const Body& body = meshed(model, name);
  if (!info.position)
    throw InputError(where, "the result holds no coordinates (analysis.fields); run again with 'position' among them");
  const ResultArray coordinates = file.read("bodies/" + name + "/coordinates");
  const int rows = static_cast<int>(found->reference.size());
  const int snapshots = static_cast<int>(coordinates.values->size()) / rows;
  if (count < 6)
    throw InputError(where, fmt::format("count is {}, but six modes are the rigid motions; ask for more", count));
  if (count > 6 + snapshots || count > rows)
    throw InputError(where,
                     fmt::format("{} modes cannot be made of 6 rigid motions and {} snapshots over {} coordinates; "
                                 "ask for at most {}, or record more outputs",
                                 count, snapshots, rows, std::min(rows, 6 + snapshots)));
  const std::shared_ptr<Shape> shape = free_shape(model, name, false);
  Base base = empty_base(model, body, name, "pod", command);
  base.mesh = found->reference;
  base.elements.assign(found->connectivity.begin(), found->connectivity.end());
  std::vector<double> columns = rigid_vectors(shape->Z, shape->position);
  columns.resize(static_cast<std::size_t>(rows) * (6 + snapshots));
  for (int s = 0; s < snapshots; ++s) {
    const double* q = coordinates.values->data() + static_cast<std::size_t>(rows) * s;
    const Mat3<double> F = shape->mean_gradient(q);
    if (!(det(F) > 0))
      throw InputError(where, fmt::format("row {} of body '{}' has no rotation: it is turned inside out", s, name));
    double* d = &columns[static_cast<std::size_t>(rows) * (6 + s)];
    shape->turn_back(nearest_rotation(F), q, nullptr, d);
    for (int i = 0; i < rows; ++i) d[i] -= base.mesh[i];
  }
  SingularVectors found_vectors = singular_vectors(std::move(columns), rows, count);
  base.vectors = std::move(found_vectors.vectors);
  base.values.assign(found_vectors.values.begin(), found_vectors.values.begin() + count);
  const std::vector<double> rigid = rigid_vectors(shape->Z, shape->position);
  const double missing = missing_rigid_motion(rigid, base.vectors, rows);
  constexpr double rounding = 1e-12, little = 1e-2;
  if (missing > rounding && missing <= little) put_rigid_motions_back(rigid, base.vectors, rows);
  if (missing > little)
    throw InputError(where,
                     fmt::format("{:.2g} of a rigid motion is not in the span of these {} modes: the deformations of "
                                 "body '{}' are larger than the unit vectors of its rigid motions; ask for more modes",
                                 missing, count, name));
  return base;
}

// M over the pattern of K.
static std::vector<double> mass_over(const Shape& shape, const SparsePattern& pattern) {
  std::vector<double> values(pattern.nonzeros(), 0.0);
  for (int i = 0; i < shape.vectors(); ++i)
    for (int k = shape.mass_start[i]; k < shape.mass_start[i + 1]; ++k)
      for (int m = 0; m < 3; ++m) {
        const int row = 3 * i + m, column = 3 * shape.mass_column[k] + m;
        if (row <= column) values[position(pattern, row, column)] += shape.mass[k];
      }
  return values;
}

static void take_mesh(const Model& model, const std::string& name, const Shape& shape, Base& base) {
  for (const Vec3<double>& z : shape.Z) base.mesh.insert(base.mesh.end(), {z[0], z[1], z[2]});
  const Mesh mesh = make_mesh(model, name);
  base.elements.assign(mesh.elements.begin(), mesh.elements.end());
}

Base modal_base(const Model& model, const std::string& name, const std::vector<int>& modes,
                const std::string& command) {
  const Body& body = meshed(model, name);
  const std::shared_ptr<Shape> shape = free_shape(model, name, true);
  const int n = shape->size();
  const Where where{model.name, 0, ""};
  if (modes.back() > n)
    throw InputError(where, fmt::format("mode {} was asked for, but body '{}' has {} of them", modes.back(), name, n));
  for (int k = 1; k <= 6; ++k)
    if (std::ranges::find(modes, k) == modes.end())
      throw InputError(where,
                       fmt::format("mode {} is missing: 1 to 6 are the rigid motions, without which the body cannot "
                                   "move; write 1-6,...",
                                   k));
  const ProvedPairs found =
      lowest_modes(shape->pattern, shape->stiffness, mass_over(*shape, shape->pattern), modes.back());
  Base base = empty_base(model, body, name, "modal", command);
  take_mesh(model, name, *shape, base);
  for (const int k : modes) {
    const std::vector<double>& vector = found.vectors[k - 1];
    base.vectors.insert(base.vectors.end(), vector.begin(), vector.end());
    base.values.push_back(found.values[k - 1]);
  }
  return base;
}

namespace {

// The body held at its interfaces: what is left of its unknowns.
struct Inside {
  std::vector<int> number;  // [unknown] inside, -1: of an interface
  std::vector<int> held;    // unknowns of interfaces
  SparsePattern pattern;
  std::vector<double> K, M;
};

Inside inside_of(const Shape& shape, const std::vector<char>& interface) {
  Inside in;
  int count = 0;
  for (int i = 0; i < shape.size(); ++i) {
    in.number.push_back(interface[i] ? -1 : count++);
    if (interface[i]) in.held.push_back(i);
  }
  const std::vector<double> mass = mass_over(shape, shape.pattern);
  in.pattern.size = count;
  in.pattern.symmetric = true;
  in.pattern.column_start = {0};
  for (int j = 0; j < shape.size(); ++j) {
    if (interface[j]) continue;
    for (int p = shape.pattern.column_start[j]; p < shape.pattern.column_start[j + 1]; ++p) {
      if (interface[shape.pattern.row[p]]) continue;
      in.pattern.row.push_back(in.number[shape.pattern.row[p]]);
      in.K.push_back(shape.stiffness[p]);
      in.M.push_back(mass[p]);
    }
    in.pattern.column_start.push_back(static_cast<std::int32_t>(in.pattern.row.size()));
  }
  return in;
}

}  // namespace

Base craig_bampton_base(const Model& model, const std::string& name, const std::vector<std::string>& interfaces,
                        int count, const std::string& command) {
  const Body& body = meshed(model, name);
  const std::shared_ptr<Shape> shape = free_shape(model, name, true);
  const int n = shape->size();
  const Where where{model.name, 0, ""};
  const Mesh mesh = make_mesh(model, name);
  std::vector<char> interface(n, 0);
  const int per_node = body.element->node_vectors;
  for (const std::string& set : interfaces) {
    const std::vector<int>* nodes = mesh.sets.find(set);
    if (!nodes)
      throw InputError(where,
                       "body '" + name + "' has no set of nodes '" + set + "'; it has " + list_of(mesh.sets.names()));
    for (const int node : *nodes) std::fill_n(interface.begin() + 3l * per_node * node, 3 * per_node, char{1});
  }
  const Inside in = inside_of(*shape, interface);
  const int held = static_cast<int>(in.held.size()), inside = in.pattern.size;
  if (count > inside)
    throw InputError(where,
                     fmt::format("{} modes were asked for, but {} coordinates are left between the interfaces of "
                                 "body '{}'",
                                 count, inside, name));
  // Unit displacements: K_ii x_i = -K_ih.
  std::vector<double> right(static_cast<std::size_t>(inside) * held, 0.0), unit(n), image(n);
  for (int k = 0; k < held; ++k) {
    std::ranges::fill(unit, 0.0);
    unit[in.held[k]] = 1;
    shape->multiply(shape->stiffness, unit.data(), image.data());
    for (int i = 0; i < n; ++i)
      if (in.number[i] >= 0) right[static_cast<std::size_t>(inside) * k + in.number[i]] = -image[i];
  }
  SolverLadder ladder(in.pattern, MatrixKind::positive_definite, {});
  const bool regular = ladder.factor(in.K) && ladder.report().indefinite == 0;
  if (!regular)
    throw InputError(where, "the interfaces do not hold body '" + name +
                                "': it can still turn or move; they need three nodes that are not on a line");
  SolveRequest request;
  request.columns = held;
  if (!ladder.solve(right, right, request).ok()) throw RunError("the shapes of body '" + name + "' are not accurate");
  Base base = empty_base(model, body, name, "craig_bampton", command);
  take_mesh(model, name, *shape, base);
  base.vectors.assign(static_cast<std::size_t>(n) * (held + count), 0.0);
  const auto put = [&](int column, const double* from) {
    double* to = &base.vectors[static_cast<std::size_t>(n) * column];
    for (int i = 0; i < n; ++i)
      if (in.number[i] >= 0) to[i] = from[in.number[i]];
  };
  for (int k = 0; k < held; ++k) {
    put(k, &right[static_cast<std::size_t>(inside) * k]);
    base.vectors[static_cast<std::size_t>(n) * k + in.held[k]] = 1;
  }
  base.values.assign(held, 0.0);
  if (count > 0) {
    const ProvedPairs modes = lowest_modes(in.pattern, in.K, in.M, count);
    for (int k = 0; k < count; ++k) put(held + k, modes.vectors[k].data());
    base.values.insert(base.values.end(), modes.values.begin(), modes.values.begin() + count);
  }
  orthonormalise(base.vectors, n);
  return base;
}

std::vector<int> read_mode_numbers(const std::string& text) {
  std::vector<int> numbers;
  const auto fail = [&] {
    throw InputError({}, "'" + text + "' is no list of modes; write numbers from 1 on that ascend, such as 1-6,14,19");
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size()), dash = text.find('-', at);
    const auto number = [&](std::size_t from, std::size_t to) {
      int value = 0;
      const auto [stop, error] = std::from_chars(text.data() + from, text.data() + to, value);
      if (error != std::errc() || stop != text.data() + to || value < 1) fail();
      return value;
    };
    const bool range = dash < end;
    const int first = number(at, range ? dash : end), last = range ? number(dash + 1, end) : first;
    if (last < first || last - first > 1000000 || (!numbers.empty() && first <= numbers.back())) fail();
    for (int k = first; k <= last; ++k) numbers.push_back(k);
    at = end + 1;
  }
  return numbers;
}

std::string base_text(const Base& base) {
  std::string text = fmt::format("{} modes of {} coordinates ({})\n", base.count(), base.mesh.size(), base.source);
  for (int k = 0; k < base.count(); ++k) {
    const double value = base.values[k];
    if (base.method == "pod") text += fmt::format("  {:4}  singular value {:.4g}\n", k + 1, value);
    else if (base.method == "craig_bampton" && value == 0) continue;
    else text += fmt::format("  {:4}  {:.6g} Hz\n", k + 1, std::sqrt(std::max(0.0, value)) / (2 * std::numbers::pi));
  }
  return text;
}

}  // namespace lithe
