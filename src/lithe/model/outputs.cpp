#include "lithe/model/outputs.h"

#include "lithe/base/describe.h"
#include "lithe/model/mesh.h"
#include "lithe/model/spot.h"

namespace lithe {

namespace {

constexpr const char* frame_help =
    "rigid body, or place on a body with r_x, r_y, r_z, whose axes the components are along; default: global axes";

}  // namespace

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
  visit("axes", &StressOutput::axes,
        Field{.help = "element (and layer; they turn with the body) or global, of all columns; default: E and S along "
                      "the element's axes, sigma along global ones"});
  visit("principal", &StressOutput::principal, Field{.help = "principal values of sigma too, the largest first"});
}

LITHE_DESCRIBE(
    SectionForcesOutput, "section_forces",
    "what a section carries, along its own axes: N, Q, M of a beam, per length of a shell, N and M of a cable") {
  visit("at", &SectionForcesOutput::at,
        Field{.help = "place on a beam or shell of formulation 'section', or on a cable", .required = true});
}

LITHE_DESCRIBE(MaxVonMisesOutput, "max_von_mises", "largest von Mises stress of a body") {
  visit("body", &MaxVonMisesOutput::body, Field{.help = "name of a body", .required = true});
  visit("samples", &MaxVonMisesOutput::samples,
        Field{.help = "equally spaced points per direction of an element",
              .allowed = {[](double x) { return x >= 1 && x <= most_samples; }, "from 1 to 64"}});
}

LITHE_DESCRIBE(ReactionOutput, "reaction",
               "force that a constraint exerts, and torque about its node (several: their mean)") {
  visit("constraint", &ReactionOutput::constraint, Field{.help = "name of a constraint", .required = true});
  visit("frame", &ReactionOutput::frame, Field{.help = frame_help});
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

LITHE_DESCRIBE(JointOutput, "joint",
               "force and torque of a joint on b (of a connection: on its nodes); its angle and travel") {
  visit("joint", &JointOutput::joint, Field{.help = "name of a joint", .required = true});
  visit("frame", &JointOutput::frame, Field{.help = frame_help});
}

LITHE_DESCRIBE(SpringOutput, "spring", "length or angle of a spring, its rate and its force or moment") {
  visit("spring", &SpringOutput::spring, Field{.help = "name of a spring", .required = true});
}

LITHE_DESCRIBE(MomentumOutput, "momentum", "linear momentum, angular momentum about the origin") {}

LITHE_DESCRIBE(ConstraintOutput, "constraints", "largest violation of the constraints and of their rates") {}

LITHE_DESCRIBE(
    ContactOutput, "contact",
    "of an entry of 'contacts': points that press, sums over them of the normal forces and of the lengths of the "
    "friction "
    "forces (nonsmooth: means over the step), force on the body named first, smallest gap, work done so far") {
  visit("contact", &ContactOutput::contact, Field{.help = "name of a contact", .required = true});
}

// ---- rules ----

namespace {

void check_frame(const Spot& here, const std::optional<At>& frame) {
  const AnyBody* body = frame ? check_end(here, "frame", *frame) : nullptr;
  if (!body) return;
  if (const ElementKind kind = body_kind(*body); !has_axes(*body))
    here["frame"].fail(article(kind->name) +
                       " has no axes that turn; name a rigid body, or a place on a beam, shell or hexa");
  if (std::holds_alternative<Body>(*body) && !frame->has_place())
    here["frame"].fail("body '" + frame->body + "' turns differently at every place; name one, as in '" + frame->body +
                       ".end'");
}

void check_section_forces(const Spot& here, const At& at) {
  const AnyBody& any = check_place(here, "at", at);
  const Body* body = std::get_if<Body>(&any);
  if (!body)
    here["at"].fail("body '" + at.body + "' is " + article(type_name(any)) +
                    " body, which has no sections; ask for the reactions of its joints");
  if (!body->element->volume) return;  // cables
  if (!body->element->section_form)
    here["at"].fail(article(body->element->name) + " has no sections; ask for stress at points");
  if (formulation_of(here.model(), *body) != Formulation::section)
    here["at"].fail("body '" + at.body +
                    "' has the formulation 'continuum', which knows stresses at points alone; ask for stress, or use "
                    "'formulation: section'");
}

}  // namespace

void check(const Spot& here, const Output& output) {
  std::visit(
      [&](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, MaxVonMisesOutput>)
          existing(here["body"], "body", "bodies", here.model().bodies, x.body);
        else if constexpr (std::is_same_v<T, ReactionOutput>) {
          existing(here["constraint"], "constraint", "constraints", here.model().constraints, x.constraint);
          check_frame(here, x.frame);
        } else if constexpr (std::is_same_v<T, JointOutput>) {
          existing(here["joint"], "joint", "joints", here.model().joints, x.joint);
          check_frame(here, x.frame);
        } else if constexpr (std::is_same_v<T, SectionForcesOutput>) check_section_forces(here, x.at);
        else if constexpr (std::is_same_v<T, ContactOutput>)
          existing(here["contact"], "contact", "contacts", here.model().contacts, x.contact);
        else if constexpr (std::is_same_v<T, RotationOutput>) {
          if (x.at.has_value() == !x.body.empty())
            here.fail("give 'body' (a rigid one) or 'at' (a place on a body), one of them");
          if (x.at) {
            const AnyBody& body = check_place(here, "at", *x.at);
            if (const ElementKind kind = body_kind(body); !has_axes(body))
              here["at"].fail(article(kind->name) + " has no section that turns; ask for " +
                              (kind->gradients() > 0 ? "a gradient" : "positions"));
            return;
          }
          const AnyBody& body = existing(here["body"], "body", "bodies", here.model().bodies, x.body);
          if (!std::holds_alternative<RigidBody>(body))
            here["body"].fail(
                "body '" + x.body + "' is " + article(type_name(body)) +
                " body, but a rotation belongs to a rigid one" +
                (std::holds_alternative<Body>(body) ? ", or to a place: give 'at' instead of 'body'" : ""));
        } else if constexpr (std::is_same_v<T, SpringOutput>)
          existing(here["spring"], "spring", "springs", here.model().springs, x.spring);
        else if constexpr (requires { x.at; }) check_place(here, "at", x.at);
      },
      output);
}

}  // namespace lithe
