"""What the documents say works: every command, model, script and summary of README.md, CONTRIBUTING.md, docs/ and the
comments of examples/ is run, in a folder of its own with links to the project's. Commands are lines of indented or fenced
blocks, lines of comments that are indented by three, and `code` in sentences, that begin with one of the words in KINDS.

- `lithe run, check, list, info`, `python3 -m lithe...` and Python: run as they stand, except for SHORTER and INTERRUPTED.
- Studies and benches take long and run elsewhere in the tests: their options are looked up in the help.
- make, cmake, ctest, scripts: their targets, presets and files exist.
- YAML: a whole model runs; a part of one stands in an example, or its keys are right.
- A summary that is shown has the lines of the real one, and the same numbers in `model`.
"""

import ast
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import PROGRAM, SOURCE

DOCUMENTS = sorted([SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *SOURCE.glob("docs/**/*.md"),
                    *SOURCE.glob("examples/*.yaml")])
KINDS = ("lithe", "build/lithe", "build/lithe_bench", "python3", "make", "cmake", "ctest", "scripts/")
# What a sentence leaves open.
STANDS_FOR = {"MODEL.yaml": "examples/cantilever.yaml", "FILE": "examples/cantilever.yaml", "OUT.h5": "cantilever.h5",
              "OUT": "cantilever.h5", "PATTERN": "unit"}
# The same with less to do. A line that is not in the documents any more is an error.
SHORTER = {
    "lithe run net.yaml -o net.h5 --checkpoint-every 0.5":
        "lithe run net.yaml -o net.h5 --checkpoint-every 0.02 --set 'bodies.net.mesh.cells=[4, 4]' --set analysis.duration=2",
    "lithe run net.yaml -o net.h5 --trace net.csv":
        "lithe run net.yaml -o net.h5 --trace net.csv --set analysis.duration=0.01",
    "lithe run --resume net.h5 --set analysis.duration=20": "lithe run --resume net.h5 --set analysis.duration=2.05",
    'lithe.resume("net.h5", duration=20)': 'lithe.resume("net.h5", duration=2.1)',
    "build/lithe run examples/crank.yaml -o crank.h5":
        "build/lithe run examples/crank.yaml -o crank.h5 --set analysis.duration=0.05",
    "build/lithe run examples/net.yaml": "build/lithe run examples/net.yaml --set analysis.duration=0.01",
    "build/lithe run examples/net.yaml -o net.h5":
        "build/lithe run examples/net.yaml -o net.h5 --set analysis.duration=0.01",
    "build/lithe run examples/net.yaml --set 'bodies.net.mesh.cells=[80, 80]'":
        "build/lithe run examples/net.yaml --set 'bodies.net.mesh.cells=[80, 80]' --set analysis.duration=0.003",
    "build/lithe run examples/net.yaml --set bodies.net.connect=constraints --set treatment=lagrange":
        "build/lithe run examples/net.yaml --set bodies.net.connect=constraints --set treatment=lagrange "
        "--set analysis.duration=0.003",
}
# Stopped by Ctrl-C after the first checkpoint, for the command after it goes on where a stopped run stopped.
INTERRUPTED = {"build/lithe run examples/slider_crank.yaml -o out/slider_crank.h5 --checkpoint-every 0.1",
               "lithe run net.yaml -o net.h5 --checkpoint-every 0.5"}
seen = set()


# ---- what a document holds: (kind, text) in its order; kinds: command, python, yaml, summary


def is_command(text):
    return any(text.split()[:1] == [kind] or (kind.endswith("/") and text.startswith(kind)) for kind in KINDS)


def commands(lines):
    """Commands among the lines of a block; open quotes and lines that begin with an option go on from the line before."""
    found, at = [], 0
    while at < len(lines):
        text, at = lines[at].strip(), at + 1
        if not is_command(text):
            continue
        while at < len(lines) and (lines[at].strip().startswith(("[-", "--")) or text.count("'") % 2):
            text, at = text + " " + lines[at].strip(), at + 1
        found.append(("command", text))
    return found


def of_block(lines):
    if re.match(r"\s*\S.*: (done|failed)\b", lines[0]):
        return [("summary", "\n".join(lines))]
    return commands(lines)


def of_markdown(text):
    found, block, fence, kind = [], [], None, ""
    for line in [*text.splitlines(), ""]:
        if fence is not None:
            if line.startswith("```"):
                found += of_block(fence) if kind in ("", "sh", "bash", "console") and fence else []
                found += [(kind, "\n".join(fence))] if kind in ("python", "yaml") else []
                fence = None
            else:
                fence.append(line)
            continue
        if line.startswith("```"):
            fence, kind = [], line[3:].strip()
            continue
        if line.startswith("    "):
            block.append(line[4:])
            continue
        found += of_block(block) if block else []
        block = []
        for code in re.findall(r"`([^`]+)`", line):
            if re.fullmatch(r"lithe\.\w+\(.*\)", code):
                found.append(("python", code))
            elif len(code.split()) > 1 and is_command(code):
                found.append(("command", code))
    return found


def of_example(text):
    comments = [line[1:] for line in text.splitlines() if line.startswith("#")]
    return commands([line for line in comments if line.startswith("   ")])


def contents(document):
    text = document.read_text()
    return of_markdown(text) if document.suffix == ".md" else of_example(text)


# ---- running it


