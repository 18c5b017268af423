"""Nobody's file is lost: what runs refuse to write over, one run per result, signals, memory, closed streams."""

import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import time

import pytest

import lithe

from conftest import PROGRAM, measures_memory
from test_dynamic_runs import arrays, assert_same_bytes, pendulum


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model.yaml").write_text(pendulum(duration=0.02).to_yaml())
    (tmp_path / "notes.txt").write_text("mine\n")
    return tmp_path


def run(folder, *arguments, **options):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120,
                          **options)  # fmt: skip


def contents(folder):
    """What lies in a folder: names, kinds, bytes of regular files."""
    return {p.name: (stat.S_IFMT(p.lstat().st_mode), p.read_bytes() if stat.S_ISREG(p.lstat().st_mode) else b"")
            for p in folder.iterdir()}  # fmt: skip


def foreign(folder):
    """Files of others in every place that a run might write to."""
    os.mkfifo(folder / "pipe")
    os.symlink("pipe", folder / "link")
    (folder / "folder").mkdir()
    os.link(folder / "model.yaml", folder / "model.h5")
    (folder / "a.xdmf").write_text('<?xml version="1.0"?>\n<Xdmf Version="3.0"><Domain/></Xdmf>\n')
    (folder / "b.checkpoint.h5").write_text("mine")
    (folder / "c.xdmf").write_text((folder / "model.yaml").read_text())
    (folder / "data.json").write_text('{"name": "mine"}\n')
    import h5py

    with h5py.File(folder / "measured.h5", "w") as file:
        file["time"] = [1.0]


@pytest.mark.parametrize("arguments,words", [
    ("-o notes.txt", "-o notes.txt: this file exists and is not a result of lithe"),
    ("-o measured.h5", "-o measured.h5: this file exists and is not a result of lithe"),
    ("-o model.yaml", "the model itself"),
    ("-o model.h5", "the model itself"),
    ("", "-o model.h5: this is the model itself"),
    ("-o folder", "a folder"),
    ("-o pipe", "-o pipe: this is a pipe"),
    ("-o link", "this is a pipe"),
    ("-o a.h5", "the companion a.xdmf of -o a.h5: this file exists and is not an XDMF companion"),
    ("-o b.h5", "the checkpoint b.checkpoint.h5 of -o b.h5"),
    ("-o o.h5 --json model.yaml", "--json model.yaml: this is the model itself"),
    ("-o o.h5 --json o.h5", "--json o.h5: this is the same file as -o o.h5"),
    ("-o o.h5 --json ./folder/../o.h5", "is the same file as -o o.h5"),
    ("-o o.h5 --json o.xdmf", "is the same file as the companion o.xdmf of -o o.h5"),
    ("-o o.h5 --json notes.txt", "--json notes.txt: this file exists and is not a summary"),
    ("-o o.h5 --json data.json", "--json data.json: this file exists and is not a summary"),
    ("-o o.h5 --json pipe", "a pipe"),
    ("-o o.h5 --json nowhere/s.json", "No such file"),
])  # fmt: skip
def test_foreign_files_stay(folder, arguments, words):
    foreign(folder)
    before = contents(folder)
    done = run(folder, "run", "model.yaml", *arguments.split())
    assert done.returncode == 2 and words in done.stderr, done.stderr
    assert contents(folder) == before


def test_a_link_that_leads_nowhere_stays(folder):
    (folder / "link.h5").symlink_to("elsewhere/result.h5")
    done = run(folder, "run", "model.yaml", "-o", "link.h5")
    assert done.returncode == 2 and "a link to 'elsewhere/result.h5', which is not there" in done.stderr, done.stderr
    assert (folder / "link.h5").is_symlink()
    assert run(folder, "run", "model.yaml", "-o", "link.h5", "--force").returncode == 0


def test_empty_and_wrong_names_of_files(folder):
    for arguments in [("-o", ""), ("--json", "")]:
        done = run(folder, "run", "model.yaml", *arguments)
        assert done.returncode == 2 and "empty name" in done.stderr, done.stderr
    done = run(folder, "info", ".")
    assert done.returncode == 2 and "this is a folder; name a result in it" in done.stderr, done.stderr
    done = run(folder, "info", "a" * 300)
    assert done.returncode == 2 and "too long" in done.stderr, done.stderr


def test_model_named_like_the_companion(folder):
    foreign(folder)
    before = contents(folder)
    done = run(folder, "run", "c.xdmf", "-o", "c.h5")
    assert done.returncode == 2 and "the companion c.xdmf of -o c.h5: this is the model itself" in done.stderr
    done = run(folder, "run", "c.xdmf", "-o", "c.h5", "--force")  # not even then
    assert done.returncode == 2 and contents(folder) == before


