"""The Python package: the same model objects, checks and numbers as YAML and C++."""

import ast
import copy
import importlib.util
import os
import pathlib
import pickle
import re
import tempfile

import numpy as np
import pytest

import lithe
from lithe import _lithe

ROOT = pathlib.Path(__file__).resolve().parents[2]

# At most 15 lines: what a newcomer types.
CANTILEVER = '''
import lithe
model = lithe.Model(name="cantilever")
model.materials["steel"] = lithe.Isotropic(E=2.1e11, nu=0.3, density=7850)
model.sections["flat"] = lithe.Rectangle(width=0.1, thickness=0.1)
model.bodies["beam"] = lithe.Body(element="beam3243", material="steel", section="flat",
                                  mesh=lithe.LineMesh(from_=(0, 0, 0), to=(2, 0, 0), elements=8))
model.constraints["root"] = lithe.Clamp(at="beam.start")
model.loads["weight"] = lithe.PointForce(at="beam.end", force=(0, 0, -1000))
model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
result = model.solve()
print(result.channels["tip"][-1])
'''


def cantilever(**analysis):
    namespace = {}
    exec(CANTILEVER.split("result =")[0], namespace)
    model = namespace["model"]
    if analysis:
        model.analysis = lithe.StaticAnalysis(**analysis)
    return model


def test_an_unstable_equilibrium_is_a_warning():
    model = cantilever()
    assert model.solve().report["stable"] is True
    model.loads["weight"] = lithe.PointForce(at="beam.end", force=(-2e6, 0, 0))  # twice the buckling load
    with pytest.warns(lithe.LitheWarning, match="unstable"):
        result = model.solve()
    assert result.report["stable"] is False
    model.analysis = lithe.StaticAnalysis(on_instability="error")
    with pytest.raises(lithe.RunError, match="unstable") as raised:
        model.solve()
    assert raised.value.result.report["reason"] == "unstable"


def test_cantilever_in_fifteen_lines(capsys):
    assert len(CANTILEVER.strip().splitlines()) <= 15
    namespace = {}
    exec(CANTILEVER, namespace)
    w = namespace["result"].channels["tip"][-1, 2]
    inertia = 0.1**4 / 12
    expected = -1000 * 2**3 / (3 * 2.1e11 * inertia)
    assert w == pytest.approx(expected, rel=0.01)
    assert capsys.readouterr().out


def test_cantilever_in_the_docstring_runs():
    code = "\n".join(line[4:] for line in lithe.__doc__.splitlines() if line.startswith("    "))
    exec(code, {})


def test_same_numbers_as_yaml(tmp_path):
    model = cantilever()
    file = tmp_path / "model.yaml"
    file.write_text(model.to_yaml())
    again = lithe.load(file)
    assert again == model
    assert again.to_yaml() == model.to_yaml()
    np.testing.assert_array_equal(again.solve().coordinates("beam"), model.solve().coordinates("beam"))
    assert lithe.load(file, set=["bodies.beam.mesh.elements=3"]).bodies["beam"].mesh.elements == 3


def test_arrays_are_float64_without_copies():
    result = cantilever().solve()
    for array in (result.time, result.load_factor, result.channels["tip"], result.position("beam"),
                  result.displacement("beam"), result.coordinates("beam"), result.von_mises("beam")):  # fmt: skip
        assert array.dtype == np.float64
        assert len(array) == result.steps
    assert result.coordinates("beam").shape == (result.steps, 9, 4, 3)
    assert result.coordinates("beam") is result.coordinates("beam")
    assert np.shares_memory(result.position("beam"), result.coordinates("beam"))
    # Memory belongs to whoever still looks at it.
    kept = result.time
    expected = kept.copy()
    del result
    np.testing.assert_array_equal(kept, expected)
    source, _, _ = _lithe.solve(cantilever(), None, None, 0, None, None, False)
    assert np.shares_memory(source.read("time"), source.read("time"))


