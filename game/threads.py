"""The thread count of the linear algebra libraries."""

import os
import sys


def use_threads(count: int) -> None:
    """Set the thread count of torch, also for child processes. Only one thread gives reproducible results."""
    # OpenMP and MKL read these variables when they start.
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(count)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(count)
