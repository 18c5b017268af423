#include "lithe/io/series.h"

#include "lithe/base/error.h"
#include "lithe/io/result_bodies.h"
#include "lithe/system/contact_surfaces.h"

namespace lithe {

const ReducedMap* reduced_map(const System& system, std::size_t body) {
  const int b = system.map.body_of(system.bodies[body].first_vector);
  return b < 0 ? nullptr : dynamic_cast<const ReducedMap*>(system.map.bodies[static_cast<std::size_t>(b)].map.get());
}

SeriesSet::SeriesSet(const System* system, const ResultInfo& info, Layout layout, Part part)
    : system_(system),
      loads_(info.loads()),
      moves_(info.dynamic()),
      staged_(info.stages.size() > 1),
      position_(info.position),
      velocity_(info.velocity),
      by_body_(layout == Layout::memory),
      contacts_(info.contacts),
      part_(part) {
  if (part == Part::contacts) {
    start("contacts/pair", {2}, true);
    start("contacts/entry", {}, true);
    for (const char* name : {"point", "normal", "impulse", "slip"}) start(std::string("contacts/") + name, {3});
    start("contacts/gap", {});
    return;
  }
  if (part != Part::channels) {
    for (const std::size_t b : order_in_file(info)) {
      const ResultBody& body = info.bodies[b];
      const int first = system ? system->bodies[b].first_vector : 0;
      bodies_.push_back({static_cast<int>(b), 3 * static_cast<std::size_t>(first), static_cast<std::size_t>(body.nodes),
                         static_cast<std::size_t>(body.vectors), &body.reference, body.stress,
                         system && body.reduced() ? reduced_map(*system, b) : nullptr});
      stress_ = stress_ || (body.stress && !body.reduced());
      reduced_ = reduced_ || (body.reduced() && (position_ || velocity_ || body.stress));
    }
    full_ = info.bases.empty() || info.in_full.node > 0;
    start_fields(info);
    if (contacts_) start("contact_ends", {});
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

void SeriesSet::start_fields(const ResultInfo& info) {
  const auto field = [&](const std::string& name, std::vector<std::size_t> row_of_all) {
    if (!by_body_) return start("fields/" + name, std::move(row_of_all));
    for (const BodyShape& shape : bodies_) {
      const ResultBody& body = info.bodies[static_cast<std::size_t>(shape.number)];
      const FieldPart part = field_part(body, name);
      if (!part.dataset.empty()) start("bodies/" + body.name + "/" + name, part.row);
    }
  };
  const auto count = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t vectors = count(info.in_full.vector), nodes = count(info.in_full.node);
  if (position_ && full_) field("coordinates", {vectors, 3});
  if (velocity_ && full_) field("velocities", {vectors, 3});
  if (position_ && full_ && !by_body_) field("position", {nodes, 3});
  if (position_ && full_ && !by_body_) field("displacement", {nodes, 3});
  if (stress_) field("von_mises", {count(info.in_full.stress)});
  if (!reduced_) return;
  field("reduced_coordinates", {count(info.end.mode)});
  field("reduced_rates", {count(info.end.mode)});
  field("rotation", {3 * count(info.end.rotation), 3});
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

template <class Put>
void SeriesSet::put_field(Put&& put) {
  for (const BodyShape& shape : bodies_)
    if (put(shape, *series_[next_].values) && by_body_) ++next_;
  if (!by_body_) ++next_;
}

void SeriesSet::add_fields(const OutputRow& row) {
  using Values = std::vector<double>;
  const auto all_of = [](const std::vector<double>& state) {  // a body is one piece of it
    return [&state](const BodyShape& shape, Values& values) {
      if (shape.reduced) return false;
      const double* first = state.data() + shape.first;
      values.insert(values.end(), first, first + 3 * shape.nodes * shape.vectors);
      return true;
    };
  };
  const auto positions = [&](bool from_reference) {
    return [&row, from_reference](const BodyShape& shape, Values& values) {
      if (shape.reduced) return false;
      const double *q = row.state.q.data() + shape.first, *origin = shape.reference->data();
      for (std::size_t node = 0; node < shape.nodes; ++node)
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t at = 3 * node * shape.vectors + k;
          values.push_back(from_reference ? q[at] - origin[at] : q[at]);
        }
      return true;
    };
  };
  if (position_ && full_) put_field(all_of(row.state.q));
  if (velocity_ && full_) put_field(all_of(row.state.v));
  if (position_ && full_ && !by_body_) put_field(positions(false));
  if (position_ && full_ && !by_body_) put_field(positions(true));
  if (stress_)
    put_field([&](const BodyShape& shape, Values& values) {
      if (!shape.stress || shape.reduced) return false;
      const std::vector<double>& own = row.von_mises(shape.number);
      values.insert(values.end(), own.begin(), own.end());
      return true;
    });
  if (reduced_) add_reduced(row);
}

// At the end of a step the slots have the rotation that the rates belong to; between two of them both are found anew.
void SeriesSet::add_reduced(const OutputRow& row) {
  coordinates_.clear();
  rates_.clear();
  rotations_.clear();
  Slots turned;
  if (row.step.between) turned = row.state.slots;
  const Slots& slots = row.step.between ? turned : row.state.slots;
  for (const BodyShape& shape : bodies_) {
    if (!shape.reduced) continue;
    const ReducedMap& map = *shape.reduced;
    const double* q = row.state.q.data() + shape.first;
    if (row.step.between) {
      map.set_rotation(map.find_rotation(q), turned);
      map.fit(turned, row.state.v.data() + shape.first, map.rates(turned));
    }
    const Mat3<double> R = map.rotation(slots);
    const auto modes = static_cast<std::size_t>(map.size());
    coordinates_.resize(coordinates_.size() + modes);
    map.coordinates(q, R, coordinates_.data() + coordinates_.size() - modes);
    rates_.insert(rates_.end(), map.rates(slots), map.rates(slots) + modes);
    rotations_.insert(rotations_.end(), &R[0][0], &R[0][0] + 9);
  }
  const auto next_part = [](const std::vector<double>& all, bool turns) {
    return [&all, turns, first = all.begin()](const BodyShape& shape, std::vector<double>& values) mutable {
      if (!shape.reduced) return false;
      const auto last = first + (turns ? 9 : shape.reduced->size());
      values.insert(values.end(), first, last);
      first = last;
      return true;
    };
  };
  put_field(next_part(coordinates_, false));
  put_field(next_part(rates_, false));
  put_field(next_part(rotations_, true));
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

std::size_t SeriesSet::points_of(const OutputRow& row) const {
  const Slots& slots = row.state.slots;
  return static_cast<std::size_t>(slots.size(contact_points_slot(*system_, slots)) / ContactRecord::count);
}

void SeriesSet::add_points(const OutputRow& row) {
  const Slots& slots = row.state.slots;
  const double* values = slots[contact_points_slot(*system_, slots)];
  for (std::size_t k = 0, n = points_of(row); k < n; ++k, values += ContactRecord::count) {
    next_ = 0;
    for (const int part : {ContactRecord::first, ContactRecord::entry, ContactRecord::point, ContactRecord::normal,
                           ContactRecord::impulse, ContactRecord::slip, ContactRecord::gap})
      put(values + part);
  }
}

void SeriesSet::add(const OutputRow& row, std::size_t number) {
  if (part_ == Part::contacts) return add_points(row);
  next_ = 0;
  if (part_ != Part::channels) add_fields(row);
  if (part_ != Part::channels && contacts_) {
    points_ += points_of(row);
    const double end = static_cast<double>(points_);
    put(&end);
  }
  if (part_ != Part::fields) add_channels(row);
  const double at = static_cast<double>(number);
  if (part_ == Part::fields) put(&at);
  LITHE_INVARIANT(next_ == series_.size());
}

void SeriesSet::clear() {
  for (Series& series : series_) series.values->clear();
}

}  // namespace lithe
