// compile(Model): meshes -> coordinate vectors -> eliminated coordinates -> batches -> pattern -> loads.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/elements/quadrature.h"
#include "lithe/system/laws.h"
#include "lithe/system/loads.h"
#include "lithe/system/outputs.h"
#include "lithe/system/pattern.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

template <class T>
const T& known(const Named<T>& things, const std::string& name, const char* what, const Where& where,
               const std::string& user) {
  const T* found = things.find(name);
  if (!found)
    throw InputError(where, user + ": " + what + " '" + name + "' is not known" + suggestion(name, things.names()));
  return *found;
}

void add_bodies(System& system) {
  const Model& model = system.model;
  int vectors = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto& [name, body] = model.bodies.items[b];
    const Where& where = model.bodies.where[b];
    const std::string user = "body '" + name + "'";
    check_material(known(model.materials, body.material, "material", where, user), where, body.material);
    BodyInfo info;
    info.name = name;
    info.kind = body.element;
    info.mesh = make_mesh(model, name);
    info.slices = body_slices(model, body);
    info.first_vector = vectors;
    info.node_vectors = element_info(body.element).node_vectors;
    info.batch = static_cast<int>(b);
    vectors += info.mesh.node_count() * info.node_vectors;
    for (int n = 0; n < info.mesh.node_count(); ++n)
      for (int k = 0; k < 3 * info.node_vectors; ++k) system.q0.push_back(info.mesh.nodes[12 * n + k]);
    system.bodies.push_back(std::move(info));
  }
  system.unknowns.resize(vectors);
  Vec3<double> low{{1e300, 1e300, 1e300}}, high{{-1e300, -1e300, -1e300}};
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int m = 0; m < 3; ++m) {
        low[m] = std::min(low[m], body.mesh.nodes[12 * n + m]);
        high[m] = std::max(high[m], body.mesh.nodes[12 * n + m]);
      }
  system.length_scale = std::sqrt(dot(high - low, high - low));
}

// Directions held at each vector become eliminated components of a basis in which they are axes.
void eliminate(System& system) {
  const Model& model = system.model;
  std::vector<std::vector<Vec3<double>>> held(system.unknowns.size());
  const Vec3<double> axes[3] = {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const Constraint& constraint = model.constraints.items[c].second;
    const Where& where = model.constraints.where[c];
    const bool all = std::holds_alternative<Clamp>(constraint);
    const At& at = all ? std::get<Clamp>(constraint).at : std::get<Fix>(constraint).at;
    int b = 0;
    const std::vector<int> nodes = system.resolve_nodes(at, b);
    const BodyInfo& body = system.bodies[b];
    std::vector<int> which;
    if (all) {
      which.resize(body.node_vectors);
      std::iota(which.begin(), which.end(), 0);
    } else {
      for (Coordinate coordinate : std::get<Fix>(constraint).coordinates) {
        which.push_back(static_cast<int>(coordinate));
        if (which.back() >= body.node_vectors)
          throw InputError(where, std::string("a ") + element_info(body.kind).name + " has no " + word(coordinate) +
                                      "; it has position and x_gradient");
      }
    }
    std::vector<int>& touched = system.constraint_vectors.emplace_back();
    for (int node : nodes)
      for (int k : which) {
        const int vector = body.vector(node, k);
        touched.push_back(vector);
        std::vector<Vec3<double>>& list = held[vector];
        if (all || std::get<Fix>(constraint).along.empty()) {
          list.assign(axes, axes + 3);
        } else {
          for (const Triple& t : std::get<Fix>(constraint).along) {
            const Vec3<double> d{{t[0], t[1], t[2]}};
            if (!(dot(d, d) > 0)) throw InputError(where, "a direction in 'along' has zero length");
            list.push_back(d);
          }
        }
      }
  }
  int next = 0;
  for (std::size_t v = 0; v < held.size(); ++v) {
    VectorUnknowns& u = system.unknowns[v];
    u.first = next;
    // Gram-Schmidt; directions that add nothing are redundant and drop out.
    std::vector<Vec3<double>> basis;
    auto add = [&](Vec3<double> d) {
      d = (1 / std::sqrt(dot(d, d))) * d;
      for (const auto& e : basis) d = d - dot(d, e) * e;
      const double length = std::sqrt(dot(d, d));
      if (length > 1e-8) basis.push_back((1 / length) * d);
    };
    for (const auto& d : held[v]) add(d);
    const std::size_t fixed = basis.size();
    u.count = static_cast<std::int8_t>(3 - fixed);
    if (fixed > 0 && fixed < 3) {
      bool aligned = true;
      bool axis_held[3] = {false, false, false};
      for (int m = 0; m < 3; ++m) {
        double inside = 0;
        for (std::size_t k = 0; k < fixed; ++k) inside += basis[k][m] * basis[k][m];
        aligned = aligned && (inside < 1e-14 || inside > 1 - 1e-14);
        axis_held[m] = inside > 0.5;
      }
      if (aligned) {
        int k = 0;
        for (int m = 0; m < 3; ++m)
          if (!axis_held[m]) u.component[k++] = static_cast<std::int8_t>(m);
      } else {
        for (const auto& a : axes)
          if (basis.size() < 3) add(a);
        Mat3<double> Q;  // held directions last
        for (int k = 0; k < 3; ++k)
          for (int m = 0; m < 3; ++m) Q[m][k] = basis[(k + fixed) % 3][m];
        u.basis = static_cast<std::int32_t>(system.bases.size());
        system.bases.push_back(Q);
      }
    }
    next += u.count;
  }
  system.size = next;
}

