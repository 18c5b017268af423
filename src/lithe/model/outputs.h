// What is recorded at every step.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "lithe/base/described.h"
#include "lithe/model/place.h"

namespace lithe {

struct DisplacementOutput {
  At at;
};
const Schema& schema(const DisplacementOutput*);
struct PositionOutput {
  At at;
};
const Schema& schema(const PositionOutput*);
struct GradientOutput {  // r_x, r_y, r_z at a material point, 9 components
  At at;
};
const Schema& schema(const GradientOutput*);
// Axes of strains and stresses: those of the element (and layer), carried along by the body's rotation, or global ones.
enum class StressAxes { element, global };
template <>
struct Words<StressAxes> {
  static constexpr std::array<const char*, 2> names{"element", "global"};
};
struct StressOutput {  // Green-Lagrange strain, second Piola-Kirchhoff and Cauchy stress, von Mises, at a material
                       // point
  At at;
  std::optional<StressAxes> axes = {};  // default: Cauchy stress along global axes, the others along the element's
  bool principal = false;               // principal values of the Cauchy stress too
};
const Schema& schema(const StressOutput*);
struct SectionForcesOutput {  // forces and moments that a section carries, along its own axes
  At at;
};
const Schema& schema(const SectionForcesOutput*);
inline constexpr int most_samples = 64;  // a quarter of a million points an element
struct MaxVonMisesOutput {               // over samples^3 points of every element of a body
  std::string body;
  int samples = 5;
};
const Schema& schema(const MaxVonMisesOutput*);
struct ReactionOutput {  // force and torque that a constraint exerts, about the mean of its nodes
  std::string constraint;
  std::optional<At> frame = {};  // whose axes; default: global ones
};
const Schema& schema(const ReactionOutput*);
struct EnergyOutput {};  // kinetic, potential (gravity), strain, springs, total
const Schema& schema(const EnergyOutput*);
struct VelocityOutput {
  At at;
};
const Schema& schema(const VelocityOutput*);
struct AccelerationOutput {
  At at;
};
const Schema& schema(const AccelerationOutput*);
struct RotationOutput {  // axes of a rigid body or of a section, nine components, and their angular velocity
  std::string body;      // rigid, or
  std::optional<At> at;  // a place on any body with full gradients
};
const Schema& schema(const RotationOutput*);
struct JointOutput {  // reaction on b: force and torque at the joint, global components; angle or travel where it has
                      // one
  std::string joint;
  std::optional<At> frame = {};  // as of a reaction
};
const Schema& schema(const JointOutput*);
struct SpringOutput {  // length or angle, rate, force or moment
  std::string spring;
};
const Schema& schema(const SpringOutput*);
struct MomentumOutput {};  // linear momentum, angular momentum about the origin
const Schema& schema(const MomentumOutput*);
struct ConstraintOutput {};  // largest violation of positions and of velocities
const Schema& schema(const ConstraintOutput*);
struct ContactOutput {  // number of points, forces, smallest gap and work of an entry of `contacts`
  std::string contact;
};
const Schema& schema(const ContactOutput*);
using Output = std::variant<DisplacementOutput, PositionOutput, GradientOutput, StressOutput, SectionForcesOutput,
                            MaxVonMisesOutput, ReactionOutput, EnergyOutput, VelocityOutput, AccelerationOutput,
                            RotationOutput, JointOutput, SpringOutput, MomentumOutput, ConstraintOutput, ContactOutput>;

void check(const Spot& here, const Output& output);

}  // namespace lithe
