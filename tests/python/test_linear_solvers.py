"""The door to linear systems from outside: solvers of statics by name, what a build has, and that MUMPS's replacement of
MPI is nobody else's."""

import json
import shutil
import subprocess

import pytest
from conftest import PROGRAM

OPTIONAL = {"mumps": "LITHE_WITH_MUMPS", "umfpack": "LITHE_WITH_UMFPACK", "superlu": "LITHE_WITH_SUPERLU"}


def listed(lithe):
    return {thing["name"] for thing in json.loads(lithe("list", "solvers", "--json").stdout)["solvers"]}


def test_statics_take_solvers_by_name(lithe, examples):
    tips = {}
    for name in ["auto", *sorted(listed(lithe))]:
        result = lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "--json", "summary.json", "--threads", 1,
                       "--set", f"analysis.solver={name}")  # fmt: skip
        assert result.returncode == 0, result.stderr
        summary = json.loads((lithe.folder / "summary.json").read_text())
        assert summary["solver"].startswith("cholmod" if name == "auto" else f"{name} (as asked"), summary["solver"]
        tips[name] = summary["channels"]["tip"]["final"]
    for name, tip in tips.items():
        assert tip == pytest.approx(tips["auto"], rel=1e-9, abs=1e-12), name


@pytest.mark.parametrize("setting, words", [
    ("analysis.solver=klx", ["analysis.solver", "'klx' is not known", "did you mean 'klu'?"]),
    ("analysis.ordering=metsi", ["analysis.ordering", "'metsi' is not known"]),
])  # fmt: skip
def test_statics_refuse_what_is_not_known(lithe, examples, setting, words):
    result = lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "--set", setting)
    assert result.returncode != 0
    for word in words:
        assert word in result.stderr, result.stderr


def test_what_a_build_lacks_is_told(lithe, examples):
    text, have = lithe("list", "solvers").stdout, listed(lithe)
    assert {"lapack_cholesky", "cholmod", "klu"} <= have
    for name, option in OPTIONAL.items():
        assert (f"this build has no '{name}'" in text) == (name not in have)
        if name in have:
            continue
        result = lithe("run", examples / "cantilever.yaml", "-o", "out.h5", "--set", f"analysis.solver={name}")
        assert result.returncode != 0 and f"-D{option}=ON" in result.stderr, result.stderr


@pytest.mark.skipif(not shutil.which("nm"), reason="no nm")
def test_no_symbol_of_mpi_in_the_program():
    programs = [PROGRAM, *PROGRAM.parent.glob("python/lithe/_lithe*.so")]
    for program in programs:
        symbols = subprocess.run(["nm", "-D", program], capture_output=True, text=True, check=True).stdout.split("\n")
        found = [line for line in symbols if line.split()[-1:] and line.split()[-1].lower().startswith("mpi_")]
        assert not found, (program, found)
        assert len(symbols) > 10