void check_rule(const Body& body, const Where& where, const std::string& name) {
  const std::size_t wanted = element_info(body.element).quadrature.size();
  if (!body.quadrature.empty() && body.quadrature.size() != wanted)
    throw InputError(where, "body '" + name + "': quadrature of a " + element_info(body.element).name +
                                " is a list of " + std::to_string(wanted) + " numbers");
  if (!body.poisson_quadrature.empty() &&
      (body.element != ElementKind::beam3243 || body.poisson_quadrature.size() != 3))
    throw InputError(where, "body '" + name + "': poisson_quadrature is a list of 3 numbers and belongs to beam3243");
}

void fill_cable(const Model& model, const Body& body, Batch& batch, const Where& where, const std::string& name) {
  const auto* material = std::get_if<Isotropic>(model.materials.find(body.material));
  if (!material) throw InputError(where, "body '" + name + "': a cable needs an isotropic material");
  const Section* section = body.section.empty() ? nullptr : model.sections.find(body.section);
  double area = 0, inertia = 0;
  if (const auto* circle = section ? std::get_if<Circle>(section) : nullptr) {
    area = M_PI * circle->radius * circle->radius;
    inertia = 0.25 * area * circle->radius * circle->radius;
  } else if (const auto* bar = section ? std::get_if<Bar>(section) : nullptr) {
    area = bar->area;
    inertia = bar->inertia;
  } else {
    throw InputError(where, "body '" + name + "': a cable needs a section of type circle or bar");
  }
  const std::vector<int> rule = body.quadrature.empty() ? element_info(ElementKind::cable).quadrature : body.quadrature;
  batch.cable.EA = material->E * area;
  batch.cable.EI = material->E * inertia;
  batch.cable.tau = material->damping;
  batch.cable.line_density = material->density * area;
  batch.cable.axial_points = rule[0];
  batch.cable.bending_points = rule[1];
  for (int e = 0; e < batch.elements; ++e) batch.cable.length.push_back(2 * batch.continuum.half_size[3 * e]);
}

// Compact mass matrix, upper triangle [i <= j] (P0 eq. 1); an inverted element is found here or at its quadrature.
void fill_mass(const Model& model, const Body& body, Batch& batch) {
  const ElementKind kind = batch.continuum.kind;
  const int N = vector_count(kind);
  const bool cable = kind == ElementKind::cable;
  std::vector<MassPoint> points;
  if (cable) {
    const std::vector<CablePoint> rule = cable_points(4, 2.0);
    const GaussRule gauss = gauss_rule(4);
    for (int p = 0; p < 4; ++p) points.push_back({{gauss.x[p], 0, 0}, rule[p].weight, batch.cable.line_density});
  } else {
    points = mass_points(model, body);
  }
  batch.mass.assign(static_cast<std::size_t>(batch.elements) * N * (N + 1) / 2, 0.0);
  std::vector<double> S(points.size() * N), dS(points.size() * 3 * N), scaled(N);
  for (std::size_t p = 0; p < points.size(); ++p) {
    shape_functions(kind, points[p].xi.data(), &S[p * N]);
    shape_derivatives(kind, points[p].xi.data(), &dS[p * 3 * N]);
  }
  for (int e = 0; e < batch.elements; ++e) {
    const double* half = &batch.continuum.half_size[3 * e];
    double* mass = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double volume = cable ? points[p].weight * half[0]
                                  : map_point(batch.continuum, e, &dS[p * 3 * N], points[p].weight, 0).volume;
      for (int i = 0; i < N; ++i) scaled[i] = vector_scale(kind, half, i) * S[p * N + i];
      for (int i = 0, k = 0; i < N; ++i)
        for (int j = i; j < N; ++j, ++k) mass[k] += points[p].density * volume * scaled[i] * scaled[j];
    }
  }
}

