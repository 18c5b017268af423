"""Results of reduced bodies by program and in Python: what users see, what is lost, what goes on after a stop."""

import gzip
import pickle
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import PROGRAM

import lithe as package

BAR = """
materials: {soft: {type: isotropic, E: 2e6, nu: 0.26, density: 7800}}
bodies:
  bar: {element: hex8, material: soft, kinematics: KINEMATICS, BASE
        mesh: {type: block, corner: [-0.05, -0.05, -0.5], length: [0.1, 0, 0], width: [0, 0.1, 0], height: [0, 0, 1],
               elements: [2, 2, 20]}}
initial_velocities: {spin: {on: bar, angular_velocity: [1, 0, 0], center: [0, 0, 0]}}
outputs:
  top: {type: position, at: {body: bar, node: 188}}
  bottom: {type: position, at: {body: bar, node: 4}}
  rate: {type: velocity, at: {body: bar, node: 188}}
  peak: {type: max_von_mises, body: bar, samples: 2}
  stress: {type: stress, at: {body: bar, element: 40, xi: [0.2, -0.3, 0.5]}}
analysis: {type: dynamic, duration: 1, step: 0.015625, checkpoint_step: 0.1}
"""


def bar(kinematics, base=""):
    return BAR.replace("KINEMATICS", kinematics).replace("BASE", f"base: {base}," if base else "")


