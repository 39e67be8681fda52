import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by POSIX signals")
SMALL = ["--size", "4", "--eval-every", "20", "--eval-games", "5", "--final-games", "0", "--seed", "5"]
PATIENCE = 150  # The longest wait in seconds. An idle machine needs ten seconds, and a test may take 300.
IN_CHILDREN = str(Path(__file__).parent / "in_children")


class Lab:
    """Starts our commands in a folder of its own, and ends all processes that are left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.started: list[subprocess.Popen[str]] = []

    def start(self, module: str, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
        return self.start_python("-m", _installed(module), *arguments, **variables)

    def start_python(self, *arguments: str, **variables: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, **variables, "PYTHONPATH": python_path(IN_CHILDREN)},
        )
        self.started.append(process)
        return process

    @staticmethod
    def finished(process: "subprocess.Popen[str]") -> tuple[int, str]:
        out, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, out

    def stop(self) -> None:
        for process in self.started:
            process.kill()
            process.communicate()

    def run_folder(self, name: str) -> Path:
        return self.folder / "runs" / name

    def episodes(self, name: str) -> bytes:
        path = self.run_folder(name) / "episodes.csv"
        return path.read_bytes() if path.exists() else b""

    def await_episodes(self, name: str, count: int) -> None:
        self.await_that(lambda: self.episodes(name).count(b"\n") > count)

    @staticmethod
    def await_that(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.02)


def python_path(*folders: str) -> str:
    """PYTHONPATH with these folders before those that are in it."""
    return os.pathsep.join(filter(None, [*folders, os.environ.get("PYTHONPATH")]))


def _installed(module: str) -> str:
    return module if module == "rlglue" else "othello_lab" if module == "othello" else f"othello_lab.{module}"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    command = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")
