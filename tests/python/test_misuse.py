"""The Python package misused: every class and every argument ends in a clear exception, never in a crash or a hang.

Over 500 lines: one walk over all that the package offers.
"""

import copy
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import lithe
from lithe import _lithe

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLASSES = [info["name"] for info in _lithe.describe_classes()]
ALL_CLASSES = [*CLASSES, "Part", "Named", "System"]


def cantilever(**analysis):
    model = lithe.Model(name="cantilever")
    model.materials["steel"] = lithe.Isotropic(E=2.1e11, nu=0.3, density=7850)
    model.sections["flat"] = lithe.Rectangle(width=0.1, thickness=0.1)
    model.bodies["beam"] = lithe.Body(element="beam3243", material="steel", section="flat",
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(2, 0, 0), elements=4))  # fmt: skip
    model.constraints["root"] = lithe.Clamp(at="beam.start")
    model.loads["weight"] = lithe.PointForce(at="beam.end", force=(0, 0, -1000))
    model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
    if analysis:
        model.analysis = lithe.DynamicAnalysis(**analysis)
    return model


def sample(name):
    """An object of a class, with whatever its required fields take."""
    values = {"str": "x", "float": 1.0, "int": 1, "Place": "beam.end", "tuple[float, float, float]": (1.0, 2.0, 3.0),
              "tuple[int, int]": (1, 1), "tuple[int, int, int]": (1, 1, 1), "Signal": 1.0,
              "tuple[Signal, Signal, Signal]": (1.0, "t", 0.0), "tuple[SpaceFunction, SpaceFunction, SpaceFunction]": (0, "x", 0),
              "tuple[Signal | None, Signal | None, Signal | None]": (0.0, None, "t"),
              "tuple[tuple[float, float, float], ...]": [(0, 0, 0), (1, 0, 0)], "tuple[tuple[int, int], ...]": [(0, 1)],
              "tuple[tuple[float, ...], ...]": [[0] * 12], "tuple[tuple[int, ...], ...]": [[0, 1]],
              "tuple[tuple[float, float], ...]": [(0, 0), (1, 0), (0, 1)],
              "Sequence[float] | Sequence[Sequence[float]]": [1, 2, 3, 4, 5, 6],
              "PlaneShape | BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape | CompoundShape": lithe.SphereShape(radius=1),
              "str | tuple[str, ...]": ["a", "b"],
              "tuple[Place, ...]": ["beam.start", "beam.end"], "tuple[Layer, ...]": [lithe.Layer(thickness=0.1)],
              "BoxShape | SphereShape | CylinderShape | TubeShape | CapsuleShape | MeshShape": lithe.SphereShape(radius=1),
              "tuple[ShapePart, ...]": [lithe.ShapePart(shape=lithe.SphereShape(radius=1))]}  # fmt: skip
    info = next(info for info in _lithe.describe_classes() if info["name"] == name)
    given = {}
    for field in info["fields"]:
        if not field["required"] or name == "Model":
            continue
        kind = field["type"].split(" | NDArray")[0]
        if kind.startswith("Literal["):
            given[field["name"]] = kind.split('"')[1]
        elif "LineMesh" in kind:
            given[field["name"]] = lithe.LineMesh(from_=(0, 0, 0), to=(1, 0, 0), elements=1)
        else:
            given[field["name"]] = values[kind]
    return getattr(lithe, name)(**given)


WRONG = [None, float("nan"), float("inf"), -float("inf"), 10**400, -(10**400), "", "\0", "\udc80", b"bytes", object(), {},
         {"type": "nothing"}, {1: 2}, [], [[]], [None], set(), 1j, np.array([np.nan]), np.empty((0, 3)), np.zeros((2, 2, 2)),
         type, lambda: 1, range(10**12), -1, True, "x" * 10**6, lithe.Model, lithe.EnergyOutput()]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLASSES)
def test_wrong_values_for_every_field(name):
    info = next(info for info in _lithe.describe_classes() if info["name"] == name)
    for field in info["fields"]:
        for wrong in WRONG:
            part = sample(name)
            before = getattr(part, field["name"])
            try:
                setattr(part, field["name"], wrong)
            except (lithe.InputError, TypeError):
                assert getattr(part, field["name"]) == before  # as it was
            repr(part)
            try:
                getattr(lithe, name)(**{field["name"]: wrong})
            except (lithe.InputError, TypeError):
                pass
        with pytest.raises(AttributeError):
            delattr(sample(name), field["name"])


