// compile(Model): meshes -> coordinate vectors -> eliminated coordinates -> batches -> pattern -> loads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "lithe/base/error.h"
#include "lithe/elements/quadrature.h"
#include "lithe/model/body_material.h"
#include "lithe/model/mesh_file.h"
#include "lithe/model/section_properties.h"
#include "lithe/model/section_taper.h"
#include "lithe/model/validate.h"
#include "lithe/system/contact_surfaces.h"
#include "lithe/system/elimination.h"
#include "lithe/system/joints.h"
#include "lithe/system/laws.h"
#include "lithe/system/loads.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/outputs.h"
#include "lithe/system/pattern.h"
#include "lithe/system/redundancy.h"
#include "lithe/system/rigid.h"
#include "lithe/system/slide_along.h"
#include "lithe/system/springs.h"
#include "lithe/system/start.h"
#include "lithe/system/start_velocities.h"
#include "lithe/system/system.h"

namespace lithe {

namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Coordinates have sixteen digits: those that tell how far away a body is are lost to its shape.
void warn_of_distance(System& system, const BodyInfo& body) {
  Vec3<double> low{{1e300, 1e300, 1e300}}, high{{-1e300, -1e300, -1e300}};
  double away = 0;
  for (int n = 0; n < body.mesh.node_count(); ++n)
    for (int m = 0; m < 3; ++m) {
      const double x = body.mesh.vector(n)[m];
      low[m] = std::min(low[m], x);
      high[m] = std::max(high[m], x);
      away = std::max(away, std::abs(x));
    }
  const double own = std::sqrt(dot(high - low, high - low)), size = own > 0 ? own : system.length_scale;
  const double share = std::numeric_limits<double>::epsilon() * away / size;
  if (share > 1e-9)
    system.warnings.push_back(fmt::format(
        "body '{}' lies {:.3g} m from the origin, {:.2g} times its size of {:.3g} m{}: rounding of its coordinates is "
        "{:.1e} of that size, so results have {:.0f} digits at best; put the origin near it",
        body.name, away, away / size, size, own > 0 ? "" : " (that of the model)", share,
        std::max(0.0, std::floor(-std::log10(share)))));
}

void add_bodies(System& system, MeshFiles& files) {
  const Model& model = system.model;
  std::map<std::string, std::vector<std::string>> noted;  // bodies by what was noted of their meshes
  int vectors = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto& [name, body] = model.bodies.items[b];
    BodyInfo info;
    info.name = name;
    info.kind = body_kind(body);
    if (const auto* flexible = std::get_if<Body>(&body)) info.slices = body_slices(model, *flexible);
    info.mesh = make_mesh(model, name, files);
    if (const auto* rigid = std::get_if<RigidBody>(&body)) take_mass(*rigid, model.bodies.where[b], files, info);
    for (const std::string& note : info.mesh.notes) noted[note].push_back(name);
    info.first_vector = vectors;
    info.node_vectors = info.kind->node_vectors;
    vectors += info.mesh.node_count() * info.node_vectors;
    append(system.q0, info.mesh.nodes);
    system.bodies.push_back(std::move(info));
  }
  for (const auto& [note, names] : noted) {
    const std::string others = names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "";
    system.warnings.push_back("body '" + names.front() + "'" + others + ": " + note);
  }
  system.map.unknowns.resize(vectors);
  Vec3<double> low{{1e300, 1e300, 1e300}}, high{{-1e300, -1e300, -1e300}};
  for (const BodyInfo& body : system.bodies)
    for (int n = 0; n < body.mesh.node_count(); ++n)
      for (int m = 0; m < 3; ++m) {
        low[m] = std::min(low[m], body.mesh.vector(n)[m]);
        high[m] = std::max(high[m], body.mesh.vector(n)[m]);
      }
  system.length_scale = std::sqrt(dot(high - low, high - low));
  if (system.length_scale == 0) system.length_scale = 1;  // a single rigid body or point
  for (const BodyInfo& body : system.bodies) warn_of_distance(system, body);
  system.v0.assign(system.q0.size(), 0.0);
}

