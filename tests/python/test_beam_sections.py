"""Beams by their section: stress where the material is, loads on sides that are there, starts along lines."""

import math

import numpy as np
import pytest

import lithe


def cantilever(section, load=(0, 0, -100), **outputs):
    model = lithe.Model(name="cantilever")
    model.materials["steel"] = lithe.Isotropic(E=2.1e11, nu=0.3, density=7850)
    model.sections["s"] = section
    model.bodies["beam"] = lithe.Body(element="beam3243", material="steel", section="s",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=8))  # fmt: skip
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.loads["tip"] = lithe.PointForce(at="beam.end", force=load)
    for name, output in outputs.items():
        model.outputs[name] = output
    model.analysis = lithe.StaticAnalysis()
    return model


def test_largest_stress_of_a_circle_is_on_its_rim():
    force, radius = 100 / math.sqrt(2), 0.02
    model = cantilever(lithe.Circle(radius=radius), (0, force, force), most=lithe.MaxVonMisesOutput(body="beam"))
    result = model.solve()
    bending = 100 * 1 * radius / (math.pi * radius**4 / 4)
    assert result.channels["most"][-1] == pytest.approx(bending, rel=2e-3)
    assert result.von_mises("beam")[-1].max() == pytest.approx(bending, rel=2e-3)


def test_general_section_has_no_stress_but_runs():
    stiffness = np.diag([4.2e7, 1.3e7, 1.3e7, 200.0, 700.0, 1400.0])
    model = cantilever(lithe.General(stiffness=stiffness.tolist(), mass=1, mass_second=(1e-5, 1e-5, 0)),
                       tip=lithe.DisplacementOutput(at="beam.end"))  # fmt: skip
    result = model.solve()
    assert result.channels["tip"][-1][2] == pytest.approx(-100 / (3 * 700) - 100 / 1.3e7, rel=5e-3)
    assert np.isnan(result.von_mises("beam")).all()
    model.outputs["most"] = lithe.MaxVonMisesOutput(body="beam")
    with pytest.raises(lithe.InputError, match="no outline"):
        model.solve()


def test_what_says_stiffness_and_mass_itself_needs_no_material():
    bending, mass, length = 700.0, 2.0, 1.0
    frequencies = {}
    for name, element, section in (
        ("general", "beam3243", lithe.General(stiffness=[4.2e7, 1.3e7, 1.3e7, 200, bending, 2 * bending], mass=mass,
                                              mass_second=(1e-5, 1e-5, 0))),
        ("bar", "cable", lithe.Bar(EA=4.2e7, EI=bending, mass=mass)),
    ):  # fmt: skip
        model = lithe.Model(name=name)
        model.sections["section"] = section
        mesh = lithe.LineMesh(from_=(0, 0, 0), to=(length, 0, 0), elements=8)
        model.bodies["body"] = lithe.Body(element=element, section="section", mesh=mesh)
        model.constraints["root"] = lithe.Clamp(at="body.start")
        frequencies[name] = model.modes(1).frequency[0]
    first = (1.8751040687 / length) ** 2 * math.sqrt(bending / mass) / (2 * math.pi)
    assert frequencies == {"general": pytest.approx(first, rel=2e-3), "bar": pytest.approx(first, rel=2e-3)}
    model.sections["section"] = lithe.Bar(EA=4.2e7, EI=bending)
    with pytest.raises(lithe.InputError, match="a bar with EA and mass, needs none"):
        model.solve()
    model.sections["section"] = lithe.Bar(EA=4.2e7, EI=bending, mass=mass)
    model.loads["heat"] = lithe.Temperature(body="body", change=10)
    with pytest.raises(lithe.InputError, match="'body' has no material"):
        model.solve()


@pytest.mark.parametrize("section", [
    lithe.ISection(height=0.1, width=0.05, web=0.004, flange=0.006),
    lithe.Rectangle(width=0.03, thickness=0.02, offset=(0.015, 0)),
    lithe.Circle(radius=0.02),
])  # fmt: skip
def test_sides_that_are_not_those_of_the_box_bear_no_traction(section):
    model = cantilever(section)
    model.loads["face"] = lithe.Traction(on="beam.top", force=(0, 0, -1000))
    with pytest.raises(lithe.InputError, match="needs a rectangle or a box"):
        model.solve()


def test_start_along_a_line_strains_nothing():
    model = cantilever(lithe.Rectangle(width=0.02, thickness=0.02), (0, 0, 0), energy=lithe.EnergyOutput(),
                       place=lithe.JointOutput(joint="guide"))  # fmt: skip
    model.bodies["bead"] = lithe.RigidBody(position=(0.5, 0, 0), mass=1, inertia=(1e-3, 1e-3, 1e-3),
                                           start=lithe.Start(displacement=(0.1, 0, 0)))  # fmt: skip
    model.joints["guide"] = lithe.SlideAlong(line="beam", b="bead")
    model.analysis = lithe.DynamicAnalysis(duration=1e-3, step=1e-3)
    result = model.solve()
    columns = result.channels.columns("place")
    assert result.channels["place"][0][columns.index("travel")] == pytest.approx(0.1, abs=1e-9)
    strain = result.channels["energy"][0][result.channels.columns("energy").index("strain")]
    assert abs(strain) < 1e-9