@pytest.mark.parametrize("name", ALL_CLASSES)
def test_new_without_init(name):
    """In a process of its own: this ended the interpreter."""
    code = f"""
import copy, pickle, lithe
cls = lithe.{name}
public = [n for n in dir(cls) if not n.startswith("_")]
special = ["__repr__", "__len__", "__iter__", "__getstate__", "__reduce__", "__deepcopy__"]
actions = [lambda x, n=n: getattr(x, n) for n in public]
actions += [lambda x, n=n: getattr(x, n)() for n in public + special]
actions += [repr, copy.copy, copy.deepcopy, pickle.dumps, lambda x: x == x, lambda x: setattr(x, public[0], 1)]
actions += [lambda x: lithe.Model(materials={{"a": x}}), lambda x: lithe.Body(mesh=x), lambda x: x["a"], list, len]
for action in actions:
    x = cls.__new__(cls)
    try:
        action(x)
    except (TypeError, AttributeError, KeyError, IndexError, lithe.InputError):
        pass
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "alive\n", done.stderr


def test_new_without_init_says_what_to_do():
    with pytest.raises(TypeError, match="call its class instead"):
        lithe.Isotropic.__new__(lithe.Isotropic).E
    with pytest.raises(TypeError):
        type("Mine", (lithe.Isotropic,), {"__init__": lambda self: None})()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLASSES)
def test_copies_pickles_and_comparisons_of_every_class(name):
    part = sample(name)
    assert part == part and part != 3 and part != "x" and (part == None) is False  # noqa: E711
    assert repr(part).startswith(name + "(")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(part, protocol))
        assert again == part and type(again) is type(part) and again is not part
    for again in (copy.copy(part), copy.deepcopy(part)):
        assert again == part and again is not part
    with pytest.raises(TypeError):
        hash(part)
    with pytest.raises(lithe.InputError, match="another version"):
        type(part).__new__(type(part)).__setstate__((1, 2, 3) * 20)


def test_models_travel_to_other_processes():
    model = cantilever()
    model.analysis = lithe.DynamicAnalysis(duration=0.01, step=1e-3)
    assert pickle.loads(pickle.dumps(model)) == model == copy.deepcopy(model)
    assert pickle.loads(pickle.dumps(model)).to_yaml() == model.to_yaml()
    again = copy.deepcopy(model)
    again.materials["steel"].E = 7e10
    assert again != model and model.materials["steel"].E == 2.1e11
    assert pickle.loads(pickle.dumps(model.materials)) == model.materials
    assert copy.copy(model.materials)["steel"] is model.materials["steel"]
    code = """
