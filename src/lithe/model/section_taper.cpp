#include "lithe/model/section_taper.h"

#include "lithe/base/describe.h"

namespace lithe {

namespace {

double even(double a, double b, double s) { return a + s * (b - a); }

// `x` holds what is there at the start; it becomes what is there at s.
void change(const Type& type, void* x, const void* to, double s, const char* key) {
  using Kind = Type::Kind;
  switch (type.kind) {
    case Kind::number: {
      auto& value = *static_cast<double*>(x);
      value = even(value, *static_cast<const double*>(to), s);
      return;
    }
    case Kind::optional: {
      const void *a = type.optional.get(x), *b = type.optional.get(to);
      if (!a != !b)
        throw InputError(std::string("one of the two sections gives '") + key +
                         "' and the other does not; give it in both");
      if (a) change(*type.inner, const_cast<void*>(a), b, s, key);
      return;
    }
    case Kind::list:
    case Kind::array: {
      const std::size_t n = type.sequence.size(x), other = type.sequence.size(to);
      if (n != other)
        throw InputError(std::string("'") + key + "' has " + std::to_string(n) +
                         " entries in one of the two sections and " + std::to_string(other) +
                         " in the other; give as many, those that belong together in the same place");
      for (std::size_t i = 0; i < n; ++i) change(*type.inner, type.element(x, i), type.element(to, i), s, key);
      return;
    }
    default:
      LITHE_INVARIANT(!"a section of a beam is made of numbers");
  }
}

struct Between {
  const Section& to;
  double s;

  Section operator()(Bar) const { refuse("bar"); }
  Section operator()(Plate) const { refuse("plate"); }
  Section operator()(Layered) const { refuse("layered"); }
  Section operator()(Tapered) const { refuse("tapered"); }
  Section operator()(General a) const {
    const auto& b = std::get<General>(to);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) a.stiffness.rows[i][j] = even(a.stiffness.rows[i][j], b.stiffness.rows[i][j], s);
    a.stiffness.diagonal = a.stiffness.diagonal && b.stiffness.diagonal;
    members(a, b);
    return a;
  }
  template <class Shape>
  Section operator()(Shape a) const {
    members(a, std::get<Shape>(to));
    return a;
  }
  template <class Shape>
  void members(Shape& a, const Shape& b) const {
    for (const Member& member : schema(&a).members)
      if (member.type->kind != Type::Kind::custom) change(*member.type, member.in(&a), member.in(&b), s, member.key);
  }
  [[noreturn]] static void refuse(const char* type) {
    throw InputError(std::string("a section of type ") + type + " cannot be an end of a tapered one");
  }
};

}  // namespace

Section section_between(const Section& from, const Section& to, double s) {
  if (from.index() != to.index())
    throw InputError("the two sections are of different types; both ends of a tapered section have the same type");
  return std::visit(Between{to, s}, from);
}

}  // namespace lithe