def test_force_replaces_regular_files_alone(folder):
    foreign(folder)
    for out in ["notes.txt", "measured.h5", "a.h5", "b.h5"]:
        done = run(folder, "run", "model.yaml", "-o", out, "--json", "data.json", "--force", "-q")
        assert done.returncode == 0, done.stderr
        assert lithe.read(folder / out).complete
    assert json.loads((folder / "data.json").read_text())["ok"]
    for out in ["pipe", "link", "folder", "model.yaml", "model.h5"]:
        assert run(folder, "run", "model.yaml", "-o", out, "--force").returncode == 2
    assert stat.S_ISFIFO((folder / "pipe").stat().st_mode)


def test_device_stays_a_device(folder):
    try:
        os.mknod(folder / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError:
        pytest.skip("no right to make a device")
    for arguments in (["-o", "null"], ["-o", "null", "--force"], ["-o", "o.h5", "--json", "null"]):
        done = run(folder, "run", "model.yaml", *arguments)
        assert done.returncode == 2 and "a device" in done.stderr, done.stderr
    assert stat.S_ISCHR((folder / "null").stat().st_mode)


def test_own_files_are_replaced(folder):
    (folder / "empty.h5").touch()
    for _ in range(2):
        done = run(folder, "run", "model.yaml", "-o", "empty.h5", "--json", "s.json", "--checkpoint-every", "0.01")
        assert done.returncode == 0, done.stderr
    assert sorted(p.name for p in folder.iterdir()) == [
        "empty.checkpoint.h5", "empty.h5", "empty.xdmf", "model.yaml", "notes.txt", "s.json"]  # fmt: skip


def test_python_refuses_what_the_program_refuses(folder):
    foreign(folder)
    before = contents(folder)
    for name, words in [("notes.txt", "output=.*not a result of lithe.*force=True"), ("pipe", "a pipe"),
                        ("measured.h5", "not a result"), ("a.h5", "not an XDMF companion")]:  # fmt: skip
        with pytest.raises(lithe.InputError, match=words):
            pendulum(duration=0.02).solve(output=folder / name)
    assert contents(folder) == before
    assert pendulum(duration=0.02).solve(output=folder / "notes.txt", force=True).complete


def test_pictures_replace_pictures_alone(folder):
    result = pendulum(duration=0.02).solve(output=folder / "o.h5")
    with pytest.raises(lithe.InputError, match="not a picture of lithe"):
        result.plot(folder / "notes.txt")
    with pytest.raises(lithe.InputError, match="itself"):
        result.plot(folder / "o.h5", force=True)
    for kind in ["png", "pdf", "svg"]:
        for _ in range(2):
            result.plot(folder / f"picture.{kind}")
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    command = [sys.executable, "-m", "lithe.plot", str(folder / "o.h5"), "-o", str(folder / "photo.png")]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and "--force" in refused.stderr
    assert subprocess.run([*command, "--force"], capture_output=True).returncode == 0
    assert len((folder / "photo.png").read_bytes()) > 1000


def test_bench_and_repair_touch_their_own_files_alone(folder):
    foreign(folder)
    before = contents(folder)
    for arguments in (["bench", "memory", "--elements", "10", "--json", "data.json"], ["info", "--repair", "notes.txt"],
                      ["info", "--repair", "measured.h5"]):  # fmt: skip
        done = run(folder, *arguments)
        assert done.returncode == 2 and "not a re" in done.stderr, done.stderr
    assert contents(folder) == before
    for _ in range(2):
        assert run(folder, "bench", "memory", "--elements", "10", "--json", "figures.json").returncode == 0


# ---- one run at a time ----


@pytest.fixture
def long_run(folder):
    (folder / "long.yaml").write_text(pendulum(duration=1000, checkpoint_step=0.01, output_step=0.01).to_yaml())
    process = subprocess.Popen([PROGRAM, "run", "long.yaml", "-o", "o.h5", "-q"], cwd=folder)
    end = time.monotonic() + 60
    while not (folder / "o.checkpoint.h5").exists() and time.monotonic() < end:
        time.sleep(0.02)
    yield folder, process
    process.kill()
    process.wait()


def test_second_run_is_refused_with_the_first_ones_process(long_run):
    folder, process = long_run
    words = f"o.h5' are being written by process {process.pid}"
    for arguments in (["run", "model.yaml", "-o", "o.h5"], ["run", "--resume", "o.h5"], ["info", "--repair", "o.h5"],
                      ["run", "model.yaml", "-o", "./o.h5", "--force"]):  # fmt: skip
        done = run(folder, *arguments)
        assert done.returncode == 2 and words in done.stderr, done.stderr
    with pytest.raises(lithe.InputError, match=str(process.pid)):
        pendulum(duration=0.02).solve(output=folder / "o.h5")
    other = run(folder, "run", "model.yaml", "-o", "o.hdf5")  # its companion and checkpoint have the same names
    assert other.returncode == 2 and str(process.pid) in other.stderr
    assert run(folder, "info", "o.h5").returncode == 0  # reading is free
    process.kill()
    process.wait()
    assert run(folder, "run", "model.yaml", "-o", "o.h5", "-q").returncode == 0  # a lock of the dead binds nobody
    assert lithe.read(folder / "o.h5").complete
    drafts = [p.name for p in folder.iterdir() if p.name.startswith(".")]  # the kill may have met a checkpoint
    assert set(drafts) <= {".o.checkpoint.h5.lithe-part"}


def test_two_runs_in_one_process(folder):
    seen = []

    def second(step):
        if not seen:
            with pytest.raises(lithe.InputError, match=f"process {os.getpid()}") as error:
                pendulum(duration=0.02).solve(output=folder / "o.h5")
            seen.append(error)

    assert pendulum(duration=0.02).solve(output=folder / "o.h5", progress=second).complete and seen
    assert pendulum(duration=0.02).solve(output=folder / "o.h5").complete


# ---- a run that is complete, a checkpoint of another lithe ----


def test_resume_of_a_complete_run_says_so(folder):
    assert run(folder, "run", "model.yaml", "-o", "o.h5", "-q", "--checkpoint-every", "0.005").returncode == 0
    before = contents(folder)
    done = run(folder, "run", "--resume", "o.h5", "--json", "-")
    assert done.returncode == 0 and "are complete: they have reached t = 0.02 s of 0.02 s" in done.stderr, done.stderr
    assert "--set analysis.duration=0.04" in done.stderr and json.loads(done.stdout)["ok"]
    assert contents(folder) == before
    (folder / "o.checkpoint.h5").unlink()  # nor does it need its checkpoint for that
    assert run(folder, "run", "--resume", "o.h5").returncode == 0
    longer = run(folder, "run", "--resume", "o.h5", "--set", "analysis.duration=0.04")
    assert longer.returncode == 2 and "no checkpoint" in longer.stderr
    shorter = run(folder, "run", "--resume", "o.h5", "--set", "analysis.duration=0.01")
    assert shorter.returncode == 2 and "reached t = 0.02 s of 0.01 s" in shorter.stderr
    assert run(folder, "run", "--resume", "notes.txt").returncode == 2


# ---- signals ----


def slow_output(folder):
    """Each step takes many seconds in an output, and is answered nevertheless."""
    model = pendulum(duration=0.02)
    model.bodies["rod"].mesh.elements = 400
    model.bodies["rod"].formulation = "continuum"  # a cube of samples an element
    model.outputs["stress"] = lithe.MaxVonMisesOutput(body="rod", samples=64)
    (folder / "slow.yaml").write_text(model.to_yaml())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_in_the_middle_of_a_step(folder, number):
    slow_output(folder)
    process = subprocess.Popen([PROGRAM, "run", "slow.yaml", "-o", "o.h5", "--json", "s.json"], cwd=folder,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    end = time.monotonic() + 60
    while not (folder / "o.h5").exists() and time.monotonic() < end:
        time.sleep(0.02)
    start = time.monotonic()
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    seconds = time.monotonic() - start
    assert process.returncode == 1 and "error: stopped by " in error, error
    assert seconds < 3, seconds  # one, where the machine has a core for us
    assert json.loads((folder / "s.json").read_text())["reason"] == "stopped"
    assert lithe.read(folder / "o.h5").complete is False


def test_interrupt_of_python_in_the_middle_of_a_step(folder):
    slow_output(folder)
    script = "import lithe; print('go', flush=True); lithe.load('slow.yaml').solve(output='o.h5')"
    process = subprocess.Popen([sys.executable, "-c", script], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    process.stdout.readline()
    end = time.monotonic() + 60
    while not (folder / "o.h5").exists() and time.monotonic() < end:
        time.sleep(0.02)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in error and time.monotonic() - start < 3, error


def test_samples_are_bounded(folder):
    model = pendulum(duration=0.02)
    with pytest.raises(lithe.InputError, match="100000, but it must be from 1 to 64"):
        model.outputs["stress"] = lithe.MaxVonMisesOutput(body="rod", samples=100000)
    with pytest.raises(lithe.InputError, match="from 1 to 64"):
        lithe.System(model).max_von_mises("rod", samples=10**5)


# ---- memory ----


def heavy(elements):
    model = pendulum(duration=0.02)
    model.constraints.clear()
    model.bodies["rod"] = lithe.Body(element="hexa3843", material="rubber",
                                     mesh=lithe.BlockMesh(length=(1, 0, 0), width=(0, 1, 0), height=(0, 0, 1),
                                                          elements=(elements,) * 3))  # fmt: skip
    del model.loads["push"]
    model.outputs.clear()
    return model


def test_memory_is_planned(folder):
    done = run(folder, "check", "model.yaml")
    assert done.returncode == 0 and "memory: about " in done.stdout, done.stdout
    for word in ["model ", "work ", "matrix ", "factors ", "available", "result file about "]:
        assert word in done.stdout


def test_a_run_that_ends_inside_a_factorisation_leaves_no_lock(folder):
    model = heavy(10)
    model.analysis.solver = "klu"  # no hurry
    (folder / "slow.yaml").write_text(model.to_yaml())
    process = subprocess.Popen([PROGRAM, "run", "slow.yaml", "-o", "o.h5"], cwd=folder,
                               stderr=subprocess.PIPE, text=True)  # fmt: skip
    end = time.monotonic() + 60
    while not (folder / "o.h5").exists() and time.monotonic() < end:
        time.sleep(0.02)
    assert (folder / ".o.lithe-lock").exists()
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1 and "in the middle of a step, or before the first" in error, error
    assert not (folder / ".o.lithe-lock").exists()


def test_run_that_does_not_fit_is_refused(folder):
    (folder / "heavy.yaml").write_text(heavy(300).to_yaml())
    for command in (["run", "heavy.yaml", "-o", "o.h5"], ["check", "heavy.yaml"]):
        start = time.monotonic()
        done = run(folder, *command)
        assert done.returncode == 2 and "2.7e+07 elements" in done.stderr and "--force" in done.stderr, done.stderr
        assert "GiB are left" in done.stderr and time.monotonic() - start < 10
    with pytest.raises(lithe.InputError, match="force=True"):
        heavy(300).solve()
    assert not (folder / "o.h5").exists()


@measures_memory
def test_factors_that_do_not_fit_are_refused(folder):
    (folder / "heavy.yaml").write_text(heavy(9).to_yaml())
    limited = f"ulimit -v 400000; exec {PROGRAM} run heavy.yaml -o o.h5 -q --threads 1"
    done = subprocess.run(["sh", "-c", limited], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and "factors" in done.stderr and "ulimit -v" in done.stderr, done.stderr


def test_results_that_do_not_fit_on_the_disk_are_refused(folder):
    (folder / "model.yaml").write_text(pendulum(duration=1, step=1e-3, output_step=1e-13).to_yaml())
    for command in (["run", "model.yaml", "-o", "o.h5"], ["check", "model.yaml"]):
        done = run(folder, *command)
        assert done.returncode == 2 and "output_step" in done.stderr and "--force" in done.stderr, done.stderr
    with pytest.raises(lithe.InputError, match="on the disk of .* force=True"):
        pendulum(duration=1, step=1e-3, output_step=1e-13).solve(output=folder / "o.h5")
    assert not (folder / "o.h5").exists()


@measures_memory
@pytest.mark.parametrize("kilobytes", [90000, 100000, 120000, 160000, 240000])
def test_ends_where_libraries_are_short_of_memory(folder, kilobytes):
    """A thread of OpenBLAS that waits for its buffer keeps nobody from ending."""
    limited = f"ulimit -v {kilobytes}; exec {PROGRAM} run model.yaml -o o.h5 -q"
    done = subprocess.run(["sh", "-c", limited], cwd=folder, capture_output=True, text=True, timeout=60)
    # 127 and -2: the libraries could not be loaded, or OpenBLAS gave up while they were.
    assert done.returncode in (0, 1, 2, 127, -2), done.stderr


# ---- streams ----


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", ">&- 2>&-", "2>&-", ">&-", "<&-"])
def test_closed_standard_streams(folder, closed):
    expected = pendulum(duration=0.02).solve(output=folder / "expected.h5")
    command = f"exec {PROGRAM} run model.yaml -o o.h5 {closed}"
    assert subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.DEVNULL).returncode == 0
    assert_same_bytes(folder / "o.h5", folder / "expected.h5")
    wrong = f"exec {PROGRAM} run none.yaml {closed}"
    assert subprocess.run(["sh", "-c", wrong], cwd=folder, capture_output=True).returncode == 2
    assert expected.complete


def test_full_standard_error_does_not_end_a_run(folder):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "run", "model.yaml", "-o", "o.h5"], cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=full)  # fmt: skip
    assert done.returncode == 0 and arrays(folder / "o.h5")


def test_python_with_closed_streams(folder):
    script = "import lithe; lithe.load('model.yaml').solve(output='o.h5')"
    command = f"exec {sys.executable} -c \"{script}\" <&- >&- 2>&-"
    environment = os.environ | {"PYTHONPATH": str(pathlib.Path(lithe.__file__).parent.parent)}
    assert subprocess.run(["sh", "-c", command], cwd=folder, env=environment).returncode == 0
    assert lithe.read(folder / "o.h5").complete
