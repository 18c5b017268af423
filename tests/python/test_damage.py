"""Damaged files: whatever bit flips in a checkpoint or a result, wherever they are cut, reading and resuming end soon,
with an error or with the bits of the undamaged run. LITHE_LONG=1 tries 500 flips and 200 cuts, otherwise 60 and 30."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np
import pytest

import lithe

from conftest import PROGRAM
from test_dynamic_runs import assert_same_bytes, pendulum

LONG = bool(os.environ.get("LITHE_LONG"))
FLIPS, CUTS = (500, 200) if LONG else (60, 30)
FILES = ["out.h5", "out.checkpoint.h5"]


def every_array(path):
    """Everything that a result holds, through the package."""
    result = lithe.read(path)
    found = {"model": result.model_yaml, "complete": result.complete, "name": result.name, "report": result.report}
    for name in ("time", "step_size", "iterations", "residual"):
        found[name] = getattr(result, name)
    for name in result.bodies:
        body = result.bodies[name]
        found |= {f"{name}/{k}": v for k, v in [
            ("element", body.element), ("connectivity", body.connectivity), ("size", body.size),
            ("reference", body.reference), ("coordinates", result.coordinates(name)),
            ("velocities", result.velocities(name)), ("von_mises", result.von_mises(name))]}  # fmt: skip
    for name in result.channels:
        found[f"channel {name}"] = result.channels[name]
        found[f"columns {name}"] = (result.channels.columns(name), result.channels.units(name))
    return found


def same(found, expected, rows_may_miss):
    """Equal bits; of a file that a killed run left the last rows may be missing."""
    if found.keys() != expected.keys():
        return False
    for name, value in found.items():
        other = expected[name]
        if not isinstance(value, np.ndarray):
            if value != other:
                return False
        else:
            if rows_may_miss and len(value) < len(other) and len(other) == len(expected["time"]):
                other = other[: len(value)]
            if value.shape != other.shape or value.tobytes() != other.tobytes():
                return False
    return True


@pytest.fixture(scope="module")
def victims(tmp_path_factory):
    """Two results with checkpoints: of a run that was stopped, and of one that was killed; and how they should end."""
    folder = tmp_path_factory.mktemp("victims")
    model = pendulum(duration=0.2, step=0.004, checkpoint_step=0.05)
    model.solve(output=folder / "out.h5", progress=lambda step: step["time"] < 0.13)
    script = (
        "import os, signal, sys, time; sys.path.insert(0, sys.argv[1]); from test_dynamic_runs import pendulum\n"
        "def die(step):\n"
        "    if abs(step['time'] - 0.12) < 1e-9: time.sleep(0.25)\n"
        "    if step['time'] > 0.13: os.kill(os.getpid(), signal.SIGKILL)\n"
        "pendulum(duration=0.2, step=0.004, checkpoint_step=0.05).solve(output=sys.argv[2], progress=die)\n"
    )
    (folder / "killed").mkdir()
    killed = subprocess.run([sys.executable, "-c", script, os.path.dirname(__file__), str(folder / "killed" / "out.h5")])
    assert killed.returncode == -signal.SIGKILL
    for kind in ("stopped", "killed"):
        place = folder / kind
        place.mkdir(exist_ok=True)
        if kind == "stopped":
            for name in ("out.h5", "out.checkpoint.h5", "out.xdmf"):
                shutil.move(folder / name, place / name)
        whole = folder / f"{kind}_whole"
        shutil.copytree(place, whole)
        done = subprocess.run([PROGRAM, "run", "--resume", "out.h5", "-q"], cwd=whole, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return folder


def damage(rng, path, cut):
    data = bytearray(path.read_bytes())
    if cut:
        at = rng.randrange(len(data))
        path.write_bytes(data[:at])
        return f"{path.name} cut to {at} of {len(data)} bytes"
    at, bit = rng.randrange(len(data)), rng.randrange(8)
    data[at] ^= 1 << bit
    path.write_bytes(data)
    return f"bit {bit} of byte {at} of {len(data)} in {path.name}"


def cases(victims, tmp_path, seed, files):
    """(folder, what was done to it, kind), one at a time."""
    rng = random.Random(seed)
    for number in range(FLIPS + CUTS):
        kind = rng.choice(["stopped", "killed"])
        shutil.rmtree(tmp_path / "try", ignore_errors=True)
        shutil.copytree(victims / kind, tmp_path / "try")
        what = damage(rng, tmp_path / "try" / rng.choice(files), cut=number >= FLIPS)
        yield tmp_path / "try", f"{kind}: {what}", kind


def test_damaged_files_are_never_resumed_to_other_numbers(victims, tmp_path):
    refused, slowest = 0, 0.0
    for folder, what, kind in cases(victims, tmp_path, 1, FILES):
        start = time.monotonic()
        done = subprocess.run([PROGRAM, "run", "--resume", "out.h5", "-q"], cwd=folder, capture_output=True, text=True,
                              timeout=60)  # fmt: skip
        slowest = max(slowest, time.monotonic() - start)
        assert done.returncode in (0, 1, 2), (what, done.returncode, done.stderr)
        if done.returncode == 0:
            assert_same_bytes(folder / "out.h5", victims / f"{kind}_whole" / "out.h5")
        else:
            assert "error: " in done.stderr and "out." in done.stderr and "unexpected" not in done.stderr, (what, done)
            refused += 1
    print(f"{refused} of {FLIPS + CUTS} refused, slowest {slowest:.2f} s")
    assert refused > (FLIPS + CUTS) // 4


# Reads one damaged file after the other in a process of its own; an alarm ends a read that hangs, whatever hangs.
READER = """
import pathlib, signal, sys
sys.path.insert(0, sys.argv[1])
import lithe
from test_damage import cases, every_array, same
victims, place = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
expected = {kind: every_array(victims / kind / "out.h5") for kind in ("stopped", "killed")}
refused = 0
for folder, what, kind in cases(victims, place, 2, ["out.h5"]):
    print(what, flush=True)
    signal.alarm(10)
    try:
        found = every_array(folder / "out.h5")
    except (lithe.InputError, lithe.RunError):
        refused += 1
        found = expected[kind]
    assert same(found, expected[kind], kind == "killed"), what
    try:
        text = lithe._lithe.describe_results(str(folder / "out.h5"))
    except (lithe.InputError, lithe.RunError):
        pass
    signal.alarm(0)
