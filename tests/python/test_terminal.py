"""The progress of a run on a terminal (a pseudo-terminal with a known width) and elsewhere."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time

import pytest

MODEL = "pendulum.yaml"


def run_on_terminal(lithe, examples, columns, later=None, until=None, arguments=(), **environment):
    """What the program writes to a terminal of that width; `later` is its width once it has drawn its progress. With
    `until`, a long run is interrupted once that is true of what was written."""
    leader, follower = pty.openpty()

    def resize(width):
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))

    resize(columns)
    command = [str(lithe.program), "run", str(examples / MODEL), "-o", str(lithe.folder / "out.h5"), *arguments]
    process = subprocess.Popen(command, stderr=follower, stdout=subprocess.DEVNULL,
                               env={**os.environ, "TERM": "xterm", **environment})  # fmt: skip
    written = b""
    os.set_blocking(leader, False)
    end = time.monotonic() + 100
    while process.poll() is None:
        if until and (until(written.decode(errors="replace")) or time.monotonic() > end):
            process.send_signal(signal.SIGINT)
            process.wait()
            break
        if later and b"%" in written:
            resize(later)
            later = None
        try:
            written += os.read(leader, 1 << 16)
        except BlockingIOError:
            time.sleep(0.01)
    try:
        while True:
            written += os.read(leader, 1 << 16)
    except OSError:
        pass
    os.close(leader)
    os.close(follower)
    assert process.returncode == (1 if until else 0), written
    return written.decode()


def bars(text):
    """The lines that were drawn one over the other."""
    return [re.sub(r"\033\[\d*[A-Z]", "", line) for line in text.split("\r") if "%" in line]


@pytest.mark.parametrize("columns", [5, 12, 20, 40, 80, 100, 200])
def test_the_line_fits_the_terminal(lithe, examples, columns):
    text = run_on_terminal(lithe, examples, columns)
    lines = [line for line in text.split("\r") if line]
    assert lines
    for line in lines:
        assert len(re.sub(r"\033\[\d*[A-Z]", "", line).strip("\n")) < columns, (columns, line)
    if columns >= 12:
        assert all("%" in bar for bar in bars(text)) and bars(text)
    if columns >= 40:
        assert "t = " in text
    if columns >= 100:
        assert "steps/s" in text or len(bars(text)) == 1
    assert text.count("\n") <= 1  # it never scrolls


def test_the_terminal_is_made_narrower(lithe, examples):
    def widths(text):
        return [len(line) for line in bars(text)]

    text = run_on_terminal(lithe, examples, 100, later=20, until=lambda text: any(w < 20 for w in widths(text)[:-1]),
                           arguments=["--set", "analysis.duration=1e4"])  # fmt: skip
    wide = [width > 20 for width in widths(text)[:-1]]
    assert wide[0] and not wide[-1] and wide == sorted(wide, reverse=True)
    # The long line lies over several rows of the narrow terminal: all of them are cleared.
    assert re.search(r"\r\033\[\dA\033\[J", text)


def test_time_left_is_shown_once_it_is_known(lithe, examples):
    text = run_on_terminal(lithe, examples, 160, arguments=["--set", "analysis.duration=120"])
    shown = ["left" in bar for bar in bars(text)]
    assert not shown[0] and True in shown, bars(text)[:5]
    assert all(shown[shown.index(True):-1])  # and from then on


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}])
def test_a_terminal_that_cannot_move_its_cursor(lithe, examples, environment):
    text = run_on_terminal(lithe, examples, 80, **environment)
    assert "\033" not in text and "t = " in text


def test_no_control_characters_elsewhere(lithe, examples):
    done = lithe("run", examples / MODEL, env={**os.environ, "TERM": "xterm"})
    assert done.returncode == 0 and "t = " in done.stderr
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stderr + done.stdout)


def test_quiet_draws_nothing(lithe, examples):
    assert run_on_terminal(lithe, examples, 80, arguments=["-q"]) == ""
