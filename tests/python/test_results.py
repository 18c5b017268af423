"""Result files: h5py, XML and (where installed) VTK see what the solver computed, also after a kill or on a full disk."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest

import lithe

STEPS = dict(first_step=0.1, largest_step=0.1)


def scene():
    """Every kind of body, clamped and loaded."""
    model = lithe.Model(name="every kind", analysis=lithe.StaticAnalysis(**STEPS))
    model.materials["steel"] = lithe.Isotropic(E=2.1e11, nu=0.3, density=7850)
    model.sections["flat"] = lithe.Rectangle(width=0.1, thickness=0.05)
    model.sections["round"] = lithe.Circle(radius=0.02)
    model.sections["sheet"] = lithe.Plate(thickness=0.02)
    common = dict(material="steel")
    model.bodies["beam"] = lithe.Body(element="beam3243", section="flat", **common,
                                      mesh=lithe.LineMesh(from_=(0, 0, 0), to=(2, 0, 0), elements=4))  # fmt: skip
    model.bodies["wire"] = lithe.Body(element="cable", section="round", **common,
                                      mesh=lithe.LineMesh(from_=(0, 1, 0), to=(2, 1, 0), elements=4))  # fmt: skip
    model.bodies["sheet"] = lithe.Body(
        element="shell3443", section="sheet", **common,
        mesh=lithe.PlateMesh(corner=(0, 2, 0), length=(2, 0, 0), width=(0, 1, 0), elements=(4, 2)))  # fmt: skip
    model.bodies["block"] = lithe.Body(
        element="hexa3843", **common,
        mesh=lithe.BlockMesh(corner=(0, 4, 0), length=(2, 0, 0), width=(0, 0.5, 0), height=(0, 0, 0.5),
                             elements=(2, 1, 1)))  # fmt: skip
    for name, root in (("beam", "start"), ("wire", "start")):
        model.constraints[name] = lithe.Clamp(at=f"{name}.{root}")
    model.constraints["sheet"] = lithe.Clamp(at="sheet.x_min")
    model.constraints["block"] = lithe.Clamp(at="block.x_min")
    model.loads["gravity"] = lithe.Gravity()
    model.loads["pull"] = lithe.PointForce(at="wire.end", force=(1000, 0, 0))
    model.outputs["tip"] = lithe.DisplacementOutput(at="beam.end")
    model.outputs["energy"] = lithe.EnergyOutput()
    return model


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "out.h5"
    return path, scene().solve(output=path)


def test_file_and_memory_agree(run):
    path, result = run
    memory = scene().solve()
    read = lithe.read(path)
    assert read.steps == memory.steps == result.steps == 11
    assert read.complete and read.report["ok"] and read.report["reason"] == "done"
    np.testing.assert_array_equal(read.time, memory.time)
    for channel in memory.channels:
        np.testing.assert_array_equal(read.channels[channel], memory.channels[channel])
        assert read.channels.columns(channel) == memory.channels.columns(channel)
    for body in memory.bodies:
        np.testing.assert_array_equal(read.coordinates(body), memory.coordinates(body))
        np.testing.assert_array_equal(read.displacement(body), memory.displacement(body))
        np.testing.assert_array_equal(read.bodies[body].connectivity, memory.bodies[body].connectivity)
        if body != "wire":
            np.testing.assert_array_equal(read.von_mises(body), memory.von_mises(body))
    with pytest.raises(KeyError, match="cable"):
        read.von_mises("wire")
    with pytest.raises(KeyError, match="known: beam"):
        read.position("bean")
    with pytest.raises(KeyError, match="known: tip"):
        read.channels["top"]


def body_arrays(file, name):
    """Arrays of a body by the recipe of docs/results.md."""
    bodies = file["bodies"][()]
    b = bodies[bodies["name"] == name.encode()][0]
    nodes, vectors = slice(b["first_node"], b["first_node"] + b["nodes"]), b["nodes"] * b["vectors"]
    vectors = slice(b["first_vector"], b["first_vector"] + vectors)
    elements = slice(b["first_element"], b["first_element"] + b["elements"])
    index = slice(b["first_index"], b["first_index"] + b["elements"] * b["element_nodes"])
    stress = slice(b["first_stress"], b["first_stress"] + b["nodes"])
    of_nodes = (b["nodes"], b["vectors"], 3)
    fields = file["fields"]
    found = {
        "kind": b["kind"].decode(),
        "connectivity": file["mesh/connectivity"][index].reshape(-1, b["element_nodes"]),
        "size": file["mesh/size"][elements],
        "reference": file["mesh/reference"][vectors].reshape(of_nodes),
    }
    for field in ("coordinates", "velocities"):
        if field in fields:
            found[field] = fields[field][:, vectors].reshape(-1, *of_nodes)
    for field in ("position", "displacement"):
        if field in fields:
            found[field] = fields[field][:, nodes]
    if b["first_stress"] >= 0:
        found["von_mises"] = fields["von_mises"][:, stress]
    return found


def test_h5py_sees_the_documented_layout(run):
    path, result = run
    with h5py.File(path) as file:
        assert file.attrs["format"] == 6 and file.attrs["analysis"] == b"static" and file.attrs["complete"] == 1
        assert file.attrs["lithe"].decode() == lithe.__version__ and file.attrs["name"] == b"every kind"
        assert "bodies:" in file["model"].asstr()[()]
        assert '"ok": true' in file["report"].asstr()[()]
        assert list(file["channels"]["tip"].attrs["columns"]) == [b"x", b"y", b"z"]
        assert [name.decode() for name in file["bodies"]["name"]] == ["beam", "wire", "sheet", "block"]
        for name in result.bodies:
            body = body_arrays(file, name)
            assert body["kind"] == result.bodies[name].element
            steps, nodes = len(file["time"]), len(body["reference"])
            assert body["coordinates"].shape[:2] == (steps, nodes) and body["coordinates"].dtype == np.float64
            np.testing.assert_array_equal(body["position"], body["coordinates"][:, :, 0])
            np.testing.assert_array_equal(body["displacement"], body["position"] - body["reference"][:, 0])
            assert ("von_mises" in body) == (name != "wire")
            for field in ("connectivity", "size", "reference"):
                np.testing.assert_array_equal(body[field], getattr(result.bodies[name], field))
                np.testing.assert_array_equal(body[field], result.array(f"bodies/{name}/{field}"))
            for field in {"coordinates", "position", "displacement", "von_mises"} & body.keys():
                np.testing.assert_array_equal(body[field], result.array(f"bodies/{name}/{field}"))
                np.testing.assert_array_equal(body[field], getattr(result, field)(name))


def test_very_many_bodies(tmp_path):
    """Each is read as before; ParaView sees a grid of each kind, with the number of each cell's body."""
    model = lithe.Model(name="crowd", analysis=lithe.DynamicAnalysis(duration=0.02, step=0.01, threads=1))
    for i in range(150):
        place = (float(i), 0.0, 0.0)
        box = lithe.RigidBody(mass=1, inertia=(1, 1, 1), position=place)
        model.bodies[f"part{i}"] = box if i % 3 else lithe.PointMass(mass=1, position=place)
    model.loads["gravity"] = lithe.Gravity()
    memory, result = model.solve(), model.solve(output=tmp_path / "out.h5")
    assert list(result.bodies) == list(memory.bodies) == list(model.bodies) and result == memory
    with h5py.File(tmp_path / "out.h5") as file:
        names = [name.decode() for name in file["bodies"]["name"]]
    grids = ElementTree.parse(tmp_path / "out.xdmf").findall("./Domain/Grid")
    assert {grid.get("Name") for grid in grids} == {"rigid", "point"}
    seen = []
    for grid in grids:
        last = grid.findall("Grid")[-1]
        cells = read_item(last.find("Topology/DataItem"), tmp_path)
        points = read_item(last.find("Geometry/DataItem"), tmp_path)
        fields = {a.get("Name"): read_item(a.find("DataItem"), tmp_path) for a in last.findall("Attribute")}
        for cell, number in zip(cells, fields["body"], strict=True):
            name = names[number]
            seen.append(name)
            np.testing.assert_array_equal(points[cell], result.position(name)[-1])
            np.testing.assert_array_equal(fields["velocity"][cell], result.velocity(name)[-1])
            if grid.get("Name") == "rigid":
                np.testing.assert_array_equal(fields["z_axis"][cell], result.coordinates(name)[-1][:, 3])
    assert sorted(seen) == sorted(names)


