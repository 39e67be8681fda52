"""Run work in numbered shards in a process pool. Results do not depend on the number of processes."""

import os
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias, TypeVar

from othello_lab.game.errors import FailedError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.connection import Connection

_AHEAD: Final = 16  # maximum length of the task queue, per process
_TASK_SECONDS: Final = 0.02  # target duration of a task with several shards; a task's overhead is 0.25 ms
_MOST: Final = 64  # maximum number of shards in a task
_STOP_SECONDS: Final = 5.0  # timeout for a process to end the programs that it started
_VARIABLES: Final = {
    "PYTHONSAFEPATH": "1",  # import no modules from the current folder
    "PYTHONWARNINGS": "ignore:resource_tracker",  # no warning about semaphores after kill -9 of this process
}  # environment variables of the processes

T = TypeVar("T")
# A generator function that runs the shards with the given numbers in order and yields each result.
# A lazy generator: it takes a number only when the result is requested. A result depends only on the number.
Work: TypeAlias = Callable[[Iterable[int]], Iterator[T]]


class Workers(Protocol):
    """The interface of `Pool` and `RayPool`, which run work in shards."""

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """Run the shards 0 to `shards` - 1, and yield the results in order. Only one call may run at a time.

        Raises ValueError from the work, and WorkersError if the workers fail.
        """


class WorkersError(FailedError):
    """The workers failed. The text is a one-line reason."""


class Pool:
    """A reusable process pool. Each process imports and compiles only once, for all calls of `in_order`."""

    def __init__(self, jobs: int = 1) -> None:
        """Create a pool of `jobs` processes. With one job, the calling process does the work."""
        self._jobs = jobs
        self._executor: ProcessPoolExecutor | None = None  # created lazily by the first task
        self._lifeline: Connection | None = None  # the processes end when this pipe closes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._executor:
            self._executor.shutdown()

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """Run the shards and yield the results in order. If a process dies, retry the lost shards once."""
        if min(self._jobs, shards) <= 1:
            yield from work(range(shards))
            return
        with TemporaryDirectory(prefix="othello-pool-") as folder:
            path = Path(folder) / "work"
            path.write_bytes(pickle.dumps(work))  # so that each process reads a large work only once
            is_done = False
            try:
                yield from self._results(partial(_do_shards, path), shards)
                is_done = True
            finally:
                if not is_done:  # the processes may still run abandoned shards
                    self._stop()

    def _results(self, do: "Callable[[list[int]], _Done]", shards: int) -> Iterator[Any]:
        from concurrent.futures.process import BrokenProcessPool  # lazy import: few commands need processes

        waiting, tasks, size = iter(range(shards)), deque[tuple[list[int], "Future[_Done]"]](), 1
        while True:
            while len(tasks) < _AHEAD * self._jobs and (numbers := [*islice(waiting, size)]):
                tasks.append((numbers, self._submit(do, numbers)))
            if not tasks:
                return
            numbers, task = tasks[0]
            try:
                seconds, results = task.result()
            except BrokenProcessPool:  # all unfinished shards are lost
                self._stop()
                again = [
                    self._submit(do, lost) if old.cancelled() or old.exception() else old
                    for lost, old in tasks
                ]
                tasks = deque(zip([lost for lost, _ in tasks], again, strict=True))
                try:
                    seconds, results = again[0].result()
                except BrokenProcessPool:
                    raise WorkersError(f"a worker ended early, twice over shard {numbers[0]}") from None
            tasks.popleft()
            yield from results
            size = max(1, min(_MOST, int(_TASK_SECONDS * len(numbers) / max(seconds, 1e-9))))

    def _submit(self, do: "Callable[[list[int]], _Done]", numbers: list[int]) -> "Future[_Done]":
        from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
        from multiprocessing import Pipe, get_context

        with _variables() as before:  # each `submit` may start a process
            if self._executor:
                with suppress(BrokenProcessPool):  # a process died since the last call
                    return self._executor.submit(do, numbers)
                self._stop()
            parent, self._lifeline = Pipe(duplex=False)
            # "spawn" works the same on every system, and is safe if the parent has threads.
            self._executor = ProcessPoolExecutor(self._jobs, get_context("spawn"), _begin, (before, parent))
            return self._executor.submit(do, numbers)

    def _stop(self) -> None:
        """End all processes. Each process first ends the programs that it started."""
        if self._executor and self._lifeline:
            executor, self._executor = self._executor, None
            self._lifeline.close()
            executor.shutdown(cancel_futures=True)


@contextmanager
def _variables() -> Iterator[Mapping[str, str | None]]:
    """Set the processes' environment variables, yield the old values, and restore them at the end."""
    before = {name: os.environ.get(name) for name in _VARIABLES}
    os.environ.update(_VARIABLES)
    try:
        yield before
    finally:
        _restore(before)


def _restore(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _begin(variables: Mapping[str, str | None], parent: "Connection") -> None:
    """Initialize a process of the pool. Programs that it starts get the parent's environment `variables`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C, which reaches all processes
    signal.signal(signal.SIGTERM, _exit)
    _restore(variables)
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: "Connection") -> None:
    """End this process when the parent closes the pipe or ends, even after kill -9."""
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)  # compiled code does not react to SIGTERM


def _exit(number: int, frame: FrameType | None) -> None:
    """Handle SIGTERM: let the work end its programs, and then end this process."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        getattr(_current[2], "close", int)()
    except ValueError:  # the generator is executing a shard
        raise SystemExit(0) from None
    # Between two shards, an exception is not safe, because it would release the lock of a half-read queue.
    os._exit(0)


_Done: TypeAlias = tuple[float, list[Any]]  # the duration of a task in seconds, and its results


def _do_shards(path: Path, numbers: list[int]) -> _Done:
    begin = time.perf_counter()
    try:
        results = [do_shard(path, lambda: pickle.loads(path.read_bytes()), number) for number in numbers]  # noqa: S301
        return time.perf_counter() - begin, results
    except SystemExit:  # the executor would catch SystemExit and wait for the next task
        os._exit(0)


# The key, the shard queue and the results of the current work. Players stay in memory between shards.
_current: tuple[object, deque[int], Iterator[Any]] = None, deque(), iter(())


def do_shard(key: object, load: Callable[[], Work[Any]], shard: int) -> Any:  # noqa: ANN401  of any work
    """Return the result of a shard. For a new `key`, call `load` to get the work."""
    global _current  # noqa: PLW0603  the work outlives the call
    if _current[0] != key:
        _current = None, deque(), iter(())  # delete the players of the earlier work
        shards = deque[int]()
        _current = key, shards, load()(iter(shards.popleft, None))
    _, shards, results = _current
    shards.append(shard)
    try:
        return next(results)
    except BaseException:
        _current = None, deque(), iter(())  # the iterator has ended
        raise