print("refused", refused)
"""


def test_damaged_results_are_never_read_as_other_numbers(victims, tmp_path):
    (tmp_path / "reader.py").write_text(READER)
    done = subprocess.run([sys.executable, str(tmp_path / "reader.py"), os.path.dirname(__file__), str(victims),
                           str(tmp_path)], capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stdout.splitlines()[-1:], done.stderr)
    print(done.stdout.splitlines()[-1])
    assert int(done.stdout.split()[-1]) > (FLIPS + CUTS) // 4


def test_truncated_files_end_soon(victims, tmp_path):
    """`lithe info` and --resume at every sixteenth of the file: HDF5 waited for a writer that never came."""
    slowest = 0.0
    for kind in ("stopped", "killed"):
        for k in range(16):
            shutil.rmtree(tmp_path / "try", ignore_errors=True)
            shutil.copytree(victims / kind, tmp_path / "try")
            out = tmp_path / "try" / "out.h5"
            os.truncate(out, out.stat().st_size * k // 16)
            for command in (["info", "out.h5"], ["run", "--resume", "out.h5", "-q"]):
                start = time.monotonic()
                done = subprocess.run([PROGRAM, *command], cwd=tmp_path / "try", capture_output=True, text=True, timeout=30)
                slowest = max(slowest, time.monotonic() - start)
                assert done.returncode == 2 and "out.h5" in done.stderr, (kind, k, command, done)
    assert slowest < 3, slowest  # one, where the machine has a core for us


def reseal(path):
    """After a change with h5py, which leaves the checksum behind: the line that lithe writes at the end."""
    data = path.read_bytes()
    mark = data.rfind(b"lithe xxh64 ")
    data = data if mark < 0 or mark < len(data) - 29 else data[:mark]
    path.write_bytes(data + b"lithe xxh64 %016x\n" % xxh64(data))


def xxh64(data, seed=0):
    """The definition again, in Python."""
    mask = (1 << 64) - 1
    p1, p2, p3, p4, p5 = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
                          2870177450012600261)  # fmt: skip

    def rotate(x, r):
        return ((x << r) | (x >> (64 - r))) & mask

    def mix(lane, word):
        return rotate((lane + word * p2) & mask, 31) * p1 & mask

    size, at = len(data), 0
    if size >= 32:
        lanes = [(seed + p1 + p2) & mask, (seed + p2) & mask, seed, (seed - p1) & mask]
        words = np.frombuffer(data[: size // 32 * 32], dtype="<u8").tolist()
        for k in range(0, len(words), 4):
            lanes = [mix(lane, word) for lane, word in zip(lanes, words[k : k + 4])]
        at = size // 32 * 32
        h = sum(rotate(lane, r) for lane, r in zip(lanes, (1, 7, 12, 18))) & mask
        for lane in lanes:
            h = ((h ^ mix(0, lane)) * p1 + p4) & mask
    else:
        h = (seed + p5) & mask
    h = (h + size) & mask
    while size - at >= 8:
        h = (rotate(h ^ mix(0, int.from_bytes(data[at : at + 8], "little")), 27) * p1 + p4) & mask
        at += 8
    if size - at >= 4:
        h = (rotate(h ^ (int.from_bytes(data[at : at + 4], "little") * p1 & mask), 23) * p2 + p3) & mask
        at += 4
    for byte in data[at:]:
        h = rotate(h ^ (byte * p5 & mask), 11) * p1 & mask
    h = (h ^ (h >> 33)) * p2 & mask
    h = (h ^ (h >> 29)) * p3 & mask
    return h ^ (h >> 32)


def test_documented_checksums(victims):
    """What docs/results.md says of them, with another implementation."""
    with h5py.File(victims / "stopped" / "out.h5") as file:
        sums = file["checksums"][()]
        names = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        for name in names:
            data = file[name]
            if "checksum_column" in data.attrs:
                column = data.attrs["checksum_column"]
                for row in (0, len(data) - 1):
                    entries = np.atleast_1d(data[row]).astype("<f8")
                    for piece in range(0, len(entries), 1024):
                        assert xxh64(entries[piece : piece + 1024].tobytes(), row) == sums[row, column + piece // 1024], name
            elif name in ("model", "report"):
                assert xxh64(data.asstr()[()].encode()) == data.attrs["xxh64"], name
            elif name != "checksums":
                assert data.fletcher32, name
                numbers = data[()] if name == "bodies" else data[()].astype("<f8")
                assert xxh64(numbers.tobytes()) == data.attrs["xxh64"], name
    data = (victims / "stopped" / "out.checkpoint.h5").read_bytes()
    assert data[-29:] == b"lithe xxh64 %016x\n" % xxh64(data[:-29])


def test_checkpoint_of_another_version_is_told(victims, tmp_path):
    for name in ("out.h5", "out.checkpoint.h5", "out.xdmf"):
        shutil.copy(victims / "stopped" / name, tmp_path / name)
    checkpoint = tmp_path / "out.checkpoint.h5"
    with h5py.File(checkpoint, "a") as file:
        file.attrs["lithe"] = np.bytes_("0.0.7")
    resume = [PROGRAM, "run", "--resume", "out.h5", "-q"]
    done = subprocess.run(resume, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and "out.checkpoint.h5' cannot be read" in done.stderr, done.stderr  # no seal any more
    reseal(checkpoint)
    done = subprocess.run(resume, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "was written by lithe 0.0.7" in done.stderr, done.stderr
