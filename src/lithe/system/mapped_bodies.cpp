#include "lithe/system/mapped_bodies.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "lithe/base/aligned.h"
#include "lithe/base/error.h"
#include "lithe/base/sums.h"
#include "lithe/model/mesh_file.h"
#include "lithe/reduction/base_file.h"
#include "lithe/reduction/rotation.h"
#include "lithe/system/laws.h"
#include "lithe/system/mass.h"
#include "lithe/system/rigid.h"

namespace lithe {

namespace {

// Nodes of equal meshes may differ by this share of the mesh's size.
constexpr double same_place = 1e-9;
// Share of a unit rigid motion that may be missing in the span of a base.
constexpr double nearly_all = 1e-6;

Vec3<double> node(const Mesh& mesh, int vectors, int i) {
  const double* x = &mesh.nodes[3ul * vectors * i];
  return {{x[0], x[1], x[2]}};
}

// Mean of the gradients of the shape functions over the volume, at the reference configuration.
void add_gradient_form(const Model& model, const Body& body, const System& alone, Shape& shape) {
  const BodyInfo& info = alone.bodies[0];
  const Batch& batch = alone.batches[info.batch];
  const int N = vector_count(info.kind);
  const std::vector<MassPoint> points = mass_points(model, body);
  std::vector<double> dS(3ul * N);
  double volume = 0;
  shape.gradient.assign(shape.vectors(), Vec3<double>{});
  for (int e = 0; e < batch.elements; ++e)
    for (const MassPoint& point : points) {
      shape_derivatives(info.kind, point.xi.data(), dS.data());
      const PointMap map = map_point(batch.continuum, e, dS.data(), point.weight, 0);
      const Mat3<double> back = map.B * transpose(map.R);  // J0^-1
      volume += map.volume;
      for (int i = 0; i < N; ++i) {
        const double scale = map.volume * vector_scale(info.kind, &batch.continuum.half_size[3ul * e], i);
        Vec3<double>& g = shape.gradient[info.element_vector(e, i)];
        for (int m = 0; m < 3; ++m)
          for (int a = 0; a < 3; ++a) g[m] += scale * dS[3 * i + a] * back[a][m];
      }
    }
  for (Vec3<double>& g : shape.gradient) g = (1 / volume) * g;
}

// The four vectors of a rigid body.
std::shared_ptr<Shape> rigid_shape(const BodyInfo& info, const Where& where) {
  auto shape = std::make_shared<Shape>();
  shape->Z = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  shape->gradient = shape->Z;
  shape->position = {1, 0, 0, 0};
  const std::array<double, 10>& mass = info.rigid_mass;
  if (!(mass[0] > 0))
    throw InputError(where, "body '" + info.name +
                                "' has no mass, which the integrator half_step needs; give it one, or take another "
                                "integrator (then with 'kinematics: TL' everywhere)");
  for (int i = 0; i < 4; ++i) {
    shape->mass_start.push_back(static_cast<std::int32_t>(shape->mass.size()));
    for (int j = 0; j < 4; ++j) {
      const int a = std::min(i, j), b = std::max(i, j);
      shape->mass_column.push_back(j);
      shape->mass.push_back(mass[static_cast<std::size_t>(4 * a - a * (a - 1) / 2 + b - a)]);
    }
  }
  shape->mass_start.push_back(static_cast<std::int32_t>(shape->mass.size()));
  shape->finish();
  return shape;
}

// How a mesh lies: x_i - x_0 = R Z_i. False: it is another mesh. `worst`: the node that is farthest off.
struct Fit {
  bool fits = false;
  int worst = 0;
  double off = 0;
};
Fit fit_mesh(const Shape& shape, const std::vector<double>& q, Mat3<double>& R) {
  const Mat3<double> F = shape.mean_gradient(q.data());
  if (!(det(F) > 0)) return {};
  R = nearest_rotation(F);
  double size = 0;
  for (int i = 0; i < shape.vectors(); ++i)
    if (shape.position[i]) size = std::max(size, norm(shape.Z[i]));
  std::vector<double> d(shape.size());
  shape.deformation(R, q.data(), d.data());
  Fit fit;
  for (int i = 0; i < shape.vectors(); ++i) {
    const double off =
        norm(Vec3<double>{{d[3ul * i], d[3ul * i + 1], d[3ul * i + 2]}}) / (shape.position[i] ? size : 1);
    if (off <= fit.off) continue;
    fit.off = off;
    fit.worst = i;
  }
  fit.fits = fit.off <= same_place;
  return fit;
}

bool same_make(const Body& a, const Body& b) {
  return a.element == b.element && a.material == b.material && a.section == b.section &&
         a.formulation == b.formulation && a.quadrature == b.quadrature &&
         a.poisson_quadrature == b.poisson_quadrature && a.material_axes == b.material_axes && a.mass == b.mass &&
         a.damping.stiffness == b.damping.stiffness && a.eta == b.eta && a.kinematics == b.kinematics &&
         a.base == b.base;
}

// The modes of a base file in the frame of the shape.
void take_base(const Body& body, const BodyInfo& info, const Where& where, Shape& shape) {
  Base base = read_base(path_beside(body.base, where));
  const auto fail = [&](const std::string& what) {
    throw InputError(where, "body '" + info.name + "': base '" + body.base + "' " + what);
  };
  if (base.kind != info.kind->name)
    fail("is of " + base.kind + " elements, the body of " + info.kind->name + "; make one for this body");
  if (static_cast<int>(base.mesh.size()) != shape.size() || base.elements != info.mesh.elements)
    fail(
        fmt::format("belongs to another mesh: it has {} coordinate vectors and {} element corners, the body {} and {}; "
                    "make one for this body",
                    base.mesh.size() / 3, base.elements.size(), shape.vectors(), info.mesh.elements.size()));
  Mat3<double> R;
  const Fit fit = fit_mesh(shape, base.mesh, R);
  if (!fit.fits)
    fail(
        fmt::format("belongs to another mesh: {} of node {} is off by {:.2g} of the mesh's size, however it is turned; "
                    "make one for this body",
                    info.kind->vectors[fit.worst % info.node_vectors].name, fit.worst / info.node_vectors, fit.off));
  // Turned into the frame of the shape.
  for (int k = 0; k < base.count(); ++k) {
    double* mode = &base.vectors[static_cast<std::size_t>(shape.size()) * k];
    shape.turn_back(R, mode, nullptr, mode);
  }
  shape.base = std::move(base);
  shape.modal = body.kinematics == Kinematics::modal;
  const int n = shape.size(), r = shape.base.count();
  const Eigen::Map<const Eigen::MatrixXd> E(shape.base.vectors.data(), n, r);
  shape.reduce();
  const Eigen::Map<const Eigen::MatrixXd> M(shape.reduced_mass.data(), r, r);
  const Eigen::MatrixXd product = shape.modal ? Eigen::MatrixXd(M) : Eigen::MatrixXd(E.transpose() * E);
  const double off = (product - Eigen::MatrixXd::Identity(r, r)).cwiseAbs().maxCoeff();
  if (!(off < 1e-8))
    fail(shape.modal ? "is not of modes of this body's mass: E^T M E differs from 1 by " + fmt::format("{:.2g}", off) +
                           "; make it with 'lithe reduce modal' for this body, or set 'kinematics: BC-RO'"
                     : "has vectors that are not orthonormal (off by " + fmt::format("{:.2g}", off) +
                           "); set 'kinematics: BC-MODAL' if they are modes, or make it with 'lithe reduce'");
  std::vector<double> span = shape.base.vectors;
  orthonormalise(span, n);
  const double missing = missing_rigid_motion(rigid_vectors(shape.Z, shape.position), span, n);
  if (!(missing < nearly_all))
    fail(
        fmt::format("cannot move the body as a whole: {:.2g} of a rigid motion is not in its span; make it with 'lithe "
                    "reduce', which puts the six rigid motions in",
                    missing));
}

std::shared_ptr<BodyMap> make_map(Kinematics kinematics, const std::string& name, std::shared_ptr<const Shape> shape) {
  switch (kinematics) {
    case Kinematics::corotated:
      return std::make_shared<CorotatedMap>(name, std::move(shape));
    case Kinematics::reduced:
    case Kinematics::modal:
      return std::make_shared<ReducedMap>(name, std::move(shape));
    default:
      return std::make_shared<RigidMap>(name, std::move(shape));
  }
}

// f = K d + C v in the frame of the shape; d and v may be lost.
void elastic_forces(const Shape& shape, double* d, const double* v, double* f) {
  shape.multiply(shape.stiffness, d, f);
  if (shape.viscosity.empty()) return;
  shape.multiply(shape.viscosity, v, d);
  for (int i = 0; i < shape.size(); ++i) f[i] += d[i];
}

// The same of what lies in the span of the modes; `room`: of two vectors over them.
void reduced_forces(const Shape& shape, const double* d, const double* v, double* room, double* f) {
  using Vector = Eigen::Map<Eigen::VectorXd>;
  using ConstVector = Eigen::Map<const Eigen::VectorXd>;
  const int n = shape.size(), r = shape.base.count();
  const Eigen::Map<const Eigen::MatrixXd> P(shape.projector.data(), n, r), K(shape.reduced_stiffness.data(), r, r),
      C(shape.reduced_viscosity.data(), r, r);
  Vector in_span(room, r), forces(room + padded(r), r);
  in_span.noalias() = P.transpose() * ConstVector(d, n);
  forces.noalias() = K * in_span;
  if (!shape.reduced_viscosity.empty()) {
    in_span.noalias() = P.transpose() * ConstVector(v, n);
    forces.noalias() += C * in_span;
  }
  Vector(f, n).noalias() = P * forces;
}

// Null: a map of another make, whose body has elements with forces of their own.
const TurningMap* turning(const MappedBody& body) { return dynamic_cast<const TurningMap*>(body.map.get()); }

}  // namespace

Model body_alone(const Model& model, const std::string& name) {
  Model single;
  single.materials = model.materials;
  single.sections = model.sections;
  single.tangent = TangentForm::symmetric;
  const AnyBody* any = model.bodies.find(name);
  if (!any) throw InputError("body '" + name + "' is not known" + suggestion(name, model.bodies.names()));
  Body body = std::get<Body>(*any);
  body.kinematics = Kinematics::total;
  body.base.clear();
  body.eta = 0;
  body.start.reset();
  body.strategy.reset();
  body.connect = Connect::nodes;
  if (body.element->section_form) body.formulation = formulation_of(model, body);  // the preset stays behind
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies.items[b].first == name) single.bodies.add(name, body, model.bodies.where[b]);
  single.analysis = Analysis(DynamicAnalysis{});
  return single;
}