def lithe_in(folder, *words):
    return subprocess.run([str(PROGRAM), *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Both bases and a run of each kind, out of the program."""
    here = tmp_path_factory.mktemp("reduced")

    def lithe(*words):
        done = lithe_in(here, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    (here / "tl.yaml").write_text(bar("TL"))
    lithe("run", "tl.yaml", "-o", "tl.h5", "-q")
    lithe("reduce", "pod", "tl.h5", "--body", "bar", "--count", 18, "-o", "pod.base")
    lithe("reduce", "modal", "tl.yaml", "--body", "bar", "--modes", "1-6,14,19,26,34,39", "-o", "modal.base")
    for name, kinematics in (("pod", "BC-RO"), ("modal", "BC-MODAL")):
        (here / f"{name}.yaml").write_text(bar(kinematics, here / f"{name}.base"))
        told = lithe("run", f"{name}.yaml", "-o", f"{name}.h5")
        assert f"1 body by modes, not shown in ParaView; with fields in full: lithe expand {name}.h5 -o FULL.h5" in told
    return here


@pytest.mark.parametrize("name, modes", [("pod", 18), ("modal", 11)])
def test_fields_are_there_as_of_any_body(folder, name, modes):
    """Channels are those of the coordinates that were integrated: what is rebuilt differs by what lies outside the span."""
    result = package.read(folder / f"{name}.h5")
    assert result.bodies["bar"].modes == modes and f"reduced to {modes} modes" in repr(result.bodies["bar"])
    assert result.coordinates("bar").shape == (65, 189, 1, 3) and result.velocity("bar").shape == (65, 189, 3)
    for channel, node in (("top", 188), ("bottom", 4)):
        lost = np.abs(result.position("bar")[:, node] - result.channels[channel]).max()
        assert 0 < lost < (1e-5 if name == "pod" else 1e-4), lost
    assert np.abs(result.velocity("bar")[:, 188] - result.channels["rate"]).max() < 1e-12
    np.testing.assert_array_equal(result.displacement("bar"), result.array("bodies/bar/displacement"))
    assert result.von_mises("bar").shape == (65, 189) and result.von_mises("bar").max() > 10
    R = result.rotation("bar")
    assert R.shape == (65, 3, 3) and np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)).max() < 1e-14
    assert result.reduced_coordinates("bar").shape == result.reduced_rates("bar").shape == (65, modes)


@pytest.mark.parametrize("name", ["pod", "modal"])
def test_stress_is_that_of_the_span(folder, name):
    """Channels and nodes: from the deformation that the modes make, as the forces do. Fields keep the rotation of the step, which
    its last projection leaves a little behind."""
    result = package.read(folder / f"{name}.h5")
    nodes = result.von_mises("bar").max(axis=1)
    np.testing.assert_allclose(result.channels["peak"][:, 0], nodes, rtol=0, atol=1e-6 * nodes.max())
    whole = package.System(package.load(folder / "tl.yaml"))
    for row in (10, 40, 64):
        q, v = result.coordinates("bar")[row], np.zeros((189, 1, 3))
        exact = np.array(whole.stress_at("bar", 40, (0.2, -0.3, 0.5), q.reshape(-1, 3), v.reshape(-1, 3))["cauchy"])
        found = result.channels["stress"][row, 12:18]
        assert np.abs(found - exact).max() < 1e-6 * nodes.max(), row


@pytest.mark.parametrize("name", ["pod", "modal"])
def test_memory_and_copies_equal_the_file(folder, name):
    result = package.read(folder / f"{name}.h5")
    memory = package.load(folder / f"{name}.yaml").solve()
    assert memory.bodies["bar"].modes > 0
    for a in (memory, pickle.loads(pickle.dumps(result))):
        for field in ("coordinates", "velocities", "von_mises", "reduced_coordinates", "reduced_rates", "rotation"):
            np.testing.assert_array_equal(getattr(a, field)("bar"), getattr(result, field)("bar"))
    whole = package.read(folder / "tl.h5")
    assert whole.bodies["bar"].modes == 0
    with pytest.raises(KeyError, match="body 'bar' is not reduced"):
        whole.rotation("bar")


def test_files_are_smaller_by_what_modes_spare(folder):
    """A node had 13 numbers a row: coordinates, velocity, position, displacement and stress."""

    def numbers(name):
        with h5py.File(folder / f"{name}.h5") as file:
            return sum(field[0].size for field in file["fields"].values())

    assert numbers("tl") == 13 * 189
    assert numbers("pod") == 2 * 18 + 9 and numbers("modal") == 2 * 11 + 9
    assert (folder / "pod.h5").stat().st_size < 0.35 * (folder / "tl.h5").stat().st_size  # of 65 rows, the base in it


def test_program_tells_and_expands(folder, tmp_path):
    told = lithe_in(folder, "info", "pod.h5").stdout
    assert "body 'bar': hex8, 80 elements, 189 nodes, reduced to 18 modes (pod)" in told
    assert "for ParaView: lithe expand pod.h5 -o FULL.h5" in told and "format 6" in told
    assert 'Grid Name="bar"' not in (folder / "pod.xdmf").read_text()
    done = lithe_in(folder, "expand", "pod.h5", "-o", tmp_path / "full.h5")
    assert done.returncode == 0 and "full.xdmf" in done.stdout, done.stderr
    assert 'Grid Name="bar"' in (tmp_path / "full.xdmf").read_text()
    result, full = package.read(folder / "pod.h5"), package.read(tmp_path / "full.h5")
    assert full == result and full.bodies["bar"].modes == 0 and full.report == result.report
    with h5py.File(tmp_path / "full.h5") as file:
        np.testing.assert_array_equal(file["fields/coordinates"][()].reshape(65, 189, 1, 3), result.coordinates("bar"))
        np.testing.assert_array_equal(file["fields/displacement"][()], result.displacement("bar"))
        np.testing.assert_array_equal(file["fields/von_mises"][()], result.von_mises("bar"))


@pytest.mark.parametrize(
    "words, told",
    [
        (["tl.h5", "-o", "full.h5"], "have no reduced bodies"),
        (["pod.h5", "-o", "pod.h5"], "pod.h5"),
        (["pod.h5", "-o", "tl.yaml"], "tl.yaml"),
        (["none.h5", "-o", "full.h5"], "there is no such file"),
        (["pod.h5"], "--out"),
    ],
)
def test_what_expand_refuses(folder, words, told):
    before = (folder / "pod.h5").read_bytes()
    done = lithe_in(folder, "expand", *words)
    assert done.returncode == 2 and told in done.stderr, done.stderr
    assert not (folder / "full.h5").exists() and (folder / "pod.h5").read_bytes() == before


@pytest.mark.parametrize("name", ["pod", "modal"])
def test_resumed_run_has_the_same_bytes(folder, tmp_path, name):
    model, parts = package.load(folder / f"{name}.yaml"), tmp_path / "parts.h5"
    model.solve(output=parts, progress=lambda step: step["step"] < 40)
    assert package.read(parts).time[-1] < 0.7
    assert package.resume(parts).report["resumed_at"] > 0.4
    with h5py.File(parts) as a, h5py.File(folder / f"{name}.h5") as b:
        names = []
        b.visititems(lambda path, item: names.append(path) if isinstance(item, h5py.Dataset) else None)
        assert "fields/reduced_rates" in names and "fields/coordinates" not in names
        for path in names:
            if path not in ("report", "model"):
                assert a[path][()].tobytes() == b[path][()].tobytes(), path


def test_stress_is_rebuilt_where_files_are_gone(folder, tmp_path):
    """Base and model may be elsewhere by then: the result is enough."""
    shutil.copy(folder / "pod.base", tmp_path / "pod.base")
    (tmp_path / "pod.yaml").write_text(bar("BC-RO", tmp_path / "pod.base"))
    package.load(tmp_path / "pod.yaml").solve(output=tmp_path / "out.h5")
    (tmp_path / "pod.base").unlink()
    (tmp_path / "pod.yaml").unlink()
    result = package.read(tmp_path / "out.h5")
    np.testing.assert_array_equal(result.von_mises("bar"), package.read(folder / "pod.h5").von_mises("bar"))


def test_damage_of_a_base_is_told(folder, tmp_path):
    """A flipped bit of a mode is an error, never another field."""
    path = tmp_path / "out.h5"
    data = bytearray((folder / "pod.h5").read_bytes())
    with h5py.File(folder / "pod.h5") as file:
        where = file["mesh/base_modes"].id.get_chunk_info(0).byte_offset
    data[where + 1000] ^= 4
    path.write_bytes(data)
    with pytest.raises(package.InputError, match="cannot be read"):
        package.read(path)


def test_results_of_format_5_are_read(tmp_path):
    """A point mass thrown sideways, written before reduced bodies were: 3 rows, 0.01 s apart."""
    path = tmp_path / "old.h5"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "format5.h5.gz").read_bytes()))
    result = package.read(path)
    assert result.complete and result.bodies["ball"].modes == 0
    np.testing.assert_allclose(result.position("ball")[:, 0, 0], [0, 0.01, 0.02], atol=1e-12)
    np.testing.assert_allclose(result.velocity("ball")[-1, 0], [1, 0, -0.1962], atol=1e-6)
    np.testing.assert_array_equal(result.channels["path"], result.position("ball")[:, 0])
    done = lithe_in(tmp_path, "info", "old.h5")
    assert done.returncode == 0 and "(format 5)" in done.stdout and "reduced" not in done.stdout
