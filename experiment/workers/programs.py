"""The runs of a sweep as processes, a few at once."""

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiment.sweep.folder import SweepFolder
from experiment.sweep.variants import Job
from experiment.workers.trio import away_from_terminal

_LOOK_SECONDS = 0.1
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Ended:
    """A run whose process has ended."""

    job: Job
    status: int
    """The exit status; negative: the signal that killed it."""
    seconds: float


class _Process:
    """A run in progress."""

    def __init__(self, job: Job, arguments: Sequence[str], log: Path) -> None:
        self.job = job
        self._begin = time.monotonic()
        with log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603  our own command, without a shell
                [sys.executable, "-P", "-m", "othello.sweep_worker", *arguments],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **_ONE_THREAD},
                **away_from_terminal(),
            )

    def ended(self) -> Ended | None:
        """Return how it ended, None while it runs."""
        status = self._process.poll()
        return None if status is None else Ended(self.job, status, time.monotonic() - self._begin)

    def ask_to_stop(self) -> None:
        """Have it save and end."""
        assert self._process.stdin  # noqa: S101  given above
        self._process.stdin.close()

    def close(self) -> None:
        """End it if it has not ended by itself."""
        self.ask_to_stop()
        self._process.kill()
        self._process.wait()


def carry_out(
    jobs: Sequence[Job], folder: SweepFolder, limit: int, stop: Callable[[], bool]
) -> Generator[Ended, None, None]:
    """Carry out runs, at most `limit` at once, and yield each when it has ended.

    Once `stop` answers true no more are begun and the running are asked to save and end.
    """
    waiting, running = deque(jobs), list[_Process]()
    try:
        while running or (waiting and not stop()):
            while waiting and len(running) < limit and not stop():
                job = waiting.popleft()
                running.append(_Process(job, folder.command(job)[1:], folder.log(job)))
            if stop():
                for process in running:
                    process.ask_to_stop()
            for process in running[:]:
                if ended := process.ended():
                    process.close()
                    running.remove(process)
                    yield ended
            time.sleep(_LOOK_SECONDS)
    finally:
        for process in running:
            process.close()
