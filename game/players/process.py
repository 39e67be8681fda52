"""Child processes with a line-based protocol on stdin and stdout. Every answer has a timeout."""

import os
import re
import select
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from othello_lab.game.errors import Forfeit
from othello_lab.game.notation import PASS, NotationError, parse_square, square_name
from othello_lab.game.program_trust import check_may_start, command_words, for_programs
from othello_lab.game.registry import RegistryError, Spec

if TYPE_CHECKING:
    from othello_lab.game.board import Board

SECONDS = 10.0  # The default timeout of each answer in seconds.
START_SECONDS = 30.0  # The extra timeout of the first answer, because programs may load data first.
OPTIONS = {  # The options of every registry text that starts a program.
    "time": f"seconds for each answer; a program that takes longer loses the game ({SECONDS:g})",
    "cwd": "the folder in which the program runs (the current folder)",
    "name": "the name in tables (the program's name)",
}
MOST_LINES = 10_000  # The maximum number of lines in one answer.
END_SECONDS = 0.5  # The timeout in seconds for a program to end after the input is closed.
LONGEST_LINE = 4096  # The maximum number of bytes in a line. A longer line is read as several lines.


class Launch(NamedTuple):
    """The launch settings of a program: command, folder, timeout and name."""

    command: Sequence[str]
    folder: Path | None = None  # The folder in which the program runs. None means the current folder.
    seconds: float = SECONDS  # The timeout of each answer in seconds.
    name: str = ""  # The display name, or "" for the name of the program file.


def launch_of(spec: Spec, places: Sequence[str], example: str) -> Launch:
    """Return the Launch of a text's program in `places` or `cwd`. Raises RegistryError or UntrustedError."""
    check_may_start(spec.text)
    folder = _folder(spec)
    start = [os.fspath(folder)] if folder else []
    try:
        if not (spec.argument or "").strip():
            raise ValueError(f"name the program, such as {example}")
        command = command_words(spec.argument or "", [*places, *start], *start)
    except ValueError as error:
        raise RegistryError(f"{spec.name}: {error}") from None
    return Launch(command, folder, _seconds(spec), spec.options.get("name", ""))


def _folder(spec: Spec) -> Path | None:
    if (text := spec.options.get("cwd")) is None:
        return None
    folder = Path(text).expanduser().absolute()
    if not text or not folder.is_dir():
        raise RegistryError(f"{spec.name}: cwd is {text!r}, expected a folder that exists")
    return folder


def _seconds(spec: Spec) -> float:
    text = spec.options.get("time", f"{SECONDS:g}")
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", text, re.ASCII) or float(text) == 0:
        raise RegistryError(f"{spec.name}: time is {text!r}, expected seconds for each answer, above 0")
    return float(text)


