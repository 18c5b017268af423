"""What the studies share: the package that `make build` made, checks, the JSON and the pictures they write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(os.environ.get("LITHE", ROOT / "build" / "lithe"))  # the package stands beside it
SYSTEM_PYTHON = "/usr/bin/python3"  # the interpreter the package is built for


def import_lithe():
    """The built package; under another interpreter the study starts again with the system's."""
    build = PROGRAM.parent / "python"
    if not (build / "lithe").exists():
        sys.exit(f"{build} is missing; run `make build` first")
    sys.path.insert(0, str(build))
    try:
        import lithe
    except ImportError as error:
        if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON) and os.path.exists(SYSTEM_PYTHON):
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
        sys.exit(f"the package in {build} cannot be loaded: {error}")
    return lithe


def add_files(parser, picture: bool = True) -> None:
    """--program, --json, --picture."""
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--json", metavar="FILE")
    if picture:
        parser.add_argument("--picture", metavar="FILE")


def read_options(parser):
    """The options, with a program that is there, wherever it is called from."""
    options = parser.parse_args()
    options.program = options.program.resolve()
    if not options.program.exists():
        parser.error(f"{options.program} is missing; run `make build` first")
    return options


def write_json(path: str | None, data) -> None:
    if path is None:
        return
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(data, indent=1) + "\n")


class Checks:
    """Quantities held against their limits; the study's exit code."""

    def __init__(self):
        self.rows: list[dict] = []

    def within(self, quantity: str, value: float, limit: float, expected: float = 0.0) -> None:
        """|value - expected| <= limit; not a number is outside."""
        wanted = f"at most {limit:.3g}" if expected == 0 else f"{expected:.6g} +- {limit:.3g}"
        self._add(quantity, value, wanted, abs(value - expected) <= limit)

    def at_least(self, quantity: str, value: float, limit: float) -> None:
        self._add(quantity, value, f"at least {limit:.3g}", value >= limit)

    def _add(self, quantity: str, value: float, wanted: str, ok) -> None:
        print(f"check  {quantity:58} {value:12.6g}   {wanted}{'' if ok else '   outside'}", flush=True)
        self.rows.append({"quantity": quantity, "value": float(value), "wanted": wanted, "ok": bool(ok)})

    def finish(self) -> int:
        outside = sum(not row["ok"] for row in self.rows)
        print(f"\n{len(self.rows)} checks, {outside} outside their tolerance")
        return 1 if outside else 0


def seconds_per_step(report: dict) -> float:
    """Wall time of a step without output."""
    return (report["seconds"]["total"] - report["seconds"]["output"]) / report["steps"]


def fma_peak() -> float | None:
    """GFLOP/s of vector FMA on one thread, measured now by `lithe bench elements`; None where that is not there."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.json"
        command = [PROGRAM, "bench", "elements", "--element", "beam3243", "--strategy", "batched", "--sizes", "8",
                   "--iterations", "1", "--seconds", "0.01", "--json", file]  # fmt: skip
        try:
            subprocess.run(command, check=True, capture_output=True)
            return json.loads(file.read_text())["machine"]["fma_peak_gflops"]
        except (OSError, subprocess.CalledProcessError, KeyError):
            return None


def figure(rows: int, columns: int, size: tuple[float, float]):
    """(figure, array of axes) of matplotlib, without a display."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    return plot.subplots(rows, columns, figsize=size, squeeze=False, constrained_layout=True)


def save(picture, path: str, dpi: int = 120) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(path, dpi=dpi)
    print(f"picture {path}")


def cable(lithe, elements: int, length: float, connect: str = "nodes"):
    """P1's round cable (radius 0.01 m, E 2e7, density 7200, no damping) along x from a pin, with its tip and energies."""
    model = lithe.Model(name="cable pendulum")
    model.materials["rubber"] = lithe.Isotropic(E=2e7, density=7200)
    model.sections["round"] = lithe.Circle(radius=0.01)
    mesh = lithe.LineMesh(from_=(0, 0, 0), to=(length, 0, 0), elements=elements)
    model.bodies["cable"] = lithe.Body(element="cable", material="rubber", section="round", mesh=mesh, connect=connect)
    model.constraints["pin"] = lithe.Fix(at="cable.start")
    model.loads["gravity"] = lithe.Gravity(acceleration=(0, -9.81, 0))
    model.outputs["tip"] = lithe.PositionOutput(at="cable.end")
    model.outputs["energy"] = lithe.EnergyOutput()
    return model


def energies(result) -> dict:
    """Columns of the channel `energy` by name."""
    return dict(zip(result.channels.columns("energy"), result.channels["energy"].T))