class Workshop:
    """A folder that looks like the project's root to a reader who types what a document says."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("examples", "studies", "docs", "scripts"):
            (folder / name).symlink_to(SOURCE / name)
        (folder / "out").mkdir()
        (folder / "build").symlink_to(PROGRAM.parent)
        for example in SOURCE.glob("examples/*.yaml"):
            shutil.copy(example, folder)
        self.environment = os.environ | {"PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "MPLBACKEND": "Agg"}
        self.script = ""  # Python so far
        self.run(["lithe", "run", "examples/cantilever.yaml", "-o", "cantilever.h5"])

    def run(self, words):
        if words[0] == "python3":
            words = [sys.executable, *words[1:]]
        done = subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
        return done.stdout

    def interrupt(self, words):
        checkpoint = self.folder / words[words.index("-o") + 1].replace(".h5", ".checkpoint.h5")
        process = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while not checkpoint.exists() and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (0, 1) and checkpoint.exists()

    def options_exist(self, words, command):
        """A study, a bench or a command without its file: every option that is named stands in its help."""
        last = max(i for i, word in enumerate(words) if not word.startswith(("-", "[")) and i < 3)
        help_text = self.run([*words[:last + 1], "--help"])
        options = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", command))
        assert all(re.search(rf"{option}\b", help_text) for option in options), f"{command}: {options}\n{help_text}"


def exists(command):
    """make, cmake, ctest, scripts: what they name."""
    for part in command.split("&&"):
        words = shlex.split(part)
        if words[0] == "make":
            targets = re.findall(r"^([a-z]+):", (SOURCE / "Makefile").read_text(), re.M)
            assert all(word in targets for word in words[1:] if "=" not in word), command
        elif words[0].startswith("scripts/"):
            script = SOURCE / words[0]
            assert script.exists() and all(re.search(rf"\b{word}\b", script.read_text()) for word in words[1:]), command
        else:
            presets = [preset["name"] for preset in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]]
            for option, value in zip(words, words[1:]):
                assert option != "--preset" or value in presets, command
                assert option != "--target" or value in (SOURCE / "CMakeLists.txt").read_text(), command


def do_command(command, workshop):
    command = re.sub(r"\s+#.*", "", command)
    seen.add(command)
    words = [STANDS_FOR.get(word, word) for word in shlex.split(SHORTER.get(command, command))]
    if words[0] in ("make", "cmake", "ctest") or words[0].startswith("scripts/"):
        exists(command)
    elif words[0].endswith("_bench"):
        pass  # Google Benchmark's own options
    elif words[1] == "bench" or words[1].startswith("studies/") or all(w.startswith("-") for w in words[2:]):
        workshop.options_exist(words, command)
    elif command in INTERRUPTED:
        workshop.interrupt(words)
    else:
        workshop.run(words)


def do_python(text, workshop):
    seen.add(text)
    script = SHORTER.get(text, text)
    if "\n" not in script and ({node.id for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Name)} != {"lithe"}
                               or "..." in script):
        script = script.split("(")[0]  # a call with something left open: what it calls is there
    if "\n" in script:  # blocks of a document go on from one another
        workshop.script += script + "\n"
        script = workshop.script
    workshop.run(["python3", "-c", script if "import lithe" in script else f"import lithe\n{script}"])


def do_yaml(text, workshop):
    if "bodies:" in text:
        (workshop.folder / "shown.yaml").write_text(text)
        workshop.run(["lithe", "run", "shown.yaml"])
        return
    plain = [line.split(" #")[0].strip() for line in text.splitlines()]
    for example in SOURCE.glob("examples/*.yaml"):
        lines = [line.split(" #")[0].strip() for line in example.read_text().splitlines()]
        if all(line in lines for line in plain):
            return
    (workshop.folder / "part.yaml").write_text(text)
    said = subprocess.run([str(PROGRAM), "check", "part.yaml"], cwd=workshop.folder, text=True, capture_output=True).stderr
    for wrong in ("is not a key here", "type '", "is expected", "must be", "given twice"):
        assert wrong not in said, f"{text}\n{said}"


def labels(summary):
    """First words of the lines, less the channels, which a shown summary may leave out."""
    words = []
    for line in summary.splitlines():
        if line.strip().startswith(("channels", "result")):
            break
        words += line.split()[:2] if line.startswith("  time ") else line.split()[:1]
    return words


def do_summary(shown, workshop):
    """The command stands in the sentence after it."""
    name = shown.split(":")[0].strip()
    real = workshop.run(["lithe", "run", f"examples/{name}.yaml", "-o", "shown.h5", "--threads", "1"])
    assert labels(shown) == labels(real), f"shown:\n{shown}\nnow:\n{real}"
    model = [line for line in shown.splitlines() if line.strip().startswith("model")]
    assert model and all(line in real for line in model), f"shown:\n{shown}\nnow:\n{real}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_does_what_it_says(document, tmp_path):
    found = contents(document)
    if not found:
        return
    workshop = Workshop(tmp_path)
    for kind, text in found:
        {"command": do_command, "python": do_python, "yaml": do_yaml, "summary": do_summary}[kind](text, workshop)


def test_everything_was_found():
    """The reader of documents itself: at least what stood in them when it was written."""
    kinds = [kind for document in DOCUMENTS for kind, _ in contents(document)]
    assert kinds.count("command") >= 60 and kinds.count("python") >= 2 and kinds.count("yaml") >= 2 and "summary" in kinds
    if len(seen) > 40:  # the whole file ran
        stale = (set(SHORTER) | INTERRUPTED) - seen
        assert not stale, stale


def test_links_and_paths_exist():
    folders = "apps|backends|bench|cmake|docs|examples|python|scripts|src|studies|tests"
    for document in DOCUMENTS:
        text = document.read_text()
        for link in re.findall(r"\]\(([^)#]+)\)", text) if document.suffix == ".md" else []:
            assert "://" in link or (document.parent / link).exists(), f"{document}: {link}"
        for path in re.findall(rf"`((?:{folders})/[\w./]*)`", text):
            assert "NAME" in path or list(SOURCE.glob(f"{path.rstrip('/')}*")), f"{document}: {path}"