def test_the_model_in_a_result_runs_again(run, tmp_path):
    path, result = run
    file = tmp_path / "again.yaml"
    file.write_text(result.model_yaml)
    np.testing.assert_array_equal(lithe.load(file).solve().coordinates("sheet"), result.coordinates("sheet"))


def read_item(item, folder):
    """A DataItem as VTK would read it: HDF references and hyperslabs."""
    if item.get("ItemType") == "HyperSlab":
        selection, source = item.findall("DataItem")
        start, stride, count = np.array(selection.text.split(), dtype=int).reshape(3, -1)
        data = read_item(source, folder)
        slices = tuple(slice(a, a + n * s, s) for a, s, n in zip(start, stride, count))
        shape = [int(n) for n in item.get("Dimensions").split()]
        return data[slices].reshape(shape)
    name, place = item.text.strip().split(":")
    with h5py.File(folder / name) as file:
        data = file[place][()]
    assert list(data.shape) == [int(n) for n in item.get("Dimensions").split()]
    return data


def test_xdmf_by_hand(run):
    path, result = run
    tree = ElementTree.parse(path.with_suffix(".xdmf"))
    bodies = tree.findall("./Domain/Grid")
    assert [body.get("Name") for body in bodies] == list(result.bodies)
    kinds = {"beam": "Polyline", "wire": "Polyline", "sheet": "Quadrilateral", "block": "Hexahedron"}
    for body in bodies:
        name = body.get("Name")
        assert body.get("CollectionType") == "Temporal"
        grids = body.findall("Grid")
        assert [float(g.find("Time").get("Value")) for g in grids] == list(result.time)
        for step, grid in enumerate(grids):
            assert grid.find("Topology").get("TopologyType") == kinds[name]
            cells = read_item(grid.find("Topology/DataItem"), path.parent)
            np.testing.assert_array_equal(cells, result.bodies[name].connectivity)
            points = read_item(grid.find("Geometry/DataItem"), path.parent)
            np.testing.assert_array_equal(points, result.position(name)[step])
            fields = {a.get("Name"): read_item(a.find("DataItem"), path.parent) for a in grid.findall("Attribute")}
            np.testing.assert_array_equal(fields["displacement"], result.displacement(name)[step])
            if name != "wire":
                np.testing.assert_array_equal(fields["von_mises"], result.von_mises(name)[step])