def test_fields_are_properties_that_check():
    steel = lithe.Isotropic(E=2e11, nu=0.3)
    assert (steel.E, steel.nu, steel.density) == (2e11, 0.3, 0.0)
    steel.density = np.float32(7850)
    assert steel.density == 7850.0 and isinstance(steel.density, float)
    with pytest.raises(lithe.InputError, match="Isotropic.nu.*between -1 and 0.5"):
        steel.nu = 0.7
    assert steel.nu == 0.3
    with pytest.raises(AttributeError):
        steel.colour = "red"
    mesh = lithe.LineMesh(from_=np.zeros(3), to=[1, 0, 0], elements=np.int64(4))
    assert mesh.from_ == (0.0, 0.0, 0.0) and mesh.elements == 4
    assert repr(steel) == "Isotropic(E=200000000000.0, nu=0.3, density=7850.0, damping=0.0, expansion=0.0)"
    assert "Young's modulus" in lithe.Isotropic.__doc__
    assert "interpolation: linear | spline | steps" in lithe.PointForce.__doc__
    assert "goes on with its last rate" in lithe.Turn.__doc__


def test_parts_are_shared_like_any_python_object():
    model = cantilever()
    model.materials["steel"].E = 7e10
    assert "70000000000" in model.to_yaml() or "7e+10" in model.to_yaml()
    body = model.bodies["beam"]
    model.bodies["other"] = copy.deepcopy(body)
    body.mesh.elements = 3
    assert model.bodies["beam"].mesh.elements == 3
    assert model.bodies["other"].mesh.elements == 8
    again = copy.deepcopy(model)
    assert again == model and again.materials["steel"] is not model.materials["steel"]
    assert pickle.loads(pickle.dumps(body)) == body
    first = model.materials["steel"]
    for i in range(50):
        model.materials[f"m{i}"] = lithe.Isotropic(E=1e9 + i)
    first.E = 8e10
    assert model.materials["steel"].E == 8e10


def test_named_behaves_like_a_dict():
    model = cantilever()
    outputs = model.outputs
    outputs["energy"] = {"type": "energy"}
    assert list(outputs) == ["tip", "energy"] and len(outputs) == 2 and "tip" in outputs and 3 not in outputs
    assert isinstance(outputs["energy"], lithe.EnergyOutput)
    assert [name for name, _ in outputs.items()] == outputs.keys()
    assert outputs.get("none") is None and dict(outputs.items())["tip"] is outputs["tip"]
    del outputs["tip"]
    with pytest.raises(KeyError, match="energi.*did you mean 'energy'"):
        outputs["energi"]
    outputs.update({"a": lithe.PositionOutput(at="beam.end")})
    model.outputs = {"b": lithe.EnergyOutput()}
    assert list(model.outputs) == ["b"]
    outputs.clear()
    assert len(outputs) == 0


def test_signals_and_places():
    load = lithe.PointForce(at="beam.end", force=(1, "2*sin(t)", {"table": [[0, 0], [1, 5]]}))
    assert load.force == (1.0, "2*sin(t)", {"table": [[0, 0], [1, 5]]})
    assert load.at == "beam.end"
    load.at = {"body": "beam", "element": 3, "xi": [1, 0, 0]}
    assert load.at == {"body": "beam", "element": 3, "xi": [1, 0, 0]}
    with pytest.raises(lithe.InputError, match="PointForce.force.*sinn"):
        load.force = (0, 0, "sinn(t)")
    with pytest.raises(lithe.InputError, match="one of name, node"):
        load.at = {"body": "beam", "element": 3, "node": 2, "xi": [0, 0, 0]}


