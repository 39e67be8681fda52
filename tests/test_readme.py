"""What the README shows works: its Python runs, its commands and options exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^    ((?:othello|\./scripts/\w+).*)$", README, re.MULTILINE)


def arguments_of(line: str) -> list[str]:
    """The arguments of `othello` that a line of the README comes to; scripts are doors to it."""
    words = shlex.split(line, comments=True)
    return words[1:] if words[0] == "othello" else [words[0].rpartition("/")[2], *words[1:]]


def help_of(path: list[str]) -> str:
    command = [sys.executable, "-m", "othello", *path, "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout


@pytest.mark.parametrize("code", PYTHON, ids=range(len(PYTHON)))
def test_python_in_the_readme_runs(code: str) -> None:
    # As a module of another name, so that a script's last lines do not start serving.
    subprocess.run([sys.executable, "-c", f"__name__ = 'readme'\n{code}"], check=True, timeout=120)


def test_commands_in_the_readme_exist_with_their_options() -> None:
    assert len(COMMANDS) > 5
    wanted: dict[tuple[str, ...], set[str]] = {}
    for line in COMMANDS:
        arguments = arguments_of(line)
        if arguments[0] != "test":
            depth = 2 if arguments[0] in ("experiment", "bench") else 1
            options = {word.partition("=")[0] for word in arguments if word.startswith("--")}
            wanted.setdefault(tuple(arguments[:depth]), set()).update(options)
    for path, options in wanted.items():
        listed = set(re.findall(r"--[a-z-]+", help_of(list(path))))
        assert options <= listed, f"othello {' '.join(path)} has no {options - listed}"
