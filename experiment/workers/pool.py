"""Work in shards, and a pool of processes that does it with the results, and the order, of one process."""

import os
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
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

_AHEAD: Final = 16
"""Maximum number of tasks for each process that are submitted and not yet yielded."""
_TASK_SECONDS: Final = 0.02
"""Time of a task of several short shards: a task costs a quarter of a millisecond."""
_MOST: Final = 64
"""Maximum number of shards in a task."""
_STOP_SECONDS: Final = 5.0
"""Time for a process to end the programs that it has started."""
_SAFE_PATH: Final = "PYTHONSAFEPATH"

T = TypeVar("T")
Work: TypeAlias = Callable[[Iterable[int]], Iterator[T]]
"""Does the shards with the given numbers one after another and yields the result of each.

It takes a number only when the caller asks for its result. A result depends on its number alone. Work and
results are pickled if there are several processes.
"""


class Workers(Protocol):
    """Something that does work in shards: `Pool` or `RayPool`."""

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """Do the shards 0 to `shards` - 1 and yield their results in that order.

        One work at a time. Raises the ValueError that the work raises, and WorkersError.
        """


class WorkersError(FailedError):
    """One-line reason why workers could not do a piece of work."""


class Pool:
    """Processes that stay for one work after another, and import and compile only once; a context manager."""

    def __init__(self, jobs: int = 1) -> None:
        """Create a pool of this many processes; one job is done in this process."""
        self._jobs = jobs
        self._executor: ProcessPoolExecutor | None = None
        """The processes: the first work starts them."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._executor:
            self._executor.shutdown()

    def in_order(self, work: Work[T], shards: int) -> Generator[T, None, None]:
        """Do the work as `Workers` do; a shard whose process dies is done again once."""
        if min(self._jobs, shards) <= 1:
            yield from work(range(shards))
            return
        with TemporaryDirectory(prefix="othello-pool-") as folder:
            path = Path(folder) / "work"
            path.write_bytes(pickle.dumps(work))  # read once by each process: a work may be large
            is_done = False
            try:
                yield from self._results(partial(_do_shards, path), shards)
                is_done = True
            finally:
                if not is_done:  # the processes may still be busy with abandoned work
                    self._stop()

    def _results(self, do: "Callable[[list[int]], _Done]", shards: int) -> Iterator[Any]:
        from concurrent.futures.process import BrokenProcessPool  # here: not all commands need it

        waiting, tasks, size = iter(range(shards)), deque[tuple[list[int], "Future[_Done]"]](), 1
        while True:
            while len(tasks) < _AHEAD * self._jobs and (numbers := [*islice(waiting, size)]):
                tasks.append((numbers, self._submit(do, numbers)))
            if not tasks:
                return
            numbers, task = tasks[0]
            try:
                seconds, results = task.result()
            except BrokenProcessPool:  # all shards that were not done are lost
                self._stop()
                again = [self._submit(do, lost) if old.exception() else old for lost, old in tasks]
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
        from multiprocessing import get_context

        with _safe_path() as before:  # processes start here
            if self._executor:
                with suppress(BrokenProcessPool):  # a process has died between two works
                    return self._executor.submit(do, numbers)
            # spawn: the same on every system, and safe where the parent has threads.
            self._executor = ProcessPoolExecutor(self._jobs, get_context("spawn"), _begin, (before,))
            return self._executor.submit(do, numbers)

    def _stop(self) -> None:
        """End all processes: by SIGTERM, so that they end their programs, after a while by SIGKILL."""
        if not self._executor:
            return
        executor, self._executor = self._executor, None
        # Like terminate_workers of Python 3.14.
        processes = [*(executor._processes or {}).values()]
        executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(_STOP_SECONDS)
            process.kill()


@contextmanager
def _safe_path() -> Iterator[str | None]:
    """Start Python processes that import no modules from the current directory; yield the value of before."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield before
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = value


def _begin(safe_path: str | None) -> None:
    """Prepare a process of the pool; programs that it starts get the PYTHONSAFEPATH of the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends Ctrl-C here too, but the parent decides
    _set_safe_path(safe_path)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has ended, also by kill -9."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent  # noqa: S101  this is a process of a pool
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _exit(number: int, frame: FrameType | None) -> None:
    """End this process: the work first ends the programs that it has started.

    Not by an exception between two shards: it would release the lock of a queue that is half read.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        getattr(_current[2], "close", int)()
    except ValueError:  # the generator is executing: a shard is being done
        raise SystemExit(0) from None
    os._exit(0)


_Done: TypeAlias = tuple[float, list[Any]]
"""Seconds and results of a task."""


def _do_shards(path: Path, numbers: list[int]) -> _Done:
    begin = time.perf_counter()
    try:
        signal.signal(signal.SIGTERM, _exit)
        results = [do_shard(path, lambda: pickle.loads(path.read_bytes()), number) for number in numbers]  # noqa: S301
        return time.perf_counter() - begin, results
    except SystemExit:  # the executor would catch it and wait for the next shard
        os._exit(0)


_current: tuple[object, deque[int], Iterator[Any]] = None, deque(), iter(())
"""The work that this process is doing: its key, shards to do, results. Players stay between shards."""


def do_shard(key: object, load: Callable[[], Work[Any]], shard: int) -> Any:  # noqa: ANN401  of any work
    """Return the result of a shard of the work with this key, which `load` returns."""
    global _current  # noqa: PLW0603  it outlives the call
    if _current[0] != key:
        _current = None, deque(), iter(())  # drops the players of the work before
        shards = deque[int]()
        _current = key, shards, load()(iter(shards.popleft, None))
    _, shards, results = _current
    shards.append(shard)
    try:
        return next(results)
    except BaseException:
        _current = None, deque(), iter(())  # the iterator has ended
        raise
