"""One run in a process of its own: `python -m experiment.sweep.worker train --in-process ...`.

It stops as after Ctrl-C when its standard input ends, which it does also if the sweep is killed.
"""

import _thread
import os
import sys
import threading

from experiment.__main__ import main
from rlglue.options import run


def _stop_with_the_sweep() -> None:
    os.read(sys.stdin.fileno(), 1)
    _thread.interrupt_main()


if __name__ == "__main__":
    threading.Thread(target=_stop_with_the_sweep, daemon=True).start()
    run(main, name="experiment")
