"""One job at a time, beside the rest of the program."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Background(Generic[Result]):
    """Runs a job in a thread of its own, and hands over its result when asked to.

    The caller decides when a result is taken, never the clock: what is computed does not depend on how fast
    this machine is, nor on whether there is a thread at all.
    """

    def __init__(self, threaded: bool) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="learner") if threaded else None
        self._future: Future[Result] | None = None

    def start(self, job: Callable[[], Result]) -> None:
        """Start a job; the one before must have been collected."""
        if self._pool:
            self._future = self._pool.submit(job)
        else:
            self._future = Future()
            self._future.set_result(job())

    def wait(self) -> None:
        """Wait for the job; its result stays to be collected."""
        if self._future:
            self._future.exception()

    def collect(self) -> Result | None:
        """Wait for the job and return its result once; None if there is none. Raises what the job raised."""
        future, self._future = self._future, None
        return future.result() if future else None
