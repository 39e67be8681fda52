"""The number of threads of the libraries that multiply matrices."""

import os
import sys


def use_threads(count: int) -> None:
    """Set the number of threads of torch in this process and its child processes, without importing torch.

    One thread is best. The batches are small, and threads wait for each other if another program uses a core.
    The same seed gives the same numbers on every machine only with one thread.
    """
    # OpenMP and MKL read these variables when they start.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(count)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(count)