class Program:
    """A running program. The program ends when `close` is called, this object is deleted, or Python exits."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
        stdout: int = subprocess.DEVNULL,
    ) -> None:
        """Start the program with additional environment variables. Raises OSError if the start fails."""
        self._process = subprocess.Popen(  # noqa: S603  no shell; the user named the program
            command,
            cwd=folder,
            env={**for_programs(), **(variables or {})},
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in the terminal does not reach the program
        )
        self._errors: deque[str] = deque(maxlen=1)
        self._drainer = threading.Thread(
            target=_drain, args=(self._process.stderr, self._errors), daemon=True
        )
        # `_end` is not a method, because the finalizer must not keep this object alive.
        self._end = weakref.finalize(self, _end, self._process, self._drainer)
        self._drainer.start()

    @property
    def has_ended(self) -> bool:
        """Whether the program has closed its standard error, as a program does when it ends."""
        return not self._drainer.is_alive()

    def how_it_ended(self) -> str:
        """End the program. Return a text with the exit status and the last line of stderr."""
        self.close()
        status = self._process.returncode
        if status == -signal.SIGKILL:  # `close` kills a program that runs on without output
            text = "closed its output or was killed"
        else:
            text = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
        return f"{text}: {self._errors[-1]}" if self._errors else text

    def close(self) -> None:
        """End the program and every process that it has started. A second call is a no-op."""
        self._end()


class LineProgram(Program):
    """A program with a line-based protocol. After a Forfeit the caller must close the program."""

    def __init__(self, launch: Launch) -> None:
        self.name = launch.name or os.path.basename(launch.command[0])
        self.seconds = launch.seconds
        self._unread = b""
        try:
            super().__init__(launch.command, launch.folder, stdout=subprocess.PIPE)
        except OSError as error:
            raise self.forfeit(f"cannot be started: {error}") from None
        assert self._process.stdout is not None  # noqa: S101  it is a pipe
        self._output = self._process.stdout.fileno()
        # `close` does not close the output, because another thread may be reading.
        weakref.finalize(self, self._process.stdout.close)

    def tell(self, *lines: str) -> None:
        """Send lines without waiting for an answer."""
        assert self._process.stdin is not None  # noqa: S101  it is a pipe
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except OSError:
            raise self._died(lines[0]) from None

    def ask(self, *lines: str, extra_seconds: float = 0.0) -> Iterator[str]:
        """Send lines. Return an iterator over the answer, which raises Forfeit for a failure or a timeout."""
        self.tell(*lines)
        return self._answer(lines[-1], self.seconds + extra_seconds)

    def _answer(self, question: str, seconds: float) -> Iterator[str]:
        deadline, last = time.monotonic() + seconds, ""
        for _ in range(MOST_LINES):
            line = self._read_line(deadline, question)
            if line is None:
                end = f"; the last that it wrote is {last[:60]!r}" if last else ""
                raise self.forfeit(f"gave no answer to {question!r} within {seconds:g} s{end}")
            yield line
            last = line.strip() or last
        raise self.forfeit(f"does not stop writing: more than {MOST_LINES:,} lines")

    def _read_line(self, deadline: float, question: str) -> str | None:
        """Return the next line, or None at the deadline."""
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        while b"\n" not in self._unread and len(self._unread) < LONGEST_LINE:
            if not poll.poll(1000 * max(0.0, deadline - time.monotonic())):
                return None
            if not (data := os.read(self._output, LONGEST_LINE)):
                raise self._died(question)
            self._unread += data
        line, _, rest = self._unread[:LONGEST_LINE].partition(b"\n")
        self._unread = rest + self._unread[LONGEST_LINE:]
        return line.decode("utf-8", "replace").rstrip()

    def forfeit(self, why: str) -> Forfeit:
        """Return a Forfeit with the reason why the program cannot continue."""
        return Forfeit(f"{self.name} {why}")

    def read_move(self, text: str, board: "Board") -> int:
        """Return the legal move in an answer. Raises Forfeit for any other answer."""
        word = text.strip().lower()
        if word == "resign":
            raise self.forfeit("resigned")
        try:
            move = PASS if word in ("pass", "pa") else parse_square(word, board.size)
        except NotationError:
            raise self.forfeit(f"answered {text.strip()[:60]!r}, which is no move") from None
        if move not in board.legal_moves:
            raise self.forfeit(f"played {square_name(move, board.size)}, which is not legal in {board}")
        return move

    def _died(self, question: str) -> Forfeit:
        return self.forfeit(f"{self.how_it_ended()}, instead of an answer to {question!r}")


def _drain(stream: IO[bytes], last: deque[str]) -> None:
    """Read a stream to the end. `last` keeps the last non-blank lines."""
    with stream:
        while line := stream.readline(LONGEST_LINE):
            if text := line.decode("utf-8", "replace").strip():
                last.append(text)


def _end(process: subprocess.Popen[bytes], drainer: threading.Thread) -> None:
    try:
        if process.stdin:
            with suppress(OSError):  # the program has ended before it read all lines
                process.stdin.close()
        # A program that ends closes its standard error, and then the thread ends. The signal comes before
        # `process.wait`, because the PID may be reused after `process.wait`.
        drainer.join(END_SECONDS)
    finally:
        # A script may have started other programs, so the signal goes to the whole process group. Both
        # errors mean that all processes have ended. macOS raises PermissionError.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    # `join` has a timeout, because a process outside the group may keep the pipe open.
    drainer.join(END_SECONDS)
