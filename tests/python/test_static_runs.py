"""Statics at the edge of what numbers and structures allow: tiny loads, ropes that are pushed together."""

import pytest

import lithe

LENGTH, MODULUS, WIDTH, THICKNESS = 2.0, 2.1e11, 0.1, 0.02
STIFFNESS = MODULUS * WIDTH * THICKNESS**3 / 12


def cantilever(force, direction=(1.0, 0.0, 0.0), **analysis):
    model = lithe.Model(name="cantilever")
    model.materials["steel"] = lithe.Isotropic(E=MODULUS, nu=0.0, density=7850)
    model.sections["flat"] = lithe.Rectangle(width=WIDTH, thickness=THICKNESS)
    end = tuple(LENGTH * x for x in direction)
    model.bodies["beam"] = lithe.Body(element="beam3243", material="steel", section="flat", formulation="continuum",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=end, elements=10))  # fmt: skip
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.loads["tip"] = lithe.PointForce(at="beam.end", force=force)
    model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
    model.analysis = lithe.StaticAnalysis(**analysis)
    return model


@pytest.mark.parametrize("load", [1e-3, 1e-6, 1e-9, 1e-12, 1e-30, 1e-200])
@pytest.mark.parametrize("first_step", [1, 0.1])
def test_tiny_loads_have_their_linear_answer(load, first_step):
    a_newton = cantilever((0, 0, -1)).solve().channels["tip"][-1][2]
    assert a_newton == pytest.approx(-(LENGTH**3) / (3 * STIFFNESS), rel=5e-3)
    result = cantilever((0, 0, -load), first_step=first_step).solve()
    assert result.channels["tip"][-1][2] / load == pytest.approx(a_newton, rel=2e-4)
    assert result.report["ok"] and result.report["stable"]
    if load < 1e-8:
        assert "linear answer" in result.report["message"]


@pytest.mark.parametrize("load", [1e-6, 1e-9])
def test_tiny_loads_on_a_skew_beam(load):
    """Its internal forces are not zero to the last bit in the reference configuration."""
    along, across = (0.6, 0.48, 0.64), (0.8, -0.36, -0.48)
    result = cantilever(tuple(load * x for x in across), along).solve()
    moved = sum(x * d for x, d in zip(across, result.channels["tip"][-1]))
    digits = 1e-15 / (load * LENGTH**3 / (3 * STIFFNESS))  # of coordinates of 1 m
    reference = cantilever(tuple(x for x in across), along).solve().channels["tip"][-1]
    expected = load * sum(x * d for x, d in zip(across, reference))
    assert moved == pytest.approx(expected, rel=1e-4 + digits)


def test_the_linear_answer_is_not_taken_where_the_answer_is_not_linear():
    """A load that bends the beam by a third of its length is far above rounding."""
    result = cantilever((0, 0, -2e4)).solve()
    assert "linear" not in result.report["message"]


def test_outputs_at_load_factors():
    """Steps end there; each is the equilibrium under that share of the load."""
    load, factors = 2e4, [0.1, 0.25, 1 / 3, 0.5]
    result = cantilever((0, 0, -load), output_factors=factors).solve()
    assert result.load_factor == pytest.approx([0, *factors, 1], rel=1e-12)
    for factor, moved in zip(factors, result.channels["tip"][1:]):
        alone = cantilever((0, 0, -load * factor)).solve().channels["tip"][-1]
        assert moved == pytest.approx(alone, abs=1e-9)
    # Small steps between them make no rows.
    small = cantilever((0, 0, -load), output_factors=[0.5, 1], first_step=0.02, largest_step=0.05).solve()
    assert small.load_factor == pytest.approx([0, 0.5, 1]) and small.report["steps"] >= 20


@pytest.mark.parametrize("options, message", [
    (dict(output_factors=[0.5, 0.25]), "outputs grow from one to the next"),
    (dict(output_factors=[0.5, 1.5]), "at most 1"),
    (dict(output_factors=[0.5], method="arc_length"), "more than once, or never"),
])  # fmt: skip
def test_load_factors_of_outputs_that_are_refused(options, message):
    with pytest.raises(lithe.InputError, match=message):
        cantilever((0, 0, -1), **options).solve()


