"""Threads of the libraries that multiply matrices: each process chooses once, where it starts."""

import os
import sys


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
