#include "lithe/model/outputs.h"

#include "lithe/base/describe.h"

namespace lithe {

LITHE_DESCRIBE(DisplacementOutput, "displacement", "displacement of a point") {
  visit("at", &DisplacementOutput::at, Field{.help = "node or material point", .required = true});
}

LITHE_DESCRIBE(PositionOutput, "position", "position of a point") {
  visit("at", &PositionOutput::at, Field{.help = "node or material point", .required = true});
}

LITHE_DESCRIBE(GradientOutput, "gradient", "r_x, r_y, r_z at a point, nine components") {
  visit("at", &GradientOutput::at, Field{.help = "node or material point", .required = true});
}

LITHE_DESCRIBE(StressOutput, "stress", "strain and stress at a point") {
  visit("at", &StressOutput::at, Field{.help = "material point", .required = true});
}

LITHE_DESCRIBE(MaxVonMisesOutput, "max_von_mises", "largest von Mises stress of a body") {
  visit("body", &MaxVonMisesOutput::body, Field{.help = "name of a body", .required = true});
  visit("samples", &MaxVonMisesOutput::samples,
        Field{.help = "equally spaced points per direction of an element",
              .allowed = {[](double x) { return x >= 1 && x <= most_samples; }, "from 1 to 64"}});
}

LITHE_DESCRIBE(ReactionOutput, "reaction", "total force that a constraint exerts") {
  visit("constraint", &ReactionOutput::constraint, Field{.help = "name of a constraint", .required = true});
}

LITHE_DESCRIBE(EnergyOutput, "energy", "kinetic, potential (gravity), strain, springs, total") {}

LITHE_DESCRIBE(VelocityOutput, "velocity", "velocity of a point") {
  visit("at", &VelocityOutput::at, Field{.help = "node or material point", .required = true});
}

LITHE_DESCRIBE(AccelerationOutput, "acceleration", "acceleration of a point") {
  visit("at", &AccelerationOutput::at, Field{.help = "node or material point", .required = true});
}

LITHE_DESCRIBE(RotationOutput, "rotation", "axes of a rigid body or of a section, and their angular velocity") {
  visit("body", &RotationOutput::body, Field{.help = "name of a rigid body"});
  visit("at", &RotationOutput::at, Field{.help = "instead: a place on a body with r_x, r_y, r_z"});
}

LITHE_DESCRIBE(JointOutput, "joint", "force and torque of a joint on b, global components; its angle and travel") {
  visit("joint", &JointOutput::joint, Field{.help = "name of a joint", .required = true});
}

LITHE_DESCRIBE(SpringOutput, "spring", "length or angle of a spring, its rate and its force or moment") {
  visit("spring", &SpringOutput::spring, Field{.help = "name of a spring", .required = true});
}

LITHE_DESCRIBE(MomentumOutput, "momentum", "linear momentum, angular momentum about the origin") {}

LITHE_DESCRIBE(ConstraintOutput, "constraints", "largest violation of the constraints and of their rates") {}

}  // namespace lithe
