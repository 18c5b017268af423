#include "lithe/system/joints.h"

#include <array>
#include <cmath>
#include <numeric>

#include "lithe/base/error.h"
#include "lithe/system/elimination.h"
#include "lithe/system/held_gradients.h"
#include "lithe/system/markers.h"

namespace lithe {

namespace {

Vec3<double> start_of(const System& system, int vector) {
  return {{system.q0[3ul * vector], system.q0[3ul * vector + 1], system.q0[3ul * vector + 2]}};
}

Form vector_form(int vector) { return {{vector}, {1.0}, {}}; }

// The vectors stay as they are: all three directions.
void hold_vector(const System& system, ConstraintEquations& equations, int vector, int owner) {
  equations.ties.push_back({vector_form(vector), start_of(system, vector), owner});
}

void hold_direction(const System& system, ConstraintEquations& equations, int vector, const Vec3<double>& direction,
                    int owner) {
  const Vec3<double> d = (1 / std::sqrt(dot(direction, direction))) * direction;
  equations.rows.push_back({Part::linear(d, vector_form(vector)), dot(d, start_of(system, vector)), Signal(0), owner});
}

void compile_constraint(System& system, ConstraintEquations& equations, const Clamp& clamp, int owner) {
  int b = 0;
  const std::vector<int> nodes = system.resolve_nodes(clamp.at, b);
  const BodyInfo& body = system.bodies[b];
  const auto edges = edges_between(body, nodes);
  for (int node : nodes) {
    system.constraint_vectors.back().push_back(body.vector(node, 0));
    hold_vector(system, equations, body.vector(node, 0), owner);
    for (const HeldGradient& held : held_gradients(system, body, node, clamp.hold, edges[node])) {
      system.constraint_vectors.back().push_back(held.vector);
      if (held.all) hold_vector(system, equations, held.vector, owner);
      for (const Vec3<double>& direction : held.along) hold_direction(system, equations, held.vector, direction, owner);
    }
  }
}

void compile_constraint(System& system, ConstraintEquations& equations, const Fix& fix, int owner) {
  int b = 0;
  const std::vector<int> nodes = system.resolve_nodes(fix.at, b);
  const BodyInfo& body = system.bodies[b];
  for (int node : nodes)
    for (Coordinate coordinate : fix.coordinates) {
      const int vector = body.vector(node, static_cast<int>(coordinate));
      system.constraint_vectors.back().push_back(vector);
      if (fix.along.empty()) hold_vector(system, equations, vector, owner);
      for (const Triple& direction : fix.along) hold_direction(system, equations, vector, vec(direction), owner);
    }
}

// The mirror image of a vector in the plane is the vector itself, of one across it its negative; so each keeps to what
// it is. Of a rigid body, whose axes stay at right angles, the axis across is enough.
void compile_constraint(System& system, ConstraintEquations& equations, const SymmetryPlane& symmetry, int owner) {
  constexpr double straight = 1e-6;
  int b = 0;
  const std::vector<int> nodes = system.resolve_nodes(symmetry.at, b);
  const BodyInfo& body = system.bodies[b];
  const std::string user = system.owners[owner].text;
  Vec3<double> n{};
  if (symmetry.axis) n[static_cast<int>(*symmetry.axis)] = 1;
  else n = unit(*symmetry.normal);
  const Vec3<double> first = start_of(system, body.vector(nodes.front(), 0));
  for (int node : nodes) {
    const auto where = "node " + std::to_string(node) + " of body '" + body.name + "'";
    const int position = body.vector(node, 0);
    const double away = dot(n, start_of(system, position) - first);
    if (std::abs(away) > straight * system.length_scale)
      throw InputError(symmetry.at.where, user + ": " + where + " lies " + number_text(away) +
                                              " m off the plane through node " + std::to_string(nodes.front()) +
                                              "; check 'normal' and the nodes");
    system.constraint_vectors.back().push_back(position);
    hold_direction(system, equations, position, n, owner);
    for (int k = 1; k < body.node_vectors; ++k) {
      const int vector = body.vector(node, k);
      const Vec3<double> g = start_of(system, vector), across = dot(g, n) * n;
      const bool in_plane = norm(across) < straight * norm(g), normal = norm(g - across) < straight * norm(g);
      if (!in_plane && !normal)
        throw InputError(symmetry.at.where,
                         user + ": " + body.kind->vectors[k].name + " of " + where +
                             " is neither in the plane nor normal to it, so the body is no mirror image "
                             "there; let the lines of the mesh meet the plane at right angles");
      if (in_plane && body.kind == ElementKind::rigid) continue;
      system.constraint_vectors.back().push_back(vector);
      if (in_plane) {
        hold_direction(system, equations, vector, n, owner);
        continue;
      }
      const auto [n1, n2] = normals(n, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
      hold_direction(system, equations, vector, n1, owner);
      hold_direction(system, equations, vector, n2, owner);
    }
  }
}

void compile_constraint(System& system, ConstraintEquations& equations, const Pin& pin, int owner) {
  for (const Form& point : held_places(system, pin.at)) {
    for (int vector : point.vectors) system.constraint_vectors.back().push_back(vector);
    equations.ties.push_back({point, point.value(system.q0), owner});
  }
}

void compile_constraint(System& system, ConstraintEquations& equations, const Roller& roller, int owner) {
  const Vec3<double> n = unit(roller.normal);
  for (const Form& point : held_places(system, roller.at)) {
    for (int vector : point.vectors) system.constraint_vectors.back().push_back(vector);
    equations.rows.push_back({Part::linear(n, point), dot(n, point.value(system.q0)), Signal(0), owner});
  }
}

// Nodes of a mesh joined by constraints (P1): the coordinates are equal.
void tie_mesh(System& system, ConstraintEquations& equations, int b) {
  const BodyInfo& body = system.bodies[b];
  if (body.mesh.ties.empty()) return;
  const int owner = add_owner(system, ConstraintOwner::Kind::body, b, "body '" + body.name + "' (its connections)");
  for (const MeshTie& tie : body.mesh.ties)
    for (int k = 0; k < (tie.all ? body.node_vectors : 1); ++k) {
      const int a = body.vector(tie.a, k), c = body.vector(tie.b, k);
      equations.ties.push_back({{{a, c}, {-1.0, 1.0}, {}}, start_of(system, c) - start_of(system, a), owner});
    }
}

// Base vectors u, v, w of a rigid body: unit length and right angles, six rows.
void keep_rigid(System& system, ConstraintEquations& equations, int b) {
  const BodyInfo& body = system.bodies[b];
  const int owner = add_owner(system, ConstraintOwner::Kind::body, b, "body '" + body.name + "' (rigidity)");
  const auto axis = [&](int k) { return vector_form(body.vector(0, k)); };
  for (int k = 1; k < 4; ++k) equations.rows.push_back({Part::distance(axis(k), 1.0), 0, Signal(0), owner});
  for (const auto& [i, j] : {std::pair{1, 2}, {1, 3}, {2, 3}})
    equations.rows.push_back(
        {Part::dot({Direction::Kind::plain, {axis(i)}, {}}, {Direction::Kind::plain, {axis(j)}, {}}), 0, Signal(0),
         owner});
}

void keep_bars(System& system, ConstraintEquations& equations, int b, const Linkage& linkage) {
  const BodyInfo& body = system.bodies[b];
  const int owner = add_owner(system, ConstraintOwner::Kind::body, b, "body '" + body.name + "' (its bars)");
  for (int n : linkage.ground) hold_vector(system, equations, body.vector(n, 0), owner);
  if (linkage.plane) {
    const Vec3<double> normal{{(*linkage.plane)[0], (*linkage.plane)[1], (*linkage.plane)[2]}};
    for (int n = 0; n < body.mesh.node_count(); ++n)
      hold_direction(system, equations, body.vector(n, 0), normal, owner);
  }
  for (const auto& [i, j] : linkage.bars) {
    const int from = body.vector(i, 0), to = body.vector(j, 0);
    const Form difference = vector_form(to) - vector_form(from);
    const Vec3<double> d = difference.value(system.q0);
    equations.rows.push_back({Part::distance(difference, std::sqrt(dot(d, d))), 0, Signal(0), owner});
  }
}

}  // namespace

std::vector<Form> held_nodes(const System& system, const At& at) {
  std::vector<Form> points;
  int b = 0;
  for (const int node : system.resolve_nodes(at, b)) points.push_back(vector_form(system.bodies[b].vector(node, 0)));
  return points;
}

std::vector<Form> held_places(const System& system, const At& at) {
  const BodyInfo& body = system.bodies[static_cast<std::size_t>(body_index(system.model, at))];
  const bool of_nodes = at.node || (!at.element && !at.point && body.mesh.sets.find(at.name.empty() ? "all" : at.name));
  if (of_nodes) return held_nodes(system, at);
  return {make_marker(system, at).position};
}

ConstraintEquations compile_constraints(System& system) {
  ConstraintEquations equations;
  const Model& model = system.model;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    tie_mesh(system, equations, static_cast<int>(b));
    const AnyBody& body = model.bodies.items[b].second;
    if (std::holds_alternative<RigidBody>(body) && !system.bodies[b].mapped)
      keep_rigid(system, equations, static_cast<int>(b));
    if (const auto* linkage = std::get_if<Linkage>(&body)) keep_bars(system, equations, static_cast<int>(b), *linkage);
  }
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    system.constraint_vectors.emplace_back();
    const int owner = add_owner(system, ConstraintOwner::Kind::constraint, static_cast<int>(c),
                                "constraint '" + model.constraints.items[c].first + "'");
    std::visit([&](const auto& x) { compile_constraint(system, equations, x, owner); },
               model.constraints.items[c].second);
  }
  compile_joints(system, equations);
  return equations;
}

}  // namespace lithe
