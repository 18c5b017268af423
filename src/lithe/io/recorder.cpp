#include "lithe/io/recorder.h"

namespace lithe {

const std::vector<double>& OutputRow::channels() const {
  if (!channels_) channels_ = channel_values(system_, state, work_);
  return *channels_;
}

const std::vector<double>& OutputRow::von_mises(int body) const {
  von_mises_.resize(system_.bodies.size());
  std::optional<std::vector<double>>& values = von_mises_[static_cast<std::size_t>(body)];
  if (!values) values = stress_.von_mises(body, state, *work_.team);
  return *values;
}

}  // namespace lithe
