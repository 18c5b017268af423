"""Two builds of the program over the same short runs: are the results equal, bit by bit, and what does each cost?

    python3 scripts/compare_builds.py OLD NEW [--only WORD] [--repeat 3] [--longer 10]

OLD and NEW are programs (build/lithe of two checkouts). Every example, the net in both forms, the slider-crank and a
four-bar mechanism with each treatment, and the three pendulums of P0 run a few steps with both, in turns on one thread;
printed are whether every number in the results is the same, and the ratio of the least processor times (of the user and
of the system together: a busy machine tells little else). --longer makes four-bars and pendulums that much longer, so that
their steps are what is measured. Exit code 1 if one differs.
A restructuring changes no bit; where one is meant to, this says how far.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SHORT = ["analysis.duration=0.05"]


def linkage(treatment: str, longer: float, loops: int = 4) -> str:
    points = [[i, level, 0] for level in (0, 1) for i in range(loops + 1)]
    top = range(loops + 1, 2 * loops + 2)
    bars = [[b - loops - 1, b] for b in top] + [[b, b + 1] for b in top[:-1]]
    return json.dumps({
        "name": "four_bar", "treatment": treatment, "penalty": 1e8,
        "bodies": {"bars": {"type": "linkage", "points": points, "bars": bars, "bar_mass": 1,
                            "ground": list(range(loops + 1)), "plane": [0, 0, 1], "sets": {"top": list(top)}}},
        "initial_velocities": {"push": {"on": "bars.top", "velocity": [1, 0, 0]}},
        "loads": {"gravity": {"type": "gravity", "acceleration": [0, -9.81, 0]}},
        "outputs": {"B": {"type": "position", "at": {"body": "bars", "node": loops + 1}}},
        "analysis": {"type": "dynamic", "integrator": "trapezoidal", "duration": 0.5 * longer, "step": 1.25e-3, "threads": 1},
    })  # fmt: skip


def pendulum(case: str, longer: float) -> str:
    side = math.sqrt(2.5e-4)
    plate = {"length": [0.6, 0, 0], "width": [0, 0.3, 0]}
    soft = {"E": 1e5, "nu": 0.3, "density": 7810, "damping": 0.01}
    body, material, section, node = {
        "beam": ({"element": "beam3243", "mesh": {"type": "line", "from": [0, 0, 0], "to": [1, 0, 0], "elements": 1024}},
                 {"E": 1.6e5, "density": 320, "damping": 0.01},
                 {"type": "rectangle", "width": side, "thickness": side}, 1024),
        "shell": ({"element": "shell3443", "mesh": {"type": "plate", **plate, "elements": [40, 20]}}, soft,
                  {"type": "plate", "thickness": 0.01}, 860),
        "hexa": ({"element": "hexa3843", "mesh": {"type": "block", **plate, "height": [0, 0, 0.01],
                                                  "elements": [20, 10, 1]}}, soft, None, 230),
    }[case]  # fmt: skip
    model = {"name": case, "materials": {"m": material}, "bodies": {"body": {**body, "material": "m"}},
             "constraints": {"pin": {"type": "fix", "at": {"body": "body", "node": 0}}},
             "loads": {"gravity": {"type": "gravity", "acceleration": [0, 0, -9.80665]}},
             "outputs": {"tip": {"type": "position", "at": {"body": "body", "node": node}}},
             "analysis": {"type": "dynamic", "integrator": "hht", "alpha": -0.2, "step": 1e-3,
                          "duration": 0.05 * longer,
                          "threads": 1}}  # fmt: skip
    if section:
        model["sections"] = {"s": section}
        model["bodies"]["body"]["section"] = "s"
    return json.dumps(model)


def cases(folder: Path, longer: float) -> list[tuple[str, str, list[str]]]:
    """Name, model file, options."""
    found = []
    for path in sorted((ROOT / "examples").glob("*.yaml")):
        text = path.read_text()
        one = "type: dynamic" in text and "- {type:" not in text  # stages are short as they are
        found.append((path.stem, str(path), SHORT if one else []))
    net = str(ROOT / "examples/net.yaml")
    small = [*SHORT, "bodies.net.mesh.cells=[12, 12]"]
    found.append(("net, constraints", net, [*small, "bodies.net.connect=constraints", "treatment=lagrange"]))
    for treatment in ("eliminate", "lagrange", "augmented"):
        path = folder / f"four_bar_{treatment}.yaml"
        path.write_text(linkage(treatment, longer))
        found.append((f"four-bar, {treatment}", str(path), []))
        found.append((f"slider-crank, {treatment}", str(ROOT / "examples/slider_crank.yaml"),
                      [*SHORT, f"treatment={treatment}"]))  # fmt: skip
    for case in ("beam", "shell", "hexa"):
        path = folder / f"{case}.yaml"
        path.write_text(pendulum(case, longer))
        found.append((f"{case} pendulum", str(path), []))
    return found


def run(program: str, model: str, options: list[str], out: Path) -> float:
    command = [program, "run", model, "-o", str(out), "--force", "--threads", "1", "--quiet"]
    for option in options:
        command += ["--set", option]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def numbers(path: Path) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}

    def keep(name: str, item) -> None:
        wanted = isinstance(item, h5py.Dataset) and item.dtype.kind == "f"
        if wanted and "checksum" not in name and "residual" not in name and "second" not in name and not name.startswith("checkpoint"):
            found[name] = item[()]

    with h5py.File(path, "r") as file:
        file.visititems(keep)
        if isinstance(file["bodies"], h5py.Dataset):  # from format 5 on arrays are of all bodies; before, of each
            by_body(file["bodies"][()], found)
    return found


def by_body(bodies: np.ndarray, found: dict[str, np.ndarray]) -> None:
    for name in [name for name in found if name.startswith(("fields/", "mesh/"))]:
        field = name.split("/")[1]
        data = found.pop(name)
        for b in bodies:
            count, of_nodes = b["nodes"] * b["vectors"], (b["nodes"], b["vectors"], 3)
            if field == "reference":
                part = data[b["first_vector"] :][:count].reshape(of_nodes)
            elif field == "size":
                part = data[b["first_element"] :][: b["elements"]]
            elif field in ("coordinates", "velocities"):
                part = data[:, b["first_vector"] :][:, :count].reshape(-1, *of_nodes)
            elif field == "von_mises" and b["first_stress"] < 0:
                continue
            else:
                part = data[:, b["first_stress" if field == "von_mises" else "first_node"] :][:, : b["nodes"]]
            found[f"bodies/{b['name'].decode()}/{field}"] = part


def differences(old: Path, new: Path) -> str:
    a, b = numbers(old), numbers(new)
    worst, where = 0.0, ""
    for name in a.keys() & b.keys():
        if a[name].shape != b[name].shape:
            return f"{name}: {a[name].shape} became {b[name].shape}"
        if a[name].tobytes() == b[name].tobytes():
            continue
        off = np.nanmax(np.abs(a[name] - b[name])) / max(np.nanmax(np.abs(a[name])), 1e-300)
        worst, where = max((worst, where), (float(off), name))
    return f"{where} off by {worst:.1e}" if where else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", default="")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--longer", type=float, default=1)
    options = parser.parse_args()
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, model, settings in cases(folder, options.longer):
            if options.only not in case:
                continue
            files = folder / "old.h5", folder / "new.h5"
            times = [[], []]
            for _ in range(options.repeat):
                for k, program in enumerate((options.old, options.new)):
                    times[k].append(run(program, model, settings, files[k]))
            told = differences(*files)
            different += bool(told)
            print(f"{case:28} {'same bits' if not told else told:48} {min(times[1]) / min(times[0]):6.3f} of {min(times[0]):.3f} s",
                  flush=True)  # fmt: skip
    print(f"{different} different" if different else "all the same, bit by bit")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