def test_rigid_pendulum():
    model = lithe.Model(name="pendulum")
    model.bodies["rod"] = lithe.RigidBody(position=(0.5, 0, 0), density=7850, points={"tip": (0.5, 0, 0)},
                                          shape=lithe.BoxShape(size=(1, 0.02, 0.02)))  # fmt: skip
    model.bodies["ball"] = lithe.PointMass(mass=2, position=(2, 0, 0))
    model.joints["hinge"] = lithe.Revolute(a="ground", b="rod", point=(0, 0, 0), axis=(0, 1, 0))
    model.springs["coil"] = lithe.Spring(a="rod.tip", b="ball", stiffness=100, force="3*sin(t)")
    model.springs["torsion"] = lithe.TorsionSpring(joint="hinge", stiffness=5)
    model.springs["mount"] = lithe.Bushing(a="ground", b="rod", point=(1, 0, 0), stiffness=(10, 10, 10),
                                           torsion_stiffness=(1, 1, 1))  # fmt: skip
    model.loads["weight"] = lithe.Gravity()
    assert isinstance(model.bodies["rod"].shape, lithe.BoxShape) and model.bodies["rod"].mass is None
    assert dict(model.bodies["rod"].points.items()) == {"tip": (0.5, 0.0, 0.0)}
    system = lithe.System(model)
    assert system.bodies == ["rod", "ball"] and system.q0.shape == (5, 3)
    mass = 7850 * 4e-4
    assert system.total_mass() == pytest.approx(mass + 2)
    weight = system.external_force(system.q0)
    np.testing.assert_allclose(weight[[0, 4], 2], -9.80665 * np.array([mass, 2]))
    np.testing.assert_allclose(system.internal_force(), 0, atol=1e-12)  # free in the reference configuration
    moved = system.q0.copy()
    moved[4, 0] += 0.1
    np.testing.assert_allclose(system.internal_force(moved)[4], [10, 0, 0], atol=1e-9)
    assert lithe.System(load_text(model.to_yaml())).total_mass() == system.total_mass()
    with pytest.raises(lithe.InputError, match="rod.*a shape with its density"):
        model.bodies["rod"].mass = 3.0
        lithe.System(model)


def load_text(text):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.yaml"
        file.write_text(text)
        return lithe.load(file)


def test_linkage_and_motions():
    model = lithe.Model(name="four-bar")
    model.bodies["bars"] = lithe.Linkage(points=[(0, 0, 0), (0, 1, 0), (2, 1.5, 0), (2, 0, 0)],
                                         bars=[(0, 1), (1, 2), (2, 3)], bar_mass=1, ground=[0, 3], plane=(0, 0, 1),
                                         sets={"coupler": [1, 2]})  # fmt: skip
    system = lithe.System(model)
    assert system.size == 4 and system.total_mass() == pytest.approx(3)
    assert model.bodies["bars"].bars == ((0, 1), (1, 2), (2, 3))
    velocity = lithe.InitialVelocity(on="bars.coupler", velocity=("-8*x", 0, "sin(y)"))
    assert velocity.velocity == ("-8*x", 0.0, "sin(y)")
    with pytest.raises(lithe.InputError, match="InitialVelocity.velocity.*the variables are x, y, z"):
        velocity.velocity = ("t", 0, 0)
    # A direction that is not driven is None.
    motion = lithe.Motion(at="bars.coupler", displacement=[0, None, "sin(t)"])
    assert motion.displacement == (0.0, None, "sin(t)")
    model.joints["shake"] = motion
    assert "null" in model.to_yaml() or "~" in model.to_yaml()
    assert load_text(model.to_yaml()).joints["shake"].displacement == (0.0, None, "sin(t)")


def test_net_has_nine_unknowns_a_crossing():
    model = lithe.load(ROOT / "examples" / "net.yaml", set=["bodies.net.mesh.cells=[6, 4]"])
    assert isinstance(model.bodies["net"].mesh, lithe.NetMesh) and isinstance(model.analysis, lithe.DynamicAnalysis)
    assert lithe.System(model).size == 9 * 7 * 5 - 12
    model.bodies["net"].connect = "constraints"
    assert lithe.System(model).size == 9 * 7 * 5 - 12
    model.treatment = "lagrange"
    elements = 5 * 6 + 7 * 4
    assert lithe.System(model).size == 12 * elements


