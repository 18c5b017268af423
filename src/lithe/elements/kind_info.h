// The run-time form of a kind's constants and functions (kinds.h).
#pragma once

#include <algorithm>

#include "lithe/elements/batch_kernel.h"
#include "lithe/elements/continuum.h"
#include "lithe/elements/strategies/plain.h"

namespace lithe {

template <class Kind>
constexpr ElementInfo make_element_info() {
  static_assert(Kind::N == Kind::nodes * Kind::node_vectors && Kind::N <= most_vectors);
  static_assert(std::size(Kind::vectors) == Kind::node_vectors);
  static_assert(Kind::vectors[0].gradient < 0 && Kind::vectors[0].size < 0, "the first vector is the position");
  ElementInfo info;
  info.name = Kind::name;
  info.help = Kind::help;
  info.theory = Kind::theory;
  info.nodes = Kind::nodes;
  info.node_vectors = Kind::node_vectors;
  info.dimension = Kind::dimension;
  info.vectors = Kind::vectors;
  info.corner = Kind::corner;
  info.shape = [](const double* xi, double* S) { Kind::template shape<double>(xi, S); };
  info.derivative = [](const double* xi, double* dS) {
    double d[Kind::N][3];
    Kind::template derivative<double>(xi, d);
    std::copy(&d[0][0], &d[0][0] + 3 * Kind::N, dS);
  };
  if constexpr (requires { Kind::flexible; }) info.flexible = Kind::flexible;
  if constexpr (requires { Kind::volume; }) info.volume = Kind::volume;
  if constexpr (requires { Kind::straight; }) info.straight = Kind::straight;
  if constexpr (requires { Kind::split_law; }) info.split_law = Kind::split_law;
  if constexpr (requires { Kind::every_strategy; }) info.every_strategy = Kind::every_strategy;
  if constexpr (requires { Kind::lumped; }) info.lumped = Kind::lumped;
  if constexpr (requires { Kind::cell; }) info.cell = Kind::cell;
  if constexpr (requires { Kind::strategies; }) info.strategies = Kind::strategies;
  info.coordinates = info.volume ? 3 : info.dimension;
  if constexpr (requires { Kind::coordinates; }) info.coordinates = Kind::coordinates;
  if constexpr (requires { Kind::quadrature; }) {
    info.quadrature = Kind::quadrature;
    info.meshes = Kind::meshes;
    info.sections = Kind::sections;
    info.materials = Kind::materials;
  }
  if constexpr (requires { Kind::section_form; }) info.section_form = Kind::section_form;
  if constexpr (requires { Kind::make_kernel; }) info.make_kernel = Kind::make_kernel;
  else if (info.every_strategy) info.make_kernel = make_continuum_kernel;
  else if (info.flexible && info.volume) info.make_kernel = make_plain_kernel;
  return info;
}

template <class Kind>
constinit const ElementInfo KindOf<Kind>::info = make_element_info<Kind>();

}  // namespace lithe