def rope(displacement, **analysis):
    model = lithe.Model(name="rope")
    model.materials["steel"] = lithe.Isotropic(E=100e9, density=7850)
    model.sections["rope"] = lithe.Circle(radius=0.005)
    model.bodies["rope"] = lithe.Body(element="cable", material="steel", section="rope",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(12, 0, 0), elements=40))  # fmt: skip
    model.constraints["left"] = lithe.Fix(at="rope.start")
    model.joints["pull"] = lithe.Motion(at="rope.end", displacement=(displacement, 0, 0))
    model.loads["weight"] = lithe.Gravity()
    model.outputs["middle"] = lithe.PositionOutput(at="rope.middle")
    model.analysis = lithe.StaticAnalysis(**analysis)
    return model


FAILING = [("-6*t", 0.02), ("-2*t", 1.0)]


@pytest.mark.parametrize("displacement,first_step", [*FAILING, ("-11*t", 1e-5)])
def test_remedies_are_none_that_would_be_refused(displacement, first_step):
    with pytest.raises(lithe.RunError) as failed:
        rope(displacement, first_step=first_step).solve()
    message = str(failed.value)
    assert "on_instability: perturb" in message and "arc_length" not in message, message
    assert "Newton diverged" not in message or "residual is small" in message, message


@pytest.mark.parametrize("displacement,first_step", FAILING)
def test_and_the_one_that_is_named_helps(displacement, first_step):
    """A catenary of the length 12 m over what is left of the span."""
    import math

    result = rope(displacement, first_step=first_step, on_instability="perturb").solve()
    span = 12 - float(displacement[1:-2])
    low, high = 1e-3, 1e3  # a in 2 a sinh(span / 2 a) = 12
    for _ in range(200):
        a = 0.5 * (low + high)
        low, high = (a, high) if span / 2 / a > 300 or 2 * a * math.sinh(span / 2 / a) > 12 else (low, a)
    sag = a * (math.cosh(span / 2 / a) - 1)
    assert result.report["stable"]
    assert result.channels["middle"][-1] == pytest.approx([span / 2, 0, -sag], abs=0.05 * sag)  # its bending stiffness takes 4 %


def test_arc_length_is_named_where_it_may_be_used():
    """A shallow arch under a dead load snaps through."""
    model = lithe.Model(name="arch")
    model.materials["m"] = lithe.Isotropic(E=1e9, density=1000)
    model.sections["s"] = lithe.Rectangle(width=0.02, thickness=0.01)
    model.bodies["arch"] = lithe.Body(element="beam3243", material="m", section="s",
                                      mesh=lithe.ArcMesh(radius=2, angle=30, start=(-0.2588, 0, 0.9659), normal=(0, 1, 0), elements=10))  # fmt: skip
    for end in ["start", "end"]:
        model.constraints[end] = lithe.Clamp(at=f"arch.{end}")
    model.loads["f"] = lithe.PointForce(at="arch.middle", force=(0, 0, -400))
    model.analysis = lithe.StaticAnalysis(smallest_step=0.2, iterations=3)
    with pytest.raises(lithe.RunError, match="method: arc_length"):
        model.solve()


def test_the_summary_counts_the_iterations_of_the_steps(examples):
    for name, stage in [("preload", 0), ("cantilever", 0)]:
        result = lithe.load(examples / (name + ".yaml")).solve()
        part = result.stages[stage]
        assert part.report["cut_backs"] == 0
        assert part.report["iterations"] == result.iterations[part.rows].sum() > 1


def test_an_arc_grows_where_a_structure_hardly_moves_at_first():
    """A slender column with a slight push to the side: stiff at first, then it bows under 1.39 times its Euler load."""
    model = lithe.Model(name="column")
    model.materials["steel"] = lithe.Isotropic(E=2.1e11, density=7850)
    model.sections["rod"] = lithe.Rectangle(width=0.02, thickness=0.005)
    model.bodies["column"] = lithe.Body(
        element="beam3243", material="steel", section="rod",
        mesh=lithe.LineMesh(from_=(0, 0, 0), to=(0, 0, 1), elements=20, width_direction=(0, 1, 0)))  # fmt: skip
    model.constraints["foot"] = lithe.Clamp(at="column.start")
    model.loads["push"] = lithe.PointForce(at="column.end", force=(0.05, 0, -150))
    model.outputs["top"] = lithe.PositionOutput(at="column.end")
    model.analysis = lithe.StaticAnalysis(method="arc_length")
    arc = model.solve()
    assert arc.report["ok"] and arc.report["steps"] < 150
    model.analysis = lithe.StaticAnalysis(first_step=0.05, largest_step=0.05)
    assert arc.channels["top"][-1] == pytest.approx(model.solve().channels["top"][-1], abs=1e-6)