void give_nodes(Body& body, std::span<const double> nodes, int width, std::span<const int> elements, int corners) {
  if (!std::holds_alternative<FileMesh>(body.mesh)) return;
  NodeMesh mesh;
  for (auto x = nodes.begin(); x != nodes.end(); x += width) mesh.nodes.emplace_back(x, x + width);
  for (auto n = elements.begin(); n != elements.end(); n += corners) mesh.elements.emplace_back(n, n + corners);
  body.mesh = std::move(mesh);
}

std::shared_ptr<Shape> free_shape(const Model& model, const std::string& name, const Mesh& mesh, bool stiff) {
  Model single = body_alone(model, name);
  Body& own = std::get<Body>(*single.bodies.find(name));
  give_nodes(own, mesh.nodes, 3 * mesh.node_vectors, mesh.elements, own.element->nodes);
  const System alone = compile(single);
  auto shape = std::make_shared<Shape>();
  const BodyInfo& info = alone.bodies[0];
  const Vec3<double> first = node(info.mesh, info.node_vectors, 0);
  for (int v = 0; v < alone.vectors(); ++v) {
    const bool position = v % info.node_vectors == 0;
    const Vec3<double> x{{alone.q0[3ul * v], alone.q0[3ul * v + 1], alone.q0[3ul * v + 2]}};
    shape->Z.push_back(position ? x - first : x);
    shape->position.push_back(position);
  }
  const MassMatrix mass(alone);
  shape->mass_start = mass.row_start();
  shape->mass_column = mass.column();
  shape->mass = mass.value();
  shape->finish();
  add_gradient_form(single, own, alone, *shape);
  if (!stiff) return shape;
  LITHE_INVARIANT(alone.symmetric && alone.map.size == shape->size());
  Workspace work(alone, 1);
  const State rest = alone.initial_state();
  shape->pattern = alone.pattern;
  evaluate_internal(alone, rest, work);
  evaluate_tangent(alone, rest, 1, 0, work, shape->stiffness);
  evaluate_tangent(alone, rest, 0, 1, work, shape->viscosity);
  if (std::ranges::all_of(shape->viscosity, [](double x) { return x == 0; })) shape->viscosity.clear();
  return shape;
}

