// The fields of a State, named once: what writes a checkpoint and what reads it walk the same list. A test compares the
// list with the members of the structs, so a new member cannot be forgotten.
#pragma once

#include <string>

#include "lithe/system/state.h"

namespace lithe {

// visit(name, field) for every field; S is State or const State, and so on.
template <class S, class Visitor>
void visit_linearisation(S& linearisation, Visitor&& visit) {
  visit("valid", linearisation.valid);
  visit("t", linearisation.t);
  visit("step", linearisation.step);
  visit("c_q", linearisation.c_q);
  visit("c_v", linearisation.c_v);
  visit("c_a", linearisation.c_a);
  visit("q", linearisation.q);
  visit("v", linearisation.v);
  visit("lambda", linearisation.lambda);
  visit("pivot_values", linearisation.pivot_values);
}

template <class S, class Visitor>
void visit_past(S& past, Visitor&& visit) {
  visit("count", past.count);
  visit("order", past.order);
  visit("step", past.step);
  visit("lag", past.lag);
  visit("a0", past.a[0]);
  visit("a1", past.a[1]);
}

template <class S, class Visitor>
void visit_memory(S& memory, Visitor&& visit) {
  visit("next_step", memory.next_step);
  visit("contraction", memory.contraction);
  visit("excess", memory.excess);
  visit("baseline", memory.baseline);
  visit("force_scale", memory.force_scale);
  visit("steps", memory.steps);
  visit("last_rejection", memory.last_rejection);
  visit("output", memory.output);
}

// The last three go down into the structs: names are "memory/steps", "linearisation/q".
template <class S, class Visitor>
void visit_state(S& state, Visitor&& visit) {
  visit("t", state.t);
  visit("load_factor", state.load_factor);
  visit("q", state.q);
  visit("v", state.v);
  visit("a", state.a);
  visit("lambda", state.lambda);
  visit("velocity_multipliers", state.velocity_multipliers);
  visit("acceleration_multipliers", state.acceleration_multipliers);
  visit("angles", state.angles);
  const auto in = [&](const std::string& part) {
    return [&visit, part](const char* name, auto& field) { visit(part + "/" + name, field); };
  };
  visit_past(state.past, in("past"));
  visit_memory(state.memory, in("memory"));
  visit_linearisation(state.linearisation, in("linearisation"));
}

}  // namespace lithe