void fill_cable(const Model& model, const Body& body, Batch& batch) {
  const Material material = body_material(model, body);
  const CableStiffness stiffness = cable_stiffness(*model.sections.find(body.section), material);
  const std::vector<int> rule = rule_of(body);
  batch.cable.EA = stiffness.EA;
  batch.cable.EI = stiffness.EI;
  batch.cable.tau = material_damping(material);
  batch.cable.line_density = stiffness.mass;
  batch.cable.axial_points = rule[0];
  batch.cable.bending_points = rule[1];
  for (int e = 0; e < batch.elements; ++e) batch.cable.length.push_back(2 * batch.continuum.half_size[3 * e]);
}

// Properties of sections, each computed once: finite elements on a section take a while.
class SectionTable {
 public:
  // One for all elements, or one for each in the middle of its part of the line where the section is tapered.
  const std::vector<SectionStiffness>& of(const Model& model, const Body& body, int elements) {
    const Section& section = *model.sections.find(body.section);
    const auto* tapered = std::get_if<Tapered>(&section);
    const auto [found, fresh] = known_.try_emplace({body.section, body.material, tapered ? elements : 0});
    if (!fresh) return found->second;
    const Material& material = material_of(model, body);
    if (!tapered) found->second.push_back(section_stiffness(section, material));
    else
      found->second = along(*model.sections.find(tapered->from), *model.sections.find(tapered->to), material, elements);
    return found->second;
  }

 private:
  // In the middle of every element: the polynomial through a few sections, whose properties change smoothly.
  static std::vector<SectionStiffness> along(const Section& from, const Section& to, const Material& material,
                                             int elements) {
    constexpr int most = 6;
    const int count = std::min(elements, most);
    double place[most];
    SectionStiffness known[most];
    for (int i = 0; i < count; ++i) {
      place[i] = elements <= most ? (i + 0.5) / elements : 0.5 - 0.5 * std::cos(M_PI * (i + 0.5) / most);  // Chebyshev
      known[i] = section_stiffness(section_between(from, to, place[i]), material);
    }
    std::vector<SectionStiffness> all;
    for (int e = 0; e < elements; ++e) {
      const double s = (e + 0.5) / elements;
      SectionStiffness& sum = all.emplace_back();
      for (int i = 0; i < count; ++i) {
        double share = 1;
        for (int j = 0; j < count; ++j)
          if (j != i) share *= (s - place[j]) / (place[i] - place[j]);
        const SectionStiffness& one = known[i];
        for (int r = 0; r < 6; ++r)
          for (int c = 0; c < 6; ++c) sum.C[r][c] += share * one.C[r][c];
        sum.mass += share * one.mass;
        for (int d = 0; d < 2; ++d) sum.first[d] += share * one.first[d];
        for (int d = 0; d < 3; ++d) sum.second[d] += share * one.second[d];
      }
    }
    return all;
  }

  std::map<std::tuple<std::string, std::string, int>, std::vector<SectionStiffness>> known_;
};

// A beam whose section is known by its mass and moments per length: r = A(xi) + y B(xi) + z C(xi), with positions and
// gradients along the axis in A, those across it in B and C.
void fill_section_mass(const std::vector<SectionStiffness>& sections, Batch& batch) {
  const ElementKind kind = batch.continuum.kind;
  const int N = vector_count(kind);
  const auto part = [&](int i) { return std::max(0, kind->vectors[i % kind->node_vectors].gradient); };
  const GaussRule gauss = gauss_rule(6);
  batch.mass.assign(static_cast<std::size_t>(batch.elements) * N * (N + 1) / 2, 0.0);
  double S[most_vectors], dS[most_vectors][3];
  for (int e = 0; e < batch.elements; ++e) {
    const double *half = &batch.continuum.half_size[3ul * e], *reference = &batch.continuum.reference[3ul * N * e];
    double* mass = &batch.mass[static_cast<std::size_t>(e) * N * (N + 1) / 2];
    const SectionStiffness& section = sections[sections.size() > 1 ? static_cast<std::size_t>(e) : 0];
    const double moment[3][3] = {{section.mass, section.first[0], section.first[1]},
                                 {section.first[0], section.second[0], section.second[2]},
                                 {section.first[1], section.second[2], section.second[1]}};
    for (std::size_t p = 0; p < gauss.x.size(); ++p) {
      const double xi[3] = {gauss.x[p], 1, 1};
      kind->shape(xi, S);
      kind->derivative(xi, &dS[0][0]);
      Vec3<double> slope{};
      for (int i = 0; i < N; ++i) {
        if (part(i) != 0) continue;
        const double scale = vector_scale(kind, half, i);
        for (int m = 0; m < 3; ++m) slope[m] += scale * dS[i][0] * reference[3 * i + m];
        S[i] *= scale;
      }
      const double length = gauss.w[p] * norm(slope);
      for (int i = 0, k = 0; i < N; ++i)
        for (int j = i; j < N; ++j, ++k) mass[k] += length * moment[part(i)][part(j)] * S[i] * S[j];
    }
  }
}