std::shared_ptr<Shape> free_shape(const Model& model, const std::string& name, bool stiff) {
  return free_shape(model, name, make_mesh(model, name), stiff);
}

void mark_mapped_bodies(System& system) {
  const Model& model = system.model;
  if (!goes_by_half_steps(model)) return;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const AnyBody& any = model.bodies.items[b].second;
    const Body* body = std::get_if<Body>(&any);
    if (body ? body->kinematics == Kinematics::total : !std::holds_alternative<RigidBody>(any)) continue;
    BodyInfo& info = system.bodies[b];
    info.mapped = true;
    system.to_map.resize(system.map.unknowns.size(), 0);
    std::fill_n(system.to_map.begin() + info.first_vector, info.mesh.node_count() * info.node_vectors, std::uint8_t{1});
  }
}

void attach_bodies(System& system) {
  const Model& model = system.model;
  struct Known {
    const Body* body;
    const BodyInfo* info;
    std::shared_ptr<Shape> shape;
  };
  std::vector<Known> known;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const BodyInfo& info = system.bodies[b];
    if (!info.mapped) continue;
    const Where& where = model.bodies.where[b];
    const int vectors = info.mesh.node_count() * info.node_vectors;
    const auto* body = std::get_if<Body>(&model.bodies.items[b].second);
    if (!body) {
      const auto shape = rigid_shape(info, where);
      system.map.attach(info.first_vector, vectors, make_map(Kinematics::rigid, info.name, shape));
      continue;
    }
    std::shared_ptr<Shape> shape;
    for (const Known& other : known) {
      Mat3<double> R;
      if (!same_make(*other.body, *body) || other.info->mesh.elements != info.mesh.elements ||
          other.info->mesh.size != info.mesh.size || !fit_mesh(*other.shape, info.mesh.nodes, R).fits)
        continue;
      const double turned = norm(column(R, 0) - Vec3<double>{{1, 0, 0}}) + norm(column(R, 1) - Vec3<double>{{0, 1, 0}});
      if (body->material_axes == MaterialAxes::global && turned > same_place) continue;
      shape = other.shape;
      break;
    }
    if (!shape) {
      shape = free_shape(model, info.name, info.mesh, body->kinematics != Kinematics::rigid);
      shape->eta = body->eta;
      if (body->kinematics == Kinematics::reduced || body->kinematics == Kinematics::modal)
        take_base(*body, info, where, *shape);
      known.push_back({body, &info, shape});
    }
    system.map.attach(info.first_vector, vectors, make_map(body->kinematics, info.name, shape));
  }
}

