#include "lithe/dynamics/contact_start.h"

#include <fmt/format.h>

#include "lithe/base/error.h"
#include "lithe/contact/containment.h"
#include "lithe/system/contact_surfaces.h"

namespace lithe {

void check_contact_start(const System& system, const ContactScene& scene, const std::vector<ContactPoint>& points,
                         Team& team) {
  const ContactSurfaces& surfaces = *system.contact_surfaces;
  const auto accepts = [&](int entry) {
    return system.model.contacts.items[entry].second.initial_overlap == InitialOverlap::accept;
  };
  const auto where_of = [&](int a, int b) {
    const auto& contacts = system.model.contacts;
    const auto entry = static_cast<std::size_t>(surfaces.entry(a, b));
    const Where said = entry < contacts.where.size() ? contacts.where[entry] : Where{};
    return Where{said.file, said.line, "contacts." + contacts.items[entry].first};
  };
  const ContactPoint* worst = nullptr;
  for (const ContactPoint& point : points) {
    if (point.gap >= -1e-9 * system.length_scale || accepts(surfaces.entry(point.a.surface, point.b.surface))) continue;
    if (!worst || point.gap < worst->gap) worst = &point;
  }
  if (worst) {
    const Vec3<double>& at = worst->a.point;
    throw InputError(
        where_of(worst->a.surface, worst->b.surface),
        fmt::format("{} and {} overlap by {:.3g} m at the start, at ({:.4g}, {:.4g}, {:.4g}); move them apart, or "
                    "write 'initial_overlap: accept' in their contact",
                    surfaces.name(worst->a.surface), surfaces.name(worst->b.surface), -worst->gap, at[0], at[1],
                    at[2]));
  }
  const PairRule watched = [&](int a, int b) {
    const int entry = surfaces.entry_of(a, b);
    return entry >= 0 && !accepts(entry);
  };
  for (const Containment& one : find_containments(scene, watched, team)) {
    const std::string inner = surfaces.name(one.inner), outer = surfaces.name(one.outer);
    throw InputError(
        where_of(one.inner, one.outer),
        fmt::format("{} at the start, at ({:.4g}, {:.4g}, {:.4g}); move them apart, or write 'initial_overlap: accept' "
                    "in their "
                    "contact",
                    one.through ? inner + " and " + outer + " go through each other" : inner + " lies inside " + outer,
                    one.at[0], one.at[1], one.at[2]));
  }
}

}  // namespace lithe
