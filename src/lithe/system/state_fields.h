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
  visit("near", linearisation.near);
  visit("q", linearisation.q);
  visit("v", linearisation.v);
  visit("lambda", linearisation.lambda);
  visit("slots", linearisation.slots);
  visit("pivot_values", linearisation.pivot_values);
  visit("solver_counts", linearisation.solver_counts);
}

template <class S, class Visitor>
void visit_slots(S& slots, Visitor&& visit) {
  visit("names", slots.names);
  visit("ends", slots.ends);
  visit("values", slots.values);
}

template <class S, class Visitor>
void visit_past(S& past, Visitor&& visit) {
  visit("count", past.count);
  visit("order", past.order);
  visit("step", past.step);
  visit("a0", past.a[0]);
  visit("a1", past.a[1]);
  visit("weighted", past.weighted);
  visit("scheme", past.scheme);
  visit("lambda", past.lambda);
}

template <class S, class Visitor>
void visit_memory(S& memory, Visitor&& visit) {
  visit("next_step", memory.next_step);
  visit("contraction", memory.contraction);
  visit("excess", memory.excess);
  visit("baseline", memory.baseline);
  visit("correction", memory.correction);
  visit("fresh", memory.fresh);
  visit("kept_work", memory.kept_work);
  visit("fresh_work", memory.fresh_work);
  visit("trial", memory.trial);
  visit("backoff", memory.backoff);
  visit("steps", memory.steps);
  visit("last_rejection", memory.last_rejection);
}

template <class S, class Visitor>
void visit_energy(S& energy, Visitor&& visit) {
  visit("kinetic_start", energy.kinetic_start);
  visit("kinetic", energy.kinetic);
  visit("internal", energy.internal);
  visit("applied", energy.applied);
  visit("drives", energy.drives);
  visit("contact", energy.contact);
  visit("stored", energy.stored);
  visit("stored_start", energy.stored_start);
  visit("size", energy.size);
  visit("available", energy.available);
  visit("lowest", energy.lowest);
  visit("least_made", energy.least_made);
  visit("few", energy.few);
  visit("worst", energy.worst);
  visit("worst_time", energy.worst_time);
  visit("gain", energy.gain);
  visit("gain_time", energy.gain_time);
  visit("made", energy.made);
  visit("made_time", energy.made_time);
  visit("largest_turn", energy.largest_turn);
}

// The last five go down into the structs: names are "memory/steps", "linearisation/q".
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
  const auto in = [&](const std::string& part) {
    return [&visit, part](const char* name, auto& field) { visit(part + "/" + name, field); };
  };
  visit_slots(state.slots, in("slots"));
  visit_past(state.past, in("past"));
  visit_memory(state.memory, in("memory"));
  visit_energy(state.energy, in("energy"));
  visit_linearisation(state.linearisation, in("linearisation"));
}

}  // namespace lithe
