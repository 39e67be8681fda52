"""Child processes that are never left behind, such as one that is talked to in lines; and command lines."""

import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from othello_lab.game.launching import for_programs

PATIENCE = 0.5
"""Seconds that a program has to end by itself once its input has ended."""
MOST_LINES = 10_000
"""More than this many that nobody has asked for are a flood, and not read."""
_LONGEST_LINE = 4096
_Lines = queue.SimpleQueue[str | None]


class Program:
    """A running program. It is ended by `close`, and also when nobody refers to it any more or Python exits.

    Its pipes are read by threads, so that a program that writes much is never blocked.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
        read: Callable[[IO[bytes]], None] | None = None,
    ) -> None:
        """Start it, in this folder, with these environment variables besides our own; raises OSError.

        `read` reads what it writes, in a thread; without it nobody heeds that. It must not refer to this
        object.
        """
        self._process = subprocess.Popen(  # noqa: S603  no shell; the user named the program
            command,
            cwd=folder,
            env={**for_programs(), **(variables or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **away_from_terminal(),
        )
        self._complaints: deque[str] = deque(maxlen=5)
        read = read or partial(_drain, complaints=deque(maxlen=1))
        self._reader = threading.Thread(target=read, args=(self._process.stdout,), daemon=True)
        drainer = threading.Thread(target=_drain, args=(self._process.stderr, self._complaints), daemon=True)
        # Not a method: the finalizer must not keep this object alive.
        self._end = weakref.finalize(self, _end, self._process, self._reader, drainer)
        self._reader.start()
        drainer.start()

    @property
    def has_ended(self) -> bool:
        """Whether it has closed its output, as a program does that ends."""
        return not self._reader.is_alive()

    def how_it_ended(self) -> str:
        """End a program that does no more; return how it ended, and the last line of its stderr."""
        self.close()
        how = self._how()
        return f"{how}: {self._complaints[-1]}" if self._complaints else how

    def close(self) -> None:
        """End the program and whatever it has started; calling it again does nothing."""
        self._end()

    def _how(self) -> str:
        status = self._process.returncode
        if sys.platform != "win32" and status == -signal.SIGKILL:
            return "closed its output or was killed"  # by us, if it went on without one
        return f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"


class LineProcess(Program):
    """A program that is talked to in lines. Its reader can wait with a deadline on every system."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """Start it, in this folder; raises OSError."""
        self._lines: _Lines = queue.SimpleQueue()
        self.flooded = threading.Event()
        """Set when it has written too much unasked: it is not read any more."""
        super().__init__(command, folder, read=partial(_read, lines=self._lines, flooded=self.flooded))

    def send(self, line: str) -> None:
        """Write a line; raises OSError when the program has gone."""
        assert self._process.stdin is not None  # noqa: S101  opened above
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def receive(self, deadline: float) -> str | None:
        """Return the next line without its end, None when there will be none any more.

        Raises TimeoutError when the clock `time.monotonic` reaches the deadline before.
        """
        try:
            return self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None

    def _how(self) -> str:
        if self.flooded.is_set():
            return f"wrote more than {MOST_LINES:,} lines that nobody had asked for"
        return super()._how()


def _read(stream: IO[bytes], lines: _Lines, flooded: threading.Event) -> None:
    with stream:
        while line := stream.readline(_LONGEST_LINE):
            if lines.qsize() >= MOST_LINES:
                flooded.set()
                break
            lines.put(line.decode("utf-8", "replace").rstrip())
    lines.put(None)


def _drain(stream: IO[bytes], complaints: deque[str]) -> None:
    with stream:
        while line := stream.readline(_LONGEST_LINE):
            if text := line.decode("utf-8", "replace").strip():
                complaints.append(text)


def _end(process: subprocess.Popen[bytes], reader: threading.Thread, drainer: threading.Thread) -> None:
    try:
        if process.stdin:
            with suppress(OSError):  # what could not be written before: the program has gone
                process.stdin.close()
        # A program that ends closes its output. It is not waited for: once that is done, its id may belong
        # to somebody else, whom the signal would hit.
        reader.join(PATIENCE)
    finally:
        _kill(process)
        process.wait()
    for thread in (reader, drainer):
        # Not for ever: a process that fled from its group may hold the pipe.
        thread.join(PATIENCE)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, and on POSIX its whole group: the program may be a script that started another."""
    if sys.platform != "win32":
        # All gone already; macOS says it the second way.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def away_from_terminal() -> dict[str, Any]:
    """Popen arguments that keep the terminal's Ctrl-C from a program: whoever started it ends it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def search_path() -> str:
    """Return PATH with this Python's folder first, so that `python` has our packages."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])


def command_words(text: str, folders: list[str], start: str = "") -> list[str]:
    """Split a command line, its program found in `folders`; raise ValueError if there is none.

    A program that is named by a path is looked for from the folder `start`.
    """
    posix = os.name == "posix"
    try:
        words = shlex.split(text, posix=posix)
    except ValueError as error:
        raise ValueError(f"{text!r} is no command line: {error}") from None
    if not posix:  # where a backslash is no escape, shlex also leaves the quotes
        words = [word.strip("\"'") for word in words]
    if not words:
        raise ValueError("an empty command line starts nothing: name a program")
    name = os.path.join(start, words[0]) if os.path.dirname(words[0]) else words[0]
    program = shutil.which(name, path=os.pathsep.join(folders))
    if program is None:
        raise ValueError(f"there is no program {words[0]!r}")
    return [program, *words[1:]]
