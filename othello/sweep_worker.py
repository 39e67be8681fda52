"""One run in a process of its own: `python -m othello.sweep_worker train --in-process ...`.

It stops as after Ctrl-C when its standard input ends, which it does also if the sweep is killed.
"""

import _thread

from experiment.__main__ import main
from experiment.workers.child import on_parents_end
from othello.options import run

if __name__ == "__main__":
    on_parents_end(_thread.interrupt_main)
    run(main, name="experiment")