// Compact mass matrix, upper triangle [i <= j] (P0 eq. 1); an inverted element is found here or at its quadrature.
void fill_mass(const Model& model, const Body& body, Batch& batch) {
  const ElementKind kind = batch.continuum.kind;
  const int N = vector_count(kind);
  const bool cable = !kind->volume;
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

bool is_lumped(const Body& body) { return body.mass ? *body.mass == MassForm::lumped : body.element->lumped; }

// At the nodes alone: the sum of each row, or, where the functions of the corners have a negative one (tet10), the
// diagonal scaled to the element's mass (E. Hinton, T. Rock, O. Zienkiewicz 1976).
void lump_mass(Batch& batch) {
  const int N = vector_count(batch.continuum.kind);
  const auto size = static_cast<std::size_t>(N) * (N + 1) / 2;
  std::vector<double> rows(N), diagonal(N);
  for (int e = 0; e < batch.elements; ++e) {
    double* mass = &batch.mass[size * e];
    std::ranges::fill(rows, 0.0);
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = i; j < N; ++j, ++k) {
        rows[i] += mass[k];
        if (i != j) rows[j] += mass[k];
        else diagonal[i] = mass[k];
      }
    if (std::ranges::min(rows) <= 0) {
      const double total = std::accumulate(rows.begin(), rows.end(), 0.0);
      const double scale = total / std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
      for (int i = 0; i < N; ++i) rows[i] = scale * diagonal[i];
    }
    for (int i = 0, k = 0; i < N; ++i)
      for (int j = i; j < N; ++j, ++k) mass[k] = i == j ? rows[i] : 0.0;
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
        throw InputError(where, "body '" + system.bodies[batch.bodies.front()].name + "': element " +
                                    std::to_string(e) + " is inverted or flat in the reference configuration (volume " +
                                    number_text(map.volume) +
                                    " m^3 at a quadrature point); check its nodes, the radius of the arc against the "
                                    "section and the order of the axes");
    }
}

// What elements must have in common to be evaluated side by side.
std::string batch_key(const Batch& batch, const std::string& strategy) {
  std::string key = strategy + '\0' + batch.continuum.kind->name + '\0';
  const auto add = [&key](auto... numbers) {
    for (const double x : {static_cast<double>(numbers)...}) key.append(reinterpret_cast<const char*>(&x), sizeof x);
  };
  const ContinuumBatch& c = batch.continuum;
  add(static_cast<int>(c.axes), c.points.size());
  for (const QuadraturePoint& p : c.points) add(p.xi[0], p.xi[1], p.xi[2], p.weight, p.law, p.angle);
  for (const Law& l : c.laws) add(l.C11, l.C22, l.C33, l.C23, l.C13, l.C12, l.G23, l.G13, l.G12, l.tau);
  add(static_cast<int>(c.formulation), c.section.size());
  for (const SectionLaw& l : c.section) {
    add(l.across, l.tau);
    for (const double x : l.stiffness) add(x);
  }
  const CableBatch& k = batch.cable;
  add(k.EA, k.EI, k.tau, k.line_density, k.axial_points, k.bending_points, batch.mass_damping, batch.eta);
  return key;
}