def test_xdmf_with_vtk(run):
    reader_module = pytest.importorskip("vtkmodules.vtkIOXdmf2", reason="this VTK has no XDMF reader (ParaView's has)")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline

    path, result = run
    reader = reader_module.vtkXdmfReader()
    reader.SetFileName(str(path.with_suffix(".xdmf")))
    reader.UpdateInformation()
    key, info = vtkStreamingDemandDrivenPipeline.TIME_STEPS(), reader.GetOutputInformation(0)
    times = [info.Get(key, i) for i in range(info.Length(key))]
    assert times == pytest.approx(list(result.time))
    for step, t in enumerate(times):
        reader.UpdateTimeStep(t)
        iterator = reader.GetOutputDataObject(0).NewIterator()
        iterator.InitTraversal()
        seen = set()
        while not iterator.IsDoneWithTraversal():
            name = iterator.GetCurrentMetaData().Get(vtkCompositeDataSet.NAME())
            grid = iterator.GetCurrentDataObject()
            seen.add(name)
            np.testing.assert_array_equal(vtk_to_numpy(grid.GetPoints().GetData()), result.position(name)[step])
            assert grid.GetNumberOfCells() == len(result.bodies[name].connectivity)
            if name != "wire":
                np.testing.assert_array_equal(
                    vtk_to_numpy(grid.GetPointData().GetArray("von_mises")), result.von_mises(name)[step]
                )
            iterator.GoToNextItem()
        assert seen == set(result.bodies)


def script(tmp_path, body):
    """Another Python process with this package and the scene of this file."""
    file = tmp_path / "script.py"
    file.write_text(
        f"import sys\nsys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})\n"
        "import os, signal, time, lithe\nfrom test_results import scene\n" + textwrap.dedent(body)
    )
    return [sys.executable, str(file)]


def test_killed_run_is_readable(tmp_path):
    """SIGKILL after step 4, which was flushed (more than 0.2 s after the last flush): five steps are there, as a whole."""
    command = script(
        tmp_path,
        f"""
        def die(step):
            if step["step"] == 3:
                time.sleep(0.25)
            if step["step"] == 4:
                os.kill(os.getpid(), signal.SIGKILL)
        scene().solve(output={str(tmp_path / 'out.h5')!r}, progress=die)
        """,
    )
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    result = lithe.read(tmp_path / "out.h5")
    expected = scene().solve()
    assert result.steps == 5 and not result.complete and result.report == {}
    for body in result.bodies:
        np.testing.assert_array_equal(result.coordinates(body), expected.coordinates(body)[:5])
    np.testing.assert_array_equal(result.channels["tip"], expected.channels["tip"][:5])
    # The companion is whole, too; after a repair every HDF5 reader opens the file.
    assert len(ElementTree.parse(tmp_path / "out.xdmf").findall("./Domain/Grid/Grid")) % 4 == 0
    with pytest.raises(OSError, match="open for"):
        h5py.File(tmp_path / "out.h5")
    lithe.repair(tmp_path / "out.h5")
    with h5py.File(tmp_path / "out.h5") as file:
        np.testing.assert_array_equal(file["time"], result.time)
    assert lithe.read(tmp_path / "out.h5").steps == 5