import pickle, sys
model = pickle.load(sys.stdin.buffer)
pickle.dump(model.solve(), sys.stdout.buffer)
"""
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(model), capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    result = pickle.loads(done.stdout)
    np.testing.assert_array_equal(result.channels["tip"], model.solve().channels["tip"])


def test_results_and_systems_can_be_copied(tmp_path):
    model = cantilever(duration=0.01, step=1e-3)
    for result in (model.solve(), model.solve(output=tmp_path / "out.h5")):
        for again in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            assert repr(again) == repr(result) and again.report == result.report
            for name in ("coordinates", "velocities", "von_mises", "displacement"):
                np.testing.assert_array_equal(getattr(again, name)("beam"), getattr(result, name)("beam"))
            np.testing.assert_array_equal(again.step_size, result.step_size)
            with pytest.raises(lithe.InputError, match="have no 'nothing'"):
                again.array("nothing")
    system = lithe.System(model, threads=1)
    for again in (copy.copy(system), copy.deepcopy(system), pickle.loads(pickle.dumps(system))):
        np.testing.assert_array_equal(again.tangent()[0], system.tangent()[0])
    assert repr(system).startswith("<System of 'cantilever'")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):  # 0 and 1 ended the interpreter
        with pytest.raises(TypeError):
            pickle.dumps(_lithe.solve(model, None, None, 0, None, None)[0], protocol)
    with pytest.raises(TypeError, match="no objects of its own"):
        lithe.Part.__mro__[1]()
    error = lithe.RunError("x")
    error.result = model.solve()
    assert pickle.loads(pickle.dumps(error)).result.steps == error.result.steps


@pytest.mark.parametrize("threads", [-1, 10**6, 10**30, 1.5, float("nan"), "two", True, [1]])
def test_threads_have_limits(threads, tmp_path):
    for call in (lambda: cantilever().solve(threads=threads), lambda: lithe.System(cantilever(), threads=threads),
                 lambda: lithe.StaticAnalysis(threads=threads), lambda: lithe.DynamicAnalysis(threads=threads)):  # fmt: skip
        with pytest.raises(lithe.InputError, match="threads"):
            call()


@pytest.mark.parametrize("duration", [float("nan"), float("inf"), -1, 0, "long", True, [], 10**400])
def test_durations_of_resume(duration, tmp_path):
    file = tmp_path / "out.h5"
    cantilever(duration=0.01, step=1e-3, checkpoint_step=0.005).solve(output=file)
    before = file.read_bytes()
    with pytest.raises(lithe.InputError, match="duration"):
        lithe.resume(file, duration=duration)
    assert file.read_bytes() == before
    assert lithe.resume(file, duration=0.012).time[-1] == pytest.approx(0.012)


@pytest.mark.parametrize("path", [None, "", "a\0b", 5, 1.5, object(), ["x"]])
def test_paths(path):
    for call in (lithe.load, lithe.read, lithe.repair, lithe.resume):
        with pytest.raises((lithe.InputError, TypeError)):
            call(path)
    if path is not None:
        with pytest.raises((lithe.InputError, TypeError)):
            cantilever().solve(output=path)


def test_paths_that_are_no_utf8(tmp_path):
    name = os.path.join(os.fsencode(tmp_path), b"\xff.yaml")
    with pytest.raises(lithe.InputError, match="no such file"):
        lithe.load(name)
    with open(name, "w") as file:
        file.write(cantilever().to_yaml())
    assert lithe.load(os.fsdecode(name)) == cantilever()


@pytest.mark.parametrize("progress", [0, 1, "yes", [], {}, 2.5])
def test_progress_is_a_function_or_a_bool(progress):
    with pytest.raises(TypeError, match="progress"):
        cantilever().solve(progress=progress)


def test_containers_that_misbehave():
    itself = []
    itself.append(itself)
    with pytest.raises(lithe.InputError, match="does it contain itself"):
        lithe.LineMesh(from_=itself, to=(1, 0, 0), elements=1)

    class Endless:
        def __getitem__(self, i):
            return 0.0

    with pytest.raises(lithe.InputError, match="more than"):
        lithe.LineMesh(from_=Endless(), to=(1, 0, 0), elements=1)

    class Raises:
        def __float__(self):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        lithe.Isotropic(E=Raises())

    class Shrinks(list):
        """Longer each time it is walked."""

        walks = 0

        def __iter__(self):
            Shrinks.walks += 1
            return iter([lithe.Layer(thickness=0.1)] * Shrinks.walks)

    for _ in range(3):
        lithe.Layered(layers=Shrinks([1]))

    model = cantilever()

    class Removes:
        def __index__(self):
            model.materials.clear()
            return 3

    model.materials["x"] = lithe.Isotropic(E=1e9)
    model.bodies["beam"].mesh.elements = Removes()
    with pytest.raises(lithe.InputError, match="material 'steel' is not known"):
        model.solve()
    model.loads["weight"].force = (0, 0, {"table": [[0, 0], [1, 1]]})
    model.loads["weight"].force[2]["table"].append("broken")  # what is kept by reference is read again
    with pytest.raises(lithe.InputError):
        model.to_yaml()


def test_changes_during_a_run_change_the_next_one():
    model = cantilever(duration=0.02, step=1e-3)
    expected = model.solve().coordinates("beam").copy()

    def change(step):
        model.materials.clear()
        model.bodies.clear()
        model.analysis = lithe.StaticAnalysis()

    np.testing.assert_array_equal(model.solve(progress=change).coordinates("beam"), expected)
    with pytest.raises(lithe.InputError, match="bodies"):
        model.solve()


def test_exceptions_in_the_function_keep_the_results(tmp_path):
    class Mine(BaseException):
        pass

    def fail(step):
        if step["step"] == 5:
            raise Mine("here")

    for output in (None, tmp_path / "out.h5"):
        model = cantilever(duration=0.02, step=1e-3)
        with pytest.raises(Mine, match="here") as caught:
            model.solve(output=output, progress=fail)
        assert caught.value.result.steps == 6 and caught.value.result.report["reason"] == "stopped"
        assert any(entry.name == "fail" for entry in caught.traceback)
        assert model.solve(output=output).steps == 21  # the model and the file can be used again
    assert cantilever().solve(progress=lambda step: cantilever().solve().steps == 2).report["ok"]  # a run in a run


SLOW = """
import os, signal, sys, threading, time
import lithe
model = lithe.load(sys.argv[1], set=["analysis.duration=1000"])
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    model.solve(output=sys.argv[2] or None)
except KeyboardInterrupt as error:
    print(time.monotonic() - start, error.result.steps, error.result.report["reason"])
