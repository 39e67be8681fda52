"""Threads: those that work on one thing together, and those of the libraries that multiply matrices."""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def alongside(works: Sequence[Callable[[], object]], stop: Callable[[], object]) -> Iterator[None]:
    """Do these while the caller does something, each in a thread of its own; at the end have them stop.

    They run at the same time only where they let go of the interpreter's lock, as compiled code here does.
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
    """Have torch use this many threads in this process and in those that it starts.

    torch is not imported for it. The batches here are small: with more than one thread they wait for one
    another as soon as anybody else uses a core, and only with one the same seed gives the same numbers
    whatever the machine.
    """
    # What OpenMP and MKL look at when they are loaded.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(count)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(count)