@pytest.mark.parametrize("attempt", range(6))
def test_run_killed_at_any_moment_is_readable(tmp_path, attempt):
    command = script(
        tmp_path,
        f"""
        model = scene()
        model.analysis = lithe.StaticAnalysis(first_step=0.002, largest_step=0.002)
        print("ready", flush=True)
        model.solve(output={str(tmp_path / 'out.h5')!r})
        """,
    )
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        deadline = time.time() + 60
        while not (tmp_path / "out.h5").exists() and time.time() < deadline:
            time.sleep(0.005)
        time.sleep(0.15 + 0.0713 * attempt)
    finally:
        process.kill()
        process.wait()
    result = lithe.read(tmp_path / "out.h5")
    for body in result.bodies:
        assert np.isfinite(result.coordinates(body)).all()
        assert len(result.coordinates(body)) == result.steps
    for channel in result.channels.values():
        assert np.isfinite(channel).all() and len(channel) == result.steps
    ElementTree.parse(tmp_path / "out.xdmf")


def test_full_disk_is_an_error_that_keeps_the_steps(tmp_path):
    """In a small file system of our own, where the kernel lets us make one."""
    small = tmp_path / "small"
    small.mkdir()
    command = script(
        tmp_path,
        f"""
        try:
            scene().solve(output={str(small / 'out.h5')!r})
        except lithe.RunError as error:
            print(error)
            print("steps", error.result.steps)
        """,
    )
    mount = f"mount -t tmpfs -o size=130k none {small} && exec \"$@\""
    done = subprocess.run(["unshare", "-rm", "sh", "-c", mount, "sh", *command], capture_output=True, text=True)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("no small file system here: " + done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert "out." in done.stdout and "No space left on device" in done.stdout
    assert int(done.stdout.split("steps")[1]) >= 1


def test_a_run_may_replace_the_file_of_a_living_result(tmp_path):
    first = scene().solve(output=tmp_path / "out.h5")
    seen = first.time.copy()
    second = scene().solve(output=tmp_path / "out.h5")
    np.testing.assert_array_equal(first.time, seen)
    np.testing.assert_array_equal(second.time, seen)
    with pytest.raises(lithe.RunError, match="another run has replaced"):
        first.coordinates("beam")


def test_errors_name_the_path(tmp_path):
    scene().solve(output=tmp_path / "new" / "folder" / "out.h5")  # folders are made
    assert (tmp_path / "new" / "folder" / "out.h5").exists()
    (tmp_path / "text.h5").write_text("not a result")
    with pytest.raises(lithe.RunError, match="text.h5/out.h5.*Not a directory"):
        scene().solve(output=tmp_path / "text.h5" / "out.h5")
    with pytest.raises(lithe.InputError, match="text.h5.*not an HDF5 file"):
        lithe.read(tmp_path / "text.h5")
    with h5py.File(tmp_path / "foreign.h5", "w"):
        pass
    with pytest.raises(lithe.InputError, match="foreign.h5.*not written by lithe"):
        lithe.read(tmp_path / "foreign.h5")


@pytest.mark.skipif("LITHE" not in os.environ, reason="the program's path comes from ctest")
def test_program_and_package_share_files(run, tmp_path):
    path, result = run
    text = subprocess.run([os.environ["LITHE"], "info", str(path)], capture_output=True, text=True, check=True).stdout
    assert "every kind" in text and "11 steps" in text and "channel 'tip'" in text
    model = tmp_path / "model.yaml"
    model.write_text(result.model_yaml)
    subprocess.run([os.environ["LITHE"], "run", str(model), "-o", str(tmp_path / "cli.h5"), "-q"], check=True)
    np.testing.assert_array_equal(lithe.read(tmp_path / "cli.h5").coordinates("block"), result.coordinates("block"))


def test_plot(run, tmp_path):
    path, _ = run
    picture = tmp_path / "picture.png"
    command = [sys.executable, "-m", "lithe.plot", str(path), "-o", str(picture), "--channel", "tip"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip() == str(picture)
    assert picture.read_bytes()[:4] == b"\x89PNG" and picture.stat().st_size > 20000
    bad = subprocess.run(command[:-1] + ["top"], capture_output=True, text=True)
    assert bad.returncode == 2 and "top" in bad.stderr and "Traceback" not in bad.stderr
    none = subprocess.run(command[:5] + [str(picture), "--step", "99"], capture_output=True, text=True)
    assert none.returncode == 2 and "11 steps" in none.stderr