def test_bodies_are_told_apart_by_their_class():
    model = lithe.Model()
    model.bodies["ball"] = {"type": "point_mass", "mass": 2}
    assert isinstance(model.bodies["ball"], lithe.PointMass)
    with pytest.raises(lithe.InputError, match="Body | RigidBody | PointMass | Linkage is expected"):
        model.bodies["ball"] = lithe.Clamp(at="ball")
    with pytest.raises(lithe.InputError, match="'radius' is not a key here"):  # flexible is the default
        model.bodies["ball"] = {"radius": 2}
    with pytest.raises(lithe.InputError, match="type 'rigit' is not known.*did you mean 'rigid'"):
        model.bodies["ball"] = {"type": "rigit"}
    assert copy.deepcopy(model) == model


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: lithe.Isotropic(), r"Isotropic: 'E' is missing \(Young's modulus, Pa\)"),
        (lambda: lithe.Isotropic(E=1e9, nuu=0.3), r"'nuu' is not a key here \(did you mean 'nu'\?\)"),
        (lambda: lithe.Isotropic(E=-1), r"Isotropic.E: this is -1, but it must be greater than 0"),
        (lambda: lithe.Isotropic(E="stiff"), "a number is expected, but this is 'stiff'"),
        (lambda: lithe.Isotropic(E=float("nan")), "finite"),
        (lambda: lithe.Isotropic(E=True), "a number is expected"),
        (lambda: lithe.LineMesh(from_=(0, 0), to=(1, 0, 0), elements=1), "LineMesh.from: a list of 3 is expected"),
        (lambda: lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=1.5), "whole number"),
        (lambda: lithe.Body(element="beem3243", material="a", mesh=None), "did you mean 'beam3243'"),
        (lambda: lithe.Clamp(at=object()), "object"),
    ],
)
def test_wrong_parts(make, message):
    with pytest.raises(lithe.InputError, match=message):
        make()


def test_wrong_models():
    model = cantilever()
    with pytest.raises(lithe.InputError, match="PlateMesh"):
        model.sections["flat"] = lithe.PlateMesh(length=(1, 0, 0), width=(0, 1, 0), elements=(1, 1))
    model.bodies["beam"].material = "stel"
    with pytest.raises(lithe.InputError, match="stel.*steel"):
        model.solve()
    with pytest.raises(lithe.InputError, match="bodies"):
        lithe.Model(name="nothing").solve()
    with pytest.raises(ValueError):
        lithe.load("/no/such/file.yaml")
    with pytest.raises(TypeError):
        lithe.Isotropic(2e11)
    with pytest.raises(lithe.InputError, match="no such file"):
        lithe.read("/no/such/file.h5")


def test_unusual_units_warn():
    with pytest.warns(UserWarning, match="are the units SI"):
        lithe.Isotropic(E=210)


def test_progress_and_stop():
    steps = []
    result = cantilever(first_step=0.25, largest_step=0.25).solve(progress=steps.append)
    assert [s["load_factor"] for s in steps] == pytest.approx([0, 0.25, 0.5, 0.75, 1.0])
    assert result.steps == 5 and result.report["ok"]
    stopped = cantilever(first_step=0.25, largest_step=0.25).solve(progress=lambda s: s["step"] < 2)
    assert stopped.steps == 3 and not stopped.report["ok"]

    def fail(step):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        cantilever().solve(progress=fail)


def test_failed_run_keeps_its_steps(tmp_path):
    for output in (None, tmp_path / "out.h5"):
        model = cantilever(first_step=0.5, largest_step=0.5, largest_steps=1)
        with pytest.raises(lithe.RunError) as caught:
            model.solve(output=output)
        partial = caught.value.result
        assert partial.steps == 2 and partial.load_factor[-1] == pytest.approx(0.5)
        assert not partial.report["ok"] and partial.report["message"] == str(caught.value)


