import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("LITHE_SOURCE", Path(__file__).resolve().parents[2]))
PROGRAM = Path(os.environ.get("LITHE", SOURCE / "build" / "lithe")).resolve()
SANITIZED = bool(os.environ.get("LITHE_SANITIZE"))  # memory and time are then those of the sanitizer
measures_memory = pytest.mark.skipif(SANITIZED, reason="the sanitizer reserves memory of its own")


@pytest.fixture
def lithe(tmp_path):
    """Runs the program in a folder of its own: lithe("run", "model.yaml") -> CompletedProcess with text."""
    if not PROGRAM.exists():
        pytest.fail(f"{PROGRAM} is not built")

    def run(*arguments, **options):
        return subprocess.run(
            [str(PROGRAM), *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, timeout=120, **options
        )

    run.folder = tmp_path
    run.program = PROGRAM
    return run


@pytest.fixture
def examples():
    return SOURCE / "examples"
