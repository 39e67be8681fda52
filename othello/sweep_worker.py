"""One run in a process of its own: `python -m othello.sweep_worker experiment train --in-process ...`.

It stops as after Ctrl-C when its standard input ends, which it does also if the sweep is killed.
"""

import _thread

from experiment.workers.child import on_parents_end
from othello.cli import main

if __name__ == "__main__":
    on_parents_end(_thread.interrupt_main)
    main()
