"""Meshes and tables of numpy's: read as arrays, kept as arrays, the same model as lists."""

import copy
import pickle

import numpy as np
import pytest

import lithe


def strip(n):
    """Nodes of a straight beam along x: r, r_x, r_y, r_z each."""
    nodes = np.zeros((n + 1, 12))
    nodes[:, 0] = np.arange(n + 1)
    nodes[:, 3] = nodes[:, 7] = nodes[:, 11] = 1
    return nodes, np.column_stack([np.arange(n), np.arange(1, n + 1)])


def mesh(n, convert=lambda x: x):
    nodes, elements = strip(n)
    return lithe.NodeMesh(nodes=convert(nodes), elements=convert(elements), size=convert(np.array([[1, 0.1, 0.1]])))


def test_arrays_stay_arrays():
    nodes, elements = strip(4)
    m = lithe.NodeMesh(nodes=nodes, elements=elements.astype(float), size=np.array([[1, 0.1, 0.1]], dtype=np.float32))
    assert isinstance(m.nodes, np.ndarray) and m.nodes.dtype == np.float64 and m.elements.dtype == np.int64
    np.testing.assert_array_equal(m.nodes, nodes)
    assert m.elements[2, 1] == 3 and len(m.nodes) == 5 and repr(m).startswith("NodeMesh(nodes=array(")
    nodes[0, 0] = 99  # the model has its own
    assert m.nodes[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        m.nodes[0, 0] = 1
    m.nodes = m.nodes * 2
    assert m.nodes[1, 0] == 2
    # In another order or with gaps in memory.
    assert np.array_equal(lithe.Linkage(points=np.asfortranarray(nodes[:, :3])).points, nodes[:, :3])
    assert lithe.NodeMesh(nodes=nodes[::2], elements=[[0, 1]], size=[[1, 1, 1]]).nodes.shape == (3, 12)


def test_short_lists_are_tuples_whatever_they_came_as():
    line = lithe.LineMesh(from_=np.zeros(3), to=np.array([1, 0, 0]), elements=1)
    assert line.to == (1.0, 0.0, 0.0) and isinstance(line.to, tuple)
    assert lithe.RigidBody(mass=1, inertia=np.ones(3)).inertia == (1.0, 1.0, 1.0)


def test_arrays_and_lists_are_the_same_part():
    array, listed = mesh(6), mesh(6, lambda x: x.tolist())
    assert array == listed and listed == array and array != mesh(5) and array != mesh(5, lambda x: x.tolist())
    assert isinstance(listed.nodes, tuple)
    for again in (copy.copy(array), copy.deepcopy(array), pickle.loads(pickle.dumps(array))):
        assert again == array and isinstance(again.nodes, np.ndarray) and not again.nodes.flags.writeable
    body = lithe.Body(element="hexa3843", material="m", mesh=array)
    assert body.mesh is array and body == lithe.Body(element="hexa3843", material="m", mesh=listed)
    moved = copy.deepcopy(array)
    moved.nodes = moved.nodes + 1
    assert moved != array


def model_of(mesh):
    model = lithe.Model()
    model.materials["m"] = lithe.Isotropic(E=1e9, nu=0.3, density=1000)
    model.sections["s"] = lithe.Rectangle(width=0.1, thickness=0.1)
    model.bodies["strip"] = lithe.Body(element="beam3243", material="m", section="s", mesh=mesh)
    model.constraints["root"] = lithe.Clamp(at={"body": "strip", "node": 0})
    model.loads["tip"] = lithe.PointForce(at={"body": "strip", "node": 6},
                                          force=(0, 0, {"table": np.array([[0, 0], [1, -1.5]])}))  # fmt: skip
    return model


def test_arrays_give_the_same_model(tmp_path):
    array, listed = model_of(mesh(6)), model_of(mesh(6, lambda x: x.tolist()))
    assert array == listed and array.to_yaml() == listed.to_yaml()
    np.testing.assert_array_equal(lithe.System(array).q0, lithe.System(listed).q0)
    np.testing.assert_array_equal(array.solve().coordinates("strip"), listed.solve().coordinates("strip"))
    (tmp_path / "m.yaml").write_text(array.to_yaml())
    assert lithe.load(tmp_path / "m.yaml") == array
    assert array.loads["tip"].force[2] == {"table": [[0, 0], [1, -1.5]]}


@pytest.mark.parametrize("field, wrong, message", [
    ("nodes", np.array([[1, 2], [3, np.nan]]), r"NodeMesh.nodes\[1\]\[1\]: a finite number is expected, but this is 'nan'"),
    ("nodes", np.zeros(3), r"NodeMesh.nodes\[0\]: a list is expected, but this is '0'"),
    ("nodes", np.zeros((1, 2, 2)), r"NodeMesh.nodes\[0\]\[0\]: a number is expected, but this is a list of 2"),
    ("nodes", np.array([[True]]), r"NodeMesh.nodes\[0\]\[0\]: a number is expected, but this is 'true'"),
    ("nodes", np.array([["a"]]), r"NodeMesh.nodes\[0\]\[0\]: a number is expected, but this is 'a'"),
    ("elements", np.array([[0, 1], [1, -2]]), r"NodeMesh.elements\[1\]\[1\]: this is -2, but it must be 0 or more"),
    ("elements", np.array([[0.5, 1]]), r"NodeMesh.elements\[0\]\[0\]: a whole number is expected, but this is '0.5'"),
    ("size", np.zeros((2, 2)), r"NodeMesh.size\[0\]: a list of 3 is expected, but this is a list of 2"),
])  # fmt: skip
def test_wrong_arrays(field, wrong, message):
    m = mesh(2)
    before = getattr(m, field)
    with pytest.raises(lithe.InputError, match=message):
        setattr(m, field, wrong)
    assert getattr(m, field) is before


def test_a_large_mesh_is_no_matter():
    """More numbers than texts would be allowed."""
    m = mesh(400_000)
    assert m.nodes.size > 4_000_000
    model = model_of(m)
    model.bodies["strip"].material = "none"
    with pytest.raises(lithe.InputError, match="bodies.strip.material: material 'none' is not known"):
        lithe.System(model)


def test_many_parts():
    """Each is found by its name: adding one does not look at all the others."""
    model = lithe.Model()
    model.materials["m"] = lithe.Isotropic(E=1e9)
    for i in range(20_000):
        model.bodies[f"b{i}"] = lithe.PointMass(mass=1, position=(i, 0, 0))
    model.bodies["b7"] = lithe.PointMass(mass=2)
    assert len(model.bodies) == 20_000 and model.bodies["b7"].mass == 2 and list(model.bodies)[7] == "b7"
    del model.bodies["b8"]
    assert "b8" not in model.bodies and list(model.bodies)[8] == "b9"
    model.joints["j"] = lithe.Spherical(a="b7", b="nobody")
    with pytest.raises(lithe.InputError, match="joints.j.b: body 'nobody' is not known"):
        lithe.System(model)
