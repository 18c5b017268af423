#include "lithe/io/series.h"

#include "lithe/base/error.h"

namespace lithe {

SeriesSet::SeriesSet(const System& system, const ResultInfo& info, bool derived, Part part)
    : loads_(info.loads()),
      moves_(info.dynamic()),
      staged_(info.stages.size() > 1),
      position_(info.position),
      velocity_(info.velocity),
      derived_(derived && info.position),
      part_(part) {
  if (part != Part::channels)
    for (std::size_t b = 0; b < info.bodies.size(); ++b) {
      const ResultBody& body = info.bodies[b];
      const std::size_t nodes = static_cast<std::size_t>(body.nodes), vectors = static_cast<std::size_t>(body.vectors);
      const std::string place = "bodies/" + body.name + "/";
      bodies_.push_back({&system.bodies[b], nodes, vectors, &body.reference, body.stress});
      if (position_) start(place + "coordinates", {nodes, vectors, 3});
      if (velocity_) start(place + "velocities", {nodes, vectors, 3});
      if (derived_) start(place + "position", {nodes, 3});
      if (derived_) start(place + "displacement", {nodes, 3});
      if (body.stress) start(place + "von_mises", {nodes});
    }
  if (part == Part::fields) {
    start("field_rows", {});
    return;
  }
  channels_ = info.channels.size();
  for (const Channel& channel : info.channels) start("channels/" + channel.name, {channel.columns.size()});
  if (moves_) start("step_size", {});
  if (loads_) start("load_factor", {});
  if (staged_) start("stage", {}, true);
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

void SeriesSet::put(const double* data) {
  Series& series = series_[next_++];
  series.values->insert(series.values->end(), data, data + series.width);
}

void SeriesSet::put_positions(const BodyShape& shape, const double* q, const double* origin) {
  std::vector<double>& values = *series_[next_++].values;
  for (std::size_t node = 0; node < shape.nodes; ++node)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = 3 * node * shape.vectors + k;
      values.push_back(origin ? q[at] - origin[at] : q[at]);
    }
}

void SeriesSet::add_fields(const OutputRow& row) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const BodyShape& shape = bodies_[b];
    const std::size_t first = 3 * static_cast<std::size_t>(shape.body->first_vector);  // a body is one piece of q
    const double* q = row.state.q.data() + first;
    if (position_) put(q);
    if (velocity_) put(row.state.v.data() + first);
    if (derived_) put_positions(shape, q, nullptr);
    if (derived_) put_positions(shape, q, shape.reference->data());
    if (shape.stress) put(row.von_mises(static_cast<int>(b)).data());
  }
}

void SeriesSet::add_channels(const OutputRow& row) {
  const std::vector<double>& values = row.channels();
  const double* value = values.data();
  for (std::size_t c = 0; c < channels_; ++c) {
    const std::size_t width = series_[next_].width;
    put(value);
    value += width;
  }
  LITHE_INVARIANT(value == values.data() + values.size());
  const double iterations = row.step.iterations, stage = row.step.stage;
  if (moves_) put(&row.step.h);
  if (loads_) put(&row.state.load_factor);
  if (staged_) put(&stage);
  put(&iterations);
  put(&row.step.residual);
  put(&row.state.t);
}

void SeriesSet::add(const OutputRow& row, std::size_t number) {
  next_ = 0;
  if (part_ != Part::channels) add_fields(row);
  if (part_ != Part::fields) add_channels(row);
  const double at = static_cast<double>(number);
  if (part_ == Part::fields) put(&at);
  LITHE_INVARIANT(next_ == series_.size());
}

void SeriesSet::clear() {
  for (Series& series : series_) series.values->clear();
}

}  // namespace lithe