"""


@pytest.mark.parametrize("output", ["", "out.h5"])
def test_keyboard_interrupt_keeps_the_results(output, tmp_path):
    done = subprocess.run([sys.executable, "-c", SLOW, str(ROOT / "examples" / "pendulum.yaml"), output], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120)  # fmt: skip
    assert done.returncode == 0, done.stderr
    seconds, steps, reason = done.stdout.split()
    assert float(seconds) < 2 + 1 and int(steps) > 1 and reason == "stopped"
    if output:
        assert lithe.read(tmp_path / output).steps == int(steps)


def test_a_failed_run_leaves_everything_usable():
    model = cantilever()
    model.analysis = lithe.StaticAnalysis(first_step=0.5, largest_step=0.5, largest_steps=1)
    for _ in range(3):
        with pytest.raises(lithe.RunError):
            model.solve()
    model.analysis = lithe.StaticAnalysis()
    assert model.solve().report["ok"]


@pytest.mark.parametrize("call", [
    lambda s: s.internal_force([1, 2, 3]), lambda s: s.internal_force("q"), lambda s: s.internal_force(object()),
    lambda s: s.internal_force(np.zeros((4, 4), complex)), lambda s: s.tangent(c_q="x"), lambda s: s.tangent(c_q=None),
    lambda s: s.external_force(t="x"), lambda s: s.prolong([1.0]), lambda s: s.prolong(None), lambda s: s.restrict([1.0]),
    lambda s: s.stress_at("beam", -1, (0, 0, 0)), lambda s: s.stress_at("beam", 10**20, (0, 0, 0)),
    lambda s: s.stress_at("beam", 0, (0, 0)), lambda s: s.stress_at("none", 0, (0, 0, 0)), lambda s: s.vector_range(3),
    lambda s: s.max_von_mises("beam", samples=0), lambda s: s.max_von_mises("beam", samples=10**5),
    lambda s: s.max_von_mises("beam", samples=-1), lambda s: s.unknown_name(-1), lambda s: s.unknown_name(10**6),
    lambda s: s.unknown_name(10**30), lambda s: s.nodal_von_mises("bem"), lambda s: s.q0.__setitem__(0, 1),
    lambda s: s.q0.setflags(write=True), lambda s: lithe.System(None), lambda s: lithe.System(s), lambda s: lithe.System({}),
    lambda s: lithe.shape_functions("beam", [[0, 0, 0]]), lambda s: lithe.shape_functions("cable", [0, 0]),
    lambda s: lithe.shape_functions(None, None), lambda s: _lithe.solve(s, None, None, 0, None, None),
    lambda s: _lithe.check(3), lambda s: lithe.load(ROOT / "examples" / "cantilever.yaml", set="a=b"),
    lambda s: lithe.load(ROOT / "examples" / "cantilever.yaml", set=[3])])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_wrong_arguments_of_systems(call):
    with pytest.raises((lithe.InputError, TypeError, ValueError)):
        call(lithe.System(cantilever()))


def test_threads_share_a_system():
    """Methods let other threads run; each call has its own room."""
    model = cantilever()
    model.materials["steel"].damping = 1e-3
    system = lithe.System(model, threads=1)
    rng = np.random.default_rng(3)
    states = [(system.q0 + 1e-3 * rng.standard_normal(system.q0.shape), rng.standard_normal(system.q0.shape)) for _ in range(4)]

    def numbers(q, v):
        return [system.internal_force(q, v), system.tangent(q, v, 1.0, 0.5)[0], system.external_force(q, 0.3, 0.7),
                system.strain_energy(q), system.kinetic_energy(v), system.max_von_mises("beam", q),
                system.nodal_von_mises("beam", q), system.stress_at("beam", 1, (0, 0, 0), q, v)["cauchy"]]  # fmt: skip

    expected = [numbers(*state) for state in states]
    wrong = []

    def work(which):
        for _ in range(100):
            for got, want in zip(numbers(*states[which]), expected[which]):
                if not np.array_equal(got, want):
                    wrong.append(which)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_runs_in_threads(tmp_path):
    """Runs, files and reading side by side."""
    expected = cantilever(duration=0.05, step=1e-3).solve().coordinates("beam")
    problems = []

    def work(i):
        try:
            for k in range(3):
                output = tmp_path / f"{i}_{k}.h5" if i % 2 else None
                result = cantilever(duration=0.05, step=1e-3, checkpoint_step=0.01).solve(output=output)
                if not np.array_equal(result.coordinates("beam"), expected):
                    problems.append("other numbers")
                if output and lithe.read(output).steps != 51:
                    problems.append("other steps")
        except Exception as error:  # noqa: BLE001
            problems.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_interrupts_belong_to_the_main_thread():
    """A run in another thread is no reason to miss Ctrl-C."""
    model = cantilever(duration=1000, step=1e-3)
    stop = threading.Event()
    thread = threading.Thread(target=lambda: model.solve(progress=lambda step: not stop.is_set()))
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
    stop.set()
    thread.join(30)
    assert not thread.is_alive()


# ---- results, arrays and names ----


def test_results_compare_by_their_contents(tmp_path):
    result = cantilever().solve()
    same = [copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result)), cantilever().solve(),
            cantilever().solve(output=tmp_path / "a.h5"), lithe.read(tmp_path / "a.h5")]  # fmt: skip
    for other in same:
        assert result == other and not result != other and hash(result) == hash(other)
        assert result.bodies == other.bodies and result.channels == other.channels
        assert hash(result.bodies["beam"]) == hash(other.bodies["beam"])
    assert len({result, *same}) == 1
    heavy = cantilever()
    heavy.loads["weight"].force = (0, 0, -1001)
    other = heavy.solve()
    assert result != other and result.channels != other.channels and result.bodies == other.bodies
    assert result != "result" and result.channels != 1 and result.bodies["beam"] != 1


def test_masked_arrays_are_not_taken_for_numbers():
    nodes = np.ma.masked_array(np.zeros((2, 12)), mask=False)
    mesh = lithe.NodeMesh(nodes=nodes, elements=[[0, 1]], size=[[1, 0.1, 0.1]])
    assert mesh.nodes.shape == (2, 12)  # nothing is masked
    nodes[1, 3] = np.ma.masked
    with pytest.raises(lithe.InputError, match=r"NodeMesh.nodes\[1\]\[3\]: this is masked"):
        lithe.NodeMesh(nodes=nodes, elements=[[0, 1]], size=[[1, 0.1, 0.1]])
    with pytest.raises(lithe.InputError, match=r"PointForce.force\[2\]: this is masked"):
        lithe.PointForce(at="beam.end", force=np.ma.masked_array([1.0, 2.0, 3.0], mask=[0, 0, 1]))
    with pytest.raises(lithe.InputError, match="Isotropic.E: this is masked"):
        lithe.Isotropic(E=np.ma.masked)


@pytest.mark.parametrize("wrong", [b"1", bytearray(b"1")])
def test_bytes_are_neither_texts_nor_numbers(wrong):
    with pytest.raises(lithe.InputError, match="of type 'byte.*neither a text nor a number"):
        lithe.Isotropic(E=wrong)


def test_names_are_texts():
    loads = cantilever().loads
    part = lithe.Gravity()
    actions = [lambda: loads[3], lambda: loads.__setitem__(3, part), lambda: loads.__delitem__(3), lambda: loads.update({3: part})]
    for action in actions:
        with pytest.raises(TypeError, match=r"^a name is a text \(str\), but this is 3 of type 'int'$"):
            action()
    assert loads.get(3) is None and 3 not in loads


def test_names_of_files_that_are_too_long(tmp_path):
    long = tmp_path / ("a" * 300)
    for action in [lambda: lithe.load(long), lambda: lithe.read(long), lambda: lithe.resume(long), lambda: lithe.repair(long),
                   lambda: cantilever().solve(output=long), lambda: cantilever().solve(output=tmp_path / ("a" * 250))]:  # fmt: skip
        with pytest.raises(lithe.InputError, match="too long"):
            action()
    with pytest.raises(lithe.InputError, match="this is a folder"):
        lithe.read(tmp_path)


def test_a_result_that_is_removed_meanwhile_is_not_said_to_be_there(tmp_path):
    def remove(report):
        (tmp_path / "a.h5").unlink(missing_ok=True)

    with pytest.raises(lithe.RunError, match="a.h5.*removed while the run went on"):
        cantilever(duration=0.05, step=1e-3).solve(output=tmp_path / "a.h5", progress=remove)

    def move(report):
        if (tmp_path / "b.h5").exists():
            (tmp_path / "b.h5").rename(tmp_path / "c.h5")

    with pytest.raises(lithe.RunError, match="b.h5' are not there: the file was moved"):
        cantilever(duration=0.05, step=1e-3).solve(output=tmp_path / "b.h5", progress=move)
    assert lithe.read(tmp_path / "c.h5").complete