void check_volumes(const System& system, const Batch& batch, const Where& where) {
  const int N = vector_count(batch.continuum.kind);
  const std::vector<double> dS = shape_derivatives(batch.continuum);
  for (int e = 0; e < batch.elements; ++e)
    for (std::size_t p = 0; p < batch.continuum.points.size(); ++p) {
      const auto& point = batch.continuum.points[p];
      const PointMap map = map_point(batch.continuum, e, &dS[p * 3 * N], point.weight, point.angle);
      if (!(map.volume > 0))
        throw InputError(where, "body '" + system.bodies[batch.body].name + "': element " + std::to_string(e) +
                                    " is inverted or flat in the reference configuration (volume " +
                                    number_text(map.volume) +
                                    " m^3 at a quadrature point); check its nodes, the radius of the arc against the "
                                    "section and the order of the axes");
    }
}

void add_batches(System& system) {
  const Model& model = system.model;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto& [name, body] = model.bodies.items[b];
    const Where& where = model.bodies.where[b];
    check_rule(body, where, name);
    const BodyInfo& info = system.bodies[b];
    const ElementInfo& element = element_info(body.element);
    Batch& batch = system.batches.emplace_back();
    batch.body = static_cast<int>(b);
    batch.elements = static_cast<int>(info.mesh.elements.size()) / element.nodes;
    batch.continuum.kind = body.element;
    batch.continuum.elements = batch.elements;
    batch.continuum.axes = body.material_axes;
    for (double length : info.mesh.size) batch.continuum.half_size.push_back(0.5 * length);
    for (int e = 0; e < batch.elements; ++e)
      for (int n = 0; n < element.nodes; ++n) {
        const double* node = &info.mesh.nodes[12 * static_cast<std::size_t>(info.mesh.elements[e * element.nodes + n])];
        batch.continuum.reference.insert(batch.continuum.reference.end(), node, node + 3 * element.node_vectors);
      }
    const std::string strategy = body.strategy.value_or(model.strategy);
    try {
      if (body.element == ElementKind::cable) {
        fill_cable(model, body, batch, where, name);
        if (strategy != "batched")
          throw InputError("strategy '" + strategy +
                           "' exists for beam3243, shell3443 and hexa3843; a cable has 'batched' alone: give the body "
                           "'strategy: batched'");
        batch.kernel = make_cable_kernel(batch.cable, model.tangent);
        batch.cable.length.shrink_to_fit();
      } else {
        fill_points(model, body, batch.continuum);
        check_volumes(system, batch, where);
        batch.kernel = make_continuum_kernel(batch.continuum, strategy, model.tangent);
      }
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (!where.file.empty() && message.rfind(where.file, 0) == 0) throw;
      throw InputError(where, message.rfind("body '", 0) == 0 ? message : "body '" + name + "': " + message);
    }
    fill_mass(model, body, batch);
    connect(info, batch);
  }
}

}  // namespace

State System::initial_state() const {
  State state;
  state.q = q0;
  state.v.assign(q0.size(), 0.0);
  return state;
}

std::string System::unknown_name(int i) const {
  const auto u = std::upper_bound(unknowns.begin(), unknowns.end(), i,
                                  [](int value, const VectorUnknowns& x) { return value < x.first; }) -
                 unknowns.begin() - 1;
  int v = static_cast<int>(u);
  while (v > 0 && unknowns[v].count == 0) --v;
  for (const BodyInfo& body : bodies) {
    const int count = body.mesh.node_count() * body.node_vectors;
    if (v < body.first_vector || v >= body.first_vector + count) continue;
    const int local = v - body.first_vector;
    static const char* const names[4] = {"position", "x_gradient", "y_gradient", "z_gradient"};
    const int c = i - unknowns[v].first;
    const std::string direction = unknowns[v].basis < 0
                                      ? std::string(1, "xyz"[static_cast<int>(unknowns[v].component[c])])
                                      : "along free direction " + std::to_string(c + 1);
    return "body '" + body.name + "', node " + std::to_string(local / body.node_vectors) + ", " +
           names[local % body.node_vectors] + " " + direction;
  }
  throw InvariantError("unknown without a body");
}

System compile(const Model& model) {
  if (model.bodies.size() == 0) throw InputError("the model has no bodies; give at least one under 'bodies'");
  System system;
  system.model = model;
  add_bodies(system);
  eliminate(system);
  add_batches(system);
  compile_loads(system);
  compile_outputs(system);
  build_pattern(system);
  return system;
}

}  // namespace lithe