def test_threads_do_not_change_the_answer():
    one, two = (cantilever().solve(threads=n).coordinates("beam") for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_system():
    model = cantilever()
    system = lithe.System(model)
    assert system.size == 8 * 12 + 5 and system.q0.shape == (36, 3) and system.q0.dtype == np.float64
    assert not system.q0.flags.writeable
    assert system.bodies == ["beam"] and system.vector_range("beam") == (0, 36)
    np.testing.assert_allclose(system.internal_force(), 0, atol=1e-3)
    # The tangent is the derivative of the force.
    rng = np.random.default_rng(1)
    q = system.q0 + 1e-3 * rng.standard_normal(system.q0.shape)
    data, rows, starts = system.tangent(q)
    K = np.zeros((system.size, system.size))
    for j in range(system.size):
        K[rows[starts[j] : starts[j + 1]], j] = data[starts[j] : starts[j + 1]]
    if system.symmetric:
        K = K + np.triu(K, 1).T
    dz = rng.standard_normal(system.size)
    h = 1e-6
    change = system.prolong(dz)
    difference = (system.internal_force(q + h * change) - system.internal_force(q - h * change)) / (2 * h)
    reduced = system.restrict(difference)
    assert np.linalg.norm(K @ dz - reduced) < 1e-6 * np.linalg.norm(reduced)
    # One Newton step by hand is most of a small answer.
    result = model.solve()
    f = system.restrict(system.external_force(system.q0))
    data, rows, starts = system.tangent()
    for j in range(system.size):
        K[:, j] = 0
        K[rows[starts[j] : starts[j + 1]], j] = data[starts[j] : starts[j + 1]]
    K = K + np.triu(K, 1).T
    tip = system.prolong(np.linalg.solve(K, f)).reshape(9, 4, 3)[-1, 0, 2]
    assert tip == pytest.approx(result.displacement("beam")[-1, -1, 2], rel=0.01)
    q = result.coordinates("beam")[-1].reshape(-1, 3)
    stress = system.stress_at("beam", 0, (-1, 0, 1), q)
    assert stress["cauchy"].shape == (6,) and stress["von_mises"] > 0
    assert system.total_mass() == pytest.approx(7850 * 0.02)
    assert system.strain_energy(q) == pytest.approx(-0.5 * 1000 * result.channels["tip"][-1, 2], rel=0.01)
    assert "beam" in system.unknown_name(0)
    with pytest.raises(lithe.InputError, match="did you mean 'beam'"):
        system.stress_at("bem", 0, (0, 0, 0))
    with pytest.raises(lithe.InputError, match="elements 0 to 7"):
        system.stress_at("beam", 8, (0, 0, 0))
    with pytest.raises(lithe.InputError, match="108 coordinates"):
        system.internal_force(np.zeros(7))


def test_shape_functions_are_a_partition_of_unity():
    points = np.random.default_rng(0).uniform(-1, 1, (5, 3))
    for element, vectors in (("cable", 2), ("beam3243", 4), ("shell3443", 4), ("hexa3843", 4)):
        values = lithe.shape_functions(element, points)
        np.testing.assert_allclose(values[:, ::vectors].sum(axis=1), 1)


def test_stubs_are_up_to_date():
    spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "scripts" / "make_stubs.py")
    make_stubs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_stubs)
    written = (ROOT / "python" / "lithe" / "_lithe.pyi").read_text()
    assert written == make_stubs.stub(), "run scripts/make_stubs.py"


def test_stubs_name_what_exists_and_the_other_way_round():
    tree = ast.parse((ROOT / "python" / "lithe" / "_lithe.pyi").read_text())
    typing_only = {"Signal", "SpaceFunction", "Place", "Path", "Progress", "T", "PointStress", "__all__"}
    in_stub, members = set(), {}
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            in_stub.add(node.name)
        if isinstance(node, ast.ClassDef):
            members[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        if isinstance(node, ast.AnnAssign):
            in_stub.add(node.target.id)
    public = {name for name in vars(_lithe) if not name.startswith("_")} | {"__version__"}
    assert in_stub - typing_only == public
    for name, stubbed in members.items():
        if name in typing_only:
            continue
        real = {m for m in vars(getattr(_lithe, name)) if not m.startswith("_")} - {"result"}
        assert {m for m in stubbed if not m.startswith("_")} == real, name
    for name in lithe.__all__:
        assert hasattr(lithe, name), name
    assert (ROOT / "python" / "lithe" / "py.typed").exists()


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", lithe.__version__)
    assert os.environ.get("LITHE_VERSION", lithe.__version__) == lithe.__version__