// The elements of one body, all but kernel and connectivity.
Batch elements_of(const System& system, int b, const Body& body, const Where& where, SectionTable& sections) {
  const BodyInfo& info = system.bodies[b];
  const ElementInfo& element = element_info(body.element);
  Batch batch;
  batch.bodies = {b};
  batch.elements = info.elements();
  batch.mass_damping = body.damping.mass;
  batch.eta = body.eta;
  batch.continuum.kind = body.element;
  batch.continuum.elements = batch.elements;
  batch.continuum.axes = body.material_axes;
  batch.continuum.half_size.reserve(info.mesh.size.size());
  for (double length : info.mesh.size) batch.continuum.half_size.push_back(0.5 * length);
  batch.continuum.reference.reserve(3ul * batch.elements * element.nodes * element.node_vectors);
  for (int e = 0; e < batch.elements; ++e)
    for (int n = 0; n < element.nodes; ++n) {
      const double* node = info.mesh.free_node(info.mesh.elements[static_cast<std::size_t>(e) * element.nodes + n]);
      batch.continuum.reference.insert(batch.continuum.reference.end(), node, node + 3 * element.node_vectors);
    }
  if (element.volume) {
    batch.continuum.formulation = formulation_of(system.model, body);
    fill_points(system.model, body, batch.continuum);
    check_volumes(system, batch, where);
    if (batch.continuum.formulation == Formulation::section) {
      if (element.dimension == 1) {
        const std::vector<SectionStiffness>& found = sections.of(system.model, body, batch.elements);
        batch.continuum.section = {beam_law(found, body_material(system.model, body))};
        fill_section_mass(found, batch);
        return batch;
      }
      batch.continuum.section = shell_laws(system.model, body);
    }
  } else {
    fill_cable(system.model, body, batch);
  }
  fill_mass(system.model, body, batch);
  if (is_lumped(body)) lump_mass(batch);
  return batch;
}

void make_kernel(const System& system, Batch& batch, const std::string& strategy) {
  if (const auto make = batch.continuum.kind->make_kernel) {
    batch.kernel = make(batch.continuum, strategy, system.model.tangent);
    return;
  }
  batch.kernel = make_cable_kernel(batch.cable, system.model.tangent);
  batch.cable.length.shrink_to_fit();
}

// Elements of all bodies that can be evaluated side by side form one batch.
void add_batches(System& system) {
  const Model& model = system.model;
  std::map<std::string, int> batch_of;
  std::vector<std::string> strategies;
  SectionTable sections;
  const auto named = [&](std::size_t b, auto&& action) {
    const Where& where = model.bodies.where[b];
    try {
      action();
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (!where.file.empty() && message.rfind(where.file, 0) == 0) throw;
      throw InputError(
          where, message.rfind("body '", 0) == 0 ? message : "body '" + model.bodies.items[b].first + "': " + message);
    }
  };
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body* body = std::get_if<Body>(&model.bodies.items[b].second);
    if (!body) continue;
    named(b, [&] {
      Batch one = elements_of(system, static_cast<int>(b), *body, model.bodies.where[b], sections);
      const std::string strategy = system.bodies[b].mapped ? "mapped" : body->strategy.value_or(model.strategy);
      const auto [found, fresh] = batch_of.emplace(batch_key(one, strategy), static_cast<int>(system.batches.size()));
      BodyInfo& info = system.bodies[b];
      info.batch = found->second;
      if (fresh) {
        system.batches.push_back(std::move(one));
        strategies.push_back(strategy);
        return;
      }
      Batch& batch = system.batches[info.batch];
      info.first_element = batch.elements;
      batch.bodies.push_back(static_cast<int>(b));
      batch.elements += one.elements;
      batch.continuum.elements = batch.elements;
      append(batch.continuum.reference, one.continuum.reference);
      append(batch.continuum.half_size, one.continuum.half_size);
      append(batch.cable.length, one.cable.length);
      for (std::size_t part = 0; part < one.continuum.section.size(); ++part)  // one for each element
        if (const SectionLaw& law = one.continuum.section[part]; law.differs())
          append(batch.continuum.section[part].stiffness, law.stiffness);
      append(batch.mass, one.mass);
    });
  }
  for (std::size_t k = 0; k < system.batches.size(); ++k) {
    Batch& batch = system.batches[k];
    if (!system.bodies[batch.bodies.front()].mapped)
      named(batch.bodies.front(), [&] { make_kernel(system, batch, strategies[k]); });
    connect(system, batch);
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (!std::holds_alternative<Body>(model.bodies.items[b].second)) add_rigid_batches(system, static_cast<int>(b));
}

}  // namespace