void warn_of_held_modes(System& system) {
  for (const MappedBody& mapped : system.map.bodies) {
    const auto* map = dynamic_cast<const ReducedMap*>(mapped.map.get());
    if (!map || map->shape().base.method == "craig_bampton") continue;
    int rows = 0;
    for (int r = 0; r < system.row_count(); ++r) {
      bool meets = false;
      system.rows.parts.for_vectors(
          r, [&](int v) { meets = meets || (v >= mapped.first_vector && v < mapped.first_vector + mapped.vectors); });
      rows += meets;
    }
    if (rows > map->size() - 6)
      system.warnings.push_back(
          fmt::format("{} equations hold body '{}', which has {} modes beside the six rigid ones: it can hardly deform "
                      "where it is held; "
                      "make its base with 'lithe reduce craig_bampton' and the nodes that are held as its interface",
                      rows, map->name(), map->size() - 6));
  }
}

void add_mapped_forces(const System& system, const State& state, Workspace& work, MappedForces which) {
  work.team->run(static_cast<int>(system.map.bodies.size()), [&](int b, int thread) {
    const MappedBody& body = system.map.bodies[b];
    const TurningMap* map = turning(body);
    if (!map || map->shape().stiffness.empty()) return;
    const Shape& shape = map->shape();
    if (which == MappedForces::viscous && shape.eta == 0 && shape.viscosity.empty()) return;
    const int n = shape.size();
    const double* q = &state.q[3ul * body.first_vector];
    double *d = work.mapped[thread].data(), *v = d + padded(n), *f = v + padded(n), *modes = f + padded(n);
    const Mat3<double> R = map->find_rotation(q);
    if (which == MappedForces::all) shape.deformation(R, q, d);
    else std::fill_n(d, n, 0.0);
    shape.turn_back(R, &state.v[3ul * body.first_vector], nullptr, v);
    for (int i = 0; i < n; ++i) d[i] += shape.eta * v[i];
    if (shape.base.empty()) elastic_forces(shape, d, v, f);
    else reduced_forces(shape, d, v, modes, f);
    shape.turn(R, f, f);
    for (int i = 0; i < n; ++i) work.internal[3ul * body.first_vector + i] += f[i];
  });
}

