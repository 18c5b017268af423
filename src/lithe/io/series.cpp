#include "lithe/io/series.h"

#include "lithe/base/error.h"

namespace lithe {

SeriesSet::SeriesSet(const System& system, const ResultInfo& info, bool derived)
    : system_(&system), dynamic_(info.dynamic()), derived_(derived) {
  for (std::size_t b = 0; b < info.bodies.size(); ++b) {
    const ResultBody& body = info.bodies[b];
    const std::size_t nodes = static_cast<std::size_t>(body.nodes), vectors = static_cast<std::size_t>(body.vectors);
    const std::string place = "bodies/" + body.name + "/";
    bodies_.push_back({&system.bodies[b], nodes, vectors, &body.reference, body.stress});
    start(place + "coordinates", {nodes, vectors, 3});
    if (dynamic_) start(place + "velocities", {nodes, vectors, 3});
    if (derived) start(place + "position", {nodes, 3});
    if (derived) start(place + "displacement", {nodes, 3});
    if (body.stress) start(place + "von_mises", {nodes});
  }
  for (const Channel& channel : info.channels) start("channels/" + channel.name, {channel.columns.size()});
  start(dynamic_ ? "step_size" : "load_factor", {});
  start("iterations", {}, true);
  start("residual", {});
  start("time", {});
}

void SeriesSet::start(const std::string& name, std::vector<std::size_t> row, bool whole) {
  Series series{name, std::move(row), 1, whole};
  for (const std::size_t n : series.row) series.width *= n;
  row_bytes_ += sizeof(double) * series.width;
  series_.push_back(std::move(series));
}

void SeriesSet::add(const State& state, const RecordedStep& step, const Workspace& work) {
  std::size_t next = 0;
  const auto put = [&](const double* data) {
    Series& series = series_[next++];
    series.values->insert(series.values->end(), data, data + series.width);
  };
  const auto put_positions = [&](const BodyShape& shape, const double* q, const double* origin) {
    std::vector<double>& values = *series_[next++].values;
    for (std::size_t node = 0; node < shape.nodes; ++node)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = 3 * node * shape.vectors + k;
        values.push_back(origin ? q[at] - origin[at] : q[at]);
      }
  };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyShape& shape = bodies_[b];
    const std::size_t first = 3 * static_cast<std::size_t>(shape.body->first_vector);  // a body is one piece of q
    const double* q = state.q.data() + first;
    put(q);
    if (dynamic_) put(state.v.data() + first);
    if (derived_) put_positions(shape, q, nullptr);
    if (derived_) put_positions(shape, q, shape.reference->data());
    if (shape.stress) put(nodal_von_mises(*system_, state, static_cast<int>(b)).data());
  }
  const std::vector<double> values = channel_values(*system_, state, work);
  const double* value = values.data();
  for (std::size_t c = 0; c < system_->outputs.size(); ++c) {
    const std::size_t width = series_[next].width;
    put(value);
    value += width;
  }
  const double iterations = step.iterations;
  put(dynamic_ ? &step.h : &state.load_factor);
  put(&iterations);
  put(&step.residual);
  put(&state.t);
  LITHE_INVARIANT(next == series_.size() && value == values.data() + values.size());
}

void SeriesSet::clear() {
  for (Series& series : series_) series.values->clear();
}

}  // namespace lithe