System::System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

State System::initial_state() const {
  State state;
  state.q = q_start.empty() ? q0 : q_start;  // empty while it is being compiled
  state.v = v0;
  state.lambda.assign(rows.size(), 0.0);
  for (std::size_t i = 0; i < angles.size(); ++i)  // joints' angles first: PartView::angles is their number
    state.slots.add(angle_names[i], {angle_value(angles[i], state.q, 0)});
  for (const Slider& slider : sliders)  // then the forces across lines: pressed_slot
    state.slots.add("joint '" + model.joints.items[slider.joint].first + "': force across the line", {0.0});
  for (const MappedBody& body : map.bodies) body.map->add_slots(&state.q[3ul * body.first_vector], state.slots);
  if (contact_surfaces) add_contact_slots(*this, state.slots);
  return state;
}

int System::body_at(int vector) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyInfo& body = bodies[b];
    if (vector >= body.first_vector && vector < body.first_vector + body.mesh.node_count() * body.node_vectors)
      return static_cast<int>(b);
  }
  return -1;
}

std::string System::unknown_name(int i) const {
  if (i >= map.size) return owners[rows.owner[i - map.size]].text;
  const int v = map.owner[i];
  if (const int b = map.body_of(v); b >= 0)
    return "body '" + bodies[body_at(v)].name + "', " + map.bodies[b].map->unknown_name(i - map.bodies[b].first);
  for (const Slider& slider : sliders)
    if (slider.vector == v) return "joint '" + model.joints.items[slider.joint].first + "', its place along the line";
  for (const BodyInfo& body : bodies) {
    const int count = body.mesh.node_count() * body.node_vectors;
    if (v < body.first_vector || v >= body.first_vector + count) continue;
    const int local = v - body.first_vector;
    const int c = i - map.unknowns[v].first;
    const int component = map.unknowns[v].component[c];
    std::string direction(1, "xyz"[component]);
    if (const int basis = map.unknowns[v].basis; basis >= 0) {
      const auto along = [&](int m) {
        const double x = map.bases[basis][m][component];
        return std::abs(x) < 1e-12 ? 0.0 : x;
      };
      direction = fmt::format("along [{:.3g}, {:.3g}, {:.3g}]", along(0), along(1), along(2));
    }
    const bool rigid = body.kind == ElementKind::rigid;
    const std::string node = rigid ? "" : " node " + std::to_string(local / body.node_vectors) + ",";
    return "body '" + body.name + "'," + node + " " + body.kind->vectors[local % body.node_vectors].name + " " +
           direction;
  }
  throw InvariantError("unknown without a body");
}

System compile(const Model& model) {
  Reading told;  // what is doubtful is said where the model is read
  validate(model, told);
  System system;
  system.model = model;
  apply_preset(system.model);
  MeshFiles files;
  add_bodies(system, files);
  system.surface = make_surface(system);
  mark_mapped_bodies(system);
  ConstraintEquations equations = compile_constraints(system);
  eliminate(system, equations);
  attach_bodies(system);
  settle_rows(system, equations);
  warn_of_held_modes(system);
  compile_start(system, equations);
  add_batches(system);
  compile_springs(system);
  compile_initial_velocities(system);
  start_sliders(system);
  compare_drives_with_velocities(system, equations);
  compile_loads(system);
  compile_outputs(system);
  build_pattern(system);
  cut_into_chunks(system);
  if (system.model.contacts.size() > 0) system.contact_surfaces = std::make_shared<ContactSurfaces>(system, files);
  return system;
}

}  // namespace lithe