std::size_t mapped_room(const System& system) {
  std::size_t most = 0;
  for (const MappedBody& body : system.map.bodies)
    if (const TurningMap* map = turning(body); map && !map->shape().stiffness.empty())
      most = std::max(most, 3 * padded(map->shape().size()) + 2 * padded(map->shape().base.count()));
  return most;
}

const State& strained_state(const System& system, const State& state, int body, State& room) {
  const int b = system.map.body_of(system.bodies[body].first_vector);
  const auto* map = b < 0 ? nullptr : dynamic_cast<const ReducedMap*>(system.map.bodies[b].map.get());
  if (!map) return state;
  const std::size_t first = 3ul * system.map.bodies[b].first_vector;
  room.t = state.t;
  room.load_factor = state.load_factor;
  room.q.resize(state.q.size());
  room.v.resize(state.v.size());
  const Mat3<double> R = map->find_rotation(&state.q[first]);
  const int n = map->shape().size(), r = map->size();
  Eigen::VectorXd x(r), y(n);
  map->coordinates(&state.q[first], R, x.data());
  y.noalias() = Eigen::Map<const Eigen::MatrixXd>(map->shape().base.vectors.data(), n, r) * x;
  for (int i = 0; i < n; ++i) y[i] += map->shape().Z[i / 3][i % 3];
  map->shape().turn(R, y.data(), &room.q[first]);
  std::copy_n(&state.v[first], n, &room.v[first]);
  return room;
}

double mapped_energy(const System& system, const State& state, Team& team, std::vector<AlignedVector<double>>& room) {
  return piece_sum(team, static_cast<int>(system.map.bodies.size()), [&](int from, int to, int thread) {
    double energy = 0;
    for (int b = from; b < to; ++b) {
      const MappedBody& body = system.map.bodies[b];
      const TurningMap* map = turning(body);
      if (!map || map->shape().stiffness.empty()) continue;
      const Shape& shape = map->shape();
      const double* q = &state.q[3ul * body.first_vector];
      const int n = shape.size(), r = shape.base.count();
      double *d = room[thread].data(), *f = d + padded(n);
      shape.deformation(map->find_rotation(q), q, d);
      if (shape.base.empty()) {
        shape.multiply(shape.stiffness, d, f);
        energy += 0.5 * lane_sum(n, [&](std::size_t i) { return d[i] * f[i]; });
        continue;
      }
      const Eigen::Map<const Eigen::MatrixXd> P(shape.projector.data(), n, r), K(shape.reduced_stiffness.data(), r, r);
      Eigen::Map<Eigen::VectorXd> w(f, r), Kw(f + padded(r), r);
      w.noalias() = P.transpose() * Eigen::Map<const Eigen::VectorXd>(d, n);
      Kw.noalias() = K * w;
      energy += 0.5 * lane_sum(r, [&](std::size_t i) { return w[i] * Kw[i]; });
    }
    return energy;
  });
}

}  // namespace lithe
