"""A match on several processes."""

import multiprocessing
import signal
from collections.abc import Generator
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType

from experiment.match.loop import Match, Played, play_games

_STOP_SECONDS = 5.0
"""How long a process has to end the engines of its players."""


def play(match: Match, jobs: int = 1) -> Generator[Played, None, None]:
    """Play a match on `jobs` processes and yield its games in their order; see `play_games` for errors.

    The games are the same for any number of processes.
    """
    jobs = min(jobs, match.games)
    if jobs <= 1:
        yield from play_games(match, range(match.games))
        return
    workers: list[_Worker] = []
    try:
        for first in range(jobs):
            workers.append(_Worker(match, first, jobs))
        for number in range(match.games):
            yield workers[number % jobs].result()
    finally:
        for worker in workers:
            worker.stop()


class WorkerDiedError(RuntimeError):
    """A process of a match ended before its games did."""


class _Worker:
    """A process that plays every `step`-th game, from the `first`."""

    def __init__(self, match: Match, first: int, step: int) -> None:
        # spawn: the same on every system, and safe where the parent has threads.
        context = multiprocessing.get_context("spawn")
        self._results, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_work, args=(match, first, step, sender), daemon=True)
        self._process.start()
        sender.close()  # the child has its own: when that is closed, the end is seen here

    def result(self) -> Played:
        """Return the next game."""
        try:
            result = self._results.recv()
        except EOFError:
            self._process.join(_STOP_SECONDS)
            code = self._process.exitcode
            raise WorkerDiedError(f"a process of the match ended early, with exit code {code}") from None
        if isinstance(result, Exception):
            raise result
        assert isinstance(result, Played)  # noqa: S101  there is nothing else to come
        return result

    def stop(self) -> None:
        """End the process if it has not ended by itself."""
        self._results.close()
        self._process.terminate()
        self._process.join(_STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


def _work(match: Match, first: int, step: int, results: "Connection[Played | Exception, None]") -> None:
    # The terminal's Ctrl-C goes to all of us, but the parent decides. Its SIGTERM has to pass by the players,
    # which may have programs to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    with results, suppress(BrokenPipeError):
        try:
            for played in play_games(match, range(first, match.games, step)):
                results.send(played)
        except ValueError as error:  # what the user can have caused; all else prints its traceback here
            results.send(error)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
