#include "lithe/io/rebuilt_fields.h"

#include <algorithm>

#include "lithe/base/error.h"
#include "lithe/io/load_model.h"
#include "lithe/io/yaml.h"
#include "lithe/system/mapped_bodies.h"
#include "lithe/system/nodal_stress.h"

namespace lithe {

namespace {

std::size_t at(int n) { return static_cast<std::size_t>(n); }

std::string part_name(const ResultBody& body, const char* field) { return "bodies/" + body.name + "/" + field; }

// y = R (Z + E x) of every row, or R E x. By some vectors at a time, whose part of E stays in the cache for all rows.
void combine(const ResultBase& base, bool with_shape, const std::vector<double>& x, const std::vector<double>& R,
             std::vector<double>& y) {
  constexpr std::size_t at_once = 192;
  const std::size_t n = base.shape.size(), modes = at(base.count()), rows = R.size() / 9;
  double sum[at_once];
  for (std::size_t first = 0; first < n; first += at_once) {
    const std::size_t count = std::min(at_once, n - first);
    for (std::size_t row = 0; row < rows; ++row) {
      if (with_shape) std::copy_n(&base.shape[first], count, sum);
      else std::fill_n(sum, count, 0.0);
      for (std::size_t k = 0; k < modes; ++k) {
        const double *E = &base.modes[k * n + first], factor = x[row * modes + k];
        for (std::size_t i = 0; i < count; ++i) sum[i] += factor * E[i];
      }
      const double* turn = &R[9 * row];
      double* to = &y[row * n + first];
      for (std::size_t i = 0; i < count; i += 3)
        for (std::size_t a = 0; a < 3; ++a)
          to[i + a] = turn[3 * a] * sum[i] + turn[3 * a + 1] * sum[i + 1] + turn[3 * a + 2] * sum[i + 2];
    }
  }
}

ResultArray full_vectors(const ResultSource& source, const ResultBody& body, bool rates, RowRange rows) {
  const ResultArray R = source.read_rows(part_name(body, "rotation"), rows),
                    x = source.read_rows(part_name(body, rates ? "reduced_rates" : "reduced_coordinates"), rows);
  ResultArray full{{R.shape[0], at(body.nodes), at(body.vectors), 3}, std::make_shared<std::vector<double>>()};
  full.values->resize(R.shape[0] * body.reference.size());
  combine(source.info().bases[at(body.base)], !rates, *x.values, *R.values, *full.values);
  return full;
}

ResultArray positions(const ResultSource& source, const ResultBody& body, bool from_reference, RowRange rows) {
  const ResultArray q = full_vectors(source, body, false, rows);
  ResultArray array{{q.shape[0], at(body.nodes), 3}, std::make_shared<std::vector<double>>()};
  array.values->reserve(3 * q.shape[0] * at(body.nodes));
  const std::size_t n = body.reference.size(), node = 3 * at(body.vectors);
  for (std::size_t first = 0; first < q.values->size(); first += node)
    for (std::size_t k = 0; k < 3; ++k)
      array.values->push_back((*q.values)[first + k] - (from_reference ? body.reference[first % n + k] : 0.0));
  return array;
}

// Times of the rows of fields.
std::vector<double> field_times(const ResultSource& source, RowRange rows) {
  if (!source.info().fields_apart) return *source.read_rows("time", rows).values;
  const std::vector<double> all = *source.read("time").values;
  std::vector<double> times = *source.read_rows("field_rows", rows).values;
  for (double& x : times) x = all[static_cast<std::size_t>(x)];
  return times;
}

// The body of the model that ran, alone, with what acts on its stress. A mesh that came from a file is that of the
// result: the file may be gone.
Model stressed_body(const ResultInfo& info, const ResultBody& body) {
  Reading ignored;
  Model model = read_model(parse_yaml(info.model_yaml, info.path.empty() ? "the model" : info.path), ignored);
  Body& own = std::get<Body>(*model.bodies.find(body.name));
  give_nodes(own, body.reference, 3 * body.vectors, body.connectivity, body.element_nodes);
  Model alone = body_alone(model, body.name);
  for (std::size_t i = 0; i < model.loads.size(); ++i)
    if (const auto* heat = std::get_if<Temperature>(&model.loads.items[i].second); heat && heat->body == body.name)
      alone.loads.add(model.loads.items[i].first, *heat, model.loads.where[i]);
  return alone;
}

}  // namespace

class FieldRebuilder::Stress {
 public:
  explicit Stress(const Model& model) : system_(compile(model)), stress_(system_), state_(system_.initial_state()) {}
  std::vector<double> at(double t, const double* q, const double* v) {
    state_.t = t;
    std::copy_n(q, state_.q.size(), state_.q.begin());
    std::copy_n(v, state_.v.size(), state_.v.begin());
    return stress_.von_mises(0, state_, team_);
  }

 private:
  System system_;
  NodalStress stress_;
  State state_;
  Team team_{1};
};

FieldRebuilder::FieldRebuilder() = default;
FieldRebuilder::~FieldRebuilder() = default;

bool FieldRebuilder::makes(const ResultInfo& info, const ResultBody& body, const std::string& field) {
  if (!body.reduced()) return false;
  if (field == "coordinates" || field == "position" || field == "displacement") return info.position;
  return field == "velocities" ? info.velocity : field == "von_mises" && body.stress;
}

ResultArray FieldRebuilder::make(const ResultSource& source, const ResultBody& body, const std::string& field,
                                 RowRange rows) {
  if (field == "von_mises") return von_mises(source, body, rows);
  if (field == "coordinates" || field == "velocities") return full_vectors(source, body, field == "velocities", rows);
  return positions(source, body, field == "displacement", rows);
}

ResultArray FieldRebuilder::von_mises(const ResultSource& source, const ResultBody& body, RowRange rows) {
  const std::lock_guard lock(alone_);
  std::unique_ptr<Stress>& stress = stress_[body.name];
  if (!stress) stress = std::make_unique<Stress>(stressed_body(source.info(), body));
  const std::vector<double> times = field_times(source, rows);
  const ResultArray q = full_vectors(source, body, false, rows), v = full_vectors(source, body, true, rows);
  ResultArray array{{q.shape[0], at(body.nodes)}, std::make_shared<std::vector<double>>()};
  array.values->reserve(q.shape[0] * at(body.nodes));
  for (std::size_t row = 0; row < q.shape[0]; ++row) {
    const std::size_t first = row * body.reference.size();
    const std::vector<double> own = stress->at(times[row], &(*q.values)[first], &(*v.values)[first]);
    array.values->insert(array.values->end(), own.begin(), own.end());
  }
  return array;
}

}  // namespace lithe
