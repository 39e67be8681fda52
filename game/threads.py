"""Threads of a search, and of the libraries that multiply matrices."""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def alongside(works: Sequence[Callable[[], object]], stop: Callable[[], object]) -> Iterator[None]:
    """Run each function in a thread during a `with` block; then call `stop` and wait for the threads.

    The threads run in parallel only while they release the GIL, as our compiled code does.
    """
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        if threads:
            stop()
        for thread in threads:
            thread.join()


def use_threads(count: int) -> None:
    """Set the number of threads of torch in this process and its child processes, without importing torch.

    One thread is best. Batches are small, and threads wait for each other if another program uses a core.
    Only with one thread does the same seed give the same numbers on every machine.
    """
    # OpenMP and MKL read these variables when they are loaded.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(count)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(count)
